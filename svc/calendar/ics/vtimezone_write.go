package ics

import (
	"fmt"
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/zoneinfo"

	"github.com/emersion/go-ical"
)

// A VTIMEZONE is written from a year on. Transitions that follow a yearly rule for
// lookAhead years are written as an RRULE, others are listed as RDATEs for
// listAhead years, from that year or the release of the time zone data on.
const (
	lookAhead = 40
	listAhead = 12
)

// AddTimeZone adds a VTIMEZONE for the zone z (RFC 5545 §3.6.5) that is correct
// from the year of at on. It does nothing if the document has a VTIMEZONE with
// that TZID, or if the zone has no known rules.
func (d *Document) AddTimeZone(z *Zone, at time.Time) {
	if z == nil || z == utc || z.loc == nil {
		return
	}
	for _, b := range d.Calendar.Blocks("VTIMEZONE") {
		if unescapeText(b.Value("TZID")) == z.TZID {
			return
		}
	}
	d.insert([]*Block{newTimeZone(z.TZID, z.loc, at.UTC().Year(), d.Calendar.newline)})
}

// FormatTimeZone returns an iCalendar object that contains only the VTIMEZONE
// of an IANA zone, including UTC. [ParseZone] parses it. It returns false if
// there is no zone with that name.
func FormatTimeZone(prodID, name string, at time.Time) (text []byte, ok bool) {
	loc, ok := svc.Zone(name)
	if !ok {
		return nil, false
	}
	d := NewDocument(prodID)
	d.insert([]*Block{newTimeZone(name, loc, at.UTC().Year(), d.Calendar.newline)})
	return d.Bytes(), true
}

// earliestYear is the first year for which rules are written: earlier ones are local
// mean times.
const earliestYear = 1900

// newTimeZone returns a VTIMEZONE that is correct from the year first on.
func newTimeZone(tzid string, loc *time.Location, first int, newline string) *Block {
	zone := newBlock("VTIMEZONE", newline)
	zone.Add(TextProp("TZID", tzid))
	addObservances(zone, loc, max(first, earliestYear))
	return zone
}

// transition is a change of the UTC offset of a zone.
type transition struct {
	wall     time.Time // local time before the transition, as a time in UTC
	from, to int       // UTC offsets in seconds
	name     string
	dst      bool
}

// transitionPattern holds the common values of the transitions of one yearly
// rule.
type transitionPattern struct {
	month    time.Month
	weekday  time.Weekday
	clock    string
	from, to int
	name     string
	dst      bool
}

func (c transition) pattern() transitionPattern {
	return transitionPattern{c.wall.Month(), c.wall.Weekday(), c.wall.Format("150405"), c.from, c.to, c.name, c.dst}
}

// addObservances adds the observances of a zone from the year first on. Transitions with
// one pattern are in one component, or in two if only the later ones follow a rule.
func addObservances(zone *Block, loc *time.Location, first int) {
	present := max(first, zoneinfo.Current().Year())
	last := present + lookAhead
	groups := make(map[transitionPattern][]transition)
	var order []transitionPattern
	for _, c := range transitions(loc, first-1, last) {
		h := c.pattern()
		if groups[h] == nil {
			order = append(order, h)
		}
		groups[h] = append(groups[h], c)
	}
	for _, h := range order {
		listed, ruled := splitByRule(groups[h], last)
		listed = slices.DeleteFunc(listed, func(c transition) bool { return c.wall.Year() > present+listAhead })
		addObservance(zone, listed, nil)
		addObservance(zone, ruled, yearlyRule(ruled))
	}
}

// addObservance adds a STANDARD or DAYLIGHT component for a group of transitions with
// one pattern, which may be empty. If there is a rule, they follow it.
func addObservance(zone *Block, group []transition, rule *Rule) {
	if len(group) == 0 {
		return
	}
	begin := group[0]
	name := "STANDARD"
	if begin.dst {
		name = "DAYLIGHT"
	}
	b := zone.NewBlock(name)
	b.Add(TimeProp("DTSTART", Floating(begin.wall)))
	switch {
	case rule != nil:
		b.Add(RuleProp(rule))
	case len(group) > 1:
		var dates []Time
		for _, c := range group[1:] {
			dates = append(dates, Floating(c.wall))
		}
		b.Add(TimeProp("RDATE", dates...))
	}
	b.Add(ical.Prop{Name: "TZOFFSETFROM", Value: formatOffset(begin.from)})
	b.Add(ical.Prop{Name: "TZOFFSETTO", Value: formatOffset(begin.to)})
	b.Add(TextProp("TZNAME", begin.name))
}

// transitions returns the last transition at or before the start of the year
// first, and all until the end of the year last.
func transitions(loc *time.Location, first, last int) []transition {
	begin := time.Date(first, 1, 1, 0, 0, 0, 0, time.UTC).In(loc)
	end := time.Date(last+1, 1, 1, 0, 0, 0, 0, time.UTC)
	var list []transition
	if at, ok := transitionBefore(begin); ok {
		list = append(list, transitionAt(at))
	} else {
		c := transitionAt(begin)
		if _, later := transitionAfter(begin); !later { // there is never a transition
			c.wall = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		c.from = c.to
		list = append(list, c)
	}
	for at, ok := transitionAfter(begin); ok && at.Before(end); at, ok = transitionAfter(at) {
		list = append(list, transitionAt(at))
	}
	return list
}

func transitionAt(at time.Time) transition {
	_, from := at.Add(-time.Second).Zone()
	name, to := at.Zone()
	return transition{at.UTC().Add(time.Duration(from) * time.Second), from, to, name, at.IsDST()}
}

// transitionAfter returns the first transition after t. Beyond the transitions
// that the time zone database lists, the bounds that package time returns
// include the ends of years, at which the offset does not change; at the end of
// leap years they may not advance.
func transitionAfter(t time.Time) (at time.Time, ok bool) {
	for {
		_, next := t.ZoneBounds()
		if next.IsZero() {
			return next, false
		}
		if !next.After(t) {
			next = t.AddDate(0, 0, 1)
		}
		if c := transitionAt(next); c.from != c.to {
			return next, true
		}
		t = next
	}
}

// transitionBefore returns the last transition at or before t.
func transitionBefore(t time.Time) (at time.Time, ok bool) {
	for {
		last, _ := t.ZoneBounds()
		if last.IsZero() {
			return last, false
		}
		if c := transitionAt(last); c.from != c.to {
			return last, true
		}
		t = last.Add(-time.Second)
	}
}

// splitByRule splits a group of transitions with one pattern. The second part follows
// one yearly rule until the year last: there is one in each year, on days of the
// month that are less than a week apart.
func splitByRule(group []transition, last int) (listed, ruled []transition) {
	low, high, i := 31, 1, len(group)
	for ; i > 0; i-- {
		c := group[i-1].wall
		l, h := min(low, c.Day()), max(high, c.Day())
		if c.Year() != last-(len(group)-i) || h-l > 6 {
			break
		}
		low, high = l, h
	}
	// In 28 years, each day of the month falls on each weekday.
	if len(group)-i < 28 || high-low != 6 {
		return group, nil
	}
	return group[:i], group[i:]
}

// yearlyRule returns the rule that generates exactly the group, the second result of
// splitByRule: on the n-th or last weekday of a month, or on the first such weekday on
// or after a day of the month. It returns nil for an empty group.
func yearlyRule(group []transition) *Rule {
	if len(group) == 0 {
		return nil
	}
	first := group[0].wall
	low, high := 31, 1 // days of the month
	for _, c := range group {
		low, high = min(low, c.wall.Day()), max(high, c.wall.Day())
	}
	rule := &Rule{Freq: Yearly, Interval: 1, ByMonth: []int{int(first.Month())}, WeekStart: time.Monday}
	on := Day{Weekday: first.Weekday()}
	switch {
	case low%7 == 1:
		on.N = low/7 + 1
	case high == monthLen(first.Year(), int(first.Month())):
		on.N = -1
	default:
		for dom := low; dom <= low+6; dom++ {
			rule.ByMonthDay = append(rule.ByMonthDay, dom)
		}
	}
	rule.ByDay = []Day{on}
	return rule
}

// formatOffset formats a UTC-OFFSET (RFC 5545 §3.3.14).
func formatOffset(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	s := fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		s += fmt.Sprintf("%02d", seconds%60)
	}
	return s
}
