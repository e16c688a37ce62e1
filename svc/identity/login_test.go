package identity

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Covers I-02 and I-07.
func TestLoginByAddressOrUsername(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	for _, login := range []string{"ann", "ANN", " ann ", "ann@example.org", "Ann@Example.ORG"} {
		s, err := w.login(login, passwordOf("ann"))
		if err != nil || s.Member.ID != ann || s.Token.TokenType != "Bearer" {
			t.Errorf("%q: got %+v (%v), want a bearer token of member %d", login, s, err, ann)
			continue
		}
		if c, err := w.authenticate(s.Token.AccessToken); err != nil || c.Viewer.Member() != ann {
			t.Errorf("token for %q: got %+v (%v), want member %d", login, c, err, ann)
		}
	}
}

// A wrong password, an unknown login and a disabled member get the same response at
// the same cost. Covers I-20.
func TestFailedLoginsAreIndistinguishable(t *testing.T) {
	w := newFixture(t, Config{})
	w.addMember("ann")
	w.must(w.update(w.addMember("dan"), Changes{Status: ptr(Disabled)}))
	var first *svc.Error
	for _, c := range []struct{ login, password string }{
		{"ann", "wrong password"},
		{"ann", ""},
		{"ann", strings.Repeat("x", 5000)},
		{"ann@example.org", passwordOf("ann") + " "},
		{"unknown", passwordOf("ann")},
		{"unknown@example.org", ""},
		{"", ""},
		{strings.Repeat("x", 5000), "x"},
		{"dan", passwordOf("dan")},
		{"1", passwordOf("ann")},
	} {
		before := w.Hashes()
		_, err := w.login(c.login, c.password)
		wantError(t, err, svc.InvalidCredentials)
		if n := w.Hashes() - before; n != 1 {
			t.Errorf("%.20q: got %d hashes, want 1", c.login, n)
		}
		var e *svc.Error
		errors.As(err, &e)
		if first == nil {
			first = e
		}
		if e.Message != first.Message || e.Err != nil {
			t.Errorf("%.20q: got message %q (%v), want %q", c.login, e.Message, e.Err, first.Message)
		}
	}
	if n := len(tableRows(w, "identity_token")); n != 0 {
		t.Errorf("got %d tokens, want 0", n)
	}
}

func TestProofEndsWithItsGeneration(t *testing.T) {
	for name, c := range map[string]Changes{
		"disabled":                 {Status: ptr(Disabled)},
		"new password":             {Password: new(PasswordHash)},
		"new address":              {Email: ptr("new@example.org")},
		"new user name":            {Username: ptr("new")},
		"tokens revoked":           {RevokeTokens: true},
		"several changes":          {Status: ptr(Disabled), Email: ptr("new@example.org"), RevokeTokens: true},
		"tokens revoked by member": {},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, Config{})
			ann := w.addMember("ann")
			p, err := w.prove("ann", passwordOf("ann"))
			w.must(err)
			if c == (Changes{}) {
				w.must(w.write(func(tx *store.Tx) error { return w.RevokeTokens(tx, svc.Trust(ann), "") }))
			}
			w.must(w.update(ann, c))
			err = w.write(func(tx *store.Tx) error { _, _, err := w.Login(tx, p, Client{}); return err })
			wantError(t, err, svc.InvalidCredentials)
		})
	}
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	p, err := w.prove("ann", passwordOf("ann"))
	w.must(err)
	w.must(w.update(ann, Changes{DisplayName: ptr("Annabel")}))
	w.must(w.write(func(tx *store.Tx) error { _, _, err := w.Login(tx, p, Client{}); return err }))
}

// If the configured parameters are stronger, the next login stores a new hash.
func TestLoginStrengthensStoredHash(t *testing.T) {
	w := newFixture(t, Config{})
	w.addMember("ann")
	stored := func() Argon2 {
		var c Candidate
		w.must(w.read(func(tx *store.Tx) (err error) { c, err = w.Candidate(tx, "ann"); return err }))
		p, err := parsePHC(c.hash)
		w.must(err)
		return p.Argon2
	}
	stronger := Argon2{Memory: 128, Time: 2, Threads: 1}
	w.Service = New(Config{Argon2: stronger})
	if _, err := w.login("ann", "wrong password"); err == nil || stored() != cheapArgon2 {
		t.Errorf("after a wrong password: got %+v (%v), want the hash unchanged", stored(), err)
	}
	w.token("ann")
	if got := stored(); got != stronger {
		t.Errorf("got a hash with %+v, want %+v", got, stronger)
	}
	before := w.Hashes()
	w.token("ann")
	if n := w.Hashes() - before; n != 1 {
		t.Errorf("next login: got %d hashes, want 1", n)
	}
	w.Service = New(Config{Argon2: cheapArgon2})
	w.token("ann")
	if got := stored(); got != stronger {
		t.Errorf("after weaker parameters: got a hash with %+v, want %+v", got, stronger)
	}
}

func TestChangePasswordKeepsDevicePasswordsAndOwnToken(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	device := w.addDevice(ann, "Phone")
	ownToken, otherToken := w.token("ann"), w.token("ann")
	a, err := w.authenticate(ownToken)
	w.must(err)
	var link ResetLink
	var setup DeviceSetup
	w.must(w.write(func(tx *store.Tx) (err error) {
		if setup, err = w.AddDeviceSetup(tx, a.Viewer, "Tablet"); err != nil {
			return err
		}
		link, err = w.AddResetLink(tx, cli, ann)
		return err
	}))

	change := func(current, next string) error {
		var c Candidate
		w.must(w.read(func(tx *store.Tx) (err error) { c, err = w.OwnCandidate(tx, a.Viewer); return err }))
		p, err := w.Verify(t.Context(), c, current)
		if err != nil {
			return err
		}
		hash, err := w.HashPassword(t.Context(), next, p.Email())
		if err != nil {
			return err
		}
		return w.write(func(tx *store.Tx) error { return w.ChangePassword(tx, p, hash, a.TokenID) })
	}
	wantError(t, change("wrong password", "battery staple"), svc.InvalidValue, "current_password")
	wantError(t, change(passwordOf("ann"), "ann@example.org"), svc.WeakPassword, "password")
	wantError(t, change(passwordOf("ann"), ""), svc.FieldRequired, "password")
	w.must(change(passwordOf("ann"), "battery staple"))

	_, err = w.login("ann", passwordOf("ann"))
	wantError(t, err, svc.InvalidCredentials)
	if _, err := w.login("ann", "battery staple"); err != nil {
		t.Errorf("login with the new password: %v", err)
	}
	if _, err := w.authenticate(ownToken); err != nil {
		t.Errorf("token of the request: %v", err)
	}
	_, err = w.authenticate(otherToken)
	wantError(t, err, svc.Unauthenticated)
	if !w.authenticateDAV("ann", device.Password).Valid {
		t.Error("device password: got invalid, want valid")
	}
	err = w.read(func(tx *store.Tx) error { _, err := w.ResetMember(tx, link.Code); return err })
	wantError(t, err, svc.LinkExpired)
	err = w.read(func(tx *store.Tx) error { _, _, err := w.DeviceSetup(tx, setup.Code); return err })
	wantError(t, err, svc.LinkExpired)
}

// Passwords that are guessed first are rejected in any case of letters, also with digits or signs
// before or after them. Passwords that repeat a sequence of a few characters are rejected too.
func TestGuessablePasswordsAreRejected(t *testing.T) {
	for _, plain := range []string{
		"password", "PassWord", "password1!", "!!password2026", "iloveyou.", "aaaaaaaa", "12121212", "abcabcabca", "абвгабвгабвг", "🙂🙂🙂🙂🙂🙂🙂🙂",
	} {
		if err := CheckPassword(plain); err == nil {
			t.Errorf("%q: got no error, want weak_password", plain)
		}
	}
	for _, plain := range []string{"battery staple", "aaaaaaab", "my password of 2026", "12123434565", "correct1horse2"} {
		if err := CheckPassword(plain); err != nil {
			t.Errorf("%q: got %v, want no error", plain, err)
		}
	}
}

// At most one hash per core runs at a time. The other calls wait for their turn
// or until their context ends.
func TestConcurrentHashesAreLimited(t *testing.T) {
	w := newFixture(t, Config{})
	for range cap(w.hasher.slots) {
		w.hasher.slots <- struct{}{} // all cores are busy
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, err := w.Verify(ctx, Candidate{}, "password")
	wantError(t, err, svc.ServiceUnavailable)
	if w.Hashes() != 0 {
		t.Errorf("without a free slot: got %d hashes, want none", w.Hashes())
	}
	<-w.hasher.slots
	if _, err := w.Verify(t.Context(), Candidate{refusal: svc.Errorf(svc.InvalidCredentials, "")}, "password"); svc.KindOf(err) != svc.Anonymous {
		t.Errorf("with a free slot: got %v, want invalid_credentials", err)
	}
}

func TestFullHashQueueRejectsRequests(t *testing.T) {
	w := newFixture(t, Config{})
	for range cap(w.hasher.queue) {
		w.hasher.queue <- struct{}{}
	}
	_, err := w.Verify(t.Context(), Candidate{}, "password")
	wantError(t, err, svc.ServiceUnavailable)
	<-w.hasher.queue
	if _, err := w.Verify(t.Context(), Candidate{refusal: svc.Errorf(svc.InvalidCredentials, "")}, "password"); svc.KindOf(err) != svc.Anonymous {
		t.Errorf("with a free place: got %v, want invalid_credentials", err)
	}
}

func TestConcurrentLoginsAreIndependent(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	var logins sync.WaitGroup
	for i := range 32 {
		password, want := passwordOf("ann"), ann
		if i%2 == 1 {
			password, want = "wrong password", 0
		}
		logins.Go(func() {
			var c DAVCandidate
			err := w.read(func(tx *store.Tx) (err error) {
				c, err = w.DAVCandidate(tx, "ann", password)
				return err
			})
			a, errVerify := w.VerifyDAV(t.Context(), c)
			if err != nil || errVerify != nil || a.Viewer.Member() != want {
				t.Errorf("password %q: got %+v (%v, %v), want member %d", password, a, err, errVerify, want)
			}
		})
	}
	logins.Wait()
}
