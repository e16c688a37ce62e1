package identity

import (
	"appliance/store"
	"appliance/svc"
)

// MemberHooks are the functions of another service that run when an account is
// created, recovered, renamed or deleted. They run inside the transaction of that
// change, DeleteData also in later ones; an error rolls it back. A nil function does nothing.
type MemberHooks struct {
	// MemberCreated runs for a new member, with the member's locale.
	MemberCreated func(tx *store.Tx, id svc.MemberID, locale string) error

	// AccountRecovered runs after a password reset. It must revoke all access
	// that needs no password, such as calendar links: an attacker who controlled
	// the account may have created them.
	AccountRecovered func(tx *store.Tx, id svc.MemberID) error

	// MemberDeleted runs before the member's row is cleared. It ends all access and makes records
	// invisible that other members must no longer see.
	MemberDeleted func(tx *store.Tx, id svc.MemberID) error

	// DeleteData deletes data that belongs to a deleted member alone; records that other
	// members can see stay under the same id. It deletes about limit rows at most and returns
	// their number. If that is less than limit, none are left.
	DeleteData func(tx *store.Tx, id svc.MemberID, limit int) (rows int, err error)

	// NameChanged runs after the name that other members see has changed: the
	// member was renamed, disabled, enabled or deleted.
	NameChanged func(tx *store.Tx, id svc.MemberID) error

	// ZoneChanged runs after the member has got another time zone.
	ZoneChanged func(tx *store.Tx, id svc.MemberID, timezone string) error
}

// runNameHooks runs the NameChanged functions.
func (s *Service) runNameHooks(tx *store.Tx, id svc.MemberID) error {
	for _, h := range s.hooks {
		if h.NameChanged == nil {
			continue
		}
		if err := h.NameChanged(tx, id); err != nil {
			return err
		}
	}
	return nil
}
