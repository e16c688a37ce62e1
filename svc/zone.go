package svc

import (
	"time"

	"appliance/svc/zoneinfo"
)

// Zone returns the time zone with an IANA name, by the time zone database in use. It rejects
// names that do not begin with a capital letter, because they can denote other files of a
// zoneinfo directory, and "Local", which is the time zone of the machine.
func Zone(name string) (loc *time.Location, ok bool) {
	loc = zoneinfo.Current().Location(name)
	return loc, loc != nil
}

// StoredZone returns the time zone with a name that was validated when it was
// stored, or UTC if the time zone database no longer contains it.
func StoredZone(name string) *time.Location {
	if loc, ok := Zone(name); ok {
		return loc
	}
	return time.UTC
}
