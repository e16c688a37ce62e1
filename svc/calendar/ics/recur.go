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
	left int
	cut  bool // it was not
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
	c.work = b
	return &c, func() (int, bool) { return granted - b.left, b.cut }
}

// budget is what a question about the object may take.
func (o *Object) budget() *budget {
	if o.work != nil {
		return o.work
	}
	return newBudget()
}

// spend takes n steps, or reports that there are not that many left.
func (b *budget) spend(n int) bool {
	if b.left < n {
		b.left, b.cut = 0, true
		return false
	}
	b.left -= n
	return true
}

// set is a set of small numbers that a rule names. An empty one says nothing.
type set struct {
	bits [6]uint64
	some bool
}

func (s *set) add(n int) { s.bits[n/64] |= 1 << (n % 64); s.some = true }

func (s *set) has(n int) bool { return s.bits[n/64]>>(n%64)&1 == 1 }

// signed is two sets: numbers counted from the beginning and from the end.
type signed struct{ first, last set }

func newSigned(list []int) (s signed) {
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
func (s *signed) excludes(n, last int) bool {
	return (s.first.some || s.last.some) && !s.first.has(n) && !s.last.has(last)
}

// plan is a rule made ready for the DTSTART of its component. Everything here
// happens on the wall clock: a DTSTART at nine recurs at nine.
//
// Time is cut into the rule's periods: every Interval-th year, month, week,
// day, hour, minute or second from the one that DTSTART is in. A period has
// anchors — the days that the rule selects in it or, below days, its own
// beginning — and every anchor is repeated at each of the plan's offsets. Of
// what results, BYSETPOS may select some. No period depends on another, which
// is why evaluation can begin far from DTSTART unless instances are counted.
type plan struct {
	rule     *Rule
	start    int64
	first    calDay // the day of start
	until    int64  // the last wall that may be an instance
	zone     *Zone  // if set, until is rough, and deadline is the last instant
	deadline int64

	months                     set
	weekdays                   set // every such day
	nth                        []Day
	nthOfMonth                 bool // nth is all that is asked of the days of a month
	monthDays, yearDays, weeks signed
	hours, minutes, seconds    set
}

func newPlan(rule *Rule, start Time) plan {
	p := plan{rule: rule, start: start.wall, first: dayAt(floor(start.wall, day)), until: maxWall}
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
	p.monthDays = newSigned(rule.ByMonthDay)
	p.yearDays = newSigned(rule.ByYearDay)
	p.weeks = newSigned(rule.ByWeekNo)
	for _, part := range []struct {
		set  *set
		list []int
	}{{&p.hours, rule.ByHour}, {&p.minutes, rule.ByMinute}, {&p.seconds, rule.BySecond}} {
		for _, n := range part.list {
			part.set.add(n)
		}
	}
	if start.form == date { // parts of the day are to be ignored: every instance is a midnight
		p.hours, p.minutes, p.seconds = set{}, set{}, set{}
		p.hours.add(0)
		p.minutes.add(0)
		p.seconds.add(0)
	}
	p.derive()
	p.nthOfMonth = len(p.nth) > 0 && (rule.Freq == Monthly || p.months.some) && !p.weekdays.some &&
		len(rule.ByMonthDay) == 0 && len(rule.ByYearDay) == 0 && len(rule.ByWeekNo) == 0
	p.limit(rule.Until, start)
	return p
}

// derive takes from DTSTART which day it is if the rule does not say it
// (RFC 5545 §3.3.10).
func (p *plan) derive() {
	r, d := p.rule, &p.first
	saysDay := len(r.ByDay) > 0 || len(r.ByMonthDay) > 0 || len(r.ByYearDay) > 0
	switch {
	case saysDay || r.Freq > Weekly:
	case r.Freq == Weekly || len(r.ByWeekNo) > 0:
		p.weekdays.add(d.weekday())
	default:
		p.monthDays.first.add(d.dom)
		if r.Freq == Yearly && !p.months.some {
			p.months.add(d.month)
		}
	}
}

// limit sets the end. UNTIL should have the form of DTSTART or be in UTC;
// where it does not, it is read in the way that clients mean it.
func (p *plan) limit(until, start Time) {
	switch {
	case until.form == none:
	case start.form == date:
		p.until = floor(until.wall, day) * day
	case until.form == date:
		p.until = until.wall + day - 1
	case until.form == zoned && start.form == zoned && start.zone.loc != nil:
		// Which instances are beyond the end is decided by the instant, since
		// where the clock is changed the wall does not tell.
		p.zone, p.deadline = start.zone, until.unix(nil)
		p.until = until.as(start).wall + day
	default:
		p.until = until.wall
	}
}

// beyond reports whether wall is after the end that was given as an instant.
func (p *plan) beyond(wall int64) bool {
	return p.zone != nil && wall > p.until-3*day && resolve(p.zone.loc, wall) > p.deadline
}

// between yields the instances from one wall to another, both included, in
// order. DTSTART is the first instance, whether it fits the rule or not.
func (p *plan) between(from, to int64, b *budget) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if p.start > p.until || p.beyond(p.start) {
			return
		}
		to := min(to, p.until)
		if from <= p.start && p.start <= to && !yield(p.start) {
			return
		}
		offsets := p.offsets()
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
			if wall <= p.start || p.beyond(wall) {
				return true
			}
			if count++; wall > to || p.rule.Count > 0 && count > p.rule.Count {
				return false
			}
			return wall < from || yield(wall)
		}
		for {
			var ok bool
			anchors, period, ok = p.anchors(anchors[:0], period, to, b)
			if !ok || !p.selected(anchors, offsets, b, show) {
				return
			}
		}
	}
}

// offsets returns when, after each anchor, there is an instance.
func (p *plan) offsets() []int64 {
	parts := func(s *set, size int, start int64) []int64 {
		if !s.some {
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
		hours = parts(&p.hours, 24, floor(p.start, 3600)-floor(p.start, day)*24)
	}
	if p.rule.Freq < Minutely {
		minutes = parts(&p.minutes, 60, floor(p.start, 60)-floor(p.start, 3600)*60)
	}
	if p.rule.Freq < Secondly {
		seconds = parts(&p.seconds, 60, p.start-floor(p.start, 60)*60) // the 60th second never comes
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

// selected yields every anchor with every offset or, with BYSETPOS, those at
// the positions that it names. It returns false if that is to be the end.
func (p *plan) selected(anchors, offsets []int64, b *budget, yield func(int64) bool) bool {
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
func (p *plan) periodOf(wall int64) int64 {
	if wall <= p.start {
		return 0
	}
	this := dayAt(floor(wall, day))
	var n int64
	switch p.rule.Freq {
	case Yearly:
		n = int64(this.year - p.first.year)
	case Monthly:
		n = int64((this.year-p.first.year)*12 + this.month - p.first.month)
	case Weekly:
		n = (this.n - p.firstWeek()) / 7
	case Daily:
		n = this.n - p.first.n
	default:
		n = (wall - p.base()) / p.unit()
	}
	return n / int64(p.rule.Interval)
}

// firstWeek returns the day on which the week of DTSTART begins.
func (p *plan) firstWeek() int64 {
	return p.first.n - int64((p.first.weekday()-int(p.rule.WeekStart)+7)%7)
}

// unit is the length of a period below days, and base the beginning of the
// first one.
func (p *plan) unit() int64 {
	return [...]int64{Hourly: 3600, Minutely: 60, Secondly: 1}[p.rule.Freq]
}
func (p *plan) base() int64 { return floor(p.start, p.unit()) * p.unit() }

// anchors appends the anchors of a period to list and returns the number of
// the next period worth looking at; not ok if that is after to, or if the
// budget is spent.
func (p *plan) anchors(list []int64, period, to int64, b *budget) (_ []int64, next int64, ok bool) {
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
			if !p.months.some || p.months.has(month) {
				list = p.month(list, year, month, b)
			}
		}
	case Monthly:
		month := int64(p.first.year)*12 + int64(p.first.month) - 1 + n
		if month > 9999*12 || daysBefore(int(month/12), int(month%12)+1)*day > to {
			return nil, 0, false
		}
		year, m := int(month/12), int(month%12)+1
		if !p.months.some || p.months.has(m) {
			list = p.month(list, year, m, b)
		}
	case Weekly:
		begin := p.firstWeek() + 7*n
		if begin*day > to {
			return nil, 0, false
		}
		list = p.days(list, begin, 7, b)
	case Daily:
		if (p.first.n+n)*day > to {
			return nil, 0, false
		}
		list = p.days(list, p.first.n+n, 1, b)
	default:
		return p.moment(list, period, to)
	}
	return list, period + 1, !b.cut
}

// month appends the days of a month that the rule selects. Those of a rule that
// asks for the n-th weekdays of months and for nothing else, as all rules of time
// zones do, need no search.
func (p *plan) month(list []int64, year, month int, b *budget) []int64 {
	first, length := daysBefore(year, month), monthLen(year, month)
	if !p.nthOfMonth {
		return p.days(list, first, length, b)
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

// days appends those of count days that the rule selects.
func (p *plan) days(list []int64, from int64, count int, b *budget) []int64 {
	if !b.spend(count) {
		return list
	}
	d := dayAt(from)
	for range count {
		if p.selects(&d) {
			list = append(list, d.n*day)
		}
		d.next()
	}
	return list
}

// selects reports whether the rule allows instances on the day d.
func (p *plan) selects(d *calDay) bool {
	switch {
	case p.months.some && !p.months.has(d.month),
		p.monthDays.excludes(d.dom, d.monthLen-d.dom+1),
		p.yearDays.excludes(d.yday, d.yearLen-d.yday+1):
		return false
	}
	if len(p.rule.ByWeekNo) > 0 {
		if number, last := d.week(int(p.rule.WeekStart)); p.weeks.excludes(number, last) {
			return false
		}
	}
	if !p.weekdays.some && len(p.nth) == 0 || p.weekdays.has(d.weekday()) {
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
func (p *plan) isNth(n int, d *calDay) bool {
	pos, size := d.yday, d.yearLen
	if p.rule.Freq == Monthly || p.months.some {
		pos, size = d.dom, d.monthLen
	}
	if n < 0 {
		return (size-pos)/7+1 == -n
	}
	return (pos-1)/7+1 == n
}

// moment is anchors for periods below days: it appends the period's beginning
// if the rule allows it, and else skips what lies in the same month, day, hour
// or minute that the rule does not allow.
func (p *plan) moment(list []int64, period, to int64) (_ []int64, next int64, ok bool) {
	step := p.unit() * int64(p.rule.Interval)
	wall := p.base() + period*step
	if wall > to {
		return nil, 0, false
	}
	d := dayAt(floor(wall, day))
	second := int(wall - d.n*day)
	var skip int64 // to what
	switch {
	case p.months.some && !p.months.has(d.month):
		skip = daysBefore(d.year, d.month+1) * day
	case !p.selects(&d):
		skip = (d.n + 1) * day
	case p.hours.some && !p.hours.has(second/3600):
		skip = wall + 3600 - int64(second%3600)
	case p.rule.Freq >= Minutely && p.minutes.some && !p.minutes.has(second/60%60):
		skip = wall + 60 - int64(second%60)
	case p.rule.Freq == Secondly && p.seconds.some && !p.seconds.has(second%60):
		skip = wall + 1
	default:
		return append(list, wall), period + 1, true
	}
	return list, period + (skip-wall+step-1)/step, true
}
