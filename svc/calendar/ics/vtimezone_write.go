package ics

import (
	"fmt"
	"slices"
	"time"

	"appliance/svc"

	"github.com/emersion/go-ical"
)

// A VTIMEZONE is written for the years around one moment. Transitions that
// follow a yearly rule for lookAhead years are written as an RRULE, others are
// listed as RDATEs for listAhead years.
const (
	lookAhead = 40
	listAhead = 12
)

// AddTimeZone adds a VTIMEZONE for the zone z (RFC 5545 §3.6.5) that is correct
// for the years around at. It does nothing if the document has a VTIMEZONE with
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
	d.addZone(z.TZID, z.loc, at)
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
	d.addZone(name, loc, at)
	return d.Bytes(), true
}

func (d *Document) addZone(tzid string, loc *time.Location, at time.Time) {
	zone := newBlock("VTIMEZONE", d.Calendar.newline)
	zone.Add(TextProp("TZID", tzid))
	addObservances(zone, loc, at.UTC().Year())
	d.Calendar.items = slices.Insert(d.Calendar.items, d.Calendar.firstBlockIndex(), item{block: zone})
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

// addObservances adds a STANDARD or DAYLIGHT component for each group of
// transitions with one pattern.
func addObservances(zone *Block, loc *time.Location, year int) {
	last := year + lookAhead
	groups := make(map[transitionPattern][]transition)
	var order []transitionPattern
	for _, c := range transitions(loc, year-1, last) {
		h := c.pattern()
		if groups[h] == nil {
			order = append(order, h)
		}
		groups[h] = append(groups[h], c)
	}
	for _, h := range order {
		group := groups[h]
		first := group[0]
		rule := yearlyRule(group, last)
		if rule == nil {
			group = slices.DeleteFunc(group, func(c transition) bool { return c.wall.Year() > year+listAhead })
			if len(group) == 0 {
				continue
			}
		}
		name := "STANDARD"
		if first.dst {
			name = "DAYLIGHT"
		}
		b := zone.NewBlock(name)
		b.Add(TimeProp("DTSTART", Floating(first.wall)))
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
		b.Add(ical.Prop{Name: "TZOFFSETFROM", Value: formatOffset(first.from)})
		b.Add(ical.Prop{Name: "TZOFFSETTO", Value: formatOffset(first.to)})
		b.Add(TextProp("TZNAME", first.name))
	}
}

// transitions returns the last transition at or before the start of the year
// first, and all until the end of the year last.
func transitions(loc *time.Location, first, last int) []transition {
	begin := time.Date(first, 1, 1, 0, 0, 0, 0, time.UTC).In(loc)
	end := time.Date(last+1, 1, 1, 0, 0, 0, 0, time.UTC)
	var list []transition
	if at, ok := transitionBefore(begin); ok {
		list = append(list, transitionAt(at))
	} else { // there has never been a transition
		c := transitionAt(begin)
		c.wall, c.from = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), c.to
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

// yearlyRule returns the rule that generates exactly the group: one transition
// in every year until last, on the n-th or last weekday of a month, or on the
// first such weekday on or after a day of the month. It returns nil if there is
// none.
func yearlyRule(group []transition, last int) *Rule {
	first := group[0].wall
	low, high := 31, 1 // days of the month
	for i, c := range group {
		if c.wall.Year() != first.Year()+i {
			return nil
		}
		low, high = min(low, c.wall.Day()), max(high, c.wall.Day())
	}
	// In 28 years, each day of the month falls on each weekday.
	if first.Year()+len(group)-1 != last || len(group) < 28 || high-low != 6 {
		return nil
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
