package hours

import (
	"slices"
	"time"
)

// Hours is a parsed value of the tag opening_hours.
type Hours struct{ rules []rule }

// rule applies to the days of its selector.
type rule struct {
	selector
	isAdditive bool // adds to the earlier rules for a day instead of replacing them
	state      state
	spans      []span // empty for the whole day
}

// state is the state during a span.
type state int

const (
	closedState state = iota
	openState
	unknownState
)

// span is a part of a day, in minutes after its beginning. It may end on the next
// day.
type span struct {
	start, end int
	state      state // open or unknown; not used in closed rules
}

const minutesPerDay = 24 * 60

// Limits of the search for the next change, in days. A value that depends only on
// the weekday changes within a week or never; after Friday 00:00-48:00, the search
// begins two days late.
const (
	maxDays     = 400
	maxWeekdays = 9
)

// At returns the state at t, in the time zone of t, and the time of the next change
// of the state. ok is false if the value does not determine whether the place is
// open. next is zero if the state does not change within [maxDays] days.
func (h Hours) At(t time.Time) (isOpen bool, next time.Time, ok bool) {
	first, loc := dateOf(t), t.Location()
	var recent [3][]period // the periods of a day and of the two days before it, because spans may have up to 48 hours
	for i := range recent {
		recent[i] = h.periods(first.add(i-2), loc)
	}
	now := stateAt(recent, t)
	if len(h.rules) == 0 || now == unknownState {
		return false, time.Time{}, false
	}
	days := maxWeekdays
	if slices.ContainsFunc(h.rules, func(r rule) bool { return r.isSeasonal() }) {
		days = maxDays
	}
	for i := range days {
		for _, at := range changes(recent, t, first.add(i), loc) {
			if stateAt(recent, at) != now {
				return now == openState, at, true
			}
		}
		recent = [3][]period{recent[1], recent[2], h.periods(first.add(i+1), loc)}
	}
	return now == openState, time.Time{}, true
}

// period is a span of a certain day.
type period struct {
	start, end time.Time
	state      state
}

// periods returns the spans that begin on a day.
func (h Hours) periods(d date, loc *time.Location) (list []period) {
	for _, s := range h.spans(d) {
		list = append(list, period{d.at(s.start, loc), d.at(s.end, loc), s.state})
	}
	return list
}

// stateAt returns the state at t. recent contains the periods of the day of t and of
// the two days before it.
func stateAt(recent [3][]period, t time.Time) state {
	s := closedState
	for _, periods := range recent {
		for _, p := range periods {
			if t.Before(p.start) || !t.Before(p.end) {
				continue
			}
			if s = p.state; s == openState {
				return openState
			}
		}
	}
	return s
}

// changes returns the times of a day after t at which periods begin or end, in order.
func changes(recent [3][]period, t time.Time, d date, loc *time.Location) (times []time.Time) {
	begin, end := d.at(0, loc), d.add(1).at(0, loc)
	for _, periods := range recent {
		for _, p := range periods {
			for _, at := range []time.Time{p.start, p.end} {
				if at.After(t) && !at.Before(begin) && at.Before(end) {
					times = append(times, at)
				}
			}
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	return times
}

// spans returns the spans that begin on a day.
func (h Hours) spans(d date) (spans []span) {
	for _, r := range h.rules {
		if !r.matches(d) {
			continue
		}
		whole := []span{{0, minutesPerDay, r.state}}
		switch {
		case r.state == closedState && len(r.spans) == 0:
			spans = nil
		case r.state == closedState:
			for _, s := range r.spans {
				spans = subtract(spans, s)
			}
		case len(r.spans) == 0 && r.isAdditive:
			spans = append(spans, whole...)
		case len(r.spans) == 0:
			spans = whole
		case r.isAdditive:
			spans = append(slices.Clone(spans), r.spans...)
		default:
			spans = r.spans
		}
	}
	return spans
}

// subtract returns the parts of the spans outside of s.
func subtract(spans []span, s span) (rest []span) {
	for _, one := range spans {
		if before := min(one.end, s.start); one.start < before {
			rest = append(rest, span{one.start, before, one.state})
		}
		if after := max(one.start, s.end); after < one.end {
			rest = append(rest, span{after, one.end, one.state})
		}
	}
	return rest
}
