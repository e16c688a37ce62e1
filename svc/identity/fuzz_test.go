package identity

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// An accepted address is stable under validation and folding, contains one @
// and no list separator, and a valid user name is derived from it. Covers
// PT-45.
func FuzzEmail(f *testing.F) {
	for _, s := range []string{
		"ann@example.org", " Ann@Example.ORG ", "a.b+c@x", "日本@例え.jp", "İ@x.org", "ann@[127.0.0.1]",
		`"a b"@x.org`, "Ann <ann@x.org>", "a@b@c", "a,b@x.org", "ann@x.org\n", "1@x", "=?utf-8?q?a?=@x.org",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if fold(fold(text)) != fold(text) {
			t.Errorf("%q: got %q folded once and %q folded twice, want the same", text, fold(text), fold(fold(text)))
		}
		email, err := CheckEmail(text)
		if (err == nil) != (email != "") {
			t.Fatalf("%q: got %q and %v, want one of them", text, email, err)
		}
		if err != nil {
			return
		}
		if revalidated, err := CheckEmail(email); revalidated != email || err != nil {
			t.Errorf("%q was accepted as %q, then as %q (%v)", text, email, revalidated, err)
		}
		if strings.Count(email, "@") != 1 || strings.ContainsAny(email, ", \t\r\n") || len(email) > MaxEmail || !utf8.ValidString(email) {
			t.Errorf("got the address %q, want one @ and no separator", email)
		}
		if name := deriveUsername(email); !validUsername(name) || len(name) > maxDerivedUsername {
			t.Errorf("%q: got the user name %q, want a valid one", email, name)
		}
	})
}

// An accepted user name is stable under validation, contains permitted characters
// only, and is neither an id nor an address.
func FuzzUsername(f *testing.F) {
	for _, s := range []string{"ann", " Ann.B ", "a-2", "42", "-a", "a", "ann@x", "K2", "日本", "4e2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := checkUsername(text)
		if err != nil {
			return
		}
		if revalidated, err := checkUsername(name); revalidated != name || err != nil {
			t.Errorf("%q was accepted as %q, then as %q (%v)", text, name, revalidated, err)
		}
		const letters = "abcdefghijklmnopqrstuvwxyz"
		if strings.Trim(name, letters+"0123456789._-") != "" || strings.IndexByte("._-", name[0]) >= 0 ||
			len(name) < 2 || len(name) > 32 || !strings.ContainsAny(name, letters) {
			t.Errorf("got the user name %q, want 2 to 32 permitted characters with a letter", name)
		}
	})
}

// An accepted PHC string survives a round trip, and its parameters are within the
// limits.
func FuzzPHC(f *testing.F) {
	f.Add(phc{Argon2: DefaultArgon2, salt: make([]byte, 16), key: make([]byte, 32)}.String())
	f.Add(phc{Argon2: Argon2{Memory: maxMemory, Time: maxTime, Threads: 255}, salt: make([]byte, 8), key: make([]byte, 16)}.String())
	f.Add("$argon2id$v=16$m=65536,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaasCFYEfOgTU/vTWM")
	f.Add("$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWQ")
	f.Add("$argon2id$v=19$m=4294967295,t=4294967295,p=4294967295$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWQ")
	f.Add("$argon2id$v=19$m=008,t=1,p=1$$")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePHC(text)
		if err != nil {
			return
		}
		if p.String() != text {
			t.Errorf("got %q after a round trip, want %q", p, text)
		}
		if p.Memory > maxMemory || p.Time < 1 || p.Time > maxTime || p.Threads < 1 || p.Memory < 8*uint32(p.Threads) ||
			len(p.salt) < 8 || len(p.salt) > maxBytes || len(p.key) < 16 || len(p.key) > maxBytes {
			t.Errorf("got the parameters %+v of %q, want them within the limits", p, text)
		}
	})
}

// A canonical device password has 20 characters of the alphabet and does not depend
// on case and separators.
func FuzzDevicePassword(f *testing.F) {
	f.Add("0123-4567-89ab-cdef-ghjk")
	f.Add("OIL3 4567 89AB CDEF GHJK")
	f.Add("correct horse of ann")
	f.Add("K123456789abcdefghjk")
	f.Fuzz(func(t *testing.T, typed string) {
		canonical, ok := canonicalDevice(typed)
		if !ok {
			return
		}
		if len(canonical) != deviceLength || strings.Trim(canonical, deviceAlphabet) != "" {
			t.Errorf("%q: got %q, want 20 characters of the alphabet", typed, canonical)
		}
		for _, same := range []string{canonical, strings.ToUpper(canonical), strings.Join(strings.SplitAfter(canonical, ""), "-")} {
			if fromVariant, ok := canonicalDevice(same); len(same) <= 2*deviceLength && (!ok || fromVariant != canonical) {
				t.Errorf("%q: got %q, want %q as of %q", same, fromVariant, canonical, typed)
			}
		}
	})
}
