package ics

import (
	"bytes"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/emersion/go-ical"
)

// A VTIMEZONE whose TZID is an IANA name is normally a copy of the IANA zone,
// often an outdated or shortened one, so the IANA zone applies. If the
// VTIMEZONE has other offsets in a year of the times that refer to it, it was
// written with rules that differ from those of this program, so the VTIMEZONE
// applies (RFC 5545 §3.6.5).

// vtimezone is a VTIMEZONE of an object with its octets.
type vtimezone struct {
	tree *ical.Component
	text []byte
}

// yearSet is a set of the years for which onsets are computed.
type yearSet [3]uint64

const firstYear, lastYear = 1970, 2099

func (s *yearSet) add(year int) {
	if n := year - firstYear; n >= 0 && year <= lastYear {
		s[n/64] |= 1 << (n % 64)
	}
}

func (s *yearSet) intersects(other *yearSet) bool {
	return s[0]&other[0]|s[1]&other[1]|s[2]&other[2] != 0
}

// addValues adds the years of the DATE-TIMEs in the value of a property.
func (s *yearSet) addValues(value []byte) {
	for len(value) >= 4 {
		year := 0
		for _, c := range value[:4] {
			year = year*10 + int(c-'0')
		}
		s.add(year) // an invalid value adds no year or a needless one
		i := bytes.IndexByte(value, ',')
		if i < 0 {
			return
		}
		value = value[i+1:]
	}
}

// zoneComparison is the result of comparing a VTIMEZONE with an IANA zone.
type zoneComparison struct {
	loc     *time.Location // the rules of the VTIMEZONE; nil if they are invalid
	differs yearSet        // the years in which the offsets differ
}

// compareZone evaluates the VTIMEZONE and compares it with the IANA zone in the time that
// it covers. iana is nil if the TZID is not an IANA name.
func (z vtimezone) compareZone(iana *time.Location, b *budget) (c zoneComparison) {
	onsets, from, until := zoneOnsets(z.tree, b)
	if c.loc = newLocation(unescapeText(firstValue(z.tree, "TZID")), onsets, b); c.loc == nil || iana == nil {
		return c
	}
	b.count(stepsPerOnset * len(onsets))
	check := func(at int64) {
		if at >= from && at < until && utcOffset(c.loc, at) != utcOffset(iana, at) {
			c.differs.add(time.Unix(at, 0).UTC().Year())
		}
	}
	check(from)
	for year := firstYear; year <= lastYear; year++ {
		check(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Unix())
	}
	for _, o := range onsets {
		check(o.at - 1)
		check(o.at)
	}
	begin := time.Unix(max(from, firstOnset), 0).In(iana)
	for at, ok := transitionAfter(begin); ok && at.Unix() < lastOnset; at, ok = transitionAfter(at) {
		check(at.Unix() - 1)
		check(at.Unix())
	}
	return c
}

// zoneOnsets returns the onsets of all observances of a VTIMEZONE, unsorted,
// and the time that the VTIMEZONE covers. Many clients write only the
// observances in force, so the covered time begins when the last of the endless
// rules begins, or at the last onset if there is no endless rule. If the last
// onset ends a list or a rule, the covered time lasts from the first onset to
// the last one.
func zoneOnsets(zone *ical.Component, b *budget) (onsets []onset, from, until int64) {
	from, until = math.MinInt64, math.MaxInt64
	last, lastEnds := int64(math.MinInt64), false
	for i, c := range zone.Children {
		if i%yieldLines == yieldLines-1 {
			runtime.Gosched()
		}
		if c.Name != "STANDARD" && c.Name != "DAYLIGHT" {
			continue
		}
		list, ok := observanceOnsets(c, b)
		if !ok {
			return nil, 0, 0
		}
		endless := false
		for _, p := range c.Props["RRULE"] {
			rule, err := ParseRule(p.Value)
			endless = endless || err == nil && rule.Endless()
		}
		for i, o := range list {
			if endless && i == 0 {
				from = max(from, o.at)
			}
			if o.at >= last {
				last, lastEnds = o.at, !endless && len(list) > 1
			}
		}
		onsets = append(onsets, list...)
	}
	if from == math.MinInt64 {
		from = last // no rule: only the last offset is in force
	}
	if lastEnds {
		from, until = math.MinInt64, last
		for _, o := range onsets {
			if from == math.MinInt64 || o.at < from {
				from = o.at
			}
		}
	}
	return onsets, from, until
}

// Limits of comparedZones.
const (
	maxComparedText   = 32 << 10 // octets of a VTIMEZONE
	maxComparedOctets = 2 << 20  // octets of all VTIMEZONEs
)

// comparedZones caches evaluated VTIMEZONEs and their comparisons by the text: a client
// writes the same text into each object.
var comparedZones = struct {
	sync.RWMutex
	results map[string]*zoneComparison
	octets  int
}{results: map[string]*zoneComparison{}}

// compare is compareZone with the cache.
func (z vtimezone) compare(iana *time.Location, b *budget) *zoneComparison {
	cache := &comparedZones
	cache.RLock()
	found := cache.results[string(z.text)]
	cache.RUnlock()
	if found != nil {
		return found
	}
	result := new(z.compareZone(iana, b))
	if b.exhausted || len(z.text) > maxComparedText {
		return result
	}
	cache.Lock()
	defer cache.Unlock()
	if cache.octets += len(z.text); cache.octets > maxComparedOctets {
		clear(cache.results)
		cache.octets = len(z.text)
	}
	cache.results[string(z.text)] = result
	return result
}
