package app_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"appliance/app"
	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store/storetest"
)

// issuer makes certificates and puts them where the server reads them.
type issuer struct {
	t         *testing.T
	cert, key string // files
	issued    int64
}

func newIssuer(t *testing.T) *issuer {
	dir := t.TempDir()
	i := &issuer{t: t, cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem")}
	i.issue()
	return i
}

// issue writes the next certificate, whose serial number is how many there
// have been.
func (i *issuer) issue() {
	i.t.Helper()
	i.issued++
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		i.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(i.issued), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: storetest.Start.AddDate(-50, 0, 0), NotAfter: storetest.Start.AddDate(50, 0, 0),
		IsCA: true, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		i.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		i.t.Fatal(err)
	}
	i.write(i.cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}))
	i.write(i.key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

// write writes a file, an hour after the last one as its time of change says.
func (i *issuer) write(file string, text []byte) {
	i.t.Helper()
	when := storetest.Start.Add(time.Duration(i.issued) * time.Hour)
	if err := errors.Join(os.WriteFile(file, text, 0o600), os.Chtimes(file, when, when)); err != nil {
		i.t.Fatal(err)
	}
}

// read returns the certificate on the disk.
func (i *issuer) read() []byte {
	i.t.Helper()
	text, err := os.ReadFile(i.cert)
	if err != nil {
		i.t.Fatal(err)
	}
	return text
}

// browser is a client that believes in the certificate on the disk.
func (i *issuer) browser(http2 bool) *http.Client {
	i.t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(i.read()) {
		i.t.Fatal("the certificate is none")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: http2}
	i.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// online serves a house on a port of its own, as the program does, until the
// test ends.
func online(h *apptest.Server) (url string) {
	h.T.Helper()
	ln, err := app.Listen(h.Settings, h.App.Log)
	if err != nil {
		h.T.Fatal(err)
	}
	h.Settings.ServedOn(ln.Addr())
	ctx, stop := context.WithCancel(h.T.Context())
	done := make(chan error, 1)
	go func() { done <- h.App.ServeOn(ctx, ln) }()
	h.T.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			h.T.Error(err)
		}
	})
	return h.Settings.URL().String()
}

// secured is a house with a certificate.
func secured(t *testing.T) (*apptest.Server, *issuer) {
	t.Helper()
	i := newIssuer(t)
	return apptest.New(t, func(s *config.Settings) { s.Listen, s.TLSCert, s.TLSKey = "127.0.0.1:0", i.cert, i.key }), i
}

// With a certificate the port speaks HTTPS, in both versions of HTTP, to
// calendar programs too, and tells whoever comes without it. Covers SH-07.
func TestHTTPS(t *testing.T) {
	h, issuer := secured(t)
	ann := h.Member("ann")
	base := online(h)
	if !strings.HasPrefix(base, "https://127.0.0.1:") {
		t.Fatalf("the address of members is %s", base)
	}
	for _, http2 := range []bool{false, true} {
		web := issuer.browser(http2)
		resp, err := web.Get(base + "/health")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if (resp.ProtoMajor == 2) != http2 || resp.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("wanting HTTP/2 %v: %s, header %v", http2, resp.Proto, resp.Header)
		}
		phone := ann.Basic()
		phone.URL, phone.HTTP = base, web
		path := ann.DefaultCalendar()
		name := path + strings.ReplaceAll(resp.Proto, "/", "-") + ".ics"
		text := apptest.VEvent(resp.Proto, "DTSTART:20261201T090000Z", "SUMMARY:Tea")
		phone.With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207)
		etag := phone.Do("PUT", name, text).Want(201).Header.Get("ETag")
		if got := phone.Do("GET", name).Want(200); got.Body != text || got.Header.Get("ETag") != etag {
			t.Errorf("%s: the entry is %q with the ETag %s, want %s", resp.Proto, got.Body, got.Header.Get("ETag"), etag)
		}
		phone.With("Depth", "1").Do("PROPFIND", path).Want(207)
	}

	resp, err := http.Get("http" + strings.TrimPrefix(base, "https"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 400 || !strings.Contains(string(text), "HTTPS") {
		t.Errorf("without HTTPS: %s %q, %v", resp.Status, text, err)
	}
}

// A certificate that is renewed on the disk is used from the next connection
// on. One that cannot be used leaves the old one, and the log says so once.
func TestCertificateIsReadAgain(t *testing.T) {
	h, issuer := secured(t)
	base := online(h)
	serial := func(web *http.Client) int64 {
		t.Helper()
		resp, err := web.Get(base + "/health")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		return resp.TLS.PeerCertificates[0].SerialNumber.Int64()
	}
	kept := issuer.browser(false)
	if got := serial(kept); got != 1 {
		t.Fatalf("certificate %d, want the first", got)
	}

	issuer.issue()
	if got := serial(issuer.browser(true)); got != 2 {
		t.Errorf("after the renewal: certificate %d", got)
	}
	if got := serial(kept); got != 1 {
		t.Errorf("a connection that was open has certificate %d", got)
	}

	const complaint = "the new certificate cannot be used; the old one is still in use"
	second := issuer.browser(false)
	for n, breaks := range []func(){
		func() { issuer.write(issuer.cert, []byte("half a certif")) },
		func() { issuer.write(issuer.cert, newIssuer(t).read()) }, // the key is still the old one
		func() { os.Remove(issuer.key) },
	} {
		issuer.issued++
		breaks()
		for range 3 {
			second.CloseIdleConnections()
			if got := serial(second); got != 2 {
				t.Errorf("with broken files: certificate %d", got)
			}
		}
		if got := strings.Count(h.Log.String(), complaint); got != n+1 {
			t.Errorf("after %d breakages the log complains %d times:\n%s", n+1, got, h.Log)
		}
	}

	issuer.issue()
	if got := serial(issuer.browser(false)); got != issuer.issued {
		t.Errorf("after the repair: certificate %d, want %d", got, issuer.issued)
	}
}

// Without a certificate that can be read the server does not start, and says
// which file it is.
func TestNoCertificate(t *testing.T) {
	_, issuer := secured(t)
	other := newIssuer(t)
	for name, c := range map[string]struct{ cert, key, want string }{
		"no certificate file":             {issuer.cert + "x", issuer.key, issuer.cert + "x"},
		"no key file":                     {issuer.cert, issuer.key + "x", issuer.key + "x"},
		"a key of another certificate":    {issuer.cert, other.key, issuer.cert + " with the key " + other.key},
		"a key where the certificate was": {issuer.key, issuer.key, "may have been switched"},
	} {
		settings := &config.Settings{Listen: "127.0.0.1:0", TLSCert: c.cert, TLSKey: c.key}
		ln, err := app.Listen(settings, slog.New(slog.DiscardHandler))
		if err == nil {
			ln.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s in it", name, err, c.want)
		}
	}
}

// askFrom is a calendar program that asks from an address.
func askFrom(h *apptest.Server, addr string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest("PROPFIND", "/caldav/", nil)
	r.SetBasicAuth("ann", apptest.Password)
	r.RemoteAddr = addr
	r.Header.Set("Depth", "0")
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	h.App.ServeHTTP(w, r)
	return w
}

// Passwords of calendar programs come by HTTPS, or from near by. Covers B-14.
func TestPlaintextPasswords(t *testing.T) {
	const private, public, proxy = "192.168.1.20:5000", "198.51.100.7:5000", "203.0.113.9:5000"
	byTLS := func(r *http.Request) { r.TLS = new(tls.ConnectionState) }
	forwarded := func(r *http.Request) { r.Header.Set("X-Forwarded-For", "127.0.0.1") }
	plain := func(*http.Request) {}
	type ask struct {
		name, from string
		how        func(*http.Request)
		want       int
	}
	for setting, asks := range map[string][]ask{
		"private": {
			{"a public address", public, plain, 403},
			{"a public address of IPv6", "[2001:db8::1]:5000", plain, 403},
			{"a public address by HTTPS", public, byTLS, 207},
			{"a public address that says it is a proxy", public, forwarded, 403},
			{"a proxy that is trusted", proxy, forwarded, 207},
			{"this machine", "127.0.0.1:5000", plain, 207},
			{"this machine by IPv6", "[::1]:5000", plain, 207},
			{"a private network", private, plain, 207},
			{"a private network in a socket of IPv6", "[::ffff:10.0.0.3]:5000", plain, 207},
			{"the last private address", "172.31.255.255:5000", plain, 207},
			{"the first one after it", "172.32.0.0:5000", plain, 403},
			{"a network behind a provider's translation", "100.64.0.1:5000", plain, 207},
			{"the first address after that", "100.128.0.0:5000", plain, 403},
			{"a link", "169.254.7.7:5000", plain, 207},
			{"a link of IPv6", "[fe80::1%eth0]:5000", plain, 207},
			{"a private network of IPv6", "[fd00::1]:5000", plain, 207},
		},
		"never": {
			{"a private network", private, plain, 403},
			{"a private network by HTTPS", private, byTLS, 207},
			{"this machine", "127.0.0.1:5000", plain, 207},
		},
		"always": {{"a public address", public, plain, 207}},
	} {
		h := apptest.New(t, func(s *config.Settings) {
			s.DAVPlaintext, s.TrustedProxies = setting, []config.Network{{Prefix: netip.MustParsePrefix("203.0.113.9/32")}}
		})
		h.Member("ann")
		for _, c := range asks {
			w := askFrom(h, c.from, c.how)
			if w.Code != c.want {
				t.Errorf("%s: %s: status %d, want %d", setting, c.name, w.Code, c.want)
			}
			if w.Code == 403 && !strings.Contains(w.Body.String(), "/help/https") {
				t.Errorf("%s: %s: it says %q", setting, c.name, w.Body)
			}
		}
	}
}

// A password that may pass without HTTPS is warned of once a day.
func TestPlaintextWarning(t *testing.T) {
	h := apptest.New(t)
	h.Member("ann")
	for day := range 3 {
		askFrom(h, "192.168.1.20:5000")
		askFrom(h, "192.168.1.21:5000")
		if got := strings.Count(h.Log.String(), "sent a password without HTTPS"); got != day+1 {
			t.Fatalf("on day %d the log has warned %d times", day+1, got)
		}
		h.Clock.Advance(24 * time.Hour)
	}
}

// Whoever lets other machines in and does not say by which name is told that
// links name none.
func TestListeningEverywhere(t *testing.T) {
	for _, c := range []struct {
		listen, base string
		address      net.IP // that it comes to listen on
		warned       bool
	}{
		{"127.0.0.1:8080", "", net.IPv4(127, 0, 0, 1), false},
		{":8080", "", net.IPv6unspecified, true},
		{"0.0.0.0:8080", "", net.IPv4zero, true},
		{":8080", "http://nas.local:8080", net.IPv6unspecified, false},
	} {
		h := apptest.New(t, func(s *config.Settings) { s.Listen, s.BaseURL = c.listen, c.base })
		if err := h.App.Announce(t.Context(), &net.TCPAddr{IP: c.address, Port: 8080}); err != nil {
			t.Fatal(err)
		}
		if warned := strings.Contains(h.Log.String(), "level=WARN") && strings.Contains(h.Log.String(), "set base-url"); warned != c.warned {
			t.Errorf("listening on %s with base-url %q: warned is %t\n%s", c.listen, c.base, warned, h.Log)
		}
	}
}
