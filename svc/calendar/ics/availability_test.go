package ics

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// office is a VAVAILABILITY with working hours; prefix stands in it first.
func office(hours string, lines ...string) []string {
	from, to, _ := strings.Cut(hours, "-")
	return slices.Concat([]string{"BEGIN:VAVAILABILITY", "UID:" + hours}, lines,
		[]string{"BEGIN:AVAILABLE", "UID:1", "DTSTART;TZID=America/Montreal:20111002T" + from, "DTEND;TZID=America/Montreal:20111002T" + to,
			"RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "END:AVAILABLE", "END:VAVAILABILITY"})
}

func TestUnavailable(t *testing.T) {
	for _, c := range []struct {
		name     string
		lines    []string
		from, to string
		want     string
	}{
		{"Monday to Friday from nine to five (RFC 7953 §3.1)", office("090000-170000"), "20111005T000000Z", "20111007T000000Z",
			"1005T0000 1005T1300 BUSY-UNAVAILABLE\n1005T2100 1006T1300 BUSY-UNAVAILABLE\n1006T2100 1007T0000 BUSY-UNAVAILABLE\n"},
		{"a weekend", office("090000-170000"), "20111008T000000Z", "20111010T000000Z", "1008T0000 1010T0000 BUSY-UNAVAILABLE\n"},
		{"only while it holds, with a type of its own",
			office("090000-170000", "DTSTART;TZID=America/Montreal:20111005T120000", "DTEND;TZID=America/Montreal:20111006T120000", "BUSYTYPE:BUSY-TENTATIVE"),
			"20111004T000000Z", "20111008T000000Z", "1005T2100 1006T1300 BUSY-TENTATIVE\n"},
		{"for as long as DURATION says", office("090000-170000", "DTSTART:20111005T000000Z", "DURATION:PT12H", "BUSYTYPE:X-BUSY"), "20111004T000000Z", "20111008T000000Z",
			"1005T0000 1005T1200 BUSY-UNAVAILABLE\n"},
		{"until an end", office("090000-170000", "DTEND:20111005T000000Z", "BUSYTYPE:BUSY"), "20111004T120000Z", "20111008T000000Z",
			"1004T1200 1004T1300 BUSY\n1004T2100 1005T0000 BUSY\n"},
		{"never", []string{"BEGIN:VAVAILABILITY", "END:VAVAILABILITY"}, "20111004T000000Z", "20111005T000000Z", "1004T0000 1005T0000 BUSY-UNAVAILABLE\n"},
		{"a moved day, a day off, and one more",
			[]string{"BEGIN:VAVAILABILITY", "DTSTART:20260501T000000Z",
				"BEGIN:AVAILABLE", "UID:1", "DTSTART:20260501T090000Z", "DURATION:PT8H", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260502T090000Z", "RDATE:20260505T090000Z", "END:AVAILABLE",
				"BEGIN:AVAILABLE", "UID:1", "RECURRENCE-ID:20260503T090000Z", "DTSTART:20260503T120000Z", "DURATION:PT1H", "END:AVAILABLE", "END:VAVAILABILITY"},
			"20260501", "20260506",
			"0501T0000 0501T0900 BUSY-UNAVAILABLE\n0501T1700 0503T1200 BUSY-UNAVAILABLE\n0503T1300 0505T0900 BUSY-UNAVAILABLE\n0505T1700 0506T0000 BUSY-UNAVAILABLE\n"},
		{"available times that overlap, without UIDs",
			[]string{"BEGIN:VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART:20260501T090000Z", "DURATION:PT8H", "END:AVAILABLE",
				"BEGIN:AVAILABLE", "DTSTART:20260501T070000Z", "DURATION:PT3H", "END:AVAILABLE", "BEGIN:AVAILABLE", "DTSTART:20260501T100000Z", "DURATION:PT1H", "END:AVAILABLE", "END:VAVAILABILITY"},
			"20260501", "20260502", "0501T0000 0501T0700 BUSY-UNAVAILABLE\n0501T1700 0502T0000 BUSY-UNAVAILABLE\n"},
		{"an available time that lasts no time",
			[]string{"BEGIN:VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART:20260501T090000Z", "DTEND:20260501T090000Z", "END:AVAILABLE", "END:VAVAILABILITY"},
			"20260501", "20260502", "0501T0000 0502T0000 BUSY-UNAVAILABLE\n"},
		{"an available time without an end",
			[]string{"BEGIN:VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART:20260501T090000Z", "END:AVAILABLE", "END:VAVAILABILITY"},
			"20260501", "20270502", "0501T0000 0501T0900 BUSY-UNAVAILABLE\n"},
		{"a journey is more important than the office (RFC 7953 §4)",
			slices.Concat(office("090000-170000"), []string{"BEGIN:VAVAILABILITY", "PRIORITY:1", "DTSTART:20111005T000000Z", "DTEND:20111007T000000Z", "BUSYTYPE:BUSY",
				"BEGIN:AVAILABLE", "UID:2", "DTSTART:20111005T020000Z", "DTEND:20111005T040000Z", "END:AVAILABLE", "END:VAVAILABILITY"}),
			"20111004T200000Z", "20111007T140000Z",
			"1004T2100 1005T0000 BUSY-UNAVAILABLE\n1005T0000 1005T0200 BUSY\n1005T0400 1007T0000 BUSY\n1007T0000 1007T1300 BUSY-UNAVAILABLE\n"},
		{"wherever they stand, and 9 is more than nothing",
			slices.Concat([]string{"BEGIN:VAVAILABILITY", "PRIORITY:9", "DTSTART:20111005T000000Z", "DTEND:20111006T000000Z", "BEGIN:AVAILABLE", "DTSTART:20111004T000000Z", "END:AVAILABLE", "END:VAVAILABILITY"},
				office("090000-170000", "PRIORITY:0")), "20111005T000000Z", "20111006T120000Z", "1006T0000 1006T1200 BUSY-UNAVAILABLE\n"},
		{"of two that are as important, the busier one counts",
			slices.Concat([]string{"BEGIN:VAVAILABILITY", "PRIORITY:2", "DTSTART:20111005T000000Z", "DURATION:PT4H", "BUSYTYPE:BUSY", "END:VAVAILABILITY"},
				[]string{"BEGIN:VAVAILABILITY", "PRIORITY:2", "DTSTART:20111005T020000Z", "DURATION:PT4H", "BUSYTYPE:BUSY-TENTATIVE", "BEGIN:AVAILABLE", "DTSTART:20111005T030000Z", "DURATION:PT2H", "END:AVAILABLE", "END:VAVAILABILITY"}),
			"20111005T000000Z", "20111006T000000Z", "1005T0000 1005T0400 BUSY\n1005T0500 1005T0600 BUSY-TENTATIVE\n"},
		{"days are where the viewer is",
			[]string{"BEGIN:VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART;VALUE=DATE:20260501", "END:AVAILABLE", "BEGIN:AVAILABLE", "DTSTART:20260430T120000", "DURATION:PT1H", "END:AVAILABLE", "END:VAVAILABILITY"},
			"20260430", "20260503", "0430T0000 0430T1000 BUSY-UNAVAILABLE\n0430T1100 0430T2200 BUSY-UNAVAILABLE\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := ParseAvailability([]byte(calendar(c.lines...)))
			if err != nil {
				t.Fatal(err)
			}
			if got := showPeriods(a.Unavailable(at(t, c.from), at(t, c.to), loadedZone(t, "Europe/Berlin"), 1000)); got != c.want {
				t.Errorf("got:\n%swant:\n%s", got, c.want)
			}
		})
	}
}

// What is not looked at is not available.
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
	if got := showPeriods(list); got != "0101T1200 0102T0000 BUSY-UNAVAILABLE\n0102T1200 0106T0000 BUSY-UNAVAILABLE\n" {
		t.Errorf("with a limit of 2: %s", got)
	}
	list = read("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", 5000).Unavailable(begin, time.Time{}, nil, 1000)
	if len(list) != 1 || !list[0].From.Equal(begin) || list[0].To.Year() != 9998 {
		t.Errorf("got %v", list)
	}
}

func TestReadAvailabilityFromXML(t *testing.T) {
	text := "\n    " + strings.ReplaceAll(calendar(office("090000-170000")...), "\r\n", "\n    ")
	if _, err := ParseAvailability([]byte(text)); err != nil {
		t.Error(err)
	}
}

func TestReadAvailabilityRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, precondition, says string }{
		{"nothing", "", CondValidCalendarData, "no VCALENDAR"},
		{"a time zone alone", calendar(own("Own")...), CondValidCalendarObject, "no VAVAILABILITY"},
		{"an event", event("DTSTART:20260501"), CondSupportedComponent, "VEVENT"},
		{"an available time without a start", wrap("VAVAILABILITY", "BEGIN:AVAILABLE", "END:AVAILABLE"), CondValidCalendarData, "no DTSTART"},
		{"an unreadable rule", wrap("VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART:20260501", "RRULE:x", "END:AVAILABLE"), CondValidCalendarData, "RRULE of the available time"},
		{"an unreadable start", wrap("VAVAILABILITY", "DTSTART:x"), CondValidCalendarData, "DTSTART of the availability"},
		{"too many of them", calendar(slices.Repeat([]string{"BEGIN:VAVAILABILITY", "END:VAVAILABILITY"}, 101)...), CondValidCalendarData, "101 VAVAILABILITYs"},
		{"too large a text", strings.Repeat("x", MaxSize+1), CondMaxResourceSize, "octets"},
	} {
		_, err := ParseAvailability([]byte(c.text))
		var e *Error
		if !errors.As(err, &e) || e.Precondition != c.precondition || !strings.Contains(e.Reason, c.says) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

// A time range on a VAVAILABILITY, by what it says of its start and end.
func TestAvailabilityOverlaps(t *testing.T) {
	early, late := within("20260101T000000Z", "20260201T000000Z"), within("20260601T000000Z", "20260701T000000Z")
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
			if got := top(CompFilter{Name: "VAVAILABILITY", TimeRange: r}).Match(o, nil); got != want {
				t.Errorf("%q from %v: %v", c.lines, r.Start, got)
			}
		}
	}
}

// Whatever it says, what is unavailable lies in the window, in order. Two
// windows that meet show what one shows, and two components that say the same
// say what one says, whatever their priorities.
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
		checkPeriods(t, list, from, to)

		limit, b := 1000, newBudget()
		for _, c := range one.components {
			c.availabilitySpans(rangeSpan(from, to), nil, &limit, b)
		}
		if limit == 0 || b.left < stepBudget/2 {
			return
		}
		parts := append(one.Unavailable(from, mid, nil, 1000), one.Unavailable(mid, to, nil, 1000)...)
		if parts = MergePeriods(parts); !slices.Equal(parts, list) {
			t.Errorf("at once %v, in two %v", list, parts)
		}
		two, err := ParseAvailability([]byte(calendar(append(component(p), component(q)...)...)))
		if err != nil {
			t.Fatal(err)
		}
		if both := two.Unavailable(from, to, nil, 2000); !slices.Equal(both, list) {
			t.Errorf("one says %v, two say %v", list, both)
		}
	})
}
