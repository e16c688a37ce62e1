package crash

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// systemd hears when the server is ready and when it stops, on either kind of
// socket. Covers SH-24.
func TestSystemdIsTold(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("systemd is on Linux alone")
	}
	dir := apptest.NewDataDir(t)
	for kind, address := range map[string]string{
		"a socket in a folder": filepath.Join(t.TempDir(), "notify"),
		"an abstract socket":   fmt.Sprintf("@appliance-test-%d", os.Getpid()),
	} {
		t.Run(kind, func(t *testing.T) {
			socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: address, Net: "unixgram"})
			if err != nil {
				t.Fatal(err)
			}
			defer socket.Close()
			hears := func(want string) {
				t.Helper()
				_ = socket.SetReadDeadline(time.Now().Add(time.Minute))
				message := make([]byte, 100)
				n, err := socket.Read(message)
				if got := string(message[:n]); err != nil || got != want {
					t.Fatalf("systemd hears %q, %v, want %s", got, err, want)
				}
			}
			cmd := apptest.ServeCommand(t, dir)
			cmd.Env = append(cmd.Env, "NOTIFY_SOCKET="+address)
			p := apptest.Start(t, cmd)
			hears("READY=1")
			p.Unauthenticated().Do("GET", "/ready").Want(200)
			signal(p)
			hears("STOPPING=1")
			WantCleanExit(p)
		})
	}
}

// activated is the server as systemd starts it, with sockets for it to serve
// on: their descriptors begin with 3, and a variable names the process that
// they are for, which only a shell in its place can know.
func activated(t *testing.T, dir, pid string, sockets ...*net.TCPListener) *exec.Cmd {
	t.Helper()
	cmd := apptest.ServeCommand(t, dir)
	script := fmt.Sprintf(`LISTEN_PID=%s LISTEN_FDS=%d exec "$0" "$@"`, pid, len(sockets))
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", script}, cmd.Args...)
	for _, s := range sockets {
		f, err := s.File()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
	}
	return cmd
}

func socket(t *testing.T) *net.TCPListener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	return ln.(*net.TCPListener)
}

// The server serves on the socket that systemd hands over, and leaves alone
// one that is for somebody else.
func TestSocketActivation(t *testing.T) {
	dir := apptest.NewDataDir(t)
	ln := socket(t)
	p := apptest.Start(t, activated(t, dir, "$$", ln))
	if want := "http://" + ln.Addr().String(); p.URL != want {
		t.Errorf("it serves on %s, want %s", p.URL, want)
	}
	p.SignIn("ann").Do("GET", "/identity/me").Want(200)
	stop(p)

	p = apptest.Start(t, activated(t, dir, "1", ln))
	if p.URL == "http://"+ln.Addr().String() {
		t.Error("it took a socket that is for another process")
	}
	p.SignIn("ann").Do("GET", "/identity/me").Want(200)
	stop(p)

	out, err := activated(t, dir, "$$", ln, socket(t)).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "systemd passed 2 sockets; this program listens on one") {
		t.Errorf("with two sockets: %v\n%s", err, out)
	}
}

// systemd understands the unit that the manual has.
func TestUnit(t *testing.T) {
	apptest.NeedPrograms(t, "systemd-analyze")
	status, unit := apptest.Shell(t, "", "help", "systemd")
	bin, err := apptest.Binary()
	if status != 0 || err != nil {
		t.Fatal(status, err)
	}
	const installed = "/usr/local/bin/appliance "
	if !strings.Contains(unit, installed) {
		t.Fatalf("the unit starts something else than %s:\n%s", installed, unit)
	}
	file := filepath.Join(t.TempDir(), "appliance.service")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(unit, installed, bin+" ")), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", "--recursive-errors=no", file).CombinedOutput(); err != nil || strings.Contains(string(out), file) {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}
}
