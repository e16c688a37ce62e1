package identity

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"appliance/store"
	"appliance/svc"
)

type operatorQueries struct {
	HasMembers            store.Query `sql:"has-members"`
	OtherOperators        store.Query `sql:"other-operators"`
	OperatorChange        store.Query `sql:"operator-change"`
	RenameOperatorChange  store.Query `sql:"rename-operator-change"`
	SetOperator           store.Query `sql:"set-operator"`
	DeleteOperatorChanges store.Query `sql:"delete-operator-changes"`
}

// Actor is the operator or the command that performs an administrative operation.
// It proves the permission to do so; the zero Actor has none.
type Actor struct {
	name        string // as in the audit log
	viewer      svc.Viewer
	commandLine bool
}

// CommandLine returns the actor for commands run by a user of the machine. A user
// who can run them can also read and write the database file, so nothing is checked.
func CommandLine(user string) Actor { return Actor{name: "cli:" + user, commandLine: true} }

// Operator returns the actor for v, who must be an active operator.
func (s *Service) Operator(tx *store.Tx, v svc.Viewer) (Actor, error) {
	id, err := v.Require()
	if err != nil {
		return Actor{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return Actor{}, err
	}
	return s.operatorActor(row)
}

// ProvenOperator returns the actor for an operator who has just proved their
// identity again.
func (s *Service) ProvenOperator(tx *store.Tx, p Proof) (Actor, error) {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return Actor{}, err
	}
	return s.operatorActor(row)
}

// operatorActor returns the actor for the member of row, who must be an operator.
func (s *Service) operatorActor(row memberRow) (Actor, error) {
	if !s.member(row).IsOperator {
		return Actor{}, errNotOperator()
	}
	return Actor{name: row.ID.String(), viewer: svc.Trust(row.ID)}, nil
}

// checkStillOperator returns an error if a is a member who has lost the operator rights
// since the Actor was created.
func (s *Service) checkStillOperator(tx *store.Tx, a Actor) error {
	if err := a.require(); err != nil || a.commandLine {
		return err
	}
	row, err := s.memberByID(tx, a.viewer.Member())
	if err == nil && !s.member(row).IsOperator {
		err = errNotOperator()
	}
	return err
}

func (a Actor) require() error {
	if a.name == "" {
		return errNotOperator()
	}
	return nil
}

func errNotOperator() error {
	return svc.Errorf(svc.PermissionDenied, "Only operators of this server can do this.")
}

// AddOperator adds an e-mail address to the operator list. Surrounding white space
// and case are ignored.
func (s *Service) AddOperator(email string) {
	key := fold(email)
	s.mu.Lock()
	defer s.mu.Unlock()
	if key != "" && !slices.Contains(s.operators, key) {
		s.operators = append(slices.Clone(s.operators), key)
	}
}

// Operators returns the operator list: folded e-mail addresses. It does not contain
// the changes of SetOperator.
func (s *Service) Operators() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.operators // AddOperator replaces the slice
}

// isListed reports whether the operator list contains a folded address. The
// change of the list for this address, if any, takes precedence.
func (s *Service) isListed(emailKey string, change *bool) bool {
	if change != nil {
		return *change
	}
	return slices.Contains(s.Operators(), emailKey)
}

// operatorChange returns the change of the operator list for a folded address, or
// nil if there is none.
func (s *Service) operatorChange(tx *store.Tx, emailKey string) (change *bool, err error) {
	err = tx.Get(&change, s.q.OperatorChange, store.Args{"email_key": emailKey, "digest": emailDigest(tx, emailKey)})
	if store.IsNoRows(err) {
		return nil, nil
	}
	return change, err
}

// isOperatorEmail reports whether the operator list contains a folded address.
func (s *Service) isOperatorEmail(tx *store.Tx, emailKey string) (bool, error) {
	change, err := s.operatorChange(tx, emailKey)
	return s.isListed(emailKey, change), err
}

// HasMembers reports whether the server has ever had a member.
func (s *Service) HasMembers(tx *store.Tx) (has bool, err error) {
	return has, tx.Get(&has, s.q.HasMembers, nil)
}

// HasOperator reports whether there is an active operator.
func (s *Service) HasOperator(tx *store.Tx) (bool, error) {
	n, err := s.countOtherOperators(tx, 0)
	return n > 0, err
}

// countOtherOperators counts the active operators except the member with the id.
func (s *Service) countOtherOperators(tx *store.Tx, id svc.MemberID) (n int, err error) {
	err = tx.Get(&n, s.q.OtherOperators, store.Args{"operators": store.JSONArray(s.Operators()), "id": id})
	return n, err
}

// checkOtherOperators returns an error if there is no other active operator.
func (s *Service) checkOtherOperators(tx *store.Tx, operator svc.MemberID) error {
	n, err := s.countOtherOperators(tx, operator)
	if err == nil && n == 0 {
		return svc.Errorf(svc.LastOperator, "This is the last operator. Make another member an operator first.")
	}
	return err
}

// CheckDemotion returns an error if the member does not exist or is the only
// active operator.
func (s *Service) CheckDemotion(tx *store.Tx, id svc.MemberID) error {
	row, err := s.memberByID(tx, id)
	if err != nil || !s.member(row).IsOperator {
		return err
	}
	return s.checkOtherOperators(tx, id)
}

// CheckPromotion returns an error if the member does not exist or is disabled.
func (s *Service) CheckPromotion(tx *store.Tx, id svc.MemberID) error {
	row, err := s.memberByID(tx, id)
	if err != nil {
		return err
	}
	return checkPromotable(row)
}

func checkPromotable(row memberRow) error {
	if row.Status != Active {
		return svc.Errorf(svc.ActionUnavailable, "This member is disabled. Enable the member first.")
	}
	return nil
}

// SetOperator makes a member an operator, or removes the operator rights of a
// member. The change takes effect immediately in every process that uses the
// database. It lasts until [Service.DropOperatorChanges]; the caller must also
// change the settings from which the operator list is read. by may be from an earlier
// transaction.
func (s *Service) SetOperator(tx *store.Tx, by Actor, id svc.MemberID, operator bool) (AdminMember, error) {
	if err := s.checkStillOperator(tx, by); err != nil {
		return AdminMember{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return AdminMember{}, err
	}
	if operator {
		if err := checkPromotable(row); err != nil {
			return AdminMember{}, err
		}
	}
	if s.member(row).IsOperator == operator {
		return s.adminMember(tx, row)
	}
	action := auditPromote
	if !operator {
		action = auditDemote
		if err := s.checkOtherOperators(tx, id); err != nil {
			return AdminMember{}, err
		}
		if err := s.deleteLinks(tx, row); err != nil {
			return AdminMember{}, err
		}
	}
	if err := s.setOperatorEmail(tx, row.EmailKey, operator); err != nil {
		return AdminMember{}, err
	}
	row.OperatorChange = &operator
	row.Generation++ // an operator may need a second factor, which cached proofs lack
	if err := s.save(tx, row); err != nil {
		return AdminMember{}, err
	}
	tx.Touch(svc.MemberUpdated, store.Everyone)
	if err := s.audit(tx, by.name, action, id, ""); err != nil {
		return AdminMember{}, err
	}
	return s.adminMember(tx, row)
}

func (s *Service) setOperatorEmail(tx *store.Tx, emailKey string, operator bool) error {
	_, err := tx.Exec(s.q.SetOperator, store.Args{
		"email_key": emailKey, "is_operator": operator, "now": store.MillisOf(tx.Now()),
	})
	return err
}

// emailDigest returns a keyed digest of a folded e-mail address. It contains no @,
// so it differs from every address.
func emailDigest(tx *store.Tx, emailKey string) string {
	mac := hmac.New(sha256.New, tx.InstanceKey())
	mac.Write([]byte("identity_operator\x00" + emailKey))
	return hex.EncodeToString(mac.Sum(nil))
}

// moveOperatorChanges must be called when the folded e-mail address of a member changes. before is
// "" for a new member, after is "" for a deleted one. The change of the operator list for the
// previous address stays valid, because a running server has read that address from its settings,
// but only the digest of the address is kept.
func (s *Service) moveOperatorChanges(tx *store.Tx, before, after string) error {
	if before == after {
		return nil
	}
	if before != "" {
		if err := s.renameOperatorChange(tx, before, emailDigest(tx, before)); err != nil {
			return err
		}
	}
	if after == "" {
		return nil
	}
	return s.renameOperatorChange(tx, emailDigest(tx, after), after)
}

func (s *Service) renameOperatorChange(tx *store.Tx, from, to string) error {
	_, err := tx.Exec(s.q.RenameOperatorChange, store.Args{"from": from, "to": to})
	return err
}

// DropOperatorChanges deletes the changes of SetOperator. A server that starts calls
// it: it has just read the operator list from the settings, which contain them.
func (s *Service) DropOperatorChanges(tx *store.Tx) error {
	_, err := tx.Exec(s.q.DeleteOperatorChanges, nil)
	return err
}
