package calendar

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers T-06, T-38, E-02, E-17, PT-40 and B-56: what is refused says why, by
// the name of the field, and changes nothing.
func TestTimeWritesThatAreRefused(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	theirs := bea.Do("GET", "/world/calendars").Str("calendars.0.id")
	event := func(rest string) string {
		return `{"object_type": "calendar_event", "title": "T", "start": "2026-12-01T09:00:00", ` + rest + `}`
	}
	for _, c := range []struct {
		name, body string
		status     int
		code       string
		fields     []string
	}{
		{"nothing at all", `{}`, 400, "field_required", []string{"object_type", "title"}},
		{"an event without a title and a start", `{"object_type": "calendar_event"}`, 400, "field_required", []string{"title", "start"}},
		{"a task without a title", `{"object_type": "task"}`, 400, "field_required", []string{"title"}},
		{"an unknown type", `{"object_type": "party", "title": "T"}`, 422, "invalid_value", []string{"object_type"}},
		{"an end before the start", event(`"end": "2026-12-01T08:00:00"`), 422, "end_before_start", []string{"end"}},
		{"a task due before it starts", `{"object_type": "task", "title": "T", "start": "2026-12-02", "due": "2026-12-01"}`, 422, "end_before_start", []string{"due"}},
		{"a day that is over before it begins", `{"object_type": "calendar_event", "title": "T", "start": "2026-12-01", "end": "2026-12-01"}`, 422, "end_before_start", []string{"end"}},
		{"a calendar of another member", event(`"calendar_id": "` + theirs + `"`), 404, "not_found", nil},
		{"a time that is none", `{"object_type": "calendar_event", "title": "T", "start": "tomorrow"}`, 422, "invalid_value", []string{"start"}},
		{"a year long ago", `{"object_type": "calendar_event", "title": "T", "start": "0001-01-01T00:00:00"}`, 422, "invalid_value", []string{"start"}},
		{"a year too far ahead", `{"object_type": "calendar_event", "title": "T", "start": "9999-01-01T00:00:00"}`, 422, "invalid_value", []string{"start"}},
		{"a zone that is none", event(`"timezone": "../../etc/localtime"`), 422, "invalid_value", []string{"timezone"}},
		{"a rule that is none", event(`"rrule": "FREQ=SOMETIMES"`), 422, "invalid_recurrence", []string{"rrule"}},
		{"a status of tasks", event(`"status": "completed"`), 422, "invalid_value", []string{"status"}},
		{"a priority beyond nine", `{"object_type": "task", "title": "T", "priority": 10}`, 422, "invalid_value", []string{"priority"}},
		{"more than all of it done", `{"object_type": "task", "title": "T", "percent_complete": 101}`, 422, "invalid_value", []string{"percent_complete"}},
		{"an alarm that is none", event(`"alarms": [{"trigger": "soon"}]`), 422, "invalid_value", []string{"alarms"}},
		{"a title without end", `{"object_type": "task", "title": "` + strings.Repeat("x", 201) + `"}`, 422, "too_long", []string{"title"}},
		{"several things at once", event(`"status": "odd", "transparency": "odd", "description": "` + strings.Repeat("x", 8001) + `"`), 422, "too_long", []string{"description", "status", "transparency"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ann.Do("POST", "/world/time/objects", c.body).WantError(c.status, c.code).WantFields(c.fields...)
		})
	}
	if n := len(ann.Do("GET", "/world/time/objects?start=2026-01-01&end=2027-12-31").List("objects")); n != 0 {
		t.Errorf("%d entries after refusals", n)
	}
}

// Covers T-09, T-10, T-11 and B-56: the ways to say when something is.
func TestTimesOfEntries(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for _, c := range []struct{ name, times, lines string }{
		{"a time is one of the calendar's zone, and takes an hour", `"start": "2026-12-01T09:00:00"`,
			"DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Europe/Berlin:20261201T100000"},
		{"a zone is kept", `"start": "2026-12-01T09:00:00", "end": "2026-12-01T09:30:00", "timezone": "Asia/Tokyo"`,
			"DTSTART;TZID=Asia/Tokyo:20261201T090000 DTEND;TZID=Asia/Tokyo:20261201T093000"},
		{"an offset is converted", `"start": "2026-12-01T09:00:00+05:00", "timezone": "Europe/Berlin"`,
			"DTSTART;TZID=Europe/Berlin:20261201T050000 DTEND;TZID=Europe/Berlin:20261201T060000"},
		{"without a zone a time is wherever one is", `"start": "2026-12-01T09:00:00", "timezone": null`,
			"DTSTART:20261201T090000 DTEND:20261201T100000"},
		{"a day takes a day", `"start": "2026-12-01"`,
			"DTSTART;VALUE=DATE:20261201 DTEND;VALUE=DATE:20261202"},
		{"all day makes days of times", `"start": "2026-12-01T09:00:00", "end": "2026-12-03T00:00:00", "all_day": true`,
			"DTSTART;VALUE=DATE:20261201 DTEND;VALUE=DATE:20261203"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "T", `+c.times+`}`).Want(201)
			id := o.Str("object.id")
			if again := ann.Do("GET", "/world/time/objects/"+id).Want(200); fmt.Sprint(again.At("object")) != fmt.Sprint(o.At("object")) {
				t.Errorf("read as %s", again.Body)
			}
			if o.At("object.state.all_day") != strings.Contains(c.lines, "VALUE=DATE") {
				t.Errorf("all_day %v", o.At("object.state.all_day"))
			}
			ics := ann.Basic().Do("GET", ann.DefaultCalendar()+id+".ics").Want(200).Body
			var lines []string
			_, event, _ := strings.Cut(ics, "BEGIN:VEVENT")
			for line := range strings.SplitSeq(event, "\r\n") {
				if strings.HasPrefix(line, "DTSTART") || strings.HasPrefix(line, "DTEND") {
					lines = append(lines, line)
				}
			}
			if got := strings.Join(lines, " "); got != c.lines {
				t.Errorf("written as %s, want %s", got, c.lines)
			}
		})
	}
}

// Covers T-39: whoever changes what somebody else has changed is told.
func TestStaleChangesAreRefused(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	o := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "One"}`).Want(201)
	self, old := o.Str("object.links.self"), o.Str("object.state.etag")
	ann.Do("PATCH", self, map[string]any{"title": "Two", "etag": old}).Want(200)
	ann.Do("PATCH", self, map[string]any{"title": "Three", "etag": old}).WantError(412, "version_conflict")
	ann.With("If-Match", old).Do("PATCH", self, `{"title": "Three"}`).WantError(412, "version_conflict")
	ann.With("If-Match", old).Do("DELETE", self).WantError(412, "version_conflict")
	now := ann.Do("GET", self).Want(200)
	if now.Str("object.title") != "Two" {
		t.Errorf("title %s", now.Str("object.title"))
	}
	ann.With("If-Match", now.Str("object.state.etag")).Do("DELETE", self).Want(200)
	ann.Do("GET", self).WantError(404, "not_found")
}

// Covers T-02, T-03, T-40 and B-55.
func TestCalendarsOfAMember(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	first := ann.Do("GET", "/world/calendars").Want(200)
	if n := len(first.List("calendars")); n != 1 || first.At("calendars.0.is_default") != true || first.Str("calendars.0.timezone") != "Europe/Berlin" {
		t.Fatalf("a new member has %s", first.Body)
	}
	home := first.Str("calendars.0.id")
	ann.Do("DELETE", "/world/calendars/"+home).WantError(422, "default_calendar")

	work := ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201).Str("calendar.id")
	changed := ann.Do("PATCH", "/world/calendars/"+work, `{"name": "Office", "color": "#00FF00", "description": "Desk"}`).Want(200)
	if changed.Str("calendar.name") != "Office" || changed.Str("calendar.color") != "#00ff00" || changed.Str("calendar.description") != "Desk" {
		t.Errorf("changed to %s", changed.Body)
	}
	in := func(calendar, title string) string {
		return ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": title, "calendar_id": calendar}).Want(201).Str("object.id")
	}
	kept := in(work, "Kept")
	ann.Do("DELETE", "/world/calendars/"+work+"?move_to="+work).WantError(422, "invalid_value").WantFields("move_to")
	ann.Do("DELETE", "/world/calendars/"+work+"?move_to=none").WantError(404, "not_found")
	if a := ann.Do("DELETE", "/world/calendars/"+work+"?move_to="+home).Want(200); a.At("moved") != 1.0 {
		t.Errorf("moved: %s", a.Body)
	}
	if got := ann.Do("GET", "/world/time/objects/"+kept).Want(200).Str("object.state.calendar_id"); got != home {
		t.Errorf("it is in %s", got)
	}

	// What goes with a calendar are its own entries, not the mirrors in it.
	club := ann.Do("POST", "/world/calendars", `{"name": "Club"}`).Want(201).Str("calendar.id")
	lost, mirror := in(club, "Lost"), in(club, "Mirror")
	h.Exec("UPDATE calendar_object SET source_service = 'social', source_object_type = 'event', source_object_id = 'evt_1' WHERE id = '" + mirror + "'")
	ann.Do("DELETE", "/world/calendars/"+club).Want(200)
	ann.Do("GET", "/world/calendars/"+club).WantError(404, "not_found")
	ann.Do("GET", "/world/time/objects/"+lost).WantError(404, "not_found")
	if got := ann.Do("GET", "/world/time/objects/"+mirror).Want(200).Str("object.state.calendar_id"); got != home {
		t.Errorf("the mirror is in %s", got)
	}
}
