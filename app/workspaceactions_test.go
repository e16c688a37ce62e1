package app

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world"
)

// Wrong input is named, and changes nothing. Covers B-29, W-12, W-45, W-47, PT-09,
// PT-31 and PT-40 as far as actions go.
func TestWrongInputToTheWorkspace(t *testing.T) {
	h, ann, bea := furnished(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist"} {
		ann.done(ann.acts("focus_object", name))
	}
	a := ann.sees()
	order, earlier := dig(a.deed("order_workspace", ""), "command.url").(string), a.deed("move_earlier", "calendar_event Dentist")
	remove := a.deed("remove_from_workspace", "task Taxes")
	away := dig(a.thing("objects", "community Family"), "world_object_id")
	taxes := dig(a.thing("objects", "task Taxes"), "world_object_id")
	h.unchanged("by what is wrong", func() {
		for _, body := range []string{``, `{}`, `{"order": []}`, `{"order": null}`, `{"input": {}}`, `{"order": "  "}`} {
			ann.do("POST", order, body).refused(400, "field_required").names("order")
		}
		ann.do("POST", order, formBody("x=y")).refused(400, "field_required").names("order")
		for _, list := range []any{[]any{"wo_nothing"}, []any{away}, []any{taxes, taxes}, []any{""}, "surface_social", fmt.Sprint(taxes, " ", taxes)} {
			a := ann.do("POST", order, map[string]any{"order": list})
			if a.status != 422 && a.status != 400 || a.str("error.fields.0.name") != "order" {
				t.Errorf("%v: %d %s", list, a.status, a.body)
			}
		}
		for _, wrong := range []string{`{"order": 7}`, `{"order": [7]}`, `{"order": {}}`, `{"input": 7}`, `{"input": {"order": [{}]}}`, `{"context": {"location": 7}}`, `[`, `{`} {
			ann.do("POST", order, wrong).refused(400, "malformed_body")
		}
		at := func(location string) *answer {
			return ann.do("POST", order, fmt.Sprintf(`{"order": [%q], "context": {"location": %s}}`, taxes, location))
		}
		at(`{"latitude": 91, "longitude": 0}`).refused(422, "invalid_value").names("context.location.latitude")
		at(`{"latitude": 0, "longitude": -181}`).refused(422, "invalid_value").names("context.location.longitude")
		at(`{"latitude": 52.5}`).refused(400, "field_required").names("context.location.longitude")
		at(`{}`).refused(400, "field_required").names("context.location.latitude", "context.location.longitude")
		url := dig(earlier, "command.url").(string)
		ann.do("POST", url, `{}`).refused(400, "field_required").names("before")
		ann.do("POST", url, map[string]any{"before": away}).refused(409, "action_unavailable")
		ann.do("POST", url, map[string]any{"before": dig(a.thing("objects", "calendar_event Dentist"), "world_object_id")}).refused(409, "action_unavailable")
		ann.with("Content-Type", "text/xml").do("POST", order, "<order/>").refused(415, "unsupported_media_type")
		ann.with("X-Service-Runtime", strings.Repeat("x", 1025)).do("POST", order, map[string]any{"order": []any{taxes}}).refused(400, "runtime_header_required")
		bea.do("GET", order).refused(405, "method_not_allowed")
	})
	ann.arranges("Taxes, Dentist*")

	// What is not known is passed over, and a runtime need not say who it is.
	b := ann.do("POST", order, map[string]any{"order": []any{taxes}, "sender": bea.id, "input": map[string]any{"x": 1}, "context": map[string]any{
		"location": map[string]any{"latitude": 52.5, "longitude": 13.4}}}).want(200)
	if b.at("dataset.field.origin.latitude") != 52.5 {
		t.Errorf("the field is %v", b.at("dataset.field"))
	}
	// What was taken out meanwhile cannot be moved or taken out again.
	ann.done(ann.sends(remove))
	h.unchanged("by what is not there", func() {
		ann.sends(remove).refused(409, "action_unavailable")
		ann.sends(earlier).refused(409, "action_unavailable")
	})
	// A runtime without forms is not offered one.
	ann.done(ann.acts("focus_object", "task Taxes"))
	plain := ann.with("X-Service-Runtime", `x/1; caps="objects"`).do("GET", "/world/runtime").want(200)
	checkDataset(t, plain)
	if dig(plain.deed("order_workspace", ""), "availability") != "unavailable" || dig(plain.deed("focus_object", "task Taxes"), "availability") != "enabled" {
		t.Error("a form for whoever has none")
	}
}

// An action is its member's, and only for as long as they see what it is about.
// Covers W-150, W-17, W-18, PT-07 and PT-40 as far as actions go.
func TestActionsOfOthers(t *testing.T) {
	h, ann, bea := furnished(t)
	cem := h.member("cem")
	family := bea.sees().deed("focus_object", "community Family")
	trip := bea.sees().deed("focus_object", "conversation Trip")
	thread := ann.sees().deed("focus_object", "message_thread Bea")
	dentist := ann.sees().deed("focus_object", "calendar_event Dentist")
	bea.done(bea.sends(trip))
	ann.done(ann.sends(thread))
	out := bea.sees().deed("remove_from_workspace", "conversation Trip")
	see := func(c *client) string {
		return c.runtime().do("GET", "/world/runtime").want(200).body + c.desktop().body
	}
	see(cem)
	hers, theirs := see(ann), see(cem)

	url := func(action any) string { return dig(action, "command.url").(string) }
	h.unchanged("by others' actions", func() {
		for _, action := range []any{family, trip, out} {
			ann.sends(action).refused(404, "not_found")
			cem.sends(action).refused(404, "not_found")
		}
		for _, action := range []any{thread, dentist} {
			bea.sends(action).refused(404, "not_found")
		}
		// Each letter counts.
		own := strings.TrimPrefix(url(thread), "/world/actions/")
		for i := range own {
			changed := []byte(own)
			changed[i] ^= 1
			if strings.ContainsAny(string(changed[i]), "/%?#\\") {
				continue
			}
			ann.do("POST", "/world/actions/"+string(changed)).refused(404, "not_found")
		}
		for _, id := range []string{"x", "act_", "act__", "act_focus_", "act_focus_x_y", "act_%00", own + "a", own[:len(own)-1], strings.ToUpper(own), strings.Repeat("x", 5000)} {
			ann.do("POST", "/world/actions/"+id).refused(404, "not_found")
		}
		// Those of other routes are not done here.
		ann.do("POST", "/world/actions/"+dig(ann.sees().deed("open_thread", "message_thread Bea"), "action_id").(string)).refused(404, "not_found")
		h.nobody().do("POST", url(thread)).refused(401, "unauthenticated")
	})
	// Bea leaves: what she saw there is gone, and so is what she could do, even
	// what was looked at for her a moment before.
	looked := world.Dispatch{ActionID: dig(family, "action_id").(string)}
	viewer := bea.viewer()
	if err := h.db.Read(t.Context(), func(tx *store.Tx) error { return h.world.Prepare(tx, viewer, &looked) }); err != nil {
		t.Fatal(err)
	}
	bea.do("POST", communitiesURL+"/"+dig(bea.sees().thing("objects", "community Family"), "source.resource_id").(string)+"/leave").want(200)
	h.unchanged("by what is seen no more", func() {
		err := h.db.Write(t.Context(), func(tx *store.Tx) error { _, err := h.world.Perform(tx, viewer, looked); return err })
		if svc.KindOf(err) != svc.Missing {
			t.Errorf("what was looked at before: %v", err)
		}
		for _, action := range []any{family, trip} {
			bea.sends(action).refused(404, "not_found")
		}
	})
	bea.arranges("")
	if bea.sees().thing("objects", "conversation Trip") != nil {
		t.Error("Bea sees the conversation still")
	}
	// It is in her way all the same, without what it showed, and she can take it
	// out.
	if s := bea.surface("Trip"); s == nil || len(dig(s, "content_source").(map[string]any)) > 0 {
		t.Errorf("what was the conversation's is %v", s)
	}
	left := bea.sees().context("workspace", "Trip")
	if left == nil || dig(left, "target.kind") != "workspace" || fmt.Sprint(dig(left, "action_ids")) != fmt.Sprint([]any{dig(out, "action_id")}) {
		t.Errorf("of the conversation there is %v", left)
	}
	ann.sends(out).refused(404, "not_found")
	if bea.done(bea.sends(out)); bea.sees().context("workspace", "Trip") != nil || strings.Contains(bea.desktop().body, "Trip") {
		t.Error("it is there still")
	}
	bea.sends(out).refused(409, "action_unavailable")
	// Whatever Bea does with her own, the others read the same bytes.
	hers = see(ann)
	bea.done(bea.acts("focus_object", "event Concert"))
	bea.finds(cafe("b"))
	bea.done(bea.acts("open_finding", "Café b"))
	bea.done(bea.acts("order_workspace", "", map[string]any{"order": texts(bea.sees().list("workspace.order"))}))
	bea.done(bea.acts("remove_from_workspace", "event Concert"))
	if see(ann) != hers || see(cem) != theirs {
		t.Error("what Bea has before her shows in others' worlds")
	}
}

// surface returns the one of that title in the client's session; nil if there is
// none.
func (c *client) surface(title string) any {
	c.t.Helper()
	return c.runtime().do("GET", "/world/session").want(200).thing("surface_runtime.surfaces", title)
}

// Whatever is in the workspace is called there what it is called by now, in what
// is read and in the answers to writes. Covers S-05, S-08, S-22 and S-73.
func TestSurfacesAreCalledWhatTheirThingsAre(t *testing.T) {
	h, ann, bea := furnished(t)
	family := dig(ann.sees().thing("objects", "community Family"), "source.resource_id").(string)
	for _, name := range []string{"message_thread Bea", "community Family", "conversation Trip", "event Concert", "calendar_event Dentist", "social_dm Bea", "profile Bea"} {
		ann.done(ann.acts("focus_object", name))
	}
	held := len(ann.sees().list("workspace.order"))
	dentist := dig(ann.sees().thing("objects", "calendar_event Dentist"), "source.resource_id").(string)
	concert := dig(ann.sees().thing("objects", "event Concert"), "source.resource_id").(string)
	ann.do("PATCH", "/world/time/objects/"+dentist, `{"title": "Orthodontist"}`).want(200)
	bea.do("PATCH", "/world/social/events/"+concert, `{"title": "Recital"}`).want(200)
	ann.do("PATCH", communitiesURL+"/"+family, `{"name": "Clan"}`).want(200)
	if err := h.db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := h.identity.UpdateProfile(tx, bea.viewer(), identity.ProfileChanges{DisplayName: new("Beatrix")})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"Orthodontist", "Recital", "Clan", "Trip", "Beatrix"} {
		s := ann.surface(title)
		if s == nil {
			t.Errorf("no surface is called %s", title)
			continue
		}
		if url := dig(s, "content_source.url"); url != nil {
			ann.do("GET", url.(string)).want(200)
		}
		a := ann.do("POST", dig(s, "commands.update_placement").(string), `{"placement_mode": "stacked"}`).want(200)
		if a.str("surface.title") != title || a.thing("surface_runtime.surfaces", title) == nil {
			t.Errorf("the answer to its placement calls %s %s", title, a.str("surface.title"))
		}
	}
	for _, title := range []string{"Dentist", "Concert", "Family", "Bea"} {
		if ann.surface(title) != nil {
			t.Errorf("a surface is still called %s", title)
		}
	}
	if n := len(ann.sees().list("workspace.order")); n != held {
		t.Errorf("there are %d things in the workspace, and were %d", n, held)
	}

	// Of a service that is switched off nobody knows; what is deleted has no content.
	ann.do("DELETE", "/world/time/objects/"+dentist).want(200)
	if s := ann.surface("Dentist"); s == nil || len(dig(s, "content_source").(map[string]any)) > 0 {
		t.Errorf("of the deleted entry there is %v", s)
	}
	h.units["social"].off = true
	if s := ann.surface("Concert"); s == nil || dig(s, "content_source.url") == nil {
		t.Errorf("with the service switched off there is %v", s)
	}
}

// An action that is repeated with its key is done once. Covers B-88 and B-29.
func TestActionsAreDoneOnce(t *testing.T) {
	_, ann, _ := furnished(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist"} {
		ann.done(ann.acts("focus_object", name))
	}
	earlier := ann.sees().deed("move_earlier", "calendar_event Dentist")
	keyed := ann.with("Idempotency-Key", "one")
	first := keyed.sends(earlier).want(200)
	ann.arranges("Dentist*, Taxes")
	ann.done(ann.acts("clear_focus", ""))
	second := keyed.sends(earlier).want(200)
	if first.str("action_id") != second.str("action_id") || second.at("dataset.workspace.focus.world_object_id") != nil {
		t.Errorf("the repetition says %.200s", second.body)
	}
	if got := second.at("dataset.workspace.continuity.revision"); got != 4.0 {
		t.Errorf("after it the revision is %v", got)
	}
	keyed.runtime().do("POST", dig(earlier, "command.url").(string), `{"before": "x"}`).refused(422, "idempotency_key_reused")
}

// The workspace is a part like others: switched off or failing, it leaves the
// rest whole and says so. Covers W-54, W-42 and PT-05.
func TestWorkspaceThatFails(t *testing.T) {
	off := open(t, func(s *config.Settings) { s.ServicesOff = []string{"surface"} })
	cem := off.member("cem")
	cem.settle()
	a := cem.sees()
	if !strings.Contains(a.body, `"scope":{"kind":"service","service":"workspace"},"reason":"switched_off"`) || strings.Contains(a.body, "/world/actions/") {
		t.Errorf("fallbacks %v", a.at("fallbacks"))
	}

	h, ann, _ := furnished(t)
	thread := ann.sees().deed("focus_object", "message_thread Bea")
	h.settings.ServicesOff = []string{"messages"}
	h.restart()
	if ann.sends(thread).refused(503, "service_unavailable").header.Get("Retry-After") == "" {
		t.Error("nobody knows when to try again")
	}
	h.settings.ServicesOff = nil
	h.restart()
	ann.done(ann.acts("focus_object", "task Taxes"))
	ann.finds(cafe("a"))
	good := ann.sees()
	focus := good.deed("focus_object", "calendar_event Dentist")
	meddle(t, h, "ALTER TABLE surface_stack RENAME TO surface_lost")
	h.touch()
	bad := ann.sees()
	if !strings.Contains(bad.body, `"state":"degraded","scope":{"kind":"service","service":"workspace"}`) ||
		!strings.Contains(bad.body, `"state":"unavailable","scope":{"kind":"section","section":"findings"}`) || bad.workspace() != "" {
		t.Errorf("fallbacks %v", bad.at("fallbacks"))
	}
	if len(bad.list("objects")) != len(good.list("objects")) {
		t.Errorf("the objects are %v", titlesOf(bad))
	}
	ann.sends(focus).refused(500, "internal_error")
	meddle(t, h, "ALTER TABLE surface_lost RENAME TO surface_stack")
	if again := ann.sees(); again.body != good.body {
		t.Error("it has not recovered")
	}
}
