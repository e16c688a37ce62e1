package ics

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/teambition/rrule-go"
)

// occurrence is an instance as computed by the oracle.
type occurrence struct{ start, end time.Time }

// randomSeries returns the text of a random series with exceptions, RDATEs and
// overrides, and its instances as computed by rrule-go and package time. No
// local time is skipped or repeated.
func randomSeries(t *testing.T, r *rand.Rand, loc *time.Location) (text string, all []occurrence) {
	start := time.Date(2024, time.Month(1+r.IntN(12)), 1+r.IntN(28), 8+r.IntN(12), 15*r.IntN(4), 0, 0, time.UTC)
	length := time.Duration(r.IntN(60)) * time.Hour
	value := []string{
		"FREQ=DAILY;INTERVAL=%d;COUNT=%d", "FREQ=WEEKLY;INTERVAL=%d;COUNT=%d", "FREQ=WEEKLY;INTERVAL=%d;COUNT=%d;BYDAY=MO,WE,SA",
		"FREQ=MONTHLY;INTERVAL=%d;COUNT=%d", "FREQ=MONTHLY;INTERVAL=%d;COUNT=%d;BYDAY=-1SU", "FREQ=YEARLY;INTERVAL=%d;COUNT=%d",
	}[r.IntN(6)]
	value = fmt.Sprintf(value, 1+r.IntN(3), 5+r.IntN(40))
	option, err := rrule.StrToROption(value)
	if err != nil {
		t.Fatal(err)
	}
	option.Dtstart = start
	rule, err := rrule.NewRRule(*option)
	if err != nil {
		t.Fatal(err)
	}
	walls := rule.All()
	start = walls[0] // a DTSTART that matches the rule

	tzid := ";TZID=" + loc.String() + ":"
	lines := []string{"BEGIN:VEVENT", "UID:1", "DTSTART" + tzid + start.Format(layout), fmt.Sprintf("DURATION:PT%dH", int(length.Hours())), "RRULE:" + value}
	for range r.IntN(4) {
		wall := start.AddDate(0, 0, r.IntN(400)).Add(time.Hour)
		lines = append(lines, "RDATE"+tzid+wall.Format(layout))
		walls = append(walls, wall)
	}
	slices.SortFunc(walls, time.Time.Compare)
	walls = slices.Compact(walls)
	var overrides []string
	for _, wall := range walls {
		local := func(wall time.Time) time.Time {
			return time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), 0, 0, loc)
		}
		switch r.IntN(8) {
		case 0:
			lines = append(lines, "EXDATE:"+local(wall).UTC().Format(layout+"Z"))
		case 1:
			moved := wall.AddDate(0, 0, r.IntN(60)-30)
			overrides = append(overrides, "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID"+tzid+wall.Format(layout), "DTSTART"+tzid+moved.Format(layout), "DURATION:PT30M", "END:VEVENT")
			all = append(all, occurrence{local(moved), local(moved).Add(30 * time.Minute)})
		default:
			all = append(all, occurrence{local(wall), local(wall).Add(length)})
		}
	}
	return calendar(slices.Concat(lines, []string{"END:VEVENT"}, overrides)...), all
}

// Covers PT-27.
func TestSeriesAgreeWithRRuleGo(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 4))
	for range 500 {
		loc := loadedZone(t, []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Tokyo"}[r.IntN(5)])
		text, all := randomSeries(t, r, loc)
		o := mustParse(t, text)
		a := time.Date(2024, 1, 1, r.IntN(24*500), 0, 0, 0, time.UTC)
		b := a.Add(time.Duration(1+r.IntN(24*200)) * time.Hour)
		c := b.Add(time.Duration(1+r.IntN(24*200)) * time.Hour)

		var want []string
		for _, i := range all {
			if i.start.Before(b) && (i.end.After(a) || i.start.Equal(i.end) && !i.start.Before(a)) {
				want = append(want, fmt.Sprint(i.start.UTC(), i.end.UTC()))
			}
		}
		slices.Sort(want)
		if got := times(t, o, a, b); !slices.Equal(got, slices.Compact(want)) {
			t.Fatalf("%s\nfrom %s to %s\n got %s\nwant %s", text, a, b, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}

		// Instances that overlap b are in both windows.
		both := append(times(t, o, a, b), times(t, o, b, c)...)
		slices.Sort(both)
		if got, want := slices.Compact(both), times(t, o, a, c); !slices.Equal(got, want) {
			t.Fatalf("%s\nfrom %s via %s to %s\n got %s\nwant %s", text, a, b, c, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

func times(t *testing.T, o *Object, from, to time.Time) (list []string) {
	t.Helper()
	instances, truncated := o.Instances(from, to, nil, 10_000)
	if truncated {
		t.Fatal("got truncated instances")
	}
	for _, i := range instances {
		list = append(list, fmt.Sprint(i.StartsAt, i.EndsAt))
	}
	slices.Sort(list)
	return slices.Compact(list)
}
