package ics

import "time"

// Expand returns the object as CALDAV:expand wants it (RFC 4791 §9.6.5): each
// instance that overlaps [from, to) is a component of its own, without rules
// and in UTC. Cut says that there are more than limit of them. Free-busy answers
// and availabilities have no instances, and stay as they are.
func (o *Object) Expand(from, to time.Time, loc *time.Location, limit int) (text []byte, cut bool) {
	if o.Component == "VFREEBUSY" || o.Component == "VAVAILABILITY" {
		return o.Raw, false
	}
	list, cut := o.Instances(from, to, loc, limit)
	d := o.Edit()
	blocks := d.Calendar.Blocks()
	d.Calendar.RemoveBlocks(blocks...)
	for _, i := range list {
		b := blocks[i.Component.index].Clone()
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
	blocks := d.Calendar.Blocks()
	var out []*Block
	for _, c := range o.Overrides {
		concerns := c.Future || c.own(loc).span().overlaps(window)
		if !concerns && o.Master != nil {
			concerns = o.Master.instance(c.ID, c.ID, o.Master.length, loc).span().overlaps(window)
		}
		if !concerns {
			out = append(out, blocks[c.index])
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
