package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"appliance/app/cli"
	"appliance/svc/svctest"
)

// Each archive in testdata/cli is a shell session: commands with their output. $DIR
// stands for the temporary directory of the session. The standard input of a
// command follows the command after an empty line. The command write writes it to a file.
func TestScripts(t *testing.T) {
	svctest.Each(t, "../../testdata/cli/*.txtar", func(t *testing.T, a *svctest.Archive) {
		dir := t.TempDir()
		t.Setenv("APPLIANCE_DATA", dir+"/data")
		t.Setenv("APPLIANCE_TIMEZONE", "Europe/Berlin")
		for i := 0; i+1 < len(a.Files); i += 2 {
			if a.Files[i].Name != "run" || a.Files[i+1].Name != "output" {
				t.Fatalf("files %d and %d: got %s and %s, want run and output", i, i+1, a.Files[i].Name, a.Files[i+1].Name)
			}
			got := runScript(t, dir, a.Files[i].Data)
			switch {
			case *svctest.Update:
				a.Set(i+1, got)
			case strings.TrimRight(a.Files[i+1].Data, "\n") != strings.TrimRight(got, "\n"):
				t.Fatalf("%sgot\n%s\nwant\n%s", a.Files[i].Data, got, a.Files[i+1].Data)
			}
		}
	})
}

// runScript runs a command and returns its output. Lines of standard error begin
// with "! ".
func runScript(t *testing.T, dir, text string) string {
	t.Helper()
	head, stdin, _ := strings.Cut(text, "\n\n")
	var command string
	for line := range strings.Lines(head) {
		if !strings.HasPrefix(line, "#") {
			command = strings.TrimSpace(line)
		}
	}
	args := strings.Fields(strings.ReplaceAll(command, "$DIR", dir))
	for len(args) > 0 && strings.Contains(args[0], "=") { // NAME=value before the command
		name, value, _ := strings.Cut(args[0], "=")
		t.Setenv(name, value)
		args = args[1:]
	}
	if args[0] == "write" {
		if err := os.WriteFile(args[1], []byte(stdin), 0o600); err != nil {
			t.Fatal(err)
		}
		return ""
	}
	status, out, stderr := run(t, stdin, args[1:]...)
	for line := range strings.Lines(stderr) {
		out += "! " + line
	}
	if status != 0 {
		out += fmt.Sprintf("exit %d\n", status)
	}
	// The width of columns depends on the length of the path of $DIR.
	out = regexp.MustCompile(` {2,}`).ReplaceAllString(strings.ReplaceAll(out, dir, "$DIR"), "  ")
	return withoutVariables(out)
}

// run runs a command.
func run(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = cli.Run(t.Context(), args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// variables matches ids, secrets, times and sizes, which differ in each session.
var variables = regexp.MustCompile(`\b(cal|tob|tok|dev|inv)_[0-9a-z]{26}\b|(inv|res)_[A-Za-z0-9_-]{43}|\bcli:\S+|\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ|\b20\d{6}T\d{6}Z|\b20\d\d-\d\d-\d\d\b|\d+ bytes|\d+ [A-Z][a-z]+ \d\d:\d\d|time=\S+ |20\d\d[a-z]{1,2}\b|"path": "(/(usr|etc)/[^"]*)?"|"(checksum|bytes|go|system|etag|source)": "?[^",\n]*"?`)

func withoutVariables(text string) string {
	return variables.ReplaceAllStringFunc(text, func(s string) string {
		switch {
		case strings.HasPrefix(s, "cli:"):
			return "cli:<user>"
		case strings.Contains(s, ": "):
			name, _, _ := strings.Cut(s, ":")
			return name + ": …"
		case strings.HasPrefix(s, "20"), strings.HasPrefix(s, "time="), strings.Contains(s, " "):
			return "<time>"
		}
		kind, _, _ := strings.Cut(s, "_")
		return "<" + kind + ">"
	})
}
