package edit

import (
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
)

// The times of a Social event follow the same rules as those of a calendar
// object, and times that a change does not set stay as they were. Covers B-62.
func TestEventTimesFollowTheRulesOfObjects(t *testing.T) {
	some := svc.Some[string]
	created := svc.EventTimesChange{Start: some("2026-12-24T18:00:00"), End: some("2026-12-24T22:00:00"), Timezone: some("Europe/Berlin")}
	evening, err := ResolveTimes(svc.EventTimes{}, created, storetest.Start)
	if err != nil {
		t.Fatal(err)
	}
	weekly := evening
	weekly.RRule = "FREQ=WEEKLY;UNTIL=20261231T170000Z"
	weekday := evening
	weekday.RRule = "FREQ=WEEKLY;BYDAY=TH"
	for _, c := range []struct {
		name       string
		old        svc.EventTimes
		change     svc.EventTimesChange
		start, end string
		rule       string
	}{
		{"nothing", evening, svc.EventTimesChange{}, "2026-12-24T18:00:00", "2026-12-24T22:00:00", ""},
		{"a default end", svc.EventTimes{}, svc.EventTimesChange{Start: some("2026-12-24T18:00:00"), Timezone: some("UTC")}, "2026-12-24T18:00:00", "2026-12-24T19:00:00", ""},
		{"a date", svc.EventTimes{}, svc.EventTimesChange{Start: some("2026-12-24"), Timezone: some("UTC")}, "2026-12-24", "2026-12-25", ""},
		{"an instant", evening, svc.EventTimesChange{Start: some("2026-12-24T18:00:00Z")}, "2026-12-24T19:00:00", "2026-12-24T22:00:00", ""},
		{"a later end", evening, svc.EventTimesChange{End: some("2026-12-24T23:00:00")}, "2026-12-24T18:00:00", "2026-12-24T23:00:00", ""},
		{"a cleared end", evening, svc.EventTimesChange{End: some("")}, "2026-12-24T18:00:00", "2026-12-24T19:00:00", ""},
		{"another time zone", evening, svc.EventTimesChange{Timezone: some("Asia/Tokyo")}, "2026-12-24T18:00:00", "2026-12-24T22:00:00", ""},
		{"all day", evening, svc.EventTimesChange{AllDay: svc.Some(true)}, "2026-12-24", "2026-12-25", ""},
		{"all day with an end", evening, svc.EventTimesChange{AllDay: svc.Some(true), End: some("2026-12-27")}, "2026-12-24", "2026-12-27", ""},
		{"a rule", evening, svc.EventTimesChange{RRule: some("RRULE:FREQ=DAILY;UNTIL=20261231")}, "2026-12-24T18:00:00", "2026-12-24T22:00:00", "FREQ=DAILY;UNTIL=20261231T225959Z"},
		{"the rule of an all-day event", weekly, svc.EventTimesChange{AllDay: svc.Some(true)}, "2026-12-24", "2026-12-25", "FREQ=WEEKLY;UNTIL=20261231"},
		{"a rule that follows the start", weekday, svc.EventTimesChange{Start: some("2026-12-25T18:00:00"), End: some("2026-12-25T22:00:00")}, "2026-12-25T18:00:00", "2026-12-25T22:00:00", "FREQ=WEEKLY;BYDAY=FR"},
		{"a start outside the rule", evening, svc.EventTimesChange{RRule: some("FREQ=WEEKLY;BYDAY=MO")}, "2026-12-28T18:00:00", "2026-12-28T22:00:00", "FREQ=WEEKLY;BYDAY=MO"},
		{"a form with the rule as it was", weekday, svc.EventTimesChange{Start: some("2026-12-25T18:00:00"), End: some("2026-12-25T22:00:00"), RRule: some("FREQ=WEEKLY;BYDAY=TH")}, "2026-12-25T18:00:00", "2026-12-25T22:00:00", "FREQ=WEEKLY;BYDAY=FR"},
		{"no rule any more", weekly, svc.EventTimesChange{RRule: some("")}, "2026-12-24T18:00:00", "2026-12-24T22:00:00", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ResolveTimes(c.old, c.change, storetest.Start)
			if err != nil {
				t.Fatal(err)
			}
			start, end := got.Text()
			if start != c.start || end != c.end || got.RRule != c.rule {
				t.Errorf("got %s to %s, rule %q; want %s to %s, %q", start, end, got.RRule, c.start, c.end, c.rule)
			}
		})
	}
	for _, c := range []struct {
		name   string
		change svc.EventTimesChange
		code   svc.Code
		fields string
	}{
		{"no start", svc.EventTimesChange{Start: some("")}, svc.FieldRequired, "start"},
		{"an end before the start", svc.EventTimesChange{End: some("2026-12-24T17:00:00")}, svc.EndBeforeStart, "end"},
		{"an unknown time zone", svc.EventTimesChange{Timezone: some("Mars/Olympus")}, svc.InvalidValue, "timezone"},
		{"an invalid start and rule", svc.EventTimesChange{Start: some("soon"), RRule: some("FREQ=SOMETIMES")}, svc.InvalidValue, "start rrule"},
		{"a rule without a date", svc.EventTimesChange{RRule: some("FREQ=DAILY;UNTIL=20261201")}, svc.InvalidRecurrence, "rrule"},
		{"an invalid rule", svc.EventTimesChange{RRule: some("FREQ=SOMETIMES")}, svc.InvalidRecurrence, "rrule"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ResolveTimes(evening, c.change, storetest.Start)
			wantCode(t, err, c.code, c.fields)
		})
	}
	if start, end := EventBounds(evening); start.String() != "20261224T180000" || end.Zone().Name() != "Europe/Berlin" {
		t.Errorf("got bounds %s to %s in %s", start, end, end.Zone().Name())
	}
}

// The occurrences of a series are counted from its first date to its last. A series without an end has no number.
func TestDatesOfASeriesAreCounted(t *testing.T) {
	for rule, want := range map[string]int{
		"FREQ=WEEKLY;COUNT=10": 10, "FREQ=DAILY;UNTIL=20261210T170000Z": 10, "FREQ=WEEKLY": 0, "FREQ=DAILY;UNTIL=20991231T170000Z": 0,
	} {
		times := svc.EventTimes{
			Start: time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC), End: time.Date(2026, 12, 1, 20, 0, 0, 0, time.UTC), Timezone: "Europe/Berlin", RRule: rule,
		}
		if got := EventDates(times); got != want {
			t.Errorf("%s: got %d dates, want %d", rule, got, want)
		}
	}
}
