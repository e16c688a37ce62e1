package hostname_test

import (
	"net/url"
	"testing"

	"appliance/svc/hostname"
)

// A host has the form in which browsers send it.
func TestASCII(t *testing.T) {
	for name, want := range map[string]string{
		"Home.Example.ORG": "home.example.org", "Müller.example": "xn--mller-kva.example", "müller.example": "xn--mller-kva.example",
		"XN--MLLER-KVA.example": "xn--mller-kva.example", "my_nas.local": "my_nas.local", "192.168.1.5": "192.168.1.5",
		"": "", "a b": "", "a/b": "", "a@b": "",
	} {
		if got := hostname.ASCII(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if got := hostname.Display("xn--mller-kva.example"); got != "müller.example" {
		t.Errorf("for people: got %q, want müller.example", got)
	}
}

// A host is the same after a second conversion, and can be the host of a URL.
func FuzzASCII(f *testing.F) {
	for _, name := range []string{"Müller.example", "home.example.org", "faß.de", "\u202e.example", "xn--a", "ﬀ.example"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		host := hostname.ASCII(name)
		if host == "" {
			return
		}
		if again := hostname.ASCII(host); again != host {
			t.Errorf("%q: got %q, and %q after a second conversion, want the same", name, host, again)
		}
		if u, err := url.Parse("https://" + host + "/"); err != nil || u.Hostname() != host {
			t.Errorf("%q: got the host %q of a URL (%v), want %q", name, u, err, host)
		}
	})
}
