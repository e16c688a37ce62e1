package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"appliance/app/apptest"
)

// newUnknownActionTab returns a tab with the form of an action.
func newUnknownActionTab(t *testing.T) *webTab {
	t.Helper()
	s := newStub(t)
	s.addUnknownObject()
	w := newWebTab(s.server, "ann")
	w.visit("/app/at/wo_moon")
	w.click("button", "Howl")
	return w
}

// Back closes a dialog, also on the first screen of the app.
func TestBackClosesADialog(t *testing.T) {
	w := newUnknownActionTab(t)
	w.node("dialog", "…")
	evaluate[bool](w.browser, "history.back(), true")
	w.wantNo("dialog", "…")
	if got := w.address(); got != "/app/at/wo_moon" {
		t.Errorf("got the address %s, want that of the screen with the dialog", got)
	}
}

// The text of a form stays as a draft after Cancel, and is deleted by a confirmed Discard.
func TestDiscardedFormLeavesNoDraft(t *testing.T) {
	w := newUnknownActionTab(t)
	w.enter("textbox", "How loud", "very")
	w.click("button", "Cancel")
	w.click("button", "Howl")
	if got := w.value("textbox", "How loud"); got != "very" {
		t.Errorf("got %q in the field after Cancel, want the draft", got)
	}
	w.typeKeys(kb.Escape)
	w.click("button", "Discard")
	w.until("the end of the dialogs", func() bool { return len(w.nodes("dialog", "…")) == 0 })
	w.click("button", "Howl")
	if got := w.value("textbox", "How loud"); got != "" {
		t.Errorf("got %q in the field after Discard, want nothing", got)
	}
}

// A saved field of the member's own profile can be cleared and saved again.
func TestSavedFieldOfTheProfileCanBeCleared(t *testing.T) {
	w := newWebTab(newStub(t).server, "ann")
	w.visit("/app/in/social?view=profile")
	for _, text := range []string{"she/her", ""} {
		w.enter("textbox", "Pronouns", text)
		if text == "" {
			w.pressKey('\b', 0)
		}
		w.clickLast("button", "Save")
		w.until("the saved profile", func() bool {
			return w.member.Do("GET", "/world/social/profile").Want(200).At("profile.pronouns") == text
		})
		w.waitUntilIdle()
	}
	w.ignoreShifts()
}

// The list of members to mention closes when the caret leaves the mention.
func TestMentionListClosesWhenTheCaretMoves(t *testing.T) {
	s := newStub(t)
	bea := s.SignIn("bea")
	conversation := bea.StartConversationIn("Cherries", `{"kind": "open"}`)
	w := newWebTab(s.server, "ann")
	w.visit("/app/in/social?view=conversations&id=" + conversation)
	w.focus("textbox", "Reply")
	w.typeKeys("Hi @be")
	w.node("option", "Bea…")
	w.typeKeys(kb.ArrowLeft)
	w.until("the closed list", func() bool { return len(w.nodes("option", "Bea…")) == 0 })
	w.typeKeys(kb.Enter)
	w.until("the reply", func() bool {
		return strings.Contains(bea.Do("GET", apptest.ConversationsPath+"/"+conversation).Want(200).Body, `"Hi @be"`)
	})
}

// newEntryForm returns a tab with the form of a new entry in the week view of the calendar.
func newEntryForm(t *testing.T) *webTab {
	t.Helper()
	w := newWebTab(newStub(t).server, "ann")
	w.visit("/app/in/time?view=week")
	w.typeKeys("n")
	w.node("dialog", "…")
	return w
}

// Without a connection, a form shows why it was not sent and keeps the entered values.
func TestFormShowsAMissingConnection(t *testing.T) {
	s := newStub(t)
	w := newWebTab(s.server, "ann")
	w.expectMessages("net::ERR_")
	w.visit("/app/in/time?view=week")
	w.typeKeys("n")
	w.enter("textbox", "Title", "Dentist")
	s.disconnect()
	w.clickLast("button", "Save")
	w.until("the reason in the form", func() bool {
		return strings.Contains(evaluate[string](w.browser, `document.querySelector("dialog .form-alert").textContent`), "no connection")
	})
	s.reset()
	w.clickLast("button", "Save")
	w.wantNo("dialog", "…")
	w.node("link", "Dentist…")
	w.ignoreShifts()
}

// saveEntry saves the form of a new entry and returns the state of the calendar object.
func (w *webTab) saveEntry(title string) (state any) {
	w.server.T.Helper()
	w.enter("textbox", "Title", title)
	w.clickLast("button", "Save")
	w.wantNo("dialog", "…")
	return at(w.member.Dataset().Object("objects", "calendar_event "+title), "state")
}

// A typed time between two quarter-hours is kept, and the list of times has the quarter-hours of
// the whole day.
func TestTimesAreTypedAndPicked(t *testing.T) {
	w := newEntryForm(t)
	w.enter("textbox", "Starts", day(20))
	w.enter("combobox", "Starts: time", "9:10")
	w.node("option", "9:15 AM")
	w.typeKeys(kb.Enter)
	w.waitUntilIdle()
	if len(w.nodes("dialog", "…")) > 0 { // without a title, Enter must not save the entry
		w.click("combobox", "Ends: time")
		w.click("option", "7:15 PM")
	}
	state := w.saveEntry("Dentist")
	if got, want := fmt.Sprint(at(state, "start.date_time"), " ", at(state, "end.date_time")), day(20)+"T09:10:00 "+day(20)+"T19:15:00"; got != want {
		t.Errorf("got the times %s, want %s", got, want)
	}
}

// A change of the first day of an all-day entry also moves its last day.
func TestEndOfAnAllDayEntryFollowsItsStart(t *testing.T) {
	w := newEntryForm(t)
	w.click("checkbox", "All day")
	w.enter("textbox", "Starts", day(20))
	w.typeKeys(kb.Tab)
	state := w.saveEntry("Dora visits")
	if got, want := fmt.Sprint(at(state, "start.date"), " ", at(state, "end.date")), day(20)+" "+day(21); got != want {
		t.Errorf("got the days %s, want %s, the second one exclusive", got, want)
	}
}

// An entry that ends at midnight becomes an all-day entry of one day. The day that begins at that
// midnight is not included.
func TestEntryUntilMidnightBecomesOneWholeDay(t *testing.T) {
	w := newEntryForm(t)
	w.enter("textbox", "Starts", day(20))
	w.enter("combobox", "Starts: time", "11 PM")
	w.typeKeys(kb.Tab)
	w.enter("textbox", "Ends", day(21))
	w.enter("combobox", "Ends: time", "12 AM")
	w.typeKeys(kb.Tab)
	w.click("checkbox", "All day")
	state := w.saveEntry("Dora visits")
	if got, want := fmt.Sprint(at(state, "start.date"), " ", at(state, "end.date")), day(20)+" "+day(21); got != want {
		t.Errorf("got the days %s, want %s, the second one exclusive", got, want)
	}
}

// Forms change the day and the time of an event, and the day of a task.
func TestFormChangesTimes(t *testing.T) {
	w := newWebTab(newStub(t).server, "ann")
	w.member.Do("POST", "/world/social/events", map[string]any{"title": "Supper", "start": day(2) + "T18:00:00", "timezone": "Europe/Berlin", "visibility": "public"}).Want(201)
	w.member.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": "Order seeds", "due": day(2)}).Want(201)
	for _, c := range []struct{ object, field, time, state, want string }{
		{"event Supper", "Starts", "17:20", "state.start", day(5) + "T17:20:00"},
		{"task Order seeds", "Due", "", "state.due.date", day(5)},
	} {
		w.visit(objectPath(w.member.Dataset(), c.object))
		w.click("button", "Edit…")
		w.enter("textbox", c.field, day(5))
		if c.time != "" {
			w.enter("combobox", c.field+": time", c.time)
		}
		w.typeKeys(kb.Tab)
		w.clickPart(".dialog-foot [type=submit]")
		w.wantNo("dialog", "…")
		if got := apptest.Text(at(w.member.Dataset().Object("objects", c.object), c.state)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.object, got, c.want)
		}
	}
}

// A form shows the end of a flight in its own time zone, and stores the end that was entered there.
// A later start keeps the duration. Covers B-121.
func TestFormEditsTheEndInItsTimeZone(t *testing.T) {
	s := serveHTTPLong(t)
	s.SignIn("ann").Do("POST", "/world/time/objects", map[string]any{
		"object_type": "calendar_event", "title": "Flight", "start": day(2) + "T09:00:00", "timezone": "Europe/Berlin",
		"end": day(3) + "T04:00:00", "end_timezone": "Asia/Tokyo",
	}).Want(201)
	w := newWebTab(s, "ann")
	w.visit(objectPath(w.member.Dataset(), "calendar_event Flight"))
	w.see("9:00 AM (Europe/Berlin", "4:00 AM (Asia/Tokyo")
	w.click("button", "Edit…")
	w.node("combobox", "Time zone of the end")
	w.enter("combobox", "Ends: time", "5 AM")
	w.typeKeys(kb.Tab)
	w.clickPart(".dialog-foot [type=submit]")
	w.wantNo("dialog", "…")
	state := func() any { return at(w.member.Dataset().Object("objects", "calendar_event Flight"), "state") }
	if got, want := fmt.Sprint(at(state(), "end.date_time"), at(state(), "end.timezone")), day(3)+"T05:00:00Asia/Tokyo"; got != want {
		t.Errorf("got the end %s, want %s", got, want)
	}
	w.click("button", "Edit…")
	w.enter("combobox", "Starts: time", "11 AM")
	w.typeKeys(kb.Tab)
	w.clickPart(".dialog-foot [type=submit]")
	w.wantNo("dialog", "…")
	if got, want := fmt.Sprint(at(state(), "start.date_time"), " ", at(state(), "end.date_time")), day(2)+"T11:00:00 "+day(3)+"T07:00:00"; got != want {
		t.Errorf("got the times %s, want %s", got, want)
	}
}

// A member decides in the form what others see of an entry, and the page of the entry says so, in both
// languages. Covers B-112.
func TestFormChoosesWhatOthersSee(t *testing.T) {
	s := serveHTTPLong(t)
	s.SignIn("ann").Do("POST", "/world/time/objects", map[string]any{"object_type": "calendar_event", "title": "Doctor", "start": day(2) + "T09:00:00"}).Want(201)
	w := newWebTab(s, "ann")
	for _, c := range []struct{ locale, edit, field, key, want, class string }{
		{"en", "Edit…", "In shared calendars", kb.End, "Private: others do not see this entry.", "private"},
		{"de", "Bearbeiten…", "In geteilten Kalendern", kb.ArrowUp, "Vertraulich: Andere sehen nur, dass du beschäftigt bist.", "confidential"},
	} {
		w.member.Do("PATCH", "/world/identity/me", map[string]any{"locale": c.locale}).Want(200)
		w.visit(objectPath(w.member.Dataset(), "calendar_event Doctor"))
		w.click("button", c.edit)
		w.clickPart(".more-fields > summary")
		w.focus("combobox", c.field)
		w.typeKeys(c.key)
		w.takePicture("class-form-" + c.locale)
		w.clickPart(".dialog-foot [type=submit]")
		w.see(c.want)
		if c.locale == "de" {
			w.resize(390, 844)
			w.setMediaFeatures(map[string]string{"prefers-color-scheme": "dark"})
		}
		w.takePicture("class-page-" + c.locale)
		if got := apptest.Text(at(w.member.Dataset().Object("objects", "calendar_event Doctor"), "state.class")); got != c.class {
			t.Errorf("%s: got the class %q, want %s", c.locale, got, c.class)
		}
	}
}

// The last day of a series cannot be left empty.
func TestLastDayOfASeriesIsRequired(t *testing.T) {
	w := newSeriesTab(t)
	w.visit(objectPath(w.member.Dataset(), "calendar_event Choir"))
	w.click("button", "Edit")
	w.focus("combobox", "Ends")
	w.typeKeys("o") // chooses "on a day"
	w.enter("textbox", "Last day", "")
	w.pressKey('\b', 0)
	w.clickPart(".dialog-foot [type=submit]")
	w.see("Last day is missing.")
	w.node("dialog", "Edit calendar event")
}
