package ics

import (
	"strings"

	"github.com/emersion/go-ical"
)

// maxExcluded limits the dates that replace one EXDATE of a day.
const maxExcluded = 2000

// at returns a wall clock time in the form of the new start.
func (c *SeriesChange) at(wall int64) Time {
	return Time{wall: wall, form: c.Start.form, zone: c.Start.zone}
}

// isMoved reports whether the start changes, and not only the rule.
func (c *SeriesChange) isMoved() bool { return c.move.from != c.move.to }

// rdates returns an RDATE property with the new times. The end of a PERIOD is written as a
// duration. A property with an invalid value is kept.
func (c *SeriesChange) rdates(p *ical.Prop) (list []ical.Prop, keep bool) {
	m := c.object.Master
	var times []Time
	var values []string
	for value := range strings.SplitSeq(p.Value, ",") {
		first, length, isPeriod := strings.Cut(value, "/")
		t, ok := m.parseTime(p, first)
		if !ok {
			return nil, true
		}
		if end, ok := m.parseTime(p, length); ok {
			length = Duration{Seconds: max(0, end.unix(nil)-t.unix(nil))}.String()
		}
		moved := c.at(c.move.shifted(t.convertTo(m.start).wall))
		if t.IsDate() && !m.start.IsDate() { // stands for the time of DTSTART on that day
			moved = Time{wall: t.wall + (dayOf(c.move.to)-dayOf(c.move.from))*day, form: formDate}
		}
		value = moved.String()
		if isPeriod {
			value += "/" + length
		}
		times, values = append(times, moved), append(values, value)
	}
	q := TimeProp(p.Name, times...)
	if strings.Contains(p.Value, "/") {
		q.Params.Set("VALUE", "PERIOD")
		q.Value = strings.Join(values, ",")
	}
	return []ical.Prop{q}, false
}

// exdates returns EXDATE properties with the new times of the dates of p.
func (c *SeriesChange) exdates(p *ical.Prop) (list []ical.Prop, keep bool) {
	m := c.object.Master
	var days, times []Time
	keep = c.Start.form == m.start.form && c.Start.zone == m.start.zone
	for value := range strings.SplitSeq(p.Value, ",") {
		t, ok := m.parseTime(p, strings.TrimSpace(value))
		switch {
		case !ok:
			keep = false
		case t.IsDate() && !m.start.IsDate():
			moved, isDay := c.excludedDay(t.wall)
			if isDay {
				days = append(days, moved...)
			} else {
				times = append(times, moved...)
			}
			keep = keep && isDay && len(moved) == 1 && moved[0] == t
		default:
			wall := t.convertTo(m.start).wall
			moved, ok := c.excluded(wall)
			if ok {
				times = append(times, c.at(moved))
			}
			keep = keep && ok && moved == wall
		}
	}
	for _, values := range [][]Time{days, times} {
		if len(values) > 0 {
			list = append(list, TimeProp(p.Name, values...))
		}
	}
	return list, keep
}

// excluded returns the new time of an excluded date. It returns false if the series has no
// such date any more.
func (c *SeriesChange) excluded(wall int64) (moved int64, ok bool) {
	if c.old.hasRuleDate(wall) {
		if moved, ok = c.newTime(wall); !ok {
			c.Removed++
		}
		return moved, ok
	}
	if !c.isMoved() {
		return wall, c.now.has(wall)
	}
	// An RDATE that is excluded must not exclude a date of the rule at its new time.
	moved = c.move.shifted(wall)
	return moved, c.old.has(wall) && !c.now.hasRuleDate(moved)
}

// excludedDay returns the new times of the dates on an excluded day of a series with times
// of day: the day itself, if there are no others on it, or the dates one by one.
func (c *SeriesChange) excludedDay(first int64) (times []Time, isDay bool) {
	if !c.isMoved() {
		for range c.now.dates(first, first+day-1) {
			return []Time{{wall: first, form: formDate}}, true
		}
		for range c.old.dates(first, first+day-1) {
			c.Removed++
			break
		}
		return nil, true
	}
	moved := make(map[int64]bool)
	for wall := range c.old.dates(first, first+day-1) {
		if at, ok := c.excluded(wall); ok {
			moved[at], times = true, append(times, c.at(at))
		}
		if len(times) > maxExcluded {
			c.budget.exhausted = true
			break
		}
	}
	if len(times) == 0 || c.Start.IsDate() {
		return times, false
	}
	begin := dayOf(times[0]) * day
	for wall := range c.now.dates(begin, begin+day-1) {
		if !moved[wall] {
			return times, false
		}
	}
	if dayOf(times[len(times)-1])*day != begin {
		return times, false
	}
	return []Time{{wall: begin, form: formDate}}, true
}

// overrides sets the RECURRENCE-IDs of the overrides, and the times of those that are at the
// time of their date. It removes those whose date has no new time.
func (c *SeriesChange) overrides(d *Document) {
	used := make(map[int64]bool, len(c.object.Overrides))
	var others []*Component // of no date of the rule
	for _, o := range c.object.Overrides {
		wall := o.RecurrenceID.wall
		if !c.old.hasRuleDate(wall) {
			others = append(others, o)
			continue
		}
		moved, ok := c.newTime(wall)
		if !ok || used[moved] {
			c.Removed++
			d.Calendar.RemoveBlocks(d.Block(o))
			continue
		}
		used[moved] = true
		c.moveOverride(d.Block(o), o, moved)
	}
	for _, o := range others {
		moved := o.RecurrenceID.wall
		if c.isMoved() {
			moved = c.move.shifted(moved)
		}
		if used[moved] || !c.old.has(o.RecurrenceID.wall) && c.isMoved() && c.now.has(moved) { // it would replace another date
			c.Removed++
			d.Calendar.RemoveBlocks(d.Block(o))
			continue
		}
		used[moved] = true
		c.moveOverride(d.Block(o), o, moved)
	}
}

// moveOverride sets the RECURRENCE-ID of an override with the lines b.
func (c *SeriesChange) moveOverride(b *Block, o *Component, wall int64) {
	id, start := c.at(wall), c.object.Master.start
	if id == o.RecurrenceID {
		return
	}
	p := TimeProp("RECURRENCE-ID", id)
	if o.ThisAndFuture {
		p.Params.Set("RANGE", "THISANDFUTURE")
	}
	b.Set(p)
	if o.start.IsZero() || o.start.IsDate() != start.IsDate() {
		return
	}
	moved := id
	switch at := o.start.convertTo(start); {
	case at == o.RecurrenceID:
	case o.ThisAndFuture: // the difference applies to the later dates
		moved.wall = clampWall(moved.wall + at.wall - o.RecurrenceID.wall)
	default:
		return
	}
	if o.startIsDue {
		b.setTimes(o, Time{}, moved, o.length)
		return
	}
	length := o.length
	if moved.IsDate() && !o.start.IsDate() { // whole days, rounded up
		length = Duration{Days: max(1, int(-floorDiv(-length.approxSeconds(), day)))}
	}
	b.setTimes(o, moved, o.endOf(moved, length), length)
}
