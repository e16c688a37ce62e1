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
		occ := occurrence{Starts: bounded(i.From), Ends: bounded(i.To), RecurrenceID: i.ID.String()}
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

// span is a range of time, half open, with what clocks in a zone show at its
// ends.
type span struct {
	from, to         store.Millis
	wallFrom, wallTo store.Millis
}

// spanIn returns the range [from, to) for whoever reads floating times in loc.
// A zero time is no bound.
func spanIn(from, to time.Time, loc *time.Location) span {
	s := span{farPast, farFuture, farPast, farFuture}
	if !from.IsZero() {
		s.from, s.wallFrom = store.MillisOf(from), wall(from, loc)
	}
	if !to.IsZero() {
		s.to, s.wallTo = store.MillisOf(to), wall(to, loc)
	}
	return s
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
}

// bands returns where the instances are that overlap s, for the queries that
// ask for them, as JSON.
func (s span) bands(now time.Time, loc *time.Location) string {
	list := make([]band, 0, 2*len(spans))
	for i, length := range spans {
		for floating, side := range [2]struct{ from, to, now store.Millis }{
			{s.from, s.to, store.MillisOf(now)}, {s.wallFrom, s.wallTo, wall(now, loc)},
		} {
			least := farPast - 1
			if i < len(spans)-1 && side.from > farPast {
				least = side.from - length - 1
			}
			list = append(list, band{floating, i, least, side.to, side.from, side.now})
		}
	}
	return store.JSON(list)
}
