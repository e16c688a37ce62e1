package cli

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"appliance/app/cli"
	"appliance/svc/svctest"
)

// Each archive in testdata/cli is a session at a shell: commands, and what
// came of them. $DIR is a folder of the session's own. A command may be
// followed by an empty line and what it reads.
func TestScripts(t *testing.T) {
	svctest.Each(t, "../../../testdata/cli/*.txtar", func(t *testing.T, a *svctest.Archive) {
		dir := t.TempDir()
		t.Setenv("APPLIANCE_DATA", dir+"/data")
		t.Setenv("APPLIANCE_TIMEZONE", "Europe/Berlin")
		for i := 0; i+1 < len(a.Files); i += 2 {
			if a.Files[i].Name != "run" || a.Files[i+1].Name != "output" {
				t.Fatalf("file %d is not a command with its output", i)
			}
			got := runScript(t, dir, a.Files[i].Data)
			switch {
			case *svctest.Update:
				a.Set(i+1, got)
			case strings.TrimRight(a.Files[i+1].Data, "\n") != strings.TrimRight(got, "\n"):
				t.Fatalf("what comes of\n%sis now\n%s\nand was\n%s", a.Files[i].Data, got, a.Files[i+1].Data)
			}
		}
	})
}

func runScript(t *testing.T, dir, text string) string {
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
	var stdout, stderr bytes.Buffer
	status := cli.Run(t.Context(), args[1:], strings.NewReader(stdin), &stdout, &stderr)
	out := stdout.String()
	for line := range strings.Lines(stderr.String()) {
		out += "! " + line
	}
	if status != 0 {
		out += fmt.Sprintf("exit %d\n", status)
	}
	out = regexp.MustCompile(` {2,}`).ReplaceAllString(strings.ReplaceAll(out, dir, "$DIR"), "  ") // columns are as wide as $DIR
	return steady(out)
}

// unsteady is what no two sessions have in common.
var unsteady = regexp.MustCompile(`\b(cal|tob|tok|dev|inv)_[0-9a-z]{26}\b|(inv|res)_[A-Za-z0-9_-]{43}|\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ|\b20\d{6}T\d{6}Z|\b20\d\d-\d\d-\d\d\b|\d+ bytes|\d+ [A-Z][a-z]+ \d\d:\d\d|time=\S+ |"(checksum|bytes|go|system|etag)": "?[^",\n]*"?`)

func steady(text string) string {
	return unsteady.ReplaceAllStringFunc(text, func(s string) string {
		switch {
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
