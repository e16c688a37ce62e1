package edit

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/view"
)

var berlin = zone("Europe/Berlin")

func zone(name string) *ics.Zone {
	z, ok := ics.LoadZone(name)
	if !ok {
		panic("unknown time zone " + name)
	}
	return z
}

// decode returns a change from JSON.
func decode(t testing.TB, text string) (in ObjectChange) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return in
}

// create returns a new object in Europe/Berlin from JSON.
func create(t testing.TB, component, text string) (*ics.Object, error) {
	t.Helper()
	r, err := New(component, decode(t, text).Change, berlin, storetest.Start)
	return r.Object, err
}

// apply returns an object after a change in JSON.
func apply(t testing.TB, o *ics.Object, text string) (Result, error) {
	t.Helper()
	return decode(t, text).Apply(o, berlin.Location(), storetest.Start)
}

// mustApply is apply; it fails the test on an error.
func mustApply(t testing.TB, o *ics.Object, text string) Result {
	t.Helper()
	r, err := apply(t, o, text)
	if err != nil {
		t.Fatalf("%s: %v\n%s", text, err, o.Raw)
	}
	return r
}

// instance is the part of an occurrence that edits change.
type instance struct{ Title, Start, End string }

// occurrences returns the occurrences of an object from 2026 to 2028 by their
// recurrence ids, or by their start if the object does not recur.
func occurrences(o *ics.Object) map[string]instance {
	all := make(map[string]instance)
	if o == nil {
		return all
	}
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, berlin.Location())
	for i := range o.InstancesSeq(from, from.AddDate(3, 0, 0), berlin.Location()) {
		all[keyOf(i)] = instance{i.Component.Text("SUMMARY"), view.FormatTime(i.Start), view.FormatTime(i.End)}
	}
	return all
}

func keyOf(i ics.Instance) string {
	switch {
	case !i.RecurrenceID.IsZero():
		return view.FormatTime(i.RecurrenceID)
	case i.Start.IsZero():
		return view.FormatTime(i.End)
	}
	return view.FormatTime(i.Start)
}

// wantCode fails the test unless err has the code and names these fields.
func wantCode(t testing.TB, err error, code svc.Code, fields string) {
	t.Helper()
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got error %v, want code %s", err, code.Name)
		return
	}
	var got []string
	for _, f := range e.Fields {
		got = append(got, f.Name)
	}
	if strings.Join(got, " ") != fields {
		t.Errorf("got fields %q, want %q", got, fields)
	}
}

// An invalid value is rejected, and the error names its fields. Covers T-38,
// E-17, B-56, B-58 and B-83.
func TestInvalidValuesAreRejected(t *testing.T) {
	event, err := create(t, "VEVENT", `{"title": "Weekly", "start": "2026-12-01T09:00:00", "rrule": "FREQ=WEEKLY"}`)
	if err != nil {
		t.Fatal(err)
	}
	task, err := create(t, "VTODO", `{"title": "Taxes", "due": "2026-12-31"}`)
	if err != nil {
		t.Fatal(err)
	}
	const newEvent, newTask = "new event", "new task"
	with := func(more string) string { return `{"title": "x", "start": "2026-12-01T09:00:00", ` + more + `}` }
	for _, c := range []struct {
		name, on, change string
		code             svc.Code
		fields           string
	}{
		{"no title and no start", newEvent, `{}`, svc.FieldRequired, "title start"},
		{"an empty title", newTask, `{"title": " "}`, svc.FieldRequired, "title"},
		{"no start", newEvent, `{"title": "x"}`, svc.FieldRequired, "start"},
		{"a title with a line break", newTask, `{"title": "a\nb"}`, svc.InvalidValue, "title"},
		{"a title with a NUL", newTask, `{"title": "a\u0000b"}`, svc.InvalidValue, "title"},
		{"a long title", newTask, `{"title": "` + strings.Repeat("ä", 201) + `"}`, svc.TooLong, "title"},
		{"a long description", newEvent, with(`"description": "` + strings.Repeat("ä", 8001) + `"`), svc.TooLong, "description"},
		{"a long location", newEvent, with(`"location": "` + strings.Repeat("ä", 1001) + `"`), svc.TooLong, "location"},
		{"a description with a NUL", newEvent, with(`"description": "a\u0000b"`), svc.InvalidValue, "description"},
		{"too many categories", newEvent, with(`"categories": [` + strings.Repeat(`"x",`, 200) + `"x"]`), svc.TooLong, "categories"},
		{"an empty category", newEvent, with(`"categories": [""]`), svc.FieldRequired, "categories"},
		{"an end before the start", newEvent, with(`"end": "2026-12-01T08:59:59"`), svc.EndBeforeStart, "end"},
		{"an exclusive end on the first day", newEvent, `{"title": "x", "start": "2026-12-01", "end": "2026-12-01"}`, svc.EndBeforeStart, "end"},
		{"due before the start", newTask, `{"title": "x", "start": "2026-12-02", "due": "2026-12-01"}`, svc.EndBeforeStart, "due"},
		{"a start that is not a time", newEvent, `{"title": "x", "start": "tomorrow"}`, svc.InvalidValue, "start"},
		{"a date that does not exist", newEvent, `{"title": "x", "start": "2026-02-30"}`, svc.InvalidValue, "start"},
		{"a year too far back", newEvent, `{"title": "x", "start": "0001-01-01T00:00:00"}`, svc.InvalidValue, "start"},
		{"a year too far ahead", newEvent, `{"title": "x", "start": "9999-01-01T00:00:00"}`, svc.InvalidValue, "start"},
		{"a date without all_day", newEvent, `{"title": "x", "start": "2026-12-01", "all_day": false}`, svc.InvalidValue, "start"},
		{"an unknown time zone", newEvent, with(`"timezone": "Mars/Olympus"`), svc.InvalidValue, "timezone"},
		{"the time zone of the machine", newEvent, with(`"timezone": "Local"`), svc.InvalidValue, "timezone"},
		{"a path as a time zone", newEvent, with(`"timezone": "../../etc/passwd"`), svc.InvalidValue, "timezone"},
		{"an unknown frequency", newEvent, with(`"rrule": "FREQ=OFTEN"`), svc.InvalidRecurrence, "rrule"},
		{"a count out of range", newEvent, with(`"rrule": "FREQ=DAILY;COUNT=99999999999999999999"`), svc.InvalidRecurrence, "rrule"},
		{"a rule with a line break", newEvent, with(`"rrule": "FREQ=DAILY\r\nATTENDEE:x"`), svc.InvalidRecurrence, "rrule"},
		{"a recurring task without a date", newTask, `{"title": "x", "rrule": "FREQ=DAILY"}`, svc.InvalidRecurrence, "rrule"},
		{"an excluded date that is not a time", newEvent, with(`"exdates": ["never"]`), svc.InvalidValue, "exdates"},
		{"too many dates", newEvent, with(`"rdates": [` + strings.Repeat(`"2026-12-02T09:00:00",`, 200) + `"2026-12-02T09:00:00"]`), svc.TooLong, "rdates"},
		{"a status of tasks", newEvent, with(`"status": "completed"`), svc.InvalidValue, "status"},
		{"several fields", newEvent, with(`"status": "odd", "description": "` + strings.Repeat("x", 8001) + `"`), svc.TooLong, "description status"},
		{"a status of events", "task", `{"status": "confirmed"}`, svc.InvalidValue, "status"},
		{"a priority above 9", "task", `{"priority": 10}`, svc.InvalidValue, "priority"},
		{"a negative percentage", "task", `{"percent_complete": -1}`, svc.InvalidValue, "percent_complete"},
		{"a percentage above 100", "task", `{"percent_complete": 101}`, svc.InvalidValue, "percent_complete"},
		{"completed at no time", "task", `{"completed_at": "yesterday"}`, svc.InvalidValue, "completed_at"},
		{"an alarm at no time", "task", `{"alarms": [{"trigger": "soon"}]}`, svc.InvalidValue, "alarms"},
		{"an alarm with an unknown action", "task", `{"alarms": [{"trigger": "-PT5M", "action": "email"}]}`, svc.InvalidValue, "alarms"},
		{"an alarm too early", "task", `{"alarm_minutes": 40321}`, svc.InvalidValue, "alarm_minutes"},
		{"no start any more", "event", `{"start": null}`, svc.FieldRequired, "start"},
		{"no title any more", "event", `{"title": null}`, svc.FieldRequired, "title"},
		{"an end before the existing start", "event", `{"end": "2026-11-01T09:00:00"}`, svc.EndBeforeStart, "end"},
		{"a color of an event", "event", `{"color": "#112233"}`, svc.InvalidValue, "color"},
		{"this without a recurrence id", "event", `{"title": "x", "scope": "this"}`, svc.FieldRequired, "recurrence_id"},
		{"an occurrence that does not exist", "event", `{"title": "x", "scope": "this", "recurrence_id": "2026-12-02T09:00:00"}`, svc.NotFound, "recurrence_id"},
		{"a recurrence id that is not a time", "event", `{"title": "x", "scope": "this", "recurrence_id": "x"}`, svc.InvalidValue, "recurrence_id"},
		{"a rule of one occurrence", "event", `{"rrule": "FREQ=DAILY", "scope": "this", "recurrence_id": "2026-12-08T09:00:00"}`, svc.InvalidValue, "rrule"},
		{"a calendar of one occurrence", "event", `{"calendar_id": "cal_1", "scope": "this", "recurrence_id": "2026-12-08T09:00:00"}`, svc.InvalidValue, "calendar_id"},
		{"an occurrence of a task without recurrence", "task", `{"title": "x", "scope": "this", "recurrence_id": "2026-12-31"}`, svc.NotFound, "recurrence_id"},
		{"an invalid value and a missing title", "event", `{"title": "", "status": "x"}`, svc.FieldRequired, "title status"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			switch c.on {
			case newEvent:
				_, err = create(t, "VEVENT", c.change)
			case newTask:
				_, err = create(t, "VTODO", c.change)
			case "event":
				_, err = apply(t, event, c.change)
			case "task":
				_, err = apply(t, task, c.change)
			}
			wantCode(t, err, c.code, c.fields)
		})
	}
}

// A change that makes an object larger than the limit is rejected. Covers B-83.
func TestObjectsDoNotGrowBeyondTheLimit(t *testing.T) {
	text := icstest.Event("big", "DTSTART:20261201T090000Z", "X-FILLER:"+strings.Repeat("x", ics.MaxSize-1000))
	_, err := apply(t, icstest.Parse(t, text), `{"description": "`+strings.Repeat("d", 5000)+`"}`)
	wantCode(t, err, svc.TooLong, "")
}

// Members may change only their own fields of a mirror. Covers B-62 and T-23.
func TestMembersChangeOnlyTheirFieldsOfAMirror(t *testing.T) {
	for _, c := range []struct {
		change string
		code   svc.Code // zero if allowed
		fields string
	}{
		{`{"calendar_id": "cal_1", "color": "#112233", "local_visibility": "hidden", "alarms": []}`, svc.Code{}, ""},
		{`{"alarm_minutes": 5}`, svc.Code{}, ""},
		{`{"title": "x", "start": "2026-12-01", "color": "#112233"}`, svc.SocialOwnedField, "start title"},
		{`{"alarms": [], "scope": "this", "recurrence_id": "2026-12-01"}`, svc.InvalidValue, "scope"},
		{`{"color": "red"}`, svc.InvalidValue, "color"},
	} {
		err := decode(t, c.change).CheckMirror()
		if c.code == (svc.Code{}) {
			if err != nil {
				t.Errorf("%s: got error %v, want none", c.change, err)
			}
			continue
		}
		wantCode(t, err, c.code, c.fields)
	}
	if _, ok := decode(t, `{"color": "#112233", "local_visibility": "hidden"}`).MirrorTextChange(); ok {
		t.Error("color and visibility change the text, want not")
	}
	if own, ok := decode(t, `{"color": "#112233", "alarms": []}`).MirrorTextChange(); !ok || !slices.Equal(own.fields(), []string{"alarms"}) {
		t.Errorf("got fields %q of the text, want alarms", own.fields())
	}
}
