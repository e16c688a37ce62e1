package ics

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"
)

// FBType is what a time means to whoever looks for one to meet (RFC 5545 §3.2.9).
type FBType string

const (
	Free            FBType = ""
	Busy            FBType = "BUSY"
	BusyTentative   FBType = "BUSY-TENTATIVE"
	BusyUnavailable FBType = "BUSY-UNAVAILABLE"
)

// parseFBType reads an FBTYPE. What is unknown means that somebody is busy.
func parseFBType(value string) FBType {
	switch b := FBType(strings.ToUpper(strings.TrimSpace(value))); b {
	case BusyTentative, BusyUnavailable:
		return b
	case "FREE":
		return Free
	}
	return Busy
}

// FBType returns what the instance does to the time of its member: the table of
// RFC 4791 §7.10. Only events make busy.
func (i Instance) FBType() FBType {
	c := i.Component
	if c.tree.Name != "VEVENT" || c.keyword("TRANSP") == "TRANSPARENT" {
		return Free
	}
	switch c.keyword("STATUS") {
	case "CANCELLED":
		return Free
	case "TENTATIVE":
		return BusyTentative
	}
	return Busy
}

// keyword returns a property that is a keyword, in upper case.
func (c *Component) keyword(name string) string {
	return strings.ToUpper(strings.TrimSpace(firstValue(c.tree, name)))
}

// Period is a time of one type, half open.
type Period struct {
	From, To time.Time
	Type     FBType
}

// FreeBusy returns the times in [from, to) that an event occupies, or that a
// free-busy answer says are occupied, but no more than limit. A zero time is no
// bound; dates and floating times are read in loc. If cut is true, there are
// more. What an availability says is for [ParseAvailability] to find out, since
// several must be combined.
func (o *Object) FreeBusy(from, to time.Time, loc *time.Location, limit int) (list []Period, cut bool) {
	window, b := rangeSpan(from, to), newBudget()
	add := func(i Instance, t FBType) bool {
		p := Period{i.StartsAt, i.EndsAt, t}
		if p.From.Before(from) {
			p.From = from.UTC()
		}
		if !to.IsZero() && p.To.After(to) {
			p.To = to.UTC()
		}
		if t == Free || !p.From.Before(p.To) {
			return true
		}
		if cut = len(list) == limit; !cut {
			list = append(list, p)
		}
		return !cut
	}
	switch o.Component {
	case "VEVENT":
		for i := range o.instances(window, loc, b) {
			if !add(i, i.FBType()) {
				break
			}
		}
	case "VFREEBUSY":
		for _, c := range o.Components() {
			for i, t := range c.freeBusyPeriods(loc) {
				if !add(i, t) {
					break
				}
			}
		}
	}
	return MergePeriods(list), cut || b.exhausted
}

// MergePeriods returns the periods in order, with those of one type that overlap
// or meet made one. Those of different types may overlap (RFC 4791 §7.10).
func MergePeriods(list []Period) []Period {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b Period) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), a.From.Compare(b.From))
	})
	merged := sorted[:0]
	for _, p := range sorted {
		if n := len(merged) - 1; n >= 0 && merged[n].Type == p.Type && !merged[n].To.Before(p.From) {
			if merged[n].To.Before(p.To) {
				merged[n].To = p.To
			}
			continue
		}
		merged = append(merged, p)
	}
	slices.SortStableFunc(merged, func(a, b Period) int { return a.From.Compare(b.From) })
	return merged
}

// FormatFreeBusy returns what a server answers who asks when somebody is busy in
// [from, to): an iCalendar object with one VFREEBUSY (RFC 4791 §7.10). It has no
// UID if uid is "".
func FormatFreeBusy(prodID, uid string, from, to, now time.Time, list []Period) []byte {
	d := NewDocument(prodID)
	b := d.Calendar.NewBlock("VFREEBUSY")
	if uid != "" {
		b.Add(TextProp("UID", uid))
	}
	b.Add(TimeProp("DTSTAMP", UTC(now)))
	b.Add(TimeProp("DTSTART", UTC(from)))
	b.Add(TimeProp("DTEND", UTC(to)))
	for _, t := range []FBType{Busy, BusyUnavailable, BusyTentative} {
		var values []string
		for _, p := range list {
			if p.Type == t {
				values = append(values, UTC(p.From).String()+"/"+UTC(p.To).String())
			}
		}
		if len(values) > 0 {
			b.Add(ical.Prop{Name: "FREEBUSY", Params: ical.Params{"FBTYPE": {string(t)}}, Value: strings.Join(values, ",")})
		}
	}
	return d.Bytes()
}

// LimitFreeBusy returns the object as CALDAV:limit-freebusy-set wants it
// (RFC 4791 §9.6.7): of the FREEBUSY values, only those that overlap [from, to).
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
