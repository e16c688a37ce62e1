package browser

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"appliance/app/apptest"
)

// Paths of the stub's server.
const (
	sessionPath       = "/world/session"
	datasetPath       = "/world/runtime"
	panelPaths        = "/world/panels/*"
	unknownPanelPath  = "/world/panels/moon" // of a panel that the server does not have
	unknownActionPath = "/world/moon/howl"   // of an action that the server does not have
)

// unknownObject is an object of an unknown type with values and actions of unknown types.
const unknownObject = `{
	"world_object_id": "wo_moon", "object_type": "celestial_body", "source": {"kind": "service", "service": "sky", "resource_type": "moon", "resource_id": "m1"},
	"title": "The moon", "summary": "Waxing over the mere", "state": {"phase": "first quarter", "craters": 9137, "is_full": false, "seas": {"of": "tranquillity"}, "tides": [1, 2]},
	"permissions": {"can_view": true, "can_howl": true}, "actions": ["act_howl", "act_of_nothing"], "relationships": [{"type": "orbits", "target": {"kind": "planet"}}],
	"placement": {"area": "orbit", "position": null}, "focus": {"focusable": false}, "rings": null
}`

// unknownAction is an action of an unknown type with a control of an unknown type.
const unknownAction = `{
	"action_id": "act_howl", "target": {"kind": "object", "world_object_id": "wo_moon"}, "type": "sky.howl", "label": "Howl", "method": "POST",
	"command": {"url": "` + unknownActionPath + `", "method": "POST", "encodings": ["application/json"], "body": {"at": "moon"}},
	"controls": [{"id": "loudness", "type": "decibel_dial", "label": "How loud", "required": true, "default": "", "hum": 1}], "availability": "enabled", "fallback": null
}`

// addUnknownObject adds unknownObject and its unknownAction to the dataset.
func (s *stub) addUnknownObject() {
	s.edit(datasetPath, func(body any) any {
		body = set(body, "objects.-", decodeJSON(unknownObject))
		return set(body, "actions.-", decodeJSON(unknownAction))
	})
}

// addDockItem adds an item with an unknown icon to the dock, which opens the panel at
// unknownPanelPath.
func (s *stub) addDockItem() {
	s.edit(sessionPath, func(body any) any {
		return set(body, "shell.dock.items.-", decodeJSON(`{"id": "moon", "label": "Moon & stars", "icon": "crescent", "essential": false, "badge": null, "glow": true,
			"action": {"id": "open_moon", "label": "Moon", "type": "open_panel", "method": "GET", "url": "`+unknownPanelPath+`", "body": {}}}`))
	})
}

// Markup and script URLs in data are shown as text.
func TestMarkupInDataIsText(t *testing.T) {
	s := newStub(t)
	const title, body = `<img src="x" onerror="document.title=1">Title`, `<script>document.title=1</script><b>Body</b>`
	bea := s.SignIn("bea")
	bea.SendMessage("ann", body)
	bea.Do("POST", "/world/social/conversations", map[string]any{"title": title, "body": body, "context": map[string]any{"kind": "open"}}).Want(201)
	ann := s.SignIn("ann")
	ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "calendar_event", "title": title, "start": day(0) + "T10:00:00", "description": body, "location": body}).Want(201)
	s.addUnknownObject()
	s.edit(datasetPath, func(v any) any {
		v = set(v, "objects.*.state.source_url", "javascript:document.title=1")
		v = set(v, "objects.*.state.link", "javascript:document.title=1")
		return set(v, "objects.*.state.links", []any{map[string]any{"label": "Home", "url": "javascript:document.title=1"}})
	})
	w := newWebTab(s.server, "ann")
	dataset := ann.Dataset()
	for _, path := range []string{
		"/app/", "/app/in/time?view=week", "/app/in/time?view=agenda", "/app/in/messages", "/app/in/social", "/app/at/wo_moon",
		objectPath(dataset, "calendar_event "+title), objectPath(dataset, "conversation "+title), objectPath(dataset, "message_thread Bea"),
	} {
		w.visit(path)
		if got := evaluate[int](w.browser, `document.querySelectorAll("img[onerror], [href^='javascript:' i], body script").length + [...document.querySelectorAll("b")].filter((b) => b.textContent === "Body").length`); got > 0 {
			t.Errorf("%s: got %d elements made from data, want none", path, got)
		}
		if got := evaluate[string](w.browser, "document.title"); got == "1" {
			t.Errorf("%s: data was executed", path)
		}
	}
	w.visit("/app/")
	w.see(title)
}

// objectPath returns the address of the object of a dataset with a name; see
// [apptest.Answer.Object].
func objectPath(dataset *apptest.Answer, name string) string {
	dataset.T.Helper()
	object, ok := dataset.Object("objects", name).(map[string]any)
	if !ok {
		dataset.T.Fatalf("the dataset has no %s, only %q", name, dataset.Values("objects", "title"))
	}
	return "/app/at/" + object["world_object_id"].(string)
}

// An action that is not in the data has no control.
func TestActionOutsideTheDataHasNoControl(t *testing.T) {
	s := newStub(t)
	bea := s.SignIn("bea")
	bea.Do("POST", "/world/social/events", map[string]any{"title": "Supper", "start": day(2) + "T18:00:00", "timezone": "Europe/Berlin", "visibility": "public"}).Want(201)
	page := objectPath(bea.Dataset(), "event Supper")
	w := newWebTab(s.server, "ann")
	w.visit(page)
	w.see("Supper")
	w.until("an answer", func() bool { return len(w.answers()) > 0 })
	isAnswer := func(action any) bool { return strings.Contains(apptest.JSON(action), "rsvp") }
	s.edit(datasetPath, func(v any) any {
		return filter(v, "actions", func(action any) bool { return !isAnswer(action) })
	})
	s.edit(panelPaths, func(v any) any {
		v = filter(v, "action_descriptors", func(action any) bool { return !isAnswer(action) })
		return filter(v, "sections.*.items.*.actions", func(action any) bool { return !isAnswer(action) })
	})
	w.visit(page)
	w.see("Supper")
	w.ignoreShifts() // the stored data have the action until the response of the server replaces them
	if got := w.answers(); len(got) > 0 {
		t.Errorf("got the answers %q without the action, want none", got)
	}
}

// An action that the permissions of its object do not allow has no control, also if the data contain the
// action.
func TestObjectWithoutPermissionsHasNoControl(t *testing.T) {
	s := newStub(t)
	ann := s.SignIn("ann")
	ann.Do("POST", "/world/social/events", map[string]any{"title": "Supper", "start": day(2) + "T18:00:00", "timezone": "Europe/Berlin", "visibility": "public"}).Want(201)
	page := objectPath(ann.Dataset(), "event Supper")
	w := newWebTab(s.server, "ann")
	w.visit(page)
	w.see("Supper")
	controls := func() (names []string) {
		for _, name := range slices.Concat(w.names("button"), w.names("link"), w.names("textbox")) {
			if slices.Contains([]string{"Edit", "Invite", "Reply to everyone who sees this"}, name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	w.until("the controls", func() bool {
		return slices.Equal(controls(), []string{"Edit", "Invite", "Reply to everyone who sees this"})
	})
	s.edit(datasetPath, func(v any) any { return set(v, "objects.*.permissions", map[string]any{}) })
	w.visitUncached(page)
	w.see("Supper")
	if got := controls(); len(got) > 0 {
		t.Errorf("got the controls %q without permissions, want none", got)
	}
}

// answers returns the names of controls that answer an event.
func (w *webTab) answers() (names []string) {
	w.server.T.Helper()
	for _, role := range []string{"button", "radio", "menuitemradio"} {
		for _, name := range w.names(role) {
			if slices.Contains([]string{"Going", "Maybe", "Not going", "RSVP"}, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// The app shows data of unknown types in a generic form or omits them.
func TestUnknownDataIsShownGenerically(t *testing.T) {
	s := newStub(t)
	s.addUnknownObject()
	s.addDockItem()
	s.edit(datasetPath, func(v any) any {
		v = set(v, "capabilities.provided", []any{"telepathy"})
		v = set(v, "capabilities.telepathy", map[string]any{"range": 3})
		v = set(v, "weather", []any{1, "two", nil})
		v = set(v, "objects.*.aura", map[string]any{"hue": 7})
		v = set(v, "objects.*.state.aura", []any{})
		v = set(v, "actions.*.aura", "x")
		return set(v, "contexts.-", decodeJSON(`{"context_id": "ctx_sky", "kind": "sky", "label": "Sky", "target": {"kind": "void"}, "items": [{"item_id": "i", "label": "I", "target": {"kind": "dream"}, "selected": null, "action_ids": ["act_of_nothing"]}], "action_ids": ["act_howl"]}`))
	})
	s.edit(sessionPath, func(v any) any {
		v = set(v, "capabilities.provided.-", "telepathy")
		v = set(v, "services.-", decodeJSON(`{"id": "sky", "label": "Sky", "icon": "crescent", "status": "eclipsed", "message": "", "entry_surface_id": "surface_of_nothing", "content_source": "`+unknownPanelPath+`", "presentation": {"workspace": "orbit"}, "objects": {}, "actions": []}`))
		v = set(v, "surface_runtime.surfaces.*.aura", true)
		return set(v, "shell.primitives.-", "sundial")
	})
	s.edit(panelPaths, func(v any) any { return set(v, "horoscope", map[string]any{"sign": "crab"}) })
	s.answer("POST", unknownActionPath, 200, `{"status": "heard", "echo": {}}`)
	w := newWebTab(s.server, "ann")
	for _, path := range []string{"/app/", "/app/in/time?view=month", "/app/in/messages", "/app/in/social", "/app/in/field", "/app/in/profile", "/app/settings/", "/app/operator/"} {
		w.visit(path)
		w.see("Today", "Moon & stars") // the dock
	}
	w.visit("/app/at/wo_moon")
	w.see("The moon", "Waxing over the mere", "Phase", "first quarter", "Craters", "9137")
	w.click("button", "Howl")
	w.enter("textbox", "How loud", "very")
	w.clickLast("button", "Howl")
	w.wantNo("dialog", "…")
	got := s.requests("POST", unknownActionPath)
	if len(got) != 1 || !strings.Contains(got[0].Body, `"loudness":"very"`) || !strings.Contains(got[0].Body, `"at":"moon"`) {
		t.Errorf("got the requests %+v, want one with the value of the control and the declared body", got)
	}
}

// The state of a surface may be an empty list instead of an object.
func TestEmptyListAsRuntimeState(t *testing.T) {
	s := newStub(t)
	s.edit(sessionPath, func(v any) any { return set(v, "surface_runtime.surfaces.*.runtime_state", []any{}) })
	s.edit(sessionPath, func(v any) any {
		v = set(v, "surface_runtime.surfaces.-", decodeJSON(unknownSurface))
		return set(v, "surface_runtime.stacks.0.surface_order.-", "surface_star")
	})
	w := newWebTab(s.server, "ann")
	for _, path := range []string{"/app/", "/app/in/messages", "/app/in/profile", "/app/on/surface_calendar"} {
		w.visit(path)
		w.see("Carried", "North star")
	}
	w.click("link", "North star")
	w.node("heading", "North star")
}

// unknownSurface is a surface of an unknown type without content of its own.
const unknownSurface = `{"numeric_id": 99, "surface_id": "surface_star", "surface_type": "stellar_surface", "title": "North star", "service_binding": {}, "content_source": {},
	"runtime_state": [], "permissions": {}, "rendering_hints": {}, "placement": {"mode": "stacked", "metadata": {}}, "icon": "crescent", "badge": null, "removable": false, "commands": {}}`

// A stack of an unknown type is shown as a list of its surfaces in their order.
func TestUnknownStackIsAList(t *testing.T) {
	s := newStub(t)
	s.edit(sessionPath, func(v any) any {
		for _, name := range []string{"Vega", "Altair"} {
			surface := set(decodeJSON(unknownSurface), "surface_id", "surface_"+name)
			surface = set(set(surface, "title", name), "runtime_state", decodeJSON(`{"summary": "A star named `+name+`", "details": [["Magnitude", "0.03"], ["Constellation", "Lyra"]]}`))
			v = set(v, "surface_runtime.surfaces.-", surface)
		}
		return set(v, "surface_runtime.stacks.-", decodeJSON(`{"numeric_id": 9, "stack_id": "summer_triangle", "stack_type": "sky_stack", "region": "ceiling", "display": "hologram", "slot": "", "orientation": "radial",
			"focused_surface_id": null, "surface_order": ["surface_Vega", "surface_Altair"], "viewport_id": "viewport_dome", "commands": {}}`))
	})
	w := newWebTab(s.server, "ann")
	w.visit("/app/")
	w.see("Vega", "Altair")
	if links := w.names("link"); slices.Index(links, "Vega") > slices.Index(links, "Altair") {
		t.Errorf("got the links %q, want Vega before Altair, as the stack has them", links)
	}
	w.click("link", "Altair")
	w.node("heading", "Altair")
	w.see("A star named Altair", "Magnitude", "0.03", "Constellation", "Lyra")
}

// stacks returns the stacks of ann without their focus.
func (f *populatedServer) stacks() string {
	f.T.Helper()
	return strings.ReplaceAll(f.ann.AsRuntime().Do("GET", sessionPath).Want(200).Stacks("surface_runtime.stacks"), "*", "")
}

// The response to a write replaces the shown data, even if it differs from the member's change.
//
func TestAnswerReplacesTheState(t *testing.T) {
	s := newStub(t)
	order := []any{"surface_star", "surface_Vega"}
	s.edit(sessionPath, func(v any) any {
		v = set(v, "surface_runtime.surfaces.-", decodeJSON(unknownSurface))
		v = set(v, "surface_runtime.surfaces.-", set(set(decodeJSON(unknownSurface), "surface_id", "surface_Vega"), "title", "Vega"))
		return set(v, "surface_runtime.stacks.0.surface_order", append([]any{"surface_social", "surface_calendar", "surface_messages"}, order...))
	})
	w := newWebTab(s.server, "ann")
	w.visit("/app/")
	session := w.member.AsRuntime().Do("GET", sessionPath).Want(200)
	surfaces := set(session.At("surface_runtime"), "surfaces.3.title", "Deneb") // another title, too
	surfaces = filter(surfaces, "surfaces", func(surface any) bool { return at(surface, "title") != "Deneb" })
	surfaces = set(surfaces, "surfaces.-", set(set(decodeJSON(unknownSurface), "surface_id", "surface_deneb"), "title", "Deneb"))
	surfaces = set(surfaces, "stacks.0.surface_order", []any{"surface_deneb", "surface_star"})
	s.answer("POST", "/world/surface/stacks/carry_primary/reorder", 200, apptest.JSON(map[string]any{"surface_runtime": set(surfaces, "revision", 999)}))
	w.focus("link", "Vega")
	w.pressKey([]rune(kb.ArrowUp)[0], kb.ModifierAlt)
	w.node("link", "Deneb")
	w.wantNo("link", "Vega")
	links := w.names("link")
	if a, b := slices.Index(links, "Deneb"), slices.Index(links, "North star"); a < 0 || b < a {
		t.Errorf("got the links %q, want Deneb before North star, as the answer has them", links)
	}
}

// The dock shows the items of the data, with their labels and in their order.
func TestDockShowsTheItemsOfTheData(t *testing.T) {
	s := newStub(t)
	s.addDockItem()
	s.edit(sessionPath, func(v any) any {
		v = set(v, "shell.dock.items.1.label", "Zoo")
		items := at(v, "shell.dock.items").([]any)
		slices.Reverse(items)
		return set(v, "shell.dock.items", items)
	})
	var want []string
	for _, item := range s.server.SignIn("ann").AsRuntime().Do("GET", sessionPath).Want(200).List("shell.dock.items") {
		if at(item, "part_of") == nil { // an item that is part of another one is not shown beside it
			want = append(want, at(item, "label").(string))
		}
	}
	w := newWebTab(s.server, "ann")
	w.visit("/app/")
	w.node("link", "Today")
	var got []string
	for _, name := range w.names("link") {
		if slices.Contains(want, name) {
			got = append(got, name)
		}
	}
	if !slices.Equal(got, want) || want[0] != "Moon & stars" || !slices.Contains(want, "Zoo") {
		t.Errorf("got the dock %q, want %q", got, want)
	}
}

// An empty panel shows its title, its summary, and the text for an empty panel.
func TestEmptyPanel(t *testing.T) {
	s := newStub(t)
	s.addDockItem()
	s.answer("GET", unknownPanelPath, 200, `{"kind": "sky", "view": "moon", "title": "The sky tonight", "summary": "Clouds until morning", "nav": [], "sections": [], "action_descriptors": []}`)
	w := newWebTab(s.server, "ann")
	w.visit("/app/")
	w.click("link", "Moon & stars")
	w.node("heading", "The sky tonight")
	w.see("Clouds until morning", "Nothing here yet")
}

// A panel without a screen of its own shows the pages of its lists, one after the other.
func TestPagesOfAnyPanel(t *testing.T) {
	s := newStub(t)
	s.addDockItem()
	panel := func(item, next string) string {
		return `{"kind": "sky", "view": "moon", "title": "The sky tonight", "summary": "Clear", "nav": [], "action_descriptors": [], "sections": [
			{"id": "stars", "title": "Stars", "items": [{"id": "` + item + `", "title": "` + item + `"}], "page": {"next": ` + next + `, "previous": null}},
			{"id": "planets", "title": "Planets", "items": [{"title": "Mars"}, {"title": "Venus"}]}]}`
	}
	s.answer("GET", unknownPanelPath, 200, panel("Vega", `"`+unknownPanelPath+`/2"`))
	s.answer("GET", unknownPanelPath+"/2", 200, panel("Deneb", "null"))
	w := newWebTab(s.server, "ann")
	w.visit("/app/")
	w.click("link", "Moon & stars")
	w.see("Vega", "Mars", "Venus")
	w.click("button", "More")
	w.see("Vega", "Deneb", "Mars", "Venus")
	w.wantNo("button", "More")
}

// A response with any status from 200 to 299 is a success, all others are failures. Covers
//
func TestStatusesOfWrites(t *testing.T) {
	s := newStub(t)
	s.addUnknownObject()
	w := newWebTab(s.server, "ann")
	w.expectMessages(statusMessage(404), statusMessage(418))
	w.visit("/app/at/wo_moon")
	for _, test := range []struct {
		status   int
		body     string
		isFailed bool
	}{
		{204, "", false}, {201, `{"status": "made"}`, false}, {299, `{}`, false}, {200, "", false},
		{302, "", true}, {404, `{"error": {"code": "not_found", "message": "There is no moon tonight.", "fields": []}}`, true}, {418, "<h1>Teapot</h1>", true},
	} {
		s.reset()
		s.addUnknownObject()
		s.answer("POST", unknownActionPath, test.status, test.body, "Location", "/world/login")
		w.click("button", "Howl")
		w.enter("textbox", "How loud", "very")
		w.clickLast("button", "Howl")
		if !test.isFailed {
			w.until(fmt.Sprintf("the end of the dialog after status %d", test.status), func() bool { return len(w.nodes("dialog", "…")) == 0 })
			continue
		}
		w.until(fmt.Sprintf("a message after status %d", test.status), func() bool {
			return len(w.nodes("alert", "…")) > 0 || strings.Contains(w.text(), "This did not work") || strings.Contains(w.text(), "no moon tonight")
		})
		if test.status == 302 { // seems to be a proxy: the app waits before it says so
			w.ignoreShifts()
		}
		if len(w.nodes("textbox", "How loud")) == 0 {
			t.Errorf("status %d: the form is gone, want it with what the member entered", test.status)
		}
		w.visit("/app/at/wo_moon")
		w.deleteDrafts()
	}
}

// discardDraft deletes the drafts of forms.
func (w *webTab) deleteDrafts() { evaluate[bool](w.browser, "localStorage.clear(), true") }

// The actions in the guidance of an error are shown as buttons.
func TestGuidanceIsAButton(t *testing.T) {
	s := newStub(t)
	s.addUnknownObject()
	s.answer("POST", unknownActionPath, 422, `{"error": {"code": "too_many_recipients", "message": "A howl reaches one member.", "retryable": false, "fields": [], "request_id": "req_stub",
		"guidance": {"actions": [{"id": "start_conversation", "label": "Start a conversation", "type": "open_panel", "method": "GET", "url": "/world/panels/social?view=conversations", "body": {}}]}}}`)
	w := newWebTab(s.server, "ann")
	w.expectMessages(statusMessage(422))
	w.visit("/app/at/wo_moon")
	w.click("button", "Howl")
	w.enter("textbox", "How loud", "very")
	w.clickLast("button", "Howl")
	w.see("A howl reaches one member.")
	w.click("button", "Start a conversation")
	w.until("the conversations", func() bool { return w.address() == "/app/in/social?view=conversations" })
}

// Without a session the app asks to sign in.
func TestUnauthenticatedAppAsksToSignIn(t *testing.T) {
	s := newStub(t)
	w := newWebTab(s.server, "ann")
	w.expectMessages(statusMessage(401))
	w.visit("/app/in/messages")
	w.see("Messages")
	w.endSession()
	s.SignIn("bea").SendMessage("ann", "Hello") // the stream event makes the app read
	w.enter("textbox", "Password", apptest.Password)
	if got := evaluate[string](w.browser, "document.activeElement.type"); got != "password" {
		t.Errorf("got the focus on a field of the type %q, want password", got)
	}
	w.click("button", "Sign in")
	w.wantNo("dialog", "…")
	w.see("Hello")
	if got := w.address(); got != "/app/in/messages" {
		t.Errorf("got the address %s after the sign-in, want that of before", got)
	}
}

// endSession ends the sessions of the member, as a sign-out everywhere does.
func (w *webTab) endSession() {
	w.server.T.Helper()
	w.member.Do("POST", "/world/identity/logout/all", "{}").Want(200)
}

// The app reports an action that is forbidden, and does not repeat it.
func TestForbiddenActionIsNotRepeated(t *testing.T) {
	s := newStub(t)
	s.addUnknownObject()
	s.fail("POST", unknownActionPath, 403, "Only wolves may howl.")
	w := newWebTab(s.server, "ann")
	w.expectMessages(statusMessage(403))
	w.visit("/app/at/wo_moon")
	w.click("button", "Howl")
	w.enter("textbox", "How loud", "very")
	w.clickLast("button", "Howl")
	w.see("Only wolves may howl.")
	if n := len(s.requests("POST", unknownActionPath)); n != 1 {
		t.Errorf("got %d requests, want one", n)
	}
}

// A part of the screen that cannot be read shows the error and a button to try again. The rest of
// the app works.
func TestUnavailablePartOffersToTryAgain(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"a failure": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(503)
			fmt.Fprint(w, `{"error": {"code": "unavailable", "message": "The sky is not available.", "retryable": true, "fields": [], "guidance": null, "request_id": "req_stub"}}`)
		},
		"no response":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"a broken body": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"title": "The sky`) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t)
			s.addDockItem()
			s.add(rule{method: "GET", pattern: unknownPanelPath, handler: handler})
			w := newWebTab(s.server, "ann")
			w.expectMessages(statusMessage(503), "net::ERR_")
			w.visit("/app/")
			w.click("link", "Moon & stars")
			w.node("button", "Try again")
			w.see("Today", "Calendar") // the dock
			s.reset()
			s.addDockItem()
			s.answer("GET", unknownPanelPath, 200, `{"kind": "sky", "view": "moon", "title": "The sky tonight", "summary": "Clear", "nav": [], "sections": [], "action_descriptors": []}`)
			w.click("button", "Try again")
			w.node("heading", "The sky tonight")
			w.wantNo("button", "Try again")
		})
	}
}

// The server receives neither the header that names a member to services nor an id of the member.
// All other tests check this in their tabs; see namesMember.
func TestServerReceivesNoMemberID(t *testing.T) {
	s := newStub(t)
	s.SignIn("bea").SendMessage("ann", "Hello")
	s.addUnknownObject()
	s.answer("POST", unknownActionPath, 204, "")
	w := newWebTab(s.server, "ann")
	for _, path := range []string{"/app/", "/app/in/messages", "/app/in/social", "/app/in/time?view=month", "/app/at/wo_moon"} {
		w.visit(path)
	}
	w.click("button", "Howl")
	w.enter("textbox", "How loud", "very")
	w.clickLast("button", "Howl")
	all := append(s.requests("GET", "/world/*"), append(s.requests("GET", "/world/*/*"), append(s.requests("POST", "/world/*/*"), s.requests("POST", "/world/*/*/*/*")...)...)...)
	if len(all) < 10 {
		t.Errorf("got %d requests, want those of the screens", len(all))
	}
	for _, r := range all {
		if r.Header.Get("X-Service-Member-Id") != "" || memberID.MatchString(r.Path) || memberID.MatchString(r.Body) {
			t.Errorf("%s %s: got the header %q and the body %s, want no id of the member", r.Method, r.Path, r.Header.Get("X-Service-Member-Id"), r.Body)
		}
	}
}

// The first visit shows an error of the server with a button to try again, except for an error that another
// attempt does not change. Any 401 leads to the sign-in page.
func TestFirstVisitShowsErrors(t *testing.T) {
	s := newStub(t)
	w := newWebTab(s.server, "ann")
	w.expectMessages(statusMessage(500), statusMessage(403), statusMessage(401))
	s.fail("GET", sessionPath, 500, "The server has a bad day.")
	w.visit("/app/")
	w.see("The server has a bad day.", "req_stub")
	s.reset()
	w.click("button", "Try again")
	w.see("Nothing is planned.")

	before := len(s.requests("GET", sessionPath))
	s.fail("GET", sessionPath, 403, "Members only.")
	w.visitUncached("/app/")
	w.see("Members only.")
	w.wantNo("button", "Try again")
	if n := len(s.requests("GET", sessionPath)) - before; n != 1 {
		t.Errorf("got %d requests of the session, want one", n)
	}
	s.reset()
	s.fail("GET", sessionPath, 401, "Who is there?")
	w.visitUncached("/app/")
	w.until("the sign-in page", func() bool { return w.path() == "/world/login" })
}

// visitUncached visits a page without the data and the service worker that the browser has stored.
func (w *webTab) visitUncached(path string) {
	w.server.T.Helper()
	_, err := chromedp.Call(w.ctx, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: w.server.URL, StorageTypes: "indexeddb,cache_storage,service_workers"})
	w.must(err)
	w.visit(path)
}
