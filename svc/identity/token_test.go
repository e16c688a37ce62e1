package identity

import (
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// A token lives as long as it is used, and no longer than half a year.
// Covers I-06.
func TestTokensSlideAndEnd(t *testing.T) {
	w := newWorld(t, Config{})
	w.add("ann")
	idle, used := w.token("ann"), w.token("ann")
	start := w.clock.Now()

	w.clock.Set(start.Add(tokenSliding - time.Millisecond))
	c, err := w.caller(idle)
	if err != nil || !c.UseDue {
		t.Fatalf("just before it ends: %+v, %v", c, err)
	}
	w.clock.Set(start.Add(tokenSliding))
	_, err = w.caller(idle)
	refused(t, err, svc.Unauthenticated)

	w.clock.Set(start)
	for w.clock.Now().Before(start.Add(tokenAbsolute)) {
		c, err := w.caller(used)
		if err != nil {
			t.Fatalf("in use, after %s: %v", w.clock.Now().Sub(start), err)
		}
		if c.UseDue {
			w.must(w.write(func(tx *store.Tx) error { return w.RecordUse(tx, c) }))
		}
		w.clock.Advance(12 * time.Hour)
	}
	_, err = w.caller(used)
	refused(t, err, svc.Unauthenticated)
}

// Presenting a token writes once a day at most, and is never a change that
// members see.
func TestTokensAreTouchedDaily(t *testing.T) {
	w := newWorld(t, Config{})
	ann := w.add("ann")
	token := w.token("ann")
	revision := w.revision(ann)
	c, err := w.caller(token)
	if err != nil || c.UseDue {
		t.Errorf("a new token: %+v, %v", c, err)
	}
	w.clock.Advance(day)
	if c, err = w.caller(token); err != nil || !c.UseDue {
		t.Errorf("after a day: %+v, %v", c, err)
	}
	slide := func() { w.must(w.write(func(tx *store.Tx) error { return w.RecordUse(tx, c) })) }
	slide()
	noon := w.clock.Now()
	w.clock.Advance(time.Hour)
	slide() // by another request that saw it stale
	var list []Token
	var m AdminMember
	w.must(w.read(func(tx *store.Tx) (err error) {
		if list, err = w.Tokens(tx, ann); err != nil {
			return err
		}
		m, err = w.FindMember(tx, shell, ann.String())
		return err
	}))
	want := Token{ID: c.TokenID, Label: "test", CreatedAt: noon.Add(-day), LastUsedAt: noon, ExpiresAt: noon.Add(tokenSliding)}
	if len(list) != 1 || list[0] != want {
		t.Errorf("the tokens are %+v, want %+v", list, want)
	}
	if m.LastSeenAt == nil || !m.LastSeenAt.Equal(noon) || m.TokenCount != 1 {
		t.Errorf("operators see %+v", m)
	}
	if got := w.revision(ann); got != revision {
		t.Errorf("the revision went from %+v to %+v", revision, got)
	}
}

// Covers I-05.
func TestRevokingTokens(t *testing.T) {
	w := newWorld(t, Config{})
	ann, bob := w.add("ann"), w.add("bob")
	tokens := []string{w.token("ann"), w.token("ann"), w.token("ann"), w.token("ann")}
	others := w.token("bob")
	callers := make([]Authentication, len(tokens))
	for i, token := range tokens {
		var err error
		callers[i], err = w.caller(token)
		w.must(err)
	}
	live := func(want ...bool) {
		t.Helper()
		for i, token := range tokens {
			if _, err := w.caller(token); (err == nil) != want[i] {
				t.Errorf("token %d: %v", i, err)
			}
		}
		if _, err := w.caller(others); err != nil {
			t.Errorf("Bob's token: %v", err)
		}
	}
	generation := callers[0].Generation

	w.must(w.write(func(tx *store.Tx) error { return w.Logout(tx, callers[0]) }))
	live(false, true, true, true)
	if c, _ := w.caller(tokens[1]); c.Generation != generation {
		t.Error("signing out began a generation")
	}
	err := w.write(func(tx *store.Tx) error { return w.RevokeToken(tx, svc.Trust(bob), callers[1].TokenID) })
	refused(t, err, svc.NotFound)
	live(false, true, true, true)

	w.must(w.write(func(tx *store.Tx) error { return w.RevokeToken(tx, svc.Trust(ann), callers[1].TokenID) }))
	live(false, false, true, true)
	if c, _ := w.caller(tokens[2]); c.Generation == generation {
		t.Error("revoking a token began no generation")
	}
	w.must(w.write(func(tx *store.Tx) error { return w.RevokeTokens(tx, svc.Trust(ann)) }))
	live(false, false, false, false)
}

func TestWhatIsNoToken(t *testing.T) {
	w := newWorld(t, Config{})
	w.add("ann")
	token := w.token("ann")
	for _, wrong := range []string{
		"", "svc_", token + "A", token[:len(token)-1], "svc-" + token[4:],
		strings.ToUpper(token), strings.Repeat("x", len(token)), svc.NewSecret("svc_"),
	} {
		_, err := w.caller(wrong)
		refused(t, err, svc.Unauthenticated)
	}
}

// A script that logs in each time it runs does not fill the database.
func TestTokensMakeRoom(t *testing.T) {
	w := newWorld(t, Config{})
	w.add("ann")
	p, err := w.prove("ann", passwordOf("ann"))
	w.must(err)
	var first, last Session
	for i := range maxTokens + 1 {
		w.must(w.write(func(tx *store.Tx) (err error) { last, err = w.Login(tx, p, ""); return err }))
		if i == 0 {
			first = last
		}
		w.clock.Advance(time.Second)
	}
	if n := len(cells(w, "identity_token")); n != maxTokens {
		t.Errorf("there are %d tokens, want %d", n, maxTokens)
	}
	_, err = w.caller(first.Token.AccessToken)
	refused(t, err, svc.Unauthenticated)
	if _, err := w.caller(last.Token.AccessToken); err != nil {
		t.Errorf("the last token: %v", err)
	}
}

func TestLabelsAreShortened(t *testing.T) {
	for _, c := range []struct{ label, want string }{
		{"Firefox", "Firefox"},
		{"Fire\nfox\x00\xff", "Firefox"},
		{strings.Repeat("é", 100), strings.Repeat("é", svc.MaxName)},
		{strings.Repeat("é", svc.MaxName), strings.Repeat("é", svc.MaxName)},
	} {
		if got := cleanLabel(c.label); got != c.want {
			t.Errorf("%q became %q", c.label, got)
		}
	}
}
