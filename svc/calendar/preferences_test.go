package calendar_test

import (
	"encoding/json"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
)

// changeBoundaries applies a change in JSON to the preferences and returns the
// changed preferences and the error.
func changeBoundaries(f *calendartest.Fixture, v svc.Viewer, body string) (b calendar.Boundaries, err error) {
	f.T.Helper()
	var change calendar.BoundariesChange
	if err := json.Unmarshal([]byte(body), &change); err != nil {
		f.T.Fatal(err)
	}
	err = f.TryWrite(func(tx *store.Tx) error {
		b, err = f.Calendar.ChangeBoundaries(tx, v, change)
		return err
	})
	return b, err
}

// A change sets the fields that it names; null restores a default. Covers B-93.
func TestPreferencesChangeFieldByField(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaults := calendar.Boundaries{DayStart: "07:00", DayEnd: "22:00", WeekStart: "monday", SlotMinutes: 30}
	for _, c := range []struct {
		body string
		want calendar.Boundaries
	}{
		{`{}`, defaults},
		{`{"day_start": "05:30", "week_start": "sunday"}`, calendar.Boundaries{DayStart: "05:30", DayEnd: "22:00", WeekStart: "sunday", SlotMinutes: 30}},
		{`{"day_end": "24:00", "slot_minutes": 60}`, calendar.Boundaries{DayStart: "05:30", DayEnd: "24:00", WeekStart: "sunday", SlotMinutes: 60}},
		{`{"day_start": null, "slot_minutes": null}`, calendar.Boundaries{DayStart: "07:00", DayEnd: "24:00", WeekStart: "sunday", SlotMinutes: 30}},
	} {
		got, err := changeBoundaries(f, ann, c.body)
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v, want %+v", c.body, got, err, c.want)
		}
		f.Read(func(tx *store.Tx) error {
			stored, err := f.Calendar.Boundaries(tx, ann.Member())
			if stored != c.want {
				t.Errorf("%s: stored %+v, want %+v", c.body, stored, c.want)
			}
			other, _ := f.Calendar.Boundaries(tx, bea.Member())
			if other != defaults {
				t.Errorf("%s: another member has %+v, want the defaults", c.body, other)
			}
			return err
		})
	}
}

// Covers B-93.
func TestInvalidPreferencesAreRejected(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	for _, c := range []struct {
		body  string
		code  svc.Code
		field string
	}{
		{`{"day_start": "7"}`, svc.InvalidValue, "day_start"}, {`{"day_start": "24:00"}`, svc.InvalidValue, "day_start"},
		{`{"day_start": ""}`, svc.InvalidValue, "day_start"}, {`{"day_start": "7:00 "}`, svc.InvalidValue, "day_start"},
		{`{"day_end": "25:00"}`, svc.InvalidValue, "day_end"}, {`{"day_end": "07:00"}`, svc.EndBeforeStart, "day_end"},
		{`{"week_start": "Monday"}`, svc.InvalidValue, "week_start"},
		{`{"slot_minutes": 7}`, svc.InvalidValue, "slot_minutes"}, {`{"slot_minutes": -30}`, svc.InvalidValue, "slot_minutes"},
	} {
		_, err := changeBoundaries(f, ann, c.body)
		calendartest.WantError(t, err, c.code, c.field)
	}
	if got, err := changeBoundaries(f, ann, `{}`); err != nil || got.DayStart != "07:00" {
		t.Errorf("after rejected changes got %+v, %v, want the defaults", got, err)
	}
}
