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

// issuer writes self-signed certificates to the files that the server reads.
type issuer struct {
	t         *testing.T
	cert, key string // file names
	issued    int64  // serial number of the last certificate
}

func newIssuer(t *testing.T) *issuer {
	dir := t.TempDir()
	i := &issuer{t: t, cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem")}
	i.issue()
	return i
}

// issue replaces the certificate by one with the next serial number.
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

// write writes a file. Its modification time is an hour later for each
// certificate, so that the server detects the change.
func (i *issuer) write(file string, text []byte) {
	i.t.Helper()
	when := storetest.Start.Add(time.Duration(i.issued) * time.Hour)
	if err := errors.Join(os.WriteFile(file, text, 0o600), os.Chtimes(file, when, when)); err != nil {
		i.t.Fatal(err)
	}
}

// certificate returns the contents of the certificate file.
func (i *issuer) certificate() []byte {
	i.t.Helper()
	text, err := os.ReadFile(i.cert)
	if err != nil {
		i.t.Fatal(err)
	}
	return text
}

// client returns a client that trusts the current certificate.
func (i *issuer) client(http2 bool) *http.Client {
	i.t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(i.certificate()) {
		i.t.Fatal("the certificate file contains no certificate")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: http2}
	i.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// serve serves on the address of the settings until the test ends, and returns
// the URL.
func serve(h *apptest.Server) (url string) {
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

// newTLSServer returns a server with a certificate.
func newTLSServer(t *testing.T) (*apptest.Server, *issuer) {
	t.Helper()
	i := newIssuer(t)
	return apptest.New(t, func(s *config.Settings) { s.Listen, s.TLSCert, s.TLSKey = "127.0.0.1:0", i.cert, i.key }), i
}

// A request without TLS gets an explanation. Covers SH-07.
func TestCertificateEnablesHTTPSWithBothVersionsOfHTTP(t *testing.T) {
	h, issuer := newTLSServer(t)
	ann := h.Member("ann")
	base := serve(h)
	if !strings.HasPrefix(base, "https://127.0.0.1:") {
		t.Fatalf("URL: got %s, want https", base)
	}
	for _, http2 := range []bool{false, true} {
		web := issuer.client(http2)
		resp, err := web.Get(base + "/health")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if (resp.ProtoMajor == 2) != http2 || resp.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("HTTP/2 %t: got %s with the header %v, want it with Strict-Transport-Security", http2, resp.Proto, resp.Header)
		}
		phone := ann.Basic()
		phone.URL, phone.HTTP = base, web
		path := ann.DefaultCalendar()
		name := path + strings.ReplaceAll(resp.Proto, "/", "-") + ".ics"
		text := apptest.VEvent(resp.Proto, "DTSTART:20261201T090000Z", "SUMMARY:Tea")
		phone.With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207)
		etag := phone.Do("PUT", name, text).Want(201).Header.Get("ETag")
		if got := phone.Do("GET", name).Want(200); got.Body != text || got.Header.Get("ETag") != etag {
			t.Errorf("%s: got %q with the ETag %s, want %q with %s", resp.Proto, got.Body, got.Header.Get("ETag"), text, etag)
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
		t.Errorf("without TLS: got %s %q, %v, want 400 and a text about HTTPS", resp.Status, text, err)
	}
}

// An invalid certificate is logged once; the previous one stays in use.
func TestRenewedCertificateIsUsedForNewConnections(t *testing.T) {
	h, issuer := newTLSServer(t)
	base := serve(h)
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
	open := issuer.client(false)
	if got := serial(open); got != 1 {
		t.Fatalf("got certificate %d, want 1", got)
	}

	issuer.issue()
	if got := serial(issuer.client(true)); got != 2 {
		t.Errorf("new connection after the renewal: got certificate %d, want 2", got)
	}
	if got := serial(open); got != 1 {
		t.Errorf("open connection after the renewal: got certificate %d, want 1", got)
	}

	const warning = "the new certificate cannot be used; the old one is still in use"
	second := issuer.client(false)
	for n, damage := range []func(){
		func() { issuer.write(issuer.cert, []byte("-----BEGIN CERTIF")) },
		func() { issuer.write(issuer.cert, newIssuer(t).certificate()) }, // with the previous key
		func() { os.Remove(issuer.key) },
	} {
		issuer.issued++
		damage()
		for range 3 {
			second.CloseIdleConnections()
			if got := serial(second); got != 2 {
				t.Errorf("damage %d: got certificate %d, want 2", n+1, got)
			}
		}
		if got := strings.Count(h.Log.String(), warning); got != n+1 {
			t.Errorf("damage %d: got %d warnings, want %d\n%s", n+1, got, n+1, h.Log)
		}
	}

	issuer.issue()
	if got := serial(issuer.client(false)); got != issuer.issued {
		t.Errorf("after the repair: got certificate %d, want %d", got, issuer.issued)
	}
}

func TestUnusableCertificateIsReportedWithItsFile(t *testing.T) {
	_, issuer := newTLSServer(t)
	other := newIssuer(t)
	for name, c := range map[string]struct{ cert, key, want string }{
		"missing certificate":        {issuer.cert + "x", issuer.key, issuer.cert + "x"},
		"missing key":                {issuer.cert, issuer.key + "x", issuer.key + "x"},
		"key of another certificate": {issuer.cert, other.key, issuer.cert + " with the key " + other.key},
		"key as certificate":         {issuer.key, issuer.key, "may have been switched"},
	} {
		settings := &config.Settings{Listen: "127.0.0.1:0", TLSCert: c.cert, TLSKey: c.key}
		ln, err := app.Listen(settings, slog.New(slog.DiscardHandler))
		if err == nil {
			ln.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %s", name, err, c.want)
		}
	}
}

// Links would contain localhost.
func TestListeningOnAllAddressesWithoutBaseURLIsLogged(t *testing.T) {
	for _, c := range []struct {
		listen, base string
		address      net.IP // of the listener
		want         bool
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
		if got := strings.Contains(h.Log.String(), "level=WARN") && strings.Contains(h.Log.String(), "set base-url"); got != c.want {
			t.Errorf("listening on %s with base-url %q: got a warning: %t, want %t\n%s", c.listen, c.base, got, c.want, h.Log)
		}
	}
}
