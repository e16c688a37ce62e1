package ics

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// maxAvailabilities limits the VAVAILABILITYs of one Availability.
const maxAvailabilities = 100

// Availability is the value of CALDAV:calendar-availability: VAVAILABILITYs,
// which state when a calendar user is available (RFC 7953). It is immutable, so
// goroutines may share it.
type Availability struct {
	components []*Component // lowest priority first
}

// ParseAvailability parses an iCalendar object of VAVAILABILITYs. It removes
// the indentation that an XML document adds to the lines. UIDs are optional,
// because clients omit them in a property. Its error is an [*Error].
func ParseAvailability(text []byte) (*Availability, error) {
	o, problem := decode([]byte(dedent(string(text))), objectLimits)
	if problem != nil {
		return nil, problem
	}
	a := new(Availability)
	for _, tree := range o.calendar.Children {
		switch {
		case tree.Name == "VTIMEZONE" || isExtension(tree.Name):
			continue
		case tree.Name != "VAVAILABILITY":
			return nil, newError(CondSupportedComponent, "The component %.40q is not allowed; a calendar-availability contains VAVAILABILITY only.", tree.Name)
		}
		c := &Component{object: o, tree: tree}
		if problem := c.read(); problem != nil {
			return nil, problem
		}
		a.components = append(a.components, c)
	}
	switch n := len(a.components); {
	case n == 0:
		return nil, invalidObject("The text contains no VAVAILABILITY.")
	case n > maxAvailabilities:
		return nil, invalidData("The text contains %d VAVAILABILITYs; the maximum is %d.", n, maxAvailabilities)
	}
	slices.SortStableFunc(a.components, func(a, b *Component) int { return cmp.Compare(b.priority(), a.priority()) })
	return a, nil
}

// readAvailable reads the AVAILABLE components of a VAVAILABILITY. Components
// with the same UID form a series.
func (c *Component) readAvailable() *Error {
	series := make(map[string]*Object)
	for _, tree := range c.tree.Children {
		if tree.Name != "AVAILABLE" {
			continue
		}
		uid := unescapeText(firstValue(tree, "UID"))
		o := series[uid]
		if o == nil || uid == "" {
			o = &Object{Component: tree.Name, UID: uid, zones: c.object.zones}
			series[uid] = o
			c.availableSeries = append(c.availableSeries, o)
		}
		available, err := o.addComponent(tree)
		if err != nil {
			return err
		}
		if rule := available.unsupportedRule(); rule != nil {
			return invalidData("RRULE of the %s has RSCALE=%s; only %s is supported.", componentLabels[tree.Name], rule.RScale, gregorian)
		}
	}
	for _, o := range c.availableSeries {
		if err := o.sortOverrides(); err != nil {
			return err
		}
	}
	return nil
}

// priority returns the PRIORITY of a VAVAILABILITY: 1 is the highest; without
// one it ranks after 9 (RFC 7953 §4).
func (c *Component) priority() int {
	if n, ok := c.Int("PRIORITY"); ok && 1 <= n && n <= 9 {
		return n
	}
	return 10
}

// busyType returns the BUSYTYPE, the type of the time outside of AVAILABLE
// (RFC 7953 §3.2).
func (c *Component) busyType() FBType {
	switch b := FBType(c.keyword("BUSYTYPE")); b {
	case Busy, BusyTentative:
		return b
	}
	return BusyUnavailable
}

// Unavailable returns the periods in [from, to) at which the calendar user is
// not available. A zero time is unbounded; DATEs and floating times are
// interpreted in loc.
//
// It evaluates at most limit instances of AVAILABLE, within the work budget of
// one object. Time that was not evaluated counts as not available.
func (a *Availability) Unavailable(from, to time.Time, loc *time.Location, limit int) []Period {
	window, b := rangeSpan(from, to), newBudget()
	window.from, window.to = max(window.from, minWall*1000), min(window.to, maxWall*1000)
	var all, level []typedSpan
	for i, c := range a.components {
		level = overlay(level, c.availabilitySpans(window, loc, &limit, b), busierOf)
		if i == len(a.components)-1 || a.components[i+1].priority() != c.priority() {
			all, level = overlay(all, level, takeTop), nil
		}
	}
	var list []Period
	for _, s := range all {
		if s.busy != Free {
			list = append(list, Period{time.UnixMilli(s.from).UTC(), time.UnixMilli(s.to).UTC(), s.busy})
		}
	}
	return MergePeriods(list)
}

// typedSpan is an interval with the type that a VAVAILABILITY gives it.
type typedSpan struct {
	span
	busy FBType
}

// availabilitySpans returns the intervals of a VAVAILABILITY in the window, in
// order.
func (c *Component) availabilitySpans(window span, loc *time.Location, limit *int, b *budget) []typedSpan {
	whole := c.ownInstance(loc).span().intersect(window)
	if whole.from >= whole.to {
		return nil
	}
	var free []span
	for _, o := range c.availableSeries {
		for i := range o.instances(whole, loc, b) {
			if *limit == 0 {
				break
			}
			*limit--
			free = append(free, span{i.StartsAt.UnixMilli(), i.EndsAt.UnixMilli()}.intersect(whole))
		}
	}
	slices.SortFunc(free, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var list []typedSpan
	add := func(from, to int64, busy FBType) {
		if from < to {
			list = append(list, typedSpan{span{from, to}, busy})
		}
	}
	at, busy := whole.from, c.busyType()
	for _, f := range append(free, span{whole.to, math.MaxInt64}) {
		add(at, f.from, busy)
		at = max(at, f.from)
		add(at, min(f.to, whole.to), Free)
		at = max(at, f.to)
	}
	return list
}

// overlay combines two lists, each sorted and without overlaps. Where an interval
// of under and one of top overlap, the func both returns the type.
func overlay(under, top []typedSpan, both func(under, top FBType) FBType) []typedSpan {
	var cuts []int64
	for _, s := range slices.Concat(under, top) {
		cuts = append(cuts, s.from, s.to)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var list []typedSpan
	for i := range len(cuts) - 1 {
		interval := span{cuts[i], cuts[i+1]}
		var low, high *typedSpan
		under, low = cutCovering(under, interval)
		top, high = cutCovering(top, interval)
		switch {
		case low != nil && high != nil:
			list = append(list, typedSpan{interval, both(low.busy, high.busy)})
		case low != nil:
			list = append(list, typedSpan{interval, low.busy})
		case high != nil:
			list = append(list, typedSpan{interval, high.busy})
		}
	}
	return list
}

// cutCovering drops the intervals that end before interval, and returns the one
// that covers interval, nil if there is none.
func cutCovering(list []typedSpan, interval span) (rest []typedSpan, found *typedSpan) {
	for len(list) > 0 && list[0].to <= interval.from {
		list = list[1:]
	}
	if len(list) > 0 && list[0].from <= interval.from {
		found = &list[0]
	}
	return list, found
}

func takeTop(_, top FBType) FBType { return top }

// busierOf determines the type where VAVAILABILITYs of one priority differ
// (RFC 7953 §4).
func busierOf(a, b FBType) FBType {
	order := []FBType{Free, BusyTentative, BusyUnavailable, Busy}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}
