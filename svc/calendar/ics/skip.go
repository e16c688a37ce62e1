package ics

import "slices"

// emitSkipping is selected for a rule with SKIP. An instance may be on
// the day before or after its period, and then be equal to one of the neighboring
// period, so instances are held back until no earlier one can follow.
func (p *rulePlan) emitSkipping(from, to int64, offsets []int64, b *budget, visit func(int64) bool) {
	period := p.periodOf(max(from, p.start) - day)
	var anchors, pending []int64
	collect := func(wall int64) bool { pending = append(pending, wall); return true }
	for {
		begin := p.beginOf(period) - day
		var ok bool
		anchors, period, ok = p.appendAnchors(anchors[:0], period, to+day, b)
		if b.exhausted {
			return
		}
		slices.Sort(anchors)
		anchors = slices.Compact(anchors)
		slices.Sort(pending)
		pending = slices.Compact(pending)
		n, _ := slices.BinarySearch(pending, begin)
		if !ok {
			n = len(pending)
		}
		for _, wall := range pending[:n] {
			if !visit(wall) {
				return
			}
		}
		if pending = append(pending[:0], pending[n:]...); !ok || !p.emit(anchors, offsets, b, collect) {
			return
		}
	}
}

// beginOf returns the wall clock time at which a period of months or years begins.
func (p *rulePlan) beginOf(period int64) int64 {
	n := int(period) * p.rule.Interval
	if p.rule.Freq == Yearly {
		return daysBefore(p.first.year+n, 1) * day
	}
	return daysBefore(p.first.year, p.first.month+n) * day
}

// appendSkipped appends the days that replace days which the month, or the year that
// begins or ends with it, does not have (RFC 7529 §4.1).
func (p *rulePlan) appendSkipped(list []int64, year, month int) []int64 {
	first, length := daysBefore(year, month), monthLen(year, month)
	var before, after bool // the rule has days before the first and after the last one
	for n := length + 1; n <= 31; n++ {
		before, after = before || p.monthDays.last.has(n), after || p.monthDays.first.has(n)
	}
	if yearLen(year) == 365 {
		before, after = before || month == 1 && p.yearDays.last.has(366), after || month == 12 && p.yearDays.first.has(366)
	}
	list = p.appendReplacement(list, first, before)
	return p.appendReplacement(list, first+int64(length), after)
}

// appendReplacement appends the day at the boundary of a period that begins on next,
// unless BYDAY excludes it: the last day before next, or next itself.
func (p *rulePlan) appendReplacement(list []int64, next int64, wanted bool) []int64 {
	if p.rule.Skip == Backward {
		next--
	}
	if d := civilDayAt(next); wanted && p.selectsWeekday(&d) {
		list = append(list, next*day)
	}
	return list
}
