package ics

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// formatPeriods formats periods one per line: from, to and type, without the
// year.
func formatPeriods(list []Period) string {
	var b strings.Builder
	for _, p := range list {
		fmt.Fprintf(&b, "%s %s %s\n", p.From.Format("0102T1504"), p.To.Format("0102T1504"), p.Type)
	}
	return b.String()
}

func parseInstant(t testing.TB, value string) time.Time {
	t.Helper()
	v, ok := parseTime(value, nil)
	if !ok {
		t.Fatal(value)
	}
	return v.Instant(nil)
}

// TestFBTypeOfInstances checks the table of RFC 4791 §7.10.
func TestFBTypeOfInstances(t *testing.T) {
	for text, want := range map[string]FBType{
		event("DTSTART:20260501"):                                           Busy,
		event("DTSTART:20260501", "TRANSP:OPAQUE", "STATUS:CONFIRMED"):      Busy,
		event("DTSTART:20260501", "STATUS:cancelled"):                       Free,
		event("DTSTART:20260501", "TRANSP: opaque ", "STATUS:TENTATIVE"):    BusyTentative,
		event("DTSTART:20260501", "STATUS:X-PERHAPS"):                       Busy,
		event("DTSTART:20260501", "TRANSP:TRANSPARENT"):                     Free,
		event("DTSTART:20260501", "TRANSP:Transparent", "STATUS:TENTATIVE"): Free,
		wrap("VTODO", "DTSTART:20260501T090000Z", "DUE:20260501T100000Z"):   Free,
		wrap("VJOURNAL", "DTSTART:20260501"):                                Free,
		wrap("VFREEBUSY", "FREEBUSY;FBTYPE=BUSY:20260501T090000Z/PT1H"):     Free,
		wrap("VAVAILABILITY", "DTSTART:20260501T090000Z", "BUSYTYPE:BUSY"):  Free,
	} {
		list, _ := mustParse(t, text).Instances(time.Time{}, time.Time{}, nil, 1)
		if len(list) != 1 || list[0].FBType() != want {
			t.Errorf("%q: got %v, want one instance of type %q", text, list, want)
		}
	}
}

func TestFreeBusyPeriods(t *testing.T) {
	const berlin = ";TZID=Europe/Berlin:"
	loc := loadedZone(t, "Europe/Berlin")
	for _, c := range []struct {
		name, text string
		from, to   string
		limit      int
		want       string
		truncated  bool
	}{
		{"periods are clipped to the window",
			event("DTSTART:20260501T090000Z", "DURATION:PT2H", "RRULE:FREQ=DAILY;COUNT=4"), "20260502T100000Z", "20260504T093000Z", 10,
			"0502T1000 0502T1100 BUSY\n0503T0900 0503T1100 BUSY\n0504T0900 0504T0930 BUSY\n", false},
		{"a cancelled, a tentative and a moved instance",
			events([]string{"UID:1", "DTSTART" + berlin + "20260501T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=4"},
				[]string{"UID:1", "RECURRENCE-ID" + berlin + "20260502T090000", "DTSTART" + berlin + "20260502T090000", "DURATION:PT1H", "STATUS:CANCELLED"},
				[]string{"UID:1", "RECURRENCE-ID" + berlin + "20260503T090000", "DTSTART" + berlin + "20260503T110000", "DURATION:PT1H", "STATUS:TENTATIVE"}),
			"20260501", "20260601", 10, "0501T0700 0501T0800 BUSY\n0503T0900 0503T1000 BUSY-TENTATIVE\n0504T0700 0504T0800 BUSY\n", false},
		{"overlapping instances", event("DTSTART:20260501T090000Z", "DURATION:PT3H", "RRULE:FREQ=HOURLY;COUNT=3"), "20260501", "20260502", 10,
			"0501T0900 0501T1400 BUSY\n", false},
		{"a DATE is in the given location", event("DTSTART:20260501"), "20260401", "20260601", 10, "0430T2200 0501T2200 BUSY\n", false},
		{"a floating time is in the given location", event("DTSTART:20260501T090000", "DURATION:PT1H"), "20260401", "20260601", 10, "0501T0700 0501T0800 BUSY\n", false},
		{"an event without a duration is not busy", event("DTSTART:20260501T090000Z"), "20260401", "20260601", 10, "", false},
		{"more instances than the limit", event("DTSTART:20260501T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY"), "20260501", "20260601", 2,
			"0501T0900 0501T1000 BUSY\n0502T0900 0502T1000 BUSY\n", true},
		{"as many instances as the limit", event("DTSTART:20260501T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2"), "20260501", "20260601", 2,
			"0501T0900 0501T1000 BUSY\n0502T0900 0502T1000 BUSY\n", false},
		{"a rule that exhausts the budget", event("DTSTART:20260501T090000Z", "DURATION:PT1H", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"), "20270101", "", 2, "", true},
		{"a VTODO", wrap("VTODO", "DTSTART:20260501T090000Z", "DUE:20260501T100000Z"), "20260401", "20260601", 10, "", false},
		{"a VFREEBUSY", wrap("VFREEBUSY", "DTSTART:20260401T000000Z", "DTEND:20260601T000000Z",
			"FREEBUSY:20260501T090000Z/PT1H,20260501T100000Z/20260501T110000Z,nonsense,20260601T000000Z/P1D",
			"FREEBUSY;FBTYPE=free:20260502T090000Z/PT1H", "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260503T090000Z/P1DT1H",
			"FREEBUSY;FBTYPE=busy-tentative:20260501T103000Z/PT1H", "FREEBUSY;FBTYPE=X-OUT:20260505T090000Z/PT1H", "FREEBUSY:20260506T100000Z/20260506T090000Z"),
			"20260401", "20260601", 10, "0501T0900 0501T1100 BUSY\n0501T1030 0501T1130 BUSY-TENTATIVE\n0503T0900 0504T1000 BUSY-UNAVAILABLE\n0505T0900 0505T1000 BUSY\n", false},
		{"a VFREEBUSY with more periods than the limit", wrap("VFREEBUSY", "FREEBUSY:20260501T090000Z/PT1H,20260502T090000Z/PT1H", "FREEBUSY:20260503T090000Z/PT1H"),
			"20260401", "20260601", 1, "0501T0900 0501T1000 BUSY\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var to time.Time
			if c.to != "" {
				to = parseInstant(t, c.to)
			}
			list, truncated := mustParse(t, c.text).FreeBusy(parseInstant(t, c.from), to, loc, c.limit)
			if got := formatPeriods(list); got != c.want || truncated != c.truncated {
				t.Errorf("got truncated %v:\n%s\nwant %v:\n%s", truncated, got, c.truncated, c.want)
			}
		})
	}
}

func TestMergePeriodsJoinsAdjacentPeriods(t *testing.T) {
	hour := func(from, to int, b FBType) Period {
		return Period{utcDay(2026, 5, 1).Add(time.Duration(from) * time.Hour), utcDay(2026, 5, 1).Add(time.Duration(to) * time.Hour), b}
	}
	list := []Period{hour(9, 10, Busy), hour(7, 8, BusyTentative), hour(10, 12, Busy), hour(1, 2, Busy), hour(7, 9, Busy), hour(9, 11, BusyTentative), hour(7, 15, BusyUnavailable), hour(11, 12, Busy)}
	before := slices.Clone(list)
	want := "0501T0100 0501T0200 BUSY\n0501T0700 0501T1200 BUSY\n0501T0700 0501T0800 BUSY-TENTATIVE\n0501T0700 0501T1500 BUSY-UNAVAILABLE\n0501T0900 0501T1100 BUSY-TENTATIVE\n"
	if got := formatPeriods(MergePeriods(list)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !slices.Equal(list, before) {
		t.Errorf("the argument was modified: got %v, want %v", list, before)
	}
}

func TestFormatFreeBusyRoundTrip(t *testing.T) {
	var list []Period
	begin := utcDay(2026, 1, 1)
	for n := range 500 {
		from := begin.Add(time.Duration(n) * 7 * time.Hour)
		list = append(list, Period{from, from.Add(time.Hour), []FBType{Busy, BusyUnavailable, BusyTentative}[n%3]})
	}
	end := utcDay(2027, 1, 1)
	text := FormatFreeBusy("-//Test//EN", "a,b", begin, end, begin, list)
	for line := range strings.Lines(string(text)) {
		if len(line) > maxLineOctets+2 {
			t.Fatalf("got a line of %d octets, want at most %d", len(line), maxLineOctets)
		}
	}
	o := mustParse(t, string(text))
	got, truncated := o.FreeBusy(begin, end, nil, 1000)
	if !slices.Equal(got, list) || truncated || o.UID != "a,b" {
		t.Errorf("got UID %q, truncated %v, %d periods; want %d", o.UID, truncated, len(got), len(list))
	}
	if text := string(FormatFreeBusy("-//Test//EN", "1", begin, end, begin, nil)); strings.Contains(text, "\nFREEBUSY") {
		t.Errorf("without periods: got %s, want no FREEBUSY", text)
	}
}

func TestLimitFreeBusyRemovesPeriodsOutsideTheRange(t *testing.T) {
	text := wrap("VFREEBUSY", "FREEBUSY;FBTYPE=BUSY;X-A=b:20260501T090000Z/PT1H,20260502T090000Z/PT1H,20260503T090000Z/PT1H", "FREEBUSY:20260502T080000Z", "FREEBUSY:20260502T000000Z/PT1H,2026050\r\n 2T010000Z/PT1H", "COMMENT:x")
	want := wrap("VFREEBUSY", "FREEBUSY;FBTYPE=BUSY;X-A=b:20260502T090000Z/PT1H", "FREEBUSY:20260502T000000Z/PT1H,2026050\r\n 2T010000Z/PT1H", "COMMENT:x")
	if got := string(mustParse(t, text).LimitFreeBusy(utcDay(2026, 5, 2), utcDay(2026, 5, 3))); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if o := mustParse(t, weeklyEvent); string(o.LimitFreeBusy(utcDay(2026, 5, 2), utcDay(2026, 5, 3))) != weeklyEvent {
		t.Error("got a changed VEVENT, want it unchanged")
	}
}

// For any input, the busy periods are in the window, in order and disjoint, and
// equal to those of the formatted VFREEBUSY and of the object after
// LimitFreeBusy.
//
// Covers PT-45.
func FuzzFreeBusy(f *testing.F) {
	f.Add("FREEBUSY:20260501T090000Z/PT1H,20260502T090000Z/20260502T100000Z")
	f.Add("FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260501T090000Z/P8000W,20260101/P1D\r\nDTSTART:20260101\r\nRRULE:FREQ=DAILY")
	f.Add("DTSTART;TZID=Europe/Berlin:20260501T023000\r\nDURATION:PT25H\r\nRRULE:FREQ=DAILY\r\nSTATUS:TENTATIVE")
	f.Fuzz(func(t *testing.T, lines string) {
		from, to := utcDay(2026, 1, 1), utcDay(2027, 1, 1)
		for _, kind := range []string{"VFREEBUSY", "VEVENT"} {
			o, err := Parse([]byte(wrap(kind, lines)))
			if err != nil {
				continue
			}
			list, _ := o.FreeBusy(from, to, nil, 1000)
			wantValidPeriods(t, list, from, to)
			again, truncated := mustParse(t, string(FormatFreeBusy("-//Test//EN", "1", from, to, from, list))).FreeBusy(from, to, nil, 1000)
			if truncated || !slices.Equal(again, list) {
				t.Errorf("formatted and parsed: got %v, want %v", again, list)
			}
			if limited, err := Parse(o.LimitFreeBusy(from, to)); err != nil {
				t.Errorf("after LimitFreeBusy: %v", err)
			} else if same, _ := limited.FreeBusy(from, to, nil, 1000); !slices.Equal(same, list) {
				t.Errorf("after LimitFreeBusy: got %v, want %v", same, list)
			}
		}
	})
}

// wantValidPeriods fails the test unless the periods are in the window and in
// order, and those of one type are disjoint.
func wantValidPeriods(t *testing.T, list []Period, from, to time.Time) {
	t.Helper()
	ends := make(map[FBType]time.Time)
	for n, p := range list {
		if p.From.Before(from) || p.To.After(to) || !p.From.Before(p.To) || p.Type == Free || n > 0 && p.From.Before(list[n-1].From) {
			t.Errorf("got %v, want periods in order and between %v and %v", p, from, to)
		}
		if end, ok := ends[p.Type]; ok && !end.Before(p.From) {
			t.Errorf("got %v, want a period after %v", p, end)
		}
		ends[p.Type] = p.To
	}
}
