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

// ZoneSource tells where the time zone of a response comes from.
type ZoneSource string

const (
	ZoneOfMember  ZoneSource = "member"
	ZoneOfServer  ZoneSource = "server"  // the member has none yet
	ZoneOfRequest ZoneSource = "request" // a parameter of the request
)

// Values implements [Set].
func (ZoneSource) Values() []string { return Values(ZoneOfMember, ZoneOfServer, ZoneOfRequest) }

// ZoneInUse is the time zone of the local times in a response.
type ZoneInUse struct {
	Timezone string     `json:"timezone"` // IANA name
	Source   ZoneSource `json:"timezone_source"`
}

// Location returns the time zone.
func (z ZoneInUse) Location() *time.Location { return StoredZone(z.Timezone) }

// StoredZone returns the time zone with a name that was validated when it was
// stored, or UTC if the time zone database no longer contains it.
func StoredZone(name string) *time.Location {
	if loc, ok := Zone(name); ok {
		return loc
	}
	return time.UTC
}
