package browser

import (
	"slices"
	"strings"
	"testing"

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
// an entry of an event that no other member sees. A typed text sets the day and the time. Covers C5.
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
