package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"appliance/app/apptest"
)

// audienceNote is a script that returns the text below the audience in the editor.
const audienceNote = `document.querySelector("dialog [data-field=among] .hint").textContent`

// selectOption selects an option of a select element of the dialog, by its label.
func (w *webTab) selectOption(field, option string) {
	w.server.T.Helper()
	w.focus("combobox", field)
	w.typeKeys(option)
}

// The editor of the calendar makes a Social event of an entry that a community sees, and the editor of Social makes
// an entry of an event that no other member sees. A typed text sets the day and the time.
func TestOneEditorForEntriesAndEvents(t *testing.T) {
	s := serveHTTPLong(t)
	bea := s.addMember("bea")
	ann := s.SignIn("ann")
	ann.CreateCommunity(`{"name": "Yacht club"}`, bea)
	ann.CreateCommunity(`{"name": "Choir"}`)
	for _, c := range []struct {
		page, key, title, chosen, note, want string
	}{
		{"/app/in/time?view=week", "n", "Boat day", "Yacht club", "becomes a Social event", "event Boat day"},
		{"/app/in/social?view=events", "n", "Haircut", "Only your calendar", "becomes an entry in your calendar", "calendar_event Haircut"},
	} {
		w := newWebTab(s, "ann")
		w.visit(c.page)
		w.typeKeys(c.key)
		w.enter("textbox", "Title", c.title)
		w.selectOption("Visible to", c.chosen)
		w.until("the note on what it becomes", func() bool { return strings.Contains(evaluate[string](w.browser, audienceNote), c.note) })
		if got := w.value("textbox", "Title"); got != c.title {
			t.Errorf("%s: got the title %q after the choice, want %q", c.page, got, c.title)
		}
		w.enter("textbox", "Starts", "tomorrow 7pm")
		w.clickLast("button", "Save")
		w.wantNo("dialog", "…")
		object := w.member.Dataset().Object("objects", c.want)
		if got := apptest.Text(at(object, "state.start")); !strings.Contains(got, day(1)+"T19:00:00") {
			t.Errorf("%s: got the start %s, want tomorrow at 19:00", c.page, got)
		}
	}
	if got := bea.Dataset().Values("objects", "title"); !slices.Contains(got, "Boat day") || slices.Contains(got, "Haircut") {
		t.Errorf("got %v for another member of the community, want the event without the entry", got)
	}
}

// On a phone, a typed text sets the day and the time too, and the picker of the browser is beside the text, large
// enough to touch.
func TestDayIsTypedOnAPhone(t *testing.T) {
	w := newWebTab(serveHTTPLong(t), "ann")
	w.resize(390, 844)
	w.visit("/app/in/time?view=week")
	w.typeKeys("n")
	w.enter("textbox", "Title", "Boat day")
	w.enter("textbox", "Starts", "tomorrow 7pm")
	w.typeKeys(kb.Tab)
	picker := func(script string) string {
		return evaluate[string](w.browser, `((picker) => `+script+`)(document.querySelector("dialog [data-field=start] input[type=date]"))`)
	}
	if got, want := picker("picker.value"), day(1); got != want {
		t.Errorf("got the day %q in the picker, want %s", got, want)
	}
	if got := picker(`[picker.offsetWidth, picker.offsetHeight].some((size) => size < 42) ? picker.offsetWidth + " × " + picker.offsetHeight : ""`); got != "" {
		t.Errorf("got a picker of %s pixels, want 44", got)
	}
	w.takePicture("editor-typed-day")
	picker(fmt.Sprintf(`(picker.value = %q, picker.dispatchEvent(new Event("change", { bubbles: true })), "")`, day(2)))
	w.clickLast("button", "Save")
	w.wantNo("dialog", "…")
	object := w.member.Dataset().Object("objects", "calendar_event Boat day")
	if got, want := apptest.Text(at(object, "state.start.date_time")), day(2)+"T19:00:00"; got != want {
		t.Errorf("got the start %s, want %s: the picked day with the typed time", got, want)
	}
	w.ignoreShifts()
}

// A member creates a task in the form of a new entry in the calendar, and an entry from Today, in the same editor.
func TestEditorCreatesATaskAndAnEntryFromToday(t *testing.T) {
	w := newWebTab(serveHTTPLong(t), "ann")
	w.visit("/app/in/time?view=week")
	w.typeKeys("n")
	w.enter("textbox", "Title", "Buy milk")
	w.click("button", "New task")
	w.clickLast("button", "Save")
	w.wantNo("dialog", "…")
	w.member.Dataset().Object("objects", "task Buy milk")
	w.visit("/app/")
	w.clickLast("button", "New calendar event")
	w.enter("textbox", "Title", "Dentist")
	w.until("the note on what it becomes", func() bool {
		return strings.Contains(evaluate[string](w.browser, audienceNote), "becomes an entry in your calendar")
	})
	w.clickLast("button", "Save")
	w.wantNo("dialog", "…")
	w.member.Dataset().Object("objects", "calendar_event Dentist")
}

// The editor fits into the windows of phones and desktops in both languages, light and dark, without findings of axe
// if it is present.
func TestEditorOnAllDevices(t *testing.T) {
	s := serveHTTPLong(t)
	s.SignIn("ann").CreateCommunity(`{"name": "Yacht club"}`)
	script := axeIfPresent(t)
	for _, language := range []string{"en", "de"} {
		s.SignIn("ann").Do("PATCH", "/world/identity/me", map[string]any{"locale": language}).Want(200)
		w := newWebTab(s, "ann")
		for device, width := range map[string]int64{"phone": 390, "desktop": 1280} {
			for name, page := range map[string]string{"entry": "/app/in/time?view=week", "event": "/app/in/social?view=events"} {
				w.resize(width, 900)
				w.visit(page)
				w.typeKeys("n")
				w.until("the dialog", func() bool { return evaluate[bool](w.browser, `!!document.querySelector("dialog .title-input")`) })
				for _, scheme := range []string{"light", "dark"} {
					w.setMediaFeatures(map[string]string{"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"})
					w.takePicture(strings.Join([]string{"editor", name, language, device, scheme}, "-"))
					if script == "" {
						continue
					}
					for _, finding := range w.runAxe(script) {
						t.Errorf("%s, %s, %s, %s: %s", name, language, device, scheme, finding)
					}
				}
				w.wantFit(name+" "+language, width)
				w.ignoreShifts()
			}
		}
	}
}

// A title that is typed while the form shows a restored draft replaces the title of the draft.
func TestTypedTitleReplacesThatOfTheDraft(t *testing.T) {
	w := newEntryForm(t)
	w.enter("textbox", "Title", "Boat")
	w.click("button", "Cancel")
	w.wantNo("dialog", "…")
	w.typeKeys("n")
	w.until("the draft", func() bool { return w.value("textbox", "Title") == "Boat" })
	w.typeKeys("Boat day")
	if got := w.value("textbox", "Title"); got != "Boat day" {
		t.Errorf("got the title %q, want %q", got, "Boat day")
	}
}

// In the form of an event, a day without a time is an error that names no field as programs spell it.
func TestDayWithoutATimeIsExplained(t *testing.T) {
	s := serveHTTPLong(t)
	w := newWebTab(s, "ann")
	w.visit("/app/in/social?view=events")
	w.typeKeys("n")
	w.enter("textbox", "Title", "Boat day")
	w.enter("combobox", "Starts: time", "")
	w.pressKey('\b', 0)
	w.clickLast("button", "Save")
	w.until("the message", func() bool {
		return strings.Contains(evaluate[string](w.browser, `document.querySelector("dialog [data-field=start] .wrong").textContent`), "Enter a time, or choose All day.")
	})
}

// The dialog of a link to a calendar says what the link shows, and another link is made only after a question.
func TestLinkToACalendarIsReplacedAfterAQuestion(t *testing.T) {
	s := serveHTTPLong(t)
	w := newWebTab(s, "ann")
	w.visit("/app/settings/calendars")
	open := func(item string) {
		w.clickPart("main .row [aria-haspopup=menu], main [aria-haspopup=menu]")
		w.click("menuitem", item)
	}
	open("Create read-only link")
	w.clickLast("button", "Create read-only link")
	w.see("It shows: Entries.")
	w.typeKeys(kb.Escape)
	w.wantNo("dialog", "…")
	open("Replace link")
	w.see("The present link stops working")
	w.click("button", "Cancel")
	w.wantNo("dialog", "…")
	w.ignoreShifts()
}

// The rule of a series follows a new start only if all dates change, and the editor says so before the member
// chooses which dates change.
func TestEditorSaysThatAFollowingRuleIsForAllDates(t *testing.T) {
	w := newWebTab(serveHTTPLong(t), "ann")
	w.member.Do("POST", "/world/time/objects", map[string]any{
		"object_type": "calendar_event", "title": "Choir", "start": day(7) + "T19:00:00", "end": day(7) + "T21:00:00", "timezone": "Europe/Berlin", "rrule": "FREQ=WEEKLY",
	}).Want(201)
	w.visit("/app/in/time?view=day&date=" + day(14))
	w.focus("link", "Choir…")
	w.typeKeys("e")
	w.node("dialog", "…")
	w.see("Every week")
	w.enter("textbox", "Starts", day(15))
	w.typeKeys(kb.Tab)
	w.see("For all dates: Every week")
	w.ignoreShifts()
}
