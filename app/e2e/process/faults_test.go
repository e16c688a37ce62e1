package process

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// wantOutput runs a command and fails the test unless it has the exit status and prints the texts.
func wantOutput(t *testing.T, name string, status int, want []string, args ...string) {
	t.Helper()
	got, output := apptest.RunCommand(t, "", args...)
	if got != status {
		t.Errorf("%s: got exit status %d, want %d\n%s", name, got, status, output)
	}
	wantTexts(t, name, output, want)
}

func wantTexts(t *testing.T, name, output string, want []string) {
	t.Helper()
	for _, text := range want {
		if !strings.Contains(output, text) {
			t.Errorf("%s: got\n%s\nwant %q in it", name, output, text)
		}
	}
}

// A server does not start on an address of another machine, or with a base-url without scheme.
func TestUnusableAddressIsExplained(t *testing.T) {
	dir := apptest.NewDataDir(t)
	for _, c := range []struct {
		flag, value string
		status      int
		want        string
	}{
		{"--listen", "192.0.2.5:8080", 1, "this is not an address of this machine: set listen to one of its addresses, or to 0.0.0.0:8080 for all"},
		{"--listen", "192.0.2.5", 2, `listen: "192.0.2.5" is not an address such as 127.0.0.1:8080 (flag --listen)`},
		{"--base-url", "home.example.org", 2, `base-url: "home.example.org" is not an address such as https://home.example.org (flag --base-url)`},
	} {
		wantOutput(t, c.value, c.status, []string{c.want}, "serve", "--data", dir, c.flag, c.value)
	}
}

// writePair writes the files of a certificate and its key.
func writePair(t *testing.T, changes ...apptest.CertificateChange) (cert, key string) {
	t.Helper()
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certText, keyText := apptest.NewCertificate(t, 1, changes...)
	if err := errors.Join(os.WriteFile(cert, certText, 0o600), os.WriteFile(key, keyText, 0o600)); err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// A server does not start with half a certificate, or with files that do not belong together.
// The message names the setting and what it needs; doctor says the same.
func TestUnusableCertificateFilesAreExplained(t *testing.T) {
	dir := apptest.NewDataDir(t)
	cert, key := writePair(t)
	_, otherKey := writePair(t)
	const needed = "set tls-cert to the PEM file of the certificate with its chain, and tls-key to that of the private key that belongs to it"
	for _, c := range []struct {
		name, cert, key string
		serve, doctor   int // exit statuses
		want            []string
	}{
		{"no key", cert, "", 2, 2, []string{"tls-cert: the key is missing: set tls-key to the file of the private key of this certificate (flag --tls-cert)"}},
		{"no certificate", "", key, 2, 2, []string{"tls-key: the certificate is missing: set tls-cert to the file of the certificate of this key (flag --tls-key)"}},
		{"key of another certificate", cert, otherKey, 1, 1, []string{"private key does not match public key", needed}},
		{"exchanged", key, cert, 1, 1, []string{"may have been switched", needed}},
		{"no file", filepath.Join(dir, "missing.pem"), key, 1, 1, []string{"missing.pem: no such file", needed}},
		{"no PEM", filepath.Join(dir, "appliance.db"), key, 1, 1, []string{"failed to find any PEM data", needed}},
	} {
		flags := []string{"--data", dir, "--listen", "127.0.0.1:0"}
		if c.cert != "" {
			flags = append(flags, "--tls-cert", c.cert)
		}
		if c.key != "" {
			flags = append(flags, "--tls-key", c.key)
		}
		wantOutput(t, c.name+": serve", c.serve, c.want, append([]string{"serve"}, flags...)...)
		wantOutput(t, c.name+": doctor", c.doctor, c.want, append([]string{"doctor"}, flags...)...)
	}
	wantOutput(t, "no database: doctor", 1, []string{"private key does not match public key", "There is no database"},
		"doctor", "--data", t.TempDir(), "--tls-cert", cert, "--tls-key", otherKey)
}

// A server starts with a certificate that clients refuse, and says in its log what is wrong.
// doctor says it beside the server.
func TestRefusedCertificateIsExplained(t *testing.T) {
	dir := apptest.NewDataDir(t)
	now := time.Now()
	for _, c := range []struct {
		name   string
		change apptest.CertificateChange
		want   []string
	}{
		{"expired", apptest.ValidBetween(now.AddDate(-1, 0, 0), now.AddDate(0, 0, -1)),
			[]string{"The certificate expired on ", "Renew the certificate."}},
		{"of the future", apptest.ValidBetween(now.AddDate(1, 0, 0), now.AddDate(2, 0, 0)),
			[]string{"The certificate is valid only from ", "Check the clock of the server."}},
		{"of another host", apptest.ForHost("other.example"),
			[]string{"The certificate is for other.example, not for 127.0.0.1.", "Set base-url to an address with a name of the certificate"}},
	} {
		cert, key := writePair(t, c.change)
		p := apptest.Serve(t, dir, "--tls-cert", cert, "--tls-key", key)
		wantTexts(t, c.name+": log", p.Log.String(), c.want)
		wantOutput(t, c.name+": doctor", 1, append(c.want, "is refused by clients"),
			"doctor", "--data", dir, "--base-url", p.URL, "--tls-cert", cert, "--tls-key", key)
		stop(p)
	}
}

// A clock that is a year off is noticed by the last change of the data.
func TestWrongClockIsReportedAtStart(t *testing.T) {
	for _, c := range []struct {
		name   string
		change time.Time // as the right clock said
		status int       // of doctor
		want   []string
	}{
		{"a year behind", time.Now().AddDate(1, 0, 0), 1, []string{"but the data was last changed on ", "Set the clock and synchronize it by NTP."}},
		{"a year ahead", time.Now().AddDate(-1, 0, 0), 0, []string{"Unless the server was off for so long, the clock is wrong.", "Set the clock and synchronize it by NTP."}},
	} {
		dir := apptest.NewDataDir(t)
		if err := os.Chtimes(filepath.Join(dir, "appliance.db"), c.change, c.change); err != nil {
			t.Fatal(err)
		}
		wantOutput(t, c.name+": doctor", c.status, c.want, "doctor", "--data", dir)
		p := apptest.Serve(t, dir)
		wantTexts(t, c.name+": log", p.Log.String(), c.want)
		stop(p)
	}
}
