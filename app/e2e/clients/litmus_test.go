package clients

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// litmus is a conformance test of WebDAV. It creates a collection in the calendar
// home. Locks are not supported, so its suite for locks is omitted.
func TestLitmusPasses(t *testing.T) {
	program, err := exec.LookPath("litmus")
	if err != nil {
		t.Skip("litmus is not installed: apt-get install litmus")
	}
	h := apptest.New(t, func(s *config.Settings) { s.RateLimits = map[string]int{"reads": 0, "writes": 0} })
	h.Member("ann")
	cmd := exec.CommandContext(t.Context(), program, "-k", h.HTTP.URL+"/caldav/1/calendars/", "ann", apptest.Password)
	cmd.Dir = t.TempDir() // for the logs of litmus
	cmd.Env = append(os.Environ(), "TESTS=basic copymove props http", "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	text := strings.Replace(string(out), "WARNING: server does not claim Class 2 compliance", "", 1)
	if err != nil || strings.Count(text, "0 failed") != 4 || strings.Contains(text, "FAIL") || strings.Contains(text, "WARNING") {
		t.Errorf("got %v\n%s\nwant no failures and warnings", err, out)
	}
}
