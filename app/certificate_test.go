package app_test

import (
	"appliance/app"
	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store/storetest"
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/smallstep/pkcs7"
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

// issue replaces the certificate with a new one that has the next serial number.
func (i *issuer) issue() {
	i.t.Helper()
	i.issued++
	cert, key := apptest.NewCertificate(i.t, i.issued)
	i.write(i.cert, cert)
	i.write(i.key, key)
}

// write writes a file and sets its modification time, which is an hour later for
// each certificate, so that the server detects the change.
func (i *issuer) write(file string, text []byte) {
	i.t.Helper()
	modTime := storetest.Start.Add(time.Duration(i.issued) * time.Hour)
	if err := errors.Join(os.WriteFile(file, text, 0o600), os.Chtimes(file, modTime, modTime)); err != nil {
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

// newTLSServer returns a server that is configured with a certificate, and the
// issuer of the certificate.
func newTLSServer(t *testing.T) (*apptest.Server, *issuer) {
	t.Helper()
	i := newIssuer(t)
	return apptest.New(t, func(s *config.Settings) { s.Listen, s.TLSCert, s.TLSKey = "127.0.0.1:0", i.cert, i.key }), i
}

// A request without TLS gets status 400 and a text about HTTPS. Covers SH-07.
func TestCertificateEnablesHTTPSForHTTP1AndHTTP2(t *testing.T) {
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

// New connections use a renewed certificate. An invalid one is logged once, and the
// previous one stays in use.
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
	firstClient := issuer.client(false)
	if got := serial(firstClient); got != 1 {
		t.Fatalf("got certificate %d, want 1", got)
	}

	issuer.issue()
	if got := serial(issuer.client(true)); got != 2 {
		t.Errorf("new connection after the renewal: got certificate %d, want 2", got)
	}
	if got := serial(firstClient); got != 1 {
		t.Errorf("open connection after the renewal: got certificate %d, want 1", got)
	}

	const warning = "the new certificate cannot be used; the old one is still in use"
	secondClient := issuer.client(false)
	for n, damage := range []func(){
		func() { issuer.write(issuer.cert, []byte("-----BEGIN CERTIF")) },
		func() { issuer.write(issuer.cert, newIssuer(t).certificate()) }, // does not match the key
		func() { os.Remove(issuer.key) },
	} {
		issuer.issued++
		damage()
		for range 3 {
			secondClient.CloseIdleConnections()
			if got := serial(secondClient); got != 2 {
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

// A reload reads the files even if their modification times are the same, and logs
// the result.
func TestReloadReadsTheCertificateAgain(t *testing.T) {
	issuer := newIssuer(t)
	var log apptest.Log
	cert, err := app.LoadCertificate(issuer.cert, issuer.key, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	serial := func() int64 {
		t.Helper()
		loaded, err := cert.Get(nil)
		if err != nil {
			t.Fatal(err)
		}
		return loaded.Leaf.SerialNumber.Int64()
	}
	old := storetest.Start.Add(time.Hour)
	issuer.issue()
	if err := errors.Join(os.Chtimes(issuer.cert, old, old), os.Chtimes(issuer.key, old, old)); err != nil {
		t.Fatal(err)
	}
	if got := serial(); got != 1 {
		t.Errorf("before the reload: got certificate %d, want 1", got)
	}
	cert.Reload()
	if got := serial(); got != 2 || strings.Count(log.String(), "certificate loaded") != 1 {
		t.Errorf("after the reload: got certificate %d, want 2 and one line in the log:\n%s", got, &log)
	}
	issuer.write(issuer.cert, []byte("damaged"))
	cert.Reload()
	if got := serial(); got != 2 || strings.Count(log.String(), "certificate loaded") != 1 || strings.Count(log.String(), "cannot be used") != 1 {
		t.Errorf("after a reload of a damaged file: got certificate %d, want 2 and a warning in the log:\n%s", got, &log)
	}
}

// A configuration profile is signed with the certificate of the server, also with a renewed
// one.
func TestConfigurationProfileIsSigned(t *testing.T) {
	h, issuer := newTLSServer(t)
	ann := h.Member("ann")
	ann.URL = serve(h)
	for range 2 {
		ann.HTTP = issuer.client(true)
		link := ann.Do("POST", "/world/identity/device-setups", map[string]any{"label": "Phone"}).Want(201).Str("device_setup.setup_url")
		phone := ann.With("Authorization", "")
		a := phone.Do("POST", strings.TrimPrefix(link, h.Settings.URL().String()), apptest.Form("as=profile")).Want(200)
		signed, err := pkcs7.Parse([]byte(a.Body))
		if err != nil {
			t.Fatalf("got %v for the profile\n%s", err, a.Body)
		}
		if err := signed.Verify(); err != nil {
			t.Errorf("got %v, want a valid signature", err)
		}
		if serial := signed.GetOnlySigner().SerialNumber.Int64(); serial != issuer.issued {
			t.Errorf("got a signature with the certificate %d, want %d", serial, issuer.issued)
		}
		if text := string(signed.Content); !strings.Contains(text, "<key>CalDAVUsername</key><string>ann</string>") || !strings.HasSuffix(text, "</plist>\n") {
			t.Errorf("got the profile\n%s", text)
		}
		issuer.issue()
	}
}

// A request without TLS for a page with a form is redirected to base-url if only the scheme
// differs. All others get status 400. Covers B-125.
func TestPageWithoutTLSIsRedirectedToHTTPS(t *testing.T) {
	i := newIssuer(t)
	h := apptest.New(t, func(s *config.Settings) {
		s.Listen, s.TLSCert, s.TLSKey, s.BaseURL = "127.0.0.1:0", i.cert, i.key, "https://home.example.org:8443/a"
	})
	address := listenAndServe(h).String()
	for _, c := range []struct{ method, host, path, want string }{
		{"GET", "home.example.org:8443", "/a/world/login?return_to=/app/", "https://home.example.org:8443/a/world/login?return_to=/app/"},
		{"GET", "home.example.org:8443", "/a/", "https://home.example.org:8443/a/"},
		{"POST", "home.example.org:8443", "/a/world/login", ""},
		{"GET", "home.example.org:8443", "/a/health", ""},
		{"GET", "home.example.org:8443", "/world/login", ""},
		{"GET", "evil.example:8443", "/a/world/login", ""},
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Length: 0\r\n\r\n", c.method, c.path, c.host)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s %s: %v", c.method, c.path, err)
		}
		status := http.StatusBadRequest
		if c.want != "" {
			status = http.StatusTemporaryRedirect
		}
		if got := resp.Header.Get("Location"); got != c.want || resp.StatusCode != status || resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s at %s: got status %d, a redirect to %q and Cache-Control %q, want %d, %q and no-store",
				c.method, c.path, c.host, resp.StatusCode, got, resp.Header.Get("Cache-Control"), status, c.want)
		}
	}
}
