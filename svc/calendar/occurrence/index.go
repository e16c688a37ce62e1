package occurrence

import (
	"cmp"
	"math"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc/calendar/ics"
)

// The window in which an endless series is indexed, around the present.
const (
	before = 92 * 24 * time.Hour
	after  = 400 * 24 * time.Hour

	// MinAhead is the minimum time after the present for which each series must
	// be indexed. The background job moves the window before less is left.
	MinAhead = 300 * 24 * time.Hour
)

// MaxRows limits the indexed occurrences of one object. An object with more
// occurrences, such as one for each minute, is expanded by each query.
const MaxRows = 1000

// maxFinite limits the occurrences of a series that is indexed as a whole.
const maxFinite = 120

// Bounds of columns: beyond all years of four digits, and so small that sums do
// not overflow.
const (
	FarPast   store.Millis = -1e15
	FarFuture store.Millis = 1e15
)

// Day is 24 hours.
const Day store.Millis = 24 * 60 * 60 * 1000

// bands holds the maximum length of the occurrences in each band.
var bands = [...]store.Millis{2 * Day, 35 * Day, 800 * Day, math.MaxInt64}

// Row is a row of calendar_occurrence without the object and its calendar.
type Row struct {
	Floating     int          `json:"f" db:"floating"`
	Band         int          `json:"s" db:"band"`
	Starts       store.Millis `json:"a" db:"starts"`
	Ends         store.Millis `json:"b" db:"ends"`
	RecurrenceID string       `json:"r" db:"recurrence_id"`
	Busy         int          `json:"y" db:"busy"` // 0 free, 1 busy, 2 tentative
}

// Index holds the columns and rows of an object that follow from its times.
type Index struct {
	Floating   bool          // some of its times are floating or dates
	FirstStart store.Millis  // no occurrence starts earlier
	LastEnd    store.Millis  // no occurrence ends later
	From, To   *store.Millis // the range that Rows covers; nil if it covers all occurrences
	Rows       []Row
	Steps      int // that the evaluation of the object took
}

// NewIndex returns the index of an object as of now.
func NewIndex(o *ics.Object, now time.Time) Index {
	o, steps := o.Counted()
	x, endless := bounds(o)
	list, truncated := []ics.Instance(nil), true
	switch {
	case !o.Recurs():
		list, truncated = o.Instances(time.Time{}, time.Time{}, nil, MaxRows)
	case !endless:
		list, truncated = o.Instances(time.Time{}, time.Time{}, nil, maxFinite)
	}
	if truncated {
		from, to := now.Add(-before).Truncate(24*time.Hour), now.Add(after).Truncate(24*time.Hour)
		if list, truncated = o.Instances(from, to, nil, MaxRows); truncated {
			list, to = nil, from
		}
		x.From, x.To = new(store.MillisOf(from)), new(store.MillisOf(to))
	}
	if i, ok := o.UncountedInstance(nil); ok { // for a calendar-query; it is not indexed, so the text must be evaluated
		if x.LastEnd = max(x.LastEnd, Clamp(i.To)); x.From == nil {
			x.From, x.To = new(FarFuture), new(FarFuture)
		}
	}
	x.Rows = make([]Row, 0, len(list))
	for _, i := range list {
		if i.From < i.To { // otherwise the occurrence overlaps no range
			x.Rows = append(x.Rows, row(i))
			x.Floating = x.Floating || isFloating(i)
		}
	}
	if x.From != nil {
		x.Floating = x.Floating || hasFloatingStart(o)
	}
	x.Steps = steps()
	return x
}

// Differs reports whether the index of an object differs from a stored one. It compares the
// range that the stored one covers.
func Differs(o *ics.Object, stored Index) bool {
	now := time.Time{}
	if stored.From != nil {
		now = stored.From.Time().Add(before)
	}
	x := NewIndex(o, now)
	if x.Floating != stored.Floating || x.FirstStart != stored.FirstStart || x.LastEnd != stored.LastEnd || (x.From == nil) != (stored.From == nil) {
		return true
	}
	x.Rows = slices.SortedStableFunc(slices.Values(x.Rows), compareKeys)
	x.Rows = slices.CompactFunc(x.Rows, func(a, b Row) bool { return compareKeys(a, b) == 0 }) // the table has one row for each key
	return !slices.Equal(x.Rows, slices.SortedFunc(slices.Values(stored.Rows), compareKeys))
}

// compareKeys compares the columns of two rows of one object that identify them.
func compareKeys(a, b Row) int {
	return cmp.Or(cmp.Compare(a.Floating, b.Floating), cmp.Compare(a.Band, b.Band), cmp.Compare(a.Starts, b.Starts), cmp.Compare(a.RecurrenceID, b.RecurrenceID))
}

// EmptyIndex returns an index without rows: each query expands the object.
func EmptyIndex(o *ics.Object, _ time.Time) Index {
	x, _ := bounds(o)
	x.From, x.To = new(FarFuture), new(FarFuture)
	x.Floating = hasFloatingStart(o)
	return x
}

func bounds(o *ics.Object) (x Index, endless bool) {
	from, to, endless := o.Bounds(nil)
	return Index{FirstStart: Clamp(from), LastEnd: Clamp(to)}, endless
}

// Clamp returns a bound of an interval, in milliseconds since 1970, as a column.
func Clamp(millis int64) store.Millis { return min(max(store.Millis(millis), FarPast), FarFuture) }

func row(i ics.Instance) Row {
	r := Row{Starts: Clamp(i.From), Ends: Clamp(i.To), RecurrenceID: i.RecurrenceID.String(), Busy: busy(i)}
	if isFloating(i) {
		r.Floating = 1
	}
	for r.Ends-r.Starts > bands[r.Band] {
		r.Band++
	}
	return r
}

// busy returns the value of the column busy. It is 0 for a VFREEBUSY, whose
// busy times are read from its text.
func busy(i ics.Instance) int {
	switch i.FBType() {
	case ics.Free:
		return 0
	case ics.BusyTentative:
		return 2
	}
	return 1
}

func isFloating(i ics.Instance) bool {
	if i.Start.IsZero() {
		return IsFloating(i.End)
	}
	return IsFloating(i.Start)
}

func hasFloatingStart(o *ics.Object) bool {
	for _, c := range o.Components() {
		if IsFloating(c.Time("DTSTART")) {
			return true
		}
	}
	return false
}

// IsFloating reports whether the instant of t depends on the time zone of the
// reader: t is a date, a time without a time zone, or in an unknown one.
func IsFloating(t ics.Time) bool {
	return !t.IsZero() && (t.Zone() == nil || t.Zone().Location() == nil)
}
