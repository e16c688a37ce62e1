package extract_test

import (
	"fmt"
	"testing"

	"appliance/svc/translate/extract"
)

// An event that repeats has the times of its next occurrence. The clock of the tests is
// 12:00 UTC on Monday, 23 November 2026. Covers S-52.
func TestNextOccurrenceOfAnEvent(t *testing.T) {
	for _, c := range []struct{ name, event, schedule, want string }{
		{"twice a week, with daylight saving time at the start", "", `"startDate": "2026-09-01", "endDate": "2027-06-30", "startTime": "18:00", "endTime": "19:30", "scheduleTimezone": "Europe/Berlin",
			"repeatFrequency": "P1W", "byDay": ["https://schema.org/Tuesday", "https://schema.org/Thursday"]`, "2026-11-24T17:00:00Z 2026-11-24T18:30:00Z P1W"},
		{"an occurrence that is not over", "", `"startDate": "2026-11-02", "startTime": "11:30:00", "endTime": "13:00:00", "scheduleTimezone": "UTC", "repeatFrequency": "Weekly"`,
			"2026-11-23T11:30:00Z 2026-11-23T13:00:00Z P1W"},
		{"overnight", "", `"startDate": "2026-11-02", "startTime": "22:00", "endTime": "02:00", "scheduleTimezone": "UTC", "repeatFrequency": "P1D"`, "2026-11-23T22:00:00Z 2026-11-24T02:00:00Z P1D"},
		{"every two weeks", "", `"startDate": "2026-11-09", "startTime": "10:00", "endTime": "11:00", "scheduleTimezone": "UTC", "repeatFrequency": "P2W", "byDay": "Mo"`,
			"2026-12-07T10:00:00Z 2026-12-07T11:00:00Z P2W"},
		{"every three days", "", `"startDate": "2026-11-21", "repeatFrequency": "P3D"`, "2026-11-24  P3D"},
		{"on a day of the month", "", `"startDate": "2026-01-20", "repeatFrequency": "P1M"`, "2026-12-20  P1M"},
		{"on the first Sunday", "", `"startDate": "2026-01-04", "repeatFrequency": "P1M", "byDay": "Sunday", "byMonthWeek": 1`, "2026-12-06  P1M"},
		{"on the last Friday", "", `"startDate": "2026-01-01", "repeatFrequency": "monthly", "byDay": "FR", "byMonthWeek": -1`, "2026-11-27  P1M"},
		{"in a month", "", `"startDate": "2026-01-01", "repeatFrequency": "P1Y", "byMonth": [3, 5], "byMonthDay": 7`, "2027-03-07  P1Y"},
		{"on February 29", "", `"startDate": "2020-02-29", "repeatFrequency": "P1Y"`, "2028-02-29  P1Y"},
		{"on February 30", "", `"startDate": "2020-01-01", "repeatFrequency": "P1Y", "byMonth": 2, "byMonthDay": 30`, ""},
		{"except a day", "", `"startDate": "2026-11-02", "repeatFrequency": "P1W", "exceptDate": ["2026-11-23", "2026-12-24"]`, "2026-11-30  P1W"},
		{"three times", "", `"startDate": "2026-11-02", "repeatFrequency": "P1W", "repeatCount": 3`, ""},
		{"four times", "", `"startDate": "2026-11-02", "repeatFrequency": "P1W", "repeatCount": "4"`, "2026-11-23  P1W"},
		{"until a day in the past", "", `"startDate": "2026-01-05", "endDate": "2026-11-16", "repeatFrequency": "P1W"`, ""},
		{"until this day", "", `"startDate": "2026-01-05", "endDate": "2026-11-23", "repeatFrequency": "P1W"`, "2026-11-23  P1W"},
		{"in the future", "", `"startDate": "2027-01-04", "startTime": "10:00", "repeatFrequency": "P1W"`, "2027-01-04T10:00:00  P1W"},
		{"times of the series", `"startDate": "2026-01-06T18:00+01:00", "endDate": "2026-12-22T19:00+01:00",`, `"repeatFrequency": "P1W", "endTime": "19:00"`, "2026-11-24T17:00:00Z 2026-11-24T18:00:00Z P1W"},
		{"times of the first occurrence", `"startDate": "2026-01-06T18:00+01:00", "endDate": "2026-01-06T19:00+01:00",`, `"repeatFrequency": "P1W"`, "2026-11-24T17:00:00Z 2026-11-24T18:00:00Z P1W"},
		{"an unknown interval", "", `"startDate": "2027-01-04", "endDate": "2027-02-04", "repeatFrequency": "often"`, "2027-01-04 2027-02-04 "},
		{"an unknown day", "", `"startDate": "2027-01-04", "repeatFrequency": "P1W", "byDay": "Someday"`, "2027-01-04  "},
	} {
		parts := read(t, `{"@type": "Event", "name": "Class", `+c.event+` "eventSchedule": {"@type": "Schedule", `+c.schedule+`}}`)
		got := ""
		if len(parts) > 0 {
			e := parts[0].Content.(*extract.Events).Events[0]
			got = fmt.Sprintf("%s %s %s", e.Start, e.End, e.Repeats)
		}
		wantEqual(t, c.name, got, c.want)
	}
}

// Schedules that never occur are searched for a part of a page only.
func BenchmarkSchedulesWithoutOccurrence(b *testing.B) {
	page := ""
	for i := range 5000 {
		page += fmt.Sprintf(`{"@type": "Event", "name": "Class %d", "eventSchedule": {"startDate": "2020-01-01", "repeatFrequency": "P1Y", "byMonth": 2, "byMonthDay": 30}},`, i)
	}
	for b.Loop() {
		read(b, "["+page[:len(page)-1]+"]")
	}
}
