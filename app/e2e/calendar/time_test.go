package calendar

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// What is wrong with an entry is said with the name of the field, and nothing
// has changed. Covers T-38, T-39, E-17, B-02, B-56, B-58, B-83 and PT-40.
func TestRefusedEntriesChangeNothing(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	hers := bea.Do("GET", "/world/calendars").Str("calendars.0.id")
	event := ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Weekly", "start": "2026-12-01T09:00:00", "rrule": "FREQ=WEEKLY"}`).Want(201)
	task := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes", "due": "2026-12-31"}`).Want(201)
	old := event.Str("object.state.etag")
	ann.Do("PATCH", event.Str("object.links.self"), `{"title": "Every week"}`).Want(200)
	post, onEvent, onTask := "POST /world/time/objects", "PATCH "+event.Str("object.links.self"), "PATCH "+task.Str("object.links.self")
	whole := `{"object_type": "calendar_event", "title": "x", "start": "2026-12-01T09:00:00"%s}`
	with := func(more string) string { return fmt.Sprintf(whole, ", "+more) }
	for _, c := range []struct {
		name, request, body string
		status              int
		code, field         string
	}{
		{"nothing", post, `{}`, 400, "field_required", "object_type title"},
		{"a type that is none", post, `{"object_type": "party", "title": "x"}`, 422, "invalid_value", "object_type"},
		{"no title", post, `{"object_type": "calendar_event", "start": "2026-12-01T09:00:00"}`, 400, "field_required", "title"},
		{"an empty title", post, `{"object_type": "task", "title": " "}`, 400, "field_required", "title"},
		{"no start", post, `{"object_type": "calendar_event", "title": "x"}`, 400, "field_required", "start"},
		{"a title of two lines", post, `{"object_type": "task", "title": "a\nb"}`, 422, "invalid_value", "title"},
		{"a title with a NUL", post, `{"object_type": "task", "title": "a\u0000b"}`, 422, "invalid_value", "title"},
		{"a long title", post, `{"object_type": "task", "title": "` + strings.Repeat("ä", 201) + `"}`, 422, "too_long", "title"},
		{"a long description", post, with(`"description": "` + strings.Repeat("ä", 8001) + `"`), 422, "too_long", "description"},
		{"a long place", post, with(`"location": "` + strings.Repeat("ä", 1001) + `"`), 422, "too_long", "location"},
		{"a description with a NUL", post, with(`"description": "a\u0000b"`), 422, "invalid_value", "description"},
		{"the end before the start", post, with(`"end": "2026-12-01T08:59:59"`), 422, "end_before_start", "end"},
		{"days that end on their first", post, `{"object_type": "calendar_event", "title": "x", "start": "2026-12-01", "end": "2026-12-01"}`, 422, "end_before_start", "end"},
		{"due before the start", post, `{"object_type": "task", "title": "x", "start": "2026-12-02", "due": "2026-12-01"}`, 422, "end_before_start", "due"},
		{"a start that is no time", post, `{"object_type": "calendar_event", "title": "x", "start": "tomorrow"}`, 422, "invalid_value", "start"},
		{"a day that is none", post, `{"object_type": "calendar_event", "title": "x", "start": "2026-02-30"}`, 422, "invalid_value", "start"},
		{"a year that is none", post, `{"object_type": "calendar_event", "title": "x", "start": "0001-01-01T00:00:00"}`, 422, "invalid_value", "start"},
		{"a day where a time is asked for", post, `{"object_type": "calendar_event", "title": "x", "start": "2026-12-01", "all_day": false}`, 422, "invalid_value", "start"},
		{"a zone that is none", post, with(`"timezone": "Mars/Olympus"`), 422, "invalid_value", "timezone"},
		{"the machine's zone", post, with(`"timezone": "Local"`), 422, "invalid_value", "timezone"},
		{"a zone that is a path", post, with(`"timezone": "../../etc/passwd"`), 422, "invalid_value", "timezone"},
		{"a rule that is none", post, with(`"rrule": "FREQ=OFTEN"`), 422, "invalid_recurrence", "rrule"},
		{"a rule of a million", post, with(`"rrule": "FREQ=DAILY;COUNT=99999999999999999999"`), 422, "invalid_recurrence", "rrule"},
		{"a rule with a line of its own", post, with(`"rrule": "FREQ=DAILY\r\nATTENDEE:x"`), 422, "invalid_recurrence", "rrule"},
		{"a task without a date that repeats", post, `{"object_type": "task", "title": "x", "rrule": "FREQ=DAILY"}`, 422, "invalid_recurrence", "rrule"},
		{"a date to leave out that is none", post, with(`"exdates": ["never"]`), 422, "invalid_value", "exdates"},
		{"a status of tasks", post, with(`"status": "completed"`), 422, "invalid_value", "status"},
		{"a status of events", onTask, `{"status": "confirmed"}`, 422, "invalid_value", "status"},
		{"a priority of ten", onTask, `{"priority": 10}`, 422, "invalid_value", "priority"},
		{"less than nothing", onTask, `{"percent_complete": -1}`, 422, "invalid_value", "percent_complete"},
		{"done at no time", onTask, `{"completed_at": "yesterday"}`, 422, "invalid_value", "completed_at"},
		{"an alarm at no time", onTask, `{"alarms": [{"trigger": "soon"}]}`, 422, "invalid_value", "alarms"},
		{"an alarm that does what nobody can", onTask, `{"alarms": [{"trigger": "-PT5M", "action": "email"}]}`, 422, "invalid_value", "alarms"},
		{"transparency of another kind", onEvent, `{"transparency": "translucent"}`, 422, "invalid_value", "transparency"},
		{"a list that is none", onEvent, `{"categories": "work"}`, 400, "malformed_body", "categories"},
		{"a number that is text", onTask, `{"priority": "high"}`, 400, "malformed_body", "priority"},
		{"a title that is a list", onEvent, `{"title": ["x"]}`, 400, "malformed_body", "title"},
		{"no JSON", onEvent, `{"title"`, 400, "malformed_body", ""},
		{"somebody else's calendar", post, with(`"calendar_id": "` + hers + `"`), 404, "not_found", ""},
		{"no calendar at all", post, with(`"calendar_id": "cal_none"`), 404, "not_found", ""},
		{"no start any more", onEvent, `{"start": null}`, 400, "field_required", "start"},
		{"no title any more", onEvent, `{"title": null}`, 400, "field_required", "title"},
		{"the end before the start, later", onEvent, `{"end": "2026-11-01T09:00:00"}`, 422, "end_before_start", "end"},
		{"a scope that is none", onEvent, `{"title": "x", "scope": "some"}`, 422, "invalid_value", "scope"},
		{"one instance, but not which", onEvent, `{"title": "x", "scope": "this"}`, 400, "field_required", "recurrence_id"},
		{"an instance that is none", onEvent, `{"title": "x", "scope": "this", "recurrence_id": "2026-12-02T09:00:00"}`, 404, "not_found", "recurrence_id"},
		{"an instance at no time", onEvent, `{"title": "x", "scope": "this", "recurrence_id": "x"}`, 422, "invalid_value", "recurrence_id"},
		{"a rule of one instance", onEvent, `{"rrule": "FREQ=DAILY", "scope": "this", "recurrence_id": "2026-12-08T09:00:00"}`, 422, "invalid_value", "rrule"},
		{"an instance of a task that has one", onTask, `{"title": "x", "scope": "this", "recurrence_id": "2026-12-31"}`, 404, "not_found", "recurrence_id"},
		{"an old ETag", onEvent, `{"title": "x", "etag": "` + strings.ReplaceAll(old, `"`, `\"`) + `"}`, 412, "version_conflict", ""},
		{"two things at once", onEvent, `{"title": "", "status": "x"}`, 400, "field_required", ""},
	} {
		h.WantUnchanged(c.name, func() {
			method, path, _ := strings.Cut(c.request, " ")
			a := ann.Do(method, path, c.body).WantError(c.status, c.code)
			if c.field != "" {
				a.WantFields(strings.Fields(c.field)...)
			}
		})
	}
	h.WantUnchanged("an old ETag in a header", func() {
		ann.With("If-Match", old).Do("PATCH", event.Str("object.links.self"), `{"title": "x"}`).WantError(412, "version_conflict")
		ann.With("If-Match", old).Do("DELETE", event.Str("object.links.self")).WantError(412, "version_conflict")
		ann.Do("DELETE", event.Str("object.links.self")+"?scope=this").WantError(400, "field_required")
		ann.Do("DELETE", event.Str("object.links.self")+"?scope=this&recurrence_id=2026-12-02T09:00:00").WantError(404, "not_found")
		ann.Do("DELETE", event.Str("object.links.self")+"?scope=some").WantError(422, "invalid_value")
	})
}

// Covers T-02, T-03, T-40, B-02 and B-55.
func TestRefusedCalendarsChangeNothing(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	first := ann.Do("GET", "/world/calendars").Want(200)
	if len(first.List("calendars")) != 1 || first.At("calendars.0.is_default") != true || first.Str("calendars.0.name") != "Calendar" {
		t.Errorf("a new member has %s", first.Body)
	}
	usual, hers := first.Str("calendars.0.id"), bea.Do("GET", "/world/calendars").Str("calendars.0.id")
	work := ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
	id, etag := work.Str("calendar.id"), work.Str("calendar.etag")
	ann.Do("PATCH", "/world/calendars/"+id, `{"name": "Office"}`).Want(200)
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		code, field              string
	}{
		{"no name", "POST", "", `{}`, 400, "field_required", "name"},
		{"a long name", "POST", "", `{"name": "` + strings.Repeat("x", 81) + `"}`, 422, "too_long", "name"},
		{"a colour that is none", "POST", "", `{"name": "x", "color": "red"}`, 422, "invalid_value", "color"},
		{"a zone that is none", "POST", "", `{"name": "x", "timezone": "x"}`, 422, "invalid_value", "timezone"},
		{"no name any more", "PATCH", "/" + id, `{"name": ""}`, 400, "field_required", "name"},
		{"another colour that is none", "PATCH", "/" + id, `{"color": "#12345"}`, 422, "invalid_value", "color"},
		{"an order that is none", "PATCH", "/" + id, `{"order": "first"}`, 400, "malformed_body", "order"},
		{"an old ETag", "PATCH", "/" + id, `{"name": "x", "etag": "` + strings.ReplaceAll(etag, `"`, `\"`) + `"}`, 412, "version_conflict", ""},
		{"one that is not there", "PATCH", "/cal_none", `{"name": "x"}`, 404, "not_found", ""},
		{"the default calendar", "DELETE", "/" + usual, "", 422, "default_calendar", ""},
		{"into itself", "DELETE", "/" + id + "?move_to=" + id, "", 422, "invalid_value", "move_to"},
		{"into nothing", "DELETE", "/" + id + "?move_to=cal_none", "", 404, "not_found", ""},
		{"into somebody else's", "DELETE", "/" + id + "?move_to=" + hers, "", 404, "not_found", ""},
	} {
		h.WantUnchanged(c.name, func() {
			var a *apptest.Answer
			if c.body == "" {
				a = ann.Do(c.method, "/world/calendars"+c.path)
			} else {
				a = ann.Do(c.method, "/world/calendars"+c.path, c.body)
			}
			if a.WantError(c.status, c.code); c.field != "" {
				a.WantFields(c.field)
			}
		})
	}
}

// What is in a calendar goes with it, or where it is told to, and every
// program hears of it. Covers T-03, B-55, B-63 and PT-28.
func TestDeletedCalendars(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav, home := ann.Basic(), ann.DefaultCalendar()
	usual := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	for _, name := range []string{"a.ics", "same.ics"} {
		dav.Do("PUT", home+name, apptest.VEvent("home "+name, "DTSTART:20261201T150000Z")).Want(201)
	}
	dav.Do("PUT", home+"gone.ics", apptest.VEvent("home gone", "DTSTART:20261201T150000Z")).Want(201)
	dav.Do("DELETE", home+"gone.ics").Want(204)
	token := dav.Do("REPORT", home, apptest.SyncCollection("")).Multistatus().Token
	make := func() (id, path string) {
		made := ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
		for _, name := range []string{"b.ics", "same.ics", "gone.ics"} {
			dav.Do("PUT", made.Str("calendar.caldav_path")+name, apptest.VEvent("work "+name, "DTSTART:20261201T150000Z", "SUMMARY:"+name)).Want(201)
		}
		return made.Str("calendar.id"), made.Str("calendar.caldav_path")
	}
	id, path := make()
	if got := ann.Do("DELETE", "/world/calendars/"+id+"?move_to="+usual).Want(200); got.At("moved") != 3.0 {
		t.Errorf("moved: %s", got.Body)
	}
	dav.With("Depth", "0").Do("PROPFIND", path, apptest.PropfindETags).Want(404)
	if n := len(dav.With("Depth", "1").Do("PROPFIND", home, apptest.PropfindETags).Multistatus().Names()); n != 5 {
		t.Errorf("there are %d entries in the other calendar", n)
	}
	if names := dav.Do("REPORT", home, apptest.SyncCollection(token)).Multistatus().Names(); len(names) != 3 {
		t.Errorf("a program hears of %q", names)
	}
	if list := ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2026-12-02&calendar_id="+usual).List("objects"); len(list) != 5 {
		t.Errorf("natively there are %d", len(list))
	}

	id, path = make() // the same UIDs again
	h.WantUnchanged("what is there already", func() {
		ann.Do("DELETE", "/world/calendars/"+id+"?move_to="+usual).WantError(409, "already_exists").WantFields("move_to")
	})
	ann.Do("DELETE", "/world/calendars/"+id).Want(200)
	dav.Do("GET", path+"b.ics").Want(404)
	ann.Do("DELETE", "/world/time/trash/"+id).Want(200)
	if err := h.App.SweepCalendars(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, rows := range h.Rows() {
		// That something of that name was there is for programs that ask what changed.
		if strings.HasPrefix(name, "calendar_") && name != "calendar_home_tombstone" && strings.Contains(rows, id) {
			t.Errorf("table %s still knows the calendar: %s", name, rows)
		}
	}
}

// Covers T-09, T-10, T-11, T-16, B-56 and B-57: what is not said of a new
// entry, and what is said otherwise than it is kept.
func TestTimesOfNewEntries(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	for _, c := range []struct {
		name, body string
		lines      []string // of the text
		start, end string
	}{
		{"a time in the zone of the calendar", `{"start": "2026-12-01T09:00:00"}`, []string{"DTSTART;TZID=Europe/Berlin:20261201T090000", "DTEND;TZID=Europe/Berlin:20261201T100000"}, "2026-12-01T08:00:00Z", "2026-12-01T09:00:00Z"},
		{"a time in another zone", `{"start": "2026-12-01T09:00", "end": "2026-12-01T09:30:00", "timezone": "Asia/Kolkata"}`, []string{"DTSTART;TZID=Asia/Kolkata:20261201T090000"}, "2026-12-01T03:30:00Z", "2026-12-01T04:00:00Z"},
		{"an instant", `{"start": "2026-12-01T09:00:00Z"}`, []string{"DTSTART;TZID=Europe/Berlin:20261201T100000"}, "2026-12-01T09:00:00Z", "2026-12-01T10:00:00Z"},
		{"an offset", `{"start": "2026-12-01T09:00:00-05:00", "timezone": "America/New_York"}`, []string{"DTSTART;TZID=America/New_York:20261201T090000"}, "2026-12-01T14:00:00Z", "2026-12-01T15:00:00Z"},
		{"UTC", `{"start": "2026-12-01T09:00:00", "timezone": "UTC"}`, []string{"DTSTART:20261201T090000Z", "DTEND:20261201T100000Z"}, "2026-12-01T09:00:00Z", "2026-12-01T10:00:00Z"},
		{"floating time", `{"start": "2026-12-01T09:00:00", "timezone": null}`, []string{"DTSTART:20261201T090000", "DTEND:20261201T100000"}, "", ""},
		{"an instant without a zone", `{"start": "2026-12-01T09:00:00Z", "timezone": null}`, []string{"DTSTART:20261201T090000Z"}, "2026-12-01T09:00:00Z", "2026-12-01T10:00:00Z"},
		{"a day", `{"start": "2026-12-01"}`, []string{"DTSTART;VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261202"}, "", ""},
		{"days", `{"start": "2026-12-01", "end": "2026-12-04", "all_day": true}`, []string{"DTSTART;VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261204"}, "", ""},
		{"a time, all day", `{"start": "2026-12-01T09:00:00", "all_day": true}`, []string{"DTSTART;VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261202"}, "", ""},
		{"an hour that there is twice", `{"start": "2026-10-25T02:30:00"}`, []string{"DTSTART;TZID=Europe/Berlin:20261025T023000"}, "2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z"},
		{"an hour that there is not", `{"start": "2027-03-28T02:30:00"}`, []string{"DTSTART;TZID=Europe/Berlin:20270328T023000"}, "2027-03-28T01:30:00Z", "2027-03-28T02:30:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "x", `+c.body[1:]).Want(201)
			if a.Str("object.state.start.utc") != c.start || a.Str("object.state.end.utc") != c.end {
				t.Errorf("from %q to %q: %s", a.Str("object.state.start.utc"), a.Str("object.state.end.utc"), a.Body)
			}
			text := ann.Basic().Do("GET", ann.DefaultCalendar()+a.Str("object.id")+".ics").Want(200).Body
			for _, line := range c.lines {
				if !strings.Contains(text, line+"\r\n") {
					t.Errorf("no line %s in\n%s", line, text)
				}
			}
			if again := ann.Do("GET", a.Str("object.links.self")).Want(200); apptest.JSON(again.At("object")) != apptest.JSON(a.At("object")) {
				t.Errorf("made as %s, read as %s", a.Body, again.Body)
			}
		})
	}
}

// Pages of a list have each entry once, whatever is added and deleted around
// it meanwhile. Covers L-12, B-82 and PT-30.
func TestPagesWhileOthersWrite(t *testing.T) {
	for seed := range svctest.Seeds(6) {
		d := apptest.NewRand(400 + seed)
		h := apptest.New(t, apptest.Unlimited)
		ann := h.Member("ann")
		add := func(title string) string {
			return ann.Do("POST", "/world/time/objects", map[string]any{
				"object_type": apptest.Pick(d, "calendar_event", "task"), "title": title,
				"start": fmt.Sprintf("2026-12-%02dT%02d:00:00", 1+d.IntN(3), d.IntN(4)), // many at the same time
			}).Want(201).Str("object.links.self")
		}
		old := make(map[string]bool)
		var others []string
		for range 40 {
			old[add("old")] = true
		}
		seen := make(map[string]int)
		path := fmt.Sprintf("/world/time/objects?start=2026-12-01&end=2026-12-04&limit=%d", 1+d.IntN(12))
		for cursor := ""; ; {
			page := ann.Do("GET", path+"&cursor="+cursor).Want(200)
			for _, o := range page.List("objects") {
				seen[apptest.At(o, "links.self").(string)]++
			}
			if cursor = page.Str("page.next_cursor"); cursor == "" {
				break
			}
			others = append(others, add("new"), add("new"))
			if d.OneIn(2) {
				gone := apptest.Pick(d, others...)
				ann.Do("DELETE", gone)
			}
		}
		for self := range old {
			if seen[self] != 1 {
				t.Errorf("seed %d: an entry that was there all the time is listed %d times", seed, seen[self])
			}
		}
		for self, n := range seen {
			if n != 1 {
				t.Errorf("seed %d: %s is listed %d times", seed, self, n)
			}
		}
	}
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	for range 3 {
		ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x", "due": "2026-12-02"}`).Want(201)
	}
	list := "/world/time/objects?start=2026-12-01&limit="
	cursor := ann.Do("GET", list+"1").Want(200).Str("page.next_cursor")
	for path, code := range map[string]string{
		list + "-1": "invalid_parameter", list + "x": "invalid_parameter",
		list + "1&cursor=x": "invalid_parameter", list + "1&cursor=" + cursor + "x": "invalid_parameter", list + "1&cursor=" + cursor[1:]: "invalid_parameter",
	} {
		ann.Do("GET", path).WantError(400, code)
	}
	bea.Do("GET", list+"1&cursor="+cursor).WantError(400, "invalid_parameter")
	if all := ann.Do("GET", list+"1000").Want(200); len(all.List("objects")) != 3 || all.At("page.limit") != 200.0 {
		t.Errorf("at most 200 are: %s", all.Body)
	}
}

// A task that recurs is done once, or for good. Covers T-16, T-17 and B-58.
func TestTasksThatRecurAreDone(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	task := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Water", "start": "2026-12-01T08:00:00", "due": "2026-12-01T09:00:00", "rrule": "FREQ=DAILY;COUNT=3"}`).Want(201)
	self := task.Str("object.links.self")
	stand := func() string {
		var all []string
		for _, o := range ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2026-12-04").Want(200).List("objects") {
			all = append(all, fmt.Sprint(apptest.At(o, "state.status"), " ", apptest.At(o, "state.percent_complete")))
		}
		return strings.Join(all, ", ")
	}
	for _, c := range []struct{ name, change, want string }{
		{"one of them is done", `{"scope": "this", "recurrence_id": "2026-12-02T08:00:00", "status": "completed"}`, "needs_action 0, completed 100, needs_action 0"},
		{"it is not, after all", `{"scope": "this", "recurrence_id": "2026-12-02T08:00:00", "status": "in_process", "percent_complete": 50}`, "needs_action 0, in_process 50, needs_action 0"},
		{"all are done", `{"status": "completed"}`, "completed 100, in_process 50, completed 100"},
		{"all are to be done again", `{"completed_at": null}`, "needs_action 0, in_process 50, needs_action 0"},
		{"the last one is off", `{"scope": "this_and_future", "recurrence_id": "2026-12-03T08:00:00", "status": "cancelled"}`, "needs_action 0, in_process 50, cancelled 0"},
	} {
		ann.Do("PATCH", self, c.change).Want(200)
		if got := stand(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// A program knows it by the dates alone (RFC 5545 §3.8.2.1).
	ann.Basic().Do("PUT", ann.DefaultCalendar()+"done.ics", apptest.VObject("VTODO", "done", "DUE:20261202T090000Z", "COMPLETED:20261120T080000Z", "SUMMARY:Done")).Want(201)
	done := ann.Do("GET", "/world/time/objects?start=2026-12-02T09:30:00&end=2026-12-02T10:30:00").Want(200)
	if done.Str("objects.0.title") != "Done" || done.Str("objects.0.state.status") != "completed" {
		t.Errorf("it is %s", done.Body)
	}
}

// What goes on from an instance can be in another calendar. Covers B-56.
func TestTheRestGoesElsewhere(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	work := ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201).Str("calendar.id")
	for _, left := range []int{0, 2} {
		from := fmt.Sprintf("2026-12-%02dT08:00:00", 1+left)
		event := ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Shift", "start": "2026-12-01T08:00:00", "rrule": "FREQ=DAILY;COUNT=5"}`).Want(201)
		rest := ann.Do("PATCH", event.Str("object.links.self"), fmt.Sprintf(`{"scope": "this_and_future", "recurrence_id": %q, "calendar_id": %q}`, from, work)).Want(200)
		if got := rest.Str("object.state.calendar_id"); got != work {
			t.Errorf("from %s it is in %s", from, got)
		}
		old := ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2026-12-31&calendar_id="+event.Str("object.state.calendar_id")).List("objects")
		moved := ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2026-12-31&calendar_id="+work).List("objects")
		if len(old) != left || len(moved) != 5-left {
			t.Errorf("from %s %d are where they were and %d elsewhere", from, len(old), len(moved))
		}
		ann.Do("DELETE", rest.Str("object.links.self")).Want(200)
	}
}
