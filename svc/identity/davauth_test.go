package identity

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Covers I-09.
func TestDAVAcceptsPasswordsAndDevicePasswords(t *testing.T) {
	w := newFixture(t, Config{})
	ann, bob := w.add("ann"), w.add("bob")
	w.must(w.update(bob, Changes{Email: ptr("50%40bob@example.org")}))
	device := w.device(ann, "Phone")
	typed := strings.ReplaceAll(strings.ToUpper(device.Password), "-", " ")
	good := passwordOf("ann")
	for name, c := range map[string]struct {
		login, password string
		want            svc.MemberID
	}{
		"user name":                            {"ann", good, ann},
		"address":                              {"Ann@example.org", good, ann},
		"address as iOS 18.4 sends it":         {"ann%40example.org", good, ann},
		"address with a percent sign":          {"50%40bob@example.org", passwordOf("bob"), bob},
		"address encoded twice":                {"ann%2540example.org", good, 0},
		"invalid encoding":                     {"ann%4", good, 0},
		"device password":                      {"ann", device.Password, ann},
		"device password typed on a phone":     {"ann%40example.org", typed, ann},
		"device password of another member":    {"bob", device.Password, 0},
		"device password with an extra letter": {"ann", device.Password + "x", 0},
		"wrong password":                       {"ann", "wrong password", 0},
		"empty password":                       {"ann", "", 0},
		"unknown login":                        {"unknown", good, 0},
		"unknown login with a device password": {"unknown", device.Password, 0},
		"oversized credentials":                {strings.Repeat("x", 9999), strings.Repeat("y", 9999), 0},
		"id":                                   {ann.String(), good, 0},
		"login and password split differently": {"annc", good[1:], 0},
	} {
		t.Run(name, func(t *testing.T) {
			before := w.Hashes()
			got := w.dav(c.login, c.password)
			if got.Viewer.Member() != c.want || got.Valid != (c.want != 0) {
				t.Errorf("got %+v, want member %d", got, c.want)
			}
			if n := w.Hashes() - before; c.want == 0 && n != 1 {
				t.Errorf("rejection: got %d hashes, want 1", n)
			}
		})
	}
	a := w.dav("ann", good)
	if want := (DAVMember{ann, "ann", "ann@example.org", Active}); *a.Member != want || a.Generation != 1 {
		t.Errorf("got member %+v of generation %d, want %+v of generation 1", *a.Member, a.Generation, want)
	}
}

// A password costs one hash in ten minutes, a device password none.
func TestVerifiedCredentialsAreCached(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.add("ann")
	device := w.device(ann, "Phone")
	wantHashes := func(password string, want int64) {
		t.Helper()
		before := w.Hashes()
		if !w.dav("ann", password).Valid {
			t.Error("got invalid, want valid")
		}
		if got := w.Hashes() - before; got != want {
			t.Errorf("got %d hashes, want %d", got, want)
		}
	}
	wantHashes(device.Password, 0)
	wantHashes(passwordOf("ann"), 1)
	for range 9 {
		w.clock.Advance(time.Minute)
		wantHashes(passwordOf("ann"), 0)
	}
	w.clock.Advance(time.Minute)
	wantHashes(passwordOf("ann"), 1)
}

// Cached credentials are rejected from the first request after they became invalid.
// Covers I-25.
func TestCachedCredentialsAreInvalidated(t *testing.T) {
	for name, end := range map[string]func(w *fixture, ann svc.MemberID, device string) error{
		"disabled": func(w *fixture, ann svc.MemberID, _ string) error {
			return w.update(ann, Changes{Status: ptr(Disabled)})
		},
		"renamed": func(w *fixture, ann svc.MemberID, _ string) error {
			return w.update(ann, Changes{Username: ptr("annabel")})
		},
		"deleted": func(w *fixture, ann svc.MemberID, _ string) error {
			return w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, ann) })
		},
		"new password": func(w *fixture, ann svc.MemberID, _ string) error {
			hash, err := w.HashPassword(w.Context(), "battery staple")
			w.must(err)
			return w.update(ann, Changes{Password: &hash})
		},
		"deleted and replaced": func(w *fixture, ann svc.MemberID, _ string) error {
			err := w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, ann) })
			a, _ := w.Prepare(w.Context(), Registration{Email: "ann@example.org", Username: "ann", Password: "another person"})
			w.must(w.write(func(tx *store.Tx) error { _, err := w.AddMember(tx, cli, a); return err }))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, Config{})
			ann := w.add("ann")
			device := w.device(ann, "Phone")
			token := w.token("ann")
			for _, password := range []string{passwordOf("ann"), device.Password} {
				if !w.dav("ann", password).Valid {
					t.Fatal("got invalid before the change, want valid")
				}
			}
			w.must(end(w, ann, device.ID))
			for _, password := range []string{passwordOf("ann"), device.Password} {
				if w.dav("ann", password).Valid {
					t.Errorf("%q: got valid, want invalid", password)
				}
			}
			if _, err := w.authenticate(token); err == nil && name != "renamed" {
				t.Error("token: got valid, want invalid")
			}
		})
	}
	t.Run("device password revoked", func(t *testing.T) {
		w := newFixture(t, Config{})
		ann := w.add("ann")
		bob, lost, kept := w.add("bob"), w.device(ann, "Lost"), w.device(ann, "Kept")
		w.dav("ann", lost.Password)
		err := w.write(func(tx *store.Tx) error { return w.RevokeDevice(tx, svc.Trust(bob), lost.ID) })
		wantError(t, err, svc.NotFound)
		w.must(w.write(func(tx *store.Tx) error { return w.RevokeDevice(tx, svc.Trust(ann), lost.ID) }))
		if w.dav("ann", lost.Password).Valid {
			t.Error("revoked device password: got valid, want invalid")
		}
		if !w.dav("ann", kept.Password).Valid || !w.dav("ann", passwordOf("ann")).Valid {
			t.Error("other credentials: got invalid, want valid")
		}
	})
}

// Use over DAV is recorded once a day, also for the device password.
func TestDAVUseIsRecordedDaily(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.add("ann")
	device := w.device(ann, "Phone")
	seen := func() (at, used *time.Time) {
		w.must(w.read(func(tx *store.Tx) error {
			m, err := w.FindMember(tx, cli, ann.String())
			if err != nil {
				return err
			}
			list, err := w.Devices(tx, ann)
			at, used = m.LastSeenAt, list[0].LastUsedAt
			return err
		}))
		return at, used
	}
	if at, used := seen(); at != nil || used != nil {
		t.Errorf("before any use: got %v and %v, want nil", at, used)
	}
	for _, c := range []struct {
		wait     time.Duration
		password string
		useDue   bool
	}{
		{0, passwordOf("ann"), true}, {0, passwordOf("ann"), false},
		{0, device.Password, true}, {time.Hour, device.Password, false},
		{day, device.Password, true}, {0, device.Password, false}, {0, passwordOf("ann"), false},
	} {
		w.clock.Advance(c.wait)
		a := w.dav("ann", c.password)
		if a.UseDue != c.useDue {
			t.Errorf("at %s: got UseDue %v, want %v", w.clock.Now(), a.UseDue, c.useDue)
		}
		if a.UseDue {
			w.must(w.write(func(tx *store.Tx) error { return w.RecordDAVUse(tx, a) }))
		}
	}
	noon := w.clock.Now()
	if at, used := seen(); at == nil || used == nil || !at.Equal(noon) || !used.Equal(noon) {
		t.Errorf("got last seen %v and last used %v, want %v", at, used, noon)
	}
}

// The cache is bounded and evicts expired entries first.
func TestDAVCacheIsBounded(t *testing.T) {
	w := newFixture(t, Config{})
	now := w.clock.Now()
	fresh := now.Add(davCacheTime)
	for i := range davCacheSize {
		at := now
		if i == 0 {
			at = fresh
		}
		w.cache.put(w.cache.credential(fmt.Sprint(i), ""), 1, 1, at)
	}
	w.cache.put(w.cache.credential("another", ""), 1, 1, fresh)
	if n := len(w.cache.entries); n != 2 {
		t.Errorf("got %d entries after evicting expired ones, want 2", n)
	}
	for i := range 2 * davCacheSize {
		w.cache.put(w.cache.credential(fmt.Sprint(i), ""), 1, 1, fresh)
		if n := len(w.cache.entries); n > davCacheSize {
			t.Fatalf("got %d entries, want at most %d", n, davCacheSize)
		}
	}
	if _, ok := w.cache.get(w.cache.credential(fmt.Sprint(2*davCacheSize-1), ""), fresh); !ok {
		t.Error("got no entry for the newest credential, want one")
	}
}

func TestDevicePasswordsAreTypableAndLimited(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.add("ann")
	d := w.device(ann, " Ann's phone ")
	if !regexp.MustCompile(`^([0-9a-hjkmnp-tv-z]{4}-){4}[0-9a-hjkmnp-tv-z]{4}$`).MatchString(d.Password) {
		t.Errorf("got device password %q, want five groups of four characters", d.Password)
	}
	if d.Label != "Ann's phone" || d.LastUsedAt != nil {
		t.Errorf("got %+v, want the trimmed label and no use", d)
	}
	label := func(label string) error {
		return w.write(func(tx *store.Tx) error { _, err := w.AddDevice(tx, svc.Trust(ann), label); return err })
	}
	wantError(t, label(" "), svc.FieldRequired, "label")
	wantError(t, label(strings.Repeat("x", 81)), svc.TooLong, "label")
	for range maxDevices - 1 {
		w.must(label("other"))
	}
	wantError(t, label("one too many"), svc.InvalidValue)
}
