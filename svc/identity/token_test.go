package identity

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// A token expires 30 days after its last use and 180 days after its creation.
// Covers I-06.
func TestTokenExpiresUnlessUsed(t *testing.T) {
	w := newFixture(t, Config{})
	w.addMember("ann")
	idle, used := w.token("ann"), w.token("ann")
	start := w.clock.Now()

	w.clock.Set(start.Add(tokenIdleTime - time.Millisecond))
	c, err := w.authenticate(idle)
	if err != nil || !c.UseDue {
		t.Fatalf("just before it expires: got %+v (%v), want UseDue", c, err)
	}
	w.clock.Set(start.Add(tokenIdleTime))
	_, err = w.authenticate(idle)
	wantError(t, err, svc.Unauthenticated)

	w.clock.Set(start)
	for w.clock.Now().Before(start.Add(tokenLifetime)) {
		c, err := w.authenticate(used)
		if err != nil {
			t.Fatalf("token in use, after %s: %v", w.clock.Now().Sub(start), err)
		}
		if c.UseDue {
			w.must(w.write(func(tx *store.Tx) error { return w.RecordUse(tx, c, netip.Addr{}) }))
		}
		w.clock.Advance(12 * time.Hour)
	}
	_, err = w.authenticate(used)
	wantError(t, err, svc.Unauthenticated)
}

// The use of a token is recorded with the address at most once an hour and does not
// change revisions.
func TestTokenUseIsRecordedHourly(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	token := w.token("ann")
	revision := w.revision(ann)
	c, err := w.authenticate(token)
	if err != nil || c.UseDue {
		t.Errorf("new token: got %+v (%v), want no use due", c, err)
	}
	w.clock.Advance(time.Hour)
	if c, err = w.authenticate(token); err != nil || !c.UseDue {
		t.Errorf("after an hour: got %+v (%v), want UseDue", c, err)
	}
	use := func() {
		w.must(w.write(func(tx *store.Tx) error { return w.RecordUse(tx, c, netip.MustParseAddr("192.0.2.7")) }))
	}
	use()
	noon := w.clock.Now()
	w.clock.Advance(time.Hour - time.Minute)
	use() // like a concurrent request that began before the first use was recorded
	var list []Token
	var m AdminMember
	w.must(w.read(func(tx *store.Tx) (err error) {
		if list, err = w.Tokens(tx, ann); err != nil {
			return err
		}
		m, err = w.FindMember(tx, cli, ann.String())
		return err
	}))
	want := Token{ID: c.TokenID, Label: "test", Method: "password", Address: "192.0.2.7", CreatedAt: noon.Add(-time.Hour), LastUsedAt: noon, ExpiresAt: noon.Add(tokenIdleTime)}
	if len(list) != 1 || list[0] != want {
		t.Errorf("got tokens %+v, want %+v", list, want)
	}
	if m.LastSeenAt == nil || !m.LastSeenAt.Equal(noon) || m.TokenCount != 1 {
		t.Errorf("admin view: got %+v, want last seen %v and one token", m, noon)
	}
	if got := w.revision(ann); got != revision {
		t.Errorf("got revision %d, want %d", got, revision)
	}
}

// Covers I-05.
func TestRevokedTokensAreRejected(t *testing.T) {
	w := newFixture(t, Config{})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	tokens := []string{w.token("ann"), w.token("ann"), w.token("ann"), w.token("ann")}
	otherToken := w.token("bob")
	auths := make([]Authentication, len(tokens))
	for i, token := range tokens {
		var err error
		auths[i], err = w.authenticate(token)
		w.must(err)
	}
	wantValid := func(want ...bool) {
		t.Helper()
		for i, token := range tokens {
			if _, err := w.authenticate(token); (err == nil) != want[i] {
				t.Errorf("token %d: got %v, want valid %v", i, err, want[i])
			}
		}
		if _, err := w.authenticate(otherToken); err != nil {
			t.Errorf("token of the other member: %v", err)
		}
	}
	generation := auths[0].Generation

	w.must(w.write(func(tx *store.Tx) error { return w.Logout(tx, auths[0]) }))
	wantValid(false, true, true, true)
	if c, _ := w.authenticate(tokens[1]); c.Generation != generation {
		t.Errorf("generation after Logout: got %d, want %d", c.Generation, generation)
	}
	err := w.write(func(tx *store.Tx) error { return w.RevokeToken(tx, svc.Trust(bob), auths[1].TokenID) })
	wantError(t, err, svc.NotFound)
	wantValid(false, true, true, true)

	w.must(w.write(func(tx *store.Tx) error { return w.RevokeToken(tx, svc.Trust(ann), auths[1].TokenID) }))
	wantValid(false, false, true, true)
	if c, _ := w.authenticate(tokens[2]); c.Generation == generation {
		t.Errorf("generation after RevokeToken: got %d, want another one", c.Generation)
	}
	w.must(w.write(func(tx *store.Tx) error { return w.RevokeTokens(tx, svc.Trust(ann), "") }))
	wantValid(false, false, false, false)
}

func TestMalformedTokensAreRejected(t *testing.T) {
	w := newFixture(t, Config{})
	w.addMember("ann")
	token := w.token("ann")
	for _, wrong := range []string{
		"", "svc_", token + "A", token[:len(token)-1], "svc-" + token[4:],
		strings.ToUpper(token), strings.Repeat("x", len(token)), svc.NewSecret("svc_"),
	} {
		_, err := w.authenticate(wrong)
		wantError(t, err, svc.Unauthenticated)
	}
}

func TestTokensPerMemberAreLimited(t *testing.T) {
	w := newFixture(t, Config{})
	w.addMember("ann")
	p, err := w.prove("ann", passwordOf("ann"))
	w.must(err)
	var first, last Session
	for i := range maxTokens + 1 {
		w.must(w.write(func(tx *store.Tx) (err error) { last, _, err = w.Login(tx, p, Client{}); return err }))
		if i == 0 {
			first = last
		}
		w.clock.Advance(time.Second)
	}
	if n := len(tableRows(w, "identity_token")); n != maxTokens {
		t.Errorf("got %d tokens, want %d", n, maxTokens)
	}
	_, err = w.authenticate(first.Token.AccessToken)
	wantError(t, err, svc.Unauthenticated)
	if _, err := w.authenticate(last.Token.AccessToken); err != nil {
		t.Errorf("newest token: %v", err)
	}
}

func TestLabelsAreCleanedAndCut(t *testing.T) {
	for _, c := range []struct{ label, want string }{
		{"Firefox", "Firefox"},
		{"Fire\nfox\x00\xff", "Firefox"},
		{strings.Repeat("é", 100), strings.Repeat("é", svc.MaxName)},
		{strings.Repeat("é", svc.MaxName), strings.Repeat("é", svc.MaxName)},
	} {
		if got := cleanLabel(c.label); got != c.want {
			t.Errorf("%q: got %q, want %q", c.label, got, c.want)
		}
	}
}

// RevokeTokens can keep one token, and the audit log says so.
func TestRevokeTokensKeepsOneToken(t *testing.T) {
	w := newFixture(t, Config{})
	ann, kept, other := w.addMember("ann"), w.token("ann"), w.token("ann")
	c, err := w.authenticate(kept)
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error { return w.RevokeTokens(tx, svc.Trust(ann), c.TokenID) }))
	if _, err := w.authenticate(kept); err != nil {
		t.Errorf("kept token: got %v, want it valid", err)
	}
	_, err = w.authenticate(other)
	wantError(t, err, svc.Unauthenticated)
	if list := w.auditOf(ann); !slices.Contains(list, fmt.Sprint(ann, " revoke other-sessions")) {
		t.Errorf("got the audit log %q, want revoke other-sessions", list)
	}
}

func TestMethodsOfSigningInHaveDescriptions(t *testing.T) {
	for method, want := range map[string]string{
		"password": "password", "password+totp": "password and authenticator app", "password+recovery-code": "password and recovery code", "set-up": "the set-up link",
	} {
		if got := DescribeMethod(words.English, method); got != want {
			t.Errorf("%s: got %q, want %q", method, got, want)
		}
	}
}
