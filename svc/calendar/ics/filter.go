package ics

import (
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/emersion/go-ical"
	"golang.org/x/text/unicode/norm"
)

// Filter is CALDAV:filter (RFC 4791 §9.7). The zero Filter matches everything.
type Filter struct{ Comp CompFilter }

// CompFilter is CALDAV:comp-filter (RFC 4791 §9.7.1).
type CompFilter struct {
	Name         string // VCALENDAR at the top level
	IsNotDefined bool
	TimeRange    *TimeRange
	Props        []PropFilter
	Comps        []CompFilter
}

// PropFilter is CALDAV:prop-filter (RFC 4791 §9.7.2).
type PropFilter struct {
	Name         string
	IsNotDefined bool
	TimeRange    *TimeRange
	TextMatch    *TextMatch
	Params       []ParamFilter
}

// ParamFilter is CALDAV:param-filter (RFC 4791 §9.7.3).
type ParamFilter struct {
	Name         string
	IsNotDefined bool
	TextMatch    *TextMatch
}

// TextMatch is CALDAV:text-match (RFC 4791 §9.7.5).
type TextMatch struct {
	Text      string
	Collation string // one of [Collations]; "" is the first
	Negate    bool
}

// TimeRange is CALDAV:time-range (RFC 4791 §9.9), a half-open interval. A zero
// Start or End is unbounded.
type TimeRange struct{ Start, End time.Time }

// Collations are the supported collations (RFC 4791 §7.5). The protocol rejects
// others; [TextMatch] treats them as the first one.
var Collations = []string{"i;ascii-casemap", "i;octet", "i;unicode-casemap"}

// Window returns a condition for an index over the intervals of instances. Each
// match of the filter has a component of that name ("" is any) and an instance
// that overlaps [from, to), where a zero time is unbounded. exact reports that
// each object with such an instance matches, so that the index alone decides,
// provided that it was computed with floating times in the zone of the query.
func (f Filter) Window() (component string, from, to time.Time, exact bool) {
	top := f.Comp
	if top.Name == "" {
		return "", from, to, true
	}
	if !strings.EqualFold(top.Name, "VCALENDAR") || top.IsNotDefined {
		return "", from, to, false
	}
	exact = top.TimeRange == nil && len(top.Props) == 0 && len(top.Comps) <= 1
	for _, c := range top.Comps {
		name := strings.ToUpper(c.Name)
		if componentLabels[name] == "" || c.IsNotDefined {
			exact = false
			continue
		}
		if c.TimeRange != nil {
			from, to = c.TimeRange.Start, c.TimeRange.End
		}
		return name, from, to, exact && len(c.Props) == 0 && len(c.Comps) == 0
	}
	return "", from, to, exact
}

// Match reports whether the object matches. DATEs and floating times are
// interpreted in zone; nil means UTC. If the work budget is exhausted, the
// result is true, because a client can discard a surplus object but cannot
// detect a missing one.
func (f Filter) Match(o *Object, zone *time.Location) bool {
	switch {
	case f.Comp.Name == "":
		return true
	case !strings.EqualFold(f.Comp.Name, "VCALENDAR"):
		return f.Comp.IsNotDefined
	case f.Comp.IsNotDefined:
		return false
	}
	m := matcher{o, zone, o.budget()}
	return m.matchComponent(f.Comp, filterTarget{tree: o.calendar}) || m.budget.exhausted
}

// matcher evaluates a filter on one object.
type matcher struct {
	object *Object
	zone   *time.Location
	budget *budget
}

// filterTarget is a component at any depth of the object. Its component is the
// main component (an event, a task, …) that contains tree or is tree itself; nil
// for VCALENDAR and VTIMEZONE.
type filterTarget struct {
	tree      *ical.Component
	component *Component
}

func (p filterTarget) children(o *Object) []filterTarget {
	list := make([]filterTarget, len(p.tree.Children))
	for i, tree := range p.tree.Children {
		list[i] = filterTarget{tree, p.component}
		if p.tree == o.calendar {
			list[i].component = o.byChild[i]
		}
	}
	return list
}

// matchChildren reports whether a child of p matches f.
func (m *matcher) matchChildren(f CompFilter, p filterTarget) bool {
	found := false
	for _, child := range p.children(m.object) {
		if !strings.EqualFold(child.tree.Name, f.Name) {
			continue
		}
		found = true
		if !f.IsNotDefined && m.matchComponent(f, child) {
			return true
		}
	}
	return f.IsNotDefined && !found
}

// matchComponent reports whether p, which has the name of f, matches f.
func (m *matcher) matchComponent(f CompFilter, p filterTarget) bool {
	for _, prop := range f.Props {
		if !m.matchProperty(prop, p) {
			return false
		}
	}
	for _, comp := range f.Comps {
		if !m.matchChildren(comp, p) {
			return false
		}
	}
	return f.TimeRange == nil || m.matchTimeRange(rangeSpan(f.TimeRange.Start, f.TimeRange.End), p)
}

// matchTimeRange reports whether an instance that p defines, or an occurrence
// of the alarm p, overlaps the range. Other components have no time
// (RFC 4791 §9.9).
func (m *matcher) matchTimeRange(r span, p filterTarget) bool {
	switch c := p.component; {
	case c == nil:
		return false
	case c.tree == p.tree:
		for range m.instancesOf(c, r) {
			return true
		}
		if c == m.object.Master {
			i, ok := m.object.uncountedInstance(m.zone, m.budget)
			return ok && i.Component == c && i.span().overlaps(r)
		}
	case p.tree.Name == "VALARM":
		if a, ok := c.parseAlarm(p.tree); ok {
			return m.matchAlarm(a, r, c)
		}
	}
	return false
}

// instancesOf yields the instances in the window that c defines.
func (m *matcher) instancesOf(c *Component, window span) iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		if c != m.object.Master && !c.ThisAndFuture {
			if i := c.ownInstance(m.zone); i.span().overlaps(window) {
				yield(i)
			}
			return
		}
		for i := range m.object.instances(window, m.zone, m.budget) {
			if i.Component == c && !yield(i) {
				return
			}
		}
	}
}

// matchAlarm reports whether the alarm a of c occurs in the range.
func (m *matcher) matchAlarm(a Alarm, r span, c *Component) bool {
	interval := a.Interval.approxSeconds() * 1000
	if !a.At.IsZero() {
		return alarmInRange(a.At.Instant(m.zone).UnixMilli(), interval, a.Repeat, r)
	}
	// Only instances that start or end near the range can have an alarm in it.
	// Days have up to 25 hours.
	maxOffset := 1000 * (max(a.Offset.approxSeconds(), -a.Offset.approxSeconds()) + 2*day)
	window := r
	if r.from != always.from {
		window.from -= maxOffset + interval*int64(a.Repeat)
	}
	if r.to != always.to {
		window.to += maxOffset
	}
	for i := range m.instancesOf(c, window) {
		base := i.Start
		if a.RelatedToEnd && !i.End.IsZero() || base.IsZero() {
			base = i.End
		}
		if !base.IsZero() && alarmInRange(base.unixAfter(a.Offset, m.zone)*1000, interval, a.Repeat, r) {
			return true
		}
	}
	return false
}

// alarmInRange reports whether an alarm at first or one of its repetitions is
// in the range.
func alarmInRange(first, interval int64, repeat int, r span) bool {
	if repeat > 0 && first < r.from {
		first += interval * min((r.from-first+interval-1)/interval, int64(repeat))
	}
	return momentSpan(first).overlaps(r)
}

// matchProperty reports whether a property of p matches f.
func (m *matcher) matchProperty(f PropFilter, p filterTarget) bool {
	props := p.tree.Props.Values(f.Name)
	if f.IsNotDefined {
		return len(props) == 0
	}
	c := p.component
	if c == nil {
		c = &Component{object: m.object, tree: p.tree}
	}
	for i := range props {
		if f.TimeRange != nil {
			t, ok := c.parseTime(&props[i], props[i].Value)
			if !ok || !m.inRange(t, f.TimeRange) {
				continue
			}
		}
		if f.TextMatch.matches(unescapeText(props[i].Value)) && matchParams(f.Params, props[i].Params) {
			return true
		}
	}
	// An end computed from DURATION counts as DTEND or DUE (RFC 4791 §9.9).
	return len(props) == 0 && f.TimeRange != nil && f.TextMatch == nil && len(f.Params) == 0 && c.tree == p.tree &&
		strings.EqualFold(f.Name, c.endPropertyName()) && c.endSource == durationProperty && m.inRange(c.endOf(c.start, c.length), f.TimeRange)
}

func (m *matcher) inRange(t Time, r *TimeRange) bool {
	return momentSpan(t.Instant(m.zone).UnixMilli()).overlaps(rangeSpan(r.Start, r.End))
}

// matchParams reports whether the parameters match all filters.
func matchParams(filters []ParamFilter, params map[string][]string) bool {
	for _, f := range filters {
		values, found := params[strings.ToUpper(f.Name)]
		if f.IsNotDefined == found {
			return false
		}
		if f.TextMatch != nil && !slices.ContainsFunc(values, f.TextMatch.matches) {
			return false
		}
	}
	return true
}

// matches reports whether value contains the text, or with Negate does not. A
// nil TextMatch matches everything.
func (t *TextMatch) matches(value string) bool {
	if t == nil {
		return true
	}
	// Case folding lengthens or shortens a text by a factor of less than 64.
	// Without this check, a long text would be folded for each of many short
	// values.
	if len(t.Text) > 64*len(value) {
		return t.Negate
	}
	fold := foldASCII
	switch t.Collation {
	case "i;octet":
		return strings.Contains(value, t.Text) != t.Negate
	case "i;unicode-casemap":
		fold = foldUnicode
	}
	return strings.Contains(fold(value), fold(t.Text)) != t.Negate
}

// foldASCII implements i;ascii-casemap (RFC 4790 §9.2.1).
func foldASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// foldUnicode implements i;unicode-casemap (RFC 5051 §2): title case,
// decomposed.
func foldUnicode(s string) string { return norm.NFKD.String(strings.Map(unicode.ToTitle, s)) }
