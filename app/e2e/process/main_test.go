package process

import (
	"syscall"
	"testing"

	"appliance/app/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// terminate sends SIGTERM to the server.
func terminate(p *apptest.Process) {
	p.T.Helper()
	if err := p.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.T.Fatal(err)
	}
}

// wantCleanExit waits for the end of the process and fails the test unless its
// exit status is 0.
func wantCleanExit(p *apptest.Process) {
	p.T.Helper()
	<-p.Exited
	if status := p.Cmd.ProcessState.ExitCode(); status != 0 {
		p.T.Errorf("got exit status %d, want 0; log:\n%s", status, p.Log)
	}
}

// stop terminates the server, which must exit with status 0.
func stop(p *apptest.Process) {
	p.T.Helper()
	terminate(p)
	wantCleanExit(p)
}
