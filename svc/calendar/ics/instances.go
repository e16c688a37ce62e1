package ics

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"
)

// Instance is a recurrence instance of an object, or its only instance.
type Instance struct {
	// RecurrenceID identifies the instance in its series: the RECURRENCE-ID
	// that an override of it has, in the form of the master's DTSTART. It is
	// the zero Time if the object does not recur.
	RecurrenceID Time

	// Start and End are the times in the form of the component; the zero Time
	// where it has none. A VTODO with DUE only has no Start.
	Start, End Time

	// StartsAt and EndsAt are Start and End as instants. An event without a
	// duration ends when it starts.
	StartsAt, EndsAt time.Time

	// Component defines the instance: the master or an override.
	Component *Component

	// From and To are the interval that the instance occupies by RFC 4791 §9.9,
	// in milliseconds since 1970: it overlaps the time ranges [start, end) with
	// From < end && To > start. An unbounded side is math.MinInt64 or
	// math.MaxInt64. If From is after To, the instance overlaps no range.
	From, To int64

	length Duration // nominal duration
}

func (i Instance) span() span { return span{i.From, i.To} }

// Instances returns the instances that overlap the time range [from, to), in
// order and at most limit. A zero time is unbounded. DATEs and floating times
// are interpreted in loc; nil means UTC.
//
// truncated reports that there are more instances, or that the work budget was
// exhausted. The instances returned are correct in both cases.
func (o *Object) Instances(from, to time.Time, loc *time.Location, limit int) (list []Instance, truncated bool) {
	b := o.budget()
	for i := range o.instances(rangeSpan(from, to), loc, b) {
		if len(list) == limit {
			truncated = true
			break
		}
		list = append(list, i)
	}
	slices.SortFunc(list, func(a, b Instance) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.RecurrenceID.wall, b.RecurrenceID.wall))
	})
	return list, truncated || b.exhausted
}

// InstancesSeq yields the instances of [Object.Instances] without a limit:
// overrides first, then the instances of the series in the order of their
// recurrence ids.
func (o *Object) InstancesSeq(from, to time.Time, loc *time.Location) iter.Seq[Instance] {
	return o.instances(rangeSpan(from, to), loc, o.budget())
}

// rangeSpan returns the interval of a time range. A zero time is unbounded.
func rangeSpan(from, to time.Time) span {
	s := always
	if !from.IsZero() {
		s.from = from.UnixMilli()
	}
	if !to.IsZero() {
		s.to = to.UnixMilli()
	}
	return s
}

// FindInstance returns the instance with a recurrence id, which may be in any
// form: a floating time is interpreted in the zone of the series. DATEs and
// floating times of the object are interpreted in loc.
func (o *Object) FindInstance(id Time, loc *time.Location) (Instance, bool) {
	id = o.normalizeRecurrenceID(id)
	for _, c := range o.Overrides {
		if c.RecurrenceID.form == id.form && c.RecurrenceID.wall == id.wall {
			return c.ownInstance(loc), true
		}
	}
	if o.Master != nil && o.Recurs() {
		for wall := range o.Master.recurrenceIDs(id.wall, id.wall, o.budget()) {
			return o.instanceAt(wall, loc), true
		}
	}
	return Instance{}, false
}

// Bounds returns an interval, in the units of Instance.From and To, that
// contains the intervals of all instances; from >= to if there are none. It may
// be slightly too wide, because the object is not expanded. endless reports a
// rule without an end; to is math.MaxInt64 then.
func (o *Object) Bounds(loc *time.Location) (from, to int64, endless bool) {
	from, to = math.MaxInt64, math.MinInt64
	include := func(i Instance) {
		if i.span() != never {
			from, to = min(from, i.From), max(to, i.To)
		}
	}
	for _, c := range o.Overrides {
		include(c.ownInstance(loc))
	}
	if o.Master == nil {
		return from, to, false
	}
	if !o.Master.recurs() {
		for i := range o.instances(always, loc, o.budget()) {
			include(i)
		}
		return from, to, false
	}
	first, last, endless := o.Master.wallExtent(o.budget())
	if first > last {
		return from, to, false
	}
	// A later wall clock time can be an earlier instant if the UTC offset
	// changes between them.
	includeShifted := func(i Instance) {
		change := 1000 * i.RecurrenceID.offsetChange(loc)
		i.From, i.To = i.From-change, i.To+change
		include(i)
	}
	includeShifted(o.instanceAt(first, loc))
	for _, c := range o.seriesComponents() {
		includeShifted(o.instanceFrom(c, last, loc))
	}
	if endless {
		to = math.MaxInt64
	}
	return from, to, endless
}

// UncountedInstance returns the instance that the series also has for programs that do not
// count a DTSTART outside of its rule: COUNT ends the series one date later for them. It
// returns false for other series, in which all programs agree.
func (o *Object) UncountedInstance(loc *time.Location) (Instance, bool) {
	return o.uncountedInstance(loc, o.budget())
}

func (o *Object) uncountedInstance(loc *time.Location, b *budget) (Instance, bool) {
	if o.Master == nil {
		return Instance{}, false
	}
	for i := range o.Master.rules {
		p := &o.Master.rules[i]
		if p.rule.Count == 0 || p.matches(p.start, b) {
			continue
		}
		r, longer, n := *p.rule, *p, 0
		r.Count++
		longer.rule = &r
		for wall := range longer.between(p.start, maxWall, b) {
			if n++; n == r.Count && !o.Master.isExcluded(wall) && !o.hasOverride(wall) {
				return o.instanceAt(wall, loc), true
			}
		}
	}
	return Instance{}, false
}

// wallExtent returns the first and the last wall clock time of the recurrence
// set, approximately.
func (c *Component) wallExtent(b *budget) (first, last int64, endless bool) {
	first, last = maxWall, minWall
	for i := range c.rules {
		p := &c.rules[i]
		switch {
		case p.start > p.until || p.isAfterUntil(p.start):
			continue
		case !p.rule.Supported():
			last = max(last, p.start)
		case p.rule.Endless():
			endless = true
		case p.rule.Count > 0:
			for wall := range p.between(p.start, maxWall, b) {
				last = max(last, wall)
			}
		default:
			last = max(last, p.until)
		}
		first = min(first, p.start)
	}
	if n := len(c.rdates); n > 0 {
		first, last = min(first, c.rdates[0].wall), max(last, c.rdates[n-1].wall)
	}
	if endless || b.exhausted {
		return first, maxWall, true
	}
	return first, last, false
}

// instances yields the instances that overlap the window: overrides first, then
// those of the master's recurrence set in the order of their recurrence ids.
func (o *Object) instances(window span, loc *time.Location, b *budget) iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		b.count(instanceSteps * len(o.Overrides))
		for _, c := range o.Overrides {
			if i := c.ownInstance(loc); i.span().overlaps(window) && !yield(i) {
				return
			}
		}
		m := o.Master
		switch {
		case m == nil:
			return
		case m.tree.Name == "VFREEBUSY" && (m.start.IsZero() || m.endSource != endProperty):
			for i := range m.freeBusyPeriods(loc) {
				if i.span().overlaps(window) && !yield(i) {
					return
				}
			}
			return
		case !o.Recurs() || m.start.IsZero():
			if i := m.ownInstance(loc); i.span().overlaps(window) {
				yield(i)
			}
			return
		}
		from, to := o.wallRange(window)
		for wall := range m.recurrenceIDs(from, to, b) {
			if b.count(instanceSteps); o.hasOverride(wall) {
				continue
			}
			if i := o.instanceAt(wall, loc); i.span().overlaps(window) && !yield(i) {
				return
			}
		}
	}
}

// wallRange returns the range of recurrence ids, as wall clock times, outside
// of which no instance overlaps the window.
func (o *Object) wallRange(window span) (from, to int64) {
	from, to = minWall, maxWall
	var longest, earlier, later int64
	for _, r := range o.Master.rdates {
		longest = max(longest, r.length.approxSeconds())
	}
	for _, c := range o.seriesComponents() {
		length, shift := c.length.approxSeconds(), c.rangeShift()
		longest = max(longest, length, -length)
		earlier, later = min(earlier, shift), max(later, shift)
	}
	// UTC offsets are less than a day. An override with RANGE=THISANDFUTURE may
	// turn DATE-TIMEs into DATEs, and so begin up to a day earlier. The slack
	// is not larger, because instances outside the window cost steps too, and
	// there may be one per second.
	slack := int64(day)
	if len(o.thisAndFuture) > 0 {
		slack += day
	}
	if window.from != math.MinInt64 {
		from = clampWall(floorDiv(window.from, 1000) - slack - longest - later)
	}
	if window.to != math.MaxInt64 {
		to = clampWall(floorDiv(window.to, 1000) + slack + longest - earlier)
	}
	return from, to
}

// recurrenceIDs yields the recurrence ids of the series between two wall clock
// times, both inclusive, in order.
func (c *Component) recurrenceIDs(from, to int64, b *budget) iter.Seq[int64] {
	var sources []iter.Seq[int64]
	for i := range c.rules {
		sources = append(sources, c.rules[i].between(from, to, b))
	}
	if len(c.rdates) > 0 {
		sources = append(sources, c.rdateWalls(from, to))
	}
	return func(yield func(int64) bool) {
		for wall := range mergeSorted(sources) {
			if !c.isExcluded(wall) && !yield(wall) {
				return
			}
		}
	}
}

// rdateWalls yields the RDATEs between two wall clock times, both inclusive.
func (c *Component) rdateWalls(from, to int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		i, _ := slices.BinarySearchFunc(c.rdates, from, func(r rdate, wall int64) int { return cmp.Compare(r.wall, wall) })
		for _, r := range c.rdates[i:] {
			if r.wall > to || !yield(r.wall) {
				return
			}
		}
	}
}

// mergeSorted merges sorted sequences and removes duplicates.
func mergeSorted(sources []iter.Seq[int64]) iter.Seq[int64] {
	if len(sources) == 1 {
		return sources[0]
	}
	return func(yield func(int64) bool) {
		type head struct {
			value int64
			next  func() (int64, bool)
		}
		var heads []head
		for _, s := range sources {
			next, stop := iter.Pull(s)
			defer stop()
			if value, ok := next(); ok {
				heads = append(heads, head{value, next})
			}
		}
		for len(heads) > 0 {
			smallest := slices.MinFunc(heads, func(a, b head) int { return cmp.Compare(a.value, b.value) }).value
			if !yield(smallest) {
				return
			}
			remaining := heads[:0]
			for _, h := range heads {
				ok := true
				if h.value == smallest {
					h.value, ok = h.next()
				}
				if ok {
					remaining = append(remaining, h)
				}
			}
			heads = remaining
		}
	}
}

// hasOverride reports whether an override has exactly that recurrence id.
func (o *Object) hasOverride(wall int64) bool {
	_, found := slices.BinarySearchFunc(o.Overrides, wall, func(c *Component, wall int64) int { return cmp.Compare(c.RecurrenceID.wall, wall) })
	return found
}

// seriesComponents returns the components that define instances without an
// override of their own: the master and the overrides with RANGE=THISANDFUTURE.
func (o *Object) seriesComponents() []*Component {
	return append([]*Component{o.Master}, o.thisAndFuture...)
}

// rangeShift returns by how many seconds an override with RANGE=THISANDFUTURE
// moves the instances that it applies to; 0 for the master.
func (c *Component) rangeShift() int64 {
	if c == c.object.Master {
		return 0
	}
	return c.start.convertTo(c.object.Master.start).wall - c.RecurrenceID.wall
}

// ownInstance returns the instance of a component without recurrence.
func (c *Component) ownInstance(loc *time.Location) Instance {
	return c.newInstance(c.RecurrenceID, c.start, c.length, loc)
}

// instanceAt returns the instance with the recurrence id wall, which has no
// override of its own.
func (o *Object) instanceAt(wall int64, loc *time.Location) Instance {
	definition := o.Master
	for _, c := range o.thisAndFuture {
		if c.RecurrenceID.wall <= wall {
			definition = c
		}
	}
	return o.instanceFrom(definition, wall, loc)
}

// instanceFrom returns the instance with the recurrence id wall as c defines
// it.
func (o *Object) instanceFrom(c *Component, wall int64, loc *time.Location) Instance {
	id := o.Master.timeAt(wall)
	if c != o.Master {
		start := id
		start.wall = clampWall(wall + c.rangeShift())
		return c.newInstance(id, start.convertTo(c.start), c.length, loc)
	}
	length := c.length
	i, found := slices.BinarySearchFunc(c.rdates, wall, func(r rdate, wall int64) int { return cmp.Compare(r.wall, wall) })
	if found && c.rdates[i].isPeriod {
		length = c.rdates[i].length
	}
	return c.newInstance(id, id, length, loc)
}

// newInstance returns the instance of c that begins at start.
func (c *Component) newInstance(id, start Time, length Duration, loc *time.Location) Instance {
	i := Instance{RecurrenceID: id, Component: c}
	interval := never
	if start.IsZero() {
		switch c.tree.Name {
		case "VTODO":
			interval = datelessSpan(c.timeMillis("CREATED", loc), c.timeMillis("COMPLETED", loc))
		case "VAVAILABILITY":
			interval = startlessSpan(c.timeMillis("DTEND", loc))
		}
		i.From, i.To = interval.from, interval.to
		return i
	}
	s, e := start.unix(loc), start.unixAfter(length, loc)
	i.length = length
	if c.endSource != noEnd || length != c.length {
		i.End = c.endOf(start, length)
	}
	from, to := s*1000, e*1000
	switch c.tree.Name {
	case "VEVENT", "VAVAILABILITY", "AVAILABLE":
		interval = eventSpan(from, to)
		e = max(s, e)
	case "VTODO":
		interval = todoSpan(from, to, c.endSource)
		if c.startIsDue {
			interval = dueSpan(to)
		}
	case "VJOURNAL":
		interval = journalSpan(from, to, start.form == formDate)
	case "VFREEBUSY":
		if c.endSource == endProperty {
			interval = freebusySpan(from, to)
		}
	}
	i.StartsAt, i.EndsAt = time.Unix(s, 0).UTC(), time.Unix(e, 0).UTC()
	if i.Start = start; c.startIsDue {
		i.Start, i.StartsAt = Time{}, time.Time{}
	}
	i.From, i.To = interval.from, interval.to
	return i
}

// endOf returns the end of an instance that begins at start, in the form of
// DTEND or DUE, and in its zone if that is another one than that of DTSTART.
func (c *Component) endOf(start Time, length Duration) Time {
	if c.tree.Name == "VEVENT" && length.approxSeconds() < 0 {
		length = Duration{}
	}
	end := start.Add(length)
	if c.endZone != nil && c.endZone != c.start.zone {
		end = Zoned(time.Unix(start.unixAfter(length, nil), 0), c.endZone)
	}
	return end
}

// timeMillis returns the instant of a property in milliseconds since 1970, nil
// if the property is absent or invalid.
func (c *Component) timeMillis(name string, loc *time.Location) *int64 {
	t := c.Time(name)
	if t.IsZero() {
		return nil
	}
	return new(t.Instant(loc).UnixMilli())
}

// freeBusyPeriods yields the periods of the FREEBUSY properties of a VFREEBUSY,
// as instances with their FBTYPE.
func (c *Component) freeBusyPeriods(loc *time.Location) iter.Seq2[Instance, FBType] {
	return func(yield func(Instance, FBType) bool) {
		props := c.tree.Props["FREEBUSY"]
		for n := range props {
			for value := range strings.SplitSeq(props[n].Value, ",") {
				start, end, ok := c.parsePeriod(&props[n], value)
				if !ok {
					continue
				}
				i := Instance{Start: start, End: end, StartsAt: start.Instant(loc), EndsAt: end.Instant(loc), Component: c}
				i.From, i.To = i.StartsAt.UnixMilli(), i.EndsAt.UnixMilli()
				if !yield(i, parseFBType(props[n].Params.Get("FBTYPE"))) {
					return
				}
			}
		}
	}
}

// parsePeriod parses value, a PERIOD (RFC 5545 §3.3.9) of the property p.
func (c *Component) parsePeriod(p *ical.Prop, value string) (start, end Time, ok bool) {
	first, second, _ := strings.Cut(value, "/")
	if start, ok = c.parseTime(p, first); !ok {
		return start, end, false
	}
	if end, ok = c.parseTime(p, second); !ok {
		var d Duration
		d, ok = ParseDuration(second)
		end = start.Add(d)
	}
	return start, end, ok
}
