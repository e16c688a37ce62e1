package ics

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"
)

// Override returns the lines of an override for the instance i. If i has no
// override of its own, it adds one with the times of i. i is an instance of the
// object for which [Object.Edit] returned d.
func (d *Document) Override(i Instance) *Block {
	c := i.Component
	if c.RecurrenceID == i.RecurrenceID {
		return d.Block(c)
	}
	b := d.Block(c).Clone()
	b.Remove("RRULE", "RDATE", "EXDATE", "EXRULE", firstOpenProperty)
	b.Set(TimeProp("RECURRENCE-ID", i.RecurrenceID))
	b.setTimes(c, i.Start, i.End, i.length)
	d.Calendar.AppendBlock(b)
	return b
}

// Exclude removes the instance i from its series: it adds an EXDATE and removes
// the override of i. It does nothing for an object that does not recur. i is an
// instance of the object for which [Object.Edit] returned d.
func (d *Document) Exclude(i Instance) {
	c := i.Component
	if i.RecurrenceID.IsZero() {
		return
	}
	block := d.Block(c)
	if m := c.object.Master; m != nil {
		d.Block(m).Add(TimeProp("EXDATE", i.RecurrenceID))
	}
	if c.RecurrenceID == i.RecurrenceID {
		d.Calendar.RemoveBlocks(block)
	}
}

// setTimes sets the start and end of the lines of c, in the properties that c
// uses. It sets DURATION if length differs from that of c.
func (b *Block) setTimes(c *Component, start, end Time, length Duration) {
	if !start.IsZero() {
		b.Set(TimeProp("DTSTART", start))
	}
	switch {
	case c.endSource == endProperty && start.form == formZoned && length.approxSeconds() > 0 && end.unix(nil) != start.unixAfter(length, nil):
		// The local time of the end occurs twice, and the second occurrence is
		// meant, which only a DURATION can express.
		b.Remove(c.endPropertyName())
		b.Set(DurationProp("DURATION", length))
	case c.endSource == endProperty:
		b.Set(TimeProp(c.endPropertyName(), end))
	case length != c.length:
		b.Set(DurationProp("DURATION", length))
	}
}

// Split splits a series before the instance i. before is the object without i
// and the instances after it, nil if nothing is left. after is an object with
// the UID uid that contains the remaining instances, and a RELATED-TO property with
// the UID of o. The caller updates other properties, such as DTSTAMP.
func (o *Object) Split(i Instance, uid string) (before, after []byte, err error) {
	m := o.Master
	switch {
	case m == nil || i.RecurrenceID.IsZero():
		return nil, nil, errors.New("only a series can be split")
	case len(m.rules) > 1:
		return nil, nil, errors.New("a series with more than one RRULE cannot be split")
	case len(o.thisAndFuture) > 0:
		return nil, nil, errors.New("a series with RANGE=THISANDFUTURE cannot be split")
	case len(m.rdates) > 0 && m.rdates[0].wall < m.start.wall:
		return nil, nil, errors.New("a series with an RDATE before its DTSTART cannot be split")
	}
	at, ok := m.progress(i.RecurrenceID.wall)
	if !ok {
		return nil, nil, errors.New("a series with too many instances cannot be split")
	}
	after = o.seriesFrom(i.RecurrenceID, at, uid)
	if i.RecurrenceID.wall > m.start.wall {
		before = o.seriesBefore(i.RecurrenceID, at)
	}
	return before, after, nil
}

// seriesBefore returns the part of the series before the instance id. It keeps
// a rule that has ended by then, because an UNTIL could extend it.
func (o *Object) seriesBefore(id Time, at progress) []byte {
	m, d := o.Master, o.Edit()
	b := d.Block(m)
	if at.more {
		r := *m.Rule()
		r.Count, r.Until = 0, untilBefore(id)
		b.Set(RuleProp(&r))
	}
	d.keepInstances(o, func(first, last int64) bool { return first < id.wall })
	return d.Bytes()
}

// seriesFrom returns the part of the series from the instance id on, as an
// object with another UID.
func (o *Object) seriesFrom(id Time, at progress, uid string) []byte {
	m, d := o.Master, o.Edit()
	b := d.Block(m)
	start := id
	// DTSTART is the next instance of the rule. An id that is not
	// an instance of the rule is an RDATE, which is kept.
	switch rule := m.Rule(); {
	case !at.more:
		b.Remove("RRULE")
	case rule.Count > 0:
		r := *rule
		r.Count -= at.passed
		b.Set(RuleProp(&r))
	}
	if at.more {
		start = m.timeAt(at.next)
	}
	end := m.endOf(start, m.length)
	if m.startIsDue {
		start = Time{}
	}
	b.setTimes(m, start, end, m.length)
	b.Add(ical.Prop{Name: "RELATED-TO", Params: ical.Params{"RELTYPE": {"SIBLING"}}, Value: escapeText(o.UID)})
	d.keepInstances(o, func(first, last int64) bool { return last >= id.wall })
	for _, b := range d.Calendar.Blocks(o.Component) {
		b.Set(TextProp("UID", uid))
	}
	return d.Bytes()
}

// untilBefore returns the UNTIL of a series that ends before the instance id.
// It has the form of DTSTART, but is in UTC if that has a zone
// (RFC 5545 §3.3.10).
func untilBefore(id Time) Time {
	switch {
	case id.form == formDate:
		return id.Add(Duration{Days: -1})
	case id.form == formZoned && id.zone.loc != nil:
		return UTC(id.Instant(nil).Add(-time.Second))
	}
	return Floating(id.Clock().Add(-time.Second))
}

// progress is the position of a rule at a wall clock time.
type progress struct {
	passed int   // number of instances before that time; only set if the rule has a COUNT
	next   int64 // wall clock time of the first instance not before that time
	more   bool  // whether there is such an instance
}

// progress returns the position of the first rule at wall. It returns false if the work
// budget is exhausted.
func (c *Component) progress(wall int64) (p progress, ok bool) {
	if len(c.rules) == 0 {
		return p, true
	}
	from := wall
	if c.rules[0].rule.Count > 0 {
		from = math.MinInt64
	}
	b := newBudget()
	for w := range c.rules[0].between(from, maxWall, b) {
		if w >= wall {
			p.next, p.more = w, true
			return p, true
		}
		p.passed++
	}
	return p, !b.exhausted
}

// keepInstances removes the overrides, RDATEs and EXDATEs for which keep
// returns false from the lines d of o. keep is called with the first and last
// wall clock time that the value stands for. Lines that keep all their values
// are unchanged.
func (d *Document) keepInstances(o *Object, keep func(first, last int64) bool) {
	m := o.Master
	b := d.Block(m)
	wanted := func(p *ical.Prop, value string) bool {
		first, _, _ := strings.Cut(value, "/")
		t, _ := m.parseTime(p, first)
		if t.form == formDate && m.start.form != formDate {
			return keep(t.wall, t.wall+day-1)
		}
		wall := t.convertTo(m.start).wall
		return keep(wall, wall)
	}
	for _, name := range []string{"RDATE", "EXDATE"} {
		b.rewriteList(name, m.tree.Props[name], wanted)
	}
	var out []*Block
	for _, c := range o.Overrides {
		if !keep(c.RecurrenceID.wall, c.RecurrenceID.wall) {
			out = append(out, d.Block(c))
		}
	}
	d.Calendar.RemoveBlocks(out...)
}

// rewriteList removes values for which wanted returns false from the list
// properties props with that name. Lines that keep all their values are
// unchanged.
func (b *Block) rewriteList(name string, props []ical.Prop, wanted func(p *ical.Prop, value string) bool) {
	b.rewrite(name, props, func(p *ical.Prop) (list []ical.Prop, keep bool) {
		values := strings.Split(p.Value, ",")
		kept := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !wanted(p, v) })
		if len(kept) > 0 {
			list = []ical.Prop{{Name: name, Params: p.Params, Value: strings.Join(kept, ",")}}
		}
		return list, len(kept) == len(values)
	})
}

// rewrite replaces each of props, which are all properties with that name, by the
// result of change, or keeps its line.
func (b *Block) rewrite(name string, props []ical.Prop, change func(p *ical.Prop) (list []ical.Prop, keep bool)) {
	var items []item
	for _, it := range b.items {
		if it.block != nil || it.name != name {
			items = append(items, it)
			continue
		}
		list, keep := change(&props[0])
		if props = props[1:]; keep {
			items = append(items, it)
			continue
		}
		for _, p := range list {
			items = append(items, b.newItem(p))
		}
	}
	b.items = items
}
