package libraries

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// difference is a known difference of one library.
type difference struct {
	library, reason string
	applies         func(o object, starts []int64) bool
	used            bool
}

// differences are the known differences of one library.
type differences []*difference

// known are the known differences. The first that applies explains a difference.
var known = []difference{
	{library: "libical", reason: "begins the summer time of Lord Howe after 1 October 2028, which is a Sunday", applies: func(o object, starts []int64) bool {
		here, _ := o.only(starts)
		return o.zone.String() == "Australia/Lord_Howe" && slices.ContainsFunc(here, func(s int64) bool {
			return strings.HasPrefix(time.Unix(s, 0).UTC().Format(time.DateOnly), "2028-10")
		})
	}},
	{library: "libical", reason: "reads the dates of RDATE;TZID in UTC", applies: func(o object, starts []int64) bool {
		allowed := 2 * o.values("RDATE;TZID")
		if !slices.Contains(starts, o.own[0]) {
			allowed += 2 // the start is outside its rule, and another date takes its place in COUNT
		}
		return o.hasLine("RDATE;TZID", "") && o.differs(starts) <= allowed
	}},
	{library: "libical", reason: "leaves out the periods of RDATE", applies: func(o object, starts []int64) bool {
		return o.hasLine("RDATE;VALUE=PERIOD", "") && o.differs(starts) <= o.values("RDATE;VALUE=PERIOD")
	}},
	{library: "libical", reason: "reads EXRULE, which RFC 5545 does not have", applies: func(o object, _ []int64) bool { return o.hasLine("EXRULE", "") }},
	{library: "libical", reason: "reads UNTIL that is a date as its midnight", applies: untilMidnight},
	{library: "libical", reason: "has two dates in week 53 and week 1", applies: func(o object, starts []int64) bool {
		return o.hasLine("RRULE", "BYWEEKNO=1,53") && o.differs(starts) == 1
	}},
	{library: "libical", reason: "reads rules in the Hebrew calendar", applies: func(o object, starts []int64) bool {
		return o.hasLine("RRULE", "RSCALE=HEBREW") && isSubset(o.own, starts)
	}},
	{library: "libical", reason: "does not count a start that its rule does not match", applies: startOutsideRule},
	{library: "libical", reason: "keeps the shifted time after a clock change, and takes the second of two equal times", applies: clockChange},

	{library: "ical.js", reason: "fails for a byte order mark", applies: func(o object, starts []int64) bool { return starts == nil && o.hasLine("\ufeff", "") }},
	{library: "ical.js", reason: "fails for periods in RDATE", applies: func(o object, starts []int64) bool {
		return starts == nil && o.hasLine("RDATE;VALUE=PERIOD", "")
	}},
	{library: "ical.js", reason: "fails for BYHOUR and a start that is a date", applies: func(o object, starts []int64) bool {
		return starts == nil && o.hasLine("DTSTART;VALUE=DATE", "") && o.hasLine("RRULE", "BYHOUR")
	}},
	{library: "ical.js", reason: "reads UNTIL that is a date as its midnight", applies: untilMidnight},
	{library: "ical.js", reason: "leaves out the last date of a second rule", applies: func(o object, starts []int64) bool {
		return o.values("RRULE:FREQ=WEEKLY;BYDAY=TU") == 1 && o.values("RRULE:FREQ=WEEKLY;BYDAY=WE") == 1 && o.differs(starts) == 1
	}},
	{library: "ical.js", reason: "has 1 March in years without 29 February", applies: func(o object, starts []int64) bool {
		return o.hasLine("DTSTART", "0229") && o.hasLine("RRULE", "FREQ=YEARLY") && isSubset(o.own, starts)
	}},
	{library: "ical.js", reason: "keeps a date of RDATE that EXDATE excludes", applies: func(o object, starts []int64) bool {
		return o.hasLine("EXDATE", "") && o.hasLine("RDATE", "") && isSubset(o.own, starts) && o.differs(starts) <= o.values("EXDATE")
	}},
	{library: "ical.js", reason: "reads BYWEEKNO as every week, or as none", applies: func(o object, _ []int64) bool { return o.hasLine("RRULE", "BYWEEKNO") }},
	{library: "ical.js", reason: "ignores RSCALE and SKIP", applies: func(o object, _ []int64) bool { return o.hasLine("RRULE", "RSCALE") }},
	{library: "ical.js", reason: "does not count a start that its rule does not match", applies: startOutsideRule},
	{library: "ical.js", reason: "takes the second of two equal times", applies: clockChange},
}

var untilDate = regexp.MustCompile(`RRULE:.*UNTIL=[0-9]{8}[;\r]`)

// untilMidnight reports whether one date on the last day of a series with times is missing.
func untilMidnight(o object, starts []int64) bool {
	return untilDate.MatchString(o.text) && !o.hasLine("DTSTART;VALUE=DATE", "") && o.differs(starts) == 1
}

// startOutsideRule reports whether only the start is missing, apart from times near a clock
// change.
func startOutsideRule(o object, starts []int64) bool {
	if !strings.Contains(o.text, ";BY") || slices.Contains(starts, o.own[0]) || len(starts) > len(o.own) {
		return false
	}
	return !slices.ContainsFunc(o.own[1:], func(own int64) bool { return !slices.Contains(starts, own) && !o.nearClockChange(own) })
}

// clockChange reports whether the starts that differ are near a clock change, and differ by at
// most an hour.
func clockChange(o object, starts []int64) bool {
	if len(starts) != len(o.own) {
		return false
	}
	for i, own := range o.own {
		if starts[i] != own && (!o.nearClockChange(own) || max(own-starts[i], starts[i]-own) > 3600) {
			return false
		}
	}
	return true
}

// nearClockChange reports whether the clocks change within two days of a time.
func (o object) nearClockChange(at int64) bool {
	const twoDays = 2 * 86400
	_, before := time.Unix(at-twoDays, 0).In(o.zone).Zone()
	_, after := time.Unix(at+twoDays, 0).In(o.zone).Zone()
	return before != after
}

// knownDifferences returns the known differences of a library.
func knownDifferences(library string) (list differences) {
	for _, d := range known {
		if d.library == library {
			list = append(list, &d)
		}
	}
	return list
}

// explain reports whether a known difference applies.
func (d differences) explain(o object, starts []int64) bool {
	for _, one := range d {
		if one.applies(o, starts) {
			one.used = true
			return true
		}
	}
	return false
}

// wantAllUsed fails the test if a known difference explained nothing.
func (d differences) wantAllUsed(t *testing.T) {
	t.Helper()
	for _, one := range d {
		if !one.used {
			t.Errorf("%s: got no object with the difference %q, want one", one.library, one.reason)
		}
	}
}

// hasLine reports whether the text has a line with a prefix and a part.
func (o object) hasLine(prefix, part string) bool {
	for line := range strings.Lines(o.text) {
		if strings.HasPrefix(line, prefix) && strings.Contains(line, part) {
			return true
		}
	}
	return false
}

// values returns the number of values of the lines with a prefix.
func (o object) values(prefix string) (n int) {
	for line := range strings.Lines(o.text) {
		if strings.HasPrefix(line, prefix) {
			n += 1 + strings.Count(line, ",")
		}
	}
	return n
}

// only returns the starts that only this program has, and those that only the library has.
func (o object) only(starts []int64) (here, there []int64) {
	for _, s := range o.own {
		if !slices.Contains(starts, s) {
			here = append(here, s)
		}
	}
	for _, s := range starts {
		if !slices.Contains(o.own, s) {
			there = append(there, s)
		}
	}
	return here, there
}

// differs returns the number of starts that only one of the two lists has, and that are not near
// a clock change.
func (o object) differs(starts []int64) (n int) {
	here, there := o.only(starts)
	for _, s := range append(here, there...) {
		if !o.nearClockChange(s) {
			n++
		}
	}
	return n
}

// isSubset reports whether all starts are in a list.
func isSubset(starts, list []int64) bool {
	return !slices.ContainsFunc(starts, func(s int64) bool { return !slices.Contains(list, s) })
}
