package identity

import (
	"appliance/store"
	"appliance/svc"
)

// Household is whoever keeps things for members. It is told inside the
// transaction that makes or deletes the member, and its error undoes both.
type Household interface {
	// Joined is told of a new member and the time zone they live in.
	Joined(tx *store.Tx, id svc.MemberID, timezone string) error

	// Left is told of a member who is being deleted: what is only theirs
	// goes, what they share with others stays under their number.
	Left(tx *store.Tx, id svc.MemberID) error
}
