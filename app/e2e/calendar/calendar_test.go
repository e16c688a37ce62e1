package calendar

import (
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/calendar/object"
)

// A calendar is created, changed and deleted over the JSON API, and is available to
// CalDAV clients at its path. Covers T-02, T-03, T-40 and B-55.
func TestCalendarIsTheSameOverJSONAndCalDAV(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	first := ann.Do("GET", "/world/calendars").Want(200)
	if n := len(first.List("calendars")); n != 1 || first.At("calendars.0.is_default") != true || first.Str("calendars.0.timezone") != "Europe/Berlin" {
		t.Fatalf("a new member has %d calendars: %s", n, first.Body)
	}
	defaultID := first.Str("calendars.0.id")
	work := ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
	work.WantSchema("service.time.calendar", work.At("calendar"))
	id, path := work.Str("calendar.id"), work.Str("calendar.caldav_path")
	changed := ann.Do("PATCH", "/world/calendars/"+id, `{"name": "Office", "color": "#00FF00", "description": "Desk"}`).Want(200)
	changed.WantValues("calendar", map[string]any{"name": "Office", "color": "#00ff00", "description": "Desk"})
	const displayName = `<propfind xmlns="DAV:"><prop><displayname/></prop></propfind>`
	if got := ann.Basic().With("Depth", "0").Do("PROPFIND", path, displayName).Want(207).Body; !strings.Contains(got, "Office") {
		t.Errorf("got no display name Office in %s", got)
	}
	ann.Basic().Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261201T150000Z")).Want(201)
	if got := ann.Do("DELETE", "/world/calendars/"+id+"?move_to="+defaultID).Want(200).At("moved"); got != 1.0 {
		t.Errorf("got %v moved objects, want 1", got)
	}
	ann.Do("GET", "/world/calendars/"+id).WantError(404, "not_found")
	ann.Basic().With("Depth", "0").Do("PROPFIND", path, displayName).Want(404)
	ann.Basic().Do("GET", ann.DefaultCalendar()+"a.ics").Want(200)
}

// A rejected request for a calendar has the status and code of its error, names
// the field, and changes nothing. Covers T-02, T-03, T-06, B-02 and B-55.
func TestRejectedCalendarRequestsChangeNothing(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	home := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	work := ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
	id, old := work.Str("calendar.id"), work.Str("calendar.etag")
	ann.Do("PATCH", "/world/calendars/"+id, `{"name": "Office"}`).Want(200)
	for _, c := range []struct {
		name, method, path string
		body               any
		status             int
		code, field        string
	}{
		{"no name", "POST", "", `{}`, 400, "field_required", "name"},
		{"an unknown time zone", "POST", "", `{"name": "x", "timezone": "x"}`, 422, "invalid_value", "timezone"},
		{"an order that is a text", "PATCH", "/" + id, `{"order": "first"}`, 400, "malformed_body", "order"},
		{"an old ETag", "PATCH", "/" + id, map[string]any{"name": "x", "etag": old}, 412, "version_conflict", ""},
		{"no such calendar", "PATCH", "/cal_none", `{"name": "x"}`, 404, "not_found", ""},
		{"the default calendar", "DELETE", "/" + home, nil, 422, "default_calendar", ""},
		{"a deletion into itself", "DELETE", "/" + id + "?move_to=" + id, nil, 422, "invalid_value", "move_to"},
	} {
		h.WantUnchanged(c.name, func() {
			var a *apptest.Answer
			if c.body == nil {
				a = ann.Do(c.method, "/world/calendars"+c.path)
			} else {
				a = ann.Do(c.method, "/world/calendars"+c.path, c.body)
			}
			a.WantError(c.status, c.code).WantFields(strings.Fields(c.field)...)
		})
	}
	h.WantUnchanged("another member", func() {
		bea.Do("GET", "/world/calendars/"+id).WantError(404, "not_found")
		bea.Do("PATCH", "/world/calendars/"+id, `{"name": "x"}`).WantError(404, "not_found")
		bea.Do("DELETE", "/world/calendars/"+id).WantError(404, "not_found")
	})
}

// After a purge and the background deletion no table names a calendar, except as
// a tombstone of the calendar home.
func TestPurgedCalendarLeavesNoRows(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	work := ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
	id, path := work.Str("calendar.id"), work.Str("calendar.caldav_path")
	for _, name := range []string{"a.ics", "b.ics"} {
		ann.Basic().Do("PUT", path+name, apptest.VEvent(name, "DTSTART:20261201T150000Z", "RRULE:FREQ=DAILY")).Want(201)
	}
	ann.Basic().Do("DELETE", path+"b.ics").Want(204)
	ann.Do("DELETE", "/world/calendars/"+id).Want(200)
	if got := ann.Do("DELETE", "/world/time/trash").Want(200).At("deleted"); got != 2.0 {
		t.Errorf("got %v purged, want the calendar and an object", got)
	}
	if err := h.App.SweepCalendars(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, rows := range h.Rows() {
		if strings.HasPrefix(name, "calendar_") && name != "calendar_home_tombstone" && strings.Contains(rows, id) {
			t.Errorf("table %s contains the calendar: %s", name, rows)
		}
	}
}

// A member who has reached the quota gets 507 with quota-not-exceeded (RFC 4331
// §6) over CalDAV, and quota_exceeded over the JSON API.
func TestFullQuotaIsReported(t *testing.T) {
	h := apptest.New(t)
	h.App.Objects.Quota = object.Quota{Calendars: 2, Objects: 1}
	h.App.Storage.Limit = 3000
	ann := h.Member("ann")
	dav, path := ann.Basic(), ann.DefaultCalendar()
	second := ann.Do("POST", "/world/calendars", `{"name": "Second"}`).Want(201).Str("calendar.caldav_path")
	dav.Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261125T090000Z")).Want(201)
	for name, a := range map[string]*apptest.Answer{
		"PUT of a new object":    dav.Do("PUT", path+"b.ics", apptest.VEvent("b", "DTSTART:20261125T090000Z")),
		"PUT of a larger object": dav.Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261125T090000Z", "DESCRIPTION:"+strings.Repeat("d", 3000))),
		"COPY":                   dav.With("Destination", second+"a.ics").Do("COPY", path+"a.ics"),
		"MKCALENDAR":             dav.Do("MKCALENDAR", strings.TrimSuffix(path, "/")+"-more/"),
	} {
		if a.Want(507); !strings.Contains(a.Body, "quota-not-exceeded") {
			t.Errorf("%s: got no quota-not-exceeded in %s", name, a.Body)
		}
	}
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).WantError(422, "quota_exceeded")
	ann.Do("POST", "/world/calendars", `{"name": "Third"}`).WantError(422, "quota_exceeded")
}

// Preferences are changed by JSON and by a form; the panel and the export follow
// them. Covers B-93.
func TestPreferencesApplyToPanelAndExport(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	const path, defaults = "/world/time/preferences", `{"day_end":"22:00","day_start":"07:00","slot_minutes":30,"week_start":"monday"}`
	want := func(a *apptest.Answer, at, want string) {
		t.Helper()
		if got := apptest.JSON(a.Want(200).At(at)); got != want {
			t.Errorf("%s: got %s %s, want %s", a.About, at, got, want)
		}
	}
	want(ann.Do("GET", path), "preferences", defaults)
	want(ann.Dataset(), "member.week_start", `"monday"`)
	const own = `{"day_end":"24:00","day_start":"05:30","slot_minutes":60,"week_start":"sunday"}`
	ann.Do("PATCH", path, `{"day_start": "05:30", "week_start": "sunday"}`).Want(200)
	want(ann.Do("PATCH", path, apptest.Form("day_end=24:00&slot_minutes=60")), "preferences", own)
	want(ann.Dataset(), "member.week_start", `"sunday"`)
	ann.Do("PATCH", path, `{"slot_minutes": 7}`).WantError(422, "invalid_value").WantFields("slot_minutes")
	ann.Do("PATCH", path, `{"slot_minutes": "often"}`).WantError(400, "malformed_body").WantFields("slot_minutes")
	panel := ann.Do("GET", "/world/panels/time?view=week&date=2026-12-02").Want(200)
	want(panel, "boundaries", strings.Replace(strings.TrimSuffix(own, "}"), `"week_start"`, `"week_number_rule":"first_day","week_start"`, 1)+`,"weekend_days":["saturday","sunday"]}`)
	if got := panel.Str("range.start"); got != "2026-11-29T00:00:00" || len(panel.List("slots")) != 7*24 {
		t.Errorf("got a week from %s with %d slots, want from 2026-11-29T00:00:00 with 168", got, len(panel.List("slots")))
	}
	want(ann.Do("GET", "/world/identity/export"), "time_preferences", own)
	want(ann.Do("PATCH", path, `{"day_start": null, "day_end": null, "week_start": null, "slot_minutes": null}`), "preferences", defaults)
}
