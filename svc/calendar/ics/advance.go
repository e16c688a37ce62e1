package ics

import (
	"iter"
	"time"

	"github.com/emersion/go-ical"
)

// NextOpen returns the open instance of a task with the lowest recurrence id among
// those that end at or after from; false if there is none. It is like
// [Object.FirstOpen], but an override that was moved keeps its place in the series.
func (o *Object) NextOpen(from, now time.Time, loc *time.Location) (next Instance, found bool) {
	for i := range o.openInstances(from, now, loc) {
		if !found || i.RecurrenceID.wall < next.RecurrenceID.wall {
			next, found = i, true
		}
	}
	return next, found
}

// OpenBefore returns the open overrides of a task that end before t.
func (o *Object) OpenBefore(t time.Time, loc *time.Location) (list []*Component) {
	for _, c := range o.Overrides {
		if i := c.ownInstance(loc); !i.Progress().IsDone() && i.endsBefore(t) {
			list = append(list, c)
		}
	}
	return list
}

// Precedes reports whether the recurrence id of i is before that of other, an instance
// of the same series.
func (i Instance) Precedes(other Instance) bool { return i.RecurrenceID.wall < other.RecurrenceID.wall }

// Advance changes the lines d of the task o so that its series begins at the instance
// id, and the earlier ones leave it: it moves DTSTART and DUE, and reduces COUNT. The
// series is open then. It returns false, and changes nothing, if the rule does not have
// the same later instances from there.
//
// Clients complete an instance in this way because many of them read neither overrides
// nor each other's properties.
func (d *Document) Advance(o *Object, id Time) bool {
	m := o.Master
	if !m.hasOneRule() || m.Progress().IsDone() {
		return false
	}
	at, ok := m.progress(id.wall)
	if !ok || !at.more || at.next != id.wall {
		return false
	}
	rule := *m.Rule()
	if rule.Count > 0 {
		rule.Count -= at.passed
	}
	b := d.Block(m)
	if !d.startAt(o, &rule, id, id) {
		return false
	}
	b.Remove(firstOpenProperty, "COMPLETED", "PERCENT-COMPLETE")
	if m.Progress() != NeedsAction {
		b.Set(ical.Prop{Name: "STATUS", Value: string(NeedsAction)})
	}
	return true
}

// maxRewound limits the instances that return to a series.
const maxRewound = maxOpenSteps

// Rewind reverts [Document.Advance]: it changes the lines d of the task o so that its
// series begins at id, an earlier date of its rule. between are the instances between
// id and the present start that the rule has, in order, without those that are excluded
// or have an override. Rewind returns false, and changes nothing, if the rule does not
// have the same later instances from there, or too many between.
func (d *Document) Rewind(o *Object, id Time) (between []Time, ok bool) {
	m := o.Master
	if !m.hasOneRule() || m.Progress().IsDone() || id.wall >= m.start.wall {
		return nil, false
	}
	rule, endless := *m.Rule(), *m.Rule()
	endless.Count, endless.Until = 0, Time{}
	plan, passed, b := newRulePlan(&endless, id), 0, o.budget()
	if !plan.matches(id.wall, b) {
		return nil, false
	}
	for wall := range plan.between(id.wall, m.start.wall-1, b) {
		if passed++; passed > maxRewound {
			return nil, false
		}
		if wall > id.wall && !m.isExcluded(wall) && !o.hasOverride(wall) {
			between = append(between, m.timeAt(wall))
		}
	}
	if rule.Count > 0 {
		rule.Count += passed
	}
	return between, !b.exhausted && d.startAt(o, &rule, id, m.start)
}

// hasOneRule reports whether the component is the master of a series with one RRULE
// and nothing else that adds instances or changes several.
func (c *Component) hasOneRule() bool {
	return c != nil && len(c.rules) == 1 && len(c.rdates) == 0 && len(c.tree.Props["EXRULE"]) == 0 && len(c.object.thisAndFuture) == 0
}

// startAt sets the start and the rule of the series o in its lines d. It returns false,
// and changes nothing, if the instances from the time from on would be others.
func (d *Document) startAt(o *Object, rule *Rule, start, from Time) bool {
	m := o.Master
	plan := newRulePlan(rule, start)
	before, after := m.rules[0].between(from.wall, maxWall, o.budget()), plan.between(from.wall, maxWall, o.budget())
	if !beginEqually(before, after) {
		return false
	}
	b := d.Block(m)
	if rule.Count > 0 {
		b.Set(RuleProp(rule))
	}
	end := m.endOf(start, m.length)
	if m.startIsDue {
		start = Time{}
	}
	b.setTimes(m, start, end, m.length)
	return true
}

// comparedInstances is the number of instances in which a rule has to agree with the
// same rule at another start. A rule that takes its days from the start, such as a
// monthly one that moves from the 31st to a shorter month, differs within them.
const comparedInstances = 800

// beginEqually reports whether two sequences agree in their first values, of which there
// is at least one.
func beginEqually(a, b iter.Seq[int64]) bool {
	next, stop := iter.Pull(b)
	defer stop()
	n := 0
	for value := range a {
		if other, ok := next(); !ok || other != value {
			return false
		}
		if n++; n == comparedInstances {
			return true
		}
	}
	_, more := next()
	return n > 0 && !more
}

// Detach returns the instance i, which has an override, as an object of its own with the
// UID uid. It has no alarms, because the instance is done, and neither ORGANIZER nor
// ATTENDEE, so that no server sends invitations to it. It does not refer to the series:
// KDE takes each RELATED-TO for a parent. The override is removed from the lines d of the
// series.
func (d *Document) Detach(i Instance, uid string) []byte {
	o := i.Component.object
	detached := o.Edit()
	own := detached.Block(i.Component)
	for _, b := range detached.Calendar.Blocks(o.Component) {
		if b != own {
			detached.Calendar.RemoveBlocks(b)
		}
	}
	own.Remove("RECURRENCE-ID", "RRULE", "RDATE", "EXDATE", "EXRULE", "ORGANIZER", "ATTENDEE", firstOpenProperty)
	own.RemoveBlocks(own.Blocks("VALARM")...)
	own.Set(TextProp("UID", uid))
	d.Calendar.RemoveBlocks(d.Block(i.Component))
	return detached.Bytes()
}

// SetFirstOpen states in the lines d of the task o that the instances before id are
// completed, as KDE does.
func (d *Document) SetFirstOpen(o *Object, id Time) {
	p := TimeProp(firstOpenProperty, id)
	if id.IsDate() {
		p = TimeProp(firstOpenProperty, Floating(id.Clock())) // KDE writes and reads a DATE-TIME
	}
	d.Block(o.Master).Set(p)
}
