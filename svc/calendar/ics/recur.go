package ics

import (
	"iter"
	"slices"
)

// stepBudget is how many days and instances the evaluation of one object may
// look at: a few milliseconds of work. What people write needs hundreds.
const stepBudget = 200_000

// budget is how much work may still be done. It says in the end whether that
// was enough.
type budget struct {
	left      int
	exhausted bool // it was not
}

func newBudget() *budget { return &budget{left: stepBudget} }

// WithBudget returns the object with a limit on the work for all that it is asked
// from then on, instead of one for each question: so many steps, if that is
// fewer than usual. It is for one goroutine. Spent says how many were taken,
// and whether some answer is not all there is because there were no more.
func (o *Object) WithBudget(steps int) (limited *Object, spent func() (steps int, cut bool)) {
	b := newBudget()
	b.left = min(b.left, steps)
	granted := b.left
	c := *o
	c.sharedBudget = b
	return &c, func() (int, bool) { return granted - b.left, b.exhausted }
}

// budget is what a question about the object may take.
func (o *Object) budget() *budget {
	if o.sharedBudget != nil {
		return o.sharedBudget
	}
	return newBudget()
}

// spend takes n steps, or reports that there are not that many left.
func (b *budget) spend(n int) bool {
	if b.left < n {
		b.left, b.exhausted = 0, true
		return false
	}
	b.left -= n
	return true
}

// numberSet is a numberSet of small numbers that a rule names. An empty one says nothing.
type numberSet struct {
	bits     [6]uint64
	nonEmpty bool
}

func (s *numberSet) add(n int) { s.bits[n/64] |= 1 << (n % 64); s.nonEmpty = true }

func (s *numberSet) has(n int) bool { return s.bits[n/64]>>(n%64)&1 == 1 }

// signedSet is two sets: numbers counted from the beginning and from the end.
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

// excludes reports that the rule names numbers, and neither of these.
func (s *signedSet) excludes(n, last int) bool {
	return (s.first.nonEmpty || s.last.nonEmpty) && !s.first.has(n) && !s.last.has(last)
}

// rulePlan is a rule made ready for the DTSTART of its component. Everything here
// happens on the wall clock: a DTSTART at nine recurs at nine.
//
// Time is cut into the rule's periods: every Interval-th year, month, week,
// day, hour, minute or second from the one that DTSTART is in. A period has
// anchors — the days that the rule selects in it or, below days, its own
// beginning — and every anchor is repeated at each of the rulePlan's offsets. Of
// what results, BYSETPOS may select some. No period depends on another, which
// is why evaluation can begin far from DTSTART unless instances are counted.
type rulePlan struct {
	rule     *Rule
	start    int64
	first    civilDay // the day of start
	until    int64    // the last wall that may be an instance
	zone     *Zone    // if set, until is rough, and deadline is the last instant
	deadline int64

	months                     numberSet
	weekdays                   numberSet // every such day
	nth                        []Day
	nthOfMonth                 bool // nth is all that is asked of the days of a month
	monthDays, yearDays, weeks signedSet
	hours, minutes, seconds    numberSet
}

func newRulePlan(rule *Rule, start Time) rulePlan {
	p := rulePlan{rule: rule, start: start.wall, first: civilDayAt(floorDiv(start.wall, day)), until: maxWall}
	for _, m := range rule.ByMonth {
		p.months.add(m)
	}
	for _, d := range rule.ByDay {
		if d.N == 0 || rule.Freq > Monthly { // the others have no n-th days
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
	if start.form == formDate { // parts of the day are to be ignored: every instance is a midnight
		p.hours, p.minutes, p.seconds = numberSet{}, numberSet{}, numberSet{}
		p.hours.add(0)
		p.minutes.add(0)
		p.seconds.add(0)
	}
	p.deriveFromStart()
	p.nthOfMonth = len(p.nth) > 0 && (rule.Freq == Monthly || p.months.nonEmpty) && !p.weekdays.nonEmpty &&
		len(rule.ByMonthDay) == 0 && len(rule.ByYearDay) == 0 && len(rule.ByWeekNo) == 0
	p.setUntil(rule.Until, start)
	return p
}

// deriveFromStart takes from DTSTART which day it is if the rule does not say it
// (RFC 5545 §3.3.10).
func (p *rulePlan) deriveFromStart() {
	r, d := p.rule, &p.first
	saysDay := len(r.ByDay) > 0 || len(r.ByMonthDay) > 0 || len(r.ByYearDay) > 0
	switch {
	case saysDay || r.Freq > Weekly:
	case r.Freq == Weekly || len(r.ByWeekNo) > 0:
		p.weekdays.add(d.weekday())
	default:
		p.monthDays.first.add(d.dom)
		if r.Freq == Yearly && !p.months.nonEmpty {
			p.months.add(d.month)
		}
	}
}

// setUntil sets the end. UNTIL should have the form of DTSTART or be in UTC;
// where it does not, it is read in the way that clients mean it.
func (p *rulePlan) setUntil(until, start Time) {
	switch {
	case until.form == formNone:
	case start.form == formDate:
		p.until = floorDiv(until.wall, day) * day
	case until.form == formDate:
		p.until = until.wall + day - 1
	case until.form == formZoned && start.form == formZoned && start.zone.loc != nil:
		// Which instances are beyond the end is decided by the instant, since
		// where the clock is changed the wall does not tell.
		p.zone, p.deadline = start.zone, until.unix(nil)
		p.until = until.convertTo(start).wall + day
	default:
		p.until = until.wall
	}
}

// isAfterUntil reports whether wall is after the end that was given as an instant.
func (p *rulePlan) isAfterUntil(wall int64) bool {
	return p.zone != nil && wall > p.until-3*day && wallToUnix(p.zone.loc, wall) > p.deadline
}

// between yields the instances from one wall to another, both included, in
// order. DTSTART is the first instance, whether it fits the rule or not.
func (p *rulePlan) between(from, to int64, b *budget) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if p.start > p.until || p.isAfterUntil(p.start) {
			return
		}
		to := min(to, p.until)
		if from <= p.start && p.start <= to && !yield(p.start) {
			return
		}
		offsets := p.timeOffsets()
		if !b.spend(len(offsets)) {
			return
		}
		period := int64(0)
		if p.rule.Count == 0 {
			period = p.periodOf(from)
		}
		var anchors []int64
		count := 1
		show := func(wall int64) bool {
			if wall <= p.start || p.isAfterUntil(wall) {
				return true
			}
			if count++; wall > to || p.rule.Count > 0 && count > p.rule.Count {
				return false
			}
			return wall < from || yield(wall)
		}
		for {
			var ok bool
			anchors, period, ok = p.appendAnchors(anchors[:0], period, to, b)
			if !ok || !p.emit(anchors, offsets, b, show) {
				return
			}
		}
	}
}

// timeOffsets returns when, after each anchor, there is an instance.
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
		seconds = parts(&p.seconds, 60, p.start-floorDiv(p.start, 60)*60) // the 60th second never comes
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

// emit yields every anchor with every offset or, with BYSETPOS, those at
// the positions that it names. It returns false if that is to be the end.
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

// periodOf returns the number of a period that is not after wall.
func (p *rulePlan) periodOf(wall int64) int64 {
	if wall <= p.start {
		return 0
	}
	this := civilDayAt(floorDiv(wall, day))
	var n int64
	switch p.rule.Freq {
	case Yearly:
		n = int64(this.year - p.first.year)
	case Monthly:
		n = int64((this.year-p.first.year)*12 + this.month - p.first.month)
	case Weekly:
		n = (this.epochDay - p.firstWeek()) / 7
	case Daily:
		n = this.epochDay - p.first.epochDay
	default:
		n = (wall - p.base()) / p.unit()
	}
	return n / int64(p.rule.Interval)
}

// firstWeek returns the day on which the week of DTSTART begins.
func (p *rulePlan) firstWeek() int64 {
	return p.first.epochDay - int64((p.first.weekday()-int(p.rule.WeekStart)+7)%7)
}

// unit is the length of a period below days, and base the beginning of the
// first one.
func (p *rulePlan) unit() int64 {
	return [...]int64{Hourly: 3600, Minutely: 60, Secondly: 1}[p.rule.Freq]
}
func (p *rulePlan) base() int64 { return floorDiv(p.start, p.unit()) * p.unit() }

// appendAnchors appends the appendAnchors of a period to list and returns the number of
// the next period worth looking at; not ok if that is after to, or if the
// budget is spent.
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

// appendMonth appends the days of a appendMonth that the rule selects. Those of a rule that
// asks for the n-th weekdays of months and for nothing else, as all rules of time
// zones do, need no search.
func (p *rulePlan) appendMonth(list []int64, year, month int, b *budget) []int64 {
	first, length := daysBefore(year, month), monthLen(year, month)
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

// appendDays appends those of count appendDays that the rule selects.
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
// is monthly or names months, else in the year.
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

// appendMoment is anchors for periods below days: it appends the period's beginning
// if the rule allows it, and else skips what lies in the same month, day, hour
// or minute that the rule does not allow.
func (p *rulePlan) appendMoment(list []int64, period, to int64) (_ []int64, next int64, ok bool) {
	step := p.unit() * int64(p.rule.Interval)
	wall := p.base() + period*step
	if wall > to {
		return nil, 0, false
	}
	d := civilDayAt(floorDiv(wall, day))
	second := int(wall - d.epochDay*day)
	var skip int64 // to what
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
