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

// Calendars is where members see the events that they go to (B-62).
type Calendars interface {
	// Timed reads when an event is as its host writes it, the way a calendar's
	// entries are (B-56), and returns it with these times in the form that Push
	// takes, with the start of its first instance and the end of its last one,
	// zero if it never ends.
	Timed(tx *store.Tx, e svc.PushedEvent) (timed svc.PushedEvent, first, last time.Time, err error)

	// Push brings the mirrors of an event to its state. It does nothing if
	// they are of the same revision or a later one.
	Push(tx *store.Tx, push svc.EventPush) (svc.PushResult, error)
}
