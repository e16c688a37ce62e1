package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/cli"

	"golang.org/x/sys/unix"
)

// newTerminal returns a terminal on which the lines have been typed.
func newTerminal(t *testing.T, lines ...string) *os.File {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminals: %v", err)
	}
	t.Cleanup(func() { control.Close() })
	if err := unix.IoctlSetPointerInt(int(control.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(control.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	if _, err := control.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
		t.Fatal(err)
	}
	return terminal
}

// setup asks on a terminal for the name and the address of the server, as the set-up page does. It
// repeats the question after an answer that cannot be used, and does not ask for what is set.
// Covers B-124.
func TestSetupAsksForNameAndAddress(t *testing.T) {
	const name, address = "Name of the server", "Address at which members reach the server"
	for _, c := range []struct {
		about     string
		args      []string
		answers   []string
		questions map[string]int // how often each is asked
		want      string         // settings file
	}{
		{"both", nil, []string{strings.Repeat("x", 61), "Mill Lane", "home.example.org", "https://Home.example.org/"}, map[string]int{name: 2, address: 2},
			"base-url = \"https://home.example.org\"\nserver-name = \"Mill Lane\"\n"},
		{"empty answers", nil, []string{"", ""}, map[string]int{name: 1, address: 1}, ""},
		{"flags", []string{"--server-name", "Mill Lane", "--base-url", "http://home.example.org:8080"}, nil, map[string]int{},
			"base-url = \"http://home.example.org:8080\"\nserver-name = \"Mill Lane\"\n"},
	} {
		dir := t.TempDir()
		lines := append([]string{"Ann", "ann@example.org", "", ""}, append(c.answers, apptest.Password, apptest.Password)...)
		var out, errs bytes.Buffer
		status := cli.Run(t.Context(), append([]string{"setup", "--data", dir}, c.args...), newTerminal(t, lines...), &out, &errs)
		if status != 0 || !strings.Contains(out.String(), "ann (ann@example.org) is an operator.") {
			t.Errorf("%s: got status %d and\n%s%s\nwant 0 and an operator", c.about, status, out.String(), errs.String())
		}
		for _, question := range []string{name, address} {
			if got := strings.Count(errs.String(), question+", such as") + strings.Count(errs.String(), question+" (empty"); got != c.questions[question] {
				t.Errorf("%s: %q was asked %d times, want %d:\n%s", c.about, question, got, c.questions[question], errs.String())
			}
		}
		text, _ := os.ReadFile(filepath.Join(dir, "appliance.toml"))
		if string(text) != c.want {
			t.Errorf("%s: got the settings\n%s\nwant\n%s", c.about, text, c.want)
		}
	}
}

// setup asks again for a password that is too short, before it asks for the repetition, and for one
// whose repetition differs. The other answers are kept.
func TestSetupAsksAgainForThePassword(t *testing.T) {
	lines := []string{"Ann", "ann@example.org", "", "", "Mill Lane", "", "short", apptest.Password, apptest.Password + "x", apptest.Password, apptest.Password}
	var out, errs bytes.Buffer
	status := cli.Run(t.Context(), []string{"setup", "--data", t.TempDir()}, newTerminal(t, lines...), &out, &errs)
	if status != 0 || !strings.Contains(out.String(), "ann (ann@example.org) is an operator.") {
		t.Errorf("got status %d and\n%s%s\nwant 0 and an operator", status, out.String(), errs.String())
	}
	for text, want := range map[string]int{"\nRepeat password: ": 2, "The passwords differ.": 1, "Display name": 1} {
		if got := strings.Count(errs.String(), text); got != want {
			t.Errorf("got %d times %q, want %d:\n%s", got, text, want, errs.String())
		}
	}
}
