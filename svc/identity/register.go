package identity

import (
	"context"
	"fmt"

	"appliance/store"
	"appliance/svc"
)

// Registration is a request to create an account.
type Registration struct {
	Email       string `json:"email"`
	Username    string `json:"username"`     // derived from Email if empty
	DisplayName string `json:"display_name"` // Username if empty
	Name        string `json:"name"`         // alias of display_name
	Password    string `json:"password"`
	Timezone    string `json:"timezone"` // IANA name; empty until a browser reports one
	Locale      string `json:"-"`        // BCP 47 tag; that of the settings if empty
	InviteCode  string `json:"invite_code"`
}

// Applicant is a registration that has passed all checks that need no database,
// with its password hashed.
type Applicant struct {
	email, username, displayName, timezone, locale string

	password PasswordHash
	code     string
	operator bool // see SetUp
}

// Prepare validates a registration and hashes the password. For unauthenticated
// clients call [Service.CheckPolicy] first: hashing is expensive.
func (s *Service) Prepare(ctx context.Context, r Registration) (Applicant, error) {
	var missing []error
	if fold(r.Email) == "" {
		missing = append(missing, svc.Required("email"))
	}
	if r.Password == "" {
		missing = append(missing, svc.Required("password"))
	}
	if err := svc.Join(missing...); err != nil {
		return Applicant{}, err
	}
	a := Applicant{displayName: r.DisplayName, timezone: r.Timezone, locale: r.Locale, code: r.InviteCode}
	if a.displayName == "" {
		a.displayName = r.Name
	}
	var invalid [6]error
	a.email, invalid[0] = CheckEmail(r.Email)
	if r.Username != "" {
		a.username, invalid[1] = checkUsername(r.Username)
	}
	if a.displayName != "" {
		a.displayName, invalid[2] = checkDisplayName(a.displayName)
	}
	invalid[3] = CheckPassword(r.Password, r.Email)
	if a.timezone != "" {
		invalid[4] = checkTimezone(a.timezone)
	}
	if a.locale == "" {
		a.locale = s.cfg.Locale
	}
	invalid[5] = checkLocale(a.locale)
	if err := svc.Join(invalid[:]...); err != nil {
		return Applicant{}, err
	}
	var err error
	a.password, err = s.hash(ctx, r.Password)
	return a, err
}

// CheckPolicy returns an error if the policy does not permit a registration with the
// invitation code, which may be empty. It does not verify the code.
func (s *Service) CheckPolicy(code string) error {
	switch {
	case s.cfg.Registration == Closed:
		return svc.Errorf(svc.RegistrationClosed, "Registration is closed. Ask the operator of this server to add you.")
	case s.cfg.Registration == InviteOnly && code == "":
		return svc.Errorf(svc.RegistrationClosed, "Registration requires an invitation. Ask the operator of this server for one.")
	}
	return nil
}

// Register creates an account for the applicant if the policy and the invitation
// permit it.
func (s *Service) Register(tx *store.Tx, a Applicant) (Proof, error) {
	if err := s.CheckPolicy(a.code); err != nil {
		return Proof{}, err
	}
	var invitation linkRow
	if a.code != "" {
		var err error
		if invitation, err = s.linkByCode(tx, invitationPurpose, a.code); err != nil {
			return Proof{}, err
		}
		if invitation.Email != "" && invitation.Email != fold(a.email) {
			return Proof{}, svc.FieldError(svc.InvalidValue, "email",
				"This invitation is for %s. Register with this address.", invitation.Email)
		}
	}
	row, err := s.createMember(tx, a, invitation.Email != "")
	if err != nil {
		return Proof{}, err
	}
	if a.code != "" {
		if err := s.useLink(tx, invitation.ID, row.ID); err != nil {
			return Proof{}, err
		}
	}
	return proofOf(row, byRegistration), s.audit(tx, row.ID.String(), auditRegister, row.ID, invitation.ID)
}

// SetUp creates the first operator. If the list of operators is fixed, it must contain
// the e-mail address.
func (s *Service) SetUp(tx *store.Tx, a Applicant) (Proof, error) {
	if err := s.checkSetUp(tx, fold(a.email)); err != nil {
		return Proof{}, err
	}
	a.operator = true
	row, err := s.createMember(tx, a, true)
	if err != nil {
		return Proof{}, err
	}
	return proofOf(row, bySetUp), s.audit(tx, "setup", auditAdd, row.ID, "")
}

// SetUpMember makes a member who has just proved their identity the first operator, for example
// after a backup without operators was restored.
func (s *Service) SetUpMember(tx *store.Tx, p Proof) (Proof, error) {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return p, err
	}
	if err := s.checkSetUp(tx, row.EmailKey); err != nil {
		return p, err
	}
	row.IsOperator = true
	row.Generation++
	if err := s.save(tx, row); err != nil {
		return p, err
	}
	p.generation = row.Generation
	tx.Touch(svc.MemberUpdated, store.Everyone)
	return p, s.audit(tx, "setup", auditPromote, row.ID, "")
}

// checkSetUp returns an error unless a member with a folded address can become the first operator.
func (s *Service) checkSetUp(tx *store.Tx, emailKey string) error {
	if done, err := s.HasOperator(tx); err != nil {
		return err
	} else if done {
		return svc.Errorf(svc.LinkExpired, "This server is already set up. Sign in instead.")
	}
	source, err := s.OperatorsSource(tx)
	if err != nil || source == "" {
		return err
	}
	listed, err := s.isOperatorEmail(tx, emailKey)
	if err == nil && !listed {
		err = svc.FieldError(svc.PermissionDenied, "email",
			"Only an address in admin-allowed-emails (ADMIN_ALLOWED_EMAILS) can set up this server. Use one of them or change the setting.")
	}
	return err
}

// AddMember creates an account regardless of the policy. Only commands can use an
// e-mail address of the operator list.
func (s *Service) AddMember(tx *store.Tx, by Actor, a Applicant) (Member, error) {
	if err := by.require(); err != nil {
		return Member{}, err
	}
	row, err := s.createMember(tx, a, by.commandLine)
	if err != nil {
		return Member{}, err
	}
	return s.member(row), s.audit(tx, by.name, auditAdd, row.ID, "")
}

// createMember creates a member and runs the hooks. emailTrusted means that a set-up link,
// an invitation for the address, or a command confirms the e-mail address. Addresses
// of the operator list require it: otherwise anyone could register as an operator.
func (s *Service) createMember(tx *store.Tx, a Applicant, emailTrusted bool) (memberRow, error) {
	now := store.MillisOf(tx.Now())
	row := memberRow{
		Username: a.username, Status: Active, Timezone: a.timezone, Locale: a.locale,
		PasswordHash: a.password.phc, Generation: 1, CreatedAt: now, UpdatedAt: now,
	}
	row.setEmail(a.email)
	if row.Username == "" {
		var err error
		if row.Username, err = s.freeUsername(tx, deriveUsername(a.email)); err != nil {
			return memberRow{}, err
		}
	}
	row.setDisplayName(a.displayName)
	if row.DisplayName == "" {
		row.setDisplayName(row.Username)
	}
	if err := s.checkUnique(tx, row); err != nil {
		return memberRow{}, err
	}
	if reserved, err := s.isReservedEmail(tx, row.EmailKey); err != nil {
		return memberRow{}, err
	} else if reserved && !emailTrusted {
		return memberRow{}, errReservedEmail()
	}
	listed, err := s.isOperatorEmail(tx, row.EmailKey)
	if err != nil {
		return memberRow{}, err
	}
	row.IsOperator = listed || a.operator
	err = tx.Get(&row.ID, s.q.AddMember, store.Args{
		"email": row.Email, "email_key": row.EmailKey, "username": row.Username, "display_name": row.DisplayName,
		"name_key": row.NameKey, "timezone": row.Timezone, "locale": row.Locale,
		"is_operator": row.IsOperator, "password_hash": row.PasswordHash, "now": now,
	})
	if err != nil {
		return memberRow{}, err
	}
	if err := s.useOperatorEmail(tx, row.EmailKey); err != nil {
		return memberRow{}, err
	}
	for _, h := range s.hooks {
		if h.MemberCreated == nil {
			continue
		}
		if err := h.MemberCreated(tx, row.ID, row.Locale); err != nil {
			return memberRow{}, err
		}
	}
	tx.Touch(svc.MemberCreated, store.Everyone)
	return row, nil
}

func errReservedEmail() error {
	return svc.FieldError(svc.EmailReserved, "email",
		"This e-mail address is reserved for an operator of this server. Register with an invitation for this address, or use the command line.")
}

// freeUsername returns base if it is available, otherwise the first available of
// base-2, base-3, ….
func (s *Service) freeUsername(tx *store.Tx, base string) (string, error) {
	var names []string
	if err := tx.Select(&names, s.q.UsernamesWithSuffix, store.Args{"base": base}); err != nil {
		return "", err
	}
	used := make(map[string]bool, len(names))
	for _, name := range names {
		used[name] = true
	}
	name := base
	for n := 2; used[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	return name, nil
}
