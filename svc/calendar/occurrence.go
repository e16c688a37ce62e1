package calendar

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc/calendar/ics"
)

// The index calendar_occurrence holds when the instances of entries are, so
// that a question for a range of time decodes nothing that it does not answer
// with. An entry that does not recur has its one instance there; a series has
// those around the present, and says from when to when. What lies beyond is
// found by expanding those series that reach there.
//
// Instances are found by their start, in bands by how long they are: within a
// band the start cannot be further from the range than the band's length.
//
// Instances in floating time, and dates, are kept apart, with what a clock on
// the wall shows read as if it were UTC. A question in any time zone finds
// them by the wall clock times of its range.
const (
	indexBefore = 92 * 24 * time.Hour
	indexAfter  = 400 * 24 * time.Hour

	// indexRenew is how much of the future must be indexed: a job moves the
	// index on before less than that is left.
	indexRenew = 300 * 24 * time.Hour

	// maxIndexed is how many instances of one entry are indexed at most. An
	// entry with more, one for each minute say, is expanded when it is asked
	// for.
	maxIndexed = 1000

	// maxFinite is how many instances a series that ends may have to be
	// indexed as a whole.
	maxFinite = 120
)

const day store.Millis = 24 * 60 * 60 * 1000

// spans are how long the instances of each band may be.
var spans = [...]store.Millis{2 * day, 35 * day, 800 * day, math.MaxInt64}

// What stands for no bound in columns: beyond every year of four digits, and
// small enough to reckon with.
const (
	farPast   store.Millis = -1e15
	farFuture store.Millis = 1e15
)

// occurrence is a row of calendar_occurrence, but for its entry.
type occurrence struct {
	Floating     int          `json:"f"`
	Span         int          `json:"s"`
	Starts       store.Millis `json:"a"`
	Ends         store.Millis `json:"b"`
	RecurrenceID string       `json:"r"`
	Busy         int          `json:"y"`
}

// index is what the columns say of when an entry is.
type index struct {
	floating     bool // some of it is in floating time
	begins, ends store.Millis
	from, to     *store.Millis // the range that is indexed; nil for all of it
	occurrences  []occurrence
}

// indexOf makes the index of an object as of now.
func indexOf(o *ics.Object, now time.Time) index {
	begins, ends, endless := o.Bounds(nil)
	x := index{begins: bounded(begins), ends: bounded(ends)}
	list, cut := []ics.Instance(nil), true
	switch {
	case !o.Recurs():
		list, cut = o.Instances(time.Time{}, time.Time{}, nil, maxIndexed)
	case !endless:
		list, cut = o.Instances(time.Time{}, time.Time{}, nil, maxFinite)
	}
	if cut {
		from, to := now.Add(-indexBefore).Truncate(24*time.Hour), now.Add(indexAfter).Truncate(24*time.Hour)
		if list, cut = o.Instances(from, to, nil, maxIndexed); cut {
			list, to = nil, from
		}
		f, t := store.MillisOf(from), store.MillisOf(to)
		x.from, x.to = &f, &t
	}
	x.occurrences = make([]occurrence, 0, len(list))
	for _, i := range list {
		if i.From >= i.To { // overlaps nothing
			continue
		}
		occ := occurrence{Starts: bounded(i.From), Ends: bounded(i.To), RecurrenceID: i.RecurrenceID.String(), Busy: busyIndex(i)}
		if floats(i) {
			occ.Floating, x.floating = 1, true
		}
		for occ.Ends-occ.Starts > spans[occ.Span] {
			occ.Span++
		}
		x.occurrences = append(x.occurrences, occ)
	}
	if x.from != nil { // what is not indexed may float as well
		for _, c := range o.Components() {
			x.floating = x.floating || floating(c.Time("DTSTART"))
		}
	}
	return x
}

// unindexed is the index of an object of which no instance is to be indexed,
// by no job either.
func unindexed(o *ics.Object, _ time.Time) index {
	begins, ends, _ := o.Bounds(nil)
	x := index{begins: bounded(begins), ends: bounded(ends), from: new(farFuture), to: new(farFuture)}
	for _, c := range o.Components() {
		x.floating = x.floating || floating(c.Time("DTSTART"))
	}
	return x
}

func bounded(millis int64) store.Millis { return min(max(store.Millis(millis), farPast), farFuture) }

// floats reports whether an instance is in floating time.
func floats(i ics.Instance) bool {
	if i.Start.IsZero() {
		return floating(i.End)
	}
	return floating(i.Start)
}

func floating(t ics.Time) bool {
	return !t.IsZero() && (t.Zone() == nil || t.Zone().Location() == nil)
}

// span is a range of time, half open, as instants and as what clocks in a zone
// show. Near an end where a clock is changed, what it shows comes twice or
// never: what is within outer may overlap the range, what is within inner does.
type span struct {
	actual, outer, inner interval
}

// interval is half open.
type interval struct{ from, to store.Millis }

// spanIn returns the range [from, to) for whoever reads floating times in loc.
// A zero time is no bound.
func spanIn(from, to time.Time, loc *time.Location) span {
	all := interval{farPast, farFuture}
	s := span{all, all, all}
	if !from.IsZero() {
		s.actual.from = store.MillisOf(from)
		s.outer.from, s.inner.from = clocks(from, loc)
	}
	if !to.IsZero() {
		s.actual.to = store.MillisOf(to)
		s.inner.to, s.outer.to = clocks(to, loc)
	}
	return s
}

// clocks returns the least and the most that a clock in loc may be taken to
// show at t, as if it were UTC: changes reach as far as two days, since a
// floating time is read with the offset of the day before or of the day after.
func clocks(t time.Time, loc *time.Location) (least, most store.Millis) {
	least, most = wall(t, loc), wall(t, loc)
	for _, days := range []int{-2, 2} {
		near := t.AddDate(0, 0, days)
		shown := wall(near, loc) - store.MillisOf(near) + store.MillisOf(t)
		least, most = min(least, shown), max(most, shown)
	}
	return least, most
}

// wall is what a clock in loc shows at t, as if it were UTC.
func wall(t time.Time, loc *time.Location) store.Millis {
	if loc == nil {
		loc = time.UTC
	}
	_, offset := t.In(loc).Zone()
	return store.MillisOf(t) + store.Millis(offset)*1000
}

// band is where one kind of instances must be looked for.
type band struct {
	Floating int          `json:"f"`
	Span     int          `json:"s"`
	Least    store.Millis `json:"l"` // starts are after this
	Before   store.Millis `json:"b"` // and before this,
	After    store.Millis `json:"a"` // ends are after this
	Now      store.Millis `json:"n"` // what is past by then has ended
	Certain  int          `json:"c"` // 0: who is found here may not overlap the range
}

// bands are bandList for queries that ask for all of them at once, as JSON.
func (s span) bands(now time.Time, loc *time.Location) string {
	return store.JSONArray(s.bandList(now, loc))
}

// bandList returns where the instances are that overlap s.
func (s span) bandList(now time.Time, loc *time.Location) []band {
	list := make([]band, 0, 3*len(spans))
	for i, length := range spans {
		add := func(in interval, b band) {
			b.Span, b.Least, b.Before, b.After = i, farPast-1, in.to, in.from
			if i < len(spans)-1 && in.from > farPast {
				b.Least = in.from - length - 1
			}
			list = append(list, b)
		}
		add(s.actual, band{Now: store.MillisOf(now), Certain: 1})
		add(s.inner, band{Floating: 1, Now: wall(now, loc), Certain: 1})
		if s.outer != s.inner {
			add(s.outer, band{Floating: 1, Now: wall(now, loc)})
		}
	}
	return list
}
