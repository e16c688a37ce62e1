package identity

import (
	"crypto/rand"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"

	"github.com/pquerna/otp/totp"
)

// factorConfig is a Config with a key for second factors.
func factorConfig() Config {
	key := make([]byte, 32)
	rand.Read(key)
	return Config{Host: "home.example.org", FactorKey: func(bool) ([]byte, error) { return key, nil }}
}

// factorFixture is a fixture with the member ann, who has an authenticator app.
type factorFixture struct {
	*fixture
	ann    svc.MemberID
	secret string
	codes  []string // recovery codes
}

func newFactorFixture(t testing.TB, cfg Config) *factorFixture {
	f := &factorFixture{fixture: newFixture(t, cfg)}
	f.ann = f.addMember("ann")
	f.secret, f.codes = f.addApp("ann", "")
	f.clock.Advance(time.Minute) // each code is accepted once
	return f
}

// addApp adds an authenticator app for a member that addMember has created.
func (w *fixture) addApp(name, keep string) (secret string, recoveryCodes []string) {
	w.Helper()
	p, err := w.prove(name, passwordOf(name))
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error {
		app, err := w.EnrollTOTP(tx, p)
		secret = app.Secret
		return err
	}))
	w.must(w.write(func(tx *store.Tx) (err error) {
		recoveryCodes, err = w.ConfirmTOTP(tx, svc.Trust(p.Member()), w.code(secret), keep)
		return err
	}))
	return secret, recoveryCodes
}

// code returns the code of an authenticator app at the time of the clock.
func (w *fixture) code(secret string) string {
	code, err := totp.GenerateCode(secret, w.clock.Now())
	w.must(err)
	return code
}

// challenge proves the password of ann and returns the challenge.
func (f *factorFixture) challenge() *svc.Challenge {
	f.Helper()
	p, err := f.prove("ann", passwordOf("ann"))
	f.must(err)
	var c *svc.Challenge
	f.must(f.write(func(tx *store.Tx) (err error) {
		_, c, err = f.Login(tx, p, Client{Label: words.Textf("test")})
		return err
	}))
	if c == nil {
		f.Fatal("got no challenge, want one")
	}
	return c
}

// answer answers a challenge. It returns the error of a wrong answer.
func (f *factorFixture) answer(challenge string, code string) (session Session, err error) {
	var refused error
	err = f.write(func(tx *store.Tx) (err error) {
		session, refused, err = f.AnswerChallenge(tx, challenge, Answer{Code: code}, Client{Label: words.Textf("test"), Address: netip.MustParseAddr("192.0.2.1")})
		return err
	})
	if err == nil {
		err = refused
	}
	return session, err
}

// Covers B-108.
func TestSecondFactorIsRequiredAtSignIn(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	c := f.challenge()
	if want := (svc.List[svc.FactorMethod]{svc.TOTPMethod, svc.RecoveryCodeMethod}); !slices.Equal(c.Methods, want) || c.PasskeyOptions != nil {
		t.Errorf("got the methods %v with options %v, want %v", c.Methods, c.PasskeyOptions, want)
	}
	if want := f.clock.Now().Add(5 * time.Minute).Truncate(time.Second); !c.ExpiresAt.Equal(want) {
		t.Errorf("got the expiry %v, want %v", c.ExpiresAt, want)
	}
	session, err := f.answer(c.Challenge, f.code(f.secret))
	if err != nil || session.SecondFactor != FactorVerified || session.Method() != "password+totp" {
		t.Fatalf("got %+v (%v), want a session", session, err)
	}
	if a, err := f.authenticate(session.Token.AccessToken); err != nil || a.Viewer.Member() != f.ann || a.MustEnroll {
		t.Errorf("got %+v (%v), want ann", a, err)
	}
	if _, err := f.answer(c.Challenge, f.codes[0]); err == nil {
		t.Error("a challenge was answered twice, want an error")
	}
}

func TestChallengeExpires(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	late, intime := f.challenge(), f.challenge()
	f.clock.Advance(challengeTime - time.Millisecond)
	if _, err := f.answer(intime.Challenge, f.code(f.secret)); err != nil {
		t.Errorf("before the expiry: %v, want no error", err)
	}
	f.clock.Advance(time.Millisecond)
	_, err := f.answer(late.Challenge, f.codes[0])
	wantError(t, err, svc.ChallengeExpired)

	changed := f.challenge()
	f.must(f.update(f.ann, Changes{Username: ptr("anna")}))
	_, err = f.answer(changed.Challenge, f.codes[0])
	wantError(t, err, svc.ChallengeExpired)
	_, err = f.answer("chl_unknown", f.codes[0])
	wantError(t, err, svc.ChallengeExpired)
}

// A code is accepted once, even by another process.
func TestCodeIsAcceptedOnce(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	code := f.code(f.secret)
	if _, err := f.answer(f.challenge().Challenge, code); err != nil {
		t.Fatal(err)
	}
	restarted := *f
	restarted.fixture = new(*f.fixture)
	restarted.Service = New(f.cfg)
	for name, g := range map[string]*factorFixture{"same process": f, "after a restart": &restarted} {
		_, err := g.answer(g.challenge().Challenge, code)
		if svc.KindOf(err) != svc.Anonymous {
			t.Errorf("%s: got %v for a used code, want it rejected", name, err)
		}
	}
	f.clock.Advance(totpPeriod * time.Second)
	if _, err := f.answer(f.challenge().Challenge, f.code(f.secret)); err != nil {
		t.Errorf("the next code: %v, want no error", err)
	}
	// The code of the previous period is rejected, because it is older than the last accepted code.
	if _, err := f.answer(f.challenge().Challenge, code); svc.KindOf(err) != svc.Anonymous {
		t.Errorf("an older code: got %v, want it rejected", err)
	}
}

func TestCodesOfAdjacentPeriodsAreAccepted(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	for _, c := range []struct {
		offset time.Duration
		want   bool
	}{{-2 * totpPeriod, false}, {-totpPeriod, true}, {2 * totpPeriod, false}, {totpPeriod, true}} {
		code, err := totp.GenerateCode(f.secret, f.clock.Now().Add(c.offset*time.Second))
		f.must(err)
		if _, err := f.answer(f.challenge().Challenge, code[:3]+" "+code[3:]); (err == nil) != c.want {
			t.Errorf("code of %d s from now: got %v, want it accepted: %t", c.offset, err, c.want)
		}
	}
}

func TestRecoveryCodesAreAcceptedOnce(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	if len(f.codes) != recoveryCodeCount {
		t.Fatalf("got %d recovery codes, want %d", len(f.codes), recoveryCodeCount)
	}
	for _, code := range f.codes[:2] {
		if s, err := f.answer(f.challenge().Challenge, strings.ToUpper(code)); err != nil || s.Method() != "password+recovery-code" {
			t.Errorf("first use: got %+v (%v), want a session", s, err)
		}
		if _, err := f.answer(f.challenge().Challenge, code); svc.KindOf(err) != svc.Anonymous {
			t.Errorf("second use: got %v, want it rejected", err)
		}
	}
	if got := f.state(); got.RecoveryCodes != recoveryCodeCount-2 {
		t.Errorf("got %d unused codes, want %d", got.RecoveryCodes, recoveryCodeCount-2)
	}
	p, err := f.prove("ann", passwordOf("ann"))
	f.must(err)
	var next svc.List[string]
	f.must(f.write(func(tx *store.Tx) (err error) { next, err = f.RenewRecoveryCodes(tx, p); return err }))
	if _, err := f.answer(f.challenge().Challenge, f.codes[5]); svc.KindOf(err) != svc.Anonymous {
		t.Errorf("a replaced code: got %v, want it rejected", err)
	}
	if _, err := f.answer(f.challenge().Challenge, next[5]); err != nil {
		t.Errorf("a new code: %v, want no error", err)
	}
}

// state returns the state of the second factors of ann.
func (f *factorFixture) state() (state SecondFactor) {
	f.Helper()
	f.must(f.read(func(tx *store.Tx) (err error) { state, err = f.SecondFactor(tx, svc.Trust(f.ann)); return err }))
	return state
}

func TestWrongAnswersEndTheChallenge(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	c := f.challenge()
	for i := range maxFailures {
		if i == 2 { // renewing the challenge does not reset the failures
			f.must(f.write(func(tx *store.Tx) (err error) { c, err = f.RenewChallenge(tx, c.Challenge); return err }))
		}
		_, err := f.answer(c.Challenge, "000000")
		wantError(t, err, svc.InvalidCredentials)
	}
	_, err := f.answer(c.Challenge, f.code(f.secret))
	wantError(t, err, svc.ChallengeExpired)
}

func TestChallengesOfAMemberAreLimited(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	first := f.challenge()
	for range maxChallenges {
		f.clock.Advance(time.Second)
		f.challenge()
	}
	if n := len(tableRows(f.fixture, "identity_challenge")); n != maxChallenges {
		t.Errorf("got %d challenges, want %d", n, maxChallenges)
	}
	_, err := f.answer(first.Challenge, f.codes[0])
	wantError(t, err, svc.ChallengeExpired)
}

// A DAV client of a member with a second factor needs a device password.
func TestDAVRejectsThePasswordOfAMemberWithASecondFactor(t *testing.T) {
	f := newFixture(t, factorConfig())
	ann := f.addMember("ann")
	device := f.addDevice(ann, "Phone")
	if a := f.authenticateDAV("ann", passwordOf("ann")); !a.Valid {
		t.Error("without a second factor: got the password rejected, want it accepted")
	}
	f.addApp("ann", "")
	hashes := f.Hashes()
	if a := f.authenticateDAV("ann", passwordOf("ann")); a.Valid {
		t.Error("with a second factor: got the password accepted, want it rejected")
	}
	if got := f.Hashes() - hashes; got != 1 {
		t.Errorf("got %d hashes, want 1 as for a wrong password", got)
	}
	if a := f.authenticateDAV("ann", device.Password); !a.Valid {
		t.Error("with a second factor: got the device password rejected, want it accepted")
	}
	p, err := f.prove("ann", passwordOf("ann"))
	f.must(err)
	f.must(f.write(func(tx *store.Tx) error { return f.RemoveTOTP(tx, p, "") }))
	if a := f.authenticateDAV("ann", passwordOf("ann")); !a.Valid {
		t.Error("after the removal: got the password rejected, want it accepted")
	}
}

func TestAddingAFactorEndsOtherSessions(t *testing.T) {
	f := newFixture(t, factorConfig())
	f.addMember("ann")
	kept, other := f.token("ann"), f.token("ann")
	a, err := f.authenticate(kept)
	f.must(err)
	f.addApp("ann", a.TokenID)
	if _, err := f.authenticate(kept); err != nil {
		t.Errorf("own session: %v, want no error", err)
	}
	_, err = f.authenticate(other)
	wantError(t, err, svc.Unauthenticated)
}

func TestUnconfirmedAppIsNoFactor(t *testing.T) {
	f := newFixture(t, factorConfig())
	ann := f.addMember("ann")
	p, err := f.prove("ann", passwordOf("ann"))
	f.must(err)
	var first, second NewTOTP
	f.must(f.write(func(tx *store.Tx) (err error) { first, err = f.EnrollTOTP(tx, p); return err }))
	if want := "otpauth://totp/home.example.org:ann@example.org?issuer=home.example.org&secret=" + first.Secret; first.URI != want {
		t.Errorf("got %s, want %s", first.URI, want)
	}
	if _, err := f.login("ann", passwordOf("ann")); err != nil {
		t.Errorf("sign-in: %v, want no error", err)
	}
	f.must(f.write(func(tx *store.Tx) (err error) { second, err = f.EnrollTOTP(tx, p); return err }))
	confirm := func(code string) error {
		return f.write(func(tx *store.Tx) error { _, err := f.ConfirmTOTP(tx, svc.Trust(ann), code, ""); return err })
	}
	wantError(t, confirm(f.code(first.Secret)), svc.InvalidValue, "code")
	f.must(confirm(f.code(second.Secret)))
	wantError(t, confirm(f.code(second.Secret)), svc.NotFound)
	p, err = f.prove("ann", passwordOf("ann"))
	f.must(err)
	wantError(t, f.write(func(tx *store.Tx) error { _, err := f.EnrollTOTP(tx, p); return err }), svc.AlreadyExists)
}

// A signed-in member confirms a change of credentials with a code of the second factor.
func TestCodeProvesTheMemberAgain(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	prove := func(code string) (p Proof, refused error) {
		f.must(f.write(func(tx *store.Tx) (err error) {
			p, refused, err = f.ProveByCode(tx, svc.Trust(f.ann), code)
			return err
		}))
		return p, refused
	}
	_, refused := prove("123")
	wantError(t, refused, svc.InvalidValue, "code")
	code := f.code(f.secret)
	p, refused := prove(code)
	if refused != nil || p.Member() != f.ann {
		t.Fatalf("got %+v (%v), want a proof of ann", p, refused)
	}
	if _, refused := prove(code); refused == nil {
		t.Error("used code: got a proof, want it rejected")
	}
	f.must(f.write(func(tx *store.Tx) error { return f.RemoveTOTP(tx, p, "") }))
	if s, err := f.login("ann", passwordOf("ann")); err != nil || s.SecondFactor != NoFactor {
		t.Errorf("after the removal: got %+v (%v), want a session without a second factor", s, err)
	}
	if got := f.state(); got.Enabled || got.TOTP != nil || got.RecoveryCodes != 0 {
		t.Errorf("got %+v, want no factors and no recovery codes", got)
	}
}

func TestOperatorResetsTheFactor(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	session, err := f.answer(f.challenge().Challenge, f.code(f.secret))
	f.must(err)
	reset := func(by Actor) error {
		return f.write(func(tx *store.Tx) error { _, err := f.ResetFactor(tx, by, f.ann); return err })
	}
	wantError(t, reset(Actor{}), svc.PermissionDenied)
	f.must(reset(cli))
	_, err = f.authenticate(session.Token.AccessToken)
	wantError(t, err, svc.Unauthenticated)
	if _, err := f.login("ann", passwordOf("ann")); err != nil {
		t.Errorf("sign-in: %v, want no error", err)
	}
	wantError(t, reset(cli), svc.NotFound)
	if got := f.auditOf(f.ann)[1]; got != "cli:test reset-factor" {
		t.Errorf("got the audit entry %q, want the reset", got)
	}
}

// auditOf returns the audit entries of a member, newest first.
func (w *fixture) auditOf(id svc.MemberID) (list []string) {
	w.Helper()
	w.must(w.read(func(tx *store.Tx) error {
		page, err := w.Audit(tx, cli, AuditQuery{Member: id, Limit: 100})
		for _, e := range page.Entries {
			list = append(list, strings.TrimSpace(e.Actor+" "+e.Action+" "+e.Detail))
		}
		return err
	}))
	return list
}

// The policy limits the sessions of members without a second factor to adding one.
func TestPolicyRequiresEnrollment(t *testing.T) {
	for _, c := range []struct {
		policy   FactorPolicy
		ann, bob bool // must enroll; ann is an operator
	}{{FactorOptional, false, false}, {FactorOperators, true, false}, {FactorAll, true, true}} {
		cfg := factorConfig()
		cfg.SecondFactor, cfg.Operators = c.policy, []string{"ann@example.org"}
		f := newFixture(t, cfg)
		f.addMember("ann")
		f.addMember("bob")
		for name, want := range map[string]bool{"ann": c.ann, "bob": c.bob} {
			s, err := f.login(name, passwordOf(name))
			f.must(err)
			a, err := f.authenticate(s.Token.AccessToken)
			if err != nil || a.MustEnroll != want || (s.SecondFactor == EnrollmentRequired) != want {
				t.Errorf("policy %s: %s: got %+v with %s (%v), want MustEnroll %t", c.policy, name, a, s.SecondFactor, err, want)
			}
			if dav := f.authenticateDAV(name, passwordOf(name)); dav.Valid == want {
				t.Errorf("policy %s: %s: got the password accepted by DAV: %t, want %t", c.policy, name, dav.Valid, !want)
			}
			f.addApp(name, a.TokenID)
			if a, err = f.authenticate(s.Token.AccessToken); err != nil || a.MustEnroll {
				t.Errorf("policy %s: %s with a factor: got %+v (%v), want a full session", c.policy, name, a, err)
			}
		}
	}
}

// Without the key, recovery codes still work.
func TestMissingKeyDoesNotLockOut(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	f.cfg.FactorKey = func(bool) ([]byte, error) { return nil, nil }
	_, err := f.answer(f.challenge().Challenge, f.code(f.secret))
	wantError(t, err, svc.ServiceUnavailable)
	if _, err := f.answer(f.challenge().Challenge, f.codes[0]); err != nil {
		t.Errorf("recovery code: %v, want no error", err)
	}
	var total, unreadable int
	f.must(f.read(func(tx *store.Tx) (err error) { total, unreadable, err = f.SealedSecrets(tx); return err }))
	if total != 1 || unreadable != 1 {
		t.Errorf("got %d secrets, %d of them unreadable, want 1 and 1", total, unreadable)
	}
}

// If the clock is set back an hour, or forward a year and back, all members stay signed in and can
// sign in again. The expiry job deletes nothing after such a change.
func TestClockChangesSignOutNoMember(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	session, err := f.answer(f.challenge().Challenge, f.code(f.secret))
	f.must(err)
	signIn := func(name string) {
		t.Helper()
		if _, err := f.answer(f.challenge().Challenge, f.code(f.secret)); err != nil {
			t.Errorf("%s: sign-in: %v, want no error", name, err)
		}
	}
	now := f.clock.Now()
	wantSession := func(name string) {
		t.Helper()
		a, err := f.authenticate(session.Token.AccessToken)
		if err != nil {
			t.Errorf("%s: session: %v, want no error", name, err)
			return
		}
		f.must(f.write(func(tx *store.Tx) error { return f.RecordUse(tx, a, netip.Addr{}) }))
	}
	f.clock.Set(now.Add(-time.Hour))
	wantSession("an hour back")
	signIn("an hour back")
	f.clock.Set(now.Add(365 * day))
	signIn("a year ahead")
	f.clock.Set(now.Add(time.Hour))
	wantSession("after a year ahead")
	signIn("after a year ahead")
	f.clock.Set(now.Add(29 * day))
	wantSession("four weeks later")
}

// A change of the second factors is recorded for their member alone, and the state says
// whether an authenticator app waits for its first code. A sign-in is not recorded,
// because a script may repeat it. Covers the revisions of PT-07.
func TestChangesOfSecondFactorsAreRecordedForTheirMember(t *testing.T) {
	w := newFixture(t, factorConfig())
	ann, bob := w.addMember("ann"), w.addMember("bob")
	var secret string
	var codes svc.List[string]
	for _, c := range []struct {
		name    string
		act     func(tx *store.Tx, p Proof) error
		changes bool
		pending bool
	}{
		{"a sign-in", func(tx *store.Tx, p Proof) error { _, _, err := w.Login(tx, p, Client{}); return err }, false, false},
		{"a new app", func(tx *store.Tx, p Proof) error {
			app, err := w.EnrollTOTP(tx, p)
			secret = app.Secret
			return err
		}, true, true},
		{"the first code", func(tx *store.Tx, _ Proof) (err error) {
			codes, err = w.ConfirmTOTP(tx, svc.Trust(ann), w.code(secret), "")
			return err
		}, true, false},
		{"a recovery code", func(tx *store.Tx, _ Proof) error {
			_, _, err := w.ProveByCode(tx, svc.Trust(ann), codes[0])
			return err
		}, true, false},
		{"new recovery codes", func(tx *store.Tx, p Proof) error { _, err := w.RenewRecoveryCodes(tx, p); return err }, true, false},
		{"the removal", func(tx *store.Tx, p Proof) error { return w.RemoveTOTP(tx, p, "") }, true, false},
	} {
		p, err := w.prove("ann", passwordOf("ann"))
		w.must(err)
		before, bobBefore := w.revision(ann), w.revision(bob)
		w.must(w.write(func(tx *store.Tx) error { return c.act(tx, p) }))
		if changed := w.revision(ann) != before; changed != c.changes {
			t.Errorf("%s: revision of ann changed: got %v, want %v", c.name, changed, c.changes)
		}
		if w.revision(bob) != bobBefore {
			t.Errorf("%s: got a changed revision of bob, want none", c.name)
		}
		var f SecondFactor
		w.must(w.read(func(tx *store.Tx) (err error) { f, err = w.SecondFactor(tx, svc.Trust(ann)); return err }))
		if f.TOTPPending != c.pending {
			t.Errorf("%s: pending: got %v, want %v", c.name, f.TOTPPending, c.pending)
		}
	}
}
