package process

import (
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/cli"
)

// Two servers cannot share a data directory or a port, and a restore requires that the server is
// stopped. The error explains how to continue, and the running server is not affected.
func TestSecondServerIsRejected(t *testing.T) {
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	address := strings.TrimPrefix(p.URL, "http://")
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"the same directory", []string{"serve", "--data", dir, "--listen", "127.0.0.1:0"},
			[]string{dir + ": another appliance process is serving this data directory: stop it first"}},
		{"the same port", []string{"serve", "--data", t.TempDir(), "--listen", address},
			[]string{address, "choose another address with --listen"}},
		{"a restore", []string{"restore", "--data", dir, filepath.Join(dir, "appliance.db")}, nil},
	} {
		status, output := apptest.RunCommand(t, "", c.args...)
		if status != cli.ExitConflict {
			t.Errorf("%s: got exit status %d, want %d\n%s", c.name, status, cli.ExitConflict, output)
		}
		for _, want := range c.want {
			if !strings.Contains(output, want) {
				t.Errorf("%s: got output %q, want %q in it", c.name, output, want)
			}
		}
	}
	p.SignIn("ann").Do("GET", "/identity/me").Want(200)
	stop(p)
	apptest.Serve(t, dir).SignIn("ann").Do("GET", "/identity/me").Want(200)
}
