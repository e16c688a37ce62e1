package app

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"appliance/app/config"
	"appliance/svc/zoneinfo/zoneinfotest"

	"github.com/spf13/pflag"
)

// A signal applies the reloadable settings, and logs the other changed ones, which need a
// restart. Invalid settings change nothing.
func TestReloadAppliesReloadableSettings(t *testing.T) {
	dir := t.TempDir()
	load := func(args ...string) *config.Settings {
		t.Helper()
		flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
		config.AddFlags(flags)
		if err := flags.Parse(append(args, "--data", dir)); err != nil {
			t.Fatal(err)
		}
		settings, err := config.Load(flags, nil)
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	log := new(bytes.Buffer)
	signals := make(chan os.Signal)
	var next *config.Settings
	var invalid error
	zoneChanges := 0
	o := &ServeOptions{
		Settings: load(), Log: slog.New(slog.NewTextHandler(log, nil)), LogLevel: new(slog.LevelVar), Reload: signals,
		LoadSettings: func() (*config.Settings, error) { return next, invalid },
	}
	reload := func() string {
		log.Reset()
		stop := o.reloadOnSignal(nil, func() { zoneChanges++ })
		signals <- syscall.SIGHUP
		stop() // waits until the signal is handled
		return log.String()
	}
	next = load("--log", "debug", "--registration", "open")
	if got := reload(); o.LogLevel.Level() != slog.LevelDebug || !strings.Contains(got, "settings=registration\n") {
		t.Errorf("got the level %v and the log\n%s\nwant debug, and that registration needs a restart", o.LogLevel.Level(), got)
	}
	next, invalid = load("--log", "error"), errors.New("line 3: unknown setting")
	if got := reload(); o.LogLevel.Level() != slog.LevelDebug || !strings.Contains(got, "unknown setting") {
		t.Errorf("invalid settings: got the level %v and the log\n%s\nwant the level as before, and the reason", o.LogLevel.Level(), got)
	}
	invalid = nil
	zoneinfotest.Restore(t)
	file := filepath.Join(dir, "zoneinfo.zip")
	for _, c := range []struct {
		name, log string
		data      []byte
		changes   int
	}{
		{"new time zone data", "version=2099a from=file", zoneinfotest.Archive(t, "2099a", map[string]int{"Europe/Berlin": 5}), 1},
		{"the same data", "version=2099a from=file", zoneinfotest.Archive(t, "2099a", map[string]int{"Europe/Berlin": 5}), 1},
		{"an invalid file", "time zone data was refused", []byte("2099b"), 2},
	} {
		if err := os.WriteFile(file, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		next = load("--log", "debug")
		if got := reload(); zoneChanges != c.changes || !strings.Contains(got, c.log) {
			t.Errorf("%s: got %d changes and the log\n%s\nwant %d and %q", c.name, zoneChanges, got, c.changes, c.log)
		}
	}
	next = load("--log", "error")
	if got := reload(); o.LogLevel.Level() != slog.LevelError || strings.Contains(got, "restart") {
		t.Errorf("got the level %v and the log\n%s\nwant error, and no restart", o.LogLevel.Level(), got)
	}
}

// Each datagram contains one state. The socket is in the file system or abstract (sd_notify(3)).
func TestStatesAreSentToSystemd(t *testing.T) {
	name := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := notify(name, "READY=1"); err != nil {
		t.Fatal(err)
	}
	state := make([]byte, 100)
	n, err := socket.Read(state)
	if got := string(state[:n]); got != "READY=1" || err != nil {
		t.Errorf("got the state %q, %v, want READY=1", got, err)
	}
	if err := notify("", "READY=1"); err != nil {
		t.Errorf("without systemd: got the error %v, want none", err)
	}
	for _, missing := range []string{name + "2", "@appliance-test-without-a-listener"} {
		if err := notify(missing, "READY=1"); err == nil {
			t.Errorf("%s: got no error, want one", missing)
		}
	}
}

// The process uses a socket of systemd only if LISTEN_PID is its own id, and unsets the
// variables, so that child processes do not inherit them.
func TestSystemdSocketIsUsedOnlyWithOwnListenPID(t *testing.T) {
	t.Setenv("LISTEN_PID", "1")
	t.Setenv("LISTEN_FDS", "1")
	ln, err := openPort("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if _, ok := os.LookupEnv("LISTEN_PID"); ok {
		t.Error("got LISTEN_PID after the start, want it unset")
	}
	_, err = openPort(ln.Addr().String())
	if !IsAddressInUse(err) || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("port in use: got the error %v, want one that names --listen", err)
	}
	t.Setenv("LISTEN_PID", strconv.Itoa(os.Getpid()))
	t.Setenv("LISTEN_FDS", "2")
	if _, err := openPort("127.0.0.1:0"); err == nil || !strings.Contains(err.Error(), "passed 2 sockets") {
		t.Errorf("two sockets: got the error %v, want one", err)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := inheritedListener(file.Fd()); err == nil {
		t.Error("a file instead of a socket: got no error, want one")
	}
}
