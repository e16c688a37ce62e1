package ics

import "math"

// span is when an instance is, for the question whether it overlaps a time
// range: the table of RFC 4791 §9.9 as a half-open interval of milliseconds
// since 1970. An instance overlaps [start, end) if and only if
//
//	from < end && to > start
//
// and since instants are whole milliseconds, "x <= end" is x-1 < end, and
// "x >= start" is x+1 > start. A side without bound is math.MinInt64 or
// math.MaxInt64; from after to is what overlaps nothing.
//
// Each row of the table is one interval, but one: a VFREEBUSY without DTSTART
// and DTEND overlaps whatever one of its FREEBUSY periods does. It has an
// instance for each period.
type span struct{ from, to int64 }

var (
	always = span{math.MinInt64, math.MaxInt64}
	never  = span{math.MaxInt64, math.MinInt64}
)

func (s span) overlaps(other span) bool { return s.from < other.to && s.to > other.from }

// within returns the part of s that lies in other.
func (s span) within(other span) span { return span{max(s.from, other.from), min(s.to, other.to)} }

// eventSpan is the rows of VEVENT, and those of VAVAILABILITY that have a
// DTSTART (RFC 7953). An event without a length, or with an end
// that is not after its start, is the moment of its start.
func eventSpan(start, end int64) span { return span{start, max(end, start+1)} }

// todoSpan is the rows of VTODO that have a DTSTART.
func todoSpan(start, end int64, ends endSource) span {
	switch ends {
	case durationProperty: // start <= e AND (end > s OR end >= e)
		return span{min(start, end-1), end + 1}
	case endProperty: // (start < e OR start <= s) AND (end > s OR end >= e)
		return span{min(start, end-1), max(end, start+1)}
	}
	return span{start, start + 1} // start <= s AND end > s
}

// dueSpan is the row of VTODO that has DUE only: start < e AND end >= e.
func dueSpan(due int64) span { return span{due - 1, due} }

// datelessSpan is the rows of VTODO that have neither DTSTART nor DUE. The
// arguments are nil for what is not there.
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

// journalSpan is the rows of VJOURNAL: the day, or the moment.
func journalSpan(start, end int64, isDate bool) span {
	if isDate {
		return span{start, end}
	}
	return span{start, start + 1}
}

// freebusySpan is the row of VFREEBUSY with DTSTART and DTEND:
// start <= e AND end > s.
func freebusySpan(start, end int64) span { return span{start, end + 1} }

// startlessSpan is the rows of VAVAILABILITY without DTSTART: start < e, or
// always. The end is nil if there is none.
func startlessSpan(end *int64) span {
	if end == nil {
		return always
	}
	return span{math.MinInt64, *end}
}

// momentSpan is when something without length happens: start <= t AND end > t.
// It is for alarms and for the values of properties.
func momentSpan(t int64) span { return span{t, t + 1} }
