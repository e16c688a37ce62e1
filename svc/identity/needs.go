package identity

import (
	"appliance/store"
	"appliance/svc"
)

// Household is whoever keeps things for members. It is told inside the
// transaction that does it to the member, and its error undoes both.
type Household interface {
	// Joined is told of a new member and the time zone they live in.
	Joined(tx *store.Tx, id svc.MemberID, timezone string) error

	// Recovered is told of a member whose account has been taken back from
	// whoever else may have had it in hand: what opens to others without a
	// password, and may be theirs, is closed.
	Recovered(tx *store.Tx, id svc.MemberID) error

	// Left is told of a member who is being deleted: what is only theirs
	// goes, what they share with others stays under their number.
	Left(tx *store.Tx, id svc.MemberID) error
}
