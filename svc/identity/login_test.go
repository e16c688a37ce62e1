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
	w := newWorld(t, Config{})
	ann := w.add("ann")
	for _, login := range []string{"ann", "ANN", " ann ", "ann@example.org", "Ann@Example.ORG"} {
		s, err := w.login(login, passwordOf("ann"))
		if err != nil || s.Member.ID != ann || s.Token.TokenType != "Bearer" {
			t.Errorf("%q: %+v, %v", login, s, err)
			continue
		}
		if c, err := w.caller(s.Token.AccessToken); err != nil || c.Viewer.Member() != ann {
			t.Errorf("the token of %q: %+v, %v", login, c, err)
		}
	}
}

// A wrong password, nobody, and somebody who is disabled: the same answer for
// the same work. Covers I-20.
func TestFailedLoginsAreIndistinguishable(t *testing.T) {
	w := newWorld(t, Config{})
	w.add("ann")
	w.must(w.update(w.add("dan"), Changes{Status: ptr(Disabled)}))
	var first *svc.Error
	for _, c := range []struct{ login, password string }{
		{"ann", "wrong password"},
		{"ann", ""},
		{"ann", strings.Repeat("x", 5000)},
		{"ann@example.org", passwordOf("ann") + " "},
		{"nobody", passwordOf("ann")},
		{"nobody@example.org", ""},
		{"", ""},
		{strings.Repeat("x", 5000), "x"},
		{"dan", passwordOf("dan")},
		{"1", passwordOf("ann")},
	} {
		before := w.Hashes()
		_, err := w.login(c.login, c.password)
		refused(t, err, svc.InvalidCredentials)
		if n := w.Hashes() - before; n != 1 {
			t.Errorf("%.20q cost %d hashes, want 1", c.login, n)
		}
		var e *svc.Error
		errors.As(err, &e)
		if first == nil {
			first = e
		}
		if e.Message != first.Message || e.Err != nil {
			t.Errorf("%.20q was told %q", c.login, e.Message)
		}
	}
	if n := len(cells(w, "identity_token")); n != 0 {
		t.Errorf("there are %d tokens", n)
	}
}

// A proof is worth nothing once the account has changed.
func TestAProofEndsWithItsGeneration(t *testing.T) {
	for name, c := range map[string]Changes{
		"the member is disabled":    {Status: ptr(Disabled)},
		"the password is new":       {Password: new(PasswordHash)},
		"the address is new":        {Email: ptr("new@example.org")},
		"the username is new":       {Username: ptr("new")},
		"the tokens were revoked":   {RevokeTokens: true},
		"all of that":               {Status: ptr(Disabled), Email: ptr("new@example.org"), RevokeTokens: true},
		"revoked by the member too": {},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Config{})
			ann := w.add("ann")
			p, err := w.prove("ann", passwordOf("ann"))
			w.must(err)
			if c == (Changes{}) {
				w.must(w.write(func(tx *store.Tx) error { return w.RevokeTokens(tx, svc.Trust(ann)) }))
			}
			w.must(w.update(ann, c))
			err = w.write(func(tx *store.Tx) error { _, err := w.Login(tx, p, ""); return err })
			refused(t, err, svc.InvalidCredentials)
		})
	}
	w := newWorld(t, Config{})
	ann := w.add("ann")
	p, err := w.prove("ann", passwordOf("ann"))
	w.must(err)
	w.must(w.update(ann, Changes{DisplayName: ptr("Annabel")}))
	w.must(w.write(func(tx *store.Tx) error { _, err := w.Login(tx, p, ""); return err }))
}

// When the settings ask for more, the next login stores a stronger hash.
func TestLoginRehashes(t *testing.T) {
	w := newWorld(t, Config{})
	w.add("ann")
	stored := func() Argon2 {
		var c Candidate
		w.must(w.read(func(tx *store.Tx) (err error) { c, err = w.Candidate(tx, "ann"); return err }))
		p, err := parsePHC(c.hash)
		w.must(err)
		return p.Argon2
	}
	stronger := Argon2{Memory: 128, Time: 2, Threads: 1}
	w.Service = New(Config{Argon2: stronger})
	if _, err := w.login("ann", "wrong password"); err == nil || stored() != quick {
		t.Errorf("after a wrong password: %v, %+v", err, stored())
	}
	w.token("ann")
	if got := stored(); got != stronger {
		t.Errorf("stored with %+v, want %+v", got, stronger)
	}
	before := w.Hashes()
	w.token("ann")
	if n := w.Hashes() - before; n != 1 {
		t.Errorf("the login after that cost %d hashes", n)
	}
	w.Service = New(Config{Argon2: quick})
	w.token("ann")
	if got := stored(); got != stronger {
		t.Errorf("a hash was made weaker: %+v", got)
	}
}

func TestChangePassword(t *testing.T) {
	w := newWorld(t, Config{})
	ann := w.add("ann")
	device := w.device(ann, "Phone")
	here, there := w.token("ann"), w.token("ann")
	caller, err := w.caller(here)
	w.must(err)
	var link ResetLink
	w.must(w.write(func(tx *store.Tx) (err error) { link, err = w.AddResetLink(tx, shell, ann); return err }))

	change := func(current, next string) error {
		var c Candidate
		w.must(w.read(func(tx *store.Tx) (err error) { c, err = w.OwnCandidate(tx, caller.Viewer); return err }))
		p, err := w.Verify(t.Context(), c, current)
		if err != nil {
			return err
		}
		hash, err := w.HashPassword(t.Context(), next, p.Email())
		if err != nil {
			return err
		}
		return w.write(func(tx *store.Tx) error { return w.ChangePassword(tx, p, hash, caller.TokenID) })
	}
	refused(t, change("wrong password", "battery staple"), svc.InvalidValue, "current_password")
	refused(t, change(passwordOf("ann"), "ann@example.org"), svc.WeakPassword, "password")
	refused(t, change(passwordOf("ann"), ""), svc.FieldRequired, "password")
	w.must(change(passwordOf("ann"), "battery staple"))

	_, err = w.login("ann", passwordOf("ann"))
	refused(t, err, svc.InvalidCredentials)
	if _, err := w.login("ann", "battery staple"); err != nil {
		t.Errorf("the new password: %v", err)
	}
	if _, err := w.caller(here); err != nil {
		t.Errorf("the token it was changed with: %v", err)
	}
	_, err = w.caller(there)
	refused(t, err, svc.Unauthenticated)
	if !w.dav("ann", device.Password).Valid {
		t.Error("the device password does not work any more")
	}
	err = w.read(func(tx *store.Tx) error { _, err := w.ResetMember(tx, link.Code); return err })
	refused(t, err, svc.LinkExpired)
}

// A storm of logins waits its turn, and no longer than its context.
func TestHashesAreBounded(t *testing.T) {
	w := newWorld(t, Config{})
	for range cap(w.hasher.slots) {
		w.hasher.slots <- struct{}{} // all cores are busy
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, err := w.Verify(ctx, Candidate{}, "password")
	refused(t, err, svc.ServiceUnavailable)
	if w.Hashes() != 0 {
		t.Error("it was hashed nevertheless")
	}
	<-w.hasher.slots
	if _, err := w.Verify(t.Context(), Candidate{refusal: svc.Errorf(svc.InvalidCredentials, "")}, "password"); svc.KindOf(err) != svc.Anonymous {
		t.Errorf("with a core free: %v", err)
	}
}

// Whoever would wait for too long is told so at once.
func TestHashesWaitInALine(t *testing.T) {
	w := newWorld(t, Config{})
	for range cap(w.hasher.queue) {
		w.hasher.queue <- struct{}{}
	}
	_, err := w.Verify(t.Context(), Candidate{}, "password")
	refused(t, err, svc.ServiceUnavailable)
	<-w.hasher.queue
	if _, err := w.Verify(t.Context(), Candidate{refusal: svc.Errorf(svc.InvalidCredentials, "")}, "password"); svc.KindOf(err) != svc.Anonymous {
		t.Errorf("with a place free: %v", err)
	}
}

// Many clients at once get the answers that each would get alone.
func TestAStormOfLogins(t *testing.T) {
	w := newWorld(t, Config{})
	ann := w.add("ann")
	var storm sync.WaitGroup
	for i := range 32 {
		password, want := passwordOf("ann"), ann
		if i%2 == 1 {
			password, want = "wrong password", 0
		}
		storm.Go(func() {
			var c DAVCandidate
			err := w.read(func(tx *store.Tx) (err error) {
				c, err = w.DAVCandidate(tx, "ann", password)
				return err
			})
			a, errVerify := w.VerifyDAV(t.Context(), c)
			if err != nil || errVerify != nil || a.Viewer.Member() != want {
				t.Errorf("with %q: %+v, %v, %v", password, a, err, errVerify)
			}
		})
		storm.Go(func() {
			w.AddOperator("ann@example.org")
			if !w.isOperatorEmail("ann@example.org") {
				t.Error("Ann is not on the list")
			}
		})
	}
	storm.Wait()
}
