package edit

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/svctest"
)

// modelCases returns the number of random series: thirty times as many with -long.
func modelCases(n int) int {
	if svctest.IsLong() {
		return 30 * n
	}
	return n
}

// wantModel fails the test unless the objects have the occurrences of the models, before
// the first time up to which one of them is complete.
func wantModel(t *testing.T, about string, models []*modelSeries, objects ...*ics.Object) {
	t.Helper()
	before := firstOf(9000, 1)
	for _, s := range models {
		if _, through := s.dates(); through.Before(before) {
			before = through
		}
	}
	var want []string
	for _, s := range models {
		want = append(want, s.occurrences(before)...)
	}
	slices.Sort(want)
	got, truncated := occurrencesOf(before, objects...)
	if truncated || !slices.Equal(got, want) {
		missing := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return slices.Contains(got, s) })
		surplus := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return slices.Contains(want, s) })
		var after strings.Builder
		for _, o := range objects {
			if o != nil {
				after.Write(o.Raw)
			}
		}
		t.Errorf("%s\nthe result misses %q\nand has in excess %q, before %s\n%s", about, missing[:min(len(missing), 8)], surplus[:min(len(surplus), 8)], before, after.String())
	}
}

// Random series have the occurrences of a second, slow evaluation.
func TestSeriesEqualTheModel(t *testing.T) {
	for seed := range modelCases(80) {
		d := icstest.NewRand(uint64(9000 + seed))
		s := randomModel(d)
		text := s.object()
		wantModel(t, "", []*modelSeries{s}, icstest.Parse(t, text))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// randomMove returns a random move of a date of the series.
func (s *modelSeries) randomMove(d icstest.Rand, from time.Time) modelMove {
	m := modelMove{modelForm: s.modelForm, from: from, to: from}
	if !d.OneIn(3) {
		m.to = m.to.AddDate(0, 0, icstest.Pick(d, 1, -1, 2, 5, 7, -9, 31, 365))
	}
	if !s.isDate && d.OneIn(2) {
		m.to = m.to.Add(time.Duration(icstest.Pick(d, 30, 60, -90, 200)) * time.Minute)
	}
	switch d.IntN(6) {
	case 0:
		m.isDate, m.zone = true, ""
	case 1:
		m.isDate, m.zone = false, icstest.Pick(d, "America/New_York", "Europe/Berlin", "UTC")
	}
	if m.isDate {
		m.to = dateAt(m.to)
	}
	return m
}

// change returns the fields of a change to the start of a series, as JSON.
func (m modelMove) change() string {
	if m.isDate {
		return fmt.Sprintf(`"start": %q, "all_day": true`, m.to.Format(time.DateOnly))
	}
	return fmt.Sprintf(`"start": %q, "all_day": false, "timezone": %q`, m.to.Format("2006-01-02T15:04:05"), m.zone)
}

// moveCase is a random move of a random series.
type moveCase struct {
	series *modelSeries // that moves
	before *modelSeries // the part of the series before it; nil if there is none
	move   modelMove
	change string // as JSON
}

// randomMoveCase moves the start, an occurrence with the whole series, or an occurrence and
// all later ones.
func randomMoveCase(d icstest.Rand) (text string, c moveCase) {
	s := randomModel(d)
	text = s.object()
	dates, _ := s.dates()
	c.series = s
	at := dates[d.IntN(min(len(dates), 20))]
	_, isOverridden := s.overrides[at]
	isExcluded := slices.Contains(s.exdates, at) || slices.Contains(s.exdays, dateAt(at))
	kind := d.IntN(3)
	if isOverridden || isExcluded || kind == 0 || at.Equal(s.start) {
		c.move = s.randomMove(d, s.start)
		c.change = "{" + c.move.change() + "}"
		return text, c
	}
	id := at.Format("2006-01-02T15:04:05")
	if s.isDate {
		id = at.Format(time.DateOnly)
	}
	scope := All
	if c.move = s.randomMove(d, at); kind == 1 {
		scope = ThisAndFuture
		c.before, c.series = s.split(at)
	}
	c.change = fmt.Sprintf(`{%s, "scope": %q, "recurrence_id": %q}`, c.move.change(), scope, id)
	return text, c
}

// split returns the parts of a series before a date of its rule and from it on.
func (s *modelSeries) split(at time.Time) (before, after *modelSeries) {
	dates, _ := s.dates()
	parts := [2]modelSeries{*s, *s}
	for i := range parts {
		p := &parts[i]
		isWanted := func(t time.Time) bool { return t.Before(at) == (i == 0) }
		keep := func(list []time.Time) []time.Time {
			return slices.DeleteFunc(slices.Clone(list), func(t time.Time) bool { return !isWanted(t) })
		}
		p.times, p.rdates, p.exdates = nil, keep(s.rdates), keep(s.exdates)
		p.overrides = make(map[time.Time]modelOverride)
		for t, o := range s.overrides {
			if isWanted(t) {
				p.overrides[t] = o
			}
		}
		for _, day := range s.exdays { // a day may belong to both parts
			p.exdates = append(p.exdates, keep(slices.DeleteFunc(slices.Clone(dates), func(t time.Time) bool { return !dateAt(t).Equal(day) }))...)
			p.exdates = append(p.exdates, keep(slices.DeleteFunc(slices.Clone(s.rdates), func(t time.Time) bool { return !dateAt(t).Equal(day) }))...)
		}
		p.exdays = nil
	}
	passed := slices.IndexFunc(dates, at.Equal)
	parts[0].rule.count, parts[0].rule.until = 0, at.Add(-time.Second)
	if parts[1].start = at; s.rule.count > 0 {
		parts[1].rule.count -= passed
	}
	return &parts[0], &parts[1]
}

// A random series that moves has the occurrences that the decision on moves defines, or the
// move is ambiguous and rejected. Covers B-114.
func TestMovedSeriesEqualTheModel(t *testing.T) {
	followed, ambiguous := 0, 0
	for seed := range modelCases(80) {
		d := icstest.NewRand(uint64(20_000 + seed))
		text, c := randomMoveCase(d)
		about := fmt.Sprintf("seed %d: %s\n%s", seed, c.change, text)
		r, err := apply(t, icstest.Parse(t, text), c.change)
		m, ok := c.series.follow(c.move)
		var now *modelSeries
		removed := 0
		if ok {
			if m.period == "" { // the difference between the starts is the same
				start := c.move
				start.from, start.to = c.series.start, c.move.shifted(c.series.start)
				m, ok = c.series.follow(start)
			}
		}
		isAmbiguous := !ok
		if ok {
			now, removed, ok = c.series.moved(m)
		}
		var e *svc.Error
		switch {
		case isAmbiguous:
			if ambiguous++; !errors.As(err, &e) || e.Code != svc.RecurrenceAmbiguous {
				t.Fatalf("got error %v, want %s\n%s", err, svc.RecurrenceAmbiguous.Name, about)
			}
		case !ok:
			if !errors.As(err, &e) || e.Code != svc.InvalidRecurrence {
				t.Fatalf("got error %v, want %s\n%s", err, svc.InvalidRecurrence.Name, about)
			}
		case err != nil:
			t.Fatalf("got error %v\n%s", err, about)
		default:
			followed++
			models := []*modelSeries{now}
			if c.before != nil {
				models = append(models, c.before)
			}
			wantModel(t, about, models, r.Object, r.Rest)
			if r.RemovedExceptions != removed {
				t.Errorf("got %d removed exceptions, want %d\n%s", r.RemovedExceptions, removed, about)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if followed < modelCases(30) || ambiguous < modelCases(10) {
		t.Errorf("got %d moves and %d ambiguous ones, want at least %d and %d", followed, ambiguous, modelCases(30), modelCases(10))
	}
}

// hasExceptionFrom reports whether an exception is later than the known dates of now.
func (s *modelSeries) hasExceptionFrom(now *modelSeries) bool {
	_, through := now.dates()
	all := slices.AppendSeq(slices.Concat(s.exdates, s.exdays), maps.Keys(s.overrides))
	return slices.ContainsFunc(all, func(t time.Time) bool { return !t.Before(through) })
}

// A random series whose rule changes keeps the exceptions of the dates that the new rule
// has, and begins with its first date. Covers B-114 and B-115.
func TestSeriesWithAnotherRuleEqualTheModel(t *testing.T) {
	for seed := range modelCases(40) {
		d := icstest.NewRand(uint64(40_000 + seed))
		s := randomModel(d)
		other := &modelSeries{modelForm: s.modelForm, start: s.start, rule: randomModelRule(d, s.start, s.isDate)}
		if d.OneIn(3) { // only another end
			other.rule = s.rule.clone()
			other.rule.count, other.rule.until = 0, time.Time{}
		}
		other.setEnd(d)
		text := s.object()
		if other.rule.text(other.untilText()) == s.rule.text(s.untilText()) {
			continue // it is no change
		}
		change := fmt.Sprintf(`{"rrule": %q}`, other.rule.text(other.untilText()))
		about := fmt.Sprintf("seed %d: %s\n%s", seed, change, text)
		r, err := apply(t, icstest.Parse(t, text), change)
		now, removed, ok := s.ruled(other.rule)
		if times, through := other.selected(); ok && s.hasExceptionFrom(now) || len(times) == 0 && through.Before(other.start.AddDate(modelYears, 0, 0)) {
			continue // the model does not know enough dates
		}
		var e *svc.Error
		switch {
		case !ok && (!errors.As(err, &e) || e.Code != svc.InvalidRecurrence):
			t.Errorf("got error %v, want %s\n%s", err, svc.InvalidRecurrence.Name, about)
		case !ok:
		case err != nil:
			t.Errorf("got error %v\n%s", err, about)
		default:
			wantModel(t, about, []*modelSeries{now}, r.Object)
			if r.RemovedExceptions != removed || r.MovedStart != !now.start.Equal(s.start) {
				t.Errorf("got %d removed exceptions, moved start %t; want %d, start %s\n%s", r.RemovedExceptions, r.MovedStart, removed, now.start, about)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}
