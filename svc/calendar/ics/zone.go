package ics

import (
	"maps"
	"slices"
	"strings"
	"time"

	"appliance/svc"
)

// maxZones limits the number of TZIDs of an object that are resolved.
const maxZones = 100

// Zone is a time zone that an object refers to.
type Zone struct {
	TZID  string
	loc   *time.Location // nil if the TZID could not be resolved
	years yearSet        // of the times of the object that refer to the zone
	isOwn bool           // loc is that of a VTIMEZONE although the TZID is an IANA name
	inUse bool           // a time of the object depends on the zone
	steps int            // for the evaluation of the rules by ParseZone
}

var utc = &Zone{TZID: "UTC", loc: time.UTC}

// Location returns the rules of the zone. It is nil if the TZID is unknown and
// has no VTIMEZONE; times in such a zone are treated as floating.
func (z *Zone) Location() *time.Location { return z.loc }

// Steps returns the number of steps that [ParseZone] took to evaluate the rules.
func (z *Zone) Steps() int { return z.steps }

// Name returns the IANA name of the zone, or the TZID if there is none.
func (z *Zone) Name() string {
	if z.loc == nil {
		return z.TZID
	}
	return z.loc.String()
}

// LoadZone returns the zone with an IANA name.
func LoadZone(name string) (*Zone, bool) {
	if name == "UTC" || name == "Etc/UTC" { // written as Z, without a TZID
		return utc, true
	}
	loc, ok := svc.Zone(name)
	return &Zone{TZID: name, loc: loc}, ok
}

// resolve sets the location of the zone. IANA names take precedence over the
// VTIMEZONE of the object, unless it differs in the years of the object. Then come
// the VTIMEZONE, the Windows names and names with an offset.
func (z *Zone) resolve(list []vtimezone, b *budget) {
	z.loc = ianaLocation(z.TZID)
	for _, v := range list {
		switch {
		case unescapeText(firstValue(v.tree, "TZID")) != z.TZID:
		case z.loc == nil:
			z.loc = v.compare(nil, b).loc
		case !z.isOwn:
			if c := v.compare(z.loc, b); c.loc != nil && c.differs.intersects(&z.years) {
				z.loc, z.isOwn = c.loc, true
			}
		}
	}
	if z.loc == nil {
		z.loc = foreignLocation(z.TZID)
	}
}

// UnknownTZIDs returns the TZIDs of the object that could not be resolved, in
// alphabetical order, without those on which no time depends.
func (o *Object) UnknownTZIDs() (unknown []string) {
	for _, tzid := range slices.Sorted(maps.Keys(o.zones)) {
		if z := o.zones[tzid]; z.loc == nil && z.inUse {
			unknown = append(unknown, tzid)
		}
	}
	return unknown
}

// ianaLocation returns the location whose IANA name is tzid or a suffix of it,
// as in "Europe/Berlin" or "/citadel.org/20210210_1/America/Argentina/Salta";
// nil if there is none.
func ianaLocation(tzid string) *time.Location {
	parts := strings.Split(tzid, "/")
	if strings.ContainsAny(parts[len(parts)-1], " .,()") { // no IANA name has them; a lookup of an unknown name reads files
		return nil
	}
	for n := min(3, len(parts)); n > 0; n-- {
		if loc, ok := svc.Zone(strings.Join(parts[len(parts)-n:], "/")); ok {
			return loc
		}
	}
	return nil
}

// utcOffset returns the offset of loc from UTC in seconds at the instant u.
func utcOffset(loc *time.Location, u int64) int64 {
	_, seconds := time.Unix(u, 0).In(loc).Zone()
	return int64(seconds)
}

// wallToUnix returns the instant of a wall clock time in loc; nil means UTC. A
// time that occurs twice is the first one. A time that is skipped is
// interpreted with the offset before the gap (RFC 5545 §3.3.5).
func wallToUnix(loc *time.Location, wall int64) int64 {
	if loc == nil || loc == time.UTC {
		return wall
	}
	before, after := utcOffset(loc, wall-day), utcOffset(loc, wall+day)
	if before != after && utcOffset(loc, wall-before) != before && utcOffset(loc, wall-after) == after {
		return wall - after
	}
	return wall - before
}
