package svc

import (
	"sync"
	"time"
	_ "time/tzdata" // a container without zoneinfo has the zones too
)

// zones remembers the zones that were loaded: a name means the same for the
// life of the process, and reading one takes as long as reading an object. It
// cannot outgrow the time zone database, since only names that exist stay.
var zones sync.Map // name → *time.Location

// Zone returns the time zone of an IANA name. Names begin with a capital
// letter; whatever else a zoneinfo directory holds does not. "Local" would be
// the zone of the machine, which is nobody's.
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

// StoredZone is Zone for a name that was checked when it was stored; UTC stands in
// for one that has left the database since.
func StoredZone(name string) *time.Location {
	if loc, ok := Zone(name); ok {
		return loc
	}
	return time.UTC
}
