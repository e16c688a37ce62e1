package process

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"appliance/app/apptest"
)

// After SIGHUP the server reads its settings again. It applies the settings that can change at run
// time, logs the settings that need a restart, and keeps the previous settings if the new ones are
// invalid.
func TestHangupReloadsTheSettings(t *testing.T) {
	dir := apptest.NewDataDir(t)
	file := filepath.Join(dir, "appliance.toml")
	p := apptest.Serve(t, dir)
	reload := func(lines, want string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(lines+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := p.Cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		p.WaitForLog(want)
	}
	const request = `"msg":"request"`
	p.Unauthenticated().Do("GET", "/ready").Want(200)
	if strings.Contains(p.Log.String(), request) {
		t.Fatalf("got a request in the log, want none at the level info:\n%s", p.Log)
	}
	reload(`log = "sometimes"`, "the settings were not reloaded")
	p.Unauthenticated().Do("GET", "/ready").Want(200)
	reload("log = \"debug\"\nregistration = \"closed\"\nbackup-keep = 3", `"msg":"settings reloaded","log":"debug"`)
	p.WaitForLog(`restart the server to apply the other changed settings","settings":"registration backup-keep"`)
	p.Unauthenticated().Do("GET", "/ready").Want(200)
	p.WaitForLog(request)
	stop(p)
}
