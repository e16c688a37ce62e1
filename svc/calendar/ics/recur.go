package ics

import (
	"iter"
	"slices"
	"time"
)

// stepBudget limits the days and instances that one evaluation of an object examines, which takes a
// few milliseconds. Typical rules need a few hundred steps.
const stepBudget = 200_000

// Numbers of steps that are counted, but not taken from a budget.
const (
	instanceSteps = 10 // for the times of an instance
	periodSteps   = 20 // for a busy period, which is sorted and merged
)

// budget counts the remaining steps of an evaluation.
type budget struct {
	left      int
	exhausted bool // whether the steps were not sufficient
	counter   *int // adds up the steps of several evaluations; may be nil
}

func newBudget() *budget { return &budget{left: stepBudget} }

// WithBudget returns a copy of the object whose evaluations share one budget of at most steps,
// instead of one budget each. The copy must not be used concurrently.
//
// spent returns the number of steps counted so far, which is larger than steps if many instances
// were found. truncated reports whether a result is incomplete because the budget was exhausted.
func (o *Object) WithBudget(steps int) (limited *Object, spent func() (steps int, truncated bool)) {
	b := newBudget()
	b.left, b.counter = min(b.left, steps), new(int)
	c := *o
	c.sharedBudget = b
	return &c, func() (int, bool) { return *b.counter, b.exhausted }
}

// Counted returns a copy of the object that counts the steps of its evaluations, each of
// which has its own budget. The copy must not be used concurrently. steps returns the number
// of steps taken so far.
func (o *Object) Counted() (counted *Object, steps func() int) {
	c := *o
	c.counter = new(int)
	return &c, func() int { return *c.counter }
}

// budget returns the budget for one evaluation of the object.
func (o *Object) budget() *budget {
	if o.sharedBudget != nil {
		return o.sharedBudget
	}
	b := newBudget()
	b.counter = o.counter
	return b
}

// spend takes n steps. It returns false and marks the budget as exhausted if
// fewer are left.
func (b *budget) spend(n int) bool {
	if b.left < n {
		b.count(b.left)
		b.left, b.exhausted = 0, true
		return false
	}
	b.count(n)
	b.left -= n
	return true
}

// count counts n steps without taking them from the budget.
func (b *budget) count(n int) {
	if b.counter != nil {
		*b.counter += n
	}
}

// numberSet is a set of the numbers of a rule part, each less than 384.
type numberSet struct {
	bits     [6]uint64
	nonEmpty bool
}

func (s *numberSet) add(n int) { s.bits[n/64] |= 1 << (n % 64); s.nonEmpty = true }

func (s *numberSet) has(n int) bool { return s.bits[n/64]>>(n%64)&1 == 1 }

// signedSet holds the numbers of a rule part that may count from the end.
type signedSet struct{ first, last numberSet }

func newSignedSet(list []int) (s signedSet) {
	for _, n := range list {
		if n < 0 {
			s.last.add(-n)
		} else {
			s.first.add(n)
		}
	}
	return s
}

// excludes reports whether the rule part is present and contains neither n nor
// its counterpart last, which counts from the end.
func (s *signedSet) excludes(n, last int) bool {
	return (s.first.nonEmpty || s.last.nonEmpty) && !s.first.has(n) && !s.last.has(last)
}

// rulePlan is a rule prepared for a DTSTART. All computations are in wall clock
// time.
//
// A rule divides time into periods: every Interval-th year, month, week, day,
// hour, minute or second, beginning with the one that contains DTSTART. A
// period has anchors: the days that the rule selects in it or, if the period is
// shorter than a day, its beginning. Each anchor plus each time offset is an
// instance, unless BYSETPOS selects only some of them. Periods are independent
// of each other, so evaluation can start far from DTSTART unless COUNT is
// present. With SKIP, a day that its period does not have becomes the day before
// or after the period.
type rulePlan struct {
	rule     *Rule
	start    int64
	first    civilDay // the day of start
	until    int64    // latest wall clock time of an instance
	zone     *Zone    // if set, until is approximate and deadline is exact
	deadline int64    // latest instant of an instance
	gaps     *Zone    // the zone of start, if its gaps can make two instances equal
	skips    bool     // days that a period does not have are instances on another day

	months                     numberSet
	weekdays                   numberSet // BYDAY without N
	nth                        []Day     // BYDAY with N
	nthOfMonth                 bool      // nth is the only restriction on the days of a month
	monthDays, yearDays, weeks signedSet
	hours, minutes, seconds    numberSet
}

func newRulePlan(rule *Rule, start Time) rulePlan {
	p := rulePlan{rule: rule, start: start.wall, first: civilDayAt(floorDiv(start.wall, day)), until: maxWall}
	for _, m := range rule.ByMonth {
		p.months.add(m)
	}
	for _, d := range rule.ByDay {
		if d.N == 0 || rule.Freq > Monthly { // other frequencies do not allow N
			p.weekdays.add(int(d.Weekday))
		} else {
			p.nth = append(p.nth, d)
		}
	}
	p.monthDays = newSignedSet(rule.ByMonthDay)
	p.yearDays = newSignedSet(rule.ByYearDay)
	p.weeks = newSignedSet(rule.ByWeekNo)
	for _, part := range []struct {
		set  *numberSet
		list []int
	}{{&p.hours, rule.ByHour}, {&p.minutes, rule.ByMinute}, {&p.seconds, rule.BySecond}} {
		for _, n := range part.list {
			part.set.add(n)
		}
	}
	if start.form == formDate { // BYHOUR, BYMINUTE and BYSECOND are ignored for a DATE
		p.hours, p.minutes, p.seconds = numberSet{}, numberSet{}, numberSet{}
		p.hours.add(0)
		p.minutes.add(0)
		p.seconds.add(0)
	}
	p.deriveFromStart()
	p.nthOfMonth = len(p.nth) > 0 && (rule.Freq == Monthly || p.months.nonEmpty) && !p.weekdays.nonEmpty &&
		len(rule.ByMonthDay) == 0 && len(rule.ByYearDay) == 0 && len(rule.ByWeekNo) == 0
	p.skips = rule.Skip != Omit && rule.Freq <= Monthly && len(rule.ByWeekNo) == 0 &&
		(len(rule.ByYearDay) == 0 || rule.Freq == Yearly && len(rule.ByMonthDay) == 0)
	p.setUntil(rule.Until, start)
	if start.form == formZoned && start.zone.loc != nil && start.zone.loc != time.UTC &&
		(rule.Freq >= Hourly || len(rule.ByHour)+len(rule.ByMinute)+len(rule.BySecond) > 0) {
		p.gaps = start.zone
	}
	return p
}

// deriveFromStart adds the day of DTSTART as a restriction if the rule has none
// (RFC 5545 §3.3.10).
func (p *rulePlan) deriveFromStart() {
	r, d := p.rule, &p.first
	hasDay := len(r.ByDay) > 0 || len(r.ByMonthDay) > 0 || len(r.ByYearDay) > 0
	switch {
	case hasDay || r.Freq > Weekly:
	case r.Freq == Weekly || len(r.ByWeekNo) > 0:
		p.weekdays.add(d.weekday())
	default:
		p.monthDays.first.add(d.dom)
		if r.Freq == Yearly && !p.months.nonEmpty {
			p.months.add(d.month)
		}
	}
}

// setUntil sets the end of the rule. RFC 5545 requires UNTIL to have the form
// of DTSTART, or to be in UTC; other forms are interpreted as clients intend
// them.
func (p *rulePlan) setUntil(until, start Time) {
	switch {
	case until.form == formNone:
	case start.form == formDate:
		p.until = floorDiv(until.wall, day) * day
	case until.form == formDate:
		p.until = until.wall + day - 1
	case until.form == formZoned && start.form == formZoned && start.zone.loc != nil:
		// A wall clock time that occurs twice cannot be compared with UNTIL;
		// the instant can.
		p.zone, p.deadline = start.zone, until.unix(nil)
		p.until = until.convertTo(start).wall + day
	default:
		p.until = until.wall
	}
}

// isAfterUntil reports whether the instant of wall is after UNTIL.
func (p *rulePlan) isAfterUntil(wall int64) bool {
	return p.zone != nil && wall > p.until-3*day && wallToUnix(p.zone.loc, wall) > p.deadline
}

// between yields the instances between two wall clock times, both inclusive, in
// order. DTSTART is always the first instance, even if the rule does not match
// it.
func (p *rulePlan) between(from, to int64, b *budget) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if p.start > p.until || p.isAfterUntil(p.start) {
			return
		}
		to := min(to, p.until)
		if from <= p.start && p.start <= to && !yield(p.start) || !p.rule.Supported() {
			return
		}
		begin, count, gap := from, 1, gapFinder{plan: p}
		if p.rule.Count > 0 {
			begin = p.start
		}
		p.selected(begin, to, b, func(wall int64) bool {
			if wall <= p.start || p.isAfterUntil(wall) {
				return true // a later wall clock time may be an earlier instant
			}
			if p.gaps != nil && gap.isDuplicate(wall, b) {
				return true
			}
			if count++; wall > to || p.rule.Count > 0 && count > p.rule.Count {
				return false
			}
			return wall < from || yield(wall)
		})
	}
}

// selected calls visit with the wall clock times that the rule selects in the periods
// from that of from on, in order, until visit returns false or a period begins after to.
// They may be before from, and before DTSTART in the first period.
func (p *rulePlan) selected(from, to int64, b *budget, visit func(wall int64) bool) {
	offsets := p.timeOffsets()
	if !b.spend(len(offsets)) {
		return
	}
	if p.skips {
		p.emitSkipping(from, to, offsets, b, visit)
		return
	}
	var anchors []int64
	for period, ok := p.periodOf(from), true; ok; {
		if anchors, period, ok = p.appendAnchors(anchors[:0], period, to, b); ok {
			ok = p.emit(anchors, offsets, b, visit)
		}
	}
}

// matches reports whether the rule selects wall, which is not before DTSTART, whatever its
// COUNT and UNTIL. Unlike between, it does not count DTSTART as an instance.
func (p *rulePlan) matches(wall int64, b *budget) (found bool) {
	if p.rule.Supported() {
		p.selected(wall, wall, b, func(w int64) bool {
			found = found || w == wall
			return w < wall
		})
	}
	return found
}

// timeOffsets returns the offsets of the instances from each anchor, in
// seconds.
func (p *rulePlan) timeOffsets() []int64 {
	parts := func(s *numberSet, size int, start int64) []int64 {
		if !s.nonEmpty {
			return []int64{start}
		}
		var list []int64
		for n := range size {
			if s.has(n) {
				list = append(list, int64(n))
			}
		}
		return list
	}
	zero := []int64{0}
	hours, minutes, seconds := zero, zero, zero
	if p.rule.Freq < Hourly {
		hours = parts(&p.hours, 24, floorDiv(p.start, 3600)-floorDiv(p.start, day)*24)
	}
	if p.rule.Freq < Minutely {
		minutes = parts(&p.minutes, 60, floorDiv(p.start, 60)-floorDiv(p.start, 3600)*60)
	}
	if p.rule.Freq < Secondly {
		seconds = parts(&p.seconds, 60, p.start-floorDiv(p.start, 60)*60) // BYSECOND=60 is ignored
	}
	offsets := make([]int64, 0, len(hours)*len(minutes)*len(seconds))
	for _, h := range hours {
		for _, m := range minutes {
			for _, s := range seconds {
				offsets = append(offsets, h*3600+m*60+s)
			}
		}
	}
	return offsets
}

// emit yields each anchor plus each offset or, with BYSETPOS, the selected
// ones. It returns false to end the evaluation.
func (p *rulePlan) emit(anchors, offsets []int64, b *budget, yield func(int64) bool) bool {
	if len(p.rule.BySetPos) == 0 {
		for _, a := range anchors {
			for _, o := range offsets {
				if !b.spend(1) || !yield(a+o) {
					return false
				}
			}
		}
		return true
	}
	size := len(anchors) * len(offsets)
	var chosen []int
	for _, pos := range p.rule.BySetPos {
		if pos < 0 {
			pos += size + 1
		}
		if 0 < pos && pos <= size {
			chosen = append(chosen, pos-1)
		}
	}
	slices.Sort(chosen)
	for _, i := range slices.Compact(chosen) {
		if !b.spend(1) || !yield(anchors[i/len(offsets)]+offsets[i%len(offsets)]) {
			return false
		}
	}
	return true
}

// periodOf returns the number of a period that does not begin after wall.
func (p *rulePlan) periodOf(wall int64) int64 {
	if wall <= p.start {
		return 0
	}
	date := civilDayAt(floorDiv(wall, day))
	var n int64
	switch p.rule.Freq {
	case Yearly:
		n = int64(date.year - p.first.year)
	case Monthly:
		n = int64((date.year-p.first.year)*12 + date.month - p.first.month)
	case Weekly:
		n = (date.epochDay - p.firstWeek()) / 7
	case Daily:
		n = date.epochDay - p.first.epochDay
	default:
		n = (wall - p.base()) / p.unit()
	}
	return n / int64(p.rule.Interval)
}

// firstWeek returns the epoch day on which the week of DTSTART begins.
func (p *rulePlan) firstWeek() int64 {
	return p.first.epochDay - int64((p.first.weekday()-int(p.rule.WeekStart)+7)%7)
}

// unit returns the length in seconds of a period that is shorter than a day,
// and base the beginning of the first one.
func (p *rulePlan) unit() int64 {
	return [...]int64{Hourly: 3600, Minutely: 60, Secondly: 1}[p.rule.Freq]
}
func (p *rulePlan) base() int64 { return floorDiv(p.start, p.unit()) * p.unit() }

// appendAnchors appends the anchors of a period to list and returns the number
// of the next period to examine. It returns false if the period begins after
// to, or if the budget is exhausted.
func (p *rulePlan) appendAnchors(list []int64, period, to int64, b *budget) (_ []int64, next int64, ok bool) {
	if !b.spend(1) {
		return nil, 0, false
	}
	n := period * int64(p.rule.Interval)
	switch p.rule.Freq {
	case Yearly:
		year := p.first.year + int(n)
		if year > 9999 || daysBefore(year, 1)*day > to {
			return nil, 0, false
		}
		for month := 1; month <= 12; month++ {
			if !p.months.nonEmpty || p.months.has(month) {
				list = p.appendMonth(list, year, month, b)
			}
		}
	case Monthly:
		month := int64(p.first.year)*12 + int64(p.first.month) - 1 + n
		if month > 9999*12 || daysBefore(int(month/12), int(month%12)+1)*day > to {
			return nil, 0, false
		}
		year, m := int(month/12), int(month%12)+1
		if !p.months.nonEmpty || p.months.has(m) {
			list = p.appendMonth(list, year, m, b)
		}
	case Weekly:
		begin := p.firstWeek() + 7*n
		if begin*day > to {
			return nil, 0, false
		}
		list = p.appendDays(list, begin, 7, b)
	case Daily:
		if (p.first.epochDay+n)*day > to {
			return nil, 0, false
		}
		list = p.appendDays(list, p.first.epochDay+n, 1, b)
	default:
		return p.appendMoment(list, period, to)
	}
	return list, period + 1, !b.exhausted
}

// appendMonth appends the days of a month that the rule selects. If the rule
// only selects n-th weekdays, as the rules of time zones do, it computes them
// without examining every day.
func (p *rulePlan) appendMonth(list []int64, year, month int, b *budget) []int64 {
	first, length := daysBefore(year, month), monthLen(year, month)
	if p.skips {
		list = p.appendSkipped(list, year, month)
	}
	if !p.nthOfMonth {
		return p.appendDays(list, first, length, b)
	}
	if !b.spend(len(p.nth)) {
		return list
	}
	begin := len(list)
	for _, want := range p.nth {
		dom := 1 + (int(want.Weekday)-weekday(first)+7)%7 + 7*(want.N-1)
		if want.N < 0 {
			dom = length - (weekday(first)+length-1-int(want.Weekday))%7 + 7*(want.N+1)
		}
		if 1 <= dom && dom <= length {
			list = append(list, (first+int64(dom)-1)*day)
		}
	}
	slices.Sort(list[begin:])
	return append(list[:begin], slices.Compact(list[begin:])...)
}

// appendDays examines count days, beginning with from, and appends the days that the rule selects.
func (p *rulePlan) appendDays(list []int64, from int64, count int, b *budget) []int64 {
	if !b.spend(count) {
		return list
	}
	d := civilDayAt(from)
	for range count {
		if p.selects(&d) {
			list = append(list, d.epochDay*day)
		}
		d.next()
	}
	return list
}

// selects reports whether the rule allows instances on the day d.
func (p *rulePlan) selects(d *civilDay) bool {
	switch {
	case p.months.nonEmpty && !p.months.has(d.month),
		p.monthDays.excludes(d.dom, d.monthLen-d.dom+1),
		p.yearDays.excludes(d.yday, d.yearLen-d.yday+1):
		return false
	}
	if len(p.rule.ByWeekNo) > 0 {
		if number, last := d.week(int(p.rule.WeekStart)); p.weeks.excludes(number, last) {
			return false
		}
	}
	return p.selectsWeekday(d)
}

// selectsWeekday reports whether BYDAY allows instances on the day d.
func (p *rulePlan) selectsWeekday(d *civilDay) bool {
	if !p.weekdays.nonEmpty && len(p.nth) == 0 || p.weekdays.has(d.weekday()) {
		return true
	}
	for _, want := range p.nth {
		if int(want.Weekday) == d.weekday() && p.isNth(want.N, d) {
			return true
		}
	}
	return false
}

// isNth reports whether d is the n-th of its weekday: in the month if the rule
// is monthly or has BYMONTH, otherwise in the year.
func (p *rulePlan) isNth(n int, d *civilDay) bool {
	pos, size := d.yday, d.yearLen
	if p.rule.Freq == Monthly || p.months.nonEmpty {
		pos, size = d.dom, d.monthLen
	}
	if n < 0 {
		return (size-pos)/7+1 == -n
	}
	return (pos-1)/7+1 == n
}

// appendMoment is appendAnchors for periods shorter than a day. It appends the
// beginning of the period if the rule allows it. Otherwise next skips the
// periods in the same month, day, hour or minute, which the rule does not allow
// either.
func (p *rulePlan) appendMoment(list []int64, period, to int64) (_ []int64, next int64, ok bool) {
	step := p.unit() * int64(p.rule.Interval)
	wall := p.base() + period*step
	if wall > to {
		return nil, 0, false
	}
	d := civilDayAt(floorDiv(wall, day))
	second := int(wall - d.epochDay*day)
	var skip int64 // wall clock time to skip to
	switch {
	case p.months.nonEmpty && !p.months.has(d.month):
		skip = daysBefore(d.year, d.month+1) * day
	case !p.selects(&d):
		skip = (d.epochDay + 1) * day
	case p.hours.nonEmpty && !p.hours.has(second/3600):
		skip = wall + 3600 - int64(second%3600)
	case p.rule.Freq >= Minutely && p.minutes.nonEmpty && !p.minutes.has(second/60%60):
		skip = wall + 60 - int64(second%60)
	case p.rule.Freq == Secondly && p.seconds.nonEmpty && !p.seconds.has(second%60):
		skip = wall + 1
	default:
		return append(list, wall), period + 1, true
	}
	return list, period + (skip-wall+step-1)/step, true
}
