package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"appliance/store"
)

// scratch is a folder of this run of the tests.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "appliance-test"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(scratch)
	os.Exit(status)
}

// built is the program as README builds it, or with the race detector if the
// tests have it.
var built = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(scratch, "appliance")
	cmd := exec.Command("go", "build", "-o", bin, "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		cmd.Args = slices.Insert(cmd.Args, 2, "-race")
		cmd.Env = append(cmd.Env, "CGO_ENABLED=1")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return bin, nil
})

// command returns the program as a command that does not outlive the test.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("these tests speak to processes by signals")
	}
	bin, err := built()
	if err != nil {
		t.Fatal(err)
	}
	limit := 2 * time.Minute
	if *loadEntries > 0 || *crowdRounds > 0 {
		limit = time.Hour
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TZ=Europe/Berlin"}
	return cmd
}

// shell runs a command to its end, as one would beside the server.
func shell(t *testing.T, stdin string, args ...string) (status int, output string) {
	t.Helper()
	cmd := command(t, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// founded returns a data directory with a first member, ann.
func founded(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "data")
	if status, out := shell(t, password, "setup", "--data", dir, "--email", "ann@example.org", "--username", "ann", "--password-stdin"); status != 0 {
		t.Fatal(out)
	}
	return dir
}

// program is a running server.
type program struct {
	t    *testing.T
	cmd  *exec.Cmd
	url  string
	log  *logBook
	gone chan struct{} // closed when it has ended
}

// serve starts a server on a data directory and returns once it serves.
func serve(t *testing.T, dir string, args ...string) *program {
	t.Helper()
	return start(t, serving(t, dir, args...))
}

// serving returns the command that serves a data directory.
func serving(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	return command(t, append([]string{"serve", "--data", dir, "--listen", "127.0.0.1:0", "--log-format", "json"}, args...)...)
}

// start starts cmd, which is a server that logs JSON.
func start(t *testing.T, cmd *exec.Cmd) *program {
	t.Helper()
	p := &program{t: t, cmd: cmd, log: new(logBook), gone: make(chan struct{})}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	serving := make(chan string, 1)
	go func() {
		defer close(p.gone)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			fmt.Fprintln(p.log, lines.Text())
			var line struct{ Msg, Address string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
				serving <- line.Address
			}
		}
		_ = cmd.Wait() // whoever wants to know asks for the status
	}()
	t.Cleanup(p.kill)
	select {
	case p.url = <-serving:
	case <-p.gone:
		t.Fatalf("the server ended with status %d:\n%s", cmd.ProcessState.ExitCode(), p.log)
	}
	return p
}

// kill ends the server the hard way.
func (p *program) kill() {
	_ = p.cmd.Process.Kill() // it may have ended by itself
	<-p.gone
}

// signal asks the server to end.
func (p *program) signal() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
}

// ended waits for the server to end by itself, in good order.
func (p *program) ended() {
	p.t.Helper()
	<-p.gone
	if status := p.cmd.ProcessState.ExitCode(); status != 0 {
		p.t.Errorf("the server ended with status %d:\n%s", status, p.log)
	}
}

func (p *program) stop() {
	p.t.Helper()
	p.signal()
	p.ended()
}

// nobody is a client of the server without a credential.
func (p *program) nobody() *client { return newClient(p.t, p.url) }

// as is a client of the server that signs in.
func (p *program) as(name string) *client {
	p.t.Helper()
	c := p.nobody()
	c.name = name
	return c.signedIn(password)
}

// files returns what is in a folder, with its permissions.
func files(t *testing.T, dir string) map[string]fs.FileMode {
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

// On an empty directory the server makes all it needs, for its owner's eyes
// alone however careless the machine, and says where the link to the set-up
// page is without saying the link, which works once. When it ends, one file is
// the whole database. Covers L-16, L-18, SH-03 and PT-08 for the link.
func TestFirstStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	bare := serving(t, dir, "--log", "debug")
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `umask 0; exec "$0" "$@"`}, bare.Args...)...)
	cmd.Env = bare.Env
	p := start(t, cmd)
	if got := p.nobody().do("GET", "/ready").want(200).body; !strings.HasPrefix(got, "appliance ready:") {
		t.Errorf("ready says %q", got)
	}
	found := files(t, dir)
	for name, want := range map[string]fs.FileMode{
		"appliance.db": 0o600, "appliance.db-wal": 0o600, "appliance.db-shm": 0o600, "lock": 0o600,
		"setup-link": 0o600, "backups": 0o700 | fs.ModeDir,
	} {
		if found[name] != want {
			t.Errorf("%s has mode %v, want %v", name, found[name], want)
		}
		delete(found, name)
	}
	if len(found) > 0 {
		t.Errorf("there are also %v", found)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the data directory has mode %v, %v", info.Mode(), err)
	}

	text, err := os.ReadFile(filepath.Join(dir, "setup-link"))
	if err != nil {
		t.Fatal(err)
	}
	link, err := url.Parse(strings.TrimSpace(string(text)))
	if err != nil || !strings.HasPrefix(link.String(), p.url+"/setup?") {
		t.Fatalf("the link is %q, %v", text, err)
	}
	code := link.Query().Get("code")
	web := p.nobody()
	web.do("GET", link.RequestURI()).want(200)
	form := formBody(url.Values{"code": {code}, "email": {"ann@example.org"}, "display_name": {"Ann"}, "password": {password}}.Encode())
	web.do("POST", "/setup", form).want(303)
	web.do("POST", "/setup", form).want(404)
	web.do("GET", link.RequestURI()).want(404)
	if strings.Contains(p.log.String(), code) {
		t.Errorf("the log has the link:\n%s", p.log)
	}

	p.stop()
	found = files(t, dir)
	for _, name := range []string{"appliance.db", "appliance.toml", "lock", "backups"} {
		if found[name].Perm()&0o077 != 0 || found[name] == 0 {
			t.Errorf("afterwards %s has mode %v", name, found[name])
		}
		delete(found, name)
	}
	if len(found) > 0 {
		t.Errorf("afterwards there are also %v", found)
	}
	if err := store.Verify(t.Context(), filepath.Join(dir, "appliance.db")); err != nil {
		t.Error(err)
	}
}

// A link that nobody used ends with the server that made it.
func TestUnusedLink(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, dir)
	p.nobody().do("GET", "/ready").want(200)
	link := filepath.Join(dir, "setup-link")
	if _, err := os.Stat(link); err != nil {
		t.Fatal(err)
	}
	p.stop()
	if _, err := os.Stat(link); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the link is still there: %v", err)
	}
}

// Two servers do not share a directory, nor a port, and the second one says
// what to do.
func TestSecondServer(t *testing.T) {
	dir := founded(t)
	p := serve(t, dir)
	if status, out := shell(t, "", "serve", "--data", dir, "--listen", "127.0.0.1:0"); status != exitConflict ||
		!strings.Contains(out, dir+": another appliance process is serving this data directory: stop it first") {
		t.Errorf("on the same directory: status %d\n%s", status, out)
	}
	address := strings.TrimPrefix(p.url, "http://")
	if status, out := shell(t, "", "serve", "--data", t.TempDir(), "--listen", address); status != exitConflict ||
		!strings.Contains(out, address) || !strings.Contains(out, "choose another address with --listen") {
		t.Errorf("on the same port: status %d\n%s", status, out)
	}
	if status, out := shell(t, "", "restore", "--data", dir, filepath.Join(dir, "appliance.db")); status != exitConflict {
		t.Errorf("restoring under a running server: status %d\n%s", status, out)
	}
	p.as("ann").do("GET", "/identity/me").want(200)
	p.stop()
	serve(t, dir).as("ann").do("GET", "/identity/me").want(200)
}

// What commands do beside the running server, it knows at once. Covers C-06,
// I-25, B-13, B-84 and SH-08.
func TestCommandsBesideTheServer(t *testing.T) {
	dir := founded(t)
	p := serve(t, dir)
	run := func(stdin string, args ...string) string {
		t.Helper()
		status, out := shell(t, stdin, append(args, "--data", dir)...)
		if status != 0 {
			t.Fatalf("%s: status %d\n%s", args, status, out)
		}
		return out
	}
	p.nobody().do("POST", "/identity/login", map[string]any{"login": "bea", "password": password}).want(401)
	run(password, "admin", "members", "add", "--email", "bea@example.org", "--username", "bea", "--password-stdin")
	bea := p.as("bea")
	calendars := bea.basic().with("Depth", "1")
	calendars.do("PROPFIND", "/caldav/2/calendars/").want(207)
	dataset := bea.runtime().do("GET", "/world/runtime").want(200)
	again := bea.runtime().with("If-None-Match", dataset.header.Get("ETag"))
	again.do("GET", "/world/runtime").want(304)

	run("", "admin", "members", "update", "bea", "--display-name", "Beatrix")
	if got := again.do("GET", "/world/runtime").want(200).str("member.display_name"); got != "Beatrix" {
		t.Errorf("the dataset calls her %s", got)
	}
	bea.do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).want(201)
	copied := filepath.Join(t.TempDir(), "copy.db")
	run("", "backup", copied)

	run("", "admin", "members", "disable", "bea")
	bea.do("GET", "/identity/me").want(401)
	calendars.do("PROPFIND", "/caldav/2/calendars/").want(401)
	run("", "admin", "members", "enable", "bea")
	p.as("bea").do("GET", "/identity/me").want(200)
	p.stop()

	// The backup is all of it, as it was then.
	run("", "restore", copied)
	bea = serve(t, dir).as("bea")
	if list := bea.do("GET", "/world/time/objects?object_type=task").want(200).list("objects"); len(list) != 1 {
		t.Errorf("the backup has %d tasks, want one", len(list))
	}
}

// slowly sends a PUT of which the server has read the head and not the body,
// and returns what ends it.
func slowly(c *client, path, body string) (finish func() (status int)) {
	c.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: text/calendar\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		path, c.headers["Authorization"], len(body))
	in := bufio.NewReader(conn)
	for range 2 { // the line, and the empty one after it
		line, err := in.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "HTTP/1.1 100") && line != "\r\n" {
			c.t.Fatalf("waiting for the server to want the body: %q, %v", line, err)
		}
	}
	return func() int {
		c.t.Helper()
		fmt.Fprint(conn, body)
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			c.t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
}

// A server that is told to stop takes no new connections, answers what it has
// begun, and ends well.
func TestStopFinishesWhatItBegan(t *testing.T) {
	dir := founded(t)
	p := serve(t, dir)
	ann := p.as("ann")
	path := ann.defaultCalendar()
	finish := slowly(ann.basic(), path+"slow.ics", vevent("slow", "DTSTART:20261201T090000Z", "SUMMARY:Slow"))
	p.signal()
	for {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if errors.Is(err, syscall.ECONNREFUSED) {
			break
		}
		if err == nil {
			conn.Close()
		}
	}
	if status := finish(); status != 201 {
		t.Errorf("the request that was under way: status %d", status)
	}
	p.ended()
	if left := files(t, dir); left["appliance.db-wal"] != 0 || left["appliance.db-shm"] != 0 {
		t.Errorf("left behind: %v", left)
	}
	ann = serve(t, dir).as("ann")
	ann.basic().do("GET", path+"slow.ics").want(200)
}

// The program listens on one port and on nothing else. Covers L-17.
func TestOnePort(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says in files which sockets a process has")
	}
	p := serve(t, founded(t))
	p.as("ann").do("GET", "/world/calendars").want(200)
	proc := fmt.Sprintf("/proc/%d/", p.cmd.Process.Pid)
	descriptors, err := os.ReadDir(proc + "fd")
	if err != nil {
		t.Fatal(err)
	}
	own := make(map[string]bool)
	for _, d := range descriptors {
		if link, err := os.Readlink(proc + "fd/" + d.Name()); err == nil {
			if inode, ok := strings.CutPrefix(link, "socket:["); ok {
				own[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	var listening []string
	for _, table := range []string{"tcp", "tcp6", "udp", "udp6"} {
		text, err := os.ReadFile(proc + "net/" + table)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			const listens = "0A"
			if f := strings.Fields(string(line)); len(f) > 9 && own[f[9]] && (f[3] == listens || strings.HasPrefix(table, "udp")) {
				listening = append(listening, table+" "+f[1])
			}
		}
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(p.url, "http://"))
	n, err := strconv.Atoi(port)
	if want := fmt.Sprintf("tcp 0100007F:%04X", n); err != nil || len(listening) != 1 || listening[0] != want {
		t.Errorf("listening on %v, want %s alone", listening, want)
	}
}
