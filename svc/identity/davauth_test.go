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
	ann, bob := w.addMember("ann"), w.addMember("bob")
	w.must(w.update(bob, Changes{Email: ptr("50%40bob@example.org")}))
	device := w.addDevice(ann, "Phone")
	typed := strings.ReplaceAll(strings.ToUpper(device.Password), "-", " ")
	password := passwordOf("ann")
	for name, c := range map[string]struct {
		login, password string
		want            svc.MemberID
	}{
		"user name":                            {"ann", password, ann},
		"address":                              {"Ann@example.org", password, ann},
		"address as iOS 18.4 sends it":         {"ann%40example.org", password, ann},
		"address with a percent sign":          {"50%40bob@example.org", passwordOf("bob"), bob},
		"address encoded twice":                {"ann%2540example.org", password, 0},
		"invalid encoding":                     {"ann%4", password, 0},
		"device password":                      {"ann", device.Password, ann},
		"device password typed on a phone":     {"ann%40example.org", typed, ann},
		"device password of another member":    {"bob", device.Password, 0},
		"device password with an extra letter": {"ann", device.Password + "x", 0},
		"wrong password":                       {"ann", "wrong password", 0},
		"empty password":                       {"ann", "", 0},
		"unknown login":                        {"unknown", password, 0},
		"unknown login with a device password": {"unknown", device.Password, 0},
		"oversized credentials":                {strings.Repeat("x", 9999), strings.Repeat("y", 9999), 0},
		"id":                                   {ann.String(), password, 0},
		"login and password split differently": {"annc", password[1:], 0},
	} {
		t.Run(name, func(t *testing.T) {
			before := w.Hashes()
			got := w.authenticateDAV(c.login, c.password)
			if got.Viewer.Member() != c.want || got.Valid != (c.want != 0) {
				t.Errorf("got %+v, want member %d", got, c.want)
			}
			if n := w.Hashes() - before; c.want == 0 && n != 1 {
				t.Errorf("rejection: got %d hashes, want 1", n)
			}
		})
	}
	a := w.authenticateDAV("ann", password)
	if want := (DAVMember{ann, "ann", "ann@example.org", Active}); *a.Member != want || a.Generation != 1 {
		t.Errorf("got member %+v of generation %d, want %+v of generation 1", *a.Member, a.Generation, want)
	}
}

// A password is hashed at most once in ten minutes, a device password never.
func TestVerifiedCredentialsAreCached(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	device := w.addDevice(ann, "Phone")
	wantHashes := func(password string, want int64) {
		t.Helper()
		before := w.Hashes()
		if !w.authenticateDAV("ann", password).Valid {
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
			ann := w.addMember("ann")
			device := w.addDevice(ann, "Phone")
			token := w.token("ann")
			for _, password := range []string{passwordOf("ann"), device.Password} {
				if !w.authenticateDAV("ann", password).Valid {
					t.Fatal("got invalid before the change, want valid")
				}
			}
			w.must(end(w, ann, device.ID))
			for _, password := range []string{passwordOf("ann"), device.Password} {
				if w.authenticateDAV("ann", password).Valid {
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
		ann := w.addMember("ann")
		bob, lost, kept := w.addMember("bob"), w.addDevice(ann, "Lost"), w.addDevice(ann, "Kept")
		w.authenticateDAV("ann", lost.Password)
		err := w.write(func(tx *store.Tx) error { return w.RevokeDevice(tx, svc.Trust(bob), lost.ID) })
		wantError(t, err, svc.NotFound)
		w.must(w.write(func(tx *store.Tx) error { return w.RevokeDevice(tx, svc.Trust(ann), lost.ID) }))
		if w.authenticateDAV("ann", lost.Password).Valid {
			t.Error("revoked device password: got valid, want invalid")
		}
		if !w.authenticateDAV("ann", kept.Password).Valid || !w.authenticateDAV("ann", passwordOf("ann")).Valid {
			t.Error("other credentials: got invalid, want valid")
		}
	})
}

// The use of an account and of a device password over DAV is recorded once an hour.
func TestDAVUseIsRecordedHourly(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	device := w.addDevice(ann, "Phone")
	lastUse := func() (at, used *time.Time) {
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
	if at, used := lastUse(); at != nil || used != nil {
		t.Errorf("before any use: got %v and %v, want nil", at, used)
	}
	for _, c := range []struct {
		wait     time.Duration
		password string
		useDue   bool
	}{
		{0, passwordOf("ann"), true}, {0, passwordOf("ann"), false},
		{0, device.Password, true}, {davCacheTime, device.Password, false},
		{time.Hour, device.Password, true}, {0, device.Password, false}, {0, passwordOf("ann"), false},
	} {
		w.clock.Advance(c.wait)
		a := w.authenticateDAV("ann", c.password)
		if a.UseDue != c.useDue {
			t.Errorf("at %s: got UseDue %v, want %v", w.clock.Now(), a.UseDue, c.useDue)
		}
		if a.UseDue {
			w.must(w.write(func(tx *store.Tx) error { return w.RecordDAVUse(tx, a) }))
		}
	}
	now := w.clock.Now()
	if at, used := lastUse(); at == nil || used == nil || !at.Equal(now) || !used.Equal(now) {
		t.Errorf("got last seen %v and last used %v, want %v", at, used, now)
	}
}

// The cache is bounded and evicts expired entries first.
func TestDAVCacheIsBounded(t *testing.T) {
	w := newFixture(t, Config{})
	now := w.clock.Now()
	later := now.Add(davCacheTime)
	for i := range davCacheSize {
		at := now
		if i == 0 {
			at = later
		}
		w.cache.put(w.cache.credentialKey(fmt.Sprint(i), ""), 1, 1, at)
	}
	w.cache.put(w.cache.credentialKey("another", ""), 1, 1, later)
	if n := len(w.cache.entries); n != 2 {
		t.Errorf("got %d entries after evicting expired ones, want 2", n)
	}
	for i := range 2 * davCacheSize {
		w.cache.put(w.cache.credentialKey(fmt.Sprint(i), ""), 1, 1, later)
		if n := len(w.cache.entries); n > davCacheSize {
			t.Fatalf("got %d entries, want at most %d", n, davCacheSize)
		}
	}
	if _, ok := w.cache.get(w.cache.credentialKey(fmt.Sprint(2*davCacheSize-1), ""), later); !ok {
		t.Error("got no entry for the newest credential, want one")
	}
}

func TestDevicePasswordsAreTypableAndLimited(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	d := w.addDevice(ann, " Ann's phone ")
	if !regexp.MustCompile(`^([0-9a-hjkmnp-tv-z]{4}-){4}[0-9a-hjkmnp-tv-z]{4}$`).MatchString(d.Password) {
		t.Errorf("got device password %q, want five groups of four characters", d.Password)
	}
	if d.Label != "Ann's phone" || d.LastUsedAt != nil {
		t.Errorf("got %+v, want the trimmed label and no use", d)
	}
	addDevice := func(addDevice string) error {
		return w.write(func(tx *store.Tx) error { _, err := w.AddDevice(tx, svc.Trust(ann), addDevice); return err })
	}
	wantError(t, addDevice(" "), svc.FieldRequired, "label")
	wantError(t, addDevice(strings.Repeat("x", 81)), svc.TooLong, "label")
	for range maxDevices - 1 {
		w.must(addDevice("other"))
	}
	wantError(t, addDevice("one too many"), svc.InvalidValue)
}
