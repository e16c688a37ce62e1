package identity

import (
	"strconv"
	"time"

	"appliance/store"
	"appliance/svc"
)

type factorQueries struct {
	AddFactor          store.Query `sql:"add-factor"`
	DeleteFactor       store.Query `sql:"delete-factor"`
	HasConfirmedFactor store.Query `sql:"has-confirmed-factor"`
}

// FactorPolicy determines which members must have a second factor.
type FactorPolicy string

const (
	FactorOptional  FactorPolicy = "off"
	FactorOperators FactorPolicy = "operators"
	FactorAll       FactorPolicy = "all"
)

// requiresFactor reports whether the policy requires a second factor of a member.
func (s *Service) requiresFactor(operator bool) bool {
	return s.cfg.SecondFactor == FactorAll || s.cfg.SecondFactor == FactorOperators && operator
}

// SecondFactor is the state of the second factors of a member.
type SecondFactor struct {
	Enabled       bool              `json:"enabled"`        // sign-in requires a second factor
	Required      bool              `json:"required"`       // the operators of the server require one
	TOTP          *TOTP             `json:"totp,omitzero"`  // absent without a confirmed authenticator app
	TOTPPending   bool              `json:"totp_pending"`   // an authenticator app waits for its first code
	Passkeys      svc.List[Passkey] `json:"passkeys"`       // oldest first
	RecoveryCodes int               `json:"recovery_codes"` // unused ones

	// The kinds of factors that the member can add.
	TOTPAvailable     bool `json:"totp_available"`
	PasskeysAvailable bool `json:"passkeys_available"` // false without HTTPS or a host name
}

// HasDeviceLinks reports whether members can create links that set up a device.
func (s *Service) HasDeviceLinks() bool { return s.cfg.UsesHTTPS }

// SecondFactor returns the state of the second factors of v.
func (s *Service) SecondFactor(tx *store.Tx, v svc.Viewer) (SecondFactor, error) {
	id, err := v.Require()
	if err != nil {
		return SecondFactor{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return SecondFactor{}, err
	}
	return s.secondFactor(tx, row)
}

func (s *Service) secondFactor(tx *store.Tx, row memberRow) (f SecondFactor, err error) {
	f = SecondFactor{
		Enabled: row.HasFactor, Required: s.requiresFactor(s.member(row).IsOperator),
		TOTPAvailable: s.cfg.FactorKey != nil, PasskeysAvailable: s.cfg.Origin != "",
	}
	app, err := s.totp(tx, row.ID)
	if err != nil {
		return f, err
	}
	if app.ConfirmedAt != nil {
		f.TOTP = &TOTP{CreatedAt: app.ConfirmedAt.Timestamp()}
	}
	f.TOTPPending = app.Secret != nil && app.ConfirmedAt == nil
	if f.Passkeys, err = s.passkeys(tx, row.ID); err != nil {
		return f, err
	}
	err = tx.Get(&f.RecoveryCodes, s.q.CountRecoveryCodes, store.Args{"member": row.ID})
	return f, err
}

// completeAddition completes the addition of a factor. It ends all sessions except
// the one whose token has the id keepTokenID. If the factor is the first one, it returns new
// recovery codes.
func (s *Service) completeAddition(tx *store.Tx, row memberRow, factor, keepTokenID string) (codes []string, err error) {
	if !row.HasFactor {
		if _, err := tx.Exec(s.q.AddFactor, store.Args{"member": row.ID, "now": store.MillisOf(tx.Now())}); err != nil {
			return nil, err
		}
		if codes, err = s.replaceRecoveryCodes(tx, row.ID); err != nil {
			return nil, err
		}
	}
	if err := s.revokeForFactorChange(tx, row, keepTokenID); err != nil {
		return nil, err
	}
	return codes, s.audit(tx, row.ID.String(), auditAddFactor, row.ID, factor)
}

// completeRemoval completes the removal of a factor. After the last one, the
// password alone is enough again.
func (s *Service) completeRemoval(tx *store.Tx, row memberRow, factor, keepTokenID string) error {
	var hasFactor bool
	if err := tx.Get(&hasFactor, s.q.HasConfirmedFactor, store.Args{"member": row.ID}); err != nil {
		return err
	}
	if !hasFactor {
		if err := s.deleteFactors(tx, row.ID); err != nil {
			return err
		}
	}
	if err := s.revokeForFactorChange(tx, row, keepTokenID); err != nil {
		return err
	}
	return s.audit(tx, row.ID.String(), auditRemoveFactor, row.ID, factor)
}

// revokeForFactorChange invalidates all proofs, all challenges, and all tokens
// except the one with the id keepTokenID: an attacker may have obtained them before
// the change.
func (s *Service) revokeForFactorChange(tx *store.Tx, row memberRow, keepTokenID string) error {
	if err := s.deleteTokens(tx, row.ID, keepTokenID); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.DeleteChallenges, store.Args{"member": row.ID}); err != nil {
		return err
	}
	return s.bumpGeneration(tx, row.ID)
}

// deleteFactors deletes all second factors of a member.
func (s *Service) deleteFactors(tx *store.Tx, member svc.MemberID) error {
	for _, q := range []store.Query{s.q.DeleteFactor, s.q.DeleteTOTP, s.q.DeleteRecoveryCodes, s.q.DeletePasskeys, s.q.DeleteChallenges} {
		if _, err := tx.Exec(q, store.Args{"member": member}); err != nil {
			return err
		}
	}
	return nil
}

// ResetFactor deletes all second factors of a member who has lost them, and ends the
// member's sessions.
func (s *Service) ResetFactor(tx *store.Tx, by Actor, id svc.MemberID) (AdminMember, error) {
	if err := by.require(); err != nil {
		return AdminMember{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return AdminMember{}, err
	}
	if !row.HasFactor {
		return AdminMember{}, svc.Errorf(svc.NotFound, "This member has no second factor.")
	}
	if err := s.deleteFactors(tx, id); err != nil {
		return AdminMember{}, err
	}
	if err := s.revokeForFactorChange(tx, row, ""); err != nil {
		return AdminMember{}, err
	}
	if err := s.audit(tx, by.name, auditResetFactor, id, ""); err != nil {
		return AdminMember{}, err
	}
	row.HasFactor = false
	return s.adminMember(tx, row)
}

// ProveByCode returns a proof for v, who is signed in and has entered a code again. A right code
// cannot be used again. If the code is wrong, refused is set; the caller must commit the
// transaction in any case.
func (s *Service) ProveByCode(tx *store.Tx, v svc.Viewer, code string) (p Proof, refused error, err error) {
	id, err := v.Require()
	if err != nil {
		return Proof{}, nil, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return Proof{}, nil, err
	}
	method, err := s.useCode(tx, row.ID, code)
	if err != nil {
		return Proof{}, nil, err
	}
	if method == "" {
		return Proof{}, svc.FieldError(svc.InvalidValue, "code", "This code is wrong, or it has been used already."), nil
	}
	return proofOf(row, method), nil, nil
}

// OwnAccount returns the account of v, for counting wrong codes.
func (s *Service) OwnAccount(tx *store.Tx, v svc.Viewer) (Account, error) {
	c, err := s.OwnCandidate(tx, v)
	return codeAccount(c, tx.Now()), err
}

// codeAccount returns the account of c for counting wrong codes. The state contains the time step,
// because a code that was wrong may be right in a later step: repeated guesses of one code count
// like guesses of different codes.
func codeAccount(c Candidate, now time.Time) Account {
	a := c.Account()
	a.State += " " + strconv.FormatInt(now.Unix()/totpPeriod, 10)
	return a
}

// useCode uses a code of an authenticator app or a recovery code. It returns the
// method, or "" if the code is wrong.
func (s *Service) useCode(tx *store.Tx, member svc.MemberID, code string) (method string, err error) {
	if canonical, ok := canonicalDevice(code); ok {
		n, err := tx.Exec(s.q.UseRecoveryCode, store.Args{"member": member, "hash": digest(canonical)})
		if err != nil || n == 0 {
			return "", err
		}
		tx.Touch(svc.CredentialsChanged, int64(member))
		return withRecoveryCode, nil
	}
	ok, err := s.useTOTP(tx, member, code)
	if err != nil || !ok {
		return "", err
	}
	return withTOTP, nil
}
