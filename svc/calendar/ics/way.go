package ics

import (
	"slices"
	"time"
)

// Way is one of several ways in which a series can follow its start: a rule, and what becomes
// of the dates with it.
type Way struct {
	Rule   *Rule
	change *SeriesChange
}

// Moved returns the date that moves, and its new time with the rule, which is on the old day
// if the rule stays there. The new time is the zero Time if the rule has neither. Of an
// occurrence with a time of its own, Moved returns that time and the one that follows it.
func (w Way) Moved() (from, to Time) {
	c := w.change
	same := c.to
	same.wall = dayOf(c.from)*day + floorMod(c.to.wall, day)
	from = c.shownAt(c.from.wall)
	for _, t := range []Time{c.to, same} {
		if !c.now.has(t.wall) {
			continue
		}
		if from != c.from {
			t = c.to
			t.wall = clampWall(from.wall + c.to.wall - c.from.wall)
		}
		return from, t
	}
	return from, Time{}
}

// shownAt returns the time of the occurrence of a date: its own time if it has been moved
// alone, and the date otherwise.
func (c *SeriesChange) shownAt(wall int64) Time {
	date := c.object.Master.timeAt(wall)
	for _, o := range c.object.Overrides {
		if o.RecurrenceID.wall == wall && !o.ThisAndFuture && !o.start.IsZero() && o.start.IsDate() == date.IsDate() {
			return o.start.convertTo(date)
		}
	}
	return date
}

// Next returns the first dates at or after now, or else the first ones, at most n.
func (w Way) Next(now time.Time, n int) (dates []Time) {
	start := w.change.Start
	for _, from := range []int64{UTC(now).convertTo(start).wall, start.wall} {
		for wall := range w.change.now.ruleDates(from, maxWall) {
			t := start
			t.wall = wall
			if dates = append(dates, t); len(dates) == n {
				break
			}
		}
		if len(dates) > 0 {
			break
		}
	}
	return dates
}

// maxPeriods limits the weeks, months or years in which Ends compares dates.
const maxPeriods = 60

// Ends returns the first dates of the present rule at or after now that end, because the new
// rule has fewer dates in their week, month or year; at most n.
func (w Way) Ends(now time.Time, n int) (dates []Time) {
	c, m := w.change, w.change.object.Master
	p := c.old.plans[0]
	if p.rule.Freq > Weekly {
		weekly := *p.rule
		weekly.Freq, p.rule = Weekly, &weekly
	}
	from := max(UTC(now).convertTo(m.start).wall, m.start.wall)
	first := p.periodIndex(from)
	for index := first; index < first+maxPeriods; index++ {
		for _, wall := range c.endsIn(&p, index) {
			if wall < from {
				continue
			}
			if dates = append(dates, c.shownAt(wall)); len(dates) == n {
				return dates
			}
		}
	}
	return dates
}

// endsIn returns the dates of the present rule in a period of the plan p that have no date of
// the new rule in their place: on the same day, the moved date at its new time, or else the
// nearest one that takes the place of no other.
func (c *SeriesChange) endsIn(p *rulePlan, index int64) []int64 {
	before, after := c.old.inPeriod(p, index), c.now.inPeriod(p, index)
	take := func(isPair func(old, new int64) bool) {
		before = slices.DeleteFunc(before, func(old int64) bool {
			i := slices.IndexFunc(after, func(t int64) bool { return isPair(old, t) })
			if i >= 0 {
				after = slices.Delete(after, i, i+1)
			}
			return i >= 0
		})
	}
	take(func(old, t int64) bool { return old == c.from.wall && t == c.to.wall })
	take(func(old, t int64) bool { return floorDiv(old, day) == floorDiv(t, day) })
	for _, t := range after {
		if len(before) == 0 {
			break
		}
		distance := func(old int64) int64 { return max(old-t, t-old) }
		nearest := slices.MinFunc(before, func(a, b int64) int { return int(distance(a) - distance(b)) })
		before = slices.DeleteFunc(before, func(old int64) bool { return old == nearest })
	}
	return before
}
