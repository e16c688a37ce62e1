package surface

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world"
)

// Covers B-29, W-12, W-45 and W-47, and PT-09, PT-31 and PT-40 for actions.
func TestInvalidActionInputIsRejectedAndChangesNothing(t *testing.T) {
	s, ann, bea := apptest.NewWorkspaceFixture(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	a := ann.Dataset()
	order := apptest.At(a.Action("order_workspace", ""), "command.url").(string)
	earlier := apptest.At(a.Action("move_earlier", "calendar_event Dentist"), "command.url").(string)
	id := func(name string) any { return apptest.At(a.Object("objects", name), "world_object_id") }
	taxes, outside := id("task Taxes"), id("community Family")
	s.WantUnchanged("by invalid input", func() {
		for _, body := range []any{``, `{}`, `{"order": []}`, `{"order": null}`, `{"input": {}}`, `{"order": "  "}`, apptest.Form("x=y")} {
			ann.Do("POST", order, body).WantError(400, "field_required").WantFields("order")
		}
		for _, list := range []any{[]any{"wo_nothing"}, []any{outside}, []any{taxes, taxes}, []any{""}, "surface_social", fmt.Sprint(taxes, " ", taxes)} {
			a := ann.Do("POST", order, map[string]any{"order": list})
			if a.Status != 422 && a.Status != 400 || a.Str("error.fields.0.name") != "order" {
				t.Errorf("order %v: got status %d with the field %s, want 400 or 422 with order", list, a.Status, a.Str("error.fields.0.name"))
			}
		}
		for _, body := range []string{`{"order": 7}`, `{"order": [7]}`, `{"order": {}}`, `{"input": 7}`, `{"input": {"order": [{}]}}`, `{"context": {"location": 7}}`, `[`, `{`} {
			ann.Do("POST", order, body).WantError(400, "malformed_body")
		}
		for _, c := range []struct {
			location string
			status   int
			code     string
			fields   []string
		}{
			{`{"latitude": 91, "longitude": 0}`, 422, "invalid_value", []string{"context.location.latitude"}},
			{`{"latitude": 0, "longitude": -181}`, 422, "invalid_value", []string{"context.location.longitude"}},
			{`{"latitude": 52.5}`, 400, "field_required", []string{"context.location.longitude"}},
			{`{}`, 400, "field_required", []string{"context.location.latitude", "context.location.longitude"}},
		} {
			ann.Do("POST", order, fmt.Sprintf(`{"order": [%q], "context": {"location": %s}}`, taxes, c.location)).WantError(c.status, c.code).WantFields(c.fields...)
		}
		ann.Do("POST", earlier, `{}`).WantError(400, "field_required").WantFields("before")
		for _, before := range []any{outside, id("calendar_event Dentist")} {
			ann.Do("POST", earlier, map[string]any{"before": before}).WantError(409, "action_unavailable")
		}
		ann.With("Content-Type", "text/xml").Do("POST", order, "<order/>").WantError(415, "unsupported_media_type")
		ann.With("X-Service-Runtime", strings.Repeat("x", 1025)).Do("POST", order, map[string]any{"order": []any{taxes}}).WantError(400, "runtime_header_required")
		bea.Do("GET", order).WantError(405, "method_not_allowed")
	})
	ann.WantWorkspace("Taxes, Dentist*")
}

// Unknown fields are ignored, X-Service-Runtime is optional, and an action that
// no longer applies is rejected with 409. Covers B-29 and W-45.
func TestActionsAcceptUnknownFieldsAndALocation(t *testing.T) {
	s, ann, bea := apptest.NewWorkspaceFixture(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	a := ann.Dataset()
	order, earlier, remove := a.Action("order_workspace", ""), a.Action("move_earlier", "calendar_event Dentist"), a.Action("remove_from_workspace", "task Taxes")
	taxes := apptest.At(a.Object("objects", "task Taxes"), "world_object_id")
	ann.Do("POST", apptest.At(order, "command.url").(string), map[string]any{
		"order": []any{taxes}, "sender": bea.ID, "input": map[string]any{"x": 1}, "context": map[string]any{"location": map[string]any{"latitude": 52.5, "longitude": 13.4}},
	}).Want(200).WantValues("dataset.field.origin", map[string]any{"latitude": 52.5})
	ann.WantDone(ann.SendAction(remove))
	s.WantUnchanged("by actions that no longer apply", func() {
		ann.SendAction(remove).WantError(409, "action_unavailable")
		ann.SendAction(earlier).WantError(409, "action_unavailable")
	})
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	plain := ann.With("X-Service-Runtime", `x/1; caps="objects"`).Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, plain)
	wantValues(t, "order_workspace without the capability forms", plain.Action("order_workspace", ""), map[string]any{"availability": "unavailable"})
	wantValues(t, "focus_object without the capability forms", plain.Action("focus_object", "task Taxes"), map[string]any{"availability": "enabled"})
}

// actionURL returns the URL of an action.
func actionURL(action any) string { return apptest.At(action, "command.url").(string) }

// Covers W-150, W-17, W-18 and PT-07, and PT-40 for actions.
func TestActionsOfOtherMembersAreNotFound(t *testing.T) {
	s, ann, bea := apptest.NewWorkspaceFixture(t)
	cem := s.Member("cem")
	family, trip := bea.Dataset().Action("focus_object", "community Family"), bea.Dataset().Action("focus_object", "conversation Trip")
	thread, dentist := ann.Dataset().Action("focus_object", "message_thread Bea"), ann.Dataset().Action("focus_object", "calendar_event Dentist")
	bea.WantDone(bea.SendAction(trip))
	ann.WantDone(ann.SendAction(thread))
	remove := bea.Dataset().Action("remove_from_workspace", "conversation Trip")
	for _, c := range []*apptest.Client{ann, bea, cem} {
		c.SurfaceRuntime() // stores the defaults
	}
	s.WantUnchanged("by actions of other members", func() {
		for _, action := range []any{family, trip, remove} {
			ann.SendAction(action).WantError(404, "not_found")
			cem.SendAction(action).WantError(404, "not_found")
		}
		for _, action := range []any{thread, dentist} {
			bea.SendAction(action).WantError(404, "not_found")
		}
		ownActionID := strings.TrimPrefix(actionURL(thread), "/world/actions/")
		for i := range ownActionID {
			changed := []byte(ownActionID)
			changed[i] ^= 1
			if strings.ContainsAny(string(changed[i]), "/%?#\\") {
				continue
			}
			ann.Do("POST", "/world/actions/"+string(changed)).WantError(404, "not_found")
		}
		for _, id := range []string{"x", "act_", "act__", "act_focus_", "act_focus_x_y", "act_%00", ownActionID + "a", ownActionID[:len(ownActionID)-1], strings.ToUpper(ownActionID), strings.Repeat("x", 5000)} {
			ann.Do("POST", "/world/actions/"+id).WantError(404, "not_found")
		}
		// Actions that have their own route are not dispatched.
		ann.Do("POST", "/world/actions/"+apptest.At(ann.Dataset().Action("open_thread", "message_thread Bea"), "action_id").(string)).WantError(404, "not_found")
		s.Unauthenticated().Do("POST", actionURL(thread)).WantError(401, "unauthenticated")
	})
}

// An action on an object that the member can no longer see is not found, even if a dataset has
// published it before. Covers W-150, W-17 and PT-40.
func TestActionOnAHiddenObjectIsNotFound(t *testing.T) {
	s, _, bea := apptest.NewWorkspaceFixture(t)
	a := bea.Dataset()
	family, trip := a.Action("focus_object", "community Family"), a.Action("focus_object", "conversation Trip")
	bea.WantDone(bea.SendAction(trip))
	remove := bea.Dataset().Action("remove_from_workspace", "conversation Trip")
	prepared := world.Dispatch{ActionID: apptest.At(family, "action_id").(string)}
	viewer := bea.Viewer()
	s.Read(func(tx *store.Tx) error { return s.App.World.Prepare(tx, viewer, &prepared) })
	bea.Do("POST", apptest.CommunitiesPath+"/"+apptest.At(a.Object("objects", "community Family"), "source.resource_id").(string)+"/leave").Want(200)
	s.WantUnchanged("by actions on hidden objects", func() {
		err := s.DB.Write(t.Context(), func(tx *store.Tx) error { _, err := s.App.World.Perform(tx, viewer, prepared); return err })
		if svc.KindOf(err) != svc.Missing {
			t.Errorf("an action that was prepared before: got %v, want not found", err)
		}
		for _, action := range []any{family, trip} {
			bea.SendAction(action).WantError(404, "not_found")
		}
	})
	bea.WantWorkspace("")
	if o := bea.Dataset().Object("objects", "conversation Trip"); o != nil {
		t.Errorf("the conversation: got %v, want no object", o)
	}
	// The surface remains without its content, and can be removed. Neither it nor
	// the action identifies the conversation.
	wantValues(t, "the surface", sessionSurface(bea, "Trip"), map[string]any{"content_source": "map[]", "service_binding": "map[]"})
	now := bea.Dataset()
	item := contextItem(now, "workspace", "Trip")
	wantValues(t, "the item of the workspace", item, map[string]any{"target.kind": "workspace"})
	if id := apptest.At(a.Object("objects", "conversation Trip"), "source.resource_id").(string); strings.Contains(now.Body, id) {
		t.Errorf("the dataset: got the id of the conversation, want none in %v", item)
	}
	removal := now.Action("remove_from_workspace", "")
	bea.WantDone(bea.SendAction(removal))
	bea.SendAction(removal).WantError(409, "action_unavailable")
	if item := contextItem(bea.Dataset(), "workspace", "Trip"); item != nil || strings.Contains(bea.SurfaceRuntime().Body, "Trip") {
		t.Errorf("after its removal: got %v, want no item and no surface", item)
	}
	bea.SendAction(remove).WantError(409, "action_unavailable")
}

// Covers W-17 and PT-07.
func TestWorkspaceIsInvisibleToOtherMembers(t *testing.T) {
	s, ann, bea := apptest.NewWorkspaceFixture(t)
	cem := s.Member("cem")
	read := func(c *apptest.Client) string {
		return c.AsRuntime().Do("GET", "/world/runtime").Want(200).Body + c.SurfaceRuntime().Body
	}
	read(cem) // stores the defaults
	before := read(ann) + read(cem)
	bea.WantDone(bea.Act("focus_object", "event Concert"))
	bea.ReplaceOverlay(apptest.Finding("b"))
	bea.WantDone(bea.Act("open_finding", "Café b"))
	bea.WantDone(bea.Act("order_workspace", "", map[string]any{"order": stringsOf(bea.Dataset().List("workspace.order"))}))
	bea.WantDone(bea.Act("remove_from_workspace", "event Concert"))
	if after := read(ann) + read(cem); after != before {
		t.Errorf("other members: got\n%s\nwant\n%s", after, before)
	}
}

// sessionSurface returns the surface with a title in the client's session, or
// nil.
func sessionSurface(c *apptest.Client, title string) any {
	c.T.Helper()
	return c.AsRuntime().Do("GET", "/world/session").Want(200).Object("surface_runtime.surfaces", title)
}

// Covers S-05, S-08, S-22 and S-73.
func TestSurfacesHaveTheCurrentTitlesOfTheirObjects(t *testing.T) {
	s, ann, bea := apptest.NewWorkspaceFixture(t)
	for _, name := range []string{"message_thread Bea", "community Family", "conversation Trip", "event Concert", "calendar_event Dentist", "social_dm Bea", "profile Bea"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	a := ann.Dataset()
	resource := func(name string) string { return apptest.At(a.Object("objects", name), "source.resource_id").(string) }
	dentist := resource("calendar_event Dentist")
	ann.Do("PATCH", "/world/time/objects/"+dentist, `{"title": "Orthodontist"}`).Want(200)
	bea.Do("PATCH", "/world/social/events/"+resource("event Concert"), `{"title": "Recital"}`).Want(200)
	ann.Do("PATCH", apptest.CommunitiesPath+"/"+resource("community Family"), `{"name": "Clan"}`).Want(200)
	s.Write(func(tx *store.Tx) error {
		_, err := s.App.Identity.UpdateProfile(tx, bea.Viewer(), identity.ProfileChanges{DisplayName: new("Beatrix")})
		return err
	})
	for _, title := range []string{"Orthodontist", "Recital", "Clan", "Trip", "Beatrix"} {
		surface := sessionSurface(ann, title)
		if surface == nil {
			t.Errorf("%s: got no surface with this title, want one", title)
			continue
		}
		if url := apptest.At(surface, "content_source.url"); url != nil {
			ann.Do("GET", url.(string)).Want(200)
		}
		placed := ann.Do("POST", apptest.At(surface, "commands.update_placement").(string), `{"placement_mode": "stacked"}`).Want(200)
		placed.WantValues("surface", map[string]any{"title": title})
		if placed.Object("surface_runtime.surfaces", title) == nil {
			t.Errorf("%s: after its placement: got no surface with this title, want one", title)
		}
	}
	for _, title := range []string{"Dentist", "Concert", "Family", "Bea"} {
		if surface := sessionSurface(ann, title); surface != nil {
			t.Errorf("the former title %s: got %v, want no surface", title, surface)
		}
	}
	if got, want := len(ann.Dataset().List("workspace.order")), len(a.List("workspace.order")); got != want {
		t.Errorf("got %d objects in the workspace, want %d", got, want)
	}

	ann.Do("DELETE", "/world/time/objects/"+dentist).Want(200)
	wantValues(t, "the surface of a deleted entry", sessionSurface(ann, "Dentist"), map[string]any{"content_source": "map[]"})
	s.Settings.ServicesOff = []string{"social"}
	s.Restart()
	if surface := sessionSurface(ann, "Concert"); surface == nil || apptest.At(surface, "content_source.url") == nil {
		t.Errorf("the surface of an object whose service is off: got %v, want its stored title and content source", surface)
	}
}

// Covers B-88 and B-29.
func TestRepeatedActionIsPerformedOnce(t *testing.T) {
	_, ann, _ := apptest.NewWorkspaceFixture(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	earlier := ann.Dataset().Action("move_earlier", "calendar_event Dentist")
	keyed := ann.With("Idempotency-Key", "one")
	first := keyed.SendAction(earlier).Want(200)
	ann.WantWorkspace("Dentist*, Taxes")
	ann.WantDone(ann.Act("clear_focus", ""))
	keyed.SendAction(earlier).Want(200).WantValues("", map[string]any{
		"action_id": first.At("action_id"), "dataset.workspace.focus.world_object_id": nil, "dataset.workspace.continuity.revision": 4,
	})
	keyed.AsRuntime().Do("POST", actionURL(earlier), `{"before": "x"}`).WantError(422, "idempotency_key_reused")
}

// Covers W-54, W-42 and PT-05.
func TestWorkspaceThatIsOffIsExplained(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"surface"} })
	ann := s.Member("ann")
	ann.CreateEntries()
	a := ann.Dataset()
	if want := `"scope":{"kind":"service","service":"workspace"},"reason":"switched_off"`; !strings.Contains(a.Body, want) {
		t.Errorf("fallbacks: got %v, want %s", a.At("fallbacks"), want)
	}
	if strings.Contains(a.Body, "/world/actions/") {
		t.Errorf("actions: got %v, want none of the workspace", a.At("actions"))
	}
}

// A failure of Surface, or of the service of an object, leaves the rest of the
// dataset complete. Covers W-54, W-42 and PT-05.
func TestFailureOfSurfaceDegradesTheWorkspace(t *testing.T) {
	s, ann, _ := apptest.NewWorkspaceFixture(t)
	thread := ann.Dataset().Action("focus_object", "message_thread Bea")
	s.Settings.ServicesOff = []string{"messages"}
	s.Restart()
	if a := ann.SendAction(thread).WantError(503, "service_unavailable"); a.Header.Get("Retry-After") == "" {
		t.Errorf("%s: got no Retry-After, want one", a.About)
	}
	s.Settings.ServicesOff = nil
	s.Restart()
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	ann.ReplaceOverlay(apptest.Finding("a"))
	before := ann.Dataset()
	focus := before.Action("focus_object", "calendar_event Dentist")
	s.Exec("ALTER TABLE surface_stack RENAME TO surface_lost")
	s.InvalidateAll()
	broken := ann.Dataset()
	for _, want := range []string{
		`"state":"degraded","scope":{"kind":"service","service":"workspace"}`, `"state":"unavailable","scope":{"kind":"section","section":"findings"}`,
	} {
		if !strings.Contains(broken.Body, want) {
			t.Errorf("fallbacks: got %v, want %s", broken.At("fallbacks"), want)
		}
	}
	if got := broken.Workspace(); got != "" {
		t.Errorf("workspace: got %s, want none", got)
	}
	if got, want := fmt.Sprint(broken.Values("objects", "title")), fmt.Sprint(before.Values("objects", "title")); len(broken.List("objects")) != len(before.List("objects")) {
		t.Errorf("objects: got %s, want %s", got, want)
	}
	ann.SendAction(focus).WantError(500, "internal_error")
	s.Exec("ALTER TABLE surface_lost RENAME TO surface_stack")
	if got := ann.Dataset().Body; got != before.Body {
		t.Errorf("after the failure: got\n%s\nwant\n%s", got, before.Body)
	}
}
