package cli

import (
	"bufio"
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
		{"missing argument", svc.Required("email"), ExitUsage},
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
		{fmt.Errorf("x: %w", syscall.ENOSPC), "the disk is full: free some space and try again (x: no space left on device)"},
	} {
		if got := errorText(c.err); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A rejected command line must change nothing.
func TestInvalidCommandLineExitsWithUsageStatus(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"unknown", `unknown command "unknown" for "appliance"`},
		{"srve", `unknown command "srve" for "appliance"; did you mean serve?`},
		{"admin members lst", `unknown command "lst" for "appliance admin members"; did you mean list?`},
		{"admin members lst --status active", `unknown command "lst"`},
		{"admin member list", "did you mean members?"},
		{"help admin members lst", "did you mean list?"},
		{"completion fis", "did you mean fish?"},
		{"backup", "backup: the argument FILE is missing"},
		{"restore a b", `restore: unexpected argument "b"`},
		{"serve x", `serve: unexpected argument "x"`},
		{"admin members show", "admin members show: the argument MEMBER is missing"},
		{"admin members export ann", "admin members export: the argument DIR is missing"},
		{"calendar import", "calendar import: the argument MEMBER is missing"},
		{"calendar import ann a b", `calendar import: unexpected argument "b"`},
		{"admin members add --e-mail x", "admin members add: unknown flag: --e-mail"},
		{"admin --e-mail x", "admin: unknown flag: --e-mail"},
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
		if status != ExitUsage || out != "" || !strings.Contains(errs, c.want) || !strings.Contains(errs, "See appliance ") {
			t.Errorf("%s: got status %d, %q, %q, want %d and an error with %q", c.command, status, out, errs, ExitUsage, c.want)
		}
	}
	var out, errs bytes.Buffer // of a command of cobra itself
	if status := Run(t.Context(), []string{"__complete"}, strings.NewReader(""), &out, &errs); status != ExitUsage || out.Len() > 0 || !strings.Contains(errs.String(), "at least 1 arg") {
		t.Errorf("__complete: got status %d, %q, %q, want %d and an error about its arguments", status, &out, &errs, ExitUsage)
	}
}

// Regression test: setup read is_operator before it had committed the operator.
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

// setup reports that the server is set up before it misses a value or asks for one.
func TestSetupOfAServerWithAnOperatorIsRejectedFirst(t *testing.T) {
	dir := t.TempDir()
	if status, _, errs := runCommand(t, dir, password, "setup", "--email", "ann@example.org", "--password-stdin"); status != ExitOK {
		t.Fatal(errs)
	}
	for _, args := range []string{"setup", "setup --email bea@example.org", "setup --email bea@example.org --password-stdin"} {
		status, _, errs := runCommand(t, dir, "", strings.Fields(args)...)
		for _, want := range []string{"set up already", "appliance admin members promote", "reset-password"} {
			if status != ExitConflict || !strings.Contains(errs, want) {
				t.Errorf("%s: got status %d and %q, want %d and %q", args, status, errs, ExitConflict, want)
			}
		}
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

// Each exit status that the program returns is in the help and in the manual.
func TestExitStatusesAreDocumented(t *testing.T) {
	_, root, _ := runCommand(t, t.TempDir(), "", "--help")
	_, topic, _ := runCommand(t, t.TempDir(), "", "help", "commands")
	for _, status := range []int{ExitOK, ExitFailure, ExitUsage, ExitNotFound, ExitConflict} {
		if want := fmt.Sprintf("%d ", status); !strings.Contains(root, want) {
			t.Errorf("--help: got\n%s\nwant the exit status %d", root, status)
		}
		if want := fmt.Sprintf("\n| %d | ", status); !strings.Contains(topic, want) {
			t.Errorf("help commands: got\n%s\nwant a row for the exit status %d", topic, status)
		}
	}
}

// A group of commands is not shown as a command that can be run.
func TestHelpOfAGroupShowsItsCommands(t *testing.T) {
	for group, want := range map[string]string{"admin": "appliance admin [command]", "admin members": "appliance admin members [command]"} {
		status, out, _ := runCommand(t, t.TempDir(), "", strings.Fields(group)...)
		if status != ExitOK || !strings.Contains(out, "\nUsage:\n  "+want+"\n") {
			t.Errorf("%s: got status %d and the help\n%s\nwant the usage %q only", group, status, out, want)
		}
	}
}

func TestEveryCommandReadsTheFileOfConfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "absent.toml")
	for _, command := range []string{"admin members list", "backup x", "config", "doctor"} {
		status, _, errs := runCommand(t, t.TempDir(), "", append(strings.Fields(command), "--config", file)...)
		if status != ExitFailure || !strings.Contains(errs, "reading the settings: open "+file) {
			t.Errorf("%s: got status %d, %q, want an error about the file", command, status, errs)
		}
	}
}

// The spaces of the line are part of the password, its line break is not.
func TestPasswordIsTheFirstLineOfStandardInput(t *testing.T) {
	for input, want := range map[string]string{"secret\nmore\n": "secret", "no end of line": "no end of line", " with spaces \r\n": " with spaces ", "\n": ""} {
		c := &cli{stdin: bufio.NewReader(strings.NewReader(input))}
		if got, err := c.password(true, nil); err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", input, got, err, want)
		}
	}
}

func TestAskTrimsTheAnswer(t *testing.T) {
	var prompt bytes.Buffer
	c := &cli{stdin: bufio.NewReader(strings.NewReader(" ann \r\n")), stderr: &prompt}
	if got, err := c.ask("Name", false); err != nil || got != "ann" || prompt.String() != "Name: " {
		t.Errorf("got %q, %v after %q, want ann after the prompt", got, err, prompt.String())
	}
	if _, err := c.ask("Name", false); err == nil {
		t.Error("at the end of the input: got no error, want one")
	}
}

func TestVersionIsAlsoAFlag(t *testing.T) {
	status, out, _ := runCommand(t, t.TempDir(), "", "--version")
	if _, want, _ := runCommand(t, t.TempDir(), "", "version"); status != ExitOK || !strings.HasPrefix(want, strings.TrimSpace(out)) || out == "" {
		t.Errorf("--version: got status %d, %q, want the beginning of %q", status, out, want)
	}
}

// Flags with a fixed list of values and arguments that name a member are completed.
func TestShellCompletesValuesAndMembers(t *testing.T) {
	dir := t.TempDir()
	if status, _, errs := runCommand(t, dir, password, "setup", "--email", "ann@example.org", "--display-name", "Ann", "--password-stdin"); status != ExitOK {
		t.Fatal(errs)
	}
	for _, c := range []struct{ begun, want string }{
		{"serve --registration ", "open\ninvite\nclosed\n:4\n"},
		{"config --log-format ", "text\njson\n:4\n"},
		{"admin members list --status ", "active\ndisabled\ndeleted\n:4\n"},
		{"admin members show ", "ann\tAnn\n:4\n"},
		{"admin members show ann@", "ann@example.org\tAnn\n:4\n"},
		{"calendar trash x", ":4\n"},
		{"calendar export ann ", ":0\n"}, // a file name
		{"admin members sh", "show\tShow a member\n:4\n"},
	} {
		args := append([]string{"__complete", "--data", dir}, strings.Split(c.begun, " ")...)
		var out, errs bytes.Buffer
		if Run(t.Context(), args, strings.NewReader(""), &out, &errs); out.String() != c.want {
			t.Errorf("%s: got %q, want %q\n%s", c.begun, out.String(), c.want, errs.String())
		}
	}
	if _, out, _ := runCommand(t, t.TempDir(), "", "__complete", "admin", "members", "show", ""); !strings.HasPrefix(out, ":") {
		t.Errorf("without a database: got the completions %q, want none", out)
	}
}
