package ics

import (
	"strings"

	"github.com/emersion/go-ical"
)

// ShiftSeries adapts the lines d of the series o to another start. EXDATE, RDATE, the
// RECURRENCE-ID of overrides and the first open instance of a task, which KDE names, then
// identify the same instances by their new times. An override at the time of its instance
// moves with it. The caller changes DTSTART, the end and the rule.
func (d *Document) ShiftSeries(o *Object, start Time) {
	s := seriesShift{master: o.Master, start: start}
	b := d.Block(o.Master)
	for _, name := range []string{"RDATE", "EXDATE"} {
		b.rewrite(name, o.Master.tree.Props[name], func(p *ical.Prop) *ical.Prop { return s.list(name, p) })
	}
	for _, c := range o.Overrides {
		s.override(d.Block(c), c)
	}
	if first := o.Master.firstOpen; first > minWall {
		d.SetFirstOpen(o, s.time(o.Master.timeAt(first)))
	}
}

// seriesShift moves the instances of a series from the DTSTART of its master to
// start.
type seriesShift struct {
	master *Component
	start  Time
}

// time returns the new time of the instance at t. A DATE in a series of
// DATE-TIMEs stands for a whole day.
func (s seriesShift) time(t Time) Time {
	old := s.master.start
	if t.form == formDate && old.form != formDate {
		t.wall += (floorDiv(s.start.wall, day) - floorDiv(old.wall, day)) * day
		return t
	}
	wall := t.convertTo(old).wall + s.start.wall - old.wall
	return Time{wall: clampWall(wall), form: s.start.form, zone: s.start.zone}
}

// list returns an RDATE or EXDATE property with the new times. The end of a
// PERIOD is written as a duration. A property with an invalid value is returned
// unchanged.
func (s seriesShift) list(name string, p *ical.Prop) *ical.Prop {
	var times []Time
	var values []string
	for value := range strings.SplitSeq(p.Value, ",") {
		first, length, isPeriod := strings.Cut(value, "/")
		t, ok := s.master.parseTime(p, first)
		if !ok {
			return p
		}
		if end, ok := s.master.parseTime(p, length); ok {
			length = Duration{Seconds: max(0, end.unix(nil)-t.unix(nil))}.String()
		}
		times = append(times, s.time(t))
		value = s.time(t).String()
		if isPeriod {
			value += "/" + length
		}
		values = append(values, value)
	}
	q := TimeProp(name, times...)
	if strings.Contains(p.Value, "/") {
		q.Params.Set("VALUE", "PERIOD")
	}
	q.Value = strings.Join(values, ",")
	return &q
}

// override sets the new RECURRENCE-ID of the override c, and its new times if it
// was at the time of its instance.
func (s seriesShift) override(b *Block, c *Component) {
	id := s.time(c.RecurrenceID)
	p := TimeProp("RECURRENCE-ID", id)
	if c.ThisAndFuture {
		p.Params.Set("RANGE", "THISANDFUTURE")
	}
	b.Set(p)
	if c.start.IsZero() || c.startIsDue || c.start.IsDate() != s.master.start.IsDate() {
		return
	}
	if c.start.convertTo(s.master.start) == c.RecurrenceID {
		b.setTimes(c, id, c.endOf(id, c.length), c.length)
	}
}
