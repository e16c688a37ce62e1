package identity

import (
	"encoding/json"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

type challengeQueries struct {
	AddChallenge            store.Query `sql:"add-challenge"`
	Challenge               store.Query `sql:"challenge"`
	CountChallengeFailure   store.Query `sql:"count-challenge-failure"`
	DeleteChallenge         store.Query `sql:"delete-challenge"`
	DeleteSurplusChallenges store.Query `sql:"delete-surplus-challenges"`
	DeleteChallenges        store.Query `sql:"delete-challenges"`
	DeleteExpiredChallenges store.Query `sql:"delete-expired-challenges"`
}

// Limits of challenges.
const (
	challengeTime = 5 * time.Minute
	maxChallenges = 10 // per member; a new challenge replaces the oldest one
	maxFailures   = 5  // wrong answers to one challenge
)

// challengePurpose determines what the answer to a challenge permits.
type challengePurpose string

const (
	signInChallenge       challengePurpose = "sign-in"
	registrationChallenge challengePurpose = "registration" // of a passkey
)

// Values implements [svc.Set].
func (challengePurpose) Values() []string { return svc.Values(signInChallenge, registrationChallenge) }

// challengeRow is a row of identity_challenge.
type challengeRow struct {
	Member     svc.MemberID `db:"member_id"`
	Generation int64        `db:"generation"`
	Method     string       `db:"method"`
	Ceremony   string       `db:"ceremony"`
	Failures   int          `db:"failures"`
}

// addChallenge stores a challenge for a member and returns it with its expiry.
// ceremony is the state of a WebAuthn ceremony; "" without passkeys.
func (s *Service) addChallenge(tx *store.Tx, p challengePurpose, row memberRow, method, ceremony string) (string, time.Time, error) {
	challenge := svc.NewSecret("chl_")
	expires := store.MillisOf(tx.Now().Add(challengeTime))
	_, err := tx.Exec(s.q.AddChallenge, store.Args{
		"hash": digest(challenge), "member": row.ID, "purpose": p, "generation": row.Generation,
		"method": method, "ceremony": ceremony, "expires": expires,
	})
	if err != nil {
		return "", time.Time{}, err
	}
	_, err = tx.Exec(s.q.DeleteSurplusChallenges, store.Args{"member": row.ID, "keep": maxChallenges})
	return challenge, expires.Timestamp(), err
}

// challenge reads an unanswered challenge and its member, whose generation must be that of the
// challenge.
func (s *Service) challenge(tx *store.Tx, p challengePurpose, challenge string) (c challengeRow, row memberRow, err error) {
	err = tx.Get(&c, s.q.Challenge, store.Args{"hash": digest(challenge), "purpose": p, "now": store.MillisOf(tx.Now())})
	if store.IsNoRows(err) {
		return c, row, errChallengeExpired()
	}
	if err != nil {
		return c, row, err
	}
	row, err = s.memberByID(tx, c.Member)
	if err == nil && (row.Status != Active || row.Generation != c.Generation) || svc.KindOf(err) == svc.Missing {
		return c, row, errChallengeExpired()
	}
	return c, row, err
}

func errChallengeExpired() error {
	return svc.Errorf(svc.ChallengeExpired, "This took too long, or the account has changed. Start again.")
}

// addSignInChallenge creates the challenge for a member with a second factor whose
// first factor was proved by method.
func (s *Service) addSignInChallenge(tx *store.Tx, row memberRow, method string) (*svc.Challenge, error) {
	state, err := s.secondFactor(tx, row)
	if err != nil {
		return nil, err
	}
	c := &svc.Challenge{}
	if state.TOTP != nil {
		c.Methods = append(c.Methods, svc.TOTPMethod)
	}
	var ceremony string
	if len(state.Passkeys) > 0 && s.cfg.Origin != "" {
		c.Methods = append(c.Methods, svc.PasskeyMethod)
		if c.PasskeyOptions, ceremony, err = s.beginAssertion(tx, row); err != nil {
			return nil, err
		}
	}
	if state.RecoveryCodes > 0 {
		c.Methods = append(c.Methods, svc.RecoveryCodeMethod)
	}
	c.Challenge, c.ExpiresAt, err = s.addChallenge(tx, signInChallenge, row, method, ceremony)
	return c, err
}

// ChallengeAccount returns the account of a sign-in challenge, for counting wrong
// codes.
func (s *Service) ChallengeAccount(tx *store.Tx, challenge string) (Account, error) {
	_, row, err := s.challenge(tx, signInChallenge, challenge)
	if err != nil {
		return Account{}, err
	}
	account := codeAccount(candidate("", row, nil), tx.Now())
	account.Networks, err = s.networks(tx, row.ID)
	return account, err
}

// RenewChallenge replaces a sign-in challenge with a new one, with new passkey
// options and the same number of failures.
func (s *Service) RenewChallenge(tx *store.Tx, challenge string) (*svc.Challenge, error) {
	c, row, err := s.challenge(tx, signInChallenge, challenge)
	if err != nil {
		return nil, err
	}
	if _, err := tx.Exec(s.q.DeleteChallenge, store.Args{"hash": digest(challenge)}); err != nil {
		return nil, err
	}
	next, err := s.addSignInChallenge(tx, row, c.Method)
	if err != nil {
		return nil, err
	}
	for range c.Failures {
		if _, err := tx.Exec(s.q.CountChallengeFailure, store.Args{"hash": digest(next.Challenge)}); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// Answer is the answer to a challenge. The client sets one of the fields.
type Answer struct {
	Code    string          `json:"code"`    // of an authenticator app, or a recovery code
	Passkey json.RawMessage `json:"passkey"` // AuthenticationResponseJSON (WebAuthn §5.1.8)
}

// AnswerChallenge creates a session if the answer to a sign-in challenge is right. A
// wrong answer is reported in refused and counted in the database, so the caller must
// commit the transaction. Each challenge is answered once.
func (s *Service) AnswerChallenge(tx *store.Tx, challenge string, a Answer, client Client) (session Session, refused error, err error) {
	c, row, err := s.challenge(tx, signInChallenge, challenge)
	if err != nil {
		return Session{}, nil, err
	}
	method := ""
	if len(a.Passkey) > 0 {
		method, err = s.usePasskey(tx, row, c.Ceremony, a.Passkey)
	} else {
		method, err = s.useCode(tx, row.ID, a.Code)
	}
	if err != nil {
		return Session{}, nil, err
	}
	if method == "" {
		return Session{}, errWrongAnswer(a), s.recordWrongAnswer(tx, challenge, c)
	}
	if _, err := tx.Exec(s.q.DeleteChallenge, store.Args{"hash": digest(challenge)}); err != nil {
		return Session{}, nil, err
	}
	p := proofOf(row, strings.Join([]string{c.Method, method}, "+"))
	p.hasFactor = true
	session, err = s.startSession(tx, row, p, client)
	return session, nil, err
}

func errWrongAnswer(a Answer) error {
	if len(a.Passkey) > 0 {
		return svc.Errorf(svc.InvalidCredentials, "This passkey was not accepted. Try again, or use another way.")
	}
	return svc.Errorf(svc.InvalidCredentials, "This code is wrong, or it has been used already.")
}

// recordWrongAnswer counts a wrong answer. After maxFailures the challenge is
// deleted, so that the client must prove the password again.
func (s *Service) recordWrongAnswer(tx *store.Tx, challenge string, c challengeRow) error {
	q := s.q.CountChallengeFailure
	if c.Failures+1 >= maxFailures {
		q = s.q.DeleteChallenge
	}
	_, err := tx.Exec(q, store.Args{"hash": digest(challenge)})
	return err
}
