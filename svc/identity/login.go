package identity

import (
	"context"
	"net/netip"
	"strconv"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// MaxLogin limits the length of a login in bytes. No e-mail address or user name is
// longer.
const MaxLogin = 320

// Candidate is the member that a login names, before the password is verified. An unknown login has
// a Candidate too: its verification costs the same.
type Candidate struct {
	login      string
	member     svc.MemberID // 0 for an unknown login or a disabled member
	generation int64
	email      string
	hash       string
	networks   []string   // known networks of the member
	refusal    *svc.Error // error for a wrong password
}

// Candidate returns the candidate for an e-mail address or a user name.
func (s *Service) Candidate(tx *store.Tx, login string) (Candidate, error) {
	row, err := s.memberByLogin(tx, login)
	if err != nil {
		return Candidate{}, err
	}
	c := candidate(login, row, svc.Errorf(svc.InvalidCredentials,
		"The e-mail address, user name or password is wrong, or the account is disabled."))
	c.networks, err = s.networks(tx, c.member)
	return c, err
}

// Account identifies the account that a login names, so that failed attempts can
// be counted per account.
type Account struct {
	Name   string       // the member's id, or a hash of an unknown login
	Member svc.MemberID // 0 for an unknown login
	Code   bool         // the secret is a one-time code, which identifies no account

	// State is the generation of the member's credentials, for one-time codes with
	// their time step. When it changes, a secret that was rejected before may be
	// valid.
	State string

	// Networks are the networks from which the member has signed in recently, in
	// the form of [Network]. Failures at other addresses do not delay a sign-in
	// from these networks.
	Networks []string
}

// Account returns the account of c.
func (c Candidate) Account() Account {
	if c.member == 0 {
		return Account{Name: string(digest(fold(c.login)))}
	}
	return Account{Name: "member " + c.member.String(), Member: c.member, State: strconv.FormatInt(c.generation, 10), Networks: c.networks}
}

// Refusal returns the error for a wrong password of c.
func (c Candidate) Refusal() error { return c.refusal }

// OwnCandidate returns the candidate for v, who must enter the password again.
func (s *Service) OwnCandidate(tx *store.Tx, v svc.Viewer) (Candidate, error) {
	id, err := v.Require()
	if err != nil {
		return Candidate{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return Candidate{}, err
	}
	return candidate("", row, svc.FieldError(svc.InvalidValue, "current_password", "Current password is wrong.")), nil
}

// candidate returns the candidate for row. A member who is not active is treated
// like an unknown login.
func candidate(login string, row memberRow, refusal *svc.Error) Candidate {
	if row.Status != Active {
		return Candidate{login: login, refusal: refusal}
	}
	return Candidate{
		login: login, member: row.ID, generation: row.Generation, email: row.Email, hash: row.PasswordHash, refusal: refusal,
	}
}

// memberByLogin reads the member with the e-mail address or user name. It returns
// the zero row if there is none.
func (s *Service) memberByLogin(tx *store.Tx, login string) (memberRow, error) {
	var row memberRow
	if len(login) > MaxLogin {
		return row, nil
	}
	err := tx.Get(&row, s.q.MemberByLogin, store.Args{"login": fold(login)})
	if store.IsNoRows(err) {
		return memberRow{}, nil
	}
	return row, err
}

// Methods of signing in, as sessions and the audit log name them.
const (
	byPassword     = "password"
	byRegistration = "registration"
	bySetUp        = "set-up"
	byResetLink    = "reset-link"

	// The second factors, which follow a plus sign.
	withTOTP         = "totp"
	withRecoveryCode = "recovery-code"
	withPasskey      = "passkey"
)

// Proof proves that a client has authenticated as a member. It is valid until the
// member's generation changes.
type Proof struct {
	member     svc.MemberID
	generation int64
	email      string
	method     string // such as "password" or "password+totp"
	hasFactor  bool   // includes the second factor
	newHash    string // new hash of the password, "" to keep the stored one
}

func proofOf(row memberRow, method string) Proof {
	return Proof{member: row.ID, generation: row.Generation, email: row.Email, method: method}
}

// Member returns the authenticated member.
func (p Proof) Member() svc.MemberID { return p.member }

// Email returns the e-mail address of the member, which must not be the password.
func (p Proof) Email() string { return p.email }

// Verify verifies a password. It computes one hash in any case, and a second one if
// the password is right and its stored hash is weaker than the configured one.
func (s *Service) Verify(ctx context.Context, c Candidate, password string) (Proof, error) {
	ok, params, err := s.verify(ctx, c, password)
	if err != nil {
		return Proof{}, err
	}
	if !ok {
		return Proof{}, c.refusal
	}
	p := Proof{member: c.member, generation: c.generation, email: c.email, method: byPassword}
	if params.weakerThan(s.hasher.params) {
		p.newHash, err = s.hasher.hash(ctx, password)
	}
	return p, err
}

func (s *Service) verify(ctx context.Context, c Candidate, password string) (bool, Argon2, error) {
	if len(password) > 4*maxPassword { // in bytes: too long for any password
		password = ""
	}
	ok, params, err := s.hasher.verify(ctx, c.hash, password)
	return ok && c.member != 0, params, err
}

// provenMember reads the member of a proof. It returns an error if the proof is no
// longer valid.
func (s *Service) provenMember(tx *store.Tx, p Proof) (memberRow, error) {
	row, err := s.memberByID(tx, p.member)
	if err == nil && (row.Status != Active || row.Generation != p.generation) || svc.KindOf(err) == svc.Missing {
		return memberRow{}, svc.Errorf(svc.InvalidCredentials, "The account has just changed. Sign in again.")
	}
	return row, err
}

// Client describes the client that signs in.
type Client struct {
	Label   words.Text // for the list of sessions; stored in the language of the member
	Address netip.Addr // may be invalid
}

// Session is the response to a login. No other response contains the token. Schema:
// service.identity.session.
type Session struct {
	Member Member      `json:"member"`
	Token  AccessToken `json:"token"`

	SecondFactor FactorState `json:"second_factor"`

	method string
}

// FactorState says whether a session was opened with a second factor.
type FactorState string

const (
	NoFactor           FactorState = "none"
	FactorVerified     FactorState = "verified"
	EnrollmentRequired FactorState = "enrollment_required" // the token permits only adding a second factor
)

// Values implements [svc.Set].
func (FactorState) Values() []string { return svc.Values(NoFactor, FactorVerified, EnrollmentRequired) }

// Method returns how the member signed in, for the log.
func (s Session) Method() string { return s.method }

// Login creates a session for a proof. If the member has a second factor that the
// proof does not include, Login returns a challenge instead.
func (s *Service) Login(tx *store.Tx, p Proof, client Client) (Session, *svc.Challenge, error) {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return Session{}, nil, err
	}
	if p.newHash != "" {
		row.PasswordHash = p.newHash
		if err := s.save(tx, row); err != nil {
			return Session{}, nil, err
		}
	}
	if row.HasFactor && !p.hasFactor {
		challenge, err := s.addSignInChallenge(tx, row, p.method)
		return Session{}, challenge, err
	}
	session, err := s.startSession(tx, row, p, client)
	return session, nil, err
}

// startSession creates the session of a member whose proof is complete.
func (s *Service) startSession(tx *store.Tx, row memberRow, p Proof, client Client) (Session, error) {
	if err := s.setLastSeen(tx, row.ID); err != nil {
		return Session{}, err
	}
	token, err := s.addToken(tx, row, p.method, client)
	if err != nil {
		return Session{}, err
	}
	if err := s.recordNetwork(tx, row.ID, client.Address); err != nil {
		return Session{}, err
	}
	session := Session{Member: s.member(row), Token: token, SecondFactor: NoFactor, method: p.method}
	switch {
	case row.HasFactor:
		session.SecondFactor = FactorVerified
	case s.requiresFactor(session.Member.IsOperator):
		session.SecondFactor = EnrollmentRequired
	}
	detail := strings.TrimSpace(p.method + " " + addressText(client.Address))
	return session, s.audit(tx, row.ID.String(), auditSignIn, row.ID, detail)
}

// setLastSeen records that the member is using the server.
func (s *Service) setLastSeen(tx *store.Tx, id svc.MemberID) error {
	_, err := tx.Exec(s.q.SetLastSeen, store.Args{"id": id, "now": store.MillisOf(tx.Now())})
	return err
}

// ChangePassword sets the password of a member who has just proved the old one. It
// revokes all tokens except the one with the id keepTokenID. Device passwords stay valid;
// the package comment explains why.
func (s *Service) ChangePassword(tx *store.Tx, p Proof, password PasswordHash, keepTokenID string) error {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return err
	}
	if err := s.setPassword(tx, &row, password, keepTokenID); err != nil {
		return err
	}
	return s.audit(tx, row.ID.String(), auditPassword, row.ID, "")
}

// setPassword sets the password in the row and stores the row. It revokes reset
// links and all tokens except the one with the id keepTokenID.
func (s *Service) setPassword(tx *store.Tx, row *memberRow, password PasswordHash, keepTokenID string) error {
	row.PasswordHash = password.phc
	row.Generation++
	row.UpdatedAt = store.MillisOf(tx.Now())
	if err := s.save(tx, *row); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.DeleteResets, store.Args{"member": row.ID}); err != nil {
		return err
	}
	return s.deleteTokens(tx, row.ID, keepTokenID)
}
