package process

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// The server notifies systemd when it is ready and when it stops, through a
// socket with a path and through an abstract socket. Covers SH-24.
func TestServerNotifiesSystemd(t *testing.T) {
	dir := apptest.NewDataDir(t)
	for name, address := range map[string]string{
		"a socket in a directory": filepath.Join(t.TempDir(), "notify"),
		"an abstract socket":      fmt.Sprintf("@appliance-test-%d", os.Getpid()),
	} {
		t.Run(name, func(t *testing.T) {
			socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: address, Net: "unixgram"})
			if err != nil {
				t.Fatal(err)
			}
			defer socket.Close()
			wantMessage := func(want string) {
				t.Helper()
				_ = socket.SetReadDeadline(time.Now().Add(10 * time.Minute))
				message := make([]byte, 100)
				n, err := socket.Read(message)
				if got := string(message[:n]); err != nil || got != want {
					t.Fatalf("notification: got %q, %v, want %q", got, err, want)
				}
			}
			cmd := apptest.ServeCommand(t, dir)
			cmd.Env = append(cmd.Env, "NOTIFY_SOCKET="+address)
			p := apptest.Start(t, cmd)
			wantMessage("READY=1")
			p.Unauthenticated().Do("GET", "/ready").Want(200)
			terminate(p)
			wantMessage("STOPPING=1")
			wantCleanExit(p)
		})
	}
}

// activatedCommand returns the server's command with sockets as systemd passes
// them (sd_listen_fds(3)): as descriptors from 3 on, with the process ID of the
// receiver in LISTEN_PID. A shell sets the variable, since only the started
// process knows its ID, "$$".
func activatedCommand(t *testing.T, dir, pid string, sockets ...*net.TCPListener) *exec.Cmd {
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

func listen(t *testing.T) *net.TCPListener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	return ln.(*net.TCPListener)
}

// The server serves on the single socket that systemd passes to it. It ignores sockets for another
// process, and rejects several sockets.
func TestServerUsesTheSocketOfSystemd(t *testing.T) {
	dir := apptest.NewDataDir(t)
	socket := listen(t)
	address := "http://" + socket.Addr().String()
	for _, c := range []struct {
		name, pid string
		passed    bool
	}{
		{"a socket for the server", "$$", true},
		{"a socket for another process", "1", false},
	} {
		p := apptest.Start(t, activatedCommand(t, dir, c.pid, socket))
		if got := p.URL == address; got != c.passed {
			t.Errorf("%s: got URL %s, want equality with %s: %t", c.name, p.URL, address, c.passed)
		}
		p.SignIn("ann").Do("GET", "/identity/me").Want(200)
		stop(p)
	}

	output, err := activatedCommand(t, dir, "$$", socket, listen(t)).CombinedOutput()
	if want := "systemd passed 2 sockets; this program listens on one"; err == nil || !strings.Contains(string(output), want) {
		t.Errorf("two sockets: got %v, %q, want an error with %q", err, output, want)
	}
}

// systemd accepts the unit in the manual, as it is printed and with its lines for
// HTTPS. The unit permits ports below 1024: with private users the capability would
// not apply to the network of the machine. It limits the memory.
func TestUnitOfTheManualIsValid(t *testing.T) {
	apptest.NeedPrograms(t, "systemd-analyze")
	status, unit := apptest.RunCommand(t, "", "help", "systemd")
	program, err := apptest.Binary()
	if status != 0 || err != nil {
		t.Fatalf("help systemd: got exit status %d, %v", status, err)
	}
	const installed = "/usr/local/bin/appliance "
	for _, want := range []string{
		installed, "\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\n", "\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n", "\nMemoryMax=", "\nExecReload=",
	} {
		if !strings.Contains(unit, want) {
			t.Errorf("unit: got\n%s\nwant %q in it", unit, want)
		}
	}
	if strings.Contains(unit, "\nPrivateUsers=yes") {
		t.Error("unit: got PrivateUsers=yes, want the capability to apply to the network of the machine")
	}
	https := strings.NewReplacer("\n#LoadCredential=", "\nLoadCredential=", "\n#Environment=", "\nEnvironment=").Replace(unit)
	if got := strings.Count(https, "\nLoadCredential=") + strings.Count(https, "\nEnvironment="); got != 4 {
		t.Errorf("unit: got %d lines for HTTPS, want 4", got)
	}
	for name, text := range map[string]string{"as printed": unit, "with HTTPS": https} {
		file := filepath.Join(t.TempDir(), "appliance.service")
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, installed, program+" ")), 0o600); err != nil {
			t.Fatal(err)
		}
		output, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", "--recursive-errors=no", file).CombinedOutput()
		if err != nil || strings.Contains(string(output), file) {
			t.Errorf("systemd-analyze verify %s: got %v, %q, want no complaint about %s", name, err, output, file)
		}
	}
}

// With the settings of the unit's lines for HTTPS and the directory of the
// credentials, the server uses HTTPS. Its commands print links with HTTPS.
func TestServerReadsCertificatesFromTheEnvironment(t *testing.T) {
	dir, credentials := apptest.NewDataDir(t), t.TempDir()
	cert, key := apptest.NewCertificate(t, 1)
	for name, text := range map[string][]byte{"cert.pem": cert, "key.pem": key} {
		if err := os.WriteFile(filepath.Join(credentials, name), text, 0o400); err != nil {
			t.Fatal(err)
		}
	}
	cmd := apptest.ServeCommand(t, dir)
	cmd.Env = append(cmd.Env, "APPLIANCE_TLS_CERT="+credentials+"/cert.pem", "APPLIANCE_TLS_KEY="+credentials+"/key.pem")
	p := apptest.Start(t, cmd)
	if !strings.HasPrefix(p.URL, "https://127.0.0.1:") {
		t.Fatalf("URL: got %s, want https", p.URL)
	}
	if output := runInvite(t, dir); !strings.HasPrefix(output, p.URL+"/world/invite/") {
		t.Errorf("invitation: got %q, want a link below %s", output, p.URL)
	}
	stop(p)
}
