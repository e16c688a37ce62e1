package apptest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
)

// NeedPrograms skips the test unless the programs are in /usr/bin.
func NeedPrograms(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := os.Stat("/usr/bin/" + name); err != nil {
			t.Skipf("%s is not installed: .ci/run and .ci/full name the packages of Debian", name)
		}
	}
}

// Main runs the tests of a package that uses [Process]. It must be called from TestMain. After
// the tests, it calls the cleanups and removes the binary.
func Main(m *testing.M, cleanups ...func()) {
	status := m.Run()
	for _, cleanup := range cleanups {
		cleanup()
	}
	if binaryDir != "" {
		os.RemoveAll(binaryDir)
	}
	os.Exit(status)
}

var binaryDir string

// Binary builds the program once, as README describes, and returns its path. The
// program has the race detector if the test has it, except in SQLite, which would be
// ten times slower.
var Binary = sync.OnceValues(func() (string, error) {
	var err error
	if binaryDir, err = os.MkdirTemp("", "appliance-test"); err != nil {
		return "", err
	}
	bin := filepath.Join(binaryDir, "appliance")
	// Unlike go build, go run keeps the program in the build cache, where other packages find it.
	cmd := exec.Command("go", "run", "-ldflags=-s -w", "-exec", "cp -t "+binaryDir, "appliance")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if HasRaceDetector() {
		cmd.Args = slices.Insert(cmd.Args, 2, "-race", "-gcflags=modernc.org/sqlite/lib=-race=false", "-gcflags=modernc.org/libc/...=-race=false")
		cmd.Env = append(cmd.Env, "CGO_ENABLED=1")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return bin, nil
})

// HasRaceDetector reports whether the test, and with it the program, has the race
// detector, which multiplies the memory that a process needs.
func HasRaceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// Command returns a command of the program that ends with the test.
func Command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the test sends signals to processes")
	}
	bin, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Env = environment()
	return cmd
}

// environment is the environment of every process of the program.
func environment() []string { return []string{"PATH=" + os.Getenv("PATH"), "TZ=Europe/Berlin"} }

// RunCommand runs a command of the program and returns its exit status and output.
func RunCommand(t *testing.T, stdin string, args ...string) (status int, output string) {
	t.Helper()
	cmd := Command(t, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// preparedDataDir sets up the data directory that NewDataDir copies: a set-up takes longer
// than a copy, because it migrates a database and hashes a password.
var preparedDataDir = sync.OnceValues(func() (dir string, err error) {
	bin, err := Binary()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(binaryDir, "data")
	cmd := exec.Command(bin, SetupArgs(dir)...)
	cmd.Env = environment()
	cmd.Stdin = strings.NewReader(Password)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("setting up a data directory: %w\n%s", err, out)
	}
	return dir, nil
})

// SetupArgs are the arguments of the command that sets up a data directory with the operator
// ann. Its standard input is [Password].
func SetupArgs(dir string) []string {
	return []string{"setup", "--data", dir, "--email", "ann@example.org", "--username", "ann", "--password-stdin"}
}

// NewDataDir returns a data directory whose only member is ann, an operator.
func NewDataDir(t *testing.T) (dir string) {
	t.Helper()
	Command(t) // skips the test where the program cannot run
	prepared, err := preparedDataDir()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "data")
	if err := copyDir(dir, prepared); err != nil {
		t.Fatal(err)
	}
	return dir
}

// copyDir copies a directory with the modes of its files.
func copyDir(to, from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Mkdir(filepath.Join(to, relative), info.Mode().Perm())
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, relative), data, info.Mode().Perm())
	})
}

// Process is a server in a child process.
type Process struct {
	T      *testing.T
	Cmd    *exec.Cmd
	URL    string
	Log    *Log
	Exited chan struct{} // closed when the process has ended
}

// Serve starts a server on a data directory and returns when it accepts
// requests.
func Serve(t *testing.T, dir string, args ...string) *Process {
	t.Helper()
	return Start(t, ServeCommand(t, dir, args...))
}

// ServeCommand returns the command for [Start]. To start fast, the server does not load the
// gazetteer unless --towns=on is among the arguments.
func ServeCommand(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	return Command(t, append([]string{"serve", "--data", dir, "--listen", "127.0.0.1:0", "--log-format", "json", "--towns", "off"}, args...)...)
}

// Start starts a server and returns when it accepts requests. The command must
// log as JSON to standard error.
func Start(t *testing.T, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{T: t, Cmd: cmd, Log: new(Log), Exited: make(chan struct{})}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	serving := make(chan string, 1)
	go func() {
		defer close(p.Exited)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			fmt.Fprintln(p.Log, lines.Text())
			var line struct{ Msg, Address string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
				serving <- line.Address
			}
		}
		_ = cmd.Wait() // tests check the exit status
	}()
	t.Cleanup(p.Kill)
	select {
	case p.URL = <-serving:
	case <-p.Exited:
		t.Fatalf("the server ended with status %d:\n%s", cmd.ProcessState.ExitCode(), p.Log)
	}
	return p
}

// WaitForLog returns when the log contains text. The test fails if the process ends
// first.
func (p *Process) WaitForLog(text string) {
	p.T.Helper()
	if !p.Log.WaitFor(text, p.Exited) {
		p.T.Fatalf("the server ended; want %q in its log:\n%s", text, p.Log)
	}
}

// Kill kills the process.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill() // fails if the process has already ended
	<-p.Exited
}

// Unauthenticated returns a client without credentials.
func (p *Process) Unauthenticated() *Client { return NewClient(p.T, p.URL) }

// SignIn returns a client of the member, with a new session.
func (p *Process) SignIn(name string) *Client {
	p.T.Helper()
	c := p.Unauthenticated()
	c.Name = name
	return c.SignIn(Password)
}

// Files returns the names and modes of the files in a directory.
func Files(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]fs.FileMode)
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = info.Mode()
	}
	return found
}
