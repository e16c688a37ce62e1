package surface

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/surface"
)

// Covers B-35.
func TestSessionsAreShownToServicesOnly(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann := s.Member("ann")
	response := ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`).Want(200)
	if strings.Contains(response.Body, "session") || strings.Contains(response.Body, `"ss_`) {
		t.Errorf("response to a member: got\n%s\nwant no session", response.Body)
	}
	detail := ann.AsService().Do("GET", "/surface/surface_messages").Want(200)
	detail.WantSchema("service.surface.detail", detail.At(""))
	detail.WantValues("sessions.0", map[string]any{"state": "active", "opened_at": "2026-11-21T09:00:00Z", "last_active_at": "2026-11-21T09:00:00Z", "closed_at": nil})
}

// Covers B-40 for deletion.
func TestSweepDeletesOldSurfaces(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann := s.Member("ann")
	id := ann.ReplaceOverlay(apptest.Finding("a")).Str("surface_runtime.stacks.3.surface_order.0")
	ann.ReplaceOverlay()
	before := ann.SurfaceRuntime().Body
	ann.AsService().Do("GET", "/surface/"+id).Want(200)
	s.Clock.Advance(surface.UnstackedRetention + time.Hour)
	if err := s.App.SweepSurfaces(t.Context()); err != nil {
		t.Fatal(err)
	}
	ann.AsService().Do("GET", "/surface/"+id).WantError(404, "not_found")
	if got := ann.SurfaceRuntime().Body; got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}
}

func TestSurfacesAreExportedAndDeletedWithTheAccount(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	for _, c := range []*apptest.Client{ann, bea} {
		c.ReplaceOverlay(apptest.Finding("a"))
		c.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`).Want(200)
	}
	export, others := ann.Do("GET", "/world/identity/export").Want(200), bea.SurfaceRuntime().Body
	stacks := export.Stacks("surface_stacks")
	for _, surface := range export.List("surfaces") {
		if id, _ := apptest.At(surface, "surface_id").(string); strings.HasPrefix(id, "surface_finding_") {
			stacks = strings.ReplaceAll(stacks, strings.TrimPrefix(id, "surface_"), apptest.At(surface, "title").(string))
		}
	}
	want := strings.Replace(apptest.DefaultStacks, "social* calendar messages", "social calendar messages*", 1) + "Café a"
	if stacks != want {
		t.Errorf("exported stacks: got\n%s\nwant\n%s", stacks, want)
	}
	s.DeleteMember(ann.ID)
	for _, table := range []string{"surface", "stack", "workspace", "session"} {
		if n := s.QueryInt(fmt.Sprintf("SELECT count(*) FROM surface_%s WHERE member_id = %d", table, ann.ID)); n != 0 {
			t.Errorf("surface_%s: got %d rows of the deleted member, want none", table, n)
		}
	}
	if got := bea.SurfaceRuntime().Body; got != others {
		t.Errorf("another member: got\n%s\nwant\n%s", got, others)
	}
}

func TestQueriesDoNotDependOnTheNumberOfSurfaces(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := s.Member("ann")
	measure := func(findings int) (counts []map[string]int) {
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
			s.Queries.Take()
			do()
			counts = append(counts, s.Queries.Take())
		}
		return counts
	}
	measure(1) // fills the caches that do not depend on surfaces
	few, many := measure(2), measure(100)
	for i := range few {
		if !maps.Equal(few[i], many[i]) || len(few[i]) == 0 {
			t.Errorf("request %d: got the queries %v with 100 findings, want %v as with 2", i, many[i], few[i])
		}
	}
}
