package load

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// otherServer is a CalDAV server that may be installed.
type otherServer struct {
	name     string
	calendar string // path
	files    string // directory of the calendar, relative to the directory of the server
	args     func(dir, port string) []string
}

// start starts the server and returns it with the directory of its calendar, or
// nil if the server is not installed.
func (o otherServer) start(t *testing.T) (s *caldavServer, files string) {
	t.Helper()
	program, err := exec.LookPath("/usr/bin/" + o.name)
	if err != nil {
		t.Logf("%s is not installed: the table is without it", o.name)
		return nil, ""
	}
	address := freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, o.args(dir, port)...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "LC_ALL=C.UTF-8"}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	s = newCalDAVServer(t, o.name, "http://"+address, o.calendar, cmd.Process)
	files = filepath.Join(dir, o.files)
	s.fill = func(count int) {
		for i := range count {
			if err := os.WriteFile(filepath.Join(files, filepath.Base(s.object(i))), []byte(loadEvent(i, 0)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	waitForListener(t, address)
	return s, files
}

func freeAddress(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// waitForListener returns when a server accepts connections.
func waitForListener(t *testing.T, address string) {
	t.Helper()
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return
		}
		if !errors.Is(err, syscall.ECONNREFUSED) || t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

func startRadicale(t *testing.T) *caldavServer {
	t.Helper()
	s, _ := otherServer{"radicale", "/ann/home/", "collection-root/ann/home", func(dir, port string) []string {
		config := filepath.Join(dir, "config")
		text := "[server]\nhosts = 127.0.0.1:" + port + "\n[auth]\ntype = none\n[storage]\nfilesystem_folder = " + dir + "\n[logging]\nlevel = error\n"
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return []string{"--config", config}
	}}.start(t)
	if s != nil {
		s.do("MKCALENDAR", s.calendar, "")
	}
	return s
}

// startXandikos starts a server that stores its objects in a Git repository.
func startXandikos(t *testing.T) *caldavServer {
	t.Helper()
	s, files := otherServer{"xandikos", "/ann/calendars/calendar/", "ann/calendars/calendar", func(dir, port string) []string {
		return []string{"--directory", dir, "--defaults", "--current-user-principal", "/ann/", "--listen-address", "127.0.0.1", "--port", port}
	}}.start(t)
	if s == nil {
		return nil
	}
	writeFiles := s.fill
	s.fill = func(count int) {
		writeFiles(count)
		for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=ann", "-c", "user.email=ann@example.org", "commit", "-q", "-m", "entries"}} {
			git := exec.CommandContext(t.Context(), "git", append([]string{"-C", files}, args...)...)
			if output, err := git.CombinedOutput(); err != nil {
				t.Fatalf("git %s: %v\n%s", args[0], err, output)
			}
		}
	}
	return s
}
