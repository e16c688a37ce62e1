package ics

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/zoneinfo"
)

// maxZones limits the number of TZIDs of an object that are resolved.
const maxZones = 100

// Zone is a time zone that an object refers to.
type Zone struct {
	TZID       string
	loc        *time.Location // nil if the TZID could not be resolved
	definition *definition    // of the object, if loc has its rules; nil if the TZID names loc
	conflicts  bool           // the object has a definition that differs from the named zone, see [Object.ConflictingZone]
	placed     bool           // whether a time of the object depends on the zone
	steps      int            // for the evaluation of the rules by ParseZone
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

// resolve sets the location of the zone: that which the TZID names, unless the
// first valid definition of the object applies instead of it; otherwise that of
// the definition, or that of a name with an offset. If the program has written the
// object, its definitions never apply instead of a name.
func (z *Zone) resolve(list []vtimezone, ownObject bool, b *budget) {
	zones := zoneinfo.Current()
	named := namedLocation(z.TZID)
	z.loc = named
	for i := range list {
		if named != nil && ownObject {
			break
		}
		if list[i].tzid() != z.TZID {
			continue
		}
		if d := list[i].evaluate(named, zones, b); d.loc != nil {
			if z.conflicts = d.conflicts; d.applies {
				z.loc, z.definition = d.loc, d
			}
			break
		}
	}
	if z.loc == nil {
		z.loc = offsetLocation(z.TZID)
	}
}

// UnknownTZIDs returns the TZIDs that times of the object depend on and that could
// not be resolved, in alphabetical order.
func (o *Object) UnknownTZIDs() (unknown []string) {
	for _, tzid := range slices.Sorted(maps.Keys(o.zones)) {
		if z := o.zones[tzid]; z.loc == nil && z.placed {
			unknown = append(unknown, tzid)
		}
	}
	return unknown
}

// ConflictingZone returns the first IANA name of a zone of which the object has a
// definition with other offsets, at a time since the beginning of the year in which
// the time zone data was released; "" if there is none.
func (o *Object) ConflictingZone() string {
	first := ""
	for _, z := range o.zones {
		if z.conflicts {
			if name := namedLocation(z.TZID).String(); first == "" || name < first {
				first = name
			}
		}
	}
	return first
}

// namedLocation returns the location that a TZID names, nil if there is none: an
// IANA name, a Windows name, or either of them as it is written by some programs.
func namedLocation(tzid string) *time.Location {
	if loc, ok := svc.Zone(tzid); ok {
		return loc
	}
	if loc, ok := svc.Zone(windowsZones[tzid]); ok {
		return loc
	}
	return ianaLocation(tzid)
}

// oldNames maps names that the time zone database contained once to present ones.
var oldNames = map[string]string{"US/Pacific-New": "America/Los_Angeles", "Canada/East-Saskatchewan": "America/Regina"}

// ianaLocation returns the location whose IANA name is tzid or a suffix of it,
// as in "Europe/Berlin" or "/citadel.org/20210210_1/America/Argentina/Salta";
// nil if there is none.
func ianaLocation(tzid string) *time.Location {
	parts := strings.Split(tzid, "/")
	last := parts[len(parts)-1]
	if strings.EqualFold(last, "UTC") { // also tzone://Microsoft/Utc
		return time.UTC
	}
	if strings.ContainsAny(last, " .,()") { // no IANA name has them
		return nil
	}
	for n := min(3, len(parts)); n > 0; n-- {
		name := strings.Join(parts[len(parts)-n:], "/")
		if loc, ok := svc.Zone(cmp.Or(oldNames[name], name)); ok {
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
