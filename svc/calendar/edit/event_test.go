package edit

import (
	"fmt"
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

// The occurrences of an event are counted from its first date to its last, and their starts are
// listed from the first one that is not over. A series without an end has no number.
func TestOccurrencesOfEvents(t *testing.T) {
	at := func(text string) time.Time {
		result, err := time.Parse("2006-01-02T15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	single := svc.EventTimes{Start: at("2026-12-01T18:00"), End: at("2026-12-01T20:00"), Timezone: "Europe/Berlin"}
	series := func(rule string) svc.EventTimes { times := single; times.RRule = rule; return times }
	for _, c := range []struct {
		name  string
		times svc.EventTimes
		now   string
		dates int
		next  string
	}{
		{"single event", single, "2026-11-01T00:00", 1, "[2026-12-01T17:00]"},
		{"single event that is over", single, "2026-12-01T19:00", 1, "[]"},
		{"ten dates, during the second", series("FREQ=WEEKLY;COUNT=10"), "2026-12-08T18:00", 10, "[2026-12-08T17:00]"},
		{"ten dates, after the second", series("FREQ=WEEKLY;COUNT=10"), "2026-12-08T19:00", 10, "[2026-12-15T17:00]"},
		{"endless series", series("FREQ=WEEKLY"), "2030-12-24T12:00", 0, "[2030-12-24T17:00]"},
	} {
		starts, _ := EventStarts(c.times, at(c.now), 1)
		next := make([]string, len(starts))
		for i, start := range starts {
			next[i] = start.UTC().Format("2006-01-02T15:04")
		}
		if got := EventDates(c.times); got != c.dates || fmt.Sprint(next) != c.next {
			t.Errorf("%s: got %d dates, the next at %v, want %d and %s", c.name, got, next, c.dates, c.next)
		}
	}
}
