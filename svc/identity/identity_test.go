package identity

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/words"
)

// cheapArgon2 makes password hashes fast enough for tests.
var cheapArgon2 = Argon2{Memory: 64, Time: 1, Threads: 1}

// cli is the actor of administrative operations in tests.
var cli = CommandLine("test")

// fixture is a Service with a database and recording hooks.
type fixture struct {
	testing.TB
	*Service
	db    *store.DB
	clock *storetest.Clock
	hooks *recorder
}

func newFixture(t testing.TB, cfg Config) *fixture {
	t.Helper()
	db, clock := storetest.Open(t)
	if cfg.Argon2 == (Argon2{}) {
		cfg.Argon2 = cheapArgon2
	}
	h := new(recorder)
	w := &fixture{t, New(cfg, MemberHooks{h.MemberCreated, h.AccountRecovered, h.MemberDeleted, h.DeleteData, h.NameChanged, h.ZoneChanged}), db, clock, h}
	w.must(w.write(w.TakeOperators))
	return w
}

// recorder has a method for each function of MemberHooks. The methods record
// their calls and return err.
type recorder struct {
	calls    []string
	dataRows int // rows that DeleteData has to delete
	err      error
}

func (h *recorder) MemberCreated(_ *store.Tx, id svc.MemberID, _ string) error {
	h.calls = append(h.calls, fmt.Sprintf("created %d", id))
	return h.err
}

func (h *recorder) AccountRecovered(_ *store.Tx, id svc.MemberID) error {
	h.calls = append(h.calls, fmt.Sprintf("recovered %d", id))
	return h.err
}

func (h *recorder) ZoneChanged(_ *store.Tx, id svc.MemberID, timezone string) error {
	h.calls = append(h.calls, fmt.Sprintf("zone %d %s", id, timezone))
	return h.err
}

func (h *recorder) NameChanged(_ *store.Tx, id svc.MemberID) error {
	h.calls = append(h.calls, fmt.Sprintf("renamed %d", id))
	return h.err
}

func (h *recorder) MemberDeleted(_ *store.Tx, id svc.MemberID) error {
	h.calls = append(h.calls, fmt.Sprintf("deleted %d", id))
	return h.err
}

func (h *recorder) DeleteData(_ *store.Tx, id svc.MemberID, limit int) (rows int, err error) {
	rows = min(h.dataRows, limit)
	h.dataRows -= rows
	return rows, h.err
}

// deleteData deletes the data of deleted members and returns the number of batches. The last batch
// is empty.
func (w *fixture) deleteData() (batches int) {
	w.Helper()
	for more := true; more; batches++ {
		w.must(w.write(func(tx *store.Tx) (err error) {
			more, err = w.DeleteData(tx)
			return err
		}))
	}
	return batches
}

func (w *fixture) read(fn func(*store.Tx) error) error  { return w.db.Read(w.Context(), fn) }
func (w *fixture) write(fn func(*store.Tx) error) error { return w.db.Write(w.Context(), fn) }

// must fails the test immediately if err is not nil.
func (w *fixture) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// passwordOf returns the password of a member that addMember has created.
func passwordOf(name string) string { return "correct horse of " + name }

// addMember creates a member with the user name.
func (w *fixture) addMember(name string) svc.MemberID {
	w.Helper()
	var m Member
	a, err := w.Prepare(w.Context(), Registration{
		Email: name + "@example.org", Username: name, Password: passwordOf(name),
	})
	w.must(err)
	w.must(w.write(func(tx *store.Tx) (err error) {
		m, err = w.AddMember(tx, cli, a)
		return err
	}))
	return m.ID
}

// register registers a member and signs in.
func (w *fixture) register(r Registration) (Session, error) {
	a, err := w.Prepare(w.Context(), r)
	if err != nil {
		return Session{}, err
	}
	var session Session
	err = w.write(func(tx *store.Tx) error {
		p, err := w.Register(tx, a)
		if err == nil {
			session, _, err = w.Login(tx, p, Client{})
		}
		return err
	})
	return session, err
}

// login signs in with a password.
func (w *fixture) login(login, password string) (Session, error) {
	p, err := w.prove(login, password)
	if err != nil {
		return Session{}, err
	}
	var session Session
	err = w.write(func(tx *store.Tx) (err error) {
		session, _, err = w.Login(tx, p, Client{Label: words.Textf("test")})
		return err
	})
	return session, err
}

// prove verifies a password.
func (w *fixture) prove(login, password string) (Proof, error) {
	var c Candidate
	err := w.read(func(tx *store.Tx) (err error) {
		c, err = w.Candidate(tx, login)
		return err
	})
	w.must(err)
	return w.Verify(w.Context(), c, password)
}

// token signs in a member that addMember has created and returns the token.
func (w *fixture) token(name string) string {
	w.Helper()
	s, err := w.login(name, passwordOf(name))
	w.must(err)
	return s.Token.AccessToken
}

// authenticate authenticates with a token.
func (w *fixture) authenticate(token string) (c Authentication, err error) {
	err = w.read(func(tx *store.Tx) error {
		c, err = w.Authenticate(tx, token)
		return err
	})
	return c, err
}

// authenticateDAV authenticates with HTTP Basic credentials.
func (w *fixture) authenticateDAV(login, password string) DAVAuthentication {
	w.Helper()
	var c DAVCandidate
	w.must(w.read(func(tx *store.Tx) (err error) {
		c, err = w.DAVCandidate(tx, login, password)
		return err
	}))
	a, err := w.VerifyDAV(w.Context(), c)
	w.must(err)
	return a
}

// addDevice creates a device password.
func (w *fixture) addDevice(id svc.MemberID, label string) NewDevice {
	w.Helper()
	var d NewDevice
	w.must(w.write(func(tx *store.Tx) (err error) {
		d, err = w.AddDevice(tx, svc.Trust(id), label)
		return err
	}))
	return d
}

// update changes a member as cli.
func (w *fixture) update(id svc.MemberID, c Changes) error { return w.updateBy(cli, id, c) }

func (w *fixture) updateBy(by Actor, id svc.MemberID, c Changes) error {
	return w.write(func(tx *store.Tx) error {
		_, err := w.Update(tx, by, id, c)
		return err
	})
}

// me returns the account of a member.
func (w *fixture) me(id svc.MemberID) Member {
	w.Helper()
	var me Me
	w.must(w.read(func(tx *store.Tx) (err error) {
		me, err = w.Me(tx, svc.Trust(id))
		return err
	}))
	return me.Member
}

// operator returns the actor for a member who is an operator.
func (w *fixture) operator(id svc.MemberID) Actor {
	w.Helper()
	var a Actor
	w.must(w.read(func(tx *store.Tx) (err error) {
		a, err = w.Operator(tx, svc.Trust(id))
		return err
	}))
	return a
}

// revision returns the revision of all topics for a member.
func (w *fixture) revision(id svc.MemberID) (n int64) {
	w.Helper()
	w.must(w.read(func(tx *store.Tx) error {
		n = tx.Revision(int64(id))
		return nil
	}))
	return n
}

// wantError fails the test unless err has the code and exactly the fields.
func wantError(t testing.TB, err error, code svc.Code, fields ...string) {
	t.Helper()
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want %s", err, code.Name)
		return
	}
	var names []string
	for _, f := range e.Fields {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, fields) {
		t.Errorf("%s: got fields %q, want %q", code.Name, names, fields)
	}
}

func ptr[T any](v T) *T { return &v }

// Accounts are created by set-up and by an invitation, used, and deleted.
func TestAccountLifecycle(t *testing.T) {
	w := newFixture(t, Config{Timezone: "Europe/Lisbon"})

	// Ann sets up the server.
	a, err := w.Prepare(t.Context(), Registration{Email: "Ann@example.org", Password: "correct horse"})
	w.must(err)
	var ann Session
	w.must(w.write(func(tx *store.Tx) error {
		p, err := w.SetUp(tx, a)
		if err == nil {
			ann, _, err = w.Login(tx, p, Client{Label: words.Textf("laptop")})
		}
		return err
	}))
	want := Member{
		ID: 1, Email: "Ann@example.org", Username: "ann", DisplayName: "ann", Status: Active,
		Zone: svc.ZoneInUse{Timezone: "Europe/Lisbon", Source: svc.ZoneOfServer}, Locale: "en", Appearance: svc.Appearance{Color: "sea"}, IsOperator: true,
		CreatedAt: storetest.Start, UpdatedAt: storetest.Start,
	}
	if ann.Member != want {
		t.Errorf("session of Ann: got %+v, want %+v", ann.Member, want)
	}
	if me := w.me(1); me != want {
		t.Errorf("account of Ann: got %+v, want %+v", me, want)
	}

	// Set-up succeeds once, and registration requires an invitation.
	wantError(t, w.write(func(tx *store.Tx) error { _, err := w.SetUp(tx, a); return err }), svc.LinkExpired)
	_, err = w.register(Registration{Email: "mallory@example.org", Password: "let me in please"})
	wantError(t, err, svc.RegistrationClosed)

	// Ann invites Bea. Bea registers and also signs in on a phone.
	var invitation NewInvitation
	w.must(w.write(func(tx *store.Tx) (err error) {
		by, err := w.Operator(tx, svc.Trust(1))
		if err == nil {
			invitation, err = w.Invite(tx, by, "")
		}
		return err
	}))
	bea, err := w.register(Registration{
		Email: "bea@example.org", Name: "Bea", Password: "battery staple", InviteCode: invitation.Code,
	})
	w.must(err)
	phone := w.addDevice(bea.Member.ID, "Phone")
	if got := w.authenticateDAV("bea", phone.Password); !got.Valid || got.Viewer.Member() != 2 {
		t.Errorf("device password of Bea: got %+v, want member 2", got)
	}
	if a, err := w.authenticate(bea.Token.AccessToken); err != nil || a.Viewer.Member() != 2 || a.Operator {
		t.Errorf("token of Bea: got %+v (%v), want member 2, not an operator", a, err)
	}

	// Ann deletes Bea.
	w.must(w.write(func(tx *store.Tx) error {
		by, err := w.Operator(tx, svc.Trust(1))
		if err != nil {
			return err
		}
		return w.Delete(tx, by, 2)
	}))
	w.deleteData()
	_, err = w.authenticate(bea.Token.AccessToken)
	wantError(t, err, svc.Unauthenticated)
	if w.authenticateDAV("bea", phone.Password).Valid {
		t.Error("device password of a deleted member: got a valid one, want an invalid one")
	}
	calls := []string{"created 1", "created 2", "deleted 2", "renamed 2"}
	if !slices.Equal(w.hooks.calls, calls) {
		t.Errorf("hooks: got %q, want %q", w.hooks.calls, calls)
	}

	var audit AuditPage
	w.must(w.read(func(tx *store.Tx) (err error) {
		audit, err = w.Audit(tx, cli, AuditQuery{})
		return err
	}))
	var actions []string
	for _, e := range audit.Entries {
		actions = append(actions, e.Actor+" "+e.Action)
	}
	if want := []string{"1 delete", "2 add-device", "2 register", "1 invite", "1 sign-in", "setup add"}; !slices.Equal(actions, want) {
		t.Errorf("audit log: got %q, want %q", actions, want)
	}
}

func TestExpireDeletesExpiredTokensAndLinksOnly(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	w.token("ann")
	w.must(w.write(func(tx *store.Tx) error { _, err := w.AddResetLink(tx, cli, ann); return err }))
	w.must(w.write(func(tx *store.Tx) error { _, err := w.Invite(tx, cli, ""); return err }))
	rows := func() (counts [2]int) {
		for i, table := range []string{"identity_token", "identity_link"} {
			counts[i] = len(tableRows(w, table))
		}
		return counts
	}
	for _, c := range []struct {
		wait time.Duration
		want [2]int
	}{
		{0, [2]int{1, 2}},
		{resetTime, [2]int{1, 1}},
		{invitationTime - resetTime, [2]int{1, 0}},
		{tokenIdleTime - invitationTime - time.Millisecond, [2]int{1, 0}},
		{time.Millisecond, [2]int{0, 0}},
	} {
		w.clock.Advance(c.wait)
		w.must(w.write(w.Expire))
		if got := rows(); got != c.want {
			t.Errorf("at %s: got %v tokens and links, want %v", w.clock.Now(), got, c.want)
		}
	}
}
