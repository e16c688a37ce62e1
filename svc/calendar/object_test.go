package calendar_test

import (
	"maps"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
)

// A new object is in the calendar that the request names, or in the default
// calendar, with dates in its time zone. Covers T-06, T-09 and B-56.
func TestNewObjectIsInItsCalendar(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	var trips calendar.Calendar
	f.Write(func(tx *store.Tx) (err error) {
		trips, err = f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{Name: "Trips", Timezone: "Asia/Tokyo"})
		return err
	})
	for _, c := range []struct {
		body string
		in   calendar.Calendar
		line string
	}{
		{`{"object_type": "calendar_event", "title": "x", "start": "2026-12-01T09:00:00"}`, defaultCal, "DTSTART;TZID=Europe/Berlin:20261201T090000"},
		{`{"object_type": "calendar_event", "title": "x", "start": "2026-12-01T09:00:00", "calendar_id": "` + trips.ID + `"}`, trips, "DTSTART;TZID=Asia/Tokyo:20261201T090000"},
		{`{"object_type": "task", "title": "x", "due": "2026-12-01"}`, defaultCal, "DUE;VALUE=DATE:20261201"},
	} {
		o := f.Create(ann, c.body)
		if o.State.CalendarID != c.in.ID || o.State.CalendarName != c.in.Name {
			t.Errorf("%s: got calendar %s, want %s", c.body, o.State.CalendarName, c.in.Name)
		}
		if text := f.Text(ann, c.in, o.ID+".ics"); !strings.Contains(text, "\r\n"+c.line+"\r\n") {
			t.Errorf("%s: got no line %s in\n%s", c.body, c.line, text)
		}
		if got, want := store.JSON(f.Object(ann, o.ID)), store.JSON(o); got != want {
			t.Errorf("%s: read %s, created %s", c.body, got, want)
		}
	}
}

// An invalid object is not stored, and the error names its fields. Covers T-06,
// T-38, E-02, E-17 and PT-40.
func TestRejectedObjectsAreNotStored(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	shared := f.AddCalendar(bea, "Shared")
	share(f, ann, shared)
	var journal calendar.Calendar
	f.Write(func(tx *store.Tx) (err error) {
		journal, err = f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{Name: "Journal", Components: []string{"VJOURNAL"}})
		return err
	})
	taskIn := func(c calendar.Calendar) string {
		return `{"object_type": "task", "title": "x", "calendar_id": "` + c.ID + `"}`
	}
	for _, c := range []struct {
		name, body string
		code       svc.Code
		fields     string
	}{
		{"no fields", `{}`, svc.FieldRequired, "object_type title"},
		{"no title and no start", `{"object_type": "calendar_event"}`, svc.FieldRequired, "title start"},
		{"an unknown type", `{"object_type": "party", "title": "x"}`, svc.InvalidValue, "object_type"},
		{"invalid values", `{"object_type": "task", "title": "x", "priority": 10, "status": "odd"}`, svc.InvalidValue, "status priority"},
		{"no calendar with this id", taskIn(calendar.Calendar{ID: "cal_none"}), svc.NotFound, ""},
		{"another member's calendar", taskIn(f.DefaultCalendar(bea)), svc.NotFound, ""},
		{"a calendar with read access", taskIn(shared), svc.PermissionDenied, ""},
		{"a calendar without tasks", taskIn(journal), svc.ComponentNotSupported, "calendar_id"},
		{"a color, which only mirrors have", `{"object_type": "task", "title": "x", "color": "#112233"}`, svc.InvalidValue, "color"},
		{"a visibility, which only mirrors have", `{"object_type": "task", "title": "x", "local_visibility": "hidden"}`, svc.InvalidValue, "local_visibility"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := f.TryCreate(ann, c.body)
			calendartest.WantError(t, err, c.code, strings.Fields(c.fields)...)
		})
	}
	if got := storetest.Rows(t, f.DB, "SELECT count(*) FROM calendar_object")[0]; got != "0" {
		t.Errorf("got %s objects, want 0", got)
	}
}

// Objects and titles are read through access to their calendar only. Covers T-06
// and PT-07.
func TestObjectsAreReadThroughAccess(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	shared := f.AddCalendar(ann, "Shared")
	share(f, bea, shared)
	ownID := f.Create(ann, `{"object_type": "task", "title": "Own"}`).ID
	sharedID := f.Create(ann, `{"object_type": "task", "title": "Visible", "calendar_id": "`+shared.ID+`"}`).ID
	for _, c := range []struct {
		v    svc.Viewer
		want map[string]string
	}{
		{ann, map[string]string{ownID: "Own", sharedID: "Visible"}}, {bea, map[string]string{sharedID: "Visible"}},
	} {
		f.Read(func(tx *store.Tx) error {
			got, err := f.Calendar.Titles(tx, c.v, []string{ownID, sharedID, "tob_none"})
			if !maps.Equal(got, c.want) {
				t.Errorf("member %s: got titles %v, want %v", c.v, got, c.want)
			}
			for _, id := range []string{ownID, sharedID} {
				if _, err := f.Calendar.Object(tx, c.v, id); (err == nil) != (c.want[id] != "") {
					t.Errorf("member %s: object %s: got %v", c.v, id, err)
				}
			}
			return err
		})
	}
	if o := f.Object(bea, sharedID); o.Permissions.CanUpdate || o.Permissions.CanDelete || len(o.State.EditableFields) != 0 {
		t.Errorf("got permissions %+v and fields %q, want read access", o.Permissions, o.State.EditableFields)
	}
	_, err := f.TryPatch(bea, sharedID, `{"title": "Changed"}`)
	calendartest.WantError(t, err, svc.PermissionDenied)
}
