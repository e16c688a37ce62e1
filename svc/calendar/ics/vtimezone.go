package ics

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"
)

// onset is a moment at which a zone changes its offset.
type onset struct {
	at   int64 // seconds since 1970
	to   int   // the new offset, in seconds
	from int   // the one before
	dst  bool
}

// maxOnsets is how many changes one rule of a zone may make.
const maxOnsets = 1000

// Onsets are computed for the years that calendars speak of. Before the first
// one its old offset holds, after the last one its new offset.
var (
	firstOnset = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	lastOnset  = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// evalVTimezone evaluates a VTIMEZONE (RFC 5545 §3.6.5). It returns nil if the
// component cannot be read.
func evalVTimezone(tzid string, zone *ical.Component, b *budget) *time.Location {
	var onsets []onset
	for _, c := range zone.Children {
		if c.Name != "STANDARD" && c.Name != "DAYLIGHT" {
			continue
		}
		list, ok := observanceOnsets(c, b)
		if !ok {
			return nil
		}
		onsets = append(onsets, list...)
	}
	slices.SortStableFunc(onsets, func(a, b onset) int { return cmp.Compare(a.at, b.at) })
	onsets = slices.CompactFunc(onsets, func(a, b onset) bool { return a.at == b.at })
	if len(onsets) == 0 || b.exhausted {
		return nil
	}
	loc, err := time.LoadLocationFromTZData(tzid, encodeTZif(onsets))
	if err != nil {
		return nil
	}
	return loc
}

// observanceOnsets returns the onsets of a STANDARD or DAYLIGHT component. Their
// times are local by the offset before.
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
		if err != nil {
			return nil, false
		}
		if rule.Until.zone != nil { // in UTC, as RFC 5545 §3.3.10 wants it here
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

// parseOffset reads a UTC-OFFSET (RFC 5545 §3.3.14), in seconds.
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

// encodeTZif writes the onsets as a file of the time zone database (RFC 8536), which
// is the one way to make a time.Location that changes its offset.
func encodeTZif(onsets []onset) []byte {
	type kind struct {
		offset int
		dst    bool
	}
	kinds := []kind{{onsets[0].from, false}} // the first is what held before
	times, types := make([]byte, 0, 8*len(onsets)), make([]byte, 0, len(onsets))
	for _, o := range onsets {
		k := kind{o.to, o.dst}
		i := slices.Index(kinds[1:], k) + 1
		if i == 0 {
			i = len(kinds)
			if i > math.MaxUint8 {
				break
			}
			kinds = append(kinds, k)
		}
		times = binary.BigEndian.AppendUint64(times, uint64(o.at))
		types = append(types, byte(i))
	}
	head := func(times, kinds int) []byte {
		b := append([]byte("TZif2"), make([]byte, 15+3*4)...)
		b = binary.BigEndian.AppendUint32(b, uint32(times))
		b = binary.BigEndian.AppendUint32(b, uint32(kinds))
		return binary.BigEndian.AppendUint32(b, 1) // one abbreviation, the empty one
	}
	// The first half is for readers of version 1.
	data := append(head(0, 1), 0, 0, 0, 0, 0, 0, 0)
	data = append(data, head(len(types), len(kinds))...)
	data = append(data, times...)
	data = append(data, types...)
	for _, k := range kinds {
		data = binary.BigEndian.AppendUint32(data, uint32(int32(k.offset)))
		var dst byte
		if k.dst {
			dst = 1
		}
		data = append(data, dst, 0)
	}
	return append(data, 0, '\n', '\n')
}
