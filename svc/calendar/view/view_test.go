package view

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/words"
)

var info = Info{
	ID: "tob_1", ETag: `"e"`, CalendarID: "cal_1", CalendarName: "Home", Color: "#112233",
	CreatedAt: storetest.Start, UpdatedAt: storetest.Start.Add(time.Minute),
}

// toJSON returns v as JSON.
func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Rendered times keep the form that they have in the object. Covers T-10 and T-11.
func TestRenderedTimesKeepTheirForm(t *testing.T) {
	for _, c := range []struct {
		name       string
		lines      []string
		start, end string
		allDay     bool
	}{
		{"a time zone", []string{"DTSTART;TZID=Europe/Berlin:20261201T090000", "DTEND;TZID=Europe/Berlin:20261201T100000"},
			`{"date":null,"date_time":"2026-12-01T09:00:00","timezone":"Europe/Berlin","utc":"2026-12-01T08:00:00Z"}`,
			`{"date":null,"date_time":"2026-12-01T10:00:00","timezone":"Europe/Berlin","utc":"2026-12-01T09:00:00Z"}`, false},
		{"UTC and a duration", []string{"DTSTART:20261201T090000Z", "DURATION:PT30M"},
			`{"date":null,"date_time":"2026-12-01T09:00:00","timezone":"UTC","utc":"2026-12-01T09:00:00Z"}`,
			`{"date":null,"date_time":"2026-12-01T09:30:00","timezone":"UTC","utc":"2026-12-01T09:30:00Z"}`, false},
		{"floating without an end", []string{"DTSTART:20261201T090000"},
			`{"date":null,"date_time":"2026-12-01T09:00:00","timezone":null,"utc":null}`,
			`{"date":null,"date_time":"2026-12-01T09:00:00","timezone":null,"utc":null}`, false},
		{"a date without an end", []string{"DTSTART;VALUE=DATE:20261201"},
			`{"date":"2026-12-01","date_time":null,"timezone":null,"utc":null}`,
			`{"date":"2026-12-02","date_time":null,"timezone":null,"utc":null}`, true},
		{"an unknown time zone", []string{"DTSTART;TZID=Nowhere:20261201T090000"},
			`{"date":null,"date_time":"2026-12-01T09:00:00","timezone":null,"utc":null}`,
			`{"date":null,"date_time":"2026-12-01T09:00:00","timezone":null,"utc":null}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			obj := Series(words.English, info, icstest.Parse(t, icstest.Event("a", c.lines...)), storetest.Start, time.UTC)
			if got := toJSON(t, obj.State.Start); got != c.start {
				t.Errorf("got start %s, want %s", got, c.start)
			}
			if got := toJSON(t, obj.State.End); got != c.end {
				t.Errorf("got end %s, want %s", got, c.end)
			}
			if obj.State.AllDay != c.allDay {
				t.Errorf("got all_day %t, want %t", obj.State.AllDay, c.allDay)
			}
			if got := toJSON(t, obj.State.Occurrence.Start); got != c.start {
				t.Errorf("got occurrence at %s, want %s", got, c.start)
			}
		})
	}
}

// Covers T-12, B-58 and B-113: the status of an object in the terms of the contract.
func TestStatusHasADefault(t *testing.T) {
	for _, c := range []struct{ component, line, want string }{
		{"VEVENT", "X-A:1", "confirmed"},
		{"VEVENT", "STATUS:TENTATIVE", "tentative"},
		{"VEVENT", "STATUS:cancelled", "cancelled"},
		{"VTODO", "X-A:1", "needs_action"},
		{"VTODO", "STATUS:IN-PROCESS", "in_process"},
		{"VTODO", "STATUS:X-WAITING", "needs_action"},
		{"VTODO", "COMPLETED:20261101T090000Z", "completed"},
		{"VTODO", "PERCENT-COMPLETE:100", "completed"},
		{"VTODO", "STATUS:NEEDS-ACTION\r\nCOMPLETED:20261101T090000Z", "needs_action"},
	} {
		o := icstest.Parse(t, icstest.Object(c.component, "a", "DTSTART:20261201T090000Z", c.line))
		if got := Status(o.Master); got != c.want {
			t.Errorf("%s with %s: got %s, want %s", c.component, c.line, got, c.want)
		}
	}
}

// A task has its own state, and values outside of their range are clamped.
func TestTaskStateIsClamped(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"nothing", []string{"SUMMARY:x"}, `{"due":null,"completed_at":null,"priority":0,"percent_complete":0,"is_overdue":false}`},
		{"everything", []string{"DUE;VALUE=DATE:20261201", "COMPLETED:20261101T090000Z", "PRIORITY:1", "PERCENT-COMPLETE:40"},
			`{"due":{"date":"2026-12-01","date_time":null,"timezone":null,"utc":null},"completed_at":"2026-11-01T09:00:00Z","priority":1,"percent_complete":40,"is_overdue":false}`},
		{"open, completed before", []string{"STATUS:NEEDS-ACTION", "COMPLETED:20261101T090000Z", "PERCENT-COMPLETE:100"},
			`{"due":null,"completed_at":null,"priority":0,"percent_complete":100,"is_overdue":false}`},
		{"a duration", []string{"DTSTART:20261201T090000Z", "DURATION:PT1H", "PRIORITY:12", "PERCENT-COMPLETE:-3"},
			`{"due":{"date":null,"date_time":"2026-12-01T10:00:00","timezone":"UTC","utc":"2026-12-01T10:00:00Z"},"completed_at":null,"priority":9,"percent_complete":0,"is_overdue":false}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			obj := Series(words.English, info, icstest.Parse(t, icstest.Object("VTODO", "a", c.lines...)), storetest.Start, time.UTC)
			if got := toJSON(t, obj.State.TaskState); got != c.want || obj.ObjectType != TaskType {
				t.Errorf("got %s %s, want %s", obj.ObjectType, got, c.want)
			}
		})
	}
}

// A recurring task stands for its first open occurrence: with its status, its texts, and
// whether it is overdue, also at other dates. The clock is at 2026-11-21 09:00 UTC. Covers B-113.
func TestRecurringTaskStandsForItsFirstOpenOccurrence(t *testing.T) {
	const series = "DTSTART:20261105T080000Z\r\nDUE:20261105T090000Z\r\nRRULE:FREQ=WEEKLY\r\nSUMMARY:Bins"
	monthly := strings.ReplaceAll(series, "WEEKLY", "MONTHLY")
	override := func(day string, lines ...string) string {
		return "\r\nEND:VTODO\r\nBEGIN:VTODO\r\nUID:a\r\nRECURRENCE-ID:202611" + day + "T080000Z\r\nDTSTART:202611" + day + "T080000Z\r\n" + strings.Join(lines, "\r\n")
	}
	for _, c := range []struct{ name, lines, want string }{
		{"never completed", series, "Bins 2026-11-05T08:00:00 needs_action overdue, others due"},
		{"one is completed", series + override("05", "STATUS:COMPLETED"), "Bins 2026-11-12T08:00:00 needs_action overdue, others due"},
		{"completed by KDE", series + "\r\nX-KDE-LIBKCAL-DTRECURRENCE:20261126T080000Z", "Bins 2026-11-26T08:00:00 needs_action"},
		{"the first one is in process", series + override("05", "DUE:20261105T090000Z", "SUMMARY:Both bins", "STATUS:IN-PROCESS"), "Both bins 2026-11-05T08:00:00 in_process overdue, others due"},
		{"only one is late", monthly, "Bins 2026-11-05T08:00:00 needs_action overdue"},
		{"only the second one is late", series + override("05", "STATUS:COMPLETED") + override("12", "STATUS:COMPLETED"), "Bins 2026-11-19T08:00:00 needs_action overdue"},
		{"the next one is due today", "DTSTART;VALUE=DATE:20261120\r\nDUE;VALUE=DATE:20261120\r\nRRULE:FREQ=DAILY\r\nSUMMARY:Bins", "Bins 2026-11-20 needs_action overdue, others due"},
		{"the next one is due tomorrow", "DTSTART;VALUE=DATE:20261120\r\nDUE;VALUE=DATE:20261120\r\nRRULE:FREQ=DAILY;INTERVAL=2\r\nSUMMARY:Bins", "Bins 2026-11-20 needs_action overdue"},
		{"one of a completed series is open", series + "\r\nSTATUS:COMPLETED" + override("19", "SUMMARY:Again"), "Again 2026-11-19T08:00:00 needs_action"},
		{"completed", series + "\r\nSTATUS:COMPLETED", "Bins 2026-11-26T08:00:00 completed"},
	} {
		o := icstest.Parse(t, icstest.Object("VTODO", "a", c.lines))
		obj := Series(words.English, info, o, storetest.Start, time.UTC)
		obj.SetOverdue(o, occurrence.Next(o, storetest.Start, time.UTC), storetest.Start, time.UTC)
		got := fmt.Sprintf("%s %s %s", obj.Title, *obj.State.Occurrence.RecurrenceID, obj.State.Status)
		if obj.State.IsOverdue {
			got += " overdue"
		}
		if obj.State.OthersDue {
			got += ", others due"
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// The time zone of a task is that of its start, or else that of its due time, so that a
// form names the zone of the times in it. Covers B-106.
func TestTaskWithoutAStartHasTheTimeZoneOfItsDueTime(t *testing.T) {
	for line, want := range map[string]string{
		"DUE;TZID=Europe/Berlin:20261201T090000": "Europe/Berlin", "DUE:20261201T090000": "", "DUE;VALUE=DATE:20261201": "", "SUMMARY:x": "",
		"DTSTART:20261201T080000Z\r\nDUE;TZID=Europe/Berlin:20261201T100000": "UTC",
	} {
		got := Series(words.English, info, icstest.Parse(t, icstest.Object("VTODO", "a", line)), storetest.Start, time.UTC).State.Timezone
		if got == nil && want != "" || got != nil && *got != want {
			t.Errorf("%q: got %v, want %q", line, got, want)
		}
	}
}

// A rendered object has the properties of its text and those that only its
// columns contain.
func TestRenderedObjectHasTextAndColumns(t *testing.T) {
	o := icstest.Parse(t, icstest.Event("uid", "DTSTART;TZID=Europe/Berlin:20261124T190000", "DURATION:PT2H", "RRULE:FREQ=WEEKLY;COUNT=5",
		"EXDATE;TZID=Europe/Berlin:20261208T190000", "RDATE;TZID=Europe/Berlin:20261209T190000", "SUMMARY:Choir", "LOCATION:Hall\\nUpstairs", "DESCRIPTION:Bring a pencil",
		"CATEGORIES:Fun,Music", "TRANSP:TRANSPARENT", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:-PT15M", "END:VALARM",
		"BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER;VALUE=DATE-TIME:20261124T120000Z", "END:VALARM"))
	obj := Series(words.English, info, o, storetest.Start, time.UTC)
	for _, c := range []struct{ name, got, want string }{
		{"title", obj.Title, "Choir"},
		{"summary", obj.Summary, "Tue 24 Nov 19:00 · Hall · Home"},
		{"recurrence", toJSON(t, obj.State.Recurrence), `{"is_recurring":true,"rrule":"FREQ=WEEKLY;COUNT=5","supported":true,"rdates":["2026-12-09T19:00:00"],"exdates":["2026-12-08T19:00:00"],"overrides":0,"text":"Every week on Tuesday, 5 times, and on selected dates"}`},
		{"occurrence", *obj.State.Occurrence.RecurrenceID, "2026-11-24T19:00:00"},
		{"alarms", toJSON(t, obj.State.Alarms), `[{"uid":"","trigger":"-PT15M","related":"end","action":"display","proximity":"","editable":true},` +
			`{"uid":"","trigger":"2026-11-24T12:00:00Z","related":"start","action":"audio","proximity":"","editable":true}]`},
		{"categories", strings.Join(obj.State.Categories, "|"), "Fun|Music"},
		{"transparency", obj.State.Transparency, "transparent"},
		{"color", obj.State.Color, "#112233"},
		{"created", toJSON(t, obj.State.CreatedAt), `"2026-11-21T09:00:00Z"`},
		{"location", obj.State.Location, "Hall\nUpstairs"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, c.got, c.want)
		}
	}
	loc, _ := svc.Zone("America/New_York")
	i, ok := o.FindInstance(o.Master.Time("DTSTART"), time.UTC)
	if obj.SummarizeIn(words.English, loc, &i); !ok || obj.Summary != "Tue 24 Nov 13:00 · Hall · Home" {
		t.Errorf("got summary %q in New York", obj.Summary)
	}
	if obj.SummarizeIn(words.English, loc, nil); obj.Summary != "Hall · Home" {
		t.Errorf("got summary %q without an occurrence", obj.Summary)
	}
	if obj.SummarizeIn(words.German, loc, &i); obj.Summary != "Di 24. Nov 13:00 · Hall · Home" {
		t.Errorf("got summary %q in German", obj.Summary)
	}
	german := Series(words.German, info, o, storetest.Start, time.UTC)
	if got := german.Summary + "\n" + german.State.Recurrence.Text; got != "Di 24. Nov 19:00 · Hall · Home\nJede Woche am Dienstag, 5-mal und an ausgewählten Tagen" {
		t.Errorf("got %q in German", got)
	}
}

// Permissions and editable fields depend on whether the calendar is read-only for
// the viewer, and on whether the object is a mirror. Covers B-56.
func TestPermissionsFollowRoleAndSource(t *testing.T) {
	mirror, readOnly, hidden := info, info, info
	mirror.Source = &Source{"social", "event", "evt_1"}
	readOnly.ReadOnly, hidden.Hidden = true, true
	event, task := icstest.Parse(t, icstest.Event("a", "DTSTART:20261201T090000Z")), icstest.Parse(t, icstest.Object("VTODO", "a", "SUMMARY:x"))
	for _, c := range []struct {
		name           string
		info           Info
		object         *ics.Object
		update, delete bool
		fields         []string
	}{
		{"an event", info, event, true, true, eventFields},
		{"a task", info, task, true, true, taskFields},
		{"a mirror", mirror, event, true, false, MirrorFields},
		{"read only", readOnly, event, false, false, nil},
	} {
		obj := Series(words.English, c.info, c.object, storetest.Start, time.UTC)
		if p := obj.Permissions; !p.CanView || p.CanUpdate != c.update || p.CanDelete != c.delete {
			t.Errorf("%s: got permissions %+v, want update %t, delete %t", c.name, p, c.update, c.delete)
		}
		if !slices.Equal(obj.State.EditableFields, c.fields) {
			t.Errorf("%s: got fields %q, want %q", c.name, obj.State.EditableFields, c.fields)
		}
	}
	if obj := Series(words.English, mirror, event, storetest.Start, time.UTC); *obj.State.SourceService != "social" || *obj.State.SourceObjectID != "evt_1" {
		t.Errorf("got source %v %v", *obj.State.SourceService, *obj.State.SourceObjectID)
	}
	if obj := Series(words.English, hidden, event, storetest.Start, time.UTC); obj.State.LocalVisibility != "hidden" {
		t.Errorf("got local_visibility %s, want hidden", obj.State.LocalVisibility)
	}
}

// Lists contain shortened objects, which name the fields that are incomplete.
// Covers L-12.
func TestSummarizedObjectNamesTruncatedFields(t *testing.T) {
	dates := make([]string, 300)
	for i := range dates {
		dates[i] = storetest.Start.AddDate(0, 0, i).Format("20060102T150405Z")
	}
	o := icstest.Parse(t, icstest.Event(strings.Repeat("u", 1100), "DTSTART:20261121T090000Z", "RRULE:FREQ=DAILY", "EXDATE:"+strings.Join(dates, ","),
		"SUMMARY:"+strings.Repeat("ä", 300), "LOCATION:"+strings.Repeat("l", 2000), "DESCRIPTION:"+strings.Repeat("字", 9000), "CATEGORIES:"+strings.Repeat("c,", 300)+"d"))
	obj := Summarize(words.English, info, o, o.Master, nil)
	if got, want := strings.Join(obj.State.Truncated, " "), "title uid location description exdates categories"; got != want {
		t.Errorf("got truncated fields %q, want %q", got, want)
	}
	if got, want := []int{len(obj.Title), len(obj.State.Location), len(obj.State.Description), len(obj.State.Recurrence.ExDates), len(obj.State.Categories)}, []int{400, 1000, 24000, 200, 200}; !slices.Equal(got, want) {
		t.Errorf("got lengths %v, want %v", got, want)
	}
	if got := obj.TextSize(); got < 25_000 || got > 40_000 {
		t.Errorf("got a text size of %d", got)
	}
	rendered := Render(words.English, info, o, o.Master, nil)
	if len(rendered.State.Truncated) != 0 || len(rendered.State.Recurrence.ExDates) != 300 {
		t.Errorf("Render: got truncated %q and %d dates, want all", rendered.State.Truncated, len(rendered.State.Recurrence.ExDates))
	}
}

// A Summarizer returns the same as Summarize for each occurrence.
func TestSummarizerEqualsSummarize(t *testing.T) {
	d := icstest.NewRand(1)
	for range 200 {
		o := icstest.Parse(t, d.CalendarObject("uid"))
		s := NewSummarizer(words.English, info, o)
		list, _ := o.Instances(time.Time{}, time.Time{}, time.UTC, 20)
		for _, i := range list {
			if got, want := toJSON(t, s.Summarize(i)), toJSON(t, Summarize(words.English, info, o, i.Component, &i)); got != want {
				t.Errorf("got %s, want %s\n%s", got, want, o.Raw)
			}
		}
	}
}

// Texts are shortened by code points, not octets. Covers B-83.
func TestTruncateCountsCodePoints(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äöü"}, {"", 0, ""}, {"a", 0, ""}} {
		if got := Truncate(c.text, c.limit); got != c.want {
			t.Errorf("Truncate(%q, %d): got %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

// Each object type has one component.
func TestComponentOfObjectType(t *testing.T) {
	for objectType, want := range map[string]string{EventType: "VEVENT", TaskType: "VTODO", "party": "", "": ""} {
		if got := Component(objectType); got != want {
			t.Errorf("Component(%q): got %q, want %q", objectType, got, want)
		}
	}
}

// Members see the alarms that ring. They cannot edit alarms that send a message or depend
// on a place. Covers B-120.
func TestAlarmsThatFormsCannotEditAreReadOnly(t *testing.T) {
	for _, c := range []struct {
		name, lines string
		want        string // "": hidden
	}{
		{"display", "ACTION:DISPLAY\r\nTRIGGER:-PT15M", " -PT15M display  true"},
		{"a UID", "UID:a-1\r\nACTION:AUDIO\r\nTRIGGER:-P1D", "a-1 -P1D audio  true"},
		{"no action", "TRIGGER:-PT15M", " -PT15M   true"},
		{"none", "ACTION:NONE\r\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z", ""},
		{"none, in lower case", "ACTION:none\r\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z", ""},
		{"email", "ACTION:EMAIL\r\nTRIGGER:-P1D\r\nATTENDEE:mailto:ann@example.org", " -P1D email  false"},
		{"procedure", "ACTION:PROCEDURE\r\nTRIGGER:-P1D\r\nATTACH:file:///bin/bell", " -P1D procedure  false"},
		{"an action of a vendor", "ACTION:X-LAMP\r\nTRIGGER:-P1D", " -P1D x-lamp  false"},
		{"a place of Apple", "ACTION:DISPLAY\r\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\r\nX-APPLE-PROXIMITY:DEPART", " 1976-04-01T00:55:45Z display depart false"},
		{"a place", "ACTION:DISPLAY\r\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\r\nPROXIMITY:ARRIVE\r\nBEGIN:VLOCATION\r\nUID:l\r\nURL:geo:40.4,-82.6\r\nEND:VLOCATION", " 1976-04-01T00:55:45Z display arrive false"},
		{"no trigger", "ACTION:DISPLAY", ""},
	} {
		o := icstest.Parse(t, icstest.Event("a", "DTSTART:20261201T090000Z", "BEGIN:VALARM", c.lines, "END:VALARM"))
		got := ""
		for _, a := range Series(words.English, info, o, storetest.Start, time.UTC).State.Alarms {
			got += fmt.Sprint(a.UID, " ", a.Trigger, " ", a.Action, " ", a.Proximity, " ", a.Editable)
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
