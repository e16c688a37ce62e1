package messages

import (
	"appliance/store"
	"appliance/svc"
)

// Members looks up members. Package identity implements it.
type Members interface {
	// Resolve returns the member that recipient identifies: a member id, an e-mail
	// address, a user name or a display name. Members in hidden are treated as
	// absent.
	Resolve(tx *store.Tx, v svc.Viewer, recipient string, hidden []svc.MemberID) (svc.Person, error)

	// People returns the active members among ids. Disabled and deleted members
	// are missing from the result.
	People(tx *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Person, error)
}

// Blocks reports blocks between members, which have the same effect in both
// directions, and the mentions that blocks do not hide. Package social implements
// it.
type Blocks interface {
	// Hidden returns the members that member blocks or is blocked by.
	Hidden(tx *store.Tx, member svc.MemberID) ([]svc.MemberID, error)

	// Entities returns the mentions in each of the texts of members that v sees.
	Entities(tx *store.Tx, v svc.Viewer, texts ...string) ([]svc.List[svc.Entity], error)

	// Blocked reports whether one of the two members blocks the other.
	Blocked(tx *store.Tx, a, b svc.MemberID) (bool, error)
}
