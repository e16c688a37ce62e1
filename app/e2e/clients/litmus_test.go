package clients

import (
	"os/exec"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// The WebDAV test suite litmus passes in the calendar home, except for its suite
// of locks, which the server does not support.
func TestLitmusPasses(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "litmus")
	s := apptest.New(t, apptest.Unlimited)
	s.Member("ann")
	cmd := exec.CommandContext(t.Context(), "/usr/bin/litmus", "-k", s.HTTP.URL+"/caldav/1/calendars/", "ann", apptest.Password)
	cmd.Dir = t.TempDir() // for its logs
	cmd.Env = []string{"TESTS=basic copymove props http", "LC_ALL=C", "PATH=/usr/bin:/bin"}
	output, err := cmd.CombinedOutput()
	text := strings.Replace(string(output), "WARNING: server does not claim Class 2 compliance", "", 1)
	if err != nil || strings.Count(text, "0 failed") != 4 || strings.Contains(text, "FAIL") || strings.Contains(text, "WARNING") {
		t.Errorf("litmus: got %v, want four suites without failures and warnings\n%s", err, output)
	}
}
