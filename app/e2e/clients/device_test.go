package clients

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// device simulates a device by a home directory in which programs run.
type device struct {
	t   *testing.T
	dir string
}

func newDevice(t *testing.T, name string) *device {
	return &device{t, filepath.Join(t.TempDir(), name)}
}

func (d *device) String() string { return filepath.Base(d.dir) }

// runWithInput runs a program with the standard input and returns its standard
// output and error output.
func (d *device) runWithInput(input, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/usr/bin/"+program, args...)
	cmd.WaitDelay = time.Second // child processes may keep the output open
	cmd.Dir = d.dir
	cmd.Env = []string{"HOME=" + d.dir, "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", "TZ=Europe/Berlin"}
	cmd.Stdin = strings.NewReader(input)
	output, err := cmd.CombinedOutput()
	return string(output), err
}

// try runs a program, answers its questions with yes, and returns its output and error.
func (d *device) try(program string, args ...string) (string, error) {
	return d.runWithInput(strings.Repeat("y\n", 20), program, args...)
}

// run is like try, but fails the test if the program fails.
func (d *device) run(program string, args ...string) string {
	d.t.Helper()
	output, err := d.try(program, args...)
	if err != nil {
		d.t.Fatalf("%s %q on the %s: got %v, want success\n%s", program, args, d, err, output)
	}
	return output
}

// wantOutput runs a program and fails the test unless its output is want.
func (d *device) wantOutput(want, program string, args ...string) {
	d.t.Helper()
	if got := d.run(program, args...); got != want {
		d.t.Errorf("%s %q: got\n%s\nwant\n%s", program, args, got, want)
	}
}

// write creates or replaces a file and its directories.
func (d *device) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		d.t.Fatal(err)
	}
}

func (d *device) read(name string) string {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

func (d *device) delete(name string) {
	d.t.Helper()
	if err := os.Remove(filepath.Join(d.dir, name)); err != nil {
		d.t.Fatal(err)
	}
}

// replaceInFile replaces old, which the file must contain, by new.
func (d *device) replaceInFile(name, old, new string) {
	d.t.Helper()
	text := d.read(name)
	if !strings.Contains(text, old) {
		d.t.Fatalf("%s: got\n%s\nwant %q in it", name, text, old)
	}
	d.write(name, strings.ReplaceAll(text, old, new))
}

var stampLine = regexp.MustCompile(`(?m)^(DTSTAMP|LAST-MODIFIED|SEQUENCE):.*\n`)

// withoutStamps returns a calendar object without the properties that change with
// each modification.
func withoutStamps(text string) string { return stampLine.ReplaceAllString(text, "") }
