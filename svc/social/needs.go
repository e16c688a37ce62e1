package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Directory provides the members of the server. Package identity implements it.
type Directory interface {
	// People returns the active members among ids.
	People(tx *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Person, error)

	// PeopleByUsername returns the active members with the given user names.
	PeopleByUsername(tx *store.Tx, usernames []string) (map[string]svc.Person, error)

	// MemberExists reports whether id is a member, active or not.
	MemberExists(tx *store.Tx, id svc.MemberID) (bool, error)

	// Resolve returns the active member that recipient names. Hidden members
	// are treated as absent.
	Resolve(tx *store.Tx, v svc.Viewer, recipient string, hidden []svc.MemberID) (svc.Person, error)

	// Rename sets the viewer's display name.
	Rename(tx *store.Tx, v svc.Viewer, displayName string) error

	// SetColor sets the viewer's color. A null is the default.
	SetColor(tx *store.Tx, v svc.Viewer, color svc.Optional[svc.Color]) error

	// SetAvatar sets the viewer's avatar.
	SetAvatar(tx *store.Tx, v svc.Viewer, a svc.AvatarPicture) error

	// DeleteAvatar deletes the viewer's avatar.
	DeleteAvatar(tx *store.Tx, v svc.Viewer) error

	// Avatar returns the encoded avatar of an active member, if key is its current
	// key. Hidden members are treated as absent.
	Avatar(tx *store.Tx, id svc.MemberID, key string, thumb bool, hidden []svc.MemberID) ([]byte, error)
}

// Calendars keeps a mirror of an event in the calendar of each member who
// attends it. Package calendar implements it.
type Calendars interface {
	// ResolveTimes applies a host's change to the times of an event; old is
	// the zero EventTimes for a new event. It also returns the start of the
	// first occurrence and the end of the last one, zero for an endless
	// series.
	ResolveTimes(tx *store.Tx, host svc.MemberID, old svc.EventTimes, c svc.EventTimesChange) (t svc.EventTimes, first, last time.Time, err error)

	// SyncEvents updates the mirrors of different events. It ignores a sync whose revision
	// is not newer than the last complete one. If a result has mirrors left, the same sync
	// continues it.
	SyncEvents(tx *store.Tx, syncs ...svc.EventSync) ([]svc.SyncResult, error)
}
