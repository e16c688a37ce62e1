package browser

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"appliance/app/apptest"
)

// A member answers an event on the first screen. The event is then in the calendar of the
// member, and the host sees the answer without a reload.
func TestEventIsAnswered(t *testing.T) {
	populated := newPopulatedServer(t)
	ann := newWebTab(populated.server, "ann")
	bea := ann.anotherMember("bea")
	bea.visit(populated.resolve("/app/at/{event}"))
	bea.see("Supper")
	ann.visit("/app/")
	ann.node("heading", "Waiting for you")
	ann.choose("Going")
	ann.until("the copy of the event in the calendar", func() bool {
		return strings.Contains(strings.Join(populated.ann.Dataset().Values("objects", "title"), "\n"), "Supper") && populated.answer("ann") == "going"
	})
	bea.see("2 going")
	ann.visit("/app/in/time?view=agenda")
	ann.see("Supper")
	ann.visit(populated.resolve("/app/at/{event}"))
	ann.choose("Maybe")
	ann.until("the other answer", func() bool { return populated.answer("ann") == "maybe" })
	bea.see("1 maybe")
}

// answer returns the answer of a member to the event.
func (f *populatedServer) answer(name string) string {
	f.T.Helper()
	return apptest.Text(at(f.SignIn(name).AsRuntime().Do("GET", datasetPath).Want(200).Object("objects", "event Supper"), "state.rsvp.mine"))
}

// choose clicks on a choice, which is a button or a radio button.
func (w *webTab) choose(name string) {
	w.server.T.Helper()
	w.clickOne("the choice "+name, func() []node { return append(w.nodes("radio", name), w.nodes("button", name)...) })
}

// Two members write to each other and see each message without a reload. The first letters of a
// name and Enter choose the only member with a matching name.
func TestMessageIsAnswered(t *testing.T) {
	s := serveHTTPLong(t)
	s.addMember("bea").SendMessage("ann", "The harbour, at six?")
	ann := newWebTab(s, "ann")
	bea := ann.anotherMember("bea")
	for _, w := range []*webTab{ann, bea} {
		w.visit("/app/in/messages")
	}
	ann.click("link", "…The harbour, at six?…")
	bea.click("link", "…The harbour, at six?…")
	ann.enter("textbox", "Message to Bea", "Half past is better")
	ann.typeKeys(kb.Enter)
	bea.see("Half past is better")
	bea.enter("textbox", "Message to ann", "Then half past")
	bea.typeKeys(kb.Enter)
	ann.see("Then half past")
	if got := ann.value("textbox", "Message to Bea"); got != "" {
		t.Errorf("got %q in the field after sending, want nothing", got)
	}
	ann.click("button", "New message")
	ann.focus("combobox", "Name or e-mail address")
	ann.typeKeys("be")
	ann.node("option", "Bea…")
	ann.typeKeys(kb.Enter)
	ann.enter("textbox", "Message", "By the boats")
	ann.pressKey([]rune(kb.Enter)[0], kb.ModifierCtrl)
	bea.see("By the boats")
	ann.until("the message to be read", func() bool { return !strings.Contains(strings.Join(ann.names("link"), "\n"), "Messages 1 new") })
}

// A member finds a message in a thread by its text, also a message that is not on the first page.
func TestFindInAThread(t *testing.T) {
	s := serveHTTPLong(t)
	bea := s.addMember("bea")
	bea.SendMessage("ann", "The ladder is behind the shed")
	for i := range 60 {
		bea.SendMessage("ann", fmt.Sprintf("Message %d", i))
	}
	bea.SendMessage("ann", "Bring the ladder")
	w := newWebTab(s, "ann")
	w.visit("/app/in/messages")
	w.click("link", "…Bring the ladder…")
	w.click("button", "Find in this thread")
	w.enter("searchbox", "Find in this thread", "LADDER")
	w.see("1 of at least 1")
	w.typeKeys(kb.Enter)
	w.see("2 of 2", "behind the shed")
	w.enter("searchbox", "Find in this thread", "rope")
	w.see("Nothing found")
	w.typeKeys(kb.Escape)
	w.wantNo("searchbox", "Find in this thread")
}

// The draft of a message is restored after its tab has been closed, and the list of threads shows
// it. When the member sends it, it is sent even if the page is closed at once.
func TestDraftIsRestoredAfterTheTabIsClosed(t *testing.T) {
	s := serveHTTPLong(t)
	s.addMember("bea").SendMessage("ann", "The harbour, at six?")
	first := newWebTab(s, "ann")
	first.visit("/app/in/messages")
	first.click("link", "…The harbour, at six?…")
	first.enter("textbox", "Message to Bea", "Half past is better")
	first.must(chromedp.Do(first.ctx, chromedp.Navigate("about:blank"))) // leaves the page, as closing the tab does
	second := first.newTab()
	second.visit("/app/in/messages")
	second.click("link", "…Draft: Half past is better…")
	if got := second.value("textbox", "Message to Bea"); got != "Half past is better" {
		t.Errorf("got %q in the field, want the draft", got)
	}
	second.focus("textbox", "Message to Bea")
	second.typeKeys(kb.Enter)
	second.until("the end of the draft", func() bool {
		return !evaluate[bool](second.browser, `JSON.stringify(localStorage).includes("Half past")`)
	})
	second.visit("/app/in/messages")
	second.see("You: Half past is better")
}

// value moves the focus to a field and returns its value.
func (w *webTab) value(role, name string) string {
	w.server.T.Helper()
	w.focus(role, name)
	return evaluate[string](w.browser, "document.activeElement.value ?? document.activeElement.textContent")
}

// serveHTTPLong is serveHTTP for tests that need -long.
func serveHTTPLong(t *testing.T) *server {
	t.Helper()
	longBrowserTest(t)
	return serveHTTP(t)
}

// A member adds an entry with the keyboard alone, changes it, deletes it and undoes the deletion.
func TestEntryByKeyboard(t *testing.T) {
	s := serveHTTPLong(t)
	w := newWebTab(s, "ann")
	w.visit("/app/in/time?view=week")
	w.typeKeys("n")
	w.node("dialog", "…")
	w.until("the focus in a field", func() bool { return evaluate[bool](w.browser, `document.activeElement.matches("input")`) })
	w.typeKeys("Dentist" + kb.Enter)
	w.wantNo("dialog", "…")
	entry := w.node("link", "Dentist…")
	if list := s.titles("ann"); !slices.Contains(list, "Dentist") {
		t.Fatalf("got the entries %q, want Dentist", list)
	}
	w.must(entry.focus())
	w.typeKeys(kb.Enter)
	w.node("heading", "Dentist")
	w.typeKeys("e")
	w.enter("textbox", "Title", "Oculist")
	w.typeKeys(kb.Enter)
	w.wantNo("dialog", "…")
	w.node("heading", "Oculist")
	w.chooseByKey("More for Oculist", "Delete")
	w.until("the end of the entry", func() bool { return !slices.Contains(s.titles("ann"), "Oculist") })
	w.waitUntilIdle()
	w.typeKeys("u")
	w.until("the entry again", func() bool { return slices.Contains(s.titles("ann"), "Oculist") })
}

// chooseByKey opens a menu with the keyboard and chooses one of its items.
func (w *webTab) chooseByKey(menu, item string) {
	w.server.T.Helper()
	w.focus("button", menu)
	w.typeKeys(kb.Enter)
	w.focus("menuitem", item+"…")
	w.typeKeys(kb.Enter)
	w.waitUntilIdle()
}

// titles returns the titles of the objects of a member.
func (s *server) titles(name string) []string {
	s.T.Helper()
	return s.SignIn(name).AsRuntime().Do("GET", datasetPath).Want(200).Values("objects", "title")
}

// newSeriesTab returns a tab of a member with a daily entry from 10 to 11 AM that began a week ago.
func newSeriesTab(t *testing.T) *webTab {
	t.Helper()
	s := serveHTTPLong(t)
	s.SignIn("ann").Do("POST", "/world/time/objects", map[string]any{
		"object_type": "calendar_event", "title": "Choir", "start": day(-7) + "T10:00:00", "end": day(-7) + "T11:00:00", "timezone": "Europe/Berlin", "rrule": "FREQ=DAILY",
	}).Want(201)
	return newWebTab(s, "ann")
}

// moveOccurrence moves the occurrence of the entry of newSeriesTab on a date by a quarter of an hour with
// the keyboard. scope is the choice in the dialog that asks which occurrences to move.
func (w *webTab) moveOccurrence(date, scope string) {
	w.server.T.Helper()
	w.visit("/app/in/time?view=day&date=" + date)
	w.focus("link", "Choir…")
	w.pressKey([]rune(kb.ArrowDown)[0], kb.ModifierAlt)
	w.node("dialog", "Which occurrences?")
	w.choose(scope)
	w.click("button", "Move")
	w.node("link", "Choir…10:15 AM…")
}

// A member moves one day of a series with the keyboard. The app asks for the occurrences to move.
func TestOccurrenceOfASeriesIsMoved(t *testing.T) {
	w := newSeriesTab(t)
	w.moveOccurrence(day(0), "Only …")
	w.visit("/app/in/time?view=day")
	w.node("link", "Choir…10:15 AM…")
	w.visit("/app/in/time?view=day&date=" + day(1))
	w.node("link", "Choir…10:00 AM…")
}

// A move of all occurrences can be undone, also if the moved occurrence is not the next one.
func TestMoveOfASeriesIsUndone(t *testing.T) {
	w := newSeriesTab(t)
	w.moveOccurrence(day(3), "All …")
	w.click("button", "Undo")
	w.node("link", "Choir…10:00 AM…")
	w.visit("/app/in/time?view=day&date=" + day(-7))
	w.node("link", "Choir…10:00 AM…")
	w.visit("/app/in/time?view=day&date=" + day(-8))
	w.wantNo("link", "Choir…")
}

// The keyboard can move an entry to a day that is not visible.
func TestKeyboardMovesAnEntryBeyondTheDay(t *testing.T) {
	s := serveHTTPLong(t)
	s.SignIn("ann").Do("POST", "/world/time/objects", map[string]any{
		"object_type": "calendar_event", "title": "Dentist", "start": day(1) + "T13:00:00", "end": day(1) + "T14:00:00", "timezone": "Europe/Berlin",
	}).Want(201)
	w := newWebTab(s, "ann")
	w.visit("/app/in/time?view=day&date=" + day(1))
	w.focus("link", "Dentist…")
	w.pressKey([]rune(kb.ArrowRight)[0], kb.ModifierAlt)
	w.see("Dentist is now on")
	w.node("link", "Dentist…1:00 PM…")
	if got, want := w.address(), "/app/in/time?view=day&date="+day(2); got != want {
		t.Errorf("got the page %s, want %s", got, want)
	}
}

// A phone gets its own device password. When the phone is lost, the member removes the password.
func TestDevicePasswordIsRemoved(t *testing.T) {
	s := serveHTTPLong(t)
	w := newWebTab(s, "ann")
	w.visit("/app/settings/devices")
	w.click("button", "Create device password")
	w.enter("textbox", "Device name", "Ann's phone")
	w.clickLast("button", "Create")
	w.see("Ann's phone")
	var password string
	w.until("the password", func() bool {
		password = evaluate[string](w.browser, `[...document.querySelectorAll("output, code, input[readonly], .secret, dd, samp")].map((e) => (e.value ?? e.textContent).trim()).find((text) => /^[a-z0-9]{4,}(-[a-z0-9]{4,}){2,}$/.test(text)) ?? ""`)
		return password != ""
	})
	if status := s.propfindHTTP("ann", password); status != 207 {
		t.Errorf("got status %d with the password of the phone, want 207", status)
	}
	w.visit("/app/settings/devices")
	w.see("Ann's phone")
	w.click("button", "…Ann's phone…")
	w.see("Calendar apps with this password can no longer sign in.")
	w.clickPart("dialog[open] .primary")
	w.until("the end of the password", func() bool { return s.propfindHTTP("ann", password) == 401 })
	w.visit("/app/settings/devices")
	w.notSee("Ann's phone")
}

// propfindHTTP returns the status of a PROPFIND with Basic credentials on a server without HTTPS.
func (s *server) propfindHTTP(user, password string) int {
	s.T.Helper()
	r, err := http.NewRequestWithContext(s.T.Context(), "PROPFIND", s.URL+"/caldav/", nil)
	if err != nil {
		s.T.Fatal(err)
	}
	r.SetBasicAuth(user, password)
	r.Header.Set("Depth", "0")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.T.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// setPosition sets the geolocation that pages of the server get.
func (w *webTab) setPosition(latitude, longitude float64) {
	w.server.T.Helper()
	_, err := chromedp.CallBrowser(w.ctx, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
		Permission: &cdpbrowser.PermissionDescriptor{Name: "geolocation"}, Setting: cdpbrowser.PermissionSettingGranted, Origin: w.server.URL, BrowserContextID: w.profile(),
	})
	w.must(err)
	_, err = chromedp.Call(w.ctx, emulation.SetGeolocationOverride, emulation.SetGeolocationOverrideParams{Latitude: &latitude, Longitude: &longitude, Accuracy: ptr(10.0)})
	w.must(err)
}

// A member finds a café near their position and opens it, and reads a page found by a search
// everywhere.
func TestCafeIsFoundAndPageIsRead(t *testing.T) {
	populated := newPopulatedServer(t)
	w := newWebTab(populated.server, "ann")
	w.setPosition(townLatitude, townLongitude)
	w.visit("/app/find?q=Corner&scope=everywhere")
	w.see("Café Corner")
	w.click("link", "…Café Corner…")
	w.node("heading", "Café Corner")
	w.see("Fish Quay 3")
	w.visit("/app/find?q=wall&scope=everywhere")
	w.click("link", "Page…")
	w.node("heading", "How to mend a wall")
	w.see("A wall without mortar can be taken apart.")
}

// If the position is known, the first scope of Find is nearby. Find shows the scope before a search
// and the applied scope after it.
func TestFindShowsItsScope(t *testing.T) {
	for name, isKnown := range map[string]bool{"with a position": true, "without a position": false} {
		t.Run(name, func(t *testing.T) {
			populated := newPopulatedServer(t)
			w := newWebTab(populated.server, "ann")
			scope := "Everywhere"
			if isKnown {
				w.setPosition(townLatitude, townLongitude)
				w.visit("/app/in/field")
				w.click("button", "Use my position")
				w.until("the choice Nearby", func() bool { return slices.Contains(w.chosenNames(), "Nearby") })
				scope = "Nearby"
			}
			if !isKnown {
				w.visit("/app/find")
			}
			w.click("link", "Find")
			if got := w.chosenNames(); !slices.Contains(got, scope) {
				t.Errorf("got the choices %q, want %s", got, scope)
			}
			w.enter("combobox", "Find or go to", "Corner")
			w.typeKeys(kb.Enter)
			w.see("Café Corner")
			if got := w.chosenNames(); !slices.Contains(got, scope) {
				t.Errorf("got the choices %q after the search, want %s", got, scope)
			}
			w.wantNo("listbox", "…") // the suggestions would cover the results
			w.enter("combobox", "Find or go to", "Harbour")
			w.choose("Coffee")
			if got := w.value("combobox", "Find or go to"); got != "Harbour" {
				t.Errorf("got the text %q after a category was chosen, want what was typed and not sent", got)
			}
		})
	}
}

// chosen returns the names of the selected radio buttons and pressed buttons.
func (w *webTab) chosenNames() []string {
	w.server.T.Helper()
	w.waitUntilIdle()
	return evaluate[[]string](w.browser, `[...document.querySelectorAll("input:checked, [aria-checked=true], [aria-pressed=true], [aria-current=true]")].map((e) => (e.labels?.[0] ?? e).textContent.trim())`)
}

// Entered text is kept when the session ends: the app shows the sign-in over the screen, and the
// member continues.
func TestEnteredTextSurvivesTheEndOfTheSession(t *testing.T) {
	s := newStub(t)
	s.SignIn("bea").SendMessage("ann", "The harbour, at six?")
	w := newWebTab(s.server, "ann")
	w.expectMessages(statusMessage(401))
	w.visit("/app/in/messages")
	w.click("link", "…The harbour, at six?…")
	w.enter("textbox", "Message to Bea", "Half past is better")
	w.endSession()
	w.typeKeys(kb.Enter)
	w.enter("textbox", "Password", apptest.Password)
	w.click("button", "Sign in")
	w.wantNo("dialog", "…")
	w.until("the message, sent or still in the field", func() bool {
		return strings.Contains(w.text()+w.value("textbox", "Message to Bea"), "Half past is better")
	})
}

// Without a connection, a member reads stored data and writes a message, which is sent when the
// connection is restored.
func TestMessageIsSentAfterTheConnectionIsBack(t *testing.T) {
	s := newStub(t)
	s.SignIn("bea").SendMessage("ann", "The harbour, at six?")
	w := newWebTab(s.server, "ann")
	w.expectMessages("net::ERR_", "Failed to fetch")
	w.visit("/app/in/messages")
	w.click("link", "…The harbour, at six?…")
	w.see("The harbour, at six?")
	s.disconnect()
	w.enter("textbox", "Message to Bea", "Half past is better")
	w.typeKeys(kb.Enter)
	w.see("Half past is better")
	s.reset()
	bea := s.SignIn("bea")
	w.until("the message at the other member", func() bool {
		return strings.Contains(bea.AsRuntime().Do("GET", "/world/panels/messages").Want(200).Body, "Half past is better")
	})
}

// If two members change the same record, the second one sees both versions and chooses one.
func TestConflictShowsBothVersions(t *testing.T) {
	s := serveHTTPLong(t)
	ann := s.SignIn("ann")
	entry := ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "calendar_event", "title": "Dentist", "start": day(0) + "T10:00:00", "timezone": "Europe/Berlin"}).Want(201).Str("object.id")
	w := newWebTab(s, "ann")
	w.expectMessages(statusMessage(412), statusMessage(409))
	w.visit(objectPath(ann.Dataset(), "calendar_event Dentist"))
	w.click("button", "Edit")
	w.enter("textbox", "Title", "Oculist")
	ann.Do("PATCH", "/world/time/objects/"+entry, map[string]any{"title": "Dentist, second floor"}).Want(200)
	w.clickLast("button", "Save")
	w.see("Dentist, second floor", "Oculist")
	w.click("button", "Keep my version")
	w.until("the version of the member", func() bool { return slices.Contains(s.titles("ann"), "Oculist") })
}

// A form of an occurrence is open while another client moves the series, or deletes the occurrence.
// The comparison has the values of the moved occurrence, and the changes of the member can be applied:
// to that occurrence, or to the series.
func TestConflictWithAMovedSeries(t *testing.T) {
	s := serveHTTPLong(t)
	ann := s.SignIn("ann")
	w := newWebTab(s, "ann")
	w.expectMessages(statusMessage(412), statusMessage(404))
	const date = "2027-06-10"
	open := func(title string) (object string) {
		object = "/world/time/objects/" + ann.Do("POST", "/world/time/objects", map[string]any{
			"object_type": "calendar_event", "title": title, "start": "2027-06-03T10:00:00", "timezone": "Europe/Berlin", "rrule": "FREQ=WEEKLY"}).Want(201).Str("object.id")
		w.visit("/app/in/time?view=day&date=" + date)
		w.click("link", title+"…")
		w.click("button", "Edit")
		w.enter("textbox", "Title", title+" with guests")
		return object
	}

	moved := open("Choir")
	ann.Do("PATCH", moved, map[string]any{"scope": "all", "title": "Small choir", "recurrence_id": date + "T10:00:00", "start": "2027-06-11T10:00:00"}).Want(200)
	w.clickLast("button", "Save…")
	w.choose("Only this one …")
	w.clickLast("button", "Save")
	w.see("June 11", "Small choir", "Choir with guests")
	w.takePicture("conflict-moved")
	w.click("button", "Keep my version")
	w.until("the title of the moved occurrence", func() bool {
		return ann.Do("GET", moved+"?recurrence_id=2027-06-11T10:00:00").Want(200).Str("object.title") == "Choir with guests"
	})
	if got := ann.Do("GET", moved+"?recurrence_id=2027-06-18T10:00:00").Want(200).Str("object.title"); got != "Small choir" {
		t.Errorf("the next occurrence: got the title %q, want Small choir", got)
	}

	deleted := open("Dinner")
	ann.Do("DELETE", deleted+"?scope=this&recurrence_id="+date+"T10:00:00").Want(200)
	w.clickLast("button", "Save…")
	w.choose("Only this one …")
	w.clickLast("button", "Save")
	w.see("no longer has a date", "June 10", "Dinner with guests")
	w.takePicture("conflict-deleted")
	w.click("button", "Apply to the whole series")
	w.until("the title of the series", func() bool { return ann.Do("GET", deleted).Want(200).Str("object.title") == "Dinner with guests" })
}

// An operator invites a person, who becomes a member and opens the app.
func TestInvitedPersonJoins(t *testing.T) {
	s := serveHTTPLong(t)
	w := newWebTab(s, "ann")
	w.visit("/app/operator/invitations")
	w.click("button", "Invite")
	w.click("button", "Create the link")
	var link string
	w.until("the link", func() bool {
		link = evaluate[string](w.browser, `[...document.querySelectorAll("input, output, code, a")].map((e) => e.value || e.href || e.textContent).find((text) => /\/world\/invite\/./.test(text)) ?? ""`)
		return link != ""
	})
	b := w.newProfile()
	b.must(chromedp.Do(b.ctx, chromedp.Navigate(s.URL+s.path(link))))
	b.fill("E-mail address", "dora@example.org")
	b.fill("Display name", "Dora")
	b.fill("User name", "dora")
	b.fill("Password", apptest.Password)
	b.must(chromedp.Do(b.ctx, chromedp.Click(b.find("button", "Create account"))))
	dora := &webTab{browser: b}
	dora.until("the app", func() bool { return strings.HasPrefix(dora.address(), "/app/") })
	dora.see("Dora")
	dora.node("link", "Today")
}

// After an operator has disabled a member in the table of the overview, the toast and the numbers say so.
func TestDisabledMemberIsCountedAtOnce(t *testing.T) {
	s := serveHTTPLong(t)
	w := newWebTab(s, "ann")
	w.member.Do("POST", "/world/operator/members", map[string]any{"email": "dora@example.org", "display_name": "Dora", "password": apptest.Password}).Want(201)
	w.visit("/app/operator/")
	w.see("2 active")
	w.click("button", "More for Dora")
	w.click("menuitem", "Disable")
	w.clickLast("button", "Disable")
	w.see("Dora is disabled.", "1 active")
}

// With a German locale, all texts of the app are German.
func TestGermanApp(t *testing.T) {
	s := serveHTTPLong(t)
	w := newWebTab(s, "ann")
	w.member.Do("PATCH", "/world/identity/me", map[string]any{"locale": "de"}).Want(200)
	w.visit("/app/")
	w.node("link", "Heute")
	if got := evaluate[string](w.browser, "document.documentElement.lang"); !strings.HasPrefix(got, "de") {
		t.Errorf("got the language %q of the page, want de", got)
	}
	english := []string{"Today", "Waiting for you", "Lately", "To do", "Nothing", "Settings", "Find"}
	for _, path := range []string{"/app/", "/app/in/time?view=month", "/app/in/messages", "/app/in/social", "/app/settings/", "/app/operator/"} {
		w.visit(path)
		for _, word := range english {
			if lines := strings.Split(w.text(), "\n"); slices.Contains(lines, word) {
				t.Errorf("%s: got the English text %q, want German", path, word)
			}
		}
	}
}

// A member moves a series that can follow its new day in several ways, with the keyboard: the
// app asks how it continues, in both languages, on a wide screen and on a phone in the dark.
// Undo restores the series.
func TestSeriesThatCanFollowInSeveralWays(t *testing.T) {
	s := serveHTTPLong(t)
	script := axeIfPresent(t)
	w := newWebTab(s, "ann")
	for _, c := range []struct {
		locale, title, all, move, ways, undo string
		effects                              []string
		isPhone                              bool
	}{
		{"en", "Rent", "All …", "Move", "How does the series continue?", "Undo",
			[]string{"Every month on day 10 and day 20 of the month", "Jun 9, 2027 moves to Jun 10, 2027.", "Jun 9, 2027 ends.", "These dates end: "}, false},
		{"de", "Miete", "Alle …", "Verschieben", "Wie geht die Serie weiter?", "Rückgängig",
			[]string{"Jeden Monat am 10. und 20. des Monats", " wird zu ", " entfällt.", "Es entfallen: "}, true},
	} {
		ann := s.SignIn("ann")
		ann.Do("PATCH", "/world/identity/me", map[string]any{"locale": c.locale}).Want(200)
		const date = "2027-06-09"
		id := ann.Do("POST", "/world/time/objects", map[string]any{
			"object_type": "calendar_event", "title": c.title, "start": date + "T10:00:00", "end": date + "T11:00:00", "timezone": "Europe/Berlin", "rrule": "FREQ=MONTHLY;BYMONTHDAY=9,20",
		}).Want(201).Str("object.id")
		if c.isPhone {
			w.resize(390, 844)
			w.setMediaFeatures(map[string]string{"prefers-color-scheme": "dark"})
		}
		w.expectMessages(statusMessage(422))
		w.visit("/app/in/time?view=day&date=" + date)
		w.focus("link", c.title+"…")
		w.pressKey([]rune(kb.ArrowRight)[0], kb.ModifierAlt)
		w.choose(c.all)
		w.click("button", c.move)
		w.node("dialog", c.ways)
		w.see(c.effects...)
		if script != "" {
			for _, finding := range w.runAxe(script) {
				t.Errorf("%s: got %s", c.locale, finding)
			}
		}
		w.takePicture("series-" + c.locale)
		w.typeKeys(kb.ArrowDown + kb.ArrowDown + kb.ArrowDown)
		w.typeKeys(kb.Enter)
		w.node("link", c.title+"…")
		state := "object.state.recurrence.rrule"
		w.until("the chosen rule", func() bool {
			return strings.Contains(ann.Do("GET", "/world/time/objects/"+id).Want(200).Str(state), "BYDAY=")
		})
		w.click("button", c.undo)
		w.until("the former rule", func() bool {
			return !strings.Contains(ann.Do("GET", "/world/time/objects/"+id).Want(200).Str(state), "BYDAY=")
		})
		ann.Do("DELETE", "/world/time/objects/"+id).Want(200)
	}
}
