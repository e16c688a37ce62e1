package crash

import (
	"bufio"
	"bytes"
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
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/cli"
	"appliance/store"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// signal asks the server to end.
func signal(p *apptest.Process) {
	p.T.Helper()
	if err := p.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.T.Fatal(err)
	}
}

// ended waits for the server to end by itself, in good order.
func WantCleanExit(p *apptest.Process) {
	p.T.Helper()
	<-p.Gone
	if status := p.Cmd.ProcessState.ExitCode(); status != 0 {
		p.T.Errorf("the server ended with status %d:\n%s", status, p.Log)
	}
}

func stop(p *apptest.Process) {
	p.T.Helper()
	signal(p)
	WantCleanExit(p)
}

// On an empty directory the server makes all it needs, for its owner's eyes
// alone however careless the machine, and says where the link to the set-up
// page is without saying the link, which works once. When it ends, one file is
// the whole database. Covers L-16, L-18, SH-03 and PT-08 for the link.
func TestFirstStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	bare := apptest.ServeCommand(t, dir, "--log", "debug")
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `umask 0; exec "$0" "$@"`}, bare.Args...)...)
	cmd.Env = bare.Env
	p := apptest.Start(t, cmd)
	if got := p.Unauthenticated().Do("GET", "/ready").Want(200).Body; !strings.HasPrefix(got, "appliance ready:") {
		t.Errorf("ready says %q", got)
	}
	found := apptest.Files(t, dir)
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
	if err != nil || !strings.HasPrefix(link.String(), p.URL+"/setup?") {
		t.Fatalf("the link is %q, %v", text, err)
	}
	code := link.Query().Get("code")
	web := p.Unauthenticated()
	web.Do("GET", link.RequestURI()).Want(200)
	form := apptest.Form(url.Values{"code": {code}, "email": {"ann@example.org"}, "display_name": {"Ann"}, "password": {apptest.Password}}.Encode())
	web.Do("POST", "/setup", form).Want(303)
	web.Do("POST", "/setup", form).Want(404)
	web.Do("GET", link.RequestURI()).Want(404)
	if strings.Contains(p.Log.String(), code) {
		t.Errorf("the log has the link:\n%s", p.Log)
	}

	stop(p)
	found = apptest.Files(t, dir)
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
	p := apptest.Serve(t, dir)
	p.Unauthenticated().Do("GET", "/ready").Want(200)
	link := filepath.Join(dir, "setup-link")
	if _, err := os.Stat(link); err != nil {
		t.Fatal(err)
	}
	stop(p)
	if _, err := os.Stat(link); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the link is still there: %v", err)
	}
}

// Two servers do not share a directory, nor a port, and the second one says
// what to do.
func TestSecondServer(t *testing.T) {
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	if status, out := apptest.Shell(t, "", "serve", "--data", dir, "--listen", "127.0.0.1:0"); status != cli.ExitConflict ||
		!strings.Contains(out, dir+": another appliance process is serving this data directory: stop it first") {
		t.Errorf("on the same directory: status %d\n%s", status, out)
	}
	address := strings.TrimPrefix(p.URL, "http://")
	if status, out := apptest.Shell(t, "", "serve", "--data", t.TempDir(), "--listen", address); status != cli.ExitConflict ||
		!strings.Contains(out, address) || !strings.Contains(out, "choose another address with --listen") {
		t.Errorf("on the same port: status %d\n%s", status, out)
	}
	if status, out := apptest.Shell(t, "", "restore", "--data", dir, filepath.Join(dir, "appliance.db")); status != cli.ExitConflict {
		t.Errorf("restoring under a running server: status %d\n%s", status, out)
	}
	p.SignIn("ann").Do("GET", "/identity/me").Want(200)
	stop(p)
	apptest.Serve(t, dir).SignIn("ann").Do("GET", "/identity/me").Want(200)
}

// What commands do beside the running server, it knows at once. Covers C-06,
// I-25, B-13, B-84 and SH-08.
func TestCommandsBesideTheServer(t *testing.T) {
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	run := func(stdin string, args ...string) string {
		t.Helper()
		status, out := apptest.Shell(t, stdin, append(args, "--data", dir)...)
		if status != 0 {
			t.Fatalf("%s: status %d\n%s", args, status, out)
		}
		return out
	}
	p.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "bea", "password": apptest.Password}).Want(401)
	run(apptest.Password, "admin", "members", "add", "--email", "bea@example.org", "--username", "bea", "--password-stdin")
	bea := p.SignIn("bea")
	calendars := bea.Basic().With("Depth", "1")
	calendars.Do("PROPFIND", "/caldav/2/calendars/").Want(207)
	dataset := bea.Runtime().Do("GET", "/world/runtime").Want(200)
	again := bea.Runtime().With("If-None-Match", dataset.Header.Get("ETag"))
	again.Do("GET", "/world/runtime").Want(304)

	run("", "admin", "members", "update", "bea", "--display-name", "Beatrix")
	if got := again.Do("GET", "/world/runtime").Want(200).Str("member.display_name"); got != "Beatrix" {
		t.Errorf("the dataset calls her %s", got)
	}
	bea.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201)
	copied := filepath.Join(t.TempDir(), "copy.db")
	run("", "backup", copied)

	run("", "admin", "members", "disable", "bea")
	bea.Do("GET", "/identity/me").Want(401)
	calendars.Do("PROPFIND", "/caldav/2/calendars/").Want(401)
	run("", "admin", "members", "enable", "bea")
	p.SignIn("bea").Do("GET", "/identity/me").Want(200)
	stop(p)

	// The backup is all of it, as it was then.
	run("", "restore", copied)
	bea = apptest.Serve(t, dir).SignIn("bea")
	if list := bea.Do("GET", "/world/time/objects?object_type=task").Want(200).List("objects"); len(list) != 1 {
		t.Errorf("the backup has %d tasks, want one", len(list))
	}
}

// slowly sends a PUT of which the server has read the head and not the body,
// and returns what ends it.
func slowly(c *apptest.Client, path, body string) (finish func() (status int)) {
	c.T.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.URL, "http://"))
	if err != nil {
		c.T.Fatal(err)
	}
	c.T.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: text/calendar\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		path, c.Headers["Authorization"], len(body))
	in := bufio.NewReader(conn)
	for range 2 { // the line, and the empty one after it
		line, err := in.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "HTTP/1.1 100") && line != "\r\n" {
			c.T.Fatalf("waiting for the server to want the body: %q, %v", line, err)
		}
	}
	return func() int {
		c.T.Helper()
		fmt.Fprint(conn, body)
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			c.T.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
}

// A server that is told to stop takes no new connections, answers what it has
// begun, and ends well.
func TestStopFinishesWhatItBegan(t *testing.T) {
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	ann := p.SignIn("ann")
	path := ann.DefaultCalendar()
	finish := slowly(ann.Basic(), path+"slow.ics", apptest.VEvent("slow", "DTSTART:20261201T090000Z", "SUMMARY:Slow"))
	signal(p)
	for {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
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
	WantCleanExit(p)
	if left := apptest.Files(t, dir); left["appliance.db-wal"] != 0 || left["appliance.db-shm"] != 0 {
		t.Errorf("left behind: %v", left)
	}
	ann = apptest.Serve(t, dir).SignIn("ann")
	ann.Basic().Do("GET", path+"slow.ics").Want(200)
}

// The program listens on one port and on nothing else. Covers L-17.
func TestOnePort(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says in files which sockets a process has")
	}
	p := apptest.Serve(t, apptest.NewDataDir(t))
	p.SignIn("ann").Do("GET", "/world/calendars").Want(200)
	proc := fmt.Sprintf("/proc/%d/", p.Cmd.Process.Pid)
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
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(p.URL, "http://"))
	n, err := strconv.Atoi(port)
	if want := fmt.Sprintf("tcp 0100007F:%04X", n); err != nil || len(listening) != 1 || listening[0] != want {
		t.Errorf("listening on %v, want %s alone", listening, want)
	}
}
