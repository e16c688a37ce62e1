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
)

// quick is an Argon2 that tests can afford.
var quick = Argon2{Memory: 64, Time: 1, Threads: 1}

// shell is the actor of tests that administer.
var shell = CommandLine("test")

// world is a server's members in a test.
type world struct {
	testing.TB
	*Service
	db    *store.DB
	clock *storetest.Clock
	home  *home
}

func newWorld(t testing.TB, cfg Config) *world {
	t.Helper()
	db, clock := storetest.Open(t)
	if cfg.Argon2 == (Argon2{}) {
		cfg.Argon2 = quick
	}
	h := new(home)
	return &world{t, New(cfg, MemberHooks{h.MemberCreated, h.AccountRecovered, h.MemberDeleted}), db, clock, h}
}

// home is a household that writes down what it is told.
type home struct {
	told []string
	err  error
}

func (h *home) MemberCreated(_ *store.Tx, id svc.MemberID, timezone string) error {
	h.told = append(h.told, fmt.Sprintf("%d joined from %s", id, timezone))
	return h.err
}

func (h *home) AccountRecovered(_ *store.Tx, id svc.MemberID) error {
	h.told = append(h.told, fmt.Sprintf("%d recovered", id))
	return h.err
}

func (h *home) MemberDeleted(_ *store.Tx, id svc.MemberID) error {
	h.told = append(h.told, fmt.Sprintf("%d left", id))
	return h.err
}

func (w *world) read(fn func(*store.Tx) error) error  { return w.db.Read(w.Context(), fn) }
func (w *world) write(fn func(*store.Tx) error) error { return w.db.Write(w.Context(), fn) }

// must fails the test at once if err is one.
func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// passwordOf is the password that add gives to a member.
func passwordOf(name string) string { return "correct horse of " + name }

// add adds a member by name.
func (w *world) add(name string) svc.MemberID {
	w.Helper()
	var m Member
	a, err := w.Prepare(w.Context(), Registration{
		Email: name + "@example.org", Username: name, Password: passwordOf(name),
	})
	w.must(err)
	w.must(w.write(func(tx *store.Tx) (err error) {
		m, err = w.AddMember(tx, shell, a)
		return err
	}))
	return m.ID
}

// register registers somebody as a stranger would.
func (w *world) register(r Registration) (Session, error) {
	a, err := w.Prepare(w.Context(), r)
	if err != nil {
		return Session{}, err
	}
	var session Session
	err = w.write(func(tx *store.Tx) error {
		p, err := w.Register(tx, a)
		if err == nil {
			session, err = w.Login(tx, p, "")
		}
		return err
	})
	return session, err
}

// login signs somebody in, in the three steps that it takes.
func (w *world) login(login, password string) (Session, error) {
	p, err := w.prove(login, password)
	if err != nil {
		return Session{}, err
	}
	var session Session
	err = w.write(func(tx *store.Tx) (err error) {
		session, err = w.Login(tx, p, "test")
		return err
	})
	return session, err
}

func (w *world) prove(login, password string) (Proof, error) {
	var c Candidate
	err := w.read(func(tx *store.Tx) (err error) {
		c, err = w.Candidate(tx, login)
		return err
	})
	w.must(err)
	return w.Verify(w.Context(), c, password)
}

// token signs a member of add in.
func (w *world) token(name string) string {
	w.Helper()
	s, err := w.login(name, passwordOf(name))
	w.must(err)
	return s.Token.AccessToken
}

// caller presents a token.
func (w *world) caller(token string) (c Authentication, err error) {
	err = w.read(func(tx *store.Tx) error {
		c, err = w.Authenticate(tx, token)
		return err
	})
	return c, err
}

// dav presents HTTP Basic credentials.
func (w *world) dav(login, password string) DAVAuthentication {
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

func (w *world) device(id svc.MemberID, label string) NewDevice {
	w.Helper()
	var d NewDevice
	w.must(w.write(func(tx *store.Tx) (err error) {
		d, err = w.AddDevice(tx, svc.Trust(id), label)
		return err
	}))
	return d
}

// update administers a member from the command line.
func (w *world) update(id svc.MemberID, c Changes) error { return w.updateBy(shell, id, c) }

func (w *world) updateBy(by Actor, id svc.MemberID, c Changes) error {
	return w.write(func(tx *store.Tx) error {
		_, err := w.Update(tx, by, id, c)
		return err
	})
}

func (w *world) me(id svc.MemberID) Member {
	w.Helper()
	var me Me
	w.must(w.read(func(tx *store.Tx) (err error) {
		me, err = w.Me(tx, svc.Trust(id))
		return err
	}))
	return me.Member
}

// operator returns the actor for an operator.
func (w *world) operator(id svc.MemberID) Actor {
	w.Helper()
	var a Actor
	w.must(w.read(func(tx *store.Tx) (err error) {
		a, err = w.Operator(tx, svc.Trust(id))
		return err
	}))
	return a
}

// revision tells one state of what a member sees from another.
func (w *world) revision(id svc.MemberID) (n int64) {
	w.Helper()
	w.must(w.read(func(tx *store.Tx) error {
		n = tx.Revision(int64(id))
		return nil
	}))
	return n
}

// refused fails the test unless err is a failure with that code, about those
// fields.
func refused(t testing.TB, err error, code svc.Code, fields ...string) {
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
		t.Errorf("%s is about %q, want %q", code.Name, names, fields)
	}
}

func ptr[T any](v T) *T { return &v }

// A household from its first day to the day somebody moves out.
func TestAHousehold(t *testing.T) {
	w := newWorld(t, Config{Timezone: "Europe/Lisbon"})

	// Ann sets the server up, by the one-time link.
	a, err := w.Prepare(t.Context(), Registration{Email: "Ann@example.org", Password: "correct horse"})
	w.must(err)
	var ann Session
	w.must(w.write(func(tx *store.Tx) error {
		p, err := w.SetUp(tx, a)
		if err == nil {
			ann, err = w.Login(tx, p, "laptop")
		}
		return err
	}))
	want := Member{
		ID: 1, Email: "Ann@example.org", Username: "ann", DisplayName: "ann", Status: Active,
		Timezone: "Europe/Lisbon", Locale: "en", IsOperator: true,
		CreatedAt: storetest.Start, UpdatedAt: storetest.Start,
	}
	if ann.Member != want {
		t.Errorf("Ann is %+v, want %+v", ann.Member, want)
	}
	if me := w.me(1); me != want {
		t.Errorf("and to herself %+v", me)
	}

	// Nobody can do that again, and strangers cannot come in.
	refused(t, w.write(func(tx *store.Tx) error { _, err := w.SetUp(tx, a); return err }), svc.LinkExpired)
	_, err = w.register(Registration{Email: "mallory@example.org", Password: "let me in please"})
	refused(t, err, svc.RegistrationClosed)

	// Ann invites Bea, who registers and signs in on her phone too.
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
	phone := w.device(bea.Member.ID, "Phone")
	if got := w.dav("bea", phone.Password); !got.Valid || got.Viewer.Member() != 2 {
		t.Errorf("Bea's phone got %+v", got)
	}
	if caller, err := w.caller(bea.Token.AccessToken); err != nil || caller.Viewer.Member() != 2 || caller.Operator {
		t.Errorf("Bea's browser is %+v, %v", caller, err)
	}

	// Bea moves out.
	w.must(w.write(func(tx *store.Tx) error {
		by, err := w.Operator(tx, svc.Trust(1))
		if err != nil {
			return err
		}
		return w.Delete(tx, by, 2)
	}))
	_, err = w.caller(bea.Token.AccessToken)
	refused(t, err, svc.Unauthenticated)
	if w.dav("bea", phone.Password).Valid {
		t.Error("Bea's phone still gets in")
	}
	told := []string{"1 joined from Europe/Lisbon", "2 joined from Europe/Lisbon", "2 left"}
	if !slices.Equal(w.home.told, told) {
		t.Errorf("the household was told %q", w.home.told)
	}

	var audit AuditPage
	w.must(w.read(func(tx *store.Tx) (err error) {
		audit, err = w.Audit(tx, shell, 0, "")
		return err
	}))
	var acts []string
	for _, e := range audit.Entries {
		acts = append(acts, e.Actor+" "+e.Action)
	}
	if !slices.Equal(acts, []string{"1 delete", "1 invite", "setup add"}) {
		t.Errorf("the audit says %q", acts)
	}
}

// What is out of date is gone after a night, and nothing else is.
func TestExpire(t *testing.T) {
	w := newWorld(t, Config{})
	ann := w.add("ann")
	w.token("ann")
	w.must(w.write(func(tx *store.Tx) error { _, err := w.AddResetLink(tx, shell, ann); return err }))
	w.must(w.write(func(tx *store.Tx) error { _, err := w.Invite(tx, shell, ""); return err }))
	rows := func() (counts [2]int) {
		for i, table := range []string{"identity_token", "identity_link"} {
			counts[i] = len(cells(w, table))
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
		{tokenSliding - invitationTime, [2]int{0, 0}},
	} {
		w.clock.Advance(c.wait)
		w.must(w.write(w.Expire))
		if got := rows(); got != c.want {
			t.Errorf("at %s there are %v tokens and tickets, want %v", w.clock.Now(), got, c.want)
		}
	}
}
