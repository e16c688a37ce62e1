package ics

import "slices"

// replacement returns the date of an explicit rule that takes the place of a date of the
// present one: itself, if the start does not move. If it does, the date with the same
// position in the same week, month or year, if both rules have as many dates in it; or else
// the date as many days later as the start, or the same date at the new time.
func (c *SeriesChange) replacement(wall int64) (int64, bool) {
	if !c.isMoved() {
		return wall, c.now.has(wall)
	}
	shifted := c.move.shifted(wall)
	candidates := []int64{shifted, floorDiv(wall, day)*day + floorMod(shifted, day)}
	if at, ok := c.samePosition(wall); ok {
		candidates = slices.Insert(candidates, 0, at)
	}
	for _, at := range candidates {
		if c.now.has(at) {
			return at, true
		}
	}
	return 0, false
}

// maxInPeriod limits the dates of one period that are compared.
const maxInPeriod = 400

// samePosition returns the date of the new rule with the position that wall has in its
// week, month or year.
func (c *SeriesChange) samePosition(wall int64) (at int64, ok bool) {
	old := c.object.Master.Rule()
	if old == nil || len(c.old.plans) != 1 || old.Freq != c.Rule.Freq || old.Interval != c.Rule.Interval || old.Freq > Weekly {
		return 0, false
	}
	p, q := &c.old.plans[0], &c.now.plans[0]
	from := p.periodIndex(wall)
	to := from + q.periodIndex(c.move.to.wall) - p.periodIndex(c.move.from.wall)
	before, after := c.old.inPeriod(p, from), c.now.inPeriod(q, to)
	i, found := slices.BinarySearch(before, wall)
	if !found || len(before) != len(after) || len(before) > maxInPeriod {
		return 0, false
	}
	return after[i], true
}

// periodIndex returns the number of the day, week, month or year that contains wall.
func (p *rulePlan) periodIndex(wall int64) int64 {
	d := floorDiv(wall, day)
	switch p.rule.Freq {
	case Yearly:
		return inYear.indexOf(d, 0)
	case Monthly:
		return inMonth.indexOf(d, 0)
	case Weekly:
		return floorDiv(d-floorMod(p.firstWeek(), 7), 7)
	}
	return d
}

// periodSpan returns the first and the last local time of a day, week, month or year.
func (p *rulePlan) periodSpan(index int64) (from, to int64) {
	first, length := index, int64(1)
	switch p.rule.Freq {
	case Yearly:
		first, length = inYear.span(index, 0)
	case Monthly:
		first, length = inMonth.span(index, 0)
	case Weekly:
		first, length = index*7+floorMod(p.firstWeek(), 7), 7
	}
	return first * day, (first+length)*day - 1
}

// inPeriod returns the dates of the rule with the plan p in one of its periods.
func (s *dateSet) inPeriod(p *rulePlan, index int64) (dates []int64) {
	for wall := range s.ruleDates(p.periodSpan(index)) {
		if dates = append(dates, wall); len(dates) > maxInPeriod {
			break
		}
	}
	return dates
}
