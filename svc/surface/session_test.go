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
		for _, session := range d.Sessions {
			line := fmt.Sprint(session.State, " ", session.OpenedAt.Format("15:04"), " ", session.LastActiveAt.Format("15:04"))
			if session.ClosedAt != nil {
				line += " " + session.ClosedAt.Format("15:04")
			}
			list = append(list, line)
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
	wantEqual(t, "at first", sessions("surface_messages"), "")
	step(focus(CarryStack, `"surface_messages"`))
	wantEqual(t, "focused", sessions("surface_messages"), "active 09:01 09:01")
	step(focus(CarryStack, `"surface_social"`))
	wantEqual(t, "out of focus", sessions("surface_messages"), "suspended 09:01 09:02")
	step(focus(CarryStack, `"surface_messages"`))
	wantEqual(t, "focused again", sessions("surface_messages"), "active 09:01 09:03")
	step(focus(CarryStack, `null`))
	wantEqual(t, "no focus", sessions("surface_messages"), "suspended 09:01 09:04")

	findingID := s.showFindings(ann, "a").stack(OverlayStack).SurfaceOrder[0]
	step(focus(OverlayStack, `"`+findingID+`"`))
	step(func() (*Workspace, error) { return s.showFindings(ann), nil })
	wantEqual(t, "in no stack", sessions(findingID), "closed 09:05 09:06 09:06")
	s.showFindings(ann, "a")
	step(focus(OverlayStack, `"`+findingID+`"`))
	wantEqual(t, "in a stack again", sessions(findingID), "active 09:07 09:07, closed 09:05 09:06 09:06")
}
