package ics

import (
	"bytes"
	"slices"
	"time"

	"github.com/emersion/go-ical"
)

// maxExpansion limits the size of an expansion, approximately and in octets. An
// object of one megabyte may have a thousand instances.
const maxExpansion = 16 << 20

// Expand implements CALDAV:expand (RFC 4791 §9.6.5): each instance that overlaps [from, to) becomes
// a component without recurrence properties, with times in UTC. A VFREEBUSY and a VAVAILABILITY
// have no instances and are returned unchanged.
//
// truncated reports that there are more than limit instances, or that the text would exceed
// maxExpansion; text is nil then.
func (o *Object) Expand(from, to time.Time, loc *time.Location, limit int) (text []byte, truncated bool) {
	if o.Component == "VFREEBUSY" || o.Component == "VAVAILABILITY" {
		return o.Raw, false
	}
	list, truncated := o.Instances(from, to, loc, limit)
	if truncated {
		return nil, true
	}
	if len(list) > 0 && !o.Recurs() && len(o.zones) == 0 { // a single component, already in UTC or without a zone
		return o.Raw, false
	}
	d := o.Edit()
	d.Calendar.RemoveBlocks(d.components...)
	for _, c := range o.Components() {
		d.Block(c).Remove("RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID")
	}
	list = distinctInUTC(list)
	size := len(d.before) + d.Calendar.size() + len(d.after)
	for _, i := range list {
		if size += d.Block(i.Component).size(); size > maxExpansion {
			return nil, true
		}
	}
	var buf bytes.Buffer
	buf.Grow(size + 2*maxLineOctets*len(list))
	buf.Write(d.before)
	d.Calendar.writeOpen(&buf)
	var b Block // reused for all instances
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
	return buf.Bytes(), false
}

// distinctInUTC removes instances that are equal to an earlier one in UTC. Two
// local times of a series can be one instant if the clock is set forward.
func distinctInUTC(list []Instance) []Instance {
	type moment struct {
		id       Time
		from, to int64
	}
	seen := make(map[moment]bool, len(list))
	return slices.DeleteFunc(list, func(i Instance) bool {
		m := moment{i.RecurrenceID.utc(), i.From, i.To}
		isDuplicate := seen[m]
		seen[m] = true
		return isDuplicate
	})
}

// LimitRecurrences implements CALDAV:limit-recurrence-set (RFC 4791 §9.6.6): it
// removes the overrides that neither overlap [from, to) nor replace an instance
// that does. Overrides with RANGE=THISANDFUTURE stay.
func (o *Object) LimitRecurrences(from, to time.Time, loc *time.Location) []byte {
	window := rangeSpan(from, to)
	d := o.Edit()
	var out []*Block
	for _, c := range o.Overrides {
		relevant := c.ThisAndFuture || c.ownInstance(loc).span().overlaps(window)
		if !relevant && o.Master != nil {
			relevant = o.Master.newInstance(c.RecurrenceID, c.RecurrenceID, o.Master.length, loc).span().overlaps(window)
		}
		if !relevant {
			out = append(out, d.Block(c))
		}
	}
	d.Calendar.RemoveBlocks(out...)
	return d.Bytes()
}

// LimitFreeBusy implements CALDAV:limit-freebusy-set (RFC 4791 §9.6.7): it removes
// the FREEBUSY values that do not overlap [from, to).
func (o *Object) LimitFreeBusy(from, to time.Time) []byte {
	window := rangeSpan(from, to)
	d := o.Edit()
	for _, c := range o.Components() {
		d.Block(c).rewriteList("FREEBUSY", c.tree.Props["FREEBUSY"], func(p *ical.Prop, value string) bool {
			start, end, ok := c.parsePeriod(p, value)
			return ok && span{start.unix(nil) * 1000, end.unix(nil) * 1000}.overlaps(window)
		})
	}
	return d.Bytes()
}

// utcLength returns the duration of the instance in UTC, where each day has 24
// hours.
func (i Instance) utcLength() Duration {
	exact := Duration{Seconds: int64(i.EndsAt.Sub(i.StartsAt) / time.Second)}
	if i.Start.utc() == i.Start || exact.Seconds == i.length.approxSeconds() {
		return i.length
	}
	return exact
}

// utc returns t in UTC if its zone is known, otherwise t.
func (t Time) utc() Time { return t.utcAt(t.Instant(nil)) }

// utcAt is like utc, but the caller knows the instant of t. A local time that
// occurs twice has two instants.
func (t Time) utcAt(instant time.Time) Time {
	if t.form != formZoned || t.zone.loc == nil {
		return t
	}
	return UTC(instant)
}
