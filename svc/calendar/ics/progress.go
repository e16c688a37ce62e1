package ics

import (
	"iter"
	"slices"
	"strings"
	"time"
)

// TaskProgress is the progress of a task, or of one instance of it. Its values are
// those of STATUS (RFC 5545 §3.8.1.11).
type TaskProgress string

const (
	NeedsAction TaskProgress = "NEEDS-ACTION"
	InProcess   TaskProgress = "IN-PROCESS"
	Completed   TaskProgress = "COMPLETED"
	Cancelled   TaskProgress = "CANCELLED"
)

// IsDone reports whether nothing is left to do.
func (p TaskProgress) IsDone() bool { return p == Completed || p == Cancelled }

// firstOpenProperty is the property in which KDE stores the start of the first open
// instance of a recurring task; it leaves DTSTART, DUE and STATUS unchanged when an
// instance is completed.
const firstOpenProperty = "X-KDE-LIBKCAL-DTRECURRENCE"

// Progress returns the progress of a VTODO. STATUS decides whatever else the
// component contains. Without a valid STATUS, a component with COMPLETED or
// PERCENT-COMPLETE:100 is completed.
func (c *Component) Progress() TaskProgress {
	switch p := TaskProgress(strings.ToUpper(strings.TrimSpace(c.Text("STATUS")))); p {
	case NeedsAction, InProcess, Completed, Cancelled:
		return p
	}
	if percent, _ := c.Int("PERCENT-COMPLETE"); percent >= 100 || !c.Time("COMPLETED").IsZero() {
		return Completed
	}
	return NeedsAction
}

// Progress returns the progress of an instance of a task. Instances before
// the first open one that KDE names are completed, unless they have an override.
func (i Instance) Progress() TaskProgress {
	p := i.Component.Progress()
	if m := i.Component.object.Master; m != nil && i.Component.RecurrenceID != i.RecurrenceID && i.RecurrenceID.wall < m.firstOpen && !p.IsDone() {
		return Completed
	}
	return p
}

// maxOpenSteps limits the instances that a search for an open one examines.
const maxOpenSteps = 1000

// FirstOpen returns the first instance of a task that is neither completed nor
// cancelled, also if it is past; false if there is none. If the search exceeds its
// limit, it returns the newest instance that has started by now. DATEs and floating
// times are interpreted in loc.
func (o *Object) FirstOpen(now time.Time, loc *time.Location) (first Instance, found bool) {
	for i := range o.openInstances(time.Time{}, now, loc) {
		if !found || i.From < first.From {
			first, found = i, true
		}
	}
	return first, found
}

// HasOtherOpen reports whether the task has an open instance other than i that ends before
// until.
func (o *Object) HasOtherOpen(i Instance, until, now time.Time, loc *time.Location) bool {
	for _, from := range []time.Time{{}, i.EndsAt.Add(1)} {
		for other := range o.openInstances(from, now, loc) {
			if other.RecurrenceID != i.RecurrenceID && other.endsBefore(until) {
				return true
			}
		}
	}
	return false
}

// openInstances yields the open instances of a task that end at or after from:
// those with an override, then the first one without. A zero time is unbounded.
func (o *Object) openInstances(from, now time.Time, loc *time.Location) iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for _, c := range o.Overrides {
			if i := c.ownInstance(loc); !i.Progress().IsDone() && !i.endsBefore(from) && !yield(i) {
				return
			}
		}
		switch m := o.Master; {
		case m == nil:
		case !o.Recurs() || m.start.IsZero():
			if i := m.ownInstance(loc); !i.Progress().IsDone() && !i.endsBefore(from) {
				yield(i)
			}
		default:
			if i, found := o.firstOpenOfSeries(from, now, loc); found {
				yield(i)
			}
		}
	}
}

// firstOpenOfSeries returns the first open instance without an override that ends
// at or after from.
func (o *Object) firstOpenOfSeries(from, now time.Time, loc *time.Location) (newest Instance, found bool) {
	m, b, steps := o.Master, o.budget(), 0
	if !slices.ContainsFunc(o.seriesComponents(), func(c *Component) bool { return !c.Progress().IsDone() }) {
		return newest, false
	}
	begin, _ := o.wallRange(rangeSpan(from, time.Time{}))
	begin = max(begin, m.firstOpen)
	for wall := range m.recurrenceIDs(begin, maxWall, b) {
		steps++
		if b.count(instanceSteps); o.hasOverride(wall) {
			continue
		}
		i := o.instanceAt(wall, loc)
		switch {
		case i.Progress().IsDone() || i.endsBefore(from):
		case steps <= maxOpenSteps || i.isAfter(now) && !found:
			return i, true
		case i.isAfter(now):
			return newest, true
		default:
			newest, found = i, true
		}
	}
	if b.exhausted && !found { // the series may have an open instance
		return o.instanceAt(max(begin, m.start.wall), loc), true
	}
	return newest, found
}

// isAfter reports whether an instance starts after t, or ends after it if it has no start.
func (i Instance) isAfter(t time.Time) bool {
	if i.Start.IsZero() {
		return i.EndsAt.After(t)
	}
	return i.StartsAt.After(t)
}

// endsBefore reports whether an instance with a due time, or else a start, is before t.
func (i Instance) endsBefore(t time.Time) bool {
	switch {
	case t.IsZero():
		return false
	case !i.End.IsZero():
		return i.EndsAt.Before(t)
	}
	return !i.Start.IsZero() && i.StartsAt.Before(t)
}
