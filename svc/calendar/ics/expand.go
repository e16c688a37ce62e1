package ics

import "time"

// Expand returns the object as CALDAV:expand wants it (RFC 4791 §9.6.5): each
// instance that overlaps [from, to) is a component of its own, without rules
// and in UTC. Cut says that there are more than limit of them.
func (o *Object) Expand(from, to time.Time, loc *time.Location, limit int) (text []byte, cut bool) {
	list, cut := o.Instances(from, to, loc, limit)
	d := o.Edit()
	d.Calendar.RemoveBlocks(d.Calendar.Blocks()...)
	for _, i := range list {
		b := d.Block(i.Component).Clone()
		b.Remove("RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID")
		if !i.ID.IsZero() {
			b.Set(TimeProp("RECURRENCE-ID", i.ID.utc()))
		}
		b.move(i.Component, i.Start.utc(), i.End.utc())
		d.Calendar.Append(b)
	}
	return d.Bytes(), cut
}

// LimitRecurrences returns the object as CALDAV:limit-recurrence-set wants it
// (RFC 4791 §9.6.6): without the overrides that concern nothing in [from, to).
func (o *Object) LimitRecurrences(from, to time.Time, loc *time.Location) []byte {
	window := rangeSpan(from, to)
	d := o.Edit()
	var out []*Block
	for _, c := range o.Overrides {
		concerns := c.Future || c.own(loc).span().overlaps(window)
		if !concerns && o.Master != nil {
			concerns = o.Master.instance(c.ID, c.ID, o.Master.length, loc).span().overlaps(window)
		}
		if !concerns {
			out = append(out, d.Block(c))
		}
	}
	d.Calendar.RemoveBlocks(out...)
	return d.Bytes()
}

// utc returns t in UTC, if it has a zone that is known.
func (t Time) utc() Time {
	if t.form != zoned || t.zone.loc == nil {
		return t
	}
	return UTC(t.Instant(nil))
}
