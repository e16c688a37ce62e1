package browser

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// server is a server with HTTPS and the host name localhost, so that passkeys are
// available.
type server struct {
	*apptest.Process
	dir string // data directory
}

// certificate is the certificate of all servers. Chromium is started with the hash of its key.
var certificate struct {
	sync.Once
	cert, key []byte // PEM
}

func newCertificate(t *testing.T) (cert, key []byte) {
	t.Helper()
	certificate.Do(func() { certificate.cert, certificate.key = apptest.NewCertificate(t, 1) })
	return certificate.cert, certificate.key
}

// serve starts a server with HTTPS on a data directory. It skips the test unless -long is set.
func serve(t *testing.T, newDir func(*testing.T) string) *server {
	t.Helper()
	svctest.Long(t)
	apptest.NeedPrograms(t, "chromium")
	t.Parallel()
	files := t.TempDir()
	cert, key := newCertificate(t)
	certFile, keyFile := filepath.Join(files, "cert.pem"), filepath.Join(files, "key.pem")
	for name, text := range map[string][]byte{certFile: cert, keyFile: key} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir := newDir(t)
	return &server{apptest.Serve(t, dir, "--listen", "localhost:0", "--tls-cert", certFile, "--tls-key", keyFile), dir}
}

// serveHTTP starts a server without HTTPS. Its address is a loopback address, so browsers treat its
// pages as secure contexts.
func serveHTTP(t *testing.T, args ...string) *server {
	t.Helper()
	return serveBinary(t, "", args...)
}

// serveBinary does the same with a binary of the program, or with the usual one without a path.
func serveBinary(t *testing.T, binary string, args ...string) *server {
	t.Helper()
	apptest.NeedPrograms(t, "chromium")
	t.Parallel()
	dir := apptest.NewDataDir(t)
	cmd := apptest.ServeCommand(t, dir, args...)
	if binary != "" {
		cmd.Path = binary
	}
	return &server{Process: apptest.Start(t, cmd), dir: dir}
}

// emptyDir returns an empty data directory.
func emptyDir(t *testing.T) string { return filepath.Join(t.TempDir(), "data") }

// keyHash returns the hash by which Chromium names the key of the certificate in
// --ignore-certificate-errors-spki-list. Pages with this certificate are secure
// contexts; with --ignore-certificate-errors they could not use passkeys.
func keyHash(t *testing.T) string {
	t.Helper()
	text, _ := newCertificate(t)
	block, _ := pem.Decode(text)
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// propfind returns the status of a PROPFIND with Basic credentials.
func (s *server) propfind(user, password string) int {
	s.T.Helper()
	cert, _ := newCertificate(s.T)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	r, err := http.NewRequestWithContext(s.T.Context(), "PROPFIND", s.URL+"/caldav/", nil)
	if err != nil {
		s.T.Fatal(err)
	}
	r.SetBasicAuth(user, password)
	r.Header.Set("Depth", "0")
	web := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true}}
	resp, err := web.Do(r)
	if err != nil {
		s.T.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// admin runs a command of appliance admin members and returns its first line.
func (s *server) admin(args ...string) string {
	s.T.Helper()
	status, out := apptest.RunCommand(s.T, "", append([]string{"admin", "members", "--data", s.dir}, args...)...)
	if status != 0 {
		s.T.Fatalf("admin members %q: got status %d, want 0\n%s", args, status, out)
	}
	line, _, _ := strings.Cut(out, "\n")
	return line
}

// path returns the path of a link of the server.
func (s *server) path(link string) string {
	s.T.Helper()
	path, ok := strings.CutPrefix(strings.TrimSpace(link), s.URL)
	if !ok {
		s.T.Fatalf("got the link %q, want one of %s", link, s.URL)
	}
	return path
}

// longBrowserTest skips the test unless -long is set.
func longBrowserTest(t *testing.T) {
	t.Helper()
	svctest.Long(t)
}
