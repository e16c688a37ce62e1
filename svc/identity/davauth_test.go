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
func TestDAVCredentials(t *testing.T) {
	w := newWorld(t, Config{})
	ann, bob := w.add("ann"), w.add("bob")
	w.must(w.update(bob, Changes{Email: ptr("50%40bob@example.org")}))
	device := w.device(ann, "Phone")
	typed := strings.ReplaceAll(strings.ToUpper(device.Password), "-", " ")
	good := passwordOf("ann")
	for name, c := range map[string]struct {
		login, password string
		want            svc.MemberID
	}{
		"the username":                         {"ann", good, ann},
		"the address":                          {"Ann@example.org", good, ann},
		"the address as iOS 18.4 sends it":     {"ann%40example.org", good, ann},
		"an address that has a percent sign":   {"50%40bob@example.org", passwordOf("bob"), bob},
		"encoded twice":                        {"ann%2540example.org", good, 0},
		"encoded badly":                        {"ann%4", good, 0},
		"a device password":                    {"ann", device.Password, ann},
		"a device password typed on a phone":   {"ann%40example.org", typed, ann},
		"somebody else's device password":      {"bob", device.Password, 0},
		"a device password and a letter":       {"ann", device.Password + "x", 0},
		"a wrong password":                     {"ann", "wrong password", 0},
		"no password":                          {"ann", "", 0},
		"nobody":                               {"nobody", good, 0},
		"nobody with somebody's device":        {"nobody", device.Password, 0},
		"more than anybody's":                  {strings.Repeat("x", 9999), strings.Repeat("y", 9999), 0},
		"the number":                           {ann.String(), good, 0},
		"the line between them in wrong place": {"annc", good[1:], 0},
	} {
		t.Run(name, func(t *testing.T) {
			before := w.Hashes()
			got := w.dav(c.login, c.password)
			if got.Viewer.Member() != c.want || got.Valid != (c.want != 0) {
				t.Errorf("got %+v, want %d", got, c.want)
			}
			if n := w.Hashes() - before; c.want == 0 && n != 1 {
				t.Errorf("the refusal cost %d hashes, want 1", n)
			}
		})
	}
	a := w.dav("ann", good)
	if want := (DAVMember{ann, "ann", "ann@example.org", Active}); *a.Member != want || a.Generation != 1 {
		t.Errorf("the answer says %+v of generation %d", *a.Member, a.Generation)
	}
}

// Good credentials cost one hash in ten minutes, and a device password none.
func TestGoodCredentialsAreRemembered(t *testing.T) {
	w := newWorld(t, Config{})
	ann := w.add("ann")
	device := w.device(ann, "Phone")
	cost := func(password string, want int64) {
		t.Helper()
		before := w.Hashes()
		if !w.dav("ann", password).Valid {
			t.Error("it is not valid")
		}
		if got := w.Hashes() - before; got != want {
			t.Errorf("it cost %d hashes, want %d", got, want)
		}
	}
	cost(device.Password, 0)
	cost(passwordOf("ann"), 1)
	for range 9 {
		w.clock.Advance(time.Minute)
		cost(passwordOf("ann"), 0)
	}
	w.clock.Advance(time.Minute)
	cost(passwordOf("ann"), 1)
}

// Whatever makes a credential bad does so at the next request, remembered or
// not. Covers I-25.
func TestRememberedCredentialsEndAtOnce(t *testing.T) {
	for name, end := range map[string]func(w *world, ann svc.MemberID, device string) error{
		"disabled": func(w *world, ann svc.MemberID, _ string) error {
			return w.update(ann, Changes{Status: ptr(Disabled)})
		},
		"renamed": func(w *world, ann svc.MemberID, _ string) error {
			return w.update(ann, Changes{Username: ptr("annabel")})
		},
		"deleted": func(w *world, ann svc.MemberID, _ string) error {
			return w.write(func(tx *store.Tx) error { return w.Delete(tx, shell, ann) })
		},
		"given a new password": func(w *world, ann svc.MemberID, _ string) error {
			hash, err := w.HashPassword(w.Context(), "battery staple")
			w.must(err)
			return w.update(ann, Changes{Password: &hash})
		},
		"deleted, and the name given to another": func(w *world, ann svc.MemberID, _ string) error {
			err := w.write(func(tx *store.Tx) error { return w.Delete(tx, shell, ann) })
			a, _ := w.Prepare(w.Context(), Registration{Email: "ann@example.org", Username: "ann", Password: "another person"})
			w.must(w.write(func(tx *store.Tx) error { _, err := w.AddMember(tx, shell, a); return err }))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Config{})
			ann := w.add("ann")
			device := w.device(ann, "Phone")
			token := w.token("ann")
			for _, password := range []string{passwordOf("ann"), device.Password} {
				if !w.dav("ann", password).Valid {
					t.Fatal("it was never valid")
				}
			}
			w.must(end(w, ann, device.ID))
			for _, password := range []string{passwordOf("ann"), device.Password} {
				if w.dav("ann", password).Valid {
					t.Errorf("%q is still valid", password)
				}
			}
			if _, err := w.caller(token); err == nil && name != "renamed" {
				t.Error("the token is still good")
			}
		})
	}
	t.Run("a device password revoked", func(t *testing.T) {
		w := newWorld(t, Config{})
		ann := w.add("ann")
		bob, lost, kept := w.add("bob"), w.device(ann, "Lost"), w.device(ann, "Kept")
		w.dav("ann", lost.Password)
		err := w.write(func(tx *store.Tx) error { return w.RevokeDevice(tx, svc.Trust(bob), lost.ID) })
		refused(t, err, svc.NotFound)
		w.must(w.write(func(tx *store.Tx) error { return w.RevokeDevice(tx, svc.Trust(ann), lost.ID) }))
		if w.dav("ann", lost.Password).Valid {
			t.Error("it is still valid")
		}
		if !w.dav("ann", kept.Password).Valid || !w.dav("ann", passwordOf("ann")).Valid {
			t.Error("another one is not valid any more")
		}
	})
}

// Being seen over DAV is noted once a day, also which device it was.
func TestDAVIsSeenDaily(t *testing.T) {
	w := newWorld(t, Config{})
	ann := w.add("ann")
	device := w.device(ann, "Phone")
	seen := func() (at, used *time.Time) {
		w.must(w.read(func(tx *store.Tx) error {
			m, err := w.FindMember(tx, shell, ann.String())
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
		t.Errorf("before anything: %v, %v", at, used)
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
		// What is remembered is looked at again in ten minutes.
		if a.UseDue != c.useDue {
			t.Errorf("at %s stale is %v", w.clock.Now(), a.UseDue)
		}
		if a.UseDue {
			w.must(w.write(func(tx *store.Tx) error { return w.RecordDAVUse(tx, a) }))
		}
	}
	noon := w.clock.Now()
	if at, used := seen(); at == nil || used == nil || !at.Equal(noon) || !used.Equal(noon) {
		t.Errorf("seen at %v, used at %v, want %v", at, used, noon)
	}
}

// The cache has a bound, and makes room of what is out of date first.
func TestTheCacheIsBounded(t *testing.T) {
	w := newWorld(t, Config{})
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
		t.Errorf("%d entries after making room of old ones, want 2", n)
	}
	for i := range 2 * davCacheSize {
		w.cache.put(w.cache.credential(fmt.Sprint(i), ""), 1, 1, fresh)
		if n := len(w.cache.entries); n > davCacheSize {
			t.Fatalf("%d entries", n)
		}
	}
	if _, ok := w.cache.get(w.cache.credential(fmt.Sprint(2*davCacheSize-1), ""), fresh); !ok {
		t.Error("the newest one is not there")
	}
}

func TestDevicePasswords(t *testing.T) {
	w := newWorld(t, Config{})
	ann := w.add("ann")
	d := w.device(ann, " Ann's phone ")
	if !regexp.MustCompile(`^([0-9a-hjkmnp-tv-z]{4}-){4}[0-9a-hjkmnp-tv-z]{4}$`).MatchString(d.Password) {
		t.Errorf("a device password is %q", d.Password)
	}
	if d.Label != "Ann's phone" || d.LastUsedAt != nil {
		t.Errorf("the device is %+v", d)
	}
	label := func(label string) error {
		return w.write(func(tx *store.Tx) error { _, err := w.AddDevice(tx, svc.Trust(ann), label); return err })
	}
	refused(t, label(" "), svc.FieldRequired, "label")
	refused(t, label(strings.Repeat("x", 81)), svc.TooLong, "label")
	for range maxDevices - 1 {
		w.must(label("another"))
	}
	refused(t, label("one too many"), svc.InvalidValue)
}
