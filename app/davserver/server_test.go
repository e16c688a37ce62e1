package davserver_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
)

// propfind sends a PROPFIND with ann's password from a remote address. change
// may modify the request to simulate TLS or a proxy.
func propfind(s *apptest.Server, remote string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest("PROPFIND", "/caldav/", nil)
	r.SetBasicAuth("ann", apptest.Password)
	r.RemoteAddr = remote
	r.Header.Set("Depth", "0")
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.App.HTTP.ServeHTTP(w, r)
	return w
}

// Covers B-14.
func TestPasswordsWithoutHTTPSAreAcceptedAsConfigured(t *testing.T) {
	const private, public, proxy = "192.168.1.20:5000", "198.51.100.7:5000", "203.0.113.9:5000"
	withTLS := func(r *http.Request) { r.TLS = new(tls.ConnectionState) }
	forwarded := func(r *http.Request) { r.Header.Set("X-Forwarded-For", "127.0.0.1") }
	type request struct {
		name, remote string
		change       func(*http.Request)
		want         int
	}
	for setting, requests := range map[string][]request{
		"private": {
			{"public IPv4 address", public, nil, 403},
			{"public IPv6 address", "[2001:db8::1]:5000", nil, 403},
			{"public address with HTTPS", public, withTLS, 207},
			{"public address with a forged header", public, forwarded, 403},
			{"trusted proxy", proxy, forwarded, 207},
			{"this machine", "127.0.0.1:5000", nil, 207},
			{"this machine, IPv6", "[::1]:5000", nil, 207},
			{"private network", private, nil, 207},
			{"private network, IPv4 in IPv6", "[::ffff:10.0.0.3]:5000", nil, 207},
			{"last private address", "172.31.255.255:5000", nil, 207},
			{"address after the private network", "172.32.0.0:5000", nil, 403},
			{"shared address space of a provider", "100.64.0.1:5000", nil, 207},
			{"address after the shared address space", "100.128.0.0:5000", nil, 403},
			{"link-local address", "169.254.7.7:5000", nil, 207},
			{"link-local IPv6 address", "[fe80::1%eth0]:5000", nil, 207},
			{"unique local IPv6 address", "[fd00::1]:5000", nil, 207},
		},
		"never": {
			{"private network", private, nil, 403},
			{"private network with HTTPS", private, withTLS, 207},
			{"this machine", "127.0.0.1:5000", nil, 207},
		},
		"always": {{"public address", public, nil, 207}},
	} {
		s := apptest.New(t, func(s *config.Settings) {
			s.DAVPlaintext, s.TrustedProxies = setting, []config.Network{{Prefix: netip.MustParsePrefix("203.0.113.9/32")}}
		})
		s.Member("ann")
		for _, c := range requests {
			w := propfind(s, c.remote, c.change)
			if w.Code != c.want {
				t.Errorf("dav-plaintext=%s, %s: got status %d, want %d", setting, c.name, w.Code, c.want)
			}
			if w.Code == 403 && !strings.Contains(w.Body.String(), "/help/https") {
				t.Errorf("dav-plaintext=%s, %s: got %q, want a link to the manual", setting, c.name, w.Body)
			}
		}
	}
}

func TestPasswordWithoutHTTPSIsLoggedOnceADay(t *testing.T) {
	s := apptest.New(t)
	s.Member("ann")
	for day := range 3 {
		propfind(s, "192.168.1.20:5000", nil)
		propfind(s, "192.168.1.21:5000", nil)
		if got := strings.Count(s.Log.String(), "sent a password without HTTPS"); got != day+1 {
			t.Fatalf("day %d: got %d warnings, want %d", day+1, got, day+1)
		}
		s.Clock.Advance(24 * time.Hour)
	}
}

// A cookie would let other web sites send requests for the member.
func TestOnlyBasicCredentialsAreAccepted(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	client := s.Unauthenticated().With("Depth", "0")
	for name, c := range map[string]*apptest.Client{
		"no credentials":  client,
		"session cookie":  client.With("Cookie", apptest.CookieName+"="+ann.Token),
		"bearer token":    client.With("Authorization", "Bearer "+ann.Token),
		"wrong password":  client.With("Authorization", "Basic YW5uOng="),
		"empty user name": client.With("Authorization", "Basic Ong="),
	} {
		a := c.Do("PROPFIND", "/caldav/")
		if got := a.Header.Get("WWW-Authenticate"); a.Status != 401 || !strings.HasPrefix(got, "Basic ") {
			t.Errorf("%s: got status %d with the challenge %q, want 401 with Basic", name, a.Status, got)
		}
	}
	ann.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207)
}

// A password with accents is accepted in each encoding and normalization form in which
// clients send it. Covers B-123.
func TestPasswordIsAcceptedInEachEncoding(t *testing.T) {
	s := apptest.New(t)
	const password = "caf\u00e9 cr\u00e8me 12" // in the form NFC
	ann := s.Member("ann")
	ann.Do("POST", "/world/identity/password", map[string]string{"current_password": apptest.Password, "new_password": password}).Want(200)
	for name, sent := range map[string]string{
		"NFC":        password,
		"NFD":        "cafe\u0301 cre\u0300me 12",
		"ISO 8859-1": "caf\xe9 cr\xe8me 12",
	} {
		for want, sent := range map[int]string{207: sent, 401: sent + "3"} {
			r := httptest.NewRequest("GET", "/", nil)
			r.SetBasicAuth("ann", sent)
			a := s.Unauthenticated().With("Authorization", r.Header.Get("Authorization")).With("Depth", "0").Do("PROPFIND", "/caldav/")
			if a.Status != want {
				t.Errorf("%s, password %q: got status %d, want %d", name, sent, a.Status, want)
			}
		}
	}
}

func TestDevicePasswordWorksUntilItIsRevoked(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	device := ann.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201)
	r := httptest.NewRequest("GET", "/", nil)
	r.SetBasicAuth("ann", device.Str("device_password.password"))
	phone := s.Unauthenticated().With("Authorization", r.Header.Get("Authorization")).With("Depth", "0")
	phone.Do("PROPFIND", "/caldav/").Want(207)
	list := ann.Do("GET", "/world/identity/device-passwords").Want(200)
	if got := list.Str("device_passwords.0.last_used_at"); got == "" {
		t.Errorf("got %s, want the time of the last use", list.Body)
	}
	ann.Do("DELETE", "/world/identity/device-passwords/"+list.Str("device_passwords.0.id")).Want(200)
	phone.Do("PROPFIND", "/caldav/").Want(401)
}
