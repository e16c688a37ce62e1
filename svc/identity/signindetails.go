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

// CheckSignInDetails returns an error if v cannot make the changes.
func (s *Service) CheckSignInDetails(tx *store.Tx, v svc.Viewer, c SignInDetailsChanges) error {
	id, err := v.Require()
	if err != nil {
		return err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return err
	}
	_, err = s.applySignInDetailsChanges(tx, row, c)
	return err
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
	if reserved, err := s.isReservedEmail(tx, changed.EmailKey); err != nil {
		return row, err
	} else if reserved {
		return row, errReservedEmail()
	}
	if s.member(row).IsOperator {
		return changed, s.checkOperatorsEditable(tx)
	}
	return changed, nil
}

// ChangeSignInDetails changes the e-mail address or the user name of a member who has just
// proved their identity. The previous address is recorded in the audit log.
func (s *Service) ChangeSignInDetails(tx *store.Tx, p Proof, c SignInDetailsChanges) error {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return err
	}
	changed, err := s.applySignInDetailsChanges(tx, row, c)
	if err != nil || changed == row {
		return err
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
