package messages

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// Members looks up members. Package identity implements it.
type Members interface {
	thread.Members

	// Resolve returns the member that recipient identifies: a member id, an e-mail
	// address, a user name or a display name. Members in hidden are treated as
	// absent.
	Resolve(tx *store.Tx, v svc.Viewer, recipient string, hidden []svc.MemberID) (svc.Person, error)
}
