package ics

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc"
)

// randomObject returns a random series, and the location for floating times. Its
// times are in IANA, Windows and unknown zones, in UTC, floating or DATEs, some
// of them skipped or repeated by a change of the UTC offset. It has any form of
// UNTIL and of an end, RDATEs, EXDATEs and overrides, some with
// RANGE=THISANDFUTURE.
func randomObject(r *rand.Rand) (text string, loc *time.Location) {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	param := pick(";TZID=Europe/Berlin", ";TZID=America/New_York", ";TZID=Australia/Lord_Howe", ";TZID=Own", ";TZID=W. Europe Standard Time", "Z", "", ";VALUE=DATE")
	write := func(name string, wall time.Time) string {
		switch param {
		case "Z":
			return name + ":" + wall.Format(layout+"Z")
		case ";VALUE=DATE":
			return name + param + ":" + wall.Format("20060102")
		}
		return name + param + ":" + wall.Format(layout)
	}
	// In most zones the UTC offset changes in these nights, between one and
	// three o'clock.
	nights := []time.Time{utcDay(2026, 3, 7), utcDay(2026, 3, 28), utcDay(2026, 4, 4), utcDay(2026, 10, 3), utcDay(2026, 10, 24), utcDay(2026, 10, 31)}
	start := nights[r.IntN(len(nights))].AddDate(0, 0, r.IntN(5)-2).Add(time.Duration(r.IntN(96)) * 15 * time.Minute)
	if r.IntN(2) == 0 {
		start = start.Truncate(24 * time.Hour).Add(time.Duration(4+r.IntN(9)) * 15 * time.Minute)
	}
	end := func(start time.Time) string {
		switch r.IntN(4) {
		case 0:
			return write("DTEND", start.Add(time.Duration(r.IntN(200))*15*time.Minute))
		case 1:
			return fmt.Sprintf("DURATION:P%dD", r.IntN(4))
		case 2:
			return fmt.Sprintf("DURATION:PT%dM", 15*r.IntN(200))
		}
		return "X-NO-END:1"
	}
	last := start.AddDate(0, 0, r.IntN(60))
	rule := pick("FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=SU,SA,MO", "FREQ=MONTHLY;BYDAY=-1SU,1SU", "FREQ=HOURLY;INTERVAL=7", "FREQ=YEARLY", "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,30") +
		pick("", fmt.Sprintf(";COUNT=%d", 1+r.IntN(40)), last.Format(";UNTIL=20060102"), last.Format(";UNTIL=20060102T150405"), last.Format(";UNTIL=20060102T150405Z"))
	lines := slices.Concat(ownZone("Own"), []string{"BEGIN:VEVENT", "UID:1", write("DTSTART", start), end(start), "RRULE:" + rule})
	for range r.IntN(3) {
		wall := start.AddDate(0, 0, r.IntN(50)-5).Add(time.Duration(r.IntN(5)) * 30 * time.Minute)
		if line := write("RDATE", wall); param == ";VALUE=DATE" || r.IntN(2) == 0 {
			lines = append(lines, line)
		} else {
			lines = append(lines, strings.Replace(line, "RDATE", "RDATE;VALUE=PERIOD", 1)+pick("/PT5H", "/P1D"))
		}
	}
	for range r.IntN(3) {
		lines = append(lines, pick(write("EXDATE", start.AddDate(0, 0, r.IntN(30))), "EXDATE;VALUE=DATE:"+start.AddDate(0, 0, r.IntN(30)).Format("20060102")))
	}
	lines = append(lines, "END:VEVENT")
	future := r.IntN(4) == 0
	for n := range r.IntN(4) {
		id := start.AddDate(0, 0, 7*n+r.IntN(7))
		moved := id.Add(time.Duration(r.IntN(200)-100) * 30 * time.Minute)
		name := "RECURRENCE-ID"
		if future && n == 0 {
			name += ";RANGE=THISANDFUTURE"
		}
		lines = append(lines, "BEGIN:VEVENT", "UID:1", write(name, id), write("DTSTART", moved), end(moved), "END:VEVENT")
	}
	loc = svc.StoredZone(pick("UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia"))
	return calendar(lines...), loc
}

// instanceKey formats an instance for comparison.
func instanceKey(i Instance) string {
	return fmt.Sprint(i.RecurrenceID, i.Start, i.End, i.StartsAt, i.EndsAt, i.From, i.To, i.Component.RecurrenceID)
}

func instanceKeys(list []Instance, want func(Instance) bool) []string {
	all := []string{}
	for _, i := range list {
		if want(i) {
			all = append(all, instanceKey(i))
		}
	}
	slices.Sort(all)
	return all
}

// formatAll formats the instances and sorts the result.
func formatAll(list []Instance, format func(Instance) string) (all []string) {
	for _, i := range list {
		all = append(all, format(i))
	}
	slices.Sort(all)
	return all
}

// difference returns the elements of list that are not in other.
func difference(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

func anyInstance(Instance) bool { return true }

// A window contains exactly the instances that overlap it. FindInstance returns
// each of them, Bounds contains them, and LimitRecurrences and Expand preserve
// them.
//
// Covers PT-27.
func TestWindowContainsOverlappingInstances(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 6))
	for range scaledCount(1500) {
		text, loc := randomObject(r)
		o := mustParse(t, text)
		begin := utcDay(2026, 1, 1)
		all, truncated := o.Instances(begin, begin.AddDate(2, 0, 0), loc, 10_000)
		if truncated {
			t.Fatalf("got truncated instances of %s", text)
		}
		from := begin.Add(time.Duration(r.IntN(400*96)) * 15 * time.Minute)
		to := from.Add(time.Duration(1+r.IntN(40*96)) * 15 * time.Minute)
		mid := from.Add(to.Sub(from) / 2)
		window := rangeSpan(from, to)
		list, _ := o.Instances(from, to, loc, 10_000)
		overlaps := func(i Instance) bool { return i.span().overlaps(window) }
		if got, want := instanceKeys(list, anyInstance), instanceKeys(all, overlaps); !slices.Equal(got, want) {
			t.Fatalf("%s from %v to %v\n got %s\nwant %s", text, from, to, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
		first, _ := o.Instances(from, mid, loc, 10_000)
		second, _ := o.Instances(mid, to, loc, 10_000)
		both := append(instanceKeys(first, anyInstance), instanceKeys(second, anyInstance)...)
		slices.Sort(both)
		if got := slices.Compact(both); !slices.Equal(got, instanceKeys(list, anyInstance)) {
			t.Fatalf("%s\ntwo windows that meet at %v:\n got %q\nwant %q", text, mid, got, instanceKeys(list, anyInstance))
		}
		low, high, _ := o.Bounds(loc)
		for _, i := range list {
			if found, ok := o.FindInstance(i.RecurrenceID, loc); !ok || instanceKey(found) != instanceKey(i) {
				t.Fatalf("%s\nFindInstance: got %v, want %v", text, found, i)
			}
			if i.From < low || i.To > high {
				t.Fatalf("%s\nBounds: got %d, %d; want them to contain %v", text, low, high, i)
			}
		}
		limited := mustParse(t, string(o.LimitRecurrences(from, to, loc)))
		if same, _ := limited.Instances(from, to, loc, 10_000); !slices.Equal(instanceKeys(same, anyInstance), instanceKeys(list, anyInstance)) {
			t.Fatalf("%s\nLimitRecurrences from %v to %v: got\n%s\nwant the same instances", text, from, to, limited.Raw)
		}
		wantExpansion(t, o, from, to, loc, list)
	}
}

// wantExpansion fails the test unless the expansion has one component per
// instance.
func wantExpansion(t *testing.T, o *Object, from, to time.Time, loc *time.Location, list []Instance) {
	t.Helper()
	text, truncated := o.Expand(from, to, loc, 10_000)
	if truncated || strings.Contains(string(text), "TZID") || strings.Contains(string(text), "RRULE") {
		t.Fatalf("got truncated %v and\n%s\nwant neither TZID nor RRULE", truncated, text)
	}
	ids := make(map[Time]string)
	for _, i := range list {
		if other, ok := ids[i.RecurrenceID.utc()]; ok && other != fmt.Sprint(i.From, i.To) {
			return // in UTC, an instance at a skipped local time has the same id as another one
		}
		ids[i.RecurrenceID.utc()] = fmt.Sprint(i.From, i.To)
	}
	if len(list) == 0 {
		return
	}
	expanded := mustParse(t, string(text))
	var got, want []string
	for _, c := range expanded.Components() {
		i := c.ownInstance(loc)
		got = append(got, fmt.Sprint(c.RecurrenceID, i.StartsAt, i.EndsAt))
	}
	for _, i := range list {
		want = append(want, fmt.Sprint(i.RecurrenceID.utc(), i.StartsAt, i.EndsAt))
	}
	slices.Sort(got)
	slices.Sort(want)
	want = slices.Compact(want) // a skipped local time is the same instant as another
	if !slices.Equal(got, want) {
		t.Fatalf("%s\nexpansion has in excess %q\nand is missing %q", o.Raw, difference(got, want), difference(want, got))
	}
}

// A VTIMEZONE with the rules of an IANA zone yields the same instants.
func TestVTimezoneRulesAreApplied(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 9))
	compared := 0
	for range scaledCount(2000) {
		text, loc := randomObject(r)
		known := strings.ReplaceAll(text, "TZID=Own", "TZID=Europe/Berlin")
		if known == text {
			continue
		}
		compared++
		from, to := utcDay(2026, 1, 1), utcDay(2028, 1, 1)
		got, _ := mustParse(t, text).Instances(from, to, loc, 10_000)
		want, _ := mustParse(t, known).Instances(from, to, loc, 10_000)
		same := func(a, b Instance) bool {
			return a.StartsAt.Equal(b.StartsAt) && a.EndsAt.Equal(b.EndsAt) && a.RecurrenceID.String() == b.RecurrenceID.String()
		}
		if !slices.EqualFunc(got, want, same) {
			t.Fatalf("%s\n got %s\nwant %s", text, formatInstances(got), formatInstances(want))
		}
	}
	if compared < scaledCount(100) {
		t.Errorf("got %d comparisons, want at least %d", compared, scaledCount(100))
	}
}

// A new override of an instance does not change any instance.
func TestNewOverrideKeepsAllInstances(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 10))
	for range scaledCount(1500) {
		text, loc := randomObject(r)
		o := mustParse(t, text)
		from, to := utcDay(2026, 1, 1), utcDay(2028, 1, 1)
		list, _ := o.Instances(from, to, loc, 10_000)
		if len(list) == 0 {
			continue
		}
		i := list[r.IntN(len(list))]
		if i.Component.ThisAndFuture && i.Component.RecurrenceID == i.RecurrenceID { // its block also applies to later instances
			continue
		}
		d := o.Edit()
		d.Override(i)
		same, _ := mustParse(t, string(d.Bytes())).Instances(from, to, loc, 10_000)
		format := func(i Instance) string { return fmt.Sprint(i.RecurrenceID, i.Start, i.StartsAt, i.EndsAt) }
		if got, want := formatAll(same, format), formatAll(list, format); !slices.Equal(got, want) {
			t.Fatalf("%s\nwith an override of %v\n%s\nhas in excess %q\nand is missing %q", text, i.RecurrenceID, d.Bytes(), difference(got, want), difference(want, got))
		}
	}
}

// The parts of a split series have the instances of the series.
func TestSplitKeepsAllInstances(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 7))
	split := 0
	for range scaledCount(1500) {
		text, loc := randomObject(r)
		o := mustParse(t, text)
		from, to := utcDay(2026, 1, 1), utcDay(2027, 1, 1)
		list, _ := o.Instances(from, to, loc, 10_000)
		if len(list) == 0 {
			continue
		}
		at := list[r.IntN(len(list))]
		before, after, err := o.Split(at, "2")
		if err != nil {
			continue
		}
		split++
		var parts []Instance
		for _, part := range [][]byte{before, after} {
			if part != nil {
				more, _ := mustParse(t, string(part)).Instances(from, to, loc, 10_000)
				parts = append(parts, more...)
			}
		}
		format := func(i Instance) string { return fmt.Sprint(i.Start, i.StartsAt, i.EndsAt) }
		if got, want := formatAll(parts, format), formatAll(list, format); !slices.Equal(got, want) {
			t.Fatalf("%s\nsplit at %v:\n%s\n%s\n got %s\nwant %s", text, at.RecurrenceID, before, after, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
	if split < scaledCount(500) {
		t.Errorf("got %d splits, want at least %d", split, scaledCount(500))
	}
}

// The busy periods cover exactly the instances.
func TestFreeBusyCoversInstances(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 8))
	for range 500 {
		text, loc := randomObject(r)
		o := mustParse(t, text)
		from := utcDay(2026, 1, 1).Add(time.Duration(r.IntN(300*24)) * time.Hour)
		to := from.Add(time.Duration(1+r.IntN(40*24)) * time.Hour)
		list, _ := o.FreeBusy(from, to, loc, 10_000)
		wantValidPeriods(t, list, from, to)
		instances, _ := o.Instances(from, to, loc, 10_000)
		busy := func(t time.Time) bool {
			return slices.ContainsFunc(list, func(p Period) bool { return !t.Before(p.From) && t.Before(p.To) })
		}
		for at := from; at.Before(to); at = at.Add(7 * time.Minute) {
			want := slices.ContainsFunc(instances, func(i Instance) bool { return !at.Before(i.StartsAt) && at.Before(i.EndsAt) })
			if busy(at) != want {
				t.Fatalf("%s\nat %v: got busy %v, want %v", text, at, !want, want)
			}
		}
	}
}
