package surface

import (
	"fmt"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// openFinding opens the finding of a surface for ann.
func (s *server) openFinding(id string) (w *Workspace, place Surface, created bool, err error) {
	err = s.db.Write(s.Context(), func(tx *store.Tx) (err error) {
		w, place, created, err = s.OpenFinding(tx, svc.Trust(ann), id)
		return err
	})
	return w, place, created, err
}

// Covers B-39 and PT-13.
func TestPlaceHasOneMap(t *testing.T) {
	s := newServer(t)
	findingID := s.showFindings(ann, "a", "b").stack(OverlayStack).SurfaceOrder[0]
	w, place, created, err := s.openFinding(findingID)
	if err != nil || !created {
		t.Fatalf("got created %v, %v, want a new map", created, err)
	}
	wantEqual(t, "stacks", carryTitles(w), "Social Calendar Messages Café a*")
	wantEqual(t, "the finding", w.stack(OverlayStack).SurfaceOrder[0], findingID)
	wantEqual(t, "the map", []any{place.SurfaceType, place.Title, place.ServiceBinding, place.RuntimeState.Details, store.JSON(place.RuntimeState.SurfaceObject)},
		fmt.Sprintf(`[map_surface Café a {find place osm:node/a} [[Source osm]] {"actions":[],"branding":{},"content":{"address":"","category":"",`+
			`"location":{"latitude":38.7,"longitude":-9.1}},"object_type":"place","runtime_hints":{"presentation_status":"unavailable"},`+
			`"source_finding_id":"osm:node/a","summary":"Opens at nine","surface_object_id":"object_%s","title":"Café a"}]`, place.SurfaceID))
	for about, id := range map[string]string{"the finding again": findingID, "the map itself": place.SurfaceID} {
		s.must(s.focus(ann, CarryStack, `{"surface_id": "surface_social"}`))
		w, reopened, created, err := s.openFinding(id)
		if err != nil || created || reopened.SurfaceID != place.SurfaceID || *w.stack(CarryStack).FocusedSurfaceID != place.SurfaceID {
			t.Errorf("%s: got %s, created %v, %v, want %s in focus", about, reopened.SurfaceID, created, err, place.SurfaceID)
		}
	}
	s.must(s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) { return s.RemoveFromCarry(tx, svc.Trust(ann), place.SurfaceID) }))
	if _, again, created, err := s.openFinding(findingID); err != nil || !created || again.NumericID != place.NumericID {
		t.Errorf("after its removal: got number %d, created %v, %v, want the map %d back in the workspace", again.NumericID, created, err, place.NumericID)
	}
}

// The object of a place has the source URL of its finding as its primary_url.
func TestPlaceObjectLinksToItsPage(t *testing.T) {
	f := cafeFinding("a")
	f.SourceURL = "https://example.org/a"
	f.Payload["category"], f.Payload["address"] = "coffee", "Main St 1"
	o := placeObject("surface_a", f, 1, 2)
	wantEqual(t, "object", []any{o["primary_url"], o["content"]}, []any{"https://example.org/a", svc.Map{
		"location": svc.Map{"latitude": 1.0, "longitude": 2.0}, "category": "coffee", "address": "Main St 1"}})
	wantEqual(t, "details", findingDetails(f), "[[Source osm] [Address https://example.org/a]]")
}

func TestOnlyPlacesWithALocationAreOpened(t *testing.T) {
	s := newServer(t)
	findings := []svc.Finding{cafeFinding("a"), {FindingID: "web:1", SourceService: "web", ObjectType: "html_resource", Title: "A page", SourceURL: "https://example.org/"}}
	findings[0].Payload = svc.Map{"latitude": 91.0, "longitude": 0.0}
	w := s.must(s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
		return s.ReplaceOverlay(tx, svc.Trust(ann), OverlayRequest{&findings})
	}))
	before := dump(w)
	for _, id := range append(w.stack(OverlayStack).SurfaceOrder, "surface_social") {
		_, _, _, err := s.openFinding(id)
		wantError(t, id, err, svc.FindingNotOpenable, "")
	}
	_, _, _, err := s.openFinding("surface_nothing")
	wantError(t, "an unknown surface", err, svc.NotFound, "")
	wantEqual(t, "the workspace afterwards", dump(s.workspace(ann)), before)
}
