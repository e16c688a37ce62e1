package calendar

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// formValues returns the values of the form of an entry by the ids of its controls.
func formValues(c *apptest.Client, path string) map[string]any {
	c.T.Helper()
	values := make(map[string]any)
	for _, d := range c.Do("GET", path).Want(200).List("object.action_descriptors") {
		if apptest.At(d, "id") != "update" {
			continue
		}
		for _, control := range apptest.At(d, "controls").([]any) {
			if id := apptest.At(control, "id").(string); id != "scope" {
				values[id] = apptest.At(control, "default")
			}
		}
	}
	if len(values) == 0 {
		c.T.Fatalf("%s has no form", path)
	}
	return values
}

// nativeEdit stores an event with these lines over CalDAV, applies a change of its form
// over the JSON API, and returns the lines of the event afterwards, without the stamps.
// As the web app does, the change contains only the fields that edit has changed.
func nativeEdit(t *testing.T, c *apptest.Client, uid string, lines []string, edit func(form map[string]any)) []string {
	t.Helper()
	path := putEntry(c, uid, apptest.VEvent(uid, lines...))
	form := formValues(c, path)
	before := jsonValues(form)
	edit(form)
	change := make(map[string]any)
	for id, value := range jsonValues(form) {
		if value != before[id] {
			change[id] = json.RawMessage(value)
		}
	}
	c.Do("PATCH", path, change).Want(200)
	return eventLines(c.Basic().Do("GET", c.DefaultCalendar()+uid+".ics").Want(200).Body)
}

// jsonValues returns the values of a form as JSON.
func jsonValues(form map[string]any) map[string]string {
	texts := make(map[string]string)
	for id, value := range form {
		texts[id] = apptest.JSON(value)
	}
	return texts
}

// eventLines returns the lines of the event of an object without UID and stamps.
func eventLines(text string) []string {
	_, text, _ = strings.Cut(text, "BEGIN:VEVENT\r\n")
	text, _, _ = strings.Cut(text, "END:VEVENT\r\n")
	lines := strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n")
	return slices.DeleteFunc(lines, func(line string) bool {
		name, _, _ := strings.Cut(line, ":")
		return slices.Contains([]string{"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}, name) || line == lines[0]
	})
}

// A change of the reminders in a form rewrites the lines of the changed reminder. It keeps
// other lines of all reminders, and reminders that the form cannot edit. Covers B-120.
func TestFormKeepsLinesOfAlarms(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	lines := strings.Split("DTSTART:20261201T090000Z|DTEND:20261201T100000Z|SUMMARY:Choir|"+
		"BEGIN:VALARM|UID:none|TRIGGER;VALUE=DATE-TIME:19760401T005545Z|ACTION:NONE|END:VALARM|"+
		"BEGIN:VALARM|X-WR-ALARMUID:A1|UID:A1|TRIGGER:-PT30M|ATTACH;VALUE=URI:Chord|ACTION:AUDIO|ACKNOWLEDGED:20261105T090000Z|END:VALARM|"+
		"BEGIN:VALARM|ACTION:DISPLAY|TRIGGER:-PT15M|DESCRIPTION:Choir|REPEAT:2|DURATION:PT5M|X-MOZ-LASTACK:20261105T090000Z|END:VALARM|"+
		"BEGIN:VALARM|ACTION:EMAIL|TRIGGER:-P1D|SUMMARY:Choir|DESCRIPTION:Sing|ATTENDEE:mailto:ann@example.org|END:VALARM|"+
		"BEGIN:VALARM|UID:P1|ACTION:DISPLAY|TRIGGER;VALUE=DATE-TIME:19760401T005545Z|X-APPLE-PROXIMITY:ARRIVE|END:VALARM", "|")
	alarms := func(form map[string]any) []any { return form["alarms"].([]any) }
	for i, c := range []struct {
		name string
		edit func(form map[string]any)
		want func(line string) string
	}{
		{"another title", func(form map[string]any) { form["title"] = "Singing" }, strings.NewReplacer("SUMMARY:Choir", "SUMMARY:Singing").Replace},
		{"an acknowledged reminder", func(form map[string]any) { alarms(form)[0].(map[string]any)["trigger"] = "-PT1H" }, strings.NewReplacer("-PT30M", "-PT1H").Replace},
		{"a repeated reminder", func(form map[string]any) { alarms(form)[1].(map[string]any)["trigger"] = "-PT10M" }, strings.NewReplacer("-PT15M", "-PT10M").Replace},
	} {
		got := nativeEdit(t, ann, fmt.Sprint("alarms", i), lines, c.edit)
		var want []string
		for _, line := range lines {
			if line = c.want(line); i == 0 && slices.Contains(want, "BEGIN:VALARM") {
				line = strings.Replace(line, "SUMMARY:Singing", "SUMMARY:Choir", 1)
			}
			want = append(want, line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n%q\nwant\n%q", c.name, got, want)
		}
	}
	list := ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2026-12-02").Want(200).List("objects")
	var shown []string
	for _, a := range apptest.At(list[0], "state.alarms").([]any) {
		shown = append(shown, fmt.Sprintf("%s/%s/%v", apptest.At(a, "action"), apptest.At(a, "proximity"), apptest.At(a, "editable")))
	}
	if want := []string{"audio//true", "display//true", "email//false", "display/arrive/false"}; !slices.Equal(shown, want) {
		t.Errorf("got reminders %q, want %q", shown, want)
	}
}

// A change of a text in a form removes the forms that other programs have derived from the
// former text. Covers B-122.
func TestFormRemovesFormsOfAFormerText(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	lines := strings.Split("DTSTART:20261201T090000Z|SUMMARY;ALTREP=\"cid:1\":Choir|DESCRIPTION;ALTREP=\"cid:2\":Sing|X-ALT-DESC;FMTTYPE=text/html:<b>Sing</b>|"+
		"STYLED-DESCRIPTION;DERIVED=TRUE;FMTTYPE=text/html:<b>Sing</b>|LOCATION:Hall|X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=Hall:geo:1,2|GEO:1;2|"+
		"X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT30M|X-MICROSOFT-LOCATIONDISPLAYNAME:Hall|X-OTHER:1", "|")
	for i, c := range []struct {
		field, value string
		changed      string   // the line of the field afterwards
		removed      []string // the names of the lines that go
	}{
		{"title", "Singing", "SUMMARY:Singing", []string{"SUMMARY"}},
		{"description", "Loud", "DESCRIPTION:Loud", []string{"DESCRIPTION", "X-ALT-DESC", "STYLED-DESCRIPTION"}},
		{"location", "Lake", "LOCATION:Lake", []string{"LOCATION", "X-APPLE-STRUCTURED-LOCATION", "GEO", "X-APPLE-TRAVEL-DURATION", "X-MICROSOFT-LOCATIONDISPLAYNAME"}},
	} {
		got := nativeEdit(t, ann, fmt.Sprint("texts", i), lines, func(form map[string]any) { form[c.field] = c.value })
		var want []string
		for _, line := range lines {
			name := line[:strings.IndexAny(line, ":;")]
			switch {
			case name == c.removed[0]:
				want = append(want, c.changed)
			case !slices.Contains(c.removed, name):
				want = append(want, line)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n%q\nwant\n%q", c.field, got, want)
		}
	}
}

// A form shows and edits the end of a flight in its own time zone. Moves, copies and other
// changes keep that zone. Covers B-121.
func TestFormEditsTheEndInItsTimeZone(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	const start, end = "DTSTART;TZID=Europe/Berlin:20261201T090000", "DTEND;TZID=Asia/Tokyo:20261202T040000"
	lines := []string{start, end, "SUMMARY:Flight"}
	form := formValues(ann, putEntry(ann, "shown", apptest.VEvent("shown", lines...)))
	for field, want := range map[string]string{"start": "2026-12-01T09:00:00", "timezone": "Europe/Berlin", "end": "2026-12-02T04:00:00", "end_timezone": "Asia/Tokyo"} {
		if form[field] != want {
			t.Errorf("got %s %v in the form, want %s", field, form[field], want)
		}
	}
	for i, c := range []struct {
		name   string
		change map[string]any
		want   []string
	}{
		{"an hour later", map[string]any{"end": "2026-12-02T05:00:00"}, []string{start, "DTEND;TZID=Asia/Tokyo:20261202T050000"}},
		{"the zone of the start", map[string]any{"timezone": "Europe/London"}, []string{"DTSTART;TZID=Europe/London:20261201T090000", end}},
		{"the zone of the end", map[string]any{"end_timezone": "Asia/Kolkata"}, []string{start, "DTEND;TZID=Asia/Kolkata:20261202T040000"}},
		{"the start", map[string]any{"start": "2026-12-03T09:00:00"}, []string{"DTSTART;TZID=Europe/Berlin:20261203T090000", "DTEND;TZID=Asia/Tokyo:20261204T040000"}},
		{"a drag", map[string]any{"start": "2026-12-01T10:00:00Z", "end": "2026-12-01T21:00:00Z"}, []string{"DTSTART;TZID=Europe/Berlin:20261201T110000", "DTEND;TZID=Asia/Tokyo:20261202T060000"}},
		{"a drag of the end", map[string]any{"start": "2026-12-01T08:00:00Z", "end": "2026-12-01T21:00:00Z"}, []string{start, "DTEND;TZID=Asia/Tokyo:20261202T060000"}},
	} {
		got := nativeEdit(t, ann, fmt.Sprint("flight", i), lines, func(form map[string]any) {
			for field, value := range c.change {
				form[field] = value
			}
		})
		if want := append(c.want, "SUMMARY:Flight"); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
	}

	form["object_type"] = "calendar_event"
	copied := ann.Do("POST", "/world/time/objects", form).Want(201)
	copied.WantValues("object.state", map[string]any{"start.utc": "2026-12-01T08:00:00Z", "end.utc": "2026-12-01T19:00:00Z", "end.timezone": "Asia/Tokyo"})

	weekly := putEntry(ann, "weekly", apptest.VEvent("weekly", start, end, "SUMMARY:Flight", "RRULE:FREQ=WEEKLY;COUNT=4"))
	once := formValues(ann, weekly+"?recurrence_id=2026-12-08T09:00:00")
	if got, want := fmt.Sprintf("%v %v %v", once["start"], once["end"], once["end_timezone"]), "2026-12-08T09:00:00 2026-12-09T04:00:00 Asia/Tokyo"; got != want {
		t.Errorf("got the times %s of an occurrence, want %s", got, want)
	}
	changed := ann.Do("PATCH", weekly, `{"scope": "this", "recurrence_id": "2026-12-08T09:00:00", "start": "2026-12-08T10:00:00"}`).Want(200)
	changed.WantValues("object.state", map[string]any{"end.date_time": "2026-12-09T05:00:00", "end.timezone": "Asia/Tokyo"})

	task := putEntry(ann, "task", apptest.VObject("VTODO", "task", start, "DUE;TZID=Asia/Tokyo:20261202T040000", "SUMMARY:Translate"))
	ann.Do("PATCH", task, `{"due": "2026-12-02T05:00:00"}`).Want(200).WantValues("object.state", map[string]any{"due.utc": "2026-12-01T20:00:00Z", "due.timezone": "Asia/Tokyo"})
}
