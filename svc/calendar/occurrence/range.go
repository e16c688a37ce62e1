package occurrence

import (
	"time"

	"appliance/store"
)

// Range is a half-open time range, as instants and as local times of one time
// zone. Near a change of clocks a local time occurs twice or never. So there are
// two local ranges: a floating occurrence that overlaps inner overlaps the range;
// a floating occurrence that overlaps only outer may overlap it.
type Range struct {
	From, To store.Millis // FarPast or FarFuture if unbounded
	outer    interval
	inner    interval
	loc      *time.Location
}

type interval struct{ from, to store.Millis }

// NewRange returns the range [from, to) for a reader in loc, UTC if it is nil.
// A zero time is no bound.
func NewRange(from, to time.Time, loc *time.Location) Range {
	r := Range{From: FarPast, To: FarFuture, loc: loc}
	r.outer = interval{FarPast, FarFuture}
	r.inner = r.outer
	if !from.IsZero() {
		r.From = store.MillisOf(from)
		r.outer.from, r.inner.from = localBounds(from, loc)
	}
	if !to.IsZero() {
		r.To = store.MillisOf(to)
		r.inner.to, r.outer.to = localBounds(to, loc)
	}
	return r
}

// localBounds returns the earliest and the latest local time that may be resolved
// to t. A change of clocks matters for up to two days: ics resolves a
// floating time with the offset of the day before or of the day after.
func localBounds(t time.Time, loc *time.Location) (earliest, latest store.Millis) {
	earliest, latest = localTime(t, loc), localTime(t, loc)
	for _, days := range []int{-2, 2} {
		near := t.AddDate(0, 0, days)
		l := localTime(near, loc) - store.MillisOf(near) + store.MillisOf(t)
		earliest, latest = min(earliest, l), max(latest, l)
	}
	return earliest, latest
}

// localTime returns the local time in loc at t, encoded as if it were a time in
// UTC.
func localTime(t time.Time, loc *time.Location) store.Millis {
	if loc == nil {
		loc = time.UTC
	}
	_, offset := t.In(loc).Zone()
	return store.MillisOf(t) + store.Millis(offset)*1000
}

// Band is a part of the occurrence index that has to be searched.
type Band struct {
	Floating int          `json:"floating"`
	Band     int          `json:"band"`
	After    store.Millis `json:"after"`     // occurrences start after this
	Before   store.Millis `json:"before"`    // occurrences start before this
	EndAfter store.Millis `json:"end_after"` // occurrences end after this
	Now      store.Millis `json:"now"`       // occurrences that end at or before this time are over
	Certain  int          `json:"certain"`   // 0 if an occurrence found here may be outside the range
}

// Bands returns the parts of the index that contain the occurrences in the range.
// Parts that are not marked as certain may also contain occurrences outside of
// it.
func (r Range) Bands(now time.Time) []Band { return r.bandsOf(now, r.inner) }

// OuterBands is like Bands, but marks all parts as certain: the caller must clip
// the results to the range.
func (r Range) OuterBands(now time.Time) []Band { return r.bandsOf(now, r.outer) }

func (r Range) bandsOf(now time.Time, inner interval) []Band {
	list := make([]Band, 0, 3*len(bands))
	for i, length := range bands {
		add := func(in interval, b Band) {
			b.Band, b.After, b.Before, b.EndAfter = i, FarPast-1, in.to, in.from
			if i < len(bands)-1 && in.from > FarPast {
				b.After = in.from - length - 1
			}
			list = append(list, b)
		}
		add(interval{r.From, r.To}, Band{Now: store.MillisOf(now), Certain: 1})
		add(inner, Band{Floating: 1, Now: localTime(now, r.loc), Certain: 1})
		if r.outer != inner {
			add(r.outer, Band{Floating: 1, Now: localTime(now, r.loc)})
		}
	}
	return list
}
