package surface

import (
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// detail returns a surface of a member with its sessions.
func (s *server) detail(member svc.MemberID, id string) (d Detail, err error) {
	err = s.db.Read(s.Context(), func(tx *store.Tx) (err error) {
		d, err = s.Surface(tx, svc.Trust(member), id)
		return err
	})
	return d, err
}

// Covers B-34 and S-75.
func TestPutCreatesAndChanges(t *testing.T) {
	s := newServer(t)
	surface, created, err := s.put(ann, `{"surface_type": "document_surface", "title": "A note", "service_binding": {"service_id": "find", "resource_type": "page", "resource_id": "1"},
		"content_source": {"kind": "inline", "url": "/world/panels/time"}, "permissions": {"can_share": true}}`)
	if err != nil || !created || !strings.HasPrefix(surface.SurfaceID, "surface_") || surface.NumericID != 6 {
		t.Fatalf("got %+v, created %v, %v; want a new surface with the number 6", surface, created, err)
	}
	wantEqual(t, "stacks", strings.Split(layout(s.workspace(ann)), "\n")[0], "carry_primary: social* calendar messages "+strings.TrimPrefix(surface.SurfaceID, "surface_"))
	changed, created, err := s.put(ann, fmt.Sprintf(`{"surface_id": %q, "title": "A letter", "runtime_state": {"summary": "To Bea", "details": [["Pages", "2"]]},
		"rendering_hints": {"preferred_size": "full"}, "placement": {"mode": "shared"}}`, surface.SurfaceID))
	if err != nil || created {
		t.Fatalf("got created %v, %v, want a change", created, err)
	}
	wantEqual(t, "changed", []any{changed.Title, changed.RuntimeState.Summary, changed.ServiceBinding.ServiceID, changed.Placement.Mode, changed.NumericID},
		[]any{"A letter", "To Bea", "find", "shared", 6})
	named, created, err := s.put(ann, `{"surface_id": "surface_notes", "surface_type": "document_surface", "title": "Notes", "placement": {"mode": "docked", "metadata": {"stack_id": "left_context"}}}`)
	if err != nil || !created || named.SurfaceID != "surface_notes" {
		t.Errorf("got %+v, created %v, %v, want the new surface_notes", named, created, err)
	}
	detached, _, err := s.put(ann, `{"surface_id": "surface_free", "surface_type": "document_surface", "title": "Free", "permissions": {"can_detach": true}, "placement": {"mode": "detached"}}`)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "a detached surface has a stack", detached.Placement, "{detached map[stack_id:carry_primary]}")
	wantEqual(t, "stacks", layout(s.workspace(ann)), `carry_primary: social* calendar messages `+strings.TrimPrefix(surface.SurfaceID, "surface_")+` free
left_context: profile* notes
right_context: messages_rail*
finding_overlay:`)
}

// A surface in no stack keeps its NumericID and its content when Put restores it.
func TestPutRestoresAnUnstackedSurface(t *testing.T) {
	s := newServer(t)
	w := s.showFindings(ann, "a")
	id := w.stack(OverlayStack).SurfaceOrder[0]
	number := w.surface(id).NumericID
	s.showFindings(ann)
	if d, err := s.detail(ann, id); err != nil || d.Surface.Title != "Café a" {
		t.Errorf("the unstacked surface: got %+v, %v", d.Surface, err)
	}
	surface, created, err := s.put(ann, fmt.Sprintf(`{"surface_id": %q, "title": "The café"}`, id))
	if err != nil || created || surface.NumericID != number || surface.RuntimeState.Finding == nil {
		t.Errorf("got %+v, created %v, %v; want the surface %d", surface, created, err, number)
	}
	_, err = s.detail(ann, "surface_nothing")
	wantError(t, "an unknown surface", err, svc.NotFound, "")
	_, err = s.detail(bea, id)
	wantError(t, "a surface of another member", err, svc.NotFound, "")
}

func TestInvalidSurfacesAreRejected(t *testing.T) {
	s := newServer(t)
	before := dump(s.workspace(ann))
	web := func(rest string) string { return `{"surface_type": "web_surface", "title": "x", ` + rest + `}` }
	details := strings.TrimSuffix(strings.Repeat(`["a", "b"],`, maxDetails+1), ",")
	for body, want := range map[string]struct {
		code  svc.Code
		field string
	}{
		`{"title": "x"}`:                                                                                 {svc.FieldRequired, "surface_type"},
		`{"surface_type": "document_surface"}`:                                                           {svc.FieldRequired, "title"},
		`{"surface_type": "card", "title": "x"}`:                                                         {svc.InvalidValue, "surface_type"},
		`{"surface_id": "Ä", "surface_type": "document_surface", "title": "x"}`:                          {svc.InvalidValue, "surface_id"},
		`{"surface_id": "surface_social", "surface_type": "web_surface"}`:                                {svc.InvalidValue, "surface_type"},
		web(`"content_source": {"kind": "runtime_panel", "url": "https://a.org/world/"}`):                {svc.InvalidValue, "content_source.url"},
		web(`"content_source": {"kind": "runtime_panel", "url": "/world/../admin"}`):                     {svc.InvalidValue, "content_source.url"},
		web(`"content_source": {"kind": "frame"}`):                                                       {svc.InvalidValue, "content_source.kind"},
		web(`"content_source": {"url": "/world/panels/time"}`):                                           {svc.FieldRequired, "content_source.kind"},
		web(`"content_source": {"kind": "inline"}`):                                                      {svc.InvalidValue, "content_source.url"},
		web(`"content_source": {"kind": "inline", "url": "/world/` + strings.Repeat("x", maxURL) + `"}`): {svc.InvalidValue, "content_source.url"},
		web(`"runtime_state": {"details": [["one"]]}`):                                                   {svc.InvalidValue, "runtime_state.details"},
		web(`"runtime_state": {"details": [` + details + `]}`):                                           {svc.TooLong, "runtime_state.details"},
		web(`"runtime_state": {"translation": {"status": ""}}`):                                          {svc.FieldRequired, "runtime_state.translation.status"},
		web(`"runtime_state": {"translated_surface_ids": ["Ä"]}`):                                        {svc.InvalidValue, "runtime_state.translated_surface_ids"},
		web(`"runtime_state": {"surface_object": {"x": "` + strings.Repeat("x", maxOpaqueBytes) + `"}}`): {svc.TooLong, "runtime_state.surface_object"},
		web(`"service_binding": {"service_id": "a", "resource_type": "b"}`):                              {svc.FieldRequired, "service_binding.resource_id"},
		web(`"placement": {"metadata": {"stack_id": "no"}}`):                                             {svc.InvalidValue, "placement.metadata.stack_id"},
		web(`"placement": {"metadata": {"stack_id": "finding_overlay"}}`):                                {svc.InvalidValue, "placement.metadata.stack_id"},
		web(`"runtime_state": {"finding": {}}`):                                                          {svc.FieldRequired, "runtime_state.finding.finding_id"},
		`{"surface_type": "finding_surface", "title": "x"}`:                                              {svc.FieldRequired, "runtime_state.finding"},
	} {
		_, _, err := s.put(ann, body)
		wantError(t, fmt.Sprintf("%.120s", body), err, want.code, want.field)
	}
	wantEqual(t, "the workspace afterwards", dump(s.workspace(ann)), before)
}

func TestNumberOfSurfacesIsLimited(t *testing.T) {
	s := newServer(t)
	if err := s.db.Write(storetest.Fill(t.Context()), func(tx *store.Tx) error {
		for i := range maxSurfaces - 5 {
			id := fmt.Sprint("surface_", i)
			if _, _, err := s.Put(tx, svc.Trust(ann), PutRequest{SurfaceID: &id, SurfaceType: "web_surface", Title: "x"}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.put(ann, `{"surface_type": "web_surface", "title": "x"}`)
	wantError(t, "one more", err, svc.QuotaExceeded, "")
	_, err = s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
		return s.Bring(tx, svc.Trust(ann), BringRequest{Binding: ServiceBinding{"time", "task", "1"}, Title: "Taxes"})
	})
	wantError(t, "an object", err, svc.QuotaExceeded, "")
	wantEqual(t, "surfaces", len(s.workspace(ann).Surfaces), maxSurfaces)
}
