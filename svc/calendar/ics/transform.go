package ics

import (
	"bytes"
	"slices"
	"time"
)

// maxExpansion is about how many octets an expansion may have: an object of a
// megabyte may have a thousand instances.
const maxExpansion = 16 << 20

// Expand returns the object as CALDAV:expand wants it (RFC 4791 §9.6.5): each
// instance that overlaps [from, to) is a component of its own, without rules
// and in UTC. Cut says that there are more than limit of them, or more than text
// is made for. Free-busy answers and availabilities have no instances, and stay
// as they are.
func (o *Object) Expand(from, to time.Time, loc *time.Location, limit int) (text []byte, cut bool) {
	if o.Component == "VFREEBUSY" || o.Component == "VAVAILABILITY" {
		return o.Raw, false
	}
	list, cut := o.Instances(from, to, loc, limit)
	if len(list) > 0 && !o.Recurs() && len(o.zones) == 0 { // it is in UTC already, or in no zone
		return o.Raw, cut
	}
	d := o.Edit()
	d.Calendar.RemoveBlocks(d.components...)
	for _, c := range o.Components() {
		d.Block(c).Remove("RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID")
	}
	list = distinctInUTC(list)
	size := len(d.before) + d.Calendar.size() + len(d.after)
	for n, i := range list {
		if size += d.Block(i.Component).size(); size > maxExpansion {
			list, cut = list[:n], true
			break
		}
	}
	var buf bytes.Buffer
	buf.Grow(size + 2*maxLineOctets*len(list))
	buf.Write(d.before)
	d.Calendar.writeOpen(&buf)
	var b Block // whose items are those of each instance in turn
	for _, i := range list {
		lines := b.items[:0]
		b = *d.Block(i.Component)
		b.items = append(lines, b.items...)
		if id := i.RecurrenceID.utc(); !id.IsZero() {
			b.Set(TimeProp("RECURRENCE-ID", id))
		}
		b.setTimes(i.Component, i.Start.utcAt(i.StartsAt), i.End.utcAt(i.EndsAt), i.utcLength())
		b.write(&buf)
	}
	buf.Write(d.Calendar.end)
	buf.Write(d.after)
	return buf.Bytes(), cut
}

// distinctInUTC returns the instances without those that are the same as another in
// UTC: of two times of a series the clock may skip one.
func distinctInUTC(list []Instance) []Instance {
	type moment struct {
		id       Time
		from, to int64
	}
	seen := make(map[moment]bool, len(list))
	return slices.DeleteFunc(list, func(i Instance) bool {
		m := moment{i.RecurrenceID.utc(), i.From, i.To}
		was := seen[m]
		seen[m] = true
		return was
	})
}

// LimitRecurrences returns the object as CALDAV:limit-recurrence-set wants it
// (RFC 4791 §9.6.6): without the overrides that concern nothing in [from, to).
func (o *Object) LimitRecurrences(from, to time.Time, loc *time.Location) []byte {
	window := rangeSpan(from, to)
	d := o.Edit()
	var out []*Block
	for _, c := range o.Overrides {
		concerns := c.ThisAndFuture || c.ownInstance(loc).span().overlaps(window)
		if !concerns && o.Master != nil {
			concerns = o.Master.newInstance(c.RecurrenceID, c.RecurrenceID, o.Master.length, loc).span().overlaps(window)
		}
		if !concerns {
			out = append(out, d.Block(c))
		}
	}
	d.Calendar.RemoveBlocks(out...)
	return d.Bytes()
}

// utcLength returns how long the instance lasts in UTC, where all days have 24
// hours.
func (i Instance) utcLength() Duration {
	exact := Duration{Seconds: int64(i.EndsAt.Sub(i.StartsAt) / time.Second)}
	if i.Start.utc() == i.Start || exact.Seconds == i.length.approxSeconds() {
		return i.length
	}
	return exact
}

// utc returns t in UTC, if it has a zone that is known.
func (t Time) utc() Time { return t.utcAt(t.Instant(nil)) }

// utcAt is utc for a t of which the instant is known. An hour that comes twice
// on the clock has two.
func (t Time) utcAt(instant time.Time) Time {
	if t.form != formZoned || t.zone.loc == nil {
		return t
	}
	return UTC(instant)
}
