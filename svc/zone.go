package svc

import (
	"sync"
	"time"
	_ "time/tzdata" // for containers without zoneinfo
)

// zones caches the zones that were loaded, since loading one takes as long as
// parsing a calendar object. It contains only existing zones, so its size is
// limited.
var zones sync.Map // name → *time.Location

// Zone returns the time zone with an IANA name. It rejects names that do not
// begin with a capital letter, because they can denote other files of a zoneinfo
// directory, and "Local", which is the time zone of the machine.
func Zone(name string) (loc *time.Location, ok bool) {
	if loc, ok := zones.Load(name); ok {
		return loc.(*time.Location), true
	}
	if name == "" || len(name) > 64 || name[0] < 'A' || name[0] > 'Z' || name == "Local" {
		return nil, false
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, false
	}
	zones.Store(name, loc)
	return loc, true
}

// StoredZone returns the time zone with a name that was validated when it was
// stored, or UTC if the time zone database no longer contains it.
func StoredZone(name string) *time.Location {
	if loc, ok := Zone(name); ok {
		return loc
	}
	return time.UTC
}
