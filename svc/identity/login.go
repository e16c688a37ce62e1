package identity

import (
	"context"
	"strconv"

	"appliance/store"
	"appliance/svc"
)

// MaxLogin is longer than any address or username, in bytes.
const MaxLogin = 320

// Candidate is whom a login names, on the way to proving it. There is one for
// nobody too, and it costs as much to verify.
type Candidate struct {
	login      string
	member     svc.MemberID // 0 is nobody
	generation int64
	email      string
	hash       string
	refusal    *svc.Error // of a wrong password
}

// Candidate returns whom an e-mail address or a username names.
func (s *Service) Candidate(tx *store.Tx, login string) (Candidate, error) {
	row, err := s.memberByLogin(tx, login)
	if err != nil {
		return Candidate{}, err
	}
	return candidate(login, row, svc.Errorf(svc.InvalidCredentials,
		"The name or the password is wrong, or the account is disabled.")), nil
}

// Account is what a login stands for, to count failures by.
type Account struct {
	Name string // the member however they were spelled, or what nobody is called, as a hash

	// State changes whenever a password that was wrong may be right: with the
	// member's generation.
	State string
}

// Account returns what c stands for.
func (c Candidate) Account() Account {
	if c.member == 0 {
		return Account{Name: string(digest(fold(c.login)))}
	}
	return Account{Name: "member " + c.member.String(), State: strconv.FormatInt(c.generation, 10)}
}

// Refusal is the answer to a wrong password of c.
func (c Candidate) Refusal() error { return c.refusal }

// OwnCandidate returns v, who is asked for the password once more.
func (s *Service) OwnCandidate(tx *store.Tx, v svc.Viewer) (Candidate, error) {
	id, err := v.Require()
	if err != nil {
		return Candidate{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return Candidate{}, err
	}
	return candidate("", row, svc.FieldError(svc.InvalidValue, "current_password", "This is not your current password.")), nil
}

// candidate makes nobody of a member who may not come in.
func candidate(login string, row memberRow, refusal *svc.Error) Candidate {
	if row.Status != Active {
		return Candidate{login: login, refusal: refusal}
	}
	return Candidate{
		login: login, member: row.ID, generation: row.Generation, email: row.Email, hash: row.PasswordHash, refusal: refusal,
	}
}

// memberByLogin reads the member of an address or username, the zero row if
// there is none.
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

// Proof is that somebody has just proved to be a member. It is good until the
// member's generation changes.
type Proof struct {
	member     svc.MemberID
	generation int64
	email      string
	rehash     string // the password hashed again, if it was worth it
	isSetUp    bool   // has set the server up: an operator from the commit on
}

func proofOf(row memberRow) Proof {
	return Proof{member: row.ID, generation: row.Generation, email: row.Email}
}

// Member returns who proved it.
func (p Proof) Member() svc.MemberID { return p.member }

// Email returns their address, which is no good as a password.
func (p Proof) Email() string { return p.email }

// Verify checks a password. It costs one hash whatever the answer, and a
// second one if the password is right and its hash weaker than the settings
// want it.
func (s *Service) Verify(ctx context.Context, c Candidate, password string) (Proof, error) {
	ok, params, err := s.verify(ctx, c, password)
	if err != nil {
		return Proof{}, err
	}
	if !ok {
		return Proof{}, c.refusal
	}
	p := Proof{member: c.member, generation: c.generation, email: c.email}
	if params.weakerThan(s.hasher.params) {
		p.rehash, err = s.hasher.hash(ctx, password)
	}
	return p, err
}

func (s *Service) verify(ctx context.Context, c Candidate, password string) (bool, Argon2, error) {
	if len(password) > 4*maxPassword { // in bytes: nobody has one
		password = ""
	}
	ok, params, err := s.hasher.verify(ctx, c.hash, password)
	return ok && c.member != 0, params, err
}

// proven reads the member of a proof that is still good.
func (s *Service) provenMember(tx *store.Tx, p Proof) (memberRow, error) {
	row, err := s.memberByID(tx, p.member)
	if err == nil && (row.Status != Active || row.Generation != p.generation) || svc.KindOf(err) == svc.Missing {
		return memberRow{}, svc.Errorf(svc.InvalidCredentials, "The account changed just now. Sign in again.")
	}
	return row, err
}

// Session is what a login is answered with: the only time that a token is
// shown. Schema: service.identity.session.
type Session struct {
	Member Member      `json:"member"`
	Token  AccessToken `json:"token"`
}

// Login turns a proof into a session. The label says which client it is for.
func (s *Service) Login(tx *store.Tx, p Proof, label string) (Session, error) {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return Session{}, err
	}
	if p.rehash != "" {
		row.PasswordHash = p.rehash
		if err := s.save(tx, row); err != nil {
			return Session{}, err
		}
	}
	if err := s.setLastSeen(tx, row.ID); err != nil {
		return Session{}, err
	}
	token, err := s.addToken(tx, row.ID, label)
	member := s.member(row)
	member.IsOperator = member.IsOperator || p.isSetUp
	return Session{Member: member, Token: token}, err
}

// see notes that a member was here.
func (s *Service) setLastSeen(tx *store.Tx, id svc.MemberID) error {
	_, err := tx.Exec(s.q.SetLastSeen, store.Args{"id": id, "now": store.MillisOf(tx.Now())})
	return err
}

// ChangePassword gives a member who has just proved the old password a new
// one. Their tokens end, except the one whose id is keep; device passwords
// stay (see the package's Why).
func (s *Service) ChangePassword(tx *store.Tx, p Proof, password PasswordHash, keep string) error {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return err
	}
	return s.setPassword(tx, &row, password, keep)
}

// setPassword gives a member a password, and ends the tokens and reset links
// of before. It saves the row.
func (s *Service) setPassword(tx *store.Tx, row *memberRow, password PasswordHash, keep string) error {
	row.PasswordHash = password.phc
	row.Generation++
	row.UpdatedAt = store.MillisOf(tx.Now())
	if err := s.save(tx, *row); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.DropResets, store.Args{"member": row.ID}); err != nil {
		return err
	}
	return s.dropTokens(tx, row.ID, keep)
}
