package identity

import (
	"strconv"
	"time"

	"appliance/store"
	"appliance/svc"
)

type linkQueries struct {
	AddLink            store.Query `sql:"add-link"`
	LinkByHash         store.Query `sql:"link-by-hash"`
	UseLink            store.Query `sql:"use-link"`
	Invitations        store.Query `sql:"invitations"`
	DeleteInvitation   store.Query `sql:"delete-invitation"`
	DeleteResets       store.Query `sql:"delete-resets"`
	DeleteDeviceLinks  store.Query `sql:"delete-device-links"`
	DeleteCreatedLinks store.Query `sql:"delete-created-links"`
	DeleteLinks        store.Query `sql:"delete-links"`
	DeleteExpiredLinks store.Query `sql:"delete-expired-links"`
}

// Lifetimes of one-time links.
const (
	invitationTime = 7 * day
	resetTime      = day
	deviceTime     = 10 * time.Minute
)

// purpose determines what a one-time link permits.
type purpose string

const (
	invitationPurpose purpose = "invitation"
	resetPurpose      purpose = "reset"
	devicePurpose     purpose = "device"
)

// Values implements [svc.Set].
func (purpose) Values() []string { return svc.Values(invitationPurpose, resetPurpose, devicePurpose) }

// linkRow is a row of identity_link, without the hash of the code.
type linkRow struct {
	ID        string        `db:"id"`
	Email     string        `db:"email"`
	Member    *svc.MemberID `db:"member_id"`
	Label     string        `db:"label"`
	CreatedBy string        `db:"created_by"`
	CreatedAt store.Millis  `db:"created_at"`
	ExpiresAt store.Millis  `db:"expires_at"`
	UsedAt    *store.Millis `db:"used_at"`
}

// addLink creates a link and returns its code, which is not stored.
func (s *Service) addLink(tx *store.Tx, p purpose, r linkRow) (code string, err error) {
	code = svc.NewSecret(string(p[:3]) + "_")
	_, err = tx.Exec(s.q.AddLink, store.Args{
		"id": r.ID, "purpose": p, "hash": digest(code), "email": r.Email, "member": r.Member, "label": r.Label,
		"actor": r.CreatedBy, "now": r.CreatedAt, "expires": r.ExpiresAt,
	})
	return code, err
}

// linkByCode returns the link with the code. It must be unused and not expired.
func (s *Service) linkByCode(tx *store.Tx, p purpose, code string) (linkRow, error) {
	var r linkRow
	err := tx.Get(&r, s.q.LinkByHash, store.Args{
		"hash": digest(code), "purpose": p, "now": store.MillisOf(tx.Now()),
	})
	switch {
	case store.IsNoRows(err) && p == devicePurpose:
		return r, svc.Errorf(svc.LinkExpired, "This link has been used, has expired or was withdrawn. Create a new one in your settings.")
	case store.IsNoRows(err):
		return r, svc.Errorf(svc.LinkExpired, "This link has been used, has expired or was withdrawn. Ask the operator of this server for a new one.")
	}
	return r, err
}

// useLink records that a member has used a link.
func (s *Service) useLink(tx *store.Tx, id string, by svc.MemberID) error {
	_, err := tx.Exec(s.q.UseLink, store.Args{"id": id, "member": by, "now": store.MillisOf(tx.Now())})
	return err
}

// Invitation permits one registration. It does not contain the code.
type Invitation struct {
	ID        string        `json:"id"`
	Email     string        `json:"email"`      // the only address that may register, "" for any
	CreatedBy string        `json:"created_by"` // actor, as in the audit log
	CreatedAt time.Time     `json:"created_at"`
	ExpiresAt time.Time     `json:"expires_at"`
	UsedAt    *time.Time    `json:"used_at"`
	UsedBy    *svc.MemberID `json:"used_by"`
}

// NewInvitation is a new invitation, the only value that contains the code.
type NewInvitation struct {
	Invitation
	Code string `json:"code"`
}

func (r linkRow) invitation() Invitation {
	return Invitation{
		ID: r.ID, Email: r.Email, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt.Timestamp(), ExpiresAt: r.ExpiresAt.Timestamp(),
		UsedAt: store.OptionalTimestamp(r.UsedAt), UsedBy: r.Member,
	}
}

// PermitsInvitations reports whether the registration policy permits invitations.
func (s *Service) PermitsInvitations() bool { return s.cfg.Registration != Closed }

// Invite creates an invitation for an e-mail address or, if it is empty, for any
// address.
func (s *Service) Invite(tx *store.Tx, by Actor, email string) (NewInvitation, error) {
	if err := by.require(); err != nil {
		return NewInvitation{}, err
	}
	if !s.PermitsInvitations() {
		return NewInvitation{}, svc.Errorf(svc.RegistrationClosed,
			"Invitations have no effect while registration is closed. Change the setting registration to invite first.")
	}
	r := linkRow{
		ID: svc.NewID("inv"), CreatedBy: by.name,
		CreatedAt: store.MillisOf(tx.Now()), ExpiresAt: store.MillisOf(tx.Now().Add(invitationTime)),
	}
	if email != "" {
		address, err := CheckEmail(email)
		if err != nil {
			return NewInvitation{}, err
		}
		r.Email = fold(address)
		if err := s.checkUnique(tx, memberRow{EmailKey: r.Email}); err != nil {
			return NewInvitation{}, err
		}
	}
	code, err := s.addLink(tx, invitationPurpose, r)
	if err != nil {
		return NewInvitation{}, err
	}
	return NewInvitation{r.invitation(), code}, s.audit(tx, by.name, auditInvite, 0, r.ID)
}

// Invitation returns the invitation with the code. It must be unused and not
// expired.
func (s *Service) Invitation(tx *store.Tx, code string) (Invitation, error) {
	r, err := s.linkByCode(tx, invitationPurpose, code)
	return r.invitation(), err
}

// Inviter returns the display name of the member who created the invitation, or "" if a command
// created it or the member is not active.
func (s *Service) Inviter(tx *store.Tx, i Invitation) (string, error) {
	id, err := strconv.ParseInt(i.CreatedBy, 10, 64)
	if err != nil {
		return "", nil // for example, cli:root
	}
	r, err := s.memberByID(tx, svc.MemberID(id))
	if svc.KindOf(err) == svc.Missing || err == nil && r.Status != Active {
		return "", nil
	}
	return r.DisplayName, err
}

// Invitations returns the invitations that have not expired, including used ones,
// newest first.
func (s *Service) Invitations(tx *store.Tx, by Actor) ([]Invitation, error) {
	if err := by.require(); err != nil {
		return nil, err
	}
	var rows []linkRow
	err := tx.Select(&rows, s.q.Invitations, store.Args{"now": store.MillisOf(tx.Now())})
	list := make([]Invitation, len(rows))
	for i, r := range rows {
		list[i] = r.invitation()
	}
	return list, err
}

// RevokeInvitation withdraws an unused invitation.
func (s *Service) RevokeInvitation(tx *store.Tx, by Actor, id string) error {
	if err := by.require(); err != nil {
		return err
	}
	rows, err := tx.Exec(s.q.DeleteInvitation, store.Args{"id": id})
	if err != nil {
		return err
	}
	if rows == 0 {
		return svc.Errorf(svc.NotFound, "This invitation has been used or withdrawn.")
	}
	return s.audit(tx, by.name, auditUninvite, 0, id)
}

// ResetLink is a one-time link to set a new password.
type ResetLink struct {
	Code      string    `json:"code"`
	ExpiresAt time.Time `json:"expires_at"`
}

// AddResetLink creates a reset link for a member and revokes earlier ones.
func (s *Service) AddResetLink(tx *store.Tx, by Actor, id svc.MemberID) (ResetLink, error) {
	if err := by.require(); err != nil {
		return ResetLink{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return ResetLink{}, err
	}
	if _, err := tx.Exec(s.q.DeleteResets, store.Args{"member": id}); err != nil {
		return ResetLink{}, err
	}
	r := linkRow{
		ID: svc.NewID("rst"), Member: &row.ID, CreatedBy: by.name,
		CreatedAt: store.MillisOf(tx.Now()), ExpiresAt: store.MillisOf(tx.Now().Add(resetTime)),
	}
	code, err := s.addLink(tx, resetPurpose, r)
	if err != nil {
		return ResetLink{}, err
	}
	return ResetLink{code, r.ExpiresAt.Timestamp()}, s.audit(tx, by.name, auditResetLink, id, "")
}

// ResetMember returns the member whose password can be reset with the code.
func (s *Service) ResetMember(tx *store.Tx, code string) (Member, error) {
	row, err := s.memberByResetCode(tx, code)
	if err != nil {
		return Member{}, err
	}
	return s.member(row), nil
}

// ResetPassword sets the password of the member for whom a reset link was created.
// It revokes the code, all tokens and device passwords, and the links that the
// member created.
func (s *Service) ResetPassword(tx *store.Tx, code string, password PasswordHash) (Proof, error) {
	row, err := s.memberByResetCode(tx, code)
	if err != nil {
		return Proof{}, err
	}
	if err := s.replacePassword(tx, &row, password); err != nil {
		return Proof{}, err
	}
	return proofOf(row, byResetLink), s.audit(tx, row.ID.String(), auditReset, row.ID, "")
}

// memberByResetCode reads the member whose password the code can reset.
func (s *Service) memberByResetCode(tx *store.Tx, code string) (memberRow, error) {
	link, err := s.linkByCode(tx, resetPurpose, code)
	if err != nil {
		return memberRow{}, err
	}
	row, err := s.memberByID(tx, *link.Member)
	if err == nil && row.Status != Active {
		return memberRow{}, svc.Errorf(svc.LinkExpired, "This account is disabled. Ask the operator of this server.")
	}
	return row, err
}

// replacePassword sets the password of an account that an attacker may have
// used. In addition to what setPassword does, it revokes device passwords and
// the links that the member created, and runs the AccountRecovered hooks.
func (s *Service) replacePassword(tx *store.Tx, row *memberRow, password PasswordHash) error {
	if err := s.deleteDevices(tx, row.ID); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.DeleteCreatedLinks, store.Args{"actor": row.ID.String()}); err != nil {
		return err
	}
	for _, h := range s.hooks {
		if h.AccountRecovered == nil {
			continue
		}
		if err := h.AccountRecovered(tx, row.ID); err != nil {
			return err
		}
	}
	return s.setPassword(tx, row, password, "")
}
