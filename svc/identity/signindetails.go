package identity

import (
	"appliance/store"
	"appliance/svc"
)

// SignInDetailsChanges contains a member's changes to their e-mail address and user name.
// Nil fields stay unchanged.
type SignInDetailsChanges struct {
	Email    *string `json:"email"`
	Username *string `json:"username"`
}

// CheckSignInDetails returns an error if v cannot make the changes. movesOperator reports whether v
// is an operator and the address changes: the operator list must then contain the new address.
func (s *Service) CheckSignInDetails(tx *store.Tx, v svc.Viewer, c SignInDetailsChanges) (before, after Member, movesOperator bool, err error) {
	id, err := v.Require()
	if err != nil {
		return before, after, false, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return before, after, false, err
	}
	changed, err := s.applySignInDetailsChanges(tx, row, c)
	if err != nil {
		return before, after, false, err
	}
	before, after = s.member(row), s.member(changed)
	return before, after, before.IsOperator && row.EmailKey != changed.EmailKey, nil
}

// applySignInDetailsChanges returns the row with the changes, or an error if they are
// not permitted.
func (s *Service) applySignInDetailsChanges(tx *store.Tx, row memberRow, c SignInDetailsChanges) (memberRow, error) {
	changed, err := Changes{Email: c.Email, Username: c.Username}.apply(row)
	if err != nil {
		return row, err
	}
	if err := s.checkUnique(tx, changed); err != nil {
		return row, err
	}
	if changed.EmailKey == row.EmailKey {
		return changed, nil
	}
	if changed.OperatorChange, err = s.operatorChange(tx, changed.EmailKey); err != nil {
		return row, err
	}
	if s.isListed(changed.EmailKey, changed.OperatorChange) {
		return row, errReservedEmail()
	}
	return changed, nil
}

// ChangeSignInDetails changes the e-mail address or the user name of a member who has just
// proved their identity. The address of an operator moves in the operator list; the
// caller must have changed the settings. The previous address is recorded in the audit
// log.
func (s *Service) ChangeSignInDetails(tx *store.Tx, p Proof, c SignInDetailsChanges) error {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return err
	}
	changed, err := s.applySignInDetailsChanges(tx, row, c)
	if err != nil || changed == row {
		return err
	}
	moves := changed.EmailKey != row.EmailKey && s.member(row).IsOperator
	if moves {
		if err := s.setOperatorEmail(tx, row.EmailKey, false); err != nil {
			return err
		}
	}
	if err := s.moveOperatorChanges(tx, row.EmailKey, changed.EmailKey); err != nil {
		return err
	}
	if moves {
		if err := s.setOperatorEmail(tx, changed.EmailKey, true); err != nil {
			return err
		}
	}
	changed.Generation++
	changed.UpdatedAt = store.MillisOf(tx.Now())
	if err := s.save(tx, changed); err != nil {
		return err
	}
	tx.Touch(svc.MemberUpdated, store.Everyone)
	actor := row.ID.String()
	if changed.Email != row.Email {
		if _, err := tx.Exec(s.q.DeleteResets, store.Args{"member": row.ID}); err != nil {
			return err
		}
		if err := s.audit(tx, actor, auditEmail, row.ID, row.Email); err != nil {
			return err
		}
	}
	if changed.Username != row.Username {
		return s.audit(tx, actor, auditUpdate, row.ID, "username")
	}
	return nil
}
