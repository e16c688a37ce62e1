package ics

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestShiftSeriesMovesExceptionsAndOverrides(t *testing.T) {
	o := mustParse(t, events(
		[]string{"UID:1", "DTSTART;TZID=Europe/Berlin:20260504T090000", "DTEND;TZID=Europe/Berlin:20260504T100000", "RRULE:FREQ=WEEKLY;COUNT=8",
			"EXDATE:20260511T070000Z,20260518T070000Z", "EXDATE;VALUE=DATE:20260622", "EXDATE:", "RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20260506T120000/20260506T133000,20260507T120000/PT2H"},
		[]string{"UID:1", "RECURRENCE-ID;TZID=Europe/Berlin:20260525T090000", "DTSTART;TZID=Europe/Berlin:20260525T090000", "DTEND;TZID=Europe/Berlin:20260525T093000"},
		[]string{"UID:1", "RECURRENCE-ID;TZID=Europe/Berlin:20260601T090000", "DTSTART;TZID=Europe/Berlin:20260602T150000"}))
	berlin, _ := LoadZone("Europe/Berlin")
	for _, c := range []struct {
		name  string
		start Time
		want  string
		lines []string
	}{
		{"to another hour", Zoned(time.Date(2026, 5, 4, 12, 30, 0, 0, time.UTC), berlin), "0504T14 0506T17 0507T17 0525T14 0602T15 0608T14 0615T14", []string{
			"EXDATE;TZID=Europe/Berlin:20260511T143000,20260518T143000",
			"RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20260506T173000/PT1H30M,20260507T173000/PT2H",
			"DTEND;TZID=Europe/Berlin:20260525T150000"}},
		{"to another day", Zoned(time.Date(2026, 5, 6, 7, 0, 0, 0, time.UTC), berlin), "0506T09 0508T12 0509T12 0527T09 0602T15 0610T09 0617T09",
			[]string{"EXDATE;VALUE=DATE:20260624"}},
		{"to UTC", UTC(time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)), "0504T09 0506T12 0507T12 0525T09 0602T15 0608T09 0615T09", []string{"EXDATE:20260511T090000Z,20260518T090000Z"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := o.Edit()
			d.AddTimeZone(berlin, c.start.Instant(nil)) // blocks of components do not depend on insertions before them
			d.ShiftSeries(o, c.start)
			b := d.Block(o.Master)
			b.Set(TimeProp("DTSTART", c.start))
			b.Set(TimeProp("DTEND", c.start.Add(Duration{Seconds: 3600})))
			if got := formatStarts(t, d.Bytes()); got != c.want {
				t.Errorf("got %s, want %s, in\n%s", got, c.want, d.Bytes())
			}
			lines := strings.Split(strings.ReplaceAll(string(d.Bytes()), "\r\n ", ""), "\r\n")
			for _, line := range c.lines {
				if !slices.Contains(lines, line) {
					t.Errorf("got %s\nwant the line %s", d.Bytes(), line)
				}
			}
		})
	}
	days := mustParse(t, event("DTSTART;VALUE=DATE:20260504", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20260505"))
	d := days.Edit()
	start := Floating(time.Date(2026, 5, 11, 9, 0, 0, 0, time.UTC))
	d.ShiftSeries(days, start)
	d.Block(days.Master).Set(TimeProp("DTSTART", start))
	if got, want := formatStarts(t, d.Bytes()), "0511T09 0513T09"; got != want {
		t.Errorf("from DATE to DATE-TIME: got %s, want %s", got, want)
	}
}
