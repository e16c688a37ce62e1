package cli

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"appliance/app/manual"
	"appliance/svc/zoneinfo/zoneinfotest"
	"appliance/world/compat"
)

// The version names the program, the version of Go, the system and the time zone data, which a
// file in the data directory replaces.
func TestVersionNamesGoTheSystemAndTheTimeZoneData(t *testing.T) {
	dir := t.TempDir()
	_, out, _ := runCommand(t, dir, "", "version")
	if want := fmt.Sprintf(" (%s, %s/%s)\ntime zones 20", runtime.Version(), runtime.GOOS, runtime.GOARCH); !strings.HasPrefix(out, "appliance ") || !strings.Contains(out, want) {
		t.Errorf("got %q, want %q in it", out, want)
	}
	zoneinfotest.Restore(t)
	file := filepath.Join(dir, "zoneinfo.zip")
	if err := os.WriteFile(file, zoneinfotest.Archive(t, "2099a", map[string]int{"Asia/Tokyo": 5}), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := runCommand(t, dir, "", "version"); !strings.Contains(out, "\ntime zones 2099a of 31 December 2099, from "+file+"\n") {
		t.Errorf("got %q, want the file in the data directory", out)
	}
	if err := os.WriteFile(file, []byte("no archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := runCommand(t, dir, "", "version"); status != ExitOK || !strings.Contains(out, "from the program\n") && !strings.Contains(out, "from /") {
		t.Errorf("an invalid file: got status %d, %q, want other data", status, out)
	}
}

// The schemas are written to files with the names that the contracts publish.
func TestSchemasAreWrittenToADirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "schemas")
	status, out, errs := runCommand(t, t.TempDir(), "", "schema", "dump", dir)
	if status != ExitOK {
		t.Fatalf("got status %d, %s, want 0", status, errs)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != len(compat.Contracts) {
		t.Errorf("got %d files, %v, want %d", len(files), err, len(compat.Contracts))
	}
	var names strings.Builder
	for _, c := range compat.Contracts {
		fmt.Fprintf(&names, "%s %d\n", c.Name, c.Version)
		want, _ := compat.Schema(c.Name, fmt.Sprint(c.Version))
		if got, err := os.ReadFile(filepath.Join(dir, path.Base(c.File()))); err != nil || string(got) != string(want) || len(got) == 0 {
			t.Errorf("%s: got %d bytes, %v, want the schema", c.Name, len(got), err)
		}
	}
	if out != names.String() {
		t.Errorf("got the output\n%s\nwant\n%s", out, &names)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"man", "schema dump"} {
		if status, _, errs := runCommand(t, t.TempDir(), "", append(strings.Fields(command), filepath.Join(file, "dir"))...); status != ExitFailure || !strings.Contains(errs, "mkdir") {
			t.Errorf("%s into a file: got status %d, %q, want an error", command, status, errs)
		}
	}
}

// There is a manual page for each command, without the date on which it was written.
func TestManualPagesAreWrittenToADirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "man")
	if status, _, errs := runCommand(t, t.TempDir(), "", "man", dir); status != ExitOK {
		t.Fatalf("got status %d, %s, want 0", status, errs)
	}
	for _, name := range []string{"appliance.1", "appliance-serve.1", "appliance-admin-members-audit.1"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		head, _, _ := strings.Cut(string(text), ".SH")
		if !strings.Contains(head, `.TH "APPLIANCE" "1" `) || !strings.Contains(head, `"appliance `) || strings.Contains(string(text), "Auto generated") {
			t.Errorf("%s: got the head %q, want section 1 and the program, and no date in the text", name, head)
		}
	}
}

func TestHelpListsTopicsByTitle(t *testing.T) {
	_, out, _ := runCommand(t, t.TempDir(), "", "help")
	for _, topic := range manual.Topics() {
		if !strings.Contains(out, topic.Title+"\n") {
			t.Errorf("help: got\n%s\nwant the title %q", out, topic.Title)
		}
	}
}
