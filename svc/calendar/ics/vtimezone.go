package ics

import (
	"strings"
	"time"

	"appliance/svc/zoneinfo"

	"github.com/emersion/go-ical"
)

// onset is the moment at which an observance takes effect (RFC 5545 §3.6.5).
type onset struct {
	at   int64 // Unix time
	to   int   // UTC offset after the onset, in seconds
	from int   // UTC offset before the onset, in seconds
	dst  bool
}

// maxOnsets limits the onsets of one observance.
const maxOnsets = 1000

// stepsPerOnset is the number of steps in which an onset is sorted, encoded and decoded.
const stepsPerOnset = 10

// Onsets are computed for these years. The offset before the first onset is its
// TZOFFSETFROM, the offset after the last onset its TZOFFSETTO.
var (
	firstOnset = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	lastOnset  = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// newLocation returns the location with sorted onsets, nil if there are none or the
// budget is exhausted (RFC 5545 §3.6.5).
func newLocation(tzid string, onsets []onset, b *budget) *time.Location {
	if len(onsets) == 0 || b.exhausted {
		return nil
	}
	list := make([]zoneinfo.Transition, len(onsets))
	for i, o := range onsets {
		list[i] = zoneinfo.Transition{At: o.at, Offset: o.to, DST: o.dst}
	}
	loc, err := zoneinfo.NewLocation(tzid, zoneinfo.Transition{Offset: onsets[0].from}, list, "")
	if err != nil {
		return nil
	}
	return loc
}

// observanceOnsets returns the onsets of a STANDARD or DAYLIGHT component. Its
// times are local times with the offset TZOFFSETFROM.
func observanceOnsets(c *ical.Component, b *budget) (onsets []onset, ok bool) {
	from, ok1 := parseOffset(firstValue(c, "TZOFFSETFROM"))
	to, ok2 := parseOffset(firstValue(c, "TZOFFSETTO"))
	start, ok3 := parseTime(firstValue(c, "DTSTART"), nil)
	if !ok1 || !ok2 || !ok3 {
		return nil, false
	}
	add := func(wall int64) {
		onsets = append(onsets, onset{wall - int64(from), to, from, c.Name == "DAYLIGHT"})
	}
	rules := c.Props["RRULE"]
	if len(rules) == 0 {
		add(start.wall)
	}
	for _, p := range rules {
		rule, err := ParseRule(p.Value)
		if err != nil || !rule.Supported() {
			return nil, false
		}
		if rule.Until.zone != nil { // UNTIL is in UTC (RFC 5545 §3.3.10)
			rule.Until = Floating(rule.Until.Clock().Add(time.Duration(from) * time.Second))
		}
		plan := newRulePlan(rule, start)
		for wall := range plan.between(firstOnset, lastOnset, b) {
			if len(onsets) == maxOnsets {
				return nil, false
			}
			add(wall)
		}
	}
	for _, p := range c.Props["RDATE"] {
		for value := range strings.SplitSeq(p.Value, ",") {
			if t, ok := parseTime(value, nil); ok {
				add(t.wall)
			}
		}
	}
	return onsets, true
}

// parseOffset parses a UTC-OFFSET (RFC 5545 §3.3.14) and returns seconds.
func parseOffset(value string) (seconds int, ok bool) {
	s := strings.TrimSpace(value)
	if len(s) != 5 && len(s) != 7 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	hours, ok1 := parseDigits(s, 1, 3)
	minutes, ok2 := parseDigits(s, 3, 5)
	if !ok1 || !ok2 || hours > 23 || minutes > 59 {
		return 0, false
	}
	if len(s) == 7 {
		if seconds, ok = parseDigits(s, 5, 7); !ok || seconds > 59 {
			return 0, false
		}
	}
	seconds += hours*3600 + minutes*60
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}
