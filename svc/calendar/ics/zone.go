package ics

import (
	"strings"
	"time"

	"appliance/svc"
)

// maxZones is how many TZIDs of one object are looked up.
const maxZones = 100

// Zone is a time zone as an object names it.
type Zone struct {
	TZID string
	loc  *time.Location // nil if nobody knows the zone
}

var utc = &Zone{TZID: "UTC", loc: time.UTC}

// Location returns the zone's rules. They are nil if the TZID is unknown and
// no VTIMEZONE explains it; its times are then as good as floating.
func (z *Zone) Location() *time.Location { return z.loc }

// Name returns the IANA name of the zone, or the TZID if it has none.
func (z *Zone) Name() string {
	if z.loc == nil {
		return z.TZID
	}
	return z.loc.String()
}

// LoadZone returns the zone of an IANA name.
func LoadZone(name string) (*Zone, bool) {
	if name == "UTC" || name == "Etc/UTC" { // written with a Z, not with a TZID
		return utc, true
	}
	loc, ok := svc.Zone(name)
	return &Zone{TZID: name, loc: loc}, ok
}

// resolveTZID returns what tzid means in the object. A name that Go knows wins over
// what the object says of it, because VTIMEZONEs are copied around for years
// while rules change. Then comes the object's own VTIMEZONE, then the names that
// Windows uses.
func (o *Object) resolveTZID(tzid string, b *budget) *time.Location {
	if loc := ianaLocation(tzid); loc != nil {
		return loc
	}
	for _, c := range o.calendar.Children {
		if c.Name == "VTIMEZONE" && unescapeText(firstValue(c, "TZID")) == tzid {
			if loc := evalVTimezone(tzid, c, b); loc != nil {
				return loc
			}
		}
	}
	loc, _ := svc.Zone(windowsZones[tzid])
	return loc
}

// ianaLocation returns the zone whose IANA name tzid is or ends in, such as
// "Europe/Berlin" or "/citadel.org/20210210_1/America/Argentina/Salta"; nil if
// there is none.
func ianaLocation(tzid string) *time.Location {
	parts := strings.Split(tzid, "/")
	if strings.ContainsAny(parts[len(parts)-1], " .,()") { // to ask for it would read files each time
		return nil
	}
	for n := min(3, len(parts)); n > 0; n-- {
		if loc, ok := svc.Zone(strings.Join(parts[len(parts)-n:], "/")); ok {
			return loc
		}
	}
	return nil
}

// utcOffset returns how many seconds loc is ahead of UTC at the instant u.
func utcOffset(loc *time.Location, u int64) int64 {
	_, seconds := time.Unix(u, 0).In(loc).Zone()
	return int64(seconds)
}

// wallToUnix returns the instant at which the clock in loc shows wall; nil is
// UTC. If it shows it twice, that is the first time; if it never does, the
// clock is read as if it had not been put forward (RFC 5545 §3.3.5).
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
