package ics

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"
)

// FBType is a value of FBTYPE (RFC 5545 §3.2.9).
type FBType string

const (
	Free            FBType = ""
	Busy            FBType = "BUSY"
	BusyTentative   FBType = "BUSY-TENTATIVE"
	BusyUnavailable FBType = "BUSY-UNAVAILABLE"
)

// parseFBType parses an FBTYPE. Unknown values mean busy (RFC 5545 §3.2.9).
func parseFBType(value string) FBType {
	switch b := FBType(strings.ToUpper(strings.TrimSpace(value))); b {
	case BusyTentative, BusyUnavailable:
		return b
	case "FREE":
		return Free
	}
	return Busy
}

// FBType returns the free-busy type of the instance by RFC 4791 §7.10. Only
// events are busy.
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

// Declined returns the addresses of the attendees that have declined, in lower case and
// without mailto (RFC 5545 §3.2.12, §3.8.4.1).
func (c *Component) Declined() (addresses []string) {
	for _, p := range c.tree.Props["ATTENDEE"] {
		if strings.EqualFold(p.Params.Get("PARTSTAT"), "DECLINED") {
			addresses = append(addresses, strings.TrimPrefix(strings.ToLower(strings.TrimSpace(p.Value)), "mailto:"))
		}
	}
	return addresses
}

// keyword returns the value of a property that is a keyword, in upper case.
func (c *Component) keyword(name string) string {
	return strings.ToUpper(strings.TrimSpace(firstValue(c.tree, name)))
}

// Period is a half-open interval with a free-busy type.
type Period struct {
	From, To time.Time
	Type     FBType
}

// FreeBusy returns the busy periods of a VEVENT or VFREEBUSY in [from, to). It
// merges the first limit periods; truncated reports that there are more. A zero
// time is unbounded; DATEs and floating times are interpreted in loc.
// VAVAILABILITYs are evaluated by [Availability], because several of them must
// be combined.
func (o *Object) FreeBusy(from, to time.Time, loc *time.Location, limit int) (list []Period, truncated bool) {
	b := o.budget()
	c := periodCollector{from: from, to: to, limit: limit}
	switch o.Component {
	case "VEVENT":
		var last *Component
		var busy FBType
		for i := range o.instances(rangeSpan(from, to), loc, b) {
			if i.Component != last {
				last, busy = i.Component, i.FBType()
			}
			if !c.add(i, busy) {
				break
			}
		}
	case "VFREEBUSY":
		for _, component := range o.Components() {
			for i, t := range component.freeBusyPeriods(loc) {
				if !c.add(i, t) {
					break
				}
			}
		}
	}
	b.count(periodSteps * len(c.list))
	return MergePeriods(c.list), c.truncated || b.exhausted
}

// periodCollector collects the busy parts of instances in [from, to), at most
// limit. A zero time is unbounded.
type periodCollector struct {
	from, to  time.Time
	limit     int
	list      []Period
	truncated bool // whether the limit was exceeded
}

// add adds an instance of type t. It returns false if the limit is exceeded.
func (c *periodCollector) add(i Instance, t FBType) bool {
	p := Period{i.StartsAt, i.EndsAt, t}
	if p.From.Before(c.from) {
		p.From = c.from.UTC()
	}
	if !c.to.IsZero() && p.To.After(c.to) {
		p.To = c.to.UTC()
	}
	if t == Free || !p.From.Before(p.To) {
		return true
	}
	if len(c.list) == c.limit {
		c.truncated = true
		return false
	}
	c.list = append(c.list, p)
	return true
}

// MergePeriods returns the periods in order. Overlapping and adjacent periods
// of one type are merged; those of different types may overlap
// (RFC 4791 §7.10).
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

// FormatFreeBusy returns an iCalendar object with one VFREEBUSY for [from, to),
// the response to CALDAV:free-busy-query (RFC 4791 §7.10). The UID is omitted
// if uid is "".
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
