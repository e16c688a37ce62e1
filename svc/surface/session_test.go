package surface

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Covers B-35.
func TestSessionsFollowTheFocus(t *testing.T) {
	s := newServer(t)
	sessions := func(id string) string {
		t.Helper()
		d, err := s.detail(ann, id)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, one := range d.Sessions {
			text := fmt.Sprint(one.State, " ", one.OpenedAt.Format("15:04"), " ", one.LastActiveAt.Format("15:04"))
			if one.ClosedAt != nil {
				text += " " + one.ClosedAt.Format("15:04")
			}
			list = append(list, text)
		}
		return strings.Join(list, ", ")
	}
	step := func(change func() (*Workspace, error)) {
		t.Helper()
		s.clock.Advance(time.Minute)
		s.must(change())
	}
	focus := func(stack, id string) func() (*Workspace, error) {
		return func() (*Workspace, error) { return s.focus(ann, stack, `{"surface_id": `+id+`}`) }
	}
	equal(t, "at first", sessions("surface_messages"), "")
	step(focus(CarryStack, `"surface_messages"`))
	equal(t, "focused", sessions("surface_messages"), "active 09:01 09:01")
	step(focus(CarryStack, `"surface_social"`))
	equal(t, "out of focus", sessions("surface_messages"), "suspended 09:01 09:02")
	step(focus(CarryStack, `"surface_messages"`))
	equal(t, "focused again", sessions("surface_messages"), "active 09:01 09:03")
	step(focus(CarryStack, `null`))
	equal(t, "no focus", sessions("surface_messages"), "suspended 09:01 09:04")

	found := s.find(ann, "a").stack(OverlayStack).SurfaceOrder[0]
	step(focus(OverlayStack, `"`+found+`"`))
	step(func() (*Workspace, error) { return s.find(ann), nil })
	equal(t, "in no stack", sessions(found), "closed 09:05 09:06 09:06")
	s.find(ann, "a")
	step(focus(OverlayStack, `"`+found+`"`))
	equal(t, "in a stack again", sessions(found), "active 09:07 09:07, closed 09:05 09:06 09:06")
}
