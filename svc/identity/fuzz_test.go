package identity

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// An address that is accepted is accepted as it then is, has one @ and
// nothing that would split a list of addresses; folding it twice is folding it
// once; and the username derived from it is one. Covers PT-45.
func FuzzEmail(f *testing.F) {
	for _, s := range []string{
		"ann@example.org", " Ann@Example.ORG ", "a.b+c@x", "日本@例え.jp", "İ@x.org", "ann@[127.0.0.1]",
		`"a b"@x.org`, "Ann <ann@x.org>", "a@b@c", "a,b@x.org", "ann@x.org\n", "1@x", "=?utf-8?q?a?=@x.org",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if fold(fold(text)) != fold(text) {
			t.Errorf("%q folds to %q and then to %q", text, fold(text), fold(fold(text)))
		}
		email, err := checkEmail(text)
		if (err == nil) != (email != "") {
			t.Fatalf("%q: %q, %v", text, email, err)
		}
		if err != nil {
			return
		}
		if again, err := checkEmail(email); again != email || err != nil {
			t.Errorf("%q was accepted as %q, and then as %q, %v", text, email, again, err)
		}
		if strings.Count(email, "@") != 1 || strings.ContainsAny(email, ", \t\r\n") || len(email) > maxEmail || !utf8.ValidString(email) {
			t.Errorf("%q was accepted", email)
		}
		if name := deriveUsername(email); !validUsername(name) || len(name) > maxDerived {
			t.Errorf("of %q the username %q was derived", email, name)
		}
	})
}

// A username that is accepted stays what it is, says so by its characters, and
// never reads as a number or an address.
func FuzzUsername(f *testing.F) {
	for _, s := range []string{"ann", " Ann.B ", "a-2", "42", "-a", "a", "ann@x", "K2", "日本", "4e2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := checkUsername(text)
		if err != nil {
			return
		}
		if again, err := checkUsername(name); again != name || err != nil {
			t.Errorf("%q was accepted as %q, and then as %q, %v", text, name, again, err)
		}
		const letters = "abcdefghijklmnopqrstuvwxyz"
		if strings.Trim(name, letters+"0123456789._-") != "" || strings.IndexByte("._-", name[0]) >= 0 ||
			len(name) < 2 || len(name) > 32 || !strings.ContainsAny(name, letters) {
			t.Errorf("%q was accepted", name)
		}
	})
}

// A PHC string that is read is what is written of it, and asks no more of the
// machine than it may.
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
			t.Errorf("%q was read as %q", text, p)
		}
		if p.Memory > maxMemory || p.Time < 1 || p.Time > maxTime || p.Threads < 1 || p.Memory < 8*uint32(p.Threads) ||
			len(p.salt) < 8 || len(p.salt) > maxBytes || len(p.key) < 16 || len(p.key) > maxBytes {
			t.Errorf("%q was accepted", text)
		}
	})
}

// What is read as a device password is 20 characters of its alphabet, however
// it was typed, and reading it again changes nothing.
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
			t.Errorf("%q was read as %q", typed, canonical)
		}
		for _, same := range []string{canonical, strings.ToUpper(canonical), strings.Join(strings.SplitAfter(canonical, ""), "-")} {
			if again, ok := canonicalDevice(same); len(same) <= 2*deviceLength && (!ok || again != canonical) {
				t.Errorf("%q was read as %q, and %q as %q", typed, canonical, same, again)
			}
		}
	})
}
