package surface

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// Covers S-08 for findings, and S-38 to S-42.
func TestOverlayIsReplaced(t *testing.T) {
	s := newServer(t)
	beaBefore := dump(s.showFindings(bea, "z"))
	w := s.showFindings(ann, "a", "b", "c")
	order := w.stack(OverlayStack).SurfaceOrder
	a := w.surface(order[0])
	wantEqual(t, "a finding", []any{a.SurfaceType, a.Placement, a.Title, a.RuntimeState.Summary, a.Permissions, a.ContentSource, a.RuntimeState.Details, a.ServiceBinding},
		`[finding_surface {detached map[stack_id:finding_overlay]} Café a Opens at nine {true true true true} { } [[Source osm]] {find place osm:node/a}]`)
	s.must(s.place(ann, order[0], `{"placement_mode": "docked", "placement": {"x": 7}}`))
	s.must(s.place(ann, order[1], `{"placement_mode": "stacked", "placement": {"stack_id": "carry_primary"}}`))
	s.must(s.focus(ann, CarryStack, fmt.Sprintf(`{"surface_id": %q}`, order[1])))
	before := s.must(s.focus(ann, OverlayStack, fmt.Sprintf(`{"surface_id": %q}`, order[0])))

	w = s.showFindings(ann, "d", "a")
	overlay := w.stack(OverlayStack)
	wantEqual(t, "a finding found again keeps its surface and its focus", []any{overlay.SurfaceOrder[1], *overlay.FocusedSurfaceID}, []any{order[0], order[0]})
	wantEqual(t, "and its position, but not its mode", w.surface(order[0]).Placement, "{detached map[stack_id:finding_overlay x:7]}")
	wantEqual(t, "a finding not found again", w.surface(order[2]) == nil, true)
	for _, names := range [][]string{nil, {"b"}} {
		w = s.showFindings(ann, names...)
		wantEqual(t, "a finding in another stack", store.JSON(w.surface(order[1])), store.JSON(before.surface(order[1])))
		wantEqual(t, "other stacks", strings.Split(layout(w), "\n")[:3], strings.Split(layout(before), "\n")[:3])
	}
	wantEqual(t, "another member", dump(s.workspace(bea)), beaBefore)
	wantEqual(t, "as read again", dump(s.workspace(ann)), dump(w))
}

func TestInvalidFindingsChangeNothing(t *testing.T) {
	s := newServer(t)
	before := dump(s.showFindings(ann, "a"))
	replace := func(findings *[]svc.Finding) error {
		_, err := s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
			return s.ReplaceOverlay(tx, svc.Trust(ann), OverlayRequest{findings})
		})
		return err
	}
	wantError(t, "no list", replace(nil), svc.FieldRequired, "findings")
	wantError(t, "a finding twice", replace(&[]svc.Finding{cafeFinding("x"), cafeFinding("x")}), svc.InvalidValue, "findings.1.finding_id")
	many := make([]svc.Finding, maxFindings+1)
	wantError(t, "too many", replace(&many), svc.TooLong, "findings")
	for field, c := range map[string]struct {
		change func(*svc.Finding)
		code   svc.Code
	}{
		"finding_id":      {func(f *svc.Finding) { f.FindingID = "" }, svc.FieldRequired},
		"object_type":     {func(f *svc.Finding) { f.ObjectType = "person" }, svc.InvalidValue},
		"title":           {func(f *svc.Finding) { f.Title = "" }, svc.FieldRequired},
		"summary":         {func(f *svc.Finding) { f.Summary = strings.Repeat("x", svc.MaxSummary+1) }, svc.TooLong},
		"source_url":      {func(f *svc.Finding) { f.SourceURL = "javascript:alert(1)" }, svc.InvalidValue},
		"service_payload": {func(f *svc.Finding) { f.Payload = svc.Map{"x": strings.Repeat("x", maxOpaqueBytes)} }, svc.TooLong},
		"source_service":  {func(f *svc.Finding) { f.SourceService = strings.Repeat("x", svc.MaxName+1) }, svc.TooLong},
		"actions":         {func(f *svc.Finding) { f.Actions = make(svc.List[svc.FindingAction], maxDetails+1) }, svc.TooLong},
		"actions.0.label": {func(f *svc.Finding) { f.Actions[0].Label = "" }, svc.FieldRequired},
	} {
		bad := cafeFinding("y")
		c.change(&bad)
		wantError(t, field, replace(&[]svc.Finding{cafeFinding("x"), bad}), c.code, "findings.1."+field)
	}
	page := svc.Finding{FindingID: "web:1", SourceService: "web", ObjectType: "html_resource", Title: "x"}
	wantError(t, "a page without an address", replace(&[]svc.Finding{page}), svc.FieldRequired, "findings.0.source_url")
	page.ObjectType = ""
	wantError(t, "no type", replace(&[]svc.Finding{page}), svc.FieldRequired, "findings.0.object_type")
	wantEqual(t, "the workspace afterwards", dump(s.workspace(ann)), before)
}

// Covers S-44 and PT-12: if any statement fails, the overlay is unchanged.
func TestOverlayIsReplacedCompletelyOrNotAtAll(t *testing.T) {
	s := newServer(t)
	w := s.showFindings(ann, "a", "b")
	before := dump(s.must(s.focus(ann, OverlayStack, fmt.Sprintf(`{"surface_id": %q}`, w.stack(OverlayStack).SurfaceOrder[0]))))
	for about, when := range map[string]string{
		"the second insert": "BEFORE INSERT ON surface_surface WHEN NEW.title = 'Café d'",
		"the first insert":  "BEFORE INSERT ON surface_surface WHEN NEW.title = 'Café c'",
		"the stack":         "BEFORE UPDATE ON surface_stack",
		"the workspace":     "BEFORE UPDATE ON surface_workspace",
		"unstacking":        "BEFORE UPDATE OF unstacked_at ON surface_surface WHEN NEW.unstacked_at IS NOT NULL",
		"a session":         "BEFORE UPDATE ON surface_session",
	} {
		storetest.Exec(t, s.db, "CREATE TRIGGER fault "+when+" BEGIN SELECT RAISE(ABORT, 'fault'); END")
		findings := []svc.Finding{cafeFinding("c"), cafeFinding("d")}
		if _, err := s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
			return s.ReplaceOverlay(tx, svc.Trust(ann), OverlayRequest{&findings})
		}); err == nil {
			t.Errorf("a failure of %s: got no error, want one", about)
		}
		storetest.Exec(t, s.db, "DROP TRIGGER fault")
		wantEqual(t, about, dump(s.workspace(ann)), before)
	}
	wantEqual(t, "afterwards", len(s.showFindings(ann, "c", "d").stack(OverlayStack).SurfaceOrder), 2)
}

// Every accepted finding has a valid surface, which is unchanged when it is stored and read.
func FuzzFinding(f *testing.F) {
	f.Add(`{"finding_id": "osm:node/1", "source_service": "osm", "object_type": "place", "title": "Café", "summary": "", "service_payload": {"latitude": 1}}`)
	f.Add(`{"finding_id": "web:1", "source_service": "web", "object_type": "html_resource", "title": "x", "source_url": "https://example.org/?q=%00"}`)
	f.Add(`{"finding_id": "x", "source_service": "x", "object_type": "place", "title": "x", "source_url": "javascript:alert(1)", "actions": [{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var finding svc.Finding
		if json.Unmarshal([]byte(text), &finding) != nil {
			return
		}
		if err := checkFinding(finding); err != nil {
			if svc.KindOf(err) == svc.Internal {
				t.Fatal(err)
			}
			return
		}
		w := newWorkspace()
		w.addDefaults(DefaultSurfaces())
		id := derivedID("finding", 1, finding.FindingID)
		w.showFinding(id, finding, nil)
		surface := w.surface(id)
		surface.RuntimeState.Details = surface.RuntimeState.Details[:1] // the address may be longer than other details
		if err := surface.check(); err != nil {
			t.Errorf("%s: got an invalid surface: %v", text, err)
		}
		stored, err := newSurfaceRow(surface).surface()
		if err != nil || store.JSON(stored) != store.JSON(surface) {
			t.Errorf("stored: got %s, %v, want %s", store.JSON(stored), err, store.JSON(surface))
		}
	})
}
