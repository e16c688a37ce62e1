package ics

import (
	"slices"
	"time"
)

// maxWays limits the rules of an AmbiguousError.
const maxWays = 6

// ambiguous returns the error with the ways in which the series can follow its start.
func (c *SeriesChange) ambiguous(at, start Time) *AmbiguousError {
	e := &AmbiguousError{Start: start}
	seen := make(map[string]bool)
	for i := range c.object.Master.rules {
		for _, r := range c.ways(&c.object.Master.rules[i]) {
			if seen[r.String()] || len(e.Ways) == maxWays {
				continue
			}
			seen[r.String()] = true
			if change, err := c.object.ChangeSeries(at, start, r); err == nil {
				e.Ways = append(e.Ways, Way{r, change})
			}
		}
	}
	return e
}

// ways returns the rules that can follow from the rule with the plan p: the rule with only
// the day of the date that moves changed, with all of its parts moved, rules with the new day
// of that date only, and the rule as it is.
func (c *SeriesChange) ways(p *rulePlan) (ways []*Rule) {
	from, to := c.from, c.to
	last := p.rule.Until.convertTo(from)
	add := func(r Rule, last int64, size Freq) {
		r.Count = p.rule.Count
		if r.Until = (Time{}); !p.rule.Until.IsZero() {
			r.Until = untilAt(endOfPeriod(floorDiv(last, day), size, p.rule.WeekStart, to))
		}
		ways = append(ways, &r)
	}
	if f, ok := p.follow(from, to); ok {
		add(*f.rule, c.move.shifted(last.wall), p.rule.Freq)
	}
	if r, ok := p.rule.replaced(from, to); ok {
		add(r, c.move.shifted(last.wall), p.rule.Freq)
	}
	for _, move := range []func(from, to Time) (Rule, bool){p.rule.repositioned, p.rule.moved} {
		r, ok := move(from, to)
		if first, err := FirstDate(&r, to); ok && err == nil && first == to {
			add(r, c.move.shifted(last.wall), p.rule.Freq)
			break
		}
	}
	for _, r := range p.rule.simple(from, to) {
		add(r, c.move.shifted(last.wall), p.rule.Freq)
	}
	if p.rule.Supported() && from.form == to.form {
		add(*p.rule, last.wall, Daily)
	}
	return ways
}

// endOfPeriod returns the end of the year, month, week or day that contains an epoch day, in the
// form of like.
func endOfPeriod(d int64, size Freq, weekStart time.Weekday, like Time) Time {
	switch size {
	case Yearly, Monthly:
		p := inMonth
		if size == Yearly {
			p = inYear
		}
		first, length := p.span(p.indexOf(d, 0), 0)
		d = first + length - 1
	case Weekly:
		d += 6 - floorMod(int64(weekday(d)-int(weekStart)), 7)
	}
	if like.wall = d * day; !like.IsDate() {
		like.wall += day - 1
	}
	return like
}

// replaced returns the rule in which only the day of one date moves, of several days of the
// month, weekdays or positions. It returns false for other rules, and if the rule has the new day
// already.
func (r *Rule) replaced(from, to Time) (m Rule, ok bool) {
	m = *r
	before, after := civilDayAt(dayOf(from)), civilDayAt(dayOf(to))
	isSameMonth := before.year == after.year && before.month == after.month
	if !r.Supported() || !m.followTime(from, to) || len(r.BySetPos)+len(r.ByYearDay)+len(r.ByWeekNo) > 0 {
		return m, false
	}
	switch {
	case len(r.ByMonthDay) > 1 && len(r.ByDay) == 0 && isSameMonth:
		m.ByMonthDay, ok = replaceOne(r.ByMonthDay, []int{before.dom, before.dom - before.monthLen - 1}, []int{after.dom, after.dom - after.monthLen - 1})
		slices.Sort(m.ByMonthDay)
	case len(r.ByDay) > 1 && len(r.ByMonthDay) == 0:
		m.ByDay, ok = replaceOne(r.ByDay, before.positions(), after.positions())
		ok = ok && (isSameMonth || !slices.ContainsFunc(r.ByDay, func(d Day) bool { return d.N != 0 }))
	}
	return m, ok && r.Freq > Yearly
}

// replaceOne returns a list in which the only value that is in before is replaced by the one
// at the same index of after. It returns false if there is not one such value, or the list has
// the new one.
func replaceOne[T comparable](list, before, after []T) (replaced []T, ok bool) {
	replaced = slices.Clone(list)
	for i, value := range list {
		at := slices.Index(before, value)
		if at < 0 {
			continue
		}
		if ok || slices.Contains(list, after[at]) {
			return list, false
		}
		replaced[i], ok = after[at], true
	}
	return replaced, ok
}

// positions returns the day as a weekday, and as the nth one of its month, counted from the
// start and from the end.
func (d civilDay) positions() []Day {
	weekday := time.Weekday(d.weekday())
	return []Day{{0, weekday}, {(d.dom-1)/7 + 1, weekday}, {-1 - (d.monthLen-d.dom)/7, weekday}}
}

// moved returns the rule with all days and times moved. It returns false if a number would
// be out of its range.
func (r *Rule) moved(from, to Time) (m Rule, ok bool) {
	if m = *r; !r.Supported() {
		return m, false
	}
	d := int(dayOf(to) - dayOf(from))
	months := int(inMonth.indexOf(dayOf(to), 0) - inMonth.indexOf(dayOf(from), 0))
	if ok = m.followTime(from, to); !ok && from.form == to.form {
		m = *r
		hours := int(floorMod(to.wall, day)/3600 - floorMod(from.wall, day)/3600)
		m.ByHour, ok = addToAll(r.ByHour, hours, 23, 0)
		ok = ok && floorMod(to.wall, 3600) == floorMod(from.wall, 3600)
	}
	lists := [...]bool{ok, false, false}
	m.ByMonthDay, lists[1] = addToAll(r.ByMonthDay, d, 31, 1)
	m.ByYearDay, lists[2] = addToAll(r.ByYearDay, d, 366, 1)
	if months != 0 {
		m.ByMonth = slices.Clone(r.ByMonth)
		for i, n := range m.ByMonth {
			m.ByMonth[i] = int(floorMod(int64(n-1+months), 12)) + 1
		}
		slices.Sort(m.ByMonth)
	}
	if m.rotate(int64(d)); r.Freq != Weekly {
		m.WeekStart = r.WeekStart
	}
	if len(m.ByMonthDay)+len(m.ByDay)+len(m.ByYearDay)+len(m.ByWeekNo) == 0 && r.Freq == Monthly { // the day of the start
		m.ByMonthDay = []int{civilDayAt(dayOf(to)).dom}
	}
	return m, !slices.Contains(lists[:], false)
}

// repositioned returns the rule with the position in BYSETPOS that the new start has among
// the other dates of its period. It returns false if the start is none of them, or for rules with
// several positions.
func (r *Rule) repositioned(_, to Time) (m Rule, ok bool) {
	if m = *r; !r.Supported() || len(r.BySetPos) != 1 {
		return m, false
	}
	m.BySetPos = nil
	p, size, position := newRulePlan(&m, to), 0, 0
	_, end := p.periodSpan(p.periodIndex(to.wall))
	p.selected(to.wall, end, newBudget(), func(wall int64) bool {
		if size++; wall == to.wall {
			position = size
		}
		return wall < end
	})
	if position == 0 || r.Freq > Daily {
		return m, false
	}
	if r.BySetPos[0] < 0 {
		position -= size + 1
	}
	m.BySetPos = []int{position}
	return m, true
}

// addToAll returns a list with d added to each number. Negative numbers count from the end
// of their range, which ends with limit. It returns false if a number would leave its range.
func addToAll(list []int, d, limit, first int) (moved []int, ok bool) {
	for _, n := range list {
		m := n + d
		if n < 0 && (m < -limit || m > -first) || n >= 0 && (m < first || m > limit) {
			return nil, false
		}
		moved = append(moved, m)
	}
	return moved, true
}

// simple returns the rules with the frequency of r and only the day of a start.
func (r *Rule) simple(from, to Time) (list []Rule) {
	base := *r
	if !base.followTime(from, to) {
		base.ByHour, base.ByMinute, base.BySecond = nil, nil, nil
	}
	base = Rule{Freq: r.Freq, Interval: r.Interval, WeekStart: r.WeekStart, ByHour: base.ByHour, ByMinute: base.ByMinute, BySecond: base.BySecond}
	d := civilDayAt(dayOf(to))
	weekday := time.Weekday(d.weekday())
	nth := Day{(d.dom-1)/7 + 1, weekday}
	if d.dom+7 > d.monthLen {
		nth.N = -1
	}
	add := func(change func(*Rule)) {
		next := base
		change(&next)
		list = append(list, next)
	}
	weekly := func(r *Rule) { r.ByDay = []Day{{Weekday: weekday}} }
	switch r.Freq {
	case Yearly:
		add(func(r *Rule) { r.ByMonth, r.ByMonthDay = []int{d.month}, []int{d.dom} })
		add(func(r *Rule) { r.ByMonth, r.ByDay = []int{d.month}, []Day{nth} })
	case Monthly:
		add(func(r *Rule) { r.ByMonthDay = []int{d.dom} })
		add(func(r *Rule) { r.ByDay = []Day{nth} })
	case Weekly:
		add(weekly)
	case Daily:
		add(func(*Rule) {})
		add(func(r *Rule) { r.Freq, r.Interval = Weekly, 1; weekly(r) })
	default:
		if !to.IsDate() {
			add(func(*Rule) {})
		}
		add(func(r *Rule) { *r = Rule{Freq: Daily, Interval: 1, WeekStart: r.WeekStart} })
	}
	return list
}
