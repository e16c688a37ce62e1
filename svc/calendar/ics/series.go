package ics

import "errors"

// seriesBudget limits the steps for the change of a series, which take some ten
// milliseconds.
const seriesBudget = 2_000_000

// Errors of [Object.ChangeSeries].
var (
	ErrNoDate       = errors.New("the rule has no date at or after the start")
	ErrTooManyDates = errors.New("the series has too many dates or exceptions to be changed")
)

// AmbiguousError reports that a series can follow its start in several ways.
type AmbiguousError struct {
	Start Time  // the start after the change
	Ways  []Way // what the series can become
}

func (e *AmbiguousError) Error() string { return "the series can follow its start in several ways" }

// SeriesChange is a change of the start or the rule of a series. It maps the dates of the
// rule to their new times, which EXDATE, RECURRENCE-ID and UNTIL follow:
//
//   - at another time of the same date, or in another zone: the same date
//   - of a rule of days or weeks: the date as many days later as the start
//   - of a rule with one date in each month or year: the date of the new rule in the same
//     month or year, or in one that is as many later as that of the start
//   - of a rule of hours, minutes or seconds: the date after the same elapsed time
//   - of another rule: the date of the new rule that takes the place of the old one, see
//     explicit.go
//
// RDATEs move by the difference between the starts in local time.
type SeriesChange struct {
	Start   Time  // DTSTART after the change, or DUE of a task without it
	Rule    *Rule // after the change; nil if there is none
	Removed int   // exceptions of dates that have no new time

	object   *Object
	from, to Time     // the date that moves, and its new time
	move     followed // how dates move; its rule is nil if the present rule cannot follow
	explicit bool     // Rule is not the present one
	old, now *dateSet
	budget   *budget
}

// ChangeSeries returns the change of a series to another start or rule. If rule is nil, the
// present one follows the start; the error is an [*AmbiguousError] if it can do so in
// several ways. Otherwise Start is the first date of the rule at or after start. If at is a
// date of the rule, this date moves, by the difference between the starts.
func (o *Object) ChangeSeries(at, start Time, rule *Rule) (*SeriesChange, error) {
	m := o.Master
	c := &SeriesChange{object: o, Rule: rule, explicit: rule != nil, budget: &budget{left: seriesBudget}}
	c.old = newDateSet(m.rules, rdateWalls(m.rdates), c.budget)
	c.setMoved(at, start)
	canFollow := c.follow(start)
	var err error
	switch {
	case !c.explicit && !canFollow:
		return nil, c.ambiguous(at, start)
	case !c.explicit:
		c.Rule = c.move.rule
		err = c.moveStart(start)
	default:
		if !canFollow || len(m.rules) == 0 || !isSameExceptEnd(rule, c.move.rule) {
			c.move.rule = nil
		}
		c.Start, err = c.firstDate(rule, start)
	}
	if err != nil {
		return nil, err
	}
	c.setNow()
	if c.budget.exhausted {
		return nil, ErrTooManyDates
	}
	return c, nil
}

func rdateWalls(list []rdate) (walls []int64) {
	for _, r := range list {
		walls = append(walls, r.wall)
	}
	return walls
}

// setMoved sets the date that moves: at, if that is a date of the rule, or else the start.
func (c *SeriesChange) setMoved(at, start Time) {
	m := c.object.Master
	c.from, c.to = m.start, start
	if !at.IsZero() && c.old.hasRuleDate(at.wall) {
		c.from = m.timeAt(at.wall)
		c.to.wall = shiftWall(at.wall, m.start, start)
	}
}

// firstDate returns the first date of an explicit rule at or after start. If a later date than
// the first one moves, and the rule has the day of the first one but not that of start, the
// first one stays.
func (c *SeriesChange) firstDate(rule *Rule, start Time) (Time, error) {
	first, err := FirstDate(rule, start)
	if old := c.object.Master.start; c.from.wall != old.wall && first != start {
		same := start
		same.wall = dayOf(old)*day + floorMod(start.wall, day)
		if at, failed := FirstDate(rule, same); failed == nil && at == same && same.wall < first.wall {
			return same, nil
		}
	}
	return first, err
}

// follow sets move. It returns false if the rule cannot follow the start in one way.
func (c *SeriesChange) follow(start Time) bool {
	o, m := c.object, c.object.Master
	c.move = followed{from: m.start, to: start}
	if len(m.rules) > 1 || len(m.tree.Props["EXRULE"]) > 0 || len(o.thisAndFuture) > 0 {
		return m.start == start
	}
	if len(m.rules) == 0 {
		return true
	}
	p := &m.rules[0]
	if c.from != m.start {
		f, ok := p.follow(c.from, c.to)
		switch {
		case !ok: // the start may stay on its day although this date does not
			return false
		case f.by > byElapsed && p.matches(p.start, c.budget):
			c.move = f
			return true
		}
	}
	f, ok := p.follow(m.start, start)
	if ok && m.start != start && !p.matches(p.start, c.budget) { // the day of a start outside the rule is no day of the rule
		r := p.rule
		ok = f.by == noPeriod && dayOf(m.start) == dayOf(start) && len(r.ByHour)+len(r.ByMinute)+len(r.BySecond) == 0 && r.Supported()
	}
	if ok {
		c.move = f
	}
	return ok
}

// isSameExceptEnd reports whether two rules differ at most in COUNT and UNTIL.
func isSameExceptEnd(a, b *Rule) bool {
	x, y := *a, *b
	x.Count, x.Until, y.Count, y.Until = 0, Time{}, 0, Time{}
	return x.String() == y.String()
}

// moveStart sets Start to the new time of the first date that has one, and UNTIL to that of
// the last.
func (c *SeriesChange) moveStart(start Time) error {
	if c.Start = start; c.Rule == nil || !c.isMoved() {
		return nil
	}
	if c.move.by > byElapsed {
		plan, found := newRulePlan(c.Rule, start), false
		for wall := range c.old.ruleDates(minWall, maxWall) {
			if c.Start.wall, found = c.move.image(wall, &plan, c.budget); found {
				break
			}
		}
		if !found {
			return ErrNoDate
		}
	}
	if c.Rule.Until.IsZero() {
		return nil
	}
	endless := *c.Rule
	endless.Until = Time{}
	plan, last := newRulePlan(&endless, c.Start), c.Start
	last.wall -= day // of a series without dates
	for wall := range c.old.lastRuleDates() {
		if end, ok := c.move.image(wall, &plan, c.budget); ok {
			last.wall = end
			break
		}
	}
	c.Rule.Until = untilAt(last)
	return nil
}

// untilAt returns the UNTIL of a series whose last date is t. It has the form of DTSTART, but
// is in UTC if that has a zone (RFC 5545 §3.3.10).
func untilAt(t Time) Time {
	switch {
	case t.form == formZoned && t.zone.loc != nil:
		return UTC(t.Instant(nil))
	case t.form == formZoned:
		return Time{wall: t.wall, form: formFloating}
	}
	return t
}

// FirstDate returns the first date of a rule at or after start, with start as DTSTART.
func FirstDate(rule *Rule, start Time) (Time, error) {
	r, b := *rule, newBudget()
	r.Count = 0
	p := newRulePlan(&r, start)
	if start.wall <= p.until && !p.isAfterUntil(start.wall) && p.matches(start.wall, b) {
		return start, nil
	}
	for wall := range p.between(start.wall+1, maxWall, b) {
		start.wall = wall
		return start, nil
	}
	return start, ErrNoDate
}

// setNow sets the recurrence set after the change.
func (c *SeriesChange) setNow() {
	m := c.object.Master
	var rdates []int64
	for _, r := range m.rdates {
		if r.wall != m.start.wall || len(m.rules) > 0 {
			rdates = append(rdates, c.move.shifted(r.wall))
		}
	}
	var plans []rulePlan
	if c.Rule != nil {
		plans = append(plans, newRulePlan(c.Rule, c.Start))
	} else {
		rdates = append(rdates, c.Start.wall)
	}
	c.now = newDateSet(plans, rdates, c.budget)
}

// newTime returns the new time of a date of the rule, and false if there is none.
func (c *SeriesChange) newTime(wall int64) (int64, bool) {
	switch {
	case !c.explicit:
		return c.move.image(wall, &c.now.plans[0], c.budget)
	case c.move.rule == nil:
		return c.replacement(wall)
	}
	t, ok := c.move.image(wall, &c.now.plans[0], c.budget)
	return t, ok && c.now.has(t)
}

// firstOpen returns the new time of the first open instance of a task, which KDE names.
func (c *SeriesChange) firstOpen() int64 {
	wall := c.object.Master.firstOpen
	if c.old.hasRuleDate(wall) {
		if moved, ok := c.newTime(wall); ok {
			return moved
		}
	}
	return c.move.shifted(wall)
}

// Apply edits the lines d of the object: RRULE, RDATE, EXDATE, the first open instance of a
// task and the overrides. The caller sets the start and the end of the master.
func (c *SeriesChange) Apply(d *Document) error {
	m := c.object.Master
	b := d.Block(m)
	if old := m.Rule(); c.Rule != nil && (old == nil || len(m.rules) > 1 || c.Rule.String() != old.String()) {
		b.Set(RuleProp(c.Rule))
	}
	if c.explicit {
		b.Remove("EXRULE")
	}
	if c.isMoved() {
		b.rewrite("RDATE", m.tree.Props["RDATE"], c.rdates)
		if m.firstOpen > minWall {
			d.SetFirstOpen(c.object, c.at(c.firstOpen()))
		}
	}
	if c.explicit || c.isMoved() {
		b.rewrite("EXDATE", m.tree.Props["EXDATE"], c.exdates)
		c.overrides(d)
	}
	if c.budget.exhausted {
		return ErrTooManyDates
	}
	return nil
}
