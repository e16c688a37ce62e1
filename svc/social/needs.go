package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Directory is what Social needs to know of members.
type Directory interface {
	// People returns the active members among ids. Whoever is missing is not
	// here any more, or never was.
	People(tx *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Person, error)

	// PeopleByUsername returns the active members with those usernames.
	PeopleByUsername(tx *store.Tx, usernames []string) (map[string]svc.Person, error)

	// MemberExists reports whether there is such a member, be they active or not.
	MemberExists(tx *store.Tx, id svc.MemberID) (bool, error)

	// Resolve returns the member that a recipient means (B-52). Whoever is
	// hidden does not exist.
	Resolve(tx *store.Tx, v svc.Viewer, recipient string, hidden []svc.MemberID) (svc.Person, error)

	// Rename changes what v is called.
	Rename(tx *store.Tx, v svc.Viewer, displayName string) error
}

// Calendars keeps a mirror of an event in the calendar of each member who attends it.
type Calendars interface {
	// ResolveTimes applies a host's change to the times of an event; old is
	// the zero EventTimes for a new event. It also returns the start of the
	// first occurrence and the end of the last one, zero if there is no last
	// one.
	ResolveTimes(tx *store.Tx, host svc.MemberID, old svc.EventTimes, c svc.EventTimesChange) (t svc.EventTimes, first, last time.Time, err error)

	// SyncEvent brings the mirrors of an event to its state. It ignores a sync
	// whose revision is not newer than the last one.
	SyncEvent(tx *store.Tx, sync svc.EventSync) (svc.SyncResult, error)
}
