package setup

import (
	"context"
	"errors"
	"fmt"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// Promote makes a member an operator. It changes the settings file and, so that the
// change has effect at once in every process, the database.
func (s *Setup) Promote(ctx context.Context, by identity.Actor, m identity.AdminMember) (identity.AdminMember, error) {
	if err := s.checkEditable(); err != nil {
		return m, err
	}
	s.operatorsMu.Lock()
	defer s.operatorsMu.Unlock()
	err := s.db.Read(ctx, func(tx *store.Tx) error { return s.identity.CheckPromotion(tx, m.ID) })
	if err != nil {
		return m, err
	}
	if err := config.AddOperator(s.settings.File(), m.Email); err != nil {
		return m, s.fileError(err)
	}
	changed, err := s.setOperator(ctx, by, m.ID, true)
	if err != nil && !m.IsOperator { // for example, the actor is no operator any more: restore the settings file
		return m, errors.Join(err, config.RemoveOperator(s.settings.File(), m.Email))
	}
	s.removeLinkFile()
	return changed, err
}

// Demote removes the operator rights of a member.
func (s *Setup) Demote(ctx context.Context, by identity.Actor, m identity.AdminMember) (identity.AdminMember, error) {
	if err := s.checkEditable(); err != nil {
		return m, err
	}
	s.operatorsMu.Lock()
	defer s.operatorsMu.Unlock()
	err := s.db.Read(ctx, func(tx *store.Tx) error { return s.identity.CheckDemotion(tx, m.ID) })
	if err != nil {
		return m, err
	}
	if err := config.RemoveOperator(s.settings.File(), m.Email); err != nil {
		return m, s.fileError(err)
	}
	changed, err := s.setOperator(ctx, by, m.ID, false)
	if err != nil { // for example, the member is now the last operator: restore the settings file
		return m, errors.Join(err, config.AddOperator(s.settings.File(), m.Email))
	}
	return changed, nil
}

// MoveOperator replaces the e-mail address of an operator in the settings file. It
// returns a function that undoes the change.
func (s *Setup) MoveOperator(from, to string) (undo func() error, err error) {
	if err := s.checkEditable(); err != nil {
		return nil, err
	}
	replace := func(from, to string) error {
		s.operatorsMu.Lock()
		defer s.operatorsMu.Unlock()
		if err := config.ReplaceOperator(s.settings.File(), from, to); err != nil {
			return s.fileError(err)
		}
		return nil
	}
	return func() error { return replace(to, from) }, replace(from, to)
}

// checkEditable returns an error if the environment or a flag sets the operator list:
// it takes precedence over the settings file after a restart.
func (s *Setup) checkEditable() error {
	if source := s.settings.OperatorsSource(); source != "" {
		return svc.Errorf(svc.ActionUnavailable, "The operators are set elsewhere (%s). Change it there and restart the server.", source)
	}
	return nil
}

func (s *Setup) fileError(err error) error {
	return fmt.Errorf("writing the operators to %s: %w", s.settings.File(), err)
}

func (s *Setup) setOperator(ctx context.Context, by identity.Actor, id svc.MemberID, operator bool) (m identity.AdminMember, err error) {
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		m, err = s.identity.SetOperator(tx, by, id, operator)
		return err
	})
	return m, err
}
