package occurrence

import (
	"fmt"
	"math"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/svctest"
)

// A series is indexed as a whole if it ends soon, otherwise around the present,
// and not at all if it has too many occurrences.
func TestIndexCoversTheSeriesOrAWindow(t *testing.T) {
	day := func(days int) *store.Millis {
		return new(store.MillisOf(storetest.Start.Truncate(24*time.Hour).AddDate(0, 0, days)))
	}
	for _, c := range []struct {
		name     string
		lines    []string
		rows     int
		from, to *store.Millis
		floating bool
	}{
		{"no recurrence", []string{"DTSTART:20261201T090000Z", "DURATION:PT1H"}, 1, nil, nil, false},
		{"a date", []string{"DTSTART;VALUE=DATE:20261201"}, 1, nil, nil, true},
		{"a floating time", []string{"DTSTART:20261201T090000", "DURATION:PT1H"}, 1, nil, nil, true},
		{"an unknown time zone", []string{"DTSTART;TZID=Nowhere:20261201T090000", "DURATION:PT1H"}, 1, nil, nil, true},
		{"a series that ends soon", []string{"DTSTART:20261201T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=120"}, 120, nil, nil, false},
		{"a series that ends later", []string{"DTSTART:20261201T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=1000"}, 390, day(-92), day(400), false},
		{"an endless series", []string{"DTSTART:20261201T090000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"}, 56, day(-92), day(400), false},
		{"too many occurrences", []string{"DTSTART:20261201T090000Z", "DURATION:PT1M", "RRULE:FREQ=MINUTELY"}, 0, day(-92), day(-92), false},
		{"a floating series beyond the window", []string{"DTSTART:20361201T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"}, 0, day(-92), day(400), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := NewIndex(icstest.Parse(t, icstest.Event("a", c.lines...)), storetest.Start)
			if len(x.Rows) != c.rows || x.Floating != c.floating {
				t.Errorf("got %d rows, floating %t; want %d, %t", len(x.Rows), x.Floating, c.rows, c.floating)
			}
			if got, want := text(x.From)+text(x.To), text(c.from)+text(c.to); got != want {
				t.Errorf("got range %s, want %s", got, want)
			}
		})
	}
}

func text(m *store.Millis) string {
	if m == nil {
		return " - "
	}
	return m.Time().Format(" 2006-01-02")
}

// The empty index has no rows and covers no range, so that queries expand the
// object.
func TestEmptyIndexIsNeverComplete(t *testing.T) {
	x := EmptyIndex(icstest.Parse(t, icstest.Event("a", "DTSTART:20261201T090000", "RRULE:FREQ=DAILY")), storetest.Start)
	if len(x.Rows) != 0 || *x.From != FarFuture || *x.To != FarFuture || !x.Floating {
		t.Errorf("got %+v", x)
	}
	if x.FirstStart == 0 || x.LastEnd != FarFuture {
		t.Errorf("got bounds %d to %d, want those of the series", x.FirstStart, x.LastEnd)
	}
}

// Busy types and bands follow from the occurrence.
func TestRowHasBusyTypeAndBand(t *testing.T) {
	for _, c := range []struct {
		lines      []string
		busy, band int
	}{
		{[]string{"DTSTART:20261201T090000Z", "DURATION:PT1H"}, 1, 0},
		{[]string{"DTSTART:20261201T090000Z", "DURATION:PT1H", "STATUS:TENTATIVE"}, 2, 0},
		{[]string{"DTSTART:20261201T090000Z", "DURATION:PT1H", "STATUS:CANCELLED"}, 0, 0},
		{[]string{"DTSTART:20261201T090000Z", "DURATION:P3D", "TRANSP:TRANSPARENT"}, 0, 1},
		{[]string{"DTSTART:20261201T090000Z", "DURATION:P40D"}, 1, 2},
		{[]string{"DTSTART:20261201T090000Z", "DURATION:P900D"}, 1, 3},
	} {
		rows := NewIndex(icstest.Parse(t, icstest.Event("a", c.lines...)), storetest.Start).Rows
		if len(rows) != 1 || rows[0].Busy != c.busy || rows[0].Band != c.band {
			t.Errorf("%q: got rows %+v, want busy %d in band %d", c.lines, rows, c.busy, c.band)
		}
	}
}

// In the indexed range, a search of the bands finds each occurrence of the expanded
// object. A match in a band that is marked as certain is always an occurrence in the
// range. Covers C-17.
func TestBandsFindTheOccurrencesInARange(t *testing.T) {
	for seed := range svctest.Seeds(4) {
		d := icstest.NewRand(seed)
		for n := range 400 {
			o := icstest.Parse(t, d.CalendarObject(fmt.Sprint("uid-", n)))
			x := NewIndex(o, storetest.Start)
			for range 5 {
				wantBandsMatch(t, o, x, d)
			}
		}
	}
}

func wantBandsMatch(t *testing.T, o *ics.Object, x Index, d icstest.Rand) {
	t.Helper()
	from, to := d.Range()
	switch d.IntN(8) {
	case 0:
		from = time.Time{}
	case 1:
		to = time.Time{}
	}
	loc := d.Zone()
	r := NewRange(from, to, loc)
	const margin = Day // the instant of a floating time differs by up to a day between zones
	if x.From != nil && (*x.From > r.From-margin || *x.To < r.To+margin) {
		return
	}
	certain, possible := search(x.Rows, r.Bands(storetest.Start))
	list, truncated := o.Instances(from, to, loc, 1)
	if certain && len(list) == 0 || len(list) > 0 && !possible {
		t.Errorf("from %s to %s in %s: found certain %t, possible %t; want %d occurrences, truncated %t\n%s", from, to, loc, certain, possible, len(list), truncated, o.Raw)
	}
	if outer, _ := search(x.Rows, r.OuterBands(storetest.Start)); outer != possible {
		t.Errorf("from %s to %s in %s: outer bands found %t, want %t\n%s", from, to, loc, outer, possible, o.Raw)
	}
}

// search reports which matches the rows have in the bands. It uses the conditions
// of the SQL queries.
func search(rows []Row, list []Band) (certain, possible bool) {
	for _, b := range list {
		for _, row := range rows {
			if row.Floating == b.Floating && row.Band == b.Band && row.Starts > b.After && row.Starts < b.Before && row.Ends > b.EndAfter {
				possible, certain = true, certain || b.Certain == 1
			}
		}
	}
	return certain, possible
}

// The occurrence to show is the next one of the dataset window. If there is none,
// it is the next occurrence, or else the last one.
func TestNextPrefersTheDatasetWindow(t *testing.T) {
	now := storetest.Start // Saturday, 21 November 2026, 09:00 UTC
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"the next of a series", []string{"DTSTART:20261101T100000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY"}, "20261121T100000Z"},
		{"one that is not over", []string{"DTSTART:20261101T083000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY"}, "20261121T083000Z"},
		{"the last in the window", []string{"DTSTART:20261101T080000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=20"}, "20261120T080000Z"},
		{"one after the window", []string{"DTSTART:20280101T080000Z", "DURATION:PT1H"}, "20280101T080000Z"},
		{"one far in the past", []string{"DTSTART:19990101T080000Z", "DURATION:PT1H", "RRULE:FREQ=YEARLY;COUNT=3"}, "20010101T080000Z"},
		{"a leap day far in the future", []string{"DTSTART:20960229T080000Z", "DURATION:PT1H", "RRULE:FREQ=YEARLY"}, "20960229T080000Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := Next(icstest.Parse(t, icstest.Event("a", c.lines...)), now, time.UTC)
			if i == nil || i.Start.String() != c.want {
				t.Errorf("got %v, want %s", i, c.want)
			}
		})
	}
	none := icstest.Parse(t, icstest.Event("a", "DTSTART:20261101T100000Z", "RRULE:FREQ=DAILY;COUNT=1", "EXDATE:20261101T100000Z"))
	if i := Next(none, now, time.UTC); i != nil {
		t.Errorf("got %v for a series without occurrences, want nil", i)
	}
}

// The dataset window lasts from midnight to midnight, even if an hour is
// skipped or repeated.
func TestDatasetWindowBeginsAtMidnight(t *testing.T) {
	berlin, _ := ics.LoadZone("Europe/Berlin")
	loc := berlin.Location()
	from, to := DatasetWindow(storetest.Start, loc)
	if got, want := from.Format(time.RFC3339), "2026-11-14T00:00:00+01:00"; got != want {
		t.Errorf("got from %s, want %s", got, want)
	}
	if got, want := to.Format(time.RFC3339), "2027-01-20T00:00:00+01:00"; got != want {
		t.Errorf("got to %s, want %s", got, want)
	}
}

// Times without a bound are clamped, so that sums of columns do not overflow.
func TestUnboundedTimesAreClamped(t *testing.T) {
	if got := Clamp(math.MaxInt64); got != FarFuture {
		t.Errorf("got %d, want %d", got, FarFuture)
	}
	if got := Clamp(math.MinInt64); got != FarPast {
		t.Errorf("got %d, want %d", got, FarPast)
	}
}
