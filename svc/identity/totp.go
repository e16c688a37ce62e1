package identity

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"net/url"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"

	"github.com/pquerna/otp/hotp"
)

type totpQueries struct {
	TOTP          store.Query `sql:"totp"`
	PutTOTP       store.Query `sql:"put-totp"`
	ConfirmTOTP   store.Query `sql:"confirm-totp"`
	SetTOTPStep   store.Query `sql:"set-totp-step"`
	DeleteTOTP    store.Query `sql:"delete-totp"`
	SealedSecrets store.Query `sql:"sealed-secrets"`
}

// Parameters of RFC 6238. All authenticator apps support these; some ignore others.
const (
	totpPeriod     = 30 // seconds
	totpDigits     = 6
	totpSecretSize = 20 // bytes
	totpSkew       = 1  // periods that the clock of the app may differ by
)

// TOTP is a confirmed authenticator app.
type TOTP struct {
	CreatedAt time.Time `json:"created_at"`
}

// NewTOTP is an authenticator app that is not confirmed, the only value that contains
// the secret.
type NewTOTP struct {
	Secret string `json:"secret"` // base 32
	URI    string `json:"uri"`    // otpauth URI, the content of a QR code
}

// totpRow is a row of identity_totp.
type totpRow struct {
	Secret      []byte        `db:"secret"`
	LastStep    int64         `db:"last_step"`
	CreatedAt   store.Millis  `db:"created_at"`
	ConfirmedAt *store.Millis `db:"confirmed_at"`
}

// totp reads the authenticator app of a member, or the zero row.
func (s *Service) totp(tx *store.Tx, member svc.MemberID) (r totpRow, err error) {
	err = tx.Get(&r, s.q.TOTP, store.Args{"member": member})
	if store.IsNoRows(err) {
		return totpRow{}, nil
	}
	return r, err
}

var base32Secret = base32.StdEncoding.WithPadding(base32.NoPadding)

// EnrollTOTP creates the secret of an authenticator app for a member who has just
// proved their identity. It takes effect with [Service.ConfirmTOTP].
func (s *Service) EnrollTOTP(tx *store.Tx, p Proof) (NewTOTP, error) {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return NewTOTP{}, err
	}
	if s.cfg.FactorKey == nil {
		return NewTOTP{}, svc.Errorf(svc.ActionUnavailable, "This server does not offer authenticator apps.")
	}
	random := make([]byte, totpSecretSize)
	rand.Read(random)
	secret := base32Secret.EncodeToString(random)
	sealed, err := s.seal(row.ID, secret)
	if err != nil {
		return NewTOTP{}, err
	}
	n, err := tx.Exec(s.q.PutTOTP, store.Args{"member": row.ID, "secret": sealed, "now": store.MillisOf(tx.Now())})
	if err != nil {
		return NewTOTP{}, err
	}
	if n == 0 {
		return NewTOTP{}, svc.Errorf(svc.AlreadyExists, "You already use an authenticator app. Remove it first.")
	}
	tx.Touch(svc.CredentialsChanged, int64(row.ID))
	return NewTOTP{Secret: secret, URI: s.totpURI(row.Email, secret)}, nil
}

// PendingTOTP returns the authenticator app of v that is not confirmed yet.
func (s *Service) PendingTOTP(tx *store.Tx, v svc.Viewer) (NewTOTP, error) {
	id, err := v.Require()
	if err != nil {
		return NewTOTP{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return NewTOTP{}, err
	}
	app, err := s.totp(tx, id)
	if err != nil {
		return NewTOTP{}, err
	}
	if app.Secret == nil || app.ConfirmedAt != nil {
		return NewTOTP{}, errNoPendingTOTP()
	}
	secret, err := s.unseal(id, app.Secret)
	return NewTOTP{Secret: secret, URI: s.totpURI(row.Email, secret)}, err
}

func errNoPendingTOTP() error {
	return svc.Errorf(svc.NotFound, "No authenticator app is waiting for its first code. Add one first.")
}

// totpURI returns the URI of a secret in the key URI format of authenticator apps.
func (s *Service) totpURI(email, secret string) string {
	u := url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + s.cfg.Host + ":" + email}
	// Spaces as %20: some apps show a plus sign.
	u.RawQuery = strings.ReplaceAll(url.Values{"secret": {secret}, "issuer": {s.cfg.Host}}.Encode(), "+", "%20")
	return u.String()
}

// ConfirmTOTP makes the authenticator app of v a second factor, if the code is right.
// It ends all sessions except the one whose token has the id keepTokenID. If the app is the first
// factor, it returns the recovery codes.
func (s *Service) ConfirmTOTP(tx *store.Tx, v svc.Viewer, code, keepTokenID string) (recoveryCodes svc.List[string], err error) {
	id, err := v.Require()
	if err != nil {
		return nil, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return nil, err
	}
	app, err := s.totp(tx, id)
	if err != nil {
		return nil, err
	}
	if app.Secret == nil || app.ConfirmedAt != nil {
		return nil, errNoPendingTOTP()
	}
	step, err := s.matchTOTP(tx, id, app, code)
	if err != nil {
		return nil, err
	}
	if step == 0 {
		return nil, svc.FieldError(svc.InvalidValue, "code", "This code is wrong. Check that the clock of the device is right, and enter the latest code.")
	}
	if _, err := tx.Exec(s.q.SetTOTPStep, store.Args{"member": id, "step": step}); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(s.q.ConfirmTOTP, store.Args{"member": id, "now": store.MillisOf(tx.Now())}); err != nil {
		return nil, err
	}
	return s.completeAddition(tx, row, withTOTP, keepTokenID)
}

// RemoveTOTP removes the authenticator app of a member who has just proved their
// identity.
func (s *Service) RemoveTOTP(tx *store.Tx, p Proof, keepTokenID string) error {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return err
	}
	n, err := tx.Exec(s.q.DeleteTOTP, store.Args{"member": row.ID})
	if err != nil {
		return err
	}
	if n == 0 {
		return svc.Errorf(svc.NotFound, "You do not use an authenticator app.")
	}
	return s.completeRemoval(tx, row, withTOTP, keepTokenID)
}

// useTOTP reports whether a code of the confirmed authenticator app of a member is
// right. Each code is accepted once, even after a restart.
func (s *Service) useTOTP(tx *store.Tx, member svc.MemberID, code string) (bool, error) {
	app, err := s.totp(tx, member)
	if err != nil || app.ConfirmedAt == nil {
		return false, err
	}
	step, err := s.matchTOTP(tx, member, app, code)
	if err != nil || step == 0 {
		return false, err
	}
	_, err = tx.Exec(s.q.SetTOTPStep, store.Args{"member": member, "step": step})
	return true, err
}

// matchTOTP returns the time step of a code that is right and unused, otherwise 0.
func (s *Service) matchTOTP(tx *store.Tx, member svc.MemberID, app totpRow, code string) (step int64, err error) {
	code = strings.NewReplacer(" ", "", "-", "").Replace(code)
	if len(code) != totpDigits {
		return 0, nil
	}
	secret, err := s.unseal(member, app.Secret)
	if err != nil {
		return 0, err
	}
	now := tx.Now().Unix() / totpPeriod
	last := app.LastStep
	if last > now+totpSkew {
		// The clock has been set back since the last code. Without this reset,
		// no code would be accepted until the clock has caught up.
		last = 0
	}
	for candidate := now - totpSkew; candidate <= now+totpSkew; candidate++ {
		want, err := hotp.GenerateCode(secret, uint64(candidate))
		if err != nil {
			return 0, err
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 && candidate > last {
			step = candidate
		}
	}
	return step, nil
}
