package ics

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"
)

// Override returns the lines that speak for the instance i. If they speak for
// others too, it first makes an override of them for i alone. i is an instance
// of the object that d was made from.
func (d *Document) Override(i Instance) *Block {
	c := i.Component
	if c.RecurrenceID == i.RecurrenceID {
		return d.Block(c)
	}
	b := d.Block(c).Clone()
	b.Remove("RRULE", "RDATE", "EXDATE", "EXRULE")
	b.Set(TimeProp("RECURRENCE-ID", i.RecurrenceID))
	b.setTimes(c, i.Start, i.End, i.length)
	d.Calendar.AppendBlock(b)
	return b
}

// Exclude takes the instance i out of its series; what does not recur stays. The
// same holds for i and d as in [Document.Override].
func (d *Document) Exclude(i Instance) {
	c := i.Component
	if i.RecurrenceID.IsZero() {
		return
	}
	own := d.Block(c)
	if m := c.object.Master; m != nil {
		d.Block(m).Add(TimeProp("EXDATE", i.RecurrenceID))
	}
	if c.RecurrenceID == i.RecurrenceID {
		d.Calendar.RemoveBlocks(own)
	}
}

// setTimes gives the lines of c another start and end, as far as c has them, or
// another DURATION if length is not the one of c.
func (b *Block) setTimes(c *Component, start, end Time, length Duration) {
	if !start.IsZero() {
		b.Set(TimeProp("DTSTART", start))
	}
	switch {
	case c.endSource == endProperty && start.form == formZoned && length.approxSeconds() > 0 && end.unix(nil) != start.unixAfter(length, nil):
		// The clock shows the end twice, and it is not the first time.
		b.Remove(c.endPropertyName())
		b.Set(DurationProp("DURATION", length))
	case c.endSource == endProperty:
		b.Set(TimeProp(c.endPropertyName(), end))
	case length != c.length:
		b.Set(DurationProp("DURATION", length))
	}
}

// Split cuts a series in two before the instance i. Before is the object
// without i and what follows it; nil if that is nothing. After is a new object
// with the UID uid, RELATED-TO the old one, that has the rest. All else that
// either should have, such as a new DTSTAMP, is the caller's to set.
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
		return nil, nil, errors.New("a series of so many instances cannot be split")
	}
	after = o.seriesFrom(i.RecurrenceID, at, uid)
	if i.RecurrenceID.wall > m.start.wall {
		before = o.seriesBefore(i.RecurrenceID, at)
	}
	return before, after, nil
}

// seriesBefore returns the part of the series before the instance id. A rule that has
// ended by then stays as it is: another end would make it longer.
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

// seriesFrom returns the part of the series from the instance id on, as an object of
// its own.
func (o *Object) seriesFrom(id Time, at progress, uid string) []byte {
	m, d := o.Master, o.Edit()
	b := d.Block(m)
	start := id
	// The rule goes on from its own next instance. If that is not id, id was an
	// RDATE, and stays one.
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

// untilBefore returns an UNTIL that ends a series before its instance id: in the
// form of DTSTART, but in UTC if that has a zone (RFC 5545 §3.3.10).
func untilBefore(id Time) Time {
	switch {
	case id.form == formDate:
		return id.Add(Duration{Days: -1})
	case id.form == formZoned && id.zone.loc != nil:
		return UTC(id.Instant(nil).Add(-time.Second))
	}
	return Floating(id.Clock().Add(-time.Second))
}

// progress is how far a rule has come at some wall.
type progress struct {
	passed int   // its instances before, if it counts them
	next   int64 // its next one,
	more   bool  // if there is one
}

// progress returns how far the rule has come before wall. It is not ok if that
// is more work than is ever done for one object.
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

// keepInstances removes from d, the lines of o, those overrides, RDATEs and EXDATEs that
// keepInstances does not want. It is asked for the first and last wall that is meant.
// Lines of which it wants everything stay as they are.
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

// rewriteList removes from the properties of a name, which are lists, the values
// that are not wanted. Lines of which all are wanted stay as they are.
func (b *Block) rewriteList(name string, props []ical.Prop, wanted func(p *ical.Prop, value string) bool) {
	b.rewrite(name, props, func(p *ical.Prop) *ical.Prop {
		values := strings.Split(p.Value, ",")
		kept := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !wanted(p, v) })
		switch len(kept) {
		case len(values):
			return p
		case 0:
			return nil
		}
		return &ical.Prop{Name: name, Params: p.Params, Value: strings.Join(kept, ",")}
	})
}

// rewrite changes the properties of a name, which are props, into what change
// returns: the same if the line is to stay, nil if it is to go.
func (b *Block) rewrite(name string, props []ical.Prop, change func(p *ical.Prop) *ical.Prop) {
	var items []item
	for _, it := range b.items {
		if it.block == nil && it.name == name {
			p := &props[0]
			props = props[1:]
			q := change(p)
			if q == nil {
				continue
			}
			if q != p {
				it = b.newItem(*q)
			}
		}
		items = append(items, it)
	}
	b.items = items
}

// ShiftSeries prepares the series o, whose lines d has, to start at another time:
// what names its instances — EXDATE, RDATE, and the RECURRENCE-ID of overrides —
// then names the same ones by their new time. An override that was at the time
// of its instance moves with it. DTSTART itself, the end and the rule are the
// caller's to change.
func (d *Document) ShiftSeries(o *Object, start Time) {
	m := o.Master
	moved := func(t Time) Time {
		if t.form == formDate && m.start.form != formDate { // a whole day
			t.wall += (floorDiv(start.wall, day) - floorDiv(m.start.wall, day)) * day
			return t
		}
		wall := t.convertTo(m.start).wall + start.wall - m.start.wall
		return Time{wall: clampWall(wall), form: start.form, zone: start.zone}
	}
	b := d.Block(m)
	for _, name := range []string{"RDATE", "EXDATE"} {
		b.rewrite(name, m.tree.Props[name], func(p *ical.Prop) *ical.Prop {
			var times []Time
			var values []string
			for value := range strings.SplitSeq(p.Value, ",") {
				first, length, period := strings.Cut(value, "/")
				t, ok := m.parseTime(p, first)
				if !ok { // an empty list
					return p
				}
				if end, ok := m.parseTime(p, length); ok {
					length = Duration{Seconds: max(0, end.unix(nil)-t.unix(nil))}.String()
				}
				times = append(times, moved(t))
				if value = moved(t).String(); period {
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
		})
	}
	for _, c := range o.Overrides {
		b := d.Block(c)
		id := TimeProp("RECURRENCE-ID", moved(c.RecurrenceID))
		if c.ThisAndFuture {
			id.Params.Set("RANGE", "THISANDFUTURE")
		}
		b.Set(id)
		if c.start.IsDate() == m.start.IsDate() && !c.start.IsZero() && !c.startIsDue && c.start.convertTo(m.start) == c.RecurrenceID {
			at := moved(c.RecurrenceID)
			b.setTimes(c, at, c.endOf(at, c.length), c.length)
		}
	}
}
