package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
)

const password = "correct horse battery\n"

// runCommand runs a command on a data directory.
func runCommand(t *testing.T, dir, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = Run(t.Context(), append(args, "--data", dir), strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

func TestExitStatusOfErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want int
	}{
		{"usage", usageError{errors.New("x")}, ExitUsage},
		{"invalid setting", &config.Error{Err: errors.New("x")}, ExitUsage},
		{"invalid argument", svc.FieldError(svc.InvalidValue, "email", "x"), ExitUsage},
		{"violated rule without a field", svc.Errorf(svc.LastOperator, "x"), ExitFailure},
		{"missing object", svc.Errorf(svc.NotFound, "x"), ExitNotFound},
		{"existing object", svc.Errorf(svc.AlreadyExists, "x"), ExitConflict},
		{"changed object", svc.Errorf(svc.VersionConflict, "x"), ExitConflict},
		{"data directory in use", fmt.Errorf("x: %w", store.ErrLocked), ExitConflict},
		{"port in use", fmt.Errorf("x: %w", syscall.EADDRINUSE), ExitConflict},
		{"another error", errors.New("x"), ExitFailure},
	} {
		if got := exitStatus(c.err); got != c.want {
			t.Errorf("%s: got status %d, want %d", c.name, got, c.want)
		}
	}
}

func TestErrorTextContainsFieldsAndCause(t *testing.T) {
	email := svc.FieldError(svc.InvalidValue, "email", "The e-mail address is invalid.")
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("x"), "x"},
		{email, "The e-mail address is invalid."},
		{svc.Join(email, svc.Required("username")), "The e-mail address is invalid. User name is required."},
		{svc.Errorf(svc.InternalError, "It failed.").WithCause(errors.New("disk full")), "It failed. (disk full)"},
	} {
		if got := errorText(c.err); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A rejected command line must change nothing.
func TestInvalidCommandLineExitsWithUsageStatus(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"unknown", "unknown command"},
		{"backup", "accepts 1 arg(s), received 0"},
		{"restore a b", "accepts 1 arg(s), received 2"},
		{"admin members add --e-mail x", "unknown flag: --e-mail"},
		{"config --registration maybe", "must be one of"},
		{"config --backup-keep none", "(flag --backup-keep)"},
		{"setup --email ann@example.org", "pass the password on standard input with --password-stdin"},
		{"setup --email ann@example.org --password-stdin", "standard input has no password"},
		{"harness --url http://localhost", "pass the address with --url and the token with --token-stdin"},
		{"harness --url http://localhost --token-stdin", "standard input has no token"},
		{"harness --url nowhere --token-stdin", "standard input has no token"},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		status, out, errs := runCommand(t, dir, "", strings.Fields(c.command)...)
		if status != ExitUsage || out != "" || !strings.Contains(errs, c.want) || !strings.Contains(errs, "See appliance help.") {
			t.Errorf("%s: got status %d, %q, %q, want %d and an error with %q", c.command, status, out, errs, ExitUsage, c.want)
		}
	}
}

// Covers the defect that setup reported is_operator before the operator was
// committed.
func TestSetupReportsThatTheMemberIsAnOperator(t *testing.T) {
	dir := t.TempDir()
	status, out, errs := runCommand(t, dir, password, "setup", "--email", "ann@example.org", "--password-stdin", "--json")
	var result struct {
		Member struct {
			ID         int    `json:"id"`
			Username   string `json:"username"`
			IsOperator bool   `json:"is_operator"`
		} `json:"member"`
		SettingsFile string `json:"settings_file"`
	}
	if err := json.Unmarshal([]byte(out), &result); status != 0 || err != nil {
		t.Fatalf("got status %d, %v, %s", status, err, errs)
	}
	if m := result.Member; m.ID != 1 || m.Username != "ann" || !m.IsOperator {
		t.Errorf("got %+v, want the operator ann with the ID 1", m)
	}
	if want := filepath.Join(dir, "appliance.toml"); result.SettingsFile != want {
		t.Errorf("settings file: got %s, want %s", result.SettingsFile, want)
	}
	// The settings file makes the member an operator in the next process.
	if _, out, errs = runCommand(t, dir, "", "admin", "members", "show", "ann", "--json"); !strings.Contains(out, `"is_operator": true`) {
		t.Errorf("admin members show: got %s%s, want is_operator true", out, errs)
	}
}

func TestResultsAreTextOrJSON(t *testing.T) {
	dir := t.TempDir()
	if status, _, errs := runCommand(t, dir, password, "setup", "--email", "ann@example.org", "--display-name", "Ann", "--password-stdin"); status != 0 {
		t.Fatal(errs)
	}
	for _, c := range []struct{ command, text, json string }{
		{"admin members list", "USER NAME", `"username": "ann"`},
		{"admin members tokens ann", "TYPE", `"device_passwords": `},
		{"admin members invite", "http://127.0.0.1:8080/world/invite/", `"link": "http://127.0.0.1:8080/world/invite/`},
		{"admin members reset-password ann", "/world/reset/", `"expires_at": `},
		{"admin members update ann --display-name Annie", "Annie", `"display_name": "Annie"`},
		{"migrate status", "is up to date", `"pending": `},
		{"migrate up", "is up to date", `"version": `},
		{"calendar trash ann", "CALENDAR", "[]"},
		{"doctor --reindex", "Entries indexed: 0", `"entries": 0`},
		{"version", "appliance ", `"version": `},
		{"schema dump " + filepath.Join(dir, "schemas"), "service.error 1", `"service.error"`},
	} {
		args := strings.Fields(c.command)
		if status, out, errs := runCommand(t, dir, "", args...); status != 0 || !strings.Contains(out, c.text) {
			t.Errorf("%s: got status %d, %s%s, want a text with %q", c.command, status, out, errs, c.text)
		}
		status, out, errs := runCommand(t, dir, "", append(args, "--json")...)
		if status != 0 || !json.Valid([]byte(out)) || !strings.Contains(out, c.json) {
			t.Errorf("%s --json: got status %d, %s%s, want JSON with %q", c.command, status, out, errs, c.json)
		}
	}
}

func TestDeletingAMemberRequiresConfirmation(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"setup", "--email", "ann@example.org", "--password-stdin"},
		{"admin", "members", "add", "--email", "bea@example.org", "--password-stdin"},
	} {
		if status, _, errs := runCommand(t, dir, password, args...); status != 0 {
			t.Fatal(errs)
		}
	}
	if status, _, errs := runCommand(t, dir, "", "admin", "members", "delete", "bea"); status != ExitUsage || !strings.Contains(errs, "--yes") {
		t.Errorf("without --yes: got status %d, %s, want %d", status, errs, ExitUsage)
	}
	if status, out, errs := runCommand(t, dir, "", "admin", "members", "delete", "bea", "--yes"); status != 0 || out != "bea is deleted.\n" {
		t.Errorf("with --yes: got status %d, %s%s, want 0", status, out, errs)
	}
	if status, _, _ := runCommand(t, dir, "", "admin", "members", "delete", "bea", "--yes"); status != ExitNotFound {
		t.Errorf("a second time: got status %d, want %d", status, ExitNotFound)
	}
	if status, _, errs := runCommand(t, dir, "", "admin", "members", "disable", "ann"); status != ExitFailure {
		t.Errorf("disabling the last operator: got status %d, %s, want %d", status, errs, ExitFailure)
	}
}
