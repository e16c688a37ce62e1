package process

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/cli"

	"github.com/pquerna/otp/totp"
)

// A backup does not contain the key that encrypts the secrets of authenticator apps. restore
// explains the consequences of a missing key, and accepts a copy of it. Covers B-108.
func TestRestoreAsksForTheKeyOfSecondFactors(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	secret := ann.Do("POST", "/world/identity/second-factor/totp", map[string]any{"current_password": apptest.Password}).Want(201).Str("totp.secret")
	code, err := totp.GenerateCode(secret, s.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	ann.Do("POST", "/world/identity/second-factor/totp/confirm", map[string]any{"code": code}).Want(200)
	backup := filepath.Join(t.TempDir(), "backup.db")
	if status, _, stderr := s.RunCommand("", "backup", backup); status != cli.ExitOK {
		t.Fatalf("backup: got status %d, want 0\n%s", status, stderr)
	}
	restored := apptest.New(t)
	restore := func(args ...string) (int, string) {
		status, stdout, stderr := restored.RunCommand("", append([]string{"restore", backup}, args...)...)
		return status, stdout + stderr
	}
	if status, text := restore(); status != cli.ExitOK || !strings.Contains(text, "1 of 1 authenticator apps cannot be checked without the file second-factor.key") || !strings.Contains(text, "reset-factor") {
		t.Errorf("without the key: got status %d, %s, want an explanation", status, text)
	}
	if status, text := restore("--factor-key", backup); status != cli.ExitUsage || !strings.Contains(text, "is not a key file") {
		t.Errorf("with another file: got status %d, %s, want an error", status, text)
	}
	if status, text := restore("--factor-key", s.Settings.FactorKeyFile()); status != cli.ExitOK || strings.Contains(text, "authenticator") {
		t.Errorf("with the key: got status %d, %s, want success", status, text)
	}
	restored.Restart()
	restored.Clock.Set(s.Clock.Now().Add(time.Minute))
	web := restored.Unauthenticated()
	challenge := web.Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).Want(401).Str("error.second_factor.challenge")
	if code, err = totp.GenerateCode(secret, restored.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	web.Do("POST", "/identity/login", map[string]any{"challenge": challenge, "code": code}).Want(200)
}
