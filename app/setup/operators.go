package setup

import (
	"context"

	"appliance/store"
	"appliance/svc/identity"
)

// Promote makes a member an operator. The change has effect at once in every process.
func (s *Setup) Promote(ctx context.Context, by identity.Actor, m identity.AdminMember) (identity.AdminMember, error) {
	changed, err := s.setOperator(ctx, by, m, true)
	if err == nil {
		s.removeLinkFile()
	}
	return changed, err
}

// Demote removes the operator rights of a member.
func (s *Setup) Demote(ctx context.Context, by identity.Actor, m identity.AdminMember) (identity.AdminMember, error) {
	return s.setOperator(ctx, by, m, false)
}

func (s *Setup) setOperator(ctx context.Context, by identity.Actor, m identity.AdminMember, operator bool) (identity.AdminMember, error) {
	err := s.db.Write(ctx, func(tx *store.Tx) error {
		changed, err := s.identity.SetOperator(tx, by, m.ID, operator)
		if err == nil {
			m = changed
		}
		return err
	})
	return m, err
}
