package identity

import (
	"testing"

	"appliance/store"
	"appliance/svc"
)

// BenchmarkAuthenticate measures the authentication of a request by token.
func BenchmarkAuthenticate(b *testing.B) {
	w := newFixture(b, Config{})
	w.addMember("ann")
	token := w.token("ann")
	for b.Loop() {
		w.must(w.read(func(tx *store.Tx) error { _, err := w.Authenticate(tx, token); return err }))
	}
}

// BenchmarkDAV measures the authentication of a DAV request, with and without the
// cache.
func BenchmarkDAV(b *testing.B) {
	w := newFixture(b, Config{Argon2: DefaultArgon2})
	ann := w.addMember("ann")
	device := w.addDevice(ann, "Phone").Password
	clearCache := func() { w.cache = newDAVCache() }
	for _, c := range []struct {
		name, password string
		before         func()
	}{
		{"cached", passwordOf("ann"), func() {}},
		{"password", passwordOf("ann"), clearCache},
		{"device", device, clearCache},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.before()
				if !w.authenticateDAV("ann", c.password).Valid {
					b.Fatal("got invalid credentials, want valid ones")
				}
			}
		})
	}
}

// BenchmarkDirectory measures a directory search among 1,000 members.
func BenchmarkDirectory(b *testing.B) {
	w := newFixture(b, Config{})
	a, err := w.Prepare(b.Context(), Registration{Email: "member@x.org", Password: "correct horse"})
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error {
		for i := range 1000 {
			a.email = "member@" + store.JSON(i) + ".org"
			if _, err := w.AddMember(tx, cli, a); err != nil {
				return err
			}
		}
		return nil
	}))
	v := svc.Trust(1)
	for b.Loop() {
		if _, err := w.directory(v, DirectoryQuery{Q: "member-9", Limit: 200}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRevalidate measures the check at the beginning of each write.
func BenchmarkRevalidate(b *testing.B) {
	w := newFixture(b, Config{})
	w.addMember("ann")
	c, err := w.authenticate(w.token("ann"))
	w.must(err)
	w.must(w.read(func(tx *store.Tx) error {
		for b.Loop() {
			if err := w.Revalidate(tx, c); err != nil {
				b.Fatal(err)
			}
		}
		return nil
	}))
}
