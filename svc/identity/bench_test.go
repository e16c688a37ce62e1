package identity

import (
	"testing"

	"appliance/store"
	"appliance/svc"
)

// What knowing who asks costs every request with a bearer token.
func BenchmarkAuthenticate(b *testing.B) {
	w := newWorld(b, Config{})
	w.add("ann")
	token := w.token("ann")
	for b.Loop() {
		w.must(w.read(func(tx *store.Tx) error { _, err := w.Authenticate(tx, token); return err }))
	}
}

// What it costs every DAV request, with the credentials remembered or not.
func BenchmarkDAV(b *testing.B) {
	w := newWorld(b, Config{Argon2: DefaultArgon2})
	ann := w.add("ann")
	device := w.device(ann, "Phone").Password
	forget := func() { w.cache = newDAVCache() }
	for _, c := range []struct {
		name, password string
		before         func()
	}{
		{"remembered", passwordOf("ann"), func() {}},
		{"password", passwordOf("ann"), forget},
		{"device", device, forget},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.before()
				if !w.dav("ann", c.password).Valid {
					b.Fatal("it is not valid")
				}
			}
		})
	}
}

// What the directory of a large community costs.
func BenchmarkDirectory(b *testing.B) {
	w := newWorld(b, Config{})
	a, err := w.Prepare(b.Context(), Registration{Email: "member@x.org", Password: "correct horse"})
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error {
		for i := range 1000 {
			a.email = "member@" + store.JSON(i) + ".org"
			if _, err := w.AddMember(tx, shell, a); err != nil {
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

// What each write of a member asks first.
func BenchmarkCheck(b *testing.B) {
	w := newWorld(b, Config{})
	w.add("ann")
	c, err := w.caller(w.token("ann"))
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
