package ics

import (
	"strings"
	"testing"
	"time"
)

func TestExpandWritesEachInstanceInUTC(t *testing.T) {
	o := mustParse(t, series)
	text, truncated := o.Expand(utcDay(2026, 5, 17), utcDay(2026, 6, 10), nil, 100)
	want := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
	for _, dom := range []string{"18", "25"} {
		want += "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:202605" + dom + "T070000Z\r\nDTEND:202605" + dom + "T080000Z\r\nX-NOTE:kept\r\nSUMMARY:Choir\r\nRECURRENCE-ID:202605" + dom + "T070000Z\r\n" +
			"BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT\r\n"
	}
	want += "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260609T070000Z\r\nSUMMARY:Concert\r\nRECURRENCE-ID:20260608T070000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	if string(text) != want || truncated {
		t.Errorf("got truncated %v, %s\nwant %s", truncated, text, want)
	}
	if _, truncated := o.Expand(time.Time{}, time.Time{}, nil, 2); !truncated {
		t.Error("limit 2: got a complete expansion, want it truncated")
	}
	for name, c := range map[string]struct{ text, line string }{
		"P1D on a day of 23 hours":                        {event("DTSTART;TZID=Europe/Berlin:20260328T090000", "DURATION:P1D"), "DURATION:PT23H"},
		"P1D on a day of 24 hours":                        {event("DTSTART;TZID=Europe/Berlin:20260501T090000", "DURATION:P1D"), "DURATION:P1D"},
		"an end in the first occurrence of a local time":  {event("DTSTART;TZID=Europe/Berlin:20261024T020000", "DTEND;TZID=Europe/Berlin:20261025T023000", "RRULE:FREQ=YEARLY", "RDATE;TZID=Europe/Berlin:20261023T230000"), "DTEND:20261025T003000Z"},
		"an end in the second occurrence of a local time": {event("DTSTART;TZID=Europe/Berlin:20260101T010000", "DTEND;TZID=Europe/Berlin:20260102T030000", "RDATE;TZID=Europe/Berlin:20261024T010000"), "DTEND:20261025T010000Z"},
		"a PERIOD with another duration":                  {event("DTSTART;TZID=Europe/Berlin:20260501T090000", "DURATION:PT1H", "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20260502T090000/PT3H"), "DURATION:PT3H"},
		"a PERIOD in a series without duration":           {event("DTSTART:20260501T090000", "RDATE;VALUE=PERIOD:20260502T090000/20260502T100000"), "DURATION:PT1H"},
	} {
		text, _ := mustParse(t, c.text).Expand(time.Time{}, utcDay(2027, 1, 1), nil, 10)
		if !strings.Contains(string(text), "\r\n"+c.line+"\r\n") {
			t.Errorf("%s: got %s\nwant the line %s", name, text, c.line)
		}
	}
	for _, text := range []string{
		wrap("VFREEBUSY", "FREEBUSY:20260501T090000Z/PT1H,20260502T090000Z/PT1H"),
		wrap("VAVAILABILITY", "DTSTART;TZID=Europe/Berlin:20260501T090000"),
	} {
		if got, truncated := mustParse(t, text).Expand(time.Time{}, time.Time{}, nil, 1); string(got) != text || truncated {
			t.Errorf("component without instances: got %s\nwant %s", got, text)
		}
	}
	large, truncated := mustParse(t, event("DTSTART:20260501T090000Z", "RRULE:FREQ=DAILY", "BEGIN:VALARM", "DESCRIPTION:"+strings.Repeat("x", MaxSize-1000), "END:VALARM")).Expand(utcDay(2026, 5, 1), utcDay(2027, 5, 1), nil, 1000)
	if len(large) != 0 || !truncated {
		t.Errorf("large object: got %d octets, truncated %v, want none, and true", len(large), truncated)
	}
	twice, _ := mustParse(t, event("DTSTART;TZID=Europe/Berlin:20260329T010000", "RRULE:FREQ=DAILY;BYHOUR=2,3;BYMINUTE=30")).Expand(utcDay(2026, 3, 29), utcDay(2026, 3, 30), nil, 10)
	if n := strings.Count(string(twice), "RECURRENCE-ID:20260329T013000Z"); n != 1 {
		t.Errorf("skipped local time: got the instance %d times, want once, in %s", n, twice)
	}
	floats := event("DTSTART;VALUE=DATE:20260501", "DTEND;VALUE=DATE:20260502")
	if text, _ := mustParse(t, floats).Expand(time.Time{}, time.Time{}, nil, 2); string(text) != floats {
		t.Errorf("DATE: got %s\nwant %s", text, floats)
	}
}

func TestLimitRecurrencesRemovesIrrelevantOverrides(t *testing.T) {
	o := mustParse(t, series)
	without := series[:strings.LastIndex(series, "BEGIN:VEVENT")] + "END:VCALENDAR\r\n"
	for _, c := range []struct {
		name     string
		from, to time.Time
		want     string
	}{
		{"the range of the replaced instance", utcDay(2026, 6, 8), utcDay(2026, 6, 9), series},
		{"the range of the override", utcDay(2026, 6, 9), utcDay(2026, 6, 10), series},
		{"another range", utcDay(2026, 5, 1), utcDay(2026, 6, 8), without},
	} {
		if got := string(o.LimitRecurrences(c.from, c.to, nil)); got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.name, got, c.want)
		}
	}
}
