package ics

import (
	"testing"
)

// Each row of the table of RFC 4791 §9.9, as it is written there, agrees with
// the interval for all times on a short time line.
//
// Covers C-17, C-18.
func TestSpansImplementTheTableOfTheRFC(t *testing.T) {
	const size = 7
	checkRow := func(row string, got func(a, b int64) span, want func(start, end, a, b int64) bool, ordered bool) {
		t.Helper()
		for a := range int64(size) {
			for b := range int64(size) {
				if ordered && b < a {
					continue
				}
				for start := range int64(size) {
					for end := start + 1; end <= size; end++ {
						if got(a, b).overlaps(span{start, end}) != want(start, end, a, b) {
							t.Errorf("%s: %d, %d in [%d, %d): got %v, want %v", row, a, b, start, end, !want(start, end, a, b), want(start, end, a, b))
						}
					}
				}
			}
		}
	}
	moment := func(start, end, s, _ int64) bool { return start <= s && end > s }

	checkRow("VEVENT with DTEND", eventSpan, func(start, end, s, e int64) bool {
		if s == e { // RFC 5545 §3.8.2.2 forbids it; interpreted as without DTEND
			return moment(start, end, s, e)
		}
		return start < e && end > s
	}, true)
	checkRow("VEVENT with a positive DURATION", func(s, e int64) span { return eventSpan(s, e+1) }, func(start, end, s, e int64) bool {
		return start < e+1 && end > s
	}, true)
	checkRow("VEVENT with a zero DURATION, or without one", func(s, _ int64) span { return eventSpan(s, s) }, moment, false)
	checkRow("VEVENT with DTEND before DTSTART", func(s, _ int64) span { return eventSpan(s, s-2) }, moment, false)

	checkRow("VTODO with DTSTART and DURATION", func(s, e int64) span { return todoSpan(s, e, durationProperty) }, func(start, end, s, e int64) bool {
		return start <= e && (end > s || end >= e)
	}, true)
	checkRow("VTODO with DTSTART and DUE", func(s, due int64) span { return todoSpan(s, due, endProperty) }, func(start, end, s, due int64) bool {
		return (start < due || start <= s) && (end > s || end >= due)
	}, false)
	checkRow("VTODO with DTSTART", func(s, e int64) span { return todoSpan(s, e, noEnd) }, moment, false)
	checkRow("VTODO with DUE", func(_, due int64) span { return dueSpan(due) }, func(start, end, _, due int64) bool {
		return start < due && end >= due
	}, false)
	checkRow("VTODO with COMPLETED and CREATED", func(done, created int64) span { return datelessSpan(&created, &done) }, func(start, end, done, created int64) bool {
		return (start <= created || start <= done) && (end >= created || end >= done)
	}, false)
	checkRow("VTODO with COMPLETED", func(done, _ int64) span { return datelessSpan(nil, &done) }, func(start, end, done, _ int64) bool {
		return start <= done && end >= done
	}, false)
	checkRow("VTODO with CREATED", func(created, _ int64) span { return datelessSpan(&created, nil) }, func(_, end, created, _ int64) bool {
		return end > created
	}, false)
	checkRow("VTODO without dates", func(_, _ int64) span { return datelessSpan(nil, nil) }, func(_, _, _, _ int64) bool { return true }, false)

	checkRow("VJOURNAL with a DATE", func(s, _ int64) span { return journalSpan(s, s+2, true) }, func(start, end, s, _ int64) bool {
		return start < s+2 && end > s
	}, false)
	checkRow("VJOURNAL with a DATE-TIME", func(s, _ int64) span { return journalSpan(s, s, false) }, moment, false)
	checkRow("VJOURNAL without DTSTART", func(_, _ int64) span { return never }, func(_, _, _, _ int64) bool { return false }, false)

	checkRow("VFREEBUSY with DTSTART and DTEND", freebusySpan, func(start, end, s, e int64) bool { return start <= e && end > s }, true)
	checkRow("VALARM", func(at, _ int64) span { return momentSpan(at) }, moment, false)
}
