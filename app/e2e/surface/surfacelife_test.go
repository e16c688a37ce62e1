package surface

import (
	"database/sql"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/surface"
)

// tamper changes the database behind the program's back.
func tamper(h *apptest.Server, statements ...string) {
	h.T.Helper()
	db, err := sql.Open("sqlite", h.Settings.Database())
	if err != nil {
		h.T.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			h.T.Fatalf("%s: %v", statement, err)
		}
	}
}

// A read brings back what is missing, in the member's arrangement, and changes
// nothing else. Covers S-32, S-33 and PT-10.
func TestReadsOnlyAdd(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	if got := ann.SurfaceRuntime().Body; got != ann.SurfaceRuntime().Body {
		t.Error("a second read is another one")
	}
	ann.Do("POST", apptest.StacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages", "surface_calendar"]}`).Want(200)
	ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_calendar"}`).Want(200)
	ann.Do("POST", apptest.SurfacesPath+"surface_calendar/placement", `{"placement_mode": "detached", "placement": {"x": 1.5, "y": -2}}`).Want(200)
	arranged := ann.SurfaceRuntime()
	const changed = `carry_primary: messages calendar* social
left_context: profile*
right_context: messages_rail*
finding_overlay: `
	for range 20 {
		if got := ann.SurfaceRuntime().Body; got != arranged.Body {
			t.Fatalf("it was\n%s\nand is\n%s", arranged.Body, got)
		}
	}
	for about, c := range map[string]struct{ statement, want string }{
		"a stack":             {"DELETE FROM surface_stack WHERE stack_key = 'left_context'", changed},
		"the overlay":         {"DELETE FROM surface_stack WHERE stack_key = 'finding_overlay'", changed},
		"a surface":           {"DELETE FROM surface_surface WHERE surface_id = 'surface_messages'", strings.Replace(changed, "messages calendar* social", "calendar* social messages", 1)},
		"an entry of a stack": {`UPDATE surface_stack SET surface_order = '["surface_messages","surface_calendar"]' WHERE stack_key = 'carry_primary'`, changed},
		"what is turned to":   {`UPDATE surface_stack SET focused_surface_id = 'gone' WHERE stack_key = 'left_context'`, strings.Replace(changed, "profile*", "profile", 1)},
	} {
		tamper(h, c.statement)
		if got := ann.SurfaceRuntime().Stacks("stacks"); got != c.want {
			t.Errorf("without %s there is\n%s\nwant\n%s", about, got, c.want)
		}
		if mode := apptest.At(ann.SurfaceRuntime().Surface("surfaces", "surface_calendar"), "placement.mode"); mode != "detached" {
			t.Errorf("without %s the calendar is %v", about, mode)
		}
		// As it was.
		ann.Do("POST", apptest.StacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages", "surface_calendar", "surface_social"]}`).Want(200)
		ann.Do("POST", apptest.StacksPath+"left_context/focus", `{"surface_id": "surface_profile"}`).Want(200)
	}
	tamper(h, "DELETE FROM surface_stack", "DELETE FROM surface_surface", "DELETE FROM surface_workspace")
	if got := ann.SurfaceRuntime().Stacks("stacks"); got != apptest.DefaultStacks {
		t.Errorf("without anything there is\n%s", got)
	}
}

// What a later version of the program has for everybody comes last, and what
// it has no more stays. Covers S-34 and S-35.
func TestDefaultsComeAndStay(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	ann.SurfaceRuntime()
	ann.Do("POST", apptest.StacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages"]}`).Want(200)
	ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`).Want(200)
	h.Restart()
	more := surface.DefaultSurfaces()
	notes := more[0]
	notes.Surface.SurfaceID, notes.Surface.Title = "surface_notes", "Notes"
	h.App.Surface.Defaults = append([]surface.DefaultSurface{notes}, more...)
	const want = "carry_primary: messages* social calendar notes\n"
	if got := ann.SurfaceRuntime().Stacks("stacks"); !strings.HasPrefix(got, want) {
		t.Errorf("there is\n%s", got)
	}
	h.Restart()
	h.App.Surface.Defaults = h.App.Surface.Defaults[2:]
	got := ann.SurfaceRuntime()
	if got.Surface("surfaces", "surface_notes") == nil || !strings.HasPrefix(got.Stacks("stacks"), want) {
		t.Errorf("there is\n%s", got.Stacks("stacks"))
	}
}

// Surface knows since when a member has turned to a surface, and runtimes are
// told nothing of it. Covers B-35.
func TestSurfaceSessions(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	sessions := func(id string) string {
		var list []string
		a := ann.AsService().Do("GET", "/surface/"+id).Want(200)
		a.WantSchema("service.surface.detail", a.At(""))
		for _, s := range a.List("sessions") {
			list = append(list, fmt.Sprint(apptest.At(s, "state"), " ", apptest.At(s, "opened_at").(string)[11:16], " ", apptest.At(s, "last_active_at").(string)[11:16]))
		}
		return strings.Join(list, ", ")
	}
	focus := func(stack string, id any) {
		t.Helper()
		h.Clock.Advance(time.Minute)
		ann.Do("POST", apptest.StacksPath+stack+"/focus", map[string]any{"surface_id": id}).Want(200)
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
	found := ann.ReplaceOverlay(apptest.Finding("a")).Str("surface_runtime.stacks.3.surface_order.0")
	focus("finding_overlay", found)
	ann.ReplaceOverlay()
	ann.ReplaceOverlay(apptest.Finding("a"))
	focus("finding_overlay", found)
	if got := sessions(found); got != "active 09:06 09:06, closed 09:05 09:05" && got != "active 09:06 09:06, closed 09:05 09:06" {
		t.Errorf("there are %s", got)
	}
	if body := ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_social"}`).Want(200).Body; strings.Contains(body, "session") || strings.Contains(body, `"ss_`) {
		t.Errorf("a runtime is told %s", body)
	}
}

// What was found and is in no stack is gone after 30 days, in small writes; what
// else is there stays. Covers B-40 as far as garbage goes.
func TestSurfacesAreThrownAway(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	var found []string
	for i := range 7 {
		var list []map[string]any
		for j := range 100 {
			list = append(list, apptest.Finding(fmt.Sprint(i, "-", j)))
		}
		h.Clock.Advance(time.Minute)
		a := ann.ReplaceOverlay(list...)
		found = append(found, a.Str("surface_runtime.stacks.3.surface_order.0"))
	}
	in := ann.AsService()
	in.Do("GET", "/surface/"+found[0]).WantError(404, "not_found") // there were 500 later ones
	in.Do("GET", "/surface/"+found[1]).Want(200)
	if got := h.QueryInt("SELECT count(*) FROM surface_surface"); got != 605 {
		t.Errorf("%d are kept", got)
	}
	now := ann.SurfaceRuntime().Body
	h.Clock.Advance(surface.UnstackedRetention + time.Hour)
	if err := h.App.SweepSurfaces(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.QueryInt("SELECT count(*) FROM surface_surface"); got != 105 {
		t.Errorf("%d are kept", got)
	}
	if got := ann.SurfaceRuntime().Body; got != now {
		t.Errorf("there is\n%s", got)
	}
	in.Do("GET", "/surface/"+found[1]).WantError(404, "not_found")
}

// A member takes along what they have before them, and leaves none of it.
func TestSurfacesOfWhoLeaves(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	for _, c := range []*apptest.Client{ann, bea} {
		c.ReplaceOverlay(apptest.Finding("a"))
		c.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`).Want(200)
	}
	whole, hers := ann.Do("GET", "/world/identity/export").Want(200), bea.SurfaceRuntime().Body
	if got := stacksExported(whole); got != strings.Replace(apptest.DefaultStacks, "social* calendar messages", "social calendar messages*", 1)+"Café a" {
		t.Errorf("the stacks are\n%s", got)
	}
	h.Write(func(tx *store.Tx) error { return h.App.Identity.Delete(tx, identity.CommandLine("test"), ann.ID) })
	for _, table := range []string{"surface", "stack", "workspace", "session"} {
		if n := h.QueryInt(fmt.Sprintf("SELECT count(*) FROM surface_%s WHERE member_id = %d", table, ann.ID)); n != 0 {
			t.Errorf("%d rows of surface_%s are left", n, table)
		}
	}
	if got := bea.SurfaceRuntime().Body; got != hers {
		t.Errorf("bea has\n%s", got)
	}
}

// stacksExported spells the stacks of an export, with the titles of findings.
func stacksExported(a *apptest.Answer) string {
	a.T.Helper()
	text := a.Stacks("surface_stacks")
	for _, s := range a.List("surfaces") {
		if id, _ := apptest.At(s, "surface_id").(string); strings.HasPrefix(id, "surface_finding_") {
			text = strings.ReplaceAll(text, strings.TrimPrefix(id, "surface_"), apptest.At(s, "title").(string))
		}
	}
	return text
}

// World can tell cheaply whether a workspace has changed (B-21): the revision
// grows with each write, the topic is counted, and no read does either.
func TestContinuity(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann"), h.Member("bea")
	state := func(c *apptest.Client) (at surface.Continuity, n int64) {
		err := h.DB.Read(t.Context(), func(tx *store.Tx) (err error) {
			if at, err = h.App.Surface.Continuity(tx, c.Viewer()); err != nil {
				return err
			}
			n = tx.Revisions(int64(c.ID)).Of(svc.SurfaceTopic)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return at, n
	}
	_, counted := state(ann)
	ann.SurfaceRuntime()
	for i, do := range []func(){
		func() {
			ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`).Want(200)
		},
		func() {
			ann.Do("POST", apptest.StacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages"]}`).Want(200)
		},
		func() {
			ann.Do("POST", apptest.SurfacesPath+"surface_social/placement", map[string]any{"placement_mode": "docked", "expected_revision": 2}).Want(200)
		},
		func() { ann.ReplaceOverlay(apptest.Finding("a")) },
	} {
		do()
		ann.SurfaceRuntime()
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
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	v := ann.Viewer()
	h.Write(func(tx *store.Tx) error {
		for i := range 495 {
			id := fmt.Sprint("surface_", i)
			if _, _, err := h.App.Surface.Put(tx, v, surface.PutRequest{SurfaceID: &id, SurfaceType: "web_surface", Title: "x"}); err != nil {
				return err
			}
		}
		return nil
	})
	ann.AsService().Do("POST", "/surfaces", `{"surface_type": "web_surface", "title": "x"}`).WantError(422, "quota_exceeded")
	if got := len(ann.SurfaceRuntime().List("surfaces")); got != 500 {
		t.Errorf("there are %d", got)
	}
}

// What Surface asks of the database does not depend on how much there is.
func TestNoSurfaceQueryIsInALoop(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	count := func(findings int) (counts []map[string]int) {
		var list []map[string]any
		for i := range findings {
			list = append(list, apptest.Finding(fmt.Sprint(findings, "-", i)))
		}
		ann.ReplaceOverlay(list...)
		for _, do := range []func(){
			func() { ann.SurfaceRuntime() },
			func() { ann.ReplaceOverlay(list...) },
			func() { ann.ReplaceOverlay(apptest.Finding("x"), apptest.Finding("y")) },
			func() {
				ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_social"}`).Want(200)
			},
			func() { ann.AsService().Do("GET", "/surface/surface_social").Want(200) },
		} {
			h.Queries.Take()
			do()
			counts = append(counts, h.Queries.Take())
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
