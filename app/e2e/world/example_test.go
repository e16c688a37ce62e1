package world

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/assets"
)

// exampleRuntime returns the program in the section Example of the manual for
// developers of runtimes.
func exampleRuntime(t *testing.T) string {
	t.Helper()
	page, err := assets.Files.ReadFile("manual/runtimes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "\n## Example\n")
	section, _, _ = strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("got no section Example in the manual, want one")
	}
	var program strings.Builder
	for line := range strings.Lines(section) {
		if code, isCode := strings.CutPrefix(line, "    "); isCode {
			program.WriteString(code)
		} else if line == "\n" {
			program.WriteString(line)
		}
	}
	return program.String()
}

// Covers B-99: the example of the manual works at the root of a server and below a
// path.
func TestExampleRuntimeWorksBelowAPath(t *testing.T) {
	apptest.NeedPrograms(t, "python3")
	program := filepath.Join(t.TempDir(), "example.py")
	if err := os.WriteFile(program, []byte(exampleRuntime(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", "/home/garden"} {
		s := apptest.New(t, func(s *config.Settings) { s.BaseURL = "http://example.org" + path })
		ann := s.Member("ann")
		ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201)
		ann.Session().WantValues("capabilities", map[string]any{"base_path": path})
		out, err := exec.Command("/usr/bin/python3", program, ann.URL, "ann", apptest.Password).CombinedOutput()
		if err != nil || string(out) != "task Taxes\nprofile Ann\nThe object is focused.\n" {
			t.Errorf("below %q: got %v and\n%s\nwant the objects and the message of the action", path, err, out)
		}
		ann.WantWorkspace("Taxes*")
	}
}
