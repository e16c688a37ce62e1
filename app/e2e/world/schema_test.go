package world

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers PT-44, and V-04 for runtimes.
func TestRecordsMatchTheirSchemas(t *testing.T) {
	s := apptest.New(t)
	op, bea := s.Member("op"), s.Member("bea")
	op.CreateEntries()
	for path, contract := range map[string]string{"/world/identity/me": "service.identity.member", "/admin/members": "service.admin.members"} {
		a := op.Do("GET", path).Want(200)
		a.WantSchema(contract, a.At(""))
	}
	login := s.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "op", "password": apptest.Password}).Want(200)
	login.WantSchema("service.identity.session", login.At(""))
	bea.Reply(op.StartConversation("Trip"), "Yes")
	for _, c := range []struct{ path, list, contract string }{
		{"/world/calendars", "calendars", "service.time.calendar"},
		{"/world/time/objects?start=2026-11-01&end=2027-10-01&limit=200", "objects", "service.time.object"},
		{apptest.ConversationsPath, "conversations", "service.social.conversation"},
		{"/world/social/activity", "activity", "service.social.activity"},
		{"/world/social/notifications", "notifications", "service.social.notification"},
	} {
		a := op.Do("GET", c.path).Want(200)
		if len(a.List(c.list)) == 0 {
			t.Errorf("%s: got no records, want some", a.About)
		}
		for _, record := range a.List(c.list) {
			a.WantSchema(c.contract, record)
		}
	}
}

// Covers V-04 and PT-44.
func TestPublishedSchemasCanBeReadWithoutACredential(t *testing.T) {
	s := apptest.New(t)
	c := s.Unauthenticated()
	schemas := c.Do("GET", "/world/schemas").Want(200).List("schemas")
	if len(schemas) == 0 {
		t.Error("got no schemas, want some")
	}
	for _, schema := range schemas {
		a := c.Do("GET", apptest.At(schema, "url").(string)).Want(200)
		if got, want := a.Header.Get("Content-Type"), "application/schema+json"; got != want {
			t.Errorf("%s: got Content-Type %s, want %s", a.About, got, want)
		}
		if got, want := a.Str("title"), apptest.At(schema, "name"); got != want {
			t.Errorf("%s: got the title %s, want %s", a.About, got, want)
		}
	}
	c.Do("GET", "/world/schemas/service.error/2").WantError(404, "not_found")
}

// withoutUndocumentedKeys returns v without the keys that its schema does not name.
func withoutUndocumentedKeys(v, schema any, root map[string]any) any {
	if ref, ok := apptest.At(schema, "$ref").(string); ok {
		schema = root["$defs"].(map[string]any)[apptest.LastSegment(ref)]
	}
	if alternatives, ok := apptest.At(schema, "anyOf").([]any); ok && v != nil {
		return withoutUndocumentedKeys(v, alternatives[0], root)
	}
	switch v := v.(type) {
	case map[string]any:
		properties, ok := apptest.At(schema, "properties").(map[string]any)
		if !ok {
			return v // the schema permits every object
		}
		named := make(map[string]any)
		for key, child := range v {
			if property, ok := properties[key]; ok {
				named[key] = withoutUndocumentedKeys(child, property, root)
			}
		}
		return named
	case []any:
		items := make([]any, len(v))
		for i := range v {
			items[i] = withoutUndocumentedKeys(v[i], apptest.At(schema, "items"), root)
		}
		return items
	}
	return v
}

// A document without its undocumented keys still matches its schema. Covers W-153.
func TestUndocumentedKeysAreOptional(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Ann.CreateEntries()
	s.Bea.SendMessage("ann", "Hello")
	s.Ann.ReplaceOverlay(apptest.Finding("1"))
	ann, smaller := s.Ann.AsRuntime(), 0
	for path, contract := range map[string]string{
		"/world/runtime": "service.runtime.dataset/1", apptest.SessionPath: "service.home.runtime/2", "/world/translated": "service.home.runtime.translated/2",
		"/world/panels/find": "service.world.panel/1", "/world/panels/messages": "service.world.panel/1", "/world/panels/time": "service.world.panel/1",
		"/world/panels/social": "service.world.panel/1",
	} {
		a := ann.Do("GET", path).Want(200)
		schema := ann.Do("GET", "/world/schemas/"+contract).Want(200).At("").(map[string]any)
		named := withoutUndocumentedKeys(a.At(""), schema, schema)
		name, _, _ := strings.Cut(contract, "/")
		a.WantSchema(name, named)
		if len(fmt.Sprint(named)) < len(fmt.Sprint(a.At(""))) {
			smaller++
		}
	}
	if smaller < 3 { // the panels of Messages, Time and Social have more keys than a panel must have
		t.Errorf("got %d documents with undocumented keys, want at least 3", smaller)
	}
}

// nullableKeys are the keys whose values may be null.
var nullableKeys = []string{
	"world_object_id", "updated_at", "selected_message_thread", "position", "last_focused_at", "fallback", "origin", "location", "source_url",
	"contract", "default", "date", "date_time", "timezone", "utc", "start", "end", "due", "completed_at", "recurrence_id", "rrule", "selected_thread", "previous_cursor",
	"occurrence", "source_service", "source_object_type", "source_object_id", "next_cursor", "last_used_at", "used_at", "member_id", "last_seen_at", "previous", "next", "expires_at",
	"circle", "feed", "undo", "until", "presence", "avatar", "entry_surface_id", "community_id", "circle_depth", "capacity", "totp", "latitude", "longitude", "focused_surface_id",
	"read_up_to", "can_reply_reason", "last_seen", "renew_after_seconds", "next_url", "previous_url", "badge", "formats",
}

// Empty lists, objects and texts are not null. Covers PT-04.
func TestOnlyNullableKeysAreNull(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	ann.CreateEntries()
	s.Member("bea").SendMessage("ann", "Hello")
	for _, path := range []string{
		"/world/messages", "/world/messages?q=hello", "/world/panels/messages", "/world/panels/messages/rail", "/world/panels/today",
		"/world/session", "/world/translated", "/world/panels/find",
		"/world/runtime", "/world/panels/time", "/world/panels/time?view=week", "/world/calendars", "/world/time/objects", "/world/identity/export", "/world/identity/sessions",
	} {
		wantNoNulls(t, path, "", ann.Do("GET", path).Want(http.StatusOK).At(""))
	}
}

func wantNoNulls(t *testing.T, path, key string, v any) {
	t.Helper()
	switch v := v.(type) {
	case nil:
		if !slices.Contains(nullableKeys, key) {
			t.Errorf("GET %s: %s: got null, want another value", path, key)
		}
	case map[string]any:
		for k, child := range v {
			wantNoNulls(t, path, k, child)
		}
	case []any:
		for _, child := range v {
			wantNoNulls(t, path, key, child)
		}
	}
}
