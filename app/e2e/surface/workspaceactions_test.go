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

// Wrong input is named, and changes nothing. Covers B-29, W-12, W-45, W-47, PT-09,
// PT-31 and PT-40 as far as actions go.
func TestWrongInputToTheWorkspace(t *testing.T) {
	h, ann, bea := apptest.NewWorkspaceFixture(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	a := ann.Dataset()
	order, earlier := apptest.At(a.Action("order_workspace", ""), "command.url").(string), a.Action("move_earlier", "calendar_event Dentist")
	remove := a.Action("remove_from_workspace", "task Taxes")
	away := apptest.At(a.Object("objects", "community Family"), "world_object_id")
	taxes := apptest.At(a.Object("objects", "task Taxes"), "world_object_id")
	h.WantUnchanged("by what is wrong", func() {
		for _, body := range []string{``, `{}`, `{"order": []}`, `{"order": null}`, `{"input": {}}`, `{"order": "  "}`} {
			ann.Do("POST", order, body).WantError(400, "field_required").WantFields("order")
		}
		ann.Do("POST", order, apptest.Form("x=y")).WantError(400, "field_required").WantFields("order")
		for _, list := range []any{[]any{"wo_nothing"}, []any{away}, []any{taxes, taxes}, []any{""}, "surface_social", fmt.Sprint(taxes, " ", taxes)} {
			a := ann.Do("POST", order, map[string]any{"order": list})
			if a.Status != 422 && a.Status != 400 || a.Str("error.fields.0.name") != "order" {
				t.Errorf("%v: %d %s", list, a.Status, a.Body)
			}
		}
		for _, wrong := range []string{`{"order": 7}`, `{"order": [7]}`, `{"order": {}}`, `{"input": 7}`, `{"input": {"order": [{}]}}`, `{"context": {"location": 7}}`, `[`, `{`} {
			ann.Do("POST", order, wrong).WantError(400, "malformed_body")
		}
		at := func(location string) *apptest.Answer {
			return ann.Do("POST", order, fmt.Sprintf(`{"order": [%q], "context": {"location": %s}}`, taxes, location))
		}
		at(`{"latitude": 91, "longitude": 0}`).WantError(422, "invalid_value").WantFields("context.location.latitude")
		at(`{"latitude": 0, "longitude": -181}`).WantError(422, "invalid_value").WantFields("context.location.longitude")
		at(`{"latitude": 52.5}`).WantError(400, "field_required").WantFields("context.location.longitude")
		at(`{}`).WantError(400, "field_required").WantFields("context.location.latitude", "context.location.longitude")
		url := apptest.At(earlier, "command.url").(string)
		ann.Do("POST", url, `{}`).WantError(400, "field_required").WantFields("before")
		ann.Do("POST", url, map[string]any{"before": away}).WantError(409, "action_unavailable")
		ann.Do("POST", url, map[string]any{"before": apptest.At(a.Object("objects", "calendar_event Dentist"), "world_object_id")}).WantError(409, "action_unavailable")
		ann.With("Content-Type", "text/xml").Do("POST", order, "<order/>").WantError(415, "unsupported_media_type")
		ann.With("X-Service-Runtime", strings.Repeat("x", 1025)).Do("POST", order, map[string]any{"order": []any{taxes}}).WantError(400, "runtime_header_required")
		bea.Do("GET", order).WantError(405, "method_not_allowed")
	})
	ann.WantWorkspace("Taxes, Dentist*")

	// What is not known is passed over, and a runtime need not say who it is.
	b := ann.Do("POST", order, map[string]any{"order": []any{taxes}, "sender": bea.ID, "input": map[string]any{"x": 1}, "context": map[string]any{
		"location": map[string]any{"latitude": 52.5, "longitude": 13.4}}}).Want(200)
	if b.At("dataset.field.origin.latitude") != 52.5 {
		t.Errorf("the field is %v", b.At("dataset.field"))
	}
	// What was taken out meanwhile cannot be moved or taken out again.
	ann.WantDone(ann.SendAction(remove))
	h.WantUnchanged("by what is not there", func() {
		ann.SendAction(remove).WantError(409, "action_unavailable")
		ann.SendAction(earlier).WantError(409, "action_unavailable")
	})
	// A runtime without forms is not offered one.
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	plain := ann.With("X-Service-Runtime", `x/1; caps="objects"`).Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, plain)
	if apptest.At(plain.Action("order_workspace", ""), "availability") != "unavailable" || apptest.At(plain.Action("focus_object", "task Taxes"), "availability") != "enabled" {
		t.Error("a form for whoever has none")
	}
}

// An action is its member's, and only for as long as they see what it is about.
// Covers W-150, W-17, W-18, PT-07 and PT-40 as far as actions go.
func TestActionsOfOthers(t *testing.T) {
	h, ann, bea := apptest.NewWorkspaceFixture(t)
	cem := h.Member("cem")
	family := bea.Dataset().Action("focus_object", "community Family")
	trip := bea.Dataset().Action("focus_object", "conversation Trip")
	thread := ann.Dataset().Action("focus_object", "message_thread Bea")
	dentist := ann.Dataset().Action("focus_object", "calendar_event Dentist")
	bea.WantDone(bea.SendAction(trip))
	ann.WantDone(ann.SendAction(thread))
	out := bea.Dataset().Action("remove_from_workspace", "conversation Trip")
	see := func(c *apptest.Client) string {
		return c.Runtime().Do("GET", "/world/runtime").Want(200).Body + c.SurfaceRuntime().Body
	}
	see(cem)
	hers, theirs := see(ann), see(cem)

	url := func(action any) string { return apptest.At(action, "command.url").(string) }
	h.WantUnchanged("by others' actions", func() {
		for _, action := range []any{family, trip, out} {
			ann.SendAction(action).WantError(404, "not_found")
			cem.SendAction(action).WantError(404, "not_found")
		}
		for _, action := range []any{thread, dentist} {
			bea.SendAction(action).WantError(404, "not_found")
		}
		// Each letter counts.
		own := strings.TrimPrefix(url(thread), "/world/actions/")
		for i := range own {
			changed := []byte(own)
			changed[i] ^= 1
			if strings.ContainsAny(string(changed[i]), "/%?#\\") {
				continue
			}
			ann.Do("POST", "/world/actions/"+string(changed)).WantError(404, "not_found")
		}
		for _, id := range []string{"x", "act_", "act__", "act_focus_", "act_focus_x_y", "act_%00", own + "a", own[:len(own)-1], strings.ToUpper(own), strings.Repeat("x", 5000)} {
			ann.Do("POST", "/world/actions/"+id).WantError(404, "not_found")
		}
		// Those of other routes are not done here.
		ann.Do("POST", "/world/actions/"+apptest.At(ann.Dataset().Action("open_thread", "message_thread Bea"), "action_id").(string)).WantError(404, "not_found")
		h.Unauthenticated().Do("POST", url(thread)).WantError(401, "unauthenticated")
	})
	// Bea leaves: what she saw there is gone, and so is what she could do, even
	// what was looked at for her a moment before.
	looked := world.Dispatch{ActionID: apptest.At(family, "action_id").(string)}
	viewer := bea.Viewer()
	if err := h.DB.Read(t.Context(), func(tx *store.Tx) error { return h.App.World.Prepare(tx, viewer, &looked) }); err != nil {
		t.Fatal(err)
	}
	bea.Do("POST", apptest.CommunitiesPath+"/"+apptest.At(bea.Dataset().Object("objects", "community Family"), "source.resource_id").(string)+"/leave").Want(200)
	h.WantUnchanged("by what is seen no more", func() {
		err := h.DB.Write(t.Context(), func(tx *store.Tx) error { _, err := h.App.World.Perform(tx, viewer, looked); return err })
		if svc.KindOf(err) != svc.Missing {
			t.Errorf("what was looked at before: %v", err)
		}
		for _, action := range []any{family, trip} {
			bea.SendAction(action).WantError(404, "not_found")
		}
	})
	bea.WantWorkspace("")
	if bea.Dataset().Object("objects", "conversation Trip") != nil {
		t.Error("Bea sees the conversation still")
	}
	// It is in her way all the same, without what it showed, and she can take it
	// out.
	if s := surfaceOf(bea, "Trip"); s == nil || len(apptest.At(s, "content_source").(map[string]any)) > 0 {
		t.Errorf("what was the conversation's is %v", s)
	}
	left := context(bea.Dataset(), "workspace", "Trip")
	if left == nil || apptest.At(left, "target.kind") != "workspace" || fmt.Sprint(apptest.At(left, "action_ids")) != fmt.Sprint([]any{apptest.At(out, "action_id")}) {
		t.Errorf("of the conversation there is %v", left)
	}
	ann.SendAction(out).WantError(404, "not_found")
	if bea.WantDone(bea.SendAction(out)); context(bea.Dataset(), "workspace", "Trip") != nil || strings.Contains(bea.SurfaceRuntime().Body, "Trip") {
		t.Error("it is there still")
	}
	bea.SendAction(out).WantError(409, "action_unavailable")
	// Whatever Bea does with her own, the others read the same bytes.
	hers = see(ann)
	bea.WantDone(bea.Act("focus_object", "event Concert"))
	bea.ReplaceOverlay(apptest.Finding("b"))
	bea.WantDone(bea.Act("open_finding", "Café b"))
	bea.WantDone(bea.Act("order_workspace", "", map[string]any{"order": texts(bea.Dataset().List("workspace.order"))}))
	bea.WantDone(bea.Act("remove_from_workspace", "event Concert"))
	if see(ann) != hers || see(cem) != theirs {
		t.Error("what Bea has before her shows in others' worlds")
	}
}

// surface returns the one of that title in the client's session; nil if there is
// none.
func surfaceOf(c *apptest.Client, title string) any {
	c.T.Helper()
	return c.Runtime().Do("GET", "/world/session").Want(200).Object("surface_runtime.surfaces", title)
}

// Whatever is in the workspace is called there what it is called by now, in what
// is read and in the answers to writes. Covers S-05, S-08, S-22 and S-73.
func TestSurfacesAreCalledWhatTheirThingsAre(t *testing.T) {
	h, ann, bea := apptest.NewWorkspaceFixture(t)
	family := apptest.At(ann.Dataset().Object("objects", "community Family"), "source.resource_id").(string)
	for _, name := range []string{"message_thread Bea", "community Family", "conversation Trip", "event Concert", "calendar_event Dentist", "social_dm Bea", "profile Bea"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	held := len(ann.Dataset().List("workspace.order"))
	dentist := apptest.At(ann.Dataset().Object("objects", "calendar_event Dentist"), "source.resource_id").(string)
	concert := apptest.At(ann.Dataset().Object("objects", "event Concert"), "source.resource_id").(string)
	ann.Do("PATCH", "/world/time/objects/"+dentist, `{"title": "Orthodontist"}`).Want(200)
	bea.Do("PATCH", "/world/social/events/"+concert, `{"title": "Recital"}`).Want(200)
	ann.Do("PATCH", apptest.CommunitiesPath+"/"+family, `{"name": "Clan"}`).Want(200)
	if err := h.DB.Write(t.Context(), func(tx *store.Tx) error {
		_, err := h.App.Identity.UpdateProfile(tx, bea.Viewer(), identity.ProfileChanges{DisplayName: new("Beatrix")})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"Orthodontist", "Recital", "Clan", "Trip", "Beatrix"} {
		s := surfaceOf(ann, title)
		if s == nil {
			t.Errorf("no surface is called %s", title)
			continue
		}
		if url := apptest.At(s, "content_source.url"); url != nil {
			ann.Do("GET", url.(string)).Want(200)
		}
		a := ann.Do("POST", apptest.At(s, "commands.update_placement").(string), `{"placement_mode": "stacked"}`).Want(200)
		if a.Str("surface.title") != title || a.Object("surface_runtime.surfaces", title) == nil {
			t.Errorf("the answer to its placement calls %s %s", title, a.Str("surface.title"))
		}
	}
	for _, title := range []string{"Dentist", "Concert", "Family", "Bea"} {
		if surfaceOf(ann, title) != nil {
			t.Errorf("a surface is still called %s", title)
		}
	}
	if n := len(ann.Dataset().List("workspace.order")); n != held {
		t.Errorf("there are %d things in the workspace, and were %d", n, held)
	}

	// Of a service that is switched off nobody knows; what is deleted has no content.
	ann.Do("DELETE", "/world/time/objects/"+dentist).Want(200)
	if s := surfaceOf(ann, "Dentist"); s == nil || len(apptest.At(s, "content_source").(map[string]any)) > 0 {
		t.Errorf("of the deleted entry there is %v", s)
	}
	h.Settings.ServicesOff = []string{"social"}
	h.Restart()
	if s := surfaceOf(ann, "Concert"); s == nil || apptest.At(s, "content_source.url") == nil {
		t.Errorf("with the service switched off there is %v", s)
	}
}

// An action that is repeated with its key is done once. Covers B-88 and B-29.
func TestActionsAreDoneOnce(t *testing.T) {
	_, ann, _ := apptest.NewWorkspaceFixture(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	earlier := ann.Dataset().Action("move_earlier", "calendar_event Dentist")
	keyed := ann.With("Idempotency-Key", "one")
	first := keyed.SendAction(earlier).Want(200)
	ann.WantWorkspace("Dentist*, Taxes")
	ann.WantDone(ann.Act("clear_focus", ""))
	second := keyed.SendAction(earlier).Want(200)
	if first.Str("action_id") != second.Str("action_id") || second.At("dataset.workspace.focus.world_object_id") != nil {
		t.Errorf("the repetition says %.200s", second.Body)
	}
	if got := second.At("dataset.workspace.continuity.revision"); got != 4.0 {
		t.Errorf("after it the revision is %v", got)
	}
	keyed.Runtime().Do("POST", apptest.At(earlier, "command.url").(string), `{"before": "x"}`).WantError(422, "idempotency_key_reused")
}

// The workspace is a part like others: switched off or failing, it leaves the
// rest whole and says so. Covers W-54, W-42 and PT-05.
func TestWorkspaceThatFails(t *testing.T) {
	off := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"surface"} })
	cem := off.Member("cem")
	cem.CreateEntries()
	a := cem.Dataset()
	if !strings.Contains(a.Body, `"scope":{"kind":"service","service":"workspace"},"reason":"switched_off"`) || strings.Contains(a.Body, "/world/actions/") {
		t.Errorf("fallbacks %v", a.At("fallbacks"))
	}

	h, ann, _ := apptest.NewWorkspaceFixture(t)
	thread := ann.Dataset().Action("focus_object", "message_thread Bea")
	h.Settings.ServicesOff = []string{"messages"}
	h.Restart()
	if ann.SendAction(thread).WantError(503, "service_unavailable").Header.Get("Retry-After") == "" {
		t.Error("nobody knows when to try again")
	}
	h.Settings.ServicesOff = nil
	h.Restart()
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	ann.ReplaceOverlay(apptest.Finding("a"))
	good := ann.Dataset()
	focus := good.Action("focus_object", "calendar_event Dentist")
	h.Exec("ALTER TABLE surface_stack RENAME TO surface_lost")
	h.InvalidateAll()
	bad := ann.Dataset()
	if !strings.Contains(bad.Body, `"state":"degraded","scope":{"kind":"service","service":"workspace"}`) ||
		!strings.Contains(bad.Body, `"state":"unavailable","scope":{"kind":"section","section":"findings"}`) || bad.Workspace() != "" {
		t.Errorf("fallbacks %v", bad.At("fallbacks"))
	}
	if len(bad.List("objects")) != len(good.List("objects")) {
		t.Errorf("the objects are %v", apptest.ObjectTitles(bad))
	}
	ann.SendAction(focus).WantError(500, "internal_error")
	h.Exec("ALTER TABLE surface_lost RENAME TO surface_stack")
	if again := ann.Dataset(); again.Body != good.Body {
		t.Error("it has not recovered")
	}
}
