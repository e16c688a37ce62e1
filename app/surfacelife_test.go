package app

import (
	"database/sql"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/surface"
)

// tamper changes the database behind the program's back.
func (h *house) tamper(statements ...string) {
	h.t.Helper()
	db, err := sql.Open("sqlite", h.settings.Database())
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			h.t.Fatalf("%s: %v", statement, err)
		}
	}
}

// A read brings back what is missing, in the member's arrangement, and changes
// nothing else. Covers S-32, S-33 and PT-10.
func TestReadsOnlyAdd(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	if got := ann.desktop().body; got != ann.desktop().body {
		t.Error("a second read is another one")
	}
	ann.do("POST", stacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages", "surface_calendar"]}`).want(200)
	ann.do("POST", stacksPath+"carry_primary/focus", `{"surface_id": "surface_calendar"}`).want(200)
	ann.do("POST", surfacesPath+"surface_calendar/placement", `{"placement_mode": "detached", "placement": {"x": 1.5, "y": -2}}`).want(200)
	arranged := ann.desktop()
	const changed = `carry_primary: messages calendar* social
left_context: profile*
right_context: messages_rail*
finding_overlay: `
	for range 20 {
		if got := ann.desktop().body; got != arranged.body {
			t.Fatalf("it was\n%s\nand is\n%s", arranged.body, got)
		}
	}
	for about, c := range map[string]struct{ statement, want string }{
		"a stack":             {"DELETE FROM surface_stack WHERE stack_key = 'left_context'", changed},
		"the overlay":         {"DELETE FROM surface_stack WHERE stack_key = 'finding_overlay'", changed},
		"a surface":           {"DELETE FROM surface_surface WHERE surface_id = 'surface_messages'", strings.Replace(changed, "messages calendar* social", "calendar* social messages", 1)},
		"an entry of a stack": {`UPDATE surface_stack SET surface_order = '["surface_messages","surface_calendar"]' WHERE stack_key = 'carry_primary'`, changed},
		"what is turned to":   {`UPDATE surface_stack SET focused_surface_id = 'gone' WHERE stack_key = 'left_context'`, strings.Replace(changed, "profile*", "profile", 1)},
	} {
		h.tamper(c.statement)
		if got := ann.desktop().stacks("stacks"); got != c.want {
			t.Errorf("without %s there is\n%s\nwant\n%s", about, got, c.want)
		}
		if mode := dig(ann.desktop().one("surfaces", "surface_calendar"), "placement.mode"); mode != "detached" {
			t.Errorf("without %s the calendar is %v", about, mode)
		}
		// As it was.
		ann.do("POST", stacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages", "surface_calendar", "surface_social"]}`).want(200)
		ann.do("POST", stacksPath+"left_context/focus", `{"surface_id": "surface_profile"}`).want(200)
	}
	h.tamper("DELETE FROM surface_stack", "DELETE FROM surface_surface", "DELETE FROM surface_workspace")
	if got := ann.desktop().stacks("stacks"); got != asNew {
		t.Errorf("without anything there is\n%s", got)
	}
}

// What a later version of the program has for everybody comes last, and what
// it has no more stays. Covers S-34 and S-35.
func TestDefaultsComeAndStay(t *testing.T) {
	h := open(t, withKey)
	ann := h.member("ann")
	ann.desktop()
	ann.do("POST", stacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages"]}`).want(200)
	ann.do("POST", stacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`).want(200)
	h.restart()
	more := surface.DefaultSurfaces()
	notes := more[0]
	notes.Surface.SurfaceID, notes.Surface.Title = "surface_notes", "Notes"
	h.surface.Defaults = append([]surface.DefaultSurface{notes}, more...)
	const want = "carry_primary: messages* social calendar notes\n"
	if got := ann.desktop().stacks("stacks"); !strings.HasPrefix(got, want) {
		t.Errorf("there is\n%s", got)
	}
	h.restart()
	h.surface.Defaults = h.surface.Defaults[2:]
	got := ann.desktop()
	if got.one("surfaces", "surface_notes") == nil || !strings.HasPrefix(got.stacks("stacks"), want) {
		t.Errorf("there is\n%s", got.stacks("stacks"))
	}
}

// Surface knows since when a member has turned to a surface, and runtimes are
// told nothing of it. Covers B-35.
func TestSurfaceSessions(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	sessions := func(id string) string {
		var list []string
		a := ann.internally().do("GET", "/surface/"+id).want(200)
		a.fits("service.surface.detail", a.at(""))
		for _, s := range a.list("sessions") {
			list = append(list, fmt.Sprint(dig(s, "state"), " ", dig(s, "opened_at").(string)[11:16], " ", dig(s, "last_active_at").(string)[11:16]))
		}
		return strings.Join(list, ", ")
	}
	focus := func(stack string, id any) {
		t.Helper()
		h.clock.Advance(time.Minute)
		ann.do("POST", stacksPath+stack+"/focus", map[string]any{"surface_id": id}).want(200)
	}
	if got := sessions("surface_messages"); got != "" {
		t.Errorf("there are %s", got)
	}
	focus("carry_primary", "surface_messages")
	if got := sessions("surface_messages"); got != "active 09:01 09:01" {
		t.Errorf("there are %s", got)
	}
	focus("carry_primary", "surface_social")
	if got := sessions("surface_messages"); got != "suspended 09:01 09:02" {
		t.Errorf("there are %s", got)
	}
	focus("carry_primary", "surface_messages")
	if got := sessions("surface_messages"); got != "active 09:01 09:03" {
		t.Errorf("there are %s", got)
	}
	focus("carry_primary", nil)
	if got := sessions("surface_messages"); got != "suspended 09:01 09:04" {
		t.Errorf("there are %s", got)
	}
	found := ann.finds(cafe("a")).str("surface_runtime.stacks.3.surface_order.0")
	focus("finding_overlay", found)
	ann.finds()
	ann.finds(cafe("a"))
	focus("finding_overlay", found)
	if got := sessions(found); got != "active 09:06 09:06, closed 09:05 09:05" && got != "active 09:06 09:06, closed 09:05 09:06" {
		t.Errorf("there are %s", got)
	}
	if body := ann.do("POST", stacksPath+"carry_primary/focus", `{"surface_id": "surface_social"}`).want(200).body; strings.Contains(body, "session") || strings.Contains(body, `"ss_`) {
		t.Errorf("a runtime is told %s", body)
	}
}

// What was found and is in no stack is gone after 30 days, in small writes; what
// else is there stays. Covers B-40 as far as garbage goes.
func TestSurfacesAreThrownAway(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	var found []string
	for i := range 7 {
		var list []map[string]any
		for j := range 100 {
			list = append(list, cafe(fmt.Sprint(i, "-", j)))
		}
		h.clock.Advance(time.Minute)
		a := ann.finds(list...)
		found = append(found, a.str("surface_runtime.stacks.3.surface_order.0"))
	}
	in := ann.internally()
	in.do("GET", "/surface/"+found[0]).refused(404, "not_found") // there were 500 later ones
	in.do("GET", "/surface/"+found[1]).want(200)
	if got := h.number("SELECT count(*) FROM surface_surface"); got != 605 {
		t.Errorf("%d are kept", got)
	}
	now := ann.desktop().body
	h.clock.Advance(surface.UnstackedRetention + time.Hour)
	if err := h.sweepSurfaces(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.number("SELECT count(*) FROM surface_surface"); got != 105 {
		t.Errorf("%d are kept", got)
	}
	if got := ann.desktop().body; got != now {
		t.Errorf("there is\n%s", got)
	}
	in.do("GET", "/surface/"+found[1]).refused(404, "not_found")
}

// A member takes along what they have before them, and leaves none of it.
func TestSurfacesOfWhoLeaves(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	for _, c := range []*client{ann, bea} {
		c.finds(cafe("a"))
		c.do("POST", stacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`).want(200)
	}
	whole, hers := ann.do("GET", "/world/identity/export").want(200), bea.desktop().body
	if got := whole.stacksExported(); got != strings.Replace(asNew, "social* calendar messages", "social calendar messages*", 1)+"Café a" {
		t.Errorf("the stacks are\n%s", got)
	}
	h.write(func(tx *store.Tx) error { return h.identity.Delete(tx, identity.CommandLine("test"), ann.id) })
	for _, table := range []string{"surface", "stack", "workspace", "session"} {
		if n := h.number(fmt.Sprintf("SELECT count(*) FROM surface_%s WHERE member_id = %d", table, ann.id)); n != 0 {
			t.Errorf("%d rows of surface_%s are left", n, table)
		}
	}
	if got := bea.desktop().body; got != hers {
		t.Errorf("bea has\n%s", got)
	}
}

// stacksExported spells the stacks of an export, with the titles of findings.
func (a *answer) stacksExported() string {
	a.t.Helper()
	text := a.stacks("surface_stacks")
	for _, s := range a.list("surfaces") {
		if id, _ := dig(s, "surface_id").(string); strings.HasPrefix(id, "surface_finding_") {
			text = strings.ReplaceAll(text, strings.TrimPrefix(id, "surface_"), dig(s, "title").(string))
		}
	}
	return text
}

// World can tell cheaply whether a workspace has changed (B-21): the revision
// grows with each write, the topic is counted, and no read does either.
func TestContinuity(t *testing.T) {
	h := open(t, withKey)
	ann, bea := h.member("ann"), h.member("bea")
	state := func(c *client) (at surface.Continuity, n int64) {
		err := h.db.Read(t.Context(), func(tx *store.Tx) (err error) {
			if at, err = h.surface.Continuity(tx, c.viewer()); err != nil {
				return err
			}
			n = tx.Revisions(int64(c.id)).Of(svc.SurfaceTopic)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return at, n
	}
	_, counted := state(ann)
	ann.desktop()
	for i, do := range []func(){
		func() {
			ann.do("POST", stacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`).want(200)
		},
		func() {
			ann.do("POST", stacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages"]}`).want(200)
		},
		func() {
			ann.do("POST", surfacesPath+"surface_social/placement", map[string]any{"placement_mode": "docked", "expected_revision": 2}).want(200)
		},
		func() { ann.finds(cafe("a")) },
	} {
		do()
		ann.desktop()
		at, n := state(ann)
		if at.Revision != int64(i+1) || at.UpdatedAt == nil || n <= counted {
			t.Errorf("after %d writes it is %v, counted %d", i+1, at, n)
		}
		counted = n
	}
	if at, _ := state(bea); at.Revision != 0 || at.UpdatedAt != nil {
		t.Errorf("bea's is %v", at)
	}
}

// A member has a bounded number of surfaces.
func TestSurfacesAreBounded(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	v := ann.viewer()
	h.write(func(tx *store.Tx) error {
		for i := range 495 {
			id := fmt.Sprint("surface_", i)
			if _, _, err := h.surface.Put(tx, v, surface.PutRequest{SurfaceID: &id, SurfaceType: "web_surface", Title: "x"}); err != nil {
				return err
			}
		}
		return nil
	})
	ann.internally().do("POST", "/surfaces", `{"surface_type": "web_surface", "title": "x"}`).refused(422, "quota_exceeded")
	if got := len(ann.desktop().list("surfaces")); got != 500 {
		t.Errorf("there are %d", got)
	}
}

// What Surface asks of the database does not depend on how much there is.
func TestNoSurfaceQueryIsInALoop(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	count := func(findings int) (counts []map[string]int) {
		var list []map[string]any
		for i := range findings {
			list = append(list, cafe(fmt.Sprint(findings, "-", i)))
		}
		ann.finds(list...)
		for _, do := range []func(){
			func() { ann.desktop() },
			func() { ann.finds(list...) },
			func() { ann.finds(cafe("x"), cafe("y")) },
			func() { ann.do("POST", stacksPath+"carry_primary/focus", `{"surface_id": "surface_social"}`).want(200) },
			func() { ann.internally().do("GET", "/surface/surface_social").want(200) },
		} {
			h.ran.take()
			do()
			counts = append(counts, h.ran.take())
		}
		return counts
	}
	few, many := count(2), count(100)
	for i := range few {
		if !maps.Equal(few[i], many[i]) || len(few[i]) == 0 {
			t.Errorf("for two findings %v, for a hundred %v", few[i], many[i])
		}
	}
}
