package messages

import (
	"appliance/store"
	"appliance/svc"
)

// Members is what Messages needs to know of Identity.
type Members interface {
	// Resolve returns the member that a recipient means to v (B-52). Whoever
	// is hidden does not exist.
	Resolve(tx *store.Tx, v svc.Viewer, recipient string, hidden []svc.MemberID) (svc.Person, error)

	// People returns the active members among ids. Whoever is missing is not
	// here any more.
	People(tx *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Person, error)
}

// Blocks is what Messages needs to know of Social: who wants nothing to do
// with whom (B-72). It makes no difference which of two blocks the other.
type Blocks interface {
	// Hidden returns everybody whom a member blocks, or who blocks them.
	Hidden(tx *store.Tx, member svc.MemberID) ([]svc.MemberID, error)

	// Blocked reports whether one of the two blocks the other.
	Blocked(tx *store.Tx, a, b svc.MemberID) (bool, error)
}
