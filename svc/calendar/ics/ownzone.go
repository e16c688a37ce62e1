package ics

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"appliance/svc/zoneinfo"

	"github.com/emersion/go-ical"
)

// A VTIMEZONE whose TZID names a zone is normally a copy of the zone, often an
// outdated or shortened one, so the zone applies, by the newest data that the server
// has. If it has an offset that the zone has not had since 1970, the name stands for
// something else, or the client knows a newer law, so the VTIMEZONE applies. The
// result depends on the VTIMEZONE and the data alone: if it depended on the times of
// an object, then a deletion of one occurrence could move the others (B-111).

// vtimezone is a VTIMEZONE of an object with its octets.
type vtimezone struct {
	tree *ical.Component
	text []byte
}

func (v *vtimezone) tzid() string { return unescapeText(firstValue(v.tree, "TZID")) }

// definition is the result of evaluating a VTIMEZONE.
type definition struct {
	loc       *time.Location // nil if the rules are invalid
	applies   bool           // instead of the zone that the TZID names, or because it names none
	conflicts bool           // see [Object.ConflictingZone]
	text      []byte         // of the VTIMEZONE
	digest    string         // of the rules
}

// evaluateRules evaluates the VTIMEZONE and compares it with the zone that its TZID names; nil if
// it names none.
func (v *vtimezone) evaluateRules(named *time.Location, b *budget) (d definition) {
	onsets, from, until := zoneOnsets(v.tree, b)
	onsets = sortOnsets(onsets, b)
	d.loc = newLocation(v.tzid(), onsets, b)
	if d.loc == nil {
		return d
	}
	d.text, d.digest = bytes.Clone(v.text), digestOf(onsets)
	if named == nil {
		d.applies = true
		return d
	}
	b.count(stepsPerOnset * len(onsets))
	known := offsetsOf(named)
	for i, o := range onsets {
		inForce := o.at >= firstOnset || i == len(onsets)-1 || onsets[i+1].at > firstOnset
		d.applies = d.applies || inForce && !slices.Contains(known, o.to)
	}
	d.conflicts = conflictsWith(d.loc, named, onsets, from, until)
	return d
}

// offsetsOf returns the offsets from UTC, in seconds, that a zone has had since 1970
// or will have.
func offsetsOf(loc *time.Location) []int {
	at := time.Unix(firstOnset, 0).In(loc)
	_, offset := at.Zone()
	offsets := []int{offset}
	for at, ok := transitionAfter(at); ok && at.Unix() < lastOnset; at, ok = transitionAfter(at) {
		if _, offset := at.Zone(); !slices.Contains(offsets, offset) {
			offsets = append(offsets, offset)
		}
	}
	return offsets
}

// conflictYears is the number of years in which a VTIMEZONE is compared with the zone
// that its TZID names, from the year on in which the time zone data was released.
const conflictYears = 5

// conflictsWith reports whether a VTIMEZONE with the location loc has other offsets
// than the named zone, in the part of the compared years that it covers: from from
// until until.
func conflictsWith(loc, named *time.Location, onsets []onset, from, until int64) bool {
	first := time.Date(zoneinfo.Current().Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	from, until = max(from, first.Unix()), min(until, first.AddDate(conflictYears, 0, 0).Unix())
	differs := func(at int64) bool {
		return at >= from && at < until && utcOffset(loc, at) != utcOffset(named, at)
	}
	conflicts := differs(from)
	for _, o := range onsets {
		conflicts = conflicts || differs(o.at-1) || differs(o.at)
	}
	for at, ok := transitionAfter(time.Unix(from, 0).In(named)); ok && at.Unix() < until; at, ok = transitionAfter(at) {
		conflicts = conflicts || differs(at.Unix()-1) || differs(at.Unix())
	}
	return conflicts
}

// digestOf returns a digest of onsets, which are sorted. Two VTIMEZONEs with one
// digest have the same offsets at all times.
func digestOf(onsets []onset) string {
	h := sha256.New()
	offset := math.MinInt
	for _, o := range onsets {
		if offset == math.MinInt {
			offset = o.from
			binary.Write(h, binary.BigEndian, int64(offset))
		}
		if o.to != offset {
			offset = o.to
			binary.Write(h, binary.BigEndian, [2]int64{o.at, int64(offset)})
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
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

// sortOnsets sorts onsets by time and removes all but the first of each time.
func sortOnsets(onsets []onset, b *budget) []onset {
	b.count(stepsPerOnset * len(onsets))
	slices.SortStableFunc(onsets, func(a, b onset) int { return cmp.Compare(a.at, b.at) })
	return slices.CompactFunc(onsets, func(a, b onset) bool { return a.at == b.at })
}

// Limits of the cache of definitions.
const (
	maxDefinition  = 32 << 10 // octets of a VTIMEZONE
	maxDefinitions = 2 << 20  // octets of all VTIMEZONEs
)

// definitions caches evaluated VTIMEZONEs by their text: a client writes the same
// text into each object. The results depend on the time zone data.
var definitions = struct {
	sync.RWMutex
	zones   *zoneinfo.Data
	results map[string]*definition
	octets  int
}{}

// evaluate is evaluateRules with the cache. named is the result of namedLocation for
// the TZID, by the time zone data zones.
func (v *vtimezone) evaluate(named *time.Location, zones *zoneinfo.Data, b *budget) *definition {
	cache := &definitions
	cache.RLock()
	var found *definition
	if cache.zones == zones {
		found = cache.results[string(v.text)]
	}
	cache.RUnlock()
	if found != nil {
		return found
	}
	d := new(v.evaluateRules(named, b))
	if b.exhausted || len(v.text) > maxDefinition || zones != zoneinfo.Current() {
		return d
	}
	cache.Lock()
	defer cache.Unlock()
	if cache.octets += len(v.text); cache.zones != zones || cache.octets > maxDefinitions {
		cache.zones, cache.octets, cache.results = zones, len(v.text), make(map[string]*definition)
	}
	cache.results[string(v.text)] = d
	return d
}
