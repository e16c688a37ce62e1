package ics

import (
	"slices"
	"time"
)

// followed is a rule that follows its series to another start, and says how each date
// follows: by is what it has in common with its new time.
type followed struct {
	rule     *Rule // with the COUNT and the UNTIL of the old rule
	from, to Time  // a date of the series, and its new time
	by       period

	// If by is a period, the rule has one day in each, which is the nth weekday or else the
	// day n of the period; negative numbers count from the end. The new period is shift
	// periods later.
	nth   Day
	n     int
	shift int64
}

// period is a part of the calendar in which a series has one date.
type period int

const (
	noPeriod   period = iota // dates move by the same difference in local time
	byElapsed                // dates keep the elapsed time from the start
	inMonth                  // the date of a month
	inYear                   // the date of a year
	inWeekYear               // the date of a year of whole weeks
)

// follow returns how a series with the plan p follows if its date from moves to to. It
// returns false if there is more than one way.
func (p *rulePlan) follow(from, to Time) (f followed, ok bool) {
	r := *p.rule
	f = followed{rule: &r, from: from, to: to}
	d := dayOf(to) - dayOf(from)
	switch {
	case !r.Supported(), !r.followTime(from, to), d != 0 && (r.Skip != Omit || len(r.BySetPos) > 0):
		return f, false
	case d == 0 && r.Freq < Hourly:
		return f, true
	}
	isLimited := len(r.ByMonth)+len(r.ByMonthDay)+len(r.ByYearDay)+len(r.ByWeekNo) > 0
	switch r.Freq {
	case Yearly, Monthly:
		return f, f.followPeriod(int(p.rule.WeekStart))
	case Weekly:
		r.rotate(d)
		return f, !isLimited
	case Daily:
		return f, !isLimited && len(r.ByDay) == 0
	}
	f.by = byElapsed
	return f, d == 0 || !isLimited && len(r.ByDay) == 0
}

// dayOf returns the epoch day of t.
func dayOf(t Time) int64 { return floorDiv(t.wall, day) }

// followTime sets BYHOUR, BYMINUTE and BYSECOND to those of another time. It returns false
// if one of them has several values that would change, or if the days of a rule that has
// several times on a day become dates.
func (r *Rule) followTime(from, to Time) bool {
	switch {
	case from.IsDate() && to.IsDate():
		return true
	case from.IsDate() || to.IsDate():
		hasOneTime := from.IsDate() || max(len(r.ByHour), len(r.ByMinute), len(r.BySecond)) <= 1
		r.ByHour, r.ByMinute, r.BySecond = nil, nil, nil // they have no effect on dates
		return hasOneTime && r.Freq < Hourly
	}
	for _, part := range []struct {
		list       *[]int
		unit, size int64
	}{{&r.ByHour, 3600, 24}, {&r.ByMinute, 60, 60}, {&r.BySecond, 1, 60}} {
		old, value := floorMod(floorDiv(from.wall, part.unit), part.size), floorMod(floorDiv(to.wall, part.unit), part.size)
		switch {
		case old == value || len(*part.list) == 0:
		case len(*part.list) > 1:
			return false
		default:
			*part.list = []int{int(value)}
		}
	}
	return true
}

// floorMod returns the remainder of floorDiv.
func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }

// rotate moves the weekdays of a weekly rule by days. With an INTERVAL it also moves the
// start of the week, which determines the days that belong to one period.
func (r *Rule) rotate(days int64) {
	move := func(d time.Weekday) time.Weekday { return time.Weekday(floorMod(int64(d)+days, 7)) }
	r.ByDay = slices.Clone(r.ByDay)
	for i, d := range r.ByDay {
		r.ByDay[i].Weekday = move(d.Weekday)
	}
	sortDays(r.ByDay)
	if r.Interval > 1 && len(r.ByDay) > 0 {
		r.WeekStart = move(r.WeekStart)
	}
}

// followPeriod sets the day of a rule that has one day in each month or year. It returns
// false for other rules.
func (f *followed) followPeriod(weekStart int) bool {
	r := f.rule
	if len(r.ByDay) > 1 || len(r.ByMonthDay) > 1 || len(r.ByDay) > 0 && len(r.ByMonthDay) > 0 {
		return false
	}
	hasWeekday := len(r.ByDay) > 0 && r.ByDay[0].N != 0
	switch {
	case len(r.ByWeekNo) > 0:
		f.by = inWeekYear
		if r.Freq != Yearly || len(r.ByWeekNo) > 1 || hasWeekday || len(r.ByMonth)+len(r.ByMonthDay)+len(r.ByYearDay) > 0 {
			return false
		}
	case len(r.ByYearDay) > 0:
		f.by = inYear
		if r.Freq != Yearly || len(r.ByYearDay) > 1 || len(r.ByMonth)+len(r.ByMonthDay)+len(r.ByDay) > 0 {
			return false
		}
	case len(r.ByDay) > 0 && !hasWeekday:
		return false
	case hasWeekday && r.Freq == Yearly && len(r.ByMonth) == 0:
		f.by = inYear
	default:
		f.by = inMonth
	}
	from, to := f.by.indexOf(dayOf(f.from), weekStart), f.by.indexOf(dayOf(f.to), weekStart)
	f.shift = to - from
	f.setDay(to, weekStart)
	return f.followMonths() && f.keepsYears(weekStart)
}

// setDay sets the day of the rule to that of f.to in the period.
func (f *followed) setDay(index int64, weekStart int) {
	r := f.rule
	first, length := f.by.span(index, weekStart)
	before, after := dayOf(f.to)-first, first+length-1-dayOf(f.to) // days of the period
	weekday := time.Weekday(weekday(dayOf(f.to)))
	// A number that counts from the end still does so if the end is nearer.
	number := func(old int, size int64) int {
		if old < 0 && after/size <= before/size {
			return -int(after/size) - 1
		}
		return int(before/size) + 1
	}
	switch {
	case f.by == inWeekYear:
		f.nth = Day{number(r.ByWeekNo[0], 7), weekday}
		if r.ByWeekNo = []int{f.nth.N}; len(r.ByDay) > 0 {
			r.ByDay = []Day{{Weekday: weekday}}
		}
	case len(r.ByDay) > 0:
		f.nth = Day{number(r.ByDay[0].N, 7), weekday}
		r.ByDay = []Day{f.nth}
	case f.by == inYear:
		f.n = number(r.ByYearDay[0], 1)
		r.ByYearDay = []int{f.n}
	case len(r.ByMonthDay) > 0:
		f.n = number(r.ByMonthDay[0], 1)
		r.ByMonthDay = []int{f.n}
	default: // the day of the start
		f.n = int(before) + 1
	}
}

// followMonths moves the months of BYMONTH. It returns false if months that a rule with an
// INTERVAL has in one year would be in two.
func (f *followed) followMonths() bool {
	r := f.rule
	if f.by != inMonth || f.shift == 0 {
		return true
	}
	if r.Freq == Yearly && r.Interval > 1 && len(r.ByMonth) == 0 && len(r.ByMonthDay) > 0 { // all months
		return false
	}
	months, years := make([]int, len(r.ByMonth)), make([]int64, len(r.ByMonth))
	for i, m := range r.ByMonth {
		index := int64(m-1) + f.shift
		months[i], years[i] = int(floorMod(index, 12))+1, floorDiv(index, 12)
	}
	if years = slices.Compact(years); len(years) > 1 && r.Freq == Yearly && r.Interval > 1 {
		return false
	}
	slices.Sort(months)
	r.ByMonth = months
	return true
}

// keepsYears reports whether the date of each year of weeks is in the calendar year with
// the same number, on which the periods of a rule with an INTERVAL depend.
func (f *followed) keepsYears(weekStart int) bool {
	if f.by != inWeekYear || f.rule.Interval == 1 {
		return true
	}
	for _, t := range []Time{f.from, f.to} {
		if d := civilDayAt(dayOf(t)); d.yday <= 7 || d.yearLen-d.yday < 7 {
			return false
		}
	}
	return true
}

// image returns the new time of a date of the series. It returns false if the new rule
// has no date for it. plan is that of the new rule.
func (f *followed) image(wall int64, plan *rulePlan, b *budget) (int64, bool) {
	shifted := f.shifted(wall)
	switch f.by {
	case noPeriod:
		return shifted, true
	case byElapsed:
		from, to := f.from, f.to
		if from.wall = wall; from.form == formZoned && to.form == formZoned && from.zone.loc != nil && to.zone.loc != nil {
			u := to.unix(nil) + from.unix(nil) - f.from.unix(nil)
			if elapsed := clampWall(u + utcOffset(to.zone.loc, u)); elapsed == plan.start || elapsed > plan.start && plan.matches(elapsed, b) {
				return elapsed, true
			}
		}
		return shifted, shifted == plan.start || shifted > plan.start && plan.matches(shifted, b)
	}
	weekStart := int(plan.rule.WeekStart)
	first, length := f.by.span(f.by.indexOf(floorDiv(wall, day), weekStart)+f.shift, weekStart)
	epochDay, ok := dayIn(first, length, f.n, f.nth)
	return epochDay*day + floorMod(shifted, day), ok
}

// shifted returns wall, moved by the difference between from and to.
func (f *followed) shifted(wall int64) int64 { return shiftWall(wall, f.from, f.to) }

// shiftWall returns wall, moved by the difference between from and to in local time.
func shiftWall(wall int64, from, to Time) int64 {
	wall += to.wall - from.wall
	if to.IsDate() {
		wall = floorDiv(wall, day) * day
	}
	return clampWall(wall)
}

// indexOf returns the number of the period that contains a day.
func (p period) indexOf(epochDay int64, weekStart int) int64 {
	d := civilDayAt(epochDay)
	year := int64(d.year)
	switch {
	case p == inMonth:
		return year*12 + int64(d.month) - 1
	case p == inWeekYear && epochDay < firstWeekOf(d.year, weekStart):
		return year - 1
	case p == inWeekYear && epochDay >= firstWeekOf(d.year+1, weekStart):
		return year + 1
	}
	return year
}

// span returns the first day of a period, and the number of its days.
func (p period) span(index int64, weekStart int) (first, length int64) {
	switch p {
	case inMonth:
		first = daysBefore(int(floorDiv(index, 12)), int(floorMod(index, 12))+1)
		return first, daysBefore(int(floorDiv(index, 12)), int(floorMod(index, 12))+2) - first
	case inYear:
		return daysBefore(int(index), 1), int64(yearLen(int(index)))
	}
	first = firstWeekOf(int(index), weekStart)
	return first, firstWeekOf(int(index)+1, weekStart) - first
}

// firstWeekOf returns the day on which the first week of a year begins: the one with at
// least four days in the year (RFC 5545 §3.3.10).
func firstWeekOf(year, weekStart int) int64 {
	fourth := daysBefore(year, 1) + 3
	return fourth - floorMod(int64(weekday(fourth)-weekStart), 7)
}

// dayIn returns a day of a period: the nth weekday if nth.N is not 0, otherwise the day n.
func dayIn(first, length int64, n int, nth Day) (epochDay int64, ok bool) {
	switch {
	case nth.N > 0:
		epochDay = first + floorMod(int64(nth.Weekday)-int64(weekday(first)), 7) + 7*int64(nth.N-1)
	case nth.N < 0:
		last := first + length - 1
		epochDay = last - floorMod(int64(weekday(last))-int64(nth.Weekday), 7) + 7*int64(nth.N+1)
	case n > 0:
		epochDay = first + int64(n) - 1
	default:
		epochDay = first + length + int64(n)
	}
	return epochDay, first <= epochDay && epochDay < first+length
}
