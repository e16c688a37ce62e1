package ics

import "math"

// span is the interval of an instance for the test whether it overlaps a time
// range (RFC 4791 §9.9), in milliseconds since 1970. The instance overlaps
// [start, end) if and only if
//
//	from < end && to > start
//
// Since times are whole milliseconds, "x <= end" is x-1 < end and "x >= start" is
// x+1 > start. An unbounded side is math.MinInt64 or math.MaxInt64. If from is
// after to, the instance overlaps no range.
//
// Each row of the table in §9.9 is one interval, except that a VFREEBUSY without
// DTSTART and DTEND overlaps the ranges of its FREEBUSY periods. It has one
// instance per period.
type span struct{ from, to int64 }

var (
	always = span{math.MinInt64, math.MaxInt64}
	never  = span{math.MaxInt64, math.MinInt64}
)

func (s span) overlaps(other span) bool { return s.from < other.to && s.to > other.from }

// intersect returns the intersection of s and other.
func (s span) intersect(other span) span { return span{max(s.from, other.from), min(s.to, other.to)} }

// eventSpan implements the rows of VEVENT, and of VAVAILABILITY with DTSTART
// (RFC 7953). An event without a duration, or whose end is not after its start,
// occupies only the moment of its start.
func eventSpan(start, end int64) span { return span{start, max(end, start+1)} }

// todoSpan implements the rows of VTODO with DTSTART.
func todoSpan(start, end int64, ends endSource) span {
	switch ends {
	case durationProperty: // start <= e AND (end > s OR end >= e)
		return span{min(start, end-1), end + 1}
	case endProperty: // (start < e OR start <= s) AND (end > s OR end >= e)
		return span{min(start, end-1), max(end, start+1)}
	}
	return span{start, start + 1} // start <= s AND end > s
}

// dueSpan implements the row of VTODO with DUE only: start < e AND end >= e.
func dueSpan(due int64) span { return span{due - 1, due} }

// datelessSpan implements the rows of VTODO with neither DTSTART nor DUE.
// created and completed are nil if the property is absent.
func datelessSpan(created, completed *int64) span {
	switch {
	case created != nil && completed != nil: // start <= either AND end >= either
		return span{min(*created, *completed) - 1, max(*created, *completed) + 1}
	case completed != nil: // start <= c AND end >= c
		return span{*completed - 1, *completed + 1}
	case created != nil: // end > c
		return span{*created, math.MaxInt64}
	}
	return always
}

// journalSpan implements the rows of VJOURNAL with DTSTART.
func journalSpan(start, end int64, isDate bool) span {
	if isDate {
		return span{start, end}
	}
	return span{start, start + 1}
}

// freebusySpan implements the row of VFREEBUSY with DTSTART and DTEND: start <=
// e AND end > s.
func freebusySpan(start, end int64) span { return span{start, end + 1} }

// startlessSpan implements the rows of VAVAILABILITY without DTSTART: start <
// e, or always if end is nil.
func startlessSpan(end *int64) span {
	if end == nil {
		return always
	}
	return span{math.MinInt64, *end}
}

// momentSpan is the interval of alarms and property values: start <= t AND end
// > t.
func momentSpan(t int64) span { return span{t, t + 1} }
