package ics

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// officeHours returns a VAVAILABILITY with the given working hours and additional
// lines.
func officeHours(hours string, lines ...string) []string {
	from, to, _ := strings.Cut(hours, "-")
	return slices.Concat([]string{"BEGIN:VAVAILABILITY", "UID:" + hours}, lines,
		[]string{"BEGIN:AVAILABLE", "UID:1", "DTSTART;TZID=America/Montreal:20111002T" + from, "DTEND;TZID=America/Montreal:20111002T" + to,
			"RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "END:AVAILABLE", "END:VAVAILABILITY"})
}

func TestUnavailablePeriods(t *testing.T) {
	for _, c := range []struct {
		name     string
		lines    []string
		from, to string
		want     string
	}{
		{"Monday to Friday from nine to five (RFC 7953 §3.1)", officeHours("090000-170000"), "20111005T000000Z", "20111007T000000Z",
			"1005T0000 1005T1300 BUSY-UNAVAILABLE\n1005T2100 1006T1300 BUSY-UNAVAILABLE\n1006T2100 1007T0000 BUSY-UNAVAILABLE\n"},
		{"no AVAILABLE instance in the window", officeHours("090000-170000"), "20111008T000000Z", "20111010T000000Z", "1008T0000 1010T0000 BUSY-UNAVAILABLE\n"},
		{"DTSTART, DTEND and BUSYTYPE",
			officeHours("090000-170000", "DTSTART;TZID=America/Montreal:20111005T120000", "DTEND;TZID=America/Montreal:20111006T120000", "BUSYTYPE:BUSY-TENTATIVE"),
			"20111004T000000Z", "20111008T000000Z", "1005T2100 1006T1300 BUSY-TENTATIVE\n"},
		{"DURATION, and an unknown BUSYTYPE", officeHours("090000-170000", "DTSTART:20111005T000000Z", "DURATION:PT12H", "BUSYTYPE:X-BUSY"), "20111004T000000Z", "20111008T000000Z",
			"1005T0000 1005T1200 BUSY-UNAVAILABLE\n"},
		{"DTEND without DTSTART", officeHours("090000-170000", "DTEND:20111005T000000Z", "BUSYTYPE:BUSY"), "20111004T120000Z", "20111008T000000Z",
			"1004T1200 1004T1300 BUSY\n1004T2100 1005T0000 BUSY\n"},
		{"no AVAILABLE at all", []string{"BEGIN:VAVAILABILITY", "END:VAVAILABILITY"}, "20111004T000000Z", "20111005T000000Z", "1004T0000 1005T0000 BUSY-UNAVAILABLE\n"},
		{"an override, an EXDATE and an RDATE",
			[]string{"BEGIN:VAVAILABILITY", "DTSTART:20260501T000000Z",
				"BEGIN:AVAILABLE", "UID:1", "DTSTART:20260501T090000Z", "DURATION:PT8H", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260502T090000Z", "RDATE:20260505T090000Z", "END:AVAILABLE",
				"BEGIN:AVAILABLE", "UID:1", "RECURRENCE-ID:20260503T090000Z", "DTSTART:20260503T120000Z", "DURATION:PT1H", "END:AVAILABLE", "END:VAVAILABILITY"},
			"20260501", "20260506",
			"0501T0000 0501T0900 BUSY-UNAVAILABLE\n0501T1700 0503T1200 BUSY-UNAVAILABLE\n0503T1300 0505T0900 BUSY-UNAVAILABLE\n0505T1700 0506T0000 BUSY-UNAVAILABLE\n"},
		{"overlapping AVAILABLEs without UIDs",
			[]string{"BEGIN:VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART:20260501T090000Z", "DURATION:PT8H", "END:AVAILABLE",
				"BEGIN:AVAILABLE", "DTSTART:20260501T070000Z", "DURATION:PT3H", "END:AVAILABLE", "BEGIN:AVAILABLE", "DTSTART:20260501T100000Z", "DURATION:PT1H", "END:AVAILABLE", "END:VAVAILABILITY"},
			"20260501", "20260502", "0501T0000 0501T0700 BUSY-UNAVAILABLE\n0501T1700 0502T0000 BUSY-UNAVAILABLE\n"},
		{"an AVAILABLE of zero length",
			[]string{"BEGIN:VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART:20260501T090000Z", "DTEND:20260501T090000Z", "END:AVAILABLE", "END:VAVAILABILITY"},
			"20260501", "20260502", "0501T0000 0502T0000 BUSY-UNAVAILABLE\n"},
		{"an AVAILABLE without an end",
			[]string{"BEGIN:VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART:20260501T090000Z", "END:AVAILABLE", "END:VAVAILABILITY"},
			"20260501", "20270502", "0501T0000 0501T0900 BUSY-UNAVAILABLE\n"},
		{"the higher PRIORITY applies (RFC 7953 §4)",
			slices.Concat(officeHours("090000-170000"), []string{"BEGIN:VAVAILABILITY", "PRIORITY:1", "DTSTART:20111005T000000Z", "DTEND:20111007T000000Z", "BUSYTYPE:BUSY",
				"BEGIN:AVAILABLE", "UID:2", "DTSTART:20111005T020000Z", "DTEND:20111005T040000Z", "END:AVAILABLE", "END:VAVAILABILITY"}),
			"20111004T200000Z", "20111007T140000Z",
			"1004T2100 1005T0000 BUSY-UNAVAILABLE\n1005T0000 1005T0200 BUSY\n1005T0400 1007T0000 BUSY\n1007T0000 1007T1300 BUSY-UNAVAILABLE\n"},
		{"in any order, and PRIORITY 9 ranks before 0",
			slices.Concat([]string{"BEGIN:VAVAILABILITY", "PRIORITY:9", "DTSTART:20111005T000000Z", "DTEND:20111006T000000Z", "BEGIN:AVAILABLE", "DTSTART:20111004T000000Z", "END:AVAILABLE", "END:VAVAILABILITY"},
				officeHours("090000-170000", "PRIORITY:0")), "20111005T000000Z", "20111006T120000Z", "1006T0000 1006T1200 BUSY-UNAVAILABLE\n"},
		{"with equal PRIORITY, the busier type applies",
			slices.Concat([]string{"BEGIN:VAVAILABILITY", "PRIORITY:2", "DTSTART:20111005T000000Z", "DURATION:PT4H", "BUSYTYPE:BUSY", "END:VAVAILABILITY"},
				[]string{"BEGIN:VAVAILABILITY", "PRIORITY:2", "DTSTART:20111005T020000Z", "DURATION:PT4H", "BUSYTYPE:BUSY-TENTATIVE", "BEGIN:AVAILABLE", "DTSTART:20111005T030000Z", "DURATION:PT2H", "END:AVAILABLE", "END:VAVAILABILITY"}),
			"20111005T000000Z", "20111006T000000Z", "1005T0000 1005T0400 BUSY\n1005T0500 1005T0600 BUSY-TENTATIVE\n"},
		{"DATEs and floating times are in the given location",
			[]string{"BEGIN:VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART;VALUE=DATE:20260501", "END:AVAILABLE", "BEGIN:AVAILABLE", "DTSTART:20260430T120000", "DURATION:PT1H", "END:AVAILABLE", "END:VAVAILABILITY"},
			"20260430", "20260503", "0430T0000 0430T1000 BUSY-UNAVAILABLE\n0430T1100 0430T2200 BUSY-UNAVAILABLE\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := ParseAvailability([]byte(calendar(c.lines...)))
			if err != nil {
				t.Fatal(err)
			}
			if got := formatPeriods(a.Unavailable(parseInstant(t, c.from), parseInstant(t, c.to), loadedZone(t, "Europe/Berlin"), 1000)); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

// Instances beyond the limit or the work budget count as not available.
//
// Covers PT-45.
func TestUnavailableIsBounded(t *testing.T) {
	begin := utcDay(2026, 1, 1)
	read := func(rule string, copies int) *Availability {
		series := []string{"BEGIN:AVAILABLE", "DTSTART:20250101T000000Z", "DURATION:PT12H", "RRULE:" + rule, "END:AVAILABLE"}
		a, err := ParseAvailability([]byte(calendar(slices.Concat([]string{"BEGIN:VAVAILABILITY"}, slices.Repeat(series, copies), []string{"END:VAVAILABILITY"})...)))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	list := read("FREQ=DAILY", 1).Unavailable(begin, begin.AddDate(0, 0, 5), nil, 2)
	if got, want := formatPeriods(list), "0101T1200 0102T0000 BUSY-UNAVAILABLE\n0102T1200 0106T0000 BUSY-UNAVAILABLE\n"; got != want {
		t.Errorf("limit 2: got\n%s\nwant\n%s", got, want)
	}
	list = read("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", 5000).Unavailable(begin, time.Time{}, nil, 1000)
	if len(list) != 1 || !list[0].From.Equal(begin) || list[0].To.Year() != 9998 {
		t.Errorf("exhausted budget: got %v, want one period from %v without end", list, begin)
	}
}

func TestParseAvailabilityRemovesIndentation(t *testing.T) {
	text := "\n    " + strings.ReplaceAll(calendar(officeHours("090000-170000")...), "\r\n", "\n    ")
	if _, err := ParseAvailability([]byte(text)); err != nil {
		t.Error(err)
	}
}

func TestParseAvailabilityRejectsInvalidText(t *testing.T) {
	for _, c := range []struct{ name, text, precondition, reason string }{
		{"empty text", "", CondValidCalendarData, "no VCALENDAR"},
		{"only a VTIMEZONE", calendar(ownZone("Own")...), CondValidCalendarObject, "no VAVAILABILITY"},
		{"a VEVENT", event("DTSTART:20260501"), CondSupportedComponent, "VEVENT"},
		{"an AVAILABLE without DTSTART", wrap("VAVAILABILITY", "BEGIN:AVAILABLE", "END:AVAILABLE"), CondValidCalendarData, "no DTSTART"},
		{"an invalid RRULE", wrap("VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART:20260501", "RRULE:x", "END:AVAILABLE"), CondValidCalendarData, "RRULE of the available time"},
		{"an invalid DTSTART", wrap("VAVAILABILITY", "DTSTART:x"), CondValidCalendarData, "DTSTART of the availability"},
		{"too many VAVAILABILITYs", calendar(slices.Repeat([]string{"BEGIN:VAVAILABILITY", "END:VAVAILABILITY"}, 101)...), CondValidCalendarData, "101 VAVAILABILITYs"},
		{"text beyond MaxSize", strings.Repeat("x", MaxSize+1), CondMaxResourceSize, "octets"},
	} {
		_, err := ParseAvailability([]byte(c.text))
		var e *Error
		if !errors.As(err, &e) || e.Precondition != c.precondition || !strings.Contains(e.Reason, c.reason) {
			t.Errorf("%s: got %v, want %s with %q", c.name, err, c.precondition, c.reason)
		}
	}
}

// The time-range filter on a VAVAILABILITY depends on its start and end
// (RFC 7953).
func TestTimeRangeOnAvailability(t *testing.T) {
	early, late := timeRange("20260101T000000Z", "20260201T000000Z"), timeRange("20260601T000000Z", "20260701T000000Z")
	for _, c := range []struct {
		lines       []string
		early, late bool
	}{
		{nil, true, true},
		{[]string{"DTSTART:20260301T000000Z"}, false, true},
		{[]string{"DTEND:20260301T000000Z"}, true, false},
		{[]string{"DTSTART:20260115T000000Z", "DTEND:20260301T000000Z"}, true, false},
		{[]string{"DTSTART:20260301T000000Z", "DURATION:P30D"}, false, false},
	} {
		o := mustParse(t, wrap("VAVAILABILITY", c.lines...))
		for r, want := range map[*TimeRange]bool{early: c.early, late: c.late} {
			if got := calendarFilter(CompFilter{Name: "VAVAILABILITY", TimeRange: r}).Match(o, nil); got != want {
				t.Errorf("%q from %v: got match %v, want %v", c.lines, r.Start, got, want)
			}
		}
	}
}

// For any input, the periods are in the window and in order. Two adjacent windows
// together have the periods of the combined window. Two equal components have the
// periods of one, for any two priorities.
//
// Covers PT-45.
func FuzzAvailability(f *testing.F) {
	f.Add("DTSTART:20260301T000000Z", "DTSTART;TZID=Europe/Berlin:20260301T090000\r\nDURATION:PT8H\r\nRRULE:FREQ=WEEKLY;BYDAY=MO,TU", 1, 2)
	f.Add("BUSYTYPE:BUSY\r\nDTEND:20260301T000000Z", "DTSTART:20260101\r\nEXDATE:20260102\r\nRRULE:FREQ=DAILY\r\nUID:1\r\nEND:AVAILABLE\r\nBEGIN:AVAILABLE\r\nUID:1\r\nRECURRENCE-ID:20260103\r\nDTSTART:20260104", 3, 3)
	f.Fuzz(func(t *testing.T, outer, inner string, p, q int) {
		component := func(p int) []string {
			return []string{"BEGIN:VAVAILABILITY", fmt.Sprintf("PRIORITY:%d", p), outer, "BEGIN:AVAILABLE", inner, "END:AVAILABLE", "END:VAVAILABILITY"}
		}
		one, err := ParseAvailability([]byte(calendar(component(p)...)))
		if err != nil {
			return
		}
		from, mid, to := utcDay(2026, 1, 1), utcDay(2026, 6, 16), utcDay(2027, 1, 1)
		list := one.Unavailable(from, to, nil, 1000)
		wantValidPeriods(t, list, from, to)

		limit, b := 1000, newBudget()
		for _, c := range one.components {
			c.availabilitySpans(rangeSpan(from, to), nil, &limit, b)
		}
		if limit == 0 || b.left < stepBudget/2 {
			return
		}
		parts := append(one.Unavailable(from, mid, nil, 1000), one.Unavailable(mid, to, nil, 1000)...)
		if parts = MergePeriods(parts); !slices.Equal(parts, list) {
			t.Errorf("two adjacent windows: got %v, want %v", parts, list)
		}
		two, err := ParseAvailability([]byte(calendar(append(component(p), component(q)...)...)))
		if err != nil {
			t.Fatal(err)
		}
		if both := two.Unavailable(from, to, nil, 2000); !slices.Equal(both, list) {
			t.Errorf("two equal components: got %v, want %v", both, list)
		}
	})
}
