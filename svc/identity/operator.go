package identity

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
)

type operatorQueries struct {
	HasMembers           store.Query `sql:"has-members"`
	OtherOperators       store.Query `sql:"other-operators"`
	OperatorNames        store.Query `sql:"operator-names"`
	FirstMember          store.Query `sql:"first-member"`
	OperatorSetting      store.Query `sql:"operator-setting"`
	SetOperatorSetting   store.Query `sql:"set-operator-setting"`
	IsOperatorEmail      store.Query `sql:"is-operator-email"`
	DeleteOperatorEmail  store.Query `sql:"delete-operator-email"`
	DeleteOperatorEmails store.Query `sql:"delete-operator-emails"`
	AddOperatorEmails    store.Query `sql:"add-operator-emails"`
	SetListedOperators   store.Query `sql:"set-listed-operators"`
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

// operatorSetting is the setting admin-allowed-emails that a server took last.
type operatorSetting struct {
	Source string `db:"source"` // as Config.OperatorsSource
	Digest string `db:"digest"`
}

// TakeOperators applies the setting admin-allowed-emails. A server calls it when it starts.
//
// If the environment or a flag sets the list, exactly the members with these addresses are
// operators. A list in the settings file makes members operators once after each change, so that
// a later demotion lasts. Addresses that belong to no member are kept for later members.
func (s *Service) TakeOperators(tx *store.Tx) error {
	fixed := s.cfg.OperatorsSource != ""
	setting := operatorSetting{Source: s.cfg.OperatorsSource, Digest: operatorsDigest(tx, s.operators)}
	var previous operatorSetting
	if err := tx.Get(&previous, s.q.OperatorSetting, nil); err != nil && !store.IsNoRows(err) {
		return err
	}
	if setting != previous {
		if err := s.storeOperatorSetting(tx, setting); err != nil {
			return err
		}
	} else if !fixed {
		return nil
	}
	var changed []struct {
		ID       svc.MemberID `db:"id"`
		EmailKey string       `db:"email_key"`
		Operator bool         `db:"is_operator"`
	}
	args := store.Args{"emails": store.JSONArray(s.operators), "only": fixed, "now": store.MillisOf(tx.Now())}
	if err := tx.Select(&changed, s.q.SetListedOperators, args); err != nil {
		return err
	}
	for _, m := range changed {
		action := auditPromote
		if !m.Operator {
			action = auditDemote
			if err := s.deleteLinks(tx, memberRow{ID: m.ID, EmailKey: m.EmailKey}); err != nil {
				return err
			}
		}
		if err := s.audit(tx, "settings", action, m.ID, "admin-allowed-emails"); err != nil {
			return err
		}
	}
	if len(changed) > 0 {
		tx.Touch(svc.MemberUpdated, store.Everyone)
	}
	return nil
}

// storeOperatorSetting stores the setting and its addresses.
func (s *Service) storeOperatorSetting(tx *store.Tx, setting operatorSetting) error {
	if _, err := tx.Exec(s.q.DeleteOperatorEmails, nil); err != nil {
		return err
	}
	args := store.Args{"emails": store.JSONArray(s.operators), "all": setting.Source != ""}
	if _, err := tx.Exec(s.q.AddOperatorEmails, args); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.SetOperatorSetting, store.Args{"source": setting.Source, "digest": setting.Digest})
	return err
}

// operatorsDigest returns a keyed digest of folded e-mail addresses, which does not depend on their
// order.
func operatorsDigest(tx *store.Tx, emails []string) string {
	mac := hmac.New(sha256.New, tx.InstanceKey())
	mac.Write([]byte("identity_operator_setting\x00" + strings.Join(slices.Sorted(slices.Values(emails)), "\x00")))
	return hex.EncodeToString(mac.Sum(nil))
}

// OperatorsSource returns what fixes the operators, such as "variable ADMIN_ALLOWED_EMAILS": the
// settings of this process or of the server that started last. It returns "" if nothing does.
func (s *Service) OperatorsSource(tx *store.Tx) (string, error) {
	if s.cfg.OperatorsSource != "" {
		return s.cfg.OperatorsSource, nil
	}
	var setting operatorSetting
	err := tx.Get(&setting, s.q.OperatorSetting, nil)
	if store.IsNoRows(err) {
		return "", nil
	}
	return setting.Source, err
}

// checkOperatorsEditable returns an error if the environment or a flag sets the operators.
func (s *Service) checkOperatorsEditable(tx *store.Tx) error {
	source, err := s.OperatorsSource(tx)
	if err == nil && source != "" {
		err = svc.Errorf(svc.ActionUnavailable, "The operators are set elsewhere (%s). Change it there and restart the server.", source)
	}
	return err
}

// isOperatorEmail reports whether a member with a folded address becomes an operator by the
// setting admin-allowed-emails.
func (s *Service) isOperatorEmail(tx *store.Tx, emailKey string) (listed bool, err error) {
	if s.cfg.OperatorsSource != "" {
		return slices.Contains(s.operators, emailKey), nil
	}
	err = tx.Get(&listed, s.q.IsOperatorEmail, store.Args{"email_key": emailKey})
	return listed, err
}

// isReservedEmail reports whether a folded address is in the setting admin-allowed-emails, also if it
// has made a member an operator already: without a confirmation, no member may take it.
func (s *Service) isReservedEmail(tx *store.Tx, emailKey string) (bool, error) {
	if slices.Contains(s.operators, emailKey) {
		return true, nil
	}
	return s.isOperatorEmail(tx, emailKey)
}

// useOperatorEmail removes a folded address of the settings file from those that make a member an
// operator, because it does so once. It must be called after a member has received the address. If
// the environment or a flag sets the operators, the addresses are kept.
func (s *Service) useOperatorEmail(tx *store.Tx, emailKey string) error {
	if source, err := s.OperatorsSource(tx); err != nil || source != "" {
		return err
	}
	_, err := tx.Exec(s.q.DeleteOperatorEmail, store.Args{"email_key": emailKey})
	return err
}

// moveOperator sets after.IsOperator if the address of the member changes. An address of the
// setting makes the member an operator. Otherwise an operator stays one, unless the environment or
// a flag sets the operators.
func (s *Service) moveOperator(tx *store.Tx, before memberRow, after *memberRow) error {
	if before.EmailKey == after.EmailKey {
		return nil
	}
	listed, err := s.isOperatorEmail(tx, after.EmailKey)
	if err != nil {
		return err
	}
	source, err := s.OperatorsSource(tx)
	after.IsOperator = listed || before.IsOperator && source == ""
	return err
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

// OperatorStatus says who administers a server.
type OperatorStatus struct {
	Operators svc.List[string] `json:"operators"` // user names of the active operators, at most 50
	Source    string           `json:"source"`    // as [Service.OperatorsSource]
	Candidate string           `json:"-"`         // user name of the first active member, who could become one; "" for none
}

// OperatorStatus returns who administers the server.
func (s *Service) OperatorStatus(tx *store.Tx) (status OperatorStatus, err error) {
	if status.Source, err = s.OperatorsSource(tx); err != nil {
		return status, err
	}
	if err := tx.Select(&status.Operators, s.q.OperatorNames, nil); err != nil {
		return status, err
	}
	err = tx.Get(&status.Candidate, s.q.FirstMember, nil)
	if store.IsNoRows(err) {
		err = nil
	}
	return status, err
}

// countOtherOperators counts the active operators except the member with the id.
func (s *Service) countOtherOperators(tx *store.Tx, id svc.MemberID) (n int, err error) {
	err = tx.Get(&n, s.q.OtherOperators, store.Args{"id": id})
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

func checkPromotable(row memberRow) error {
	if row.Status != Active {
		return svc.Errorf(svc.ActionUnavailable, "This member is disabled. Enable the member first.")
	}
	return nil
}

// SetOperator makes a member an operator, or removes the operator rights of a
// member. The change takes effect immediately in every process that uses the
// database, and lasts. by may be from an earlier transaction.
func (s *Service) SetOperator(tx *store.Tx, by Actor, id svc.MemberID, operator bool) (AdminMember, error) {
	if err := s.checkStillOperator(tx, by); err != nil {
		return AdminMember{}, err
	}
	if err := s.checkOperatorsEditable(tx); err != nil {
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
	row.IsOperator = operator
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
