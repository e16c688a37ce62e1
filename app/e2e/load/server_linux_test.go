package load

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// The server has the memory limit that it derives from a memory cgroup with the
// limit maxResident.
const (
	maxResident = 512 << 20 // bytes
	memoryLimit = "GOMEMLIMIT=307MiB"
)

// server is an attacked server with the members ann, who attacks, and bea.
type server struct {
	*apptest.Process
	ann *apptest.Client
}

// newServer starts a server with the memory limit. change may change its command.
func newServer(t *testing.T, change func(*exec.Cmd)) *server {
	t.Helper()
	dir := apptest.NewDataDir(t)
	args := []string{"admin", "members", "add", "--data", dir, "--email", "bea@example.org", "--username", "bea", "--password-stdin"}
	if status, output := apptest.RunCommand(t, apptest.Password, args...); status != 0 {
		t.Fatal(output)
	}
	cmd := apptest.ServeCommand(t, dir, "--rate-limits", "writes=0,reads=0")
	cmd.Env = append(cmd.Env, memoryLimit)
	if change != nil {
		change(cmd)
	}
	s := &server{Process: apptest.Start(t, cmd)}
	s.ann = s.SignIn("ann")
	return s
}

// address returns the IP address and port of the server.
func (s *server) address() string { return strings.TrimPrefix(s.URL, "http://") }

// transportFrom returns a transport whose connections come from the address
// 127.0.0.n.
func transportFrom(n int) *http.Transport {
	return &http.Transport{DialContext: dialerFrom(n).DialContext, MaxIdleConnsPerHost: 4}
}

// dialerFrom returns a dialer for connections from the address 127.0.0.n.
func dialerFrom(n int) *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(n))}}
}

var peakMemory = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// wantAlive fails the test unless the process is running, has logged the texts, and,
// without the race detector, has never used more than maxResident bytes of memory.
func (s *server) wantAlive(logged ...string) {
	s.T.Helper()
	select {
	case <-s.Exited:
		s.T.Fatalf("the server ended: %v\n%.5000s", s.Cmd.ProcessState, s.Log)
	default:
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Cmd.Process.Pid))
	if err != nil {
		s.T.Fatal(err)
	}
	match := peakMemory.FindSubmatch(text)
	if match == nil {
		s.T.Fatalf("got no peak memory in %s", text)
	}
	kilobytes, err := strconv.Atoi(string(match[1]))
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Logf("peak memory: %d MB", kilobytes>>10)
	if kilobytes<<10 > maxResident && !apptest.HasRaceDetector() {
		s.T.Errorf("peak memory: got %d MB, want at most %d MB", kilobytes>>10, maxResident>>20)
	}
	for _, want := range logged {
		s.WaitForLog(want)
	}
	for line := range strings.Lines(s.Log.String()) {
		if strings.Contains(line, "panic") || strings.Contains(line, `"level":"ERROR"`) {
			s.T.Errorf("log: got %.3000s, want no panic and no error", line)
		}
	}
}
