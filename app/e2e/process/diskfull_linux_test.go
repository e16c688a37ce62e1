package process

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
)

// smallDisk is a file system of a few megabytes.
type smallDisk struct {
	t          *testing.T
	holder     int    // process that owns the mount namespace of the disk
	mountPoint string // path in this namespace
}

// path returns the path by which processes outside of the namespace access a
// file of the disk.
func (d smallDisk) path(name string) string {
	return filepath.Join(fmt.Sprintf("/proc/%d/root", d.holder), d.mountPoint, name)
}

// inNamespace changes a command to run in the namespace: SQLite resolves
// symbolic links, so it could not open the database from outside.
func (d smallDisk) inNamespace(cmd *exec.Cmd) *exec.Cmd {
	cmd.Args = append([]string{"nsenter", "--user", "--mount", "--preserve-credentials", fmt.Sprint("--target=", d.holder), "--", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/usr/bin/nsenter"
	return cmd
}

// run runs a command of the program and returns its exit status and output.
func (d smallDisk) run(stdin string, args ...string) (status int, output string) {
	d.t.Helper()
	cmd := d.inNamespace(apptest.Command(d.t, args...))
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		d.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// serve starts a server on the data directory of the disk.
func (d smallDisk) serve() *apptest.Process {
	d.t.Helper()
	return apptest.Start(d.t, d.inNamespace(apptest.ServeCommand(d.t, filepath.Join(d.mountPoint, "data"), "--rate-limits", "writes=0,reads=0")))
}

// newSmallDisk returns an empty file system with a size in megabytes, mounted in the mount
// namespace of a new process. This needs no privileges if the kernel permits user namespaces.
func newSmallDisk(t *testing.T, megabytes int) smallDisk {
	t.Helper()
	apptest.NeedPrograms(t, "unshare", "nsenter")
	mountPoint := t.TempDir()
	holder := exec.CommandContext(t.Context(), "unshare", "--map-root-user", "--mount", "sh", "-c",
		`mount -t tmpfs -o size="$1"m tmpfs "$0" && echo mounted && exec cat`, mountPoint, strconv.Itoa(megabytes))
	input, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		_ = holder.Wait() // the process exits at the end of its input
	})
	if line, err := bufio.NewReader(output).ReadString('\n'); line != "mounted\n" {
		t.Skipf("the kernel permits no mounts in a user namespace: %v", err)
	}
	return smallDisk{t, holder.Process.Pid, mountPoint}
}

// fill uses all free space.
func (d smallDisk) fill() {
	d.t.Helper()
	f, err := os.Create(d.path("filler"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		d.t.Fatal(err)
	}
}

// free frees the space that fill used.
func (d smallDisk) free() {
	d.t.Helper()
	if err := os.Remove(d.path("filler")); err != nil {
		d.t.Fatal(err)
	}
}

// serveOnSmallDisk starts a server whose data directory is on a small disk.
func serveOnSmallDisk(t *testing.T) (disk smallDisk, p *apptest.Process) {
	t.Helper()
	disk = newSmallDisk(t, 40)
	if status, out := disk.run(apptest.Password, apptest.SetupArgs(filepath.Join(disk.mountPoint, "data"))...); status != 0 {
		t.Fatal(out)
	}
	return disk, disk.serve()
}

// createTask creates a task and returns its path, or "" if the disk is full.
func createTask(c *apptest.Client, title string) (path string) {
	c.T.Helper()
	a := c.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": title, "description": strings.Repeat(title, 200)})
	if a.Status == 507 {
		return ""
	}
	return taskPath(a.Want(201).Str("object.id"))
}

// fillDatabase fills the disk and creates tasks until the space that the
// database has reserved in advance is used up. It returns the paths of the
// tasks.
func fillDatabase(disk smallDisk, ann *apptest.Client) (tasks []string) {
	ann.T.Helper()
	disk.fill()
	for n := range 10_000 {
		path := createTask(ann, fmt.Sprint("Task ", n))
		if path == "" {
			return tasks
		}
		tasks = append(tasks, path)
	}
	ann.T.Fatal("got 10,000 tasks on a full disk, want 507")
	return nil
}

// On a full disk every kind of write is rejected with status 507 and a reason, reads succeed, and
// /ready reports the reason. When there is space again, the server needs no restart, and no
// acknowledged write is lost.
func TestFullDiskRejectsWritesAndKeepsReads(t *testing.T) {
	disk, p := serveOnSmallDisk(t)
	ann := p.SignIn("ann")
	dav := ann.Basic()
	calendar := ann.DefaultCalendar()
	entry := apptest.VEvent("kept", "DTSTART:20261201T090000Z", "SUMMARY:Kept")
	etag := dav.Do("PUT", calendar+"kept.ics", entry).Want(201).Header.Get("ETag")
	community := ann.CreateCommunity(`{"name": "Chess", "visibility": "public", "join_policy": "open"}`)
	for n := range 3 { // more than an export keeps in memory
		name := fmt.Sprint("large", n, ".ics")
		dav.Do("PUT", calendar+name, apptest.VEvent(name, "DTSTART:20261201T090000Z", "DESCRIPTION:"+strings.Repeat("x", 900_000))).Want(201)
	}
	ann.AsRuntime().Do("GET", "/world/runtime").Want(200) // stores the default surfaces
	p.Unauthenticated().Do("GET", "/ready").Want(200)
	device := ann.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201).Str("device_password.id")

	deleted := createTask(ann, "Deleted")
	tasks := fillDatabase(disk, ann)
	before := ann.Do("GET", "/world/time/objects?object_type=task").Want(200)
	runtime := ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
	for _, w := range []struct{ method, path, body string }{
		{"POST", "/world/time/objects", `{"object_type": "task", "title": "One more"}`},
		{"PATCH", "/world/calendars/" + filepath.Base(calendar), `{"name": "Other"}`},
		{"POST", "/world/calendars", `{"name": "Other"}`},
		{"POST", community + "/update", `{"name": "Go"}`},
		{"POST", "/world/social/communities", `{"name": "Go"}`},
		{"POST", "/world/social/presence", `{"state": "online"}`},
		{"POST", "/world/identity/device-passwords", `{"name": "Phone"}`},
		{"POST", "/world/calendars/" + filepath.Base(calendar) + "/import", apptest.VEvent("imported", "DTSTART:20261201T090000Z")},
	} {
		a := ann.Do(w.method, w.path, w.body).WantError(507, "insufficient_storage")
		if message := a.Str("error.message"); !strings.Contains(message, "disk of the server is full") || a.Header.Get("Retry-After") == "" {
			t.Errorf("%s: got %q with Retry-After %q, want the reason and a time", a.About, message, a.Header.Get("Retry-After"))
		}
	}
	if a := ann.Do("POST", "/account", apptest.Form("do=create_device&label=Phone")).Want(507); !strings.Contains(a.Body, "disk of the server is full") {
		t.Errorf("%s: got %s, want the reason", a.About, a.Body)
	}
	for _, w := range []struct{ method, path, body string }{
		{"PUT", calendar + "new.ics", apptest.VEvent("new", "DTSTART:20261201T090000Z")},
		{"PUT", calendar + "kept.ics", strings.Replace(entry, "Kept", "Changed", 1)},
		{"MKCALENDAR", strings.TrimSuffix(calendar, filepath.Base(calendar)+"/") + "new/", ""},
		{"PROPPATCH", calendar, `<propertyupdate xmlns="DAV:"><set><prop><displayname>Other</displayname></prop></set></propertyupdate>`},
	} {
		var body []any
		if w.body != "" {
			body = append(body, w.body)
		}
		if a := dav.Do(w.method, w.path, body...).Want(507); !strings.Contains(a.Body, "sufficient-disk-space") {
			t.Errorf("%s: got %s, want the precondition sufficient-disk-space (RFC 4331 §6)", a.About, a.Body)
		}
	}
	if after := ann.Do("GET", "/world/time/objects?object_type=task").Want(200); after.Body != before.Body {
		t.Errorf("tasks after the rejected writes: got\n%s\nwant\n%s", after.Body, before.Body)
	}
	if a := dav.Do("GET", calendar+"kept.ics").Want(200); a.Body != entry || a.Header.Get("ETag") != etag {
		t.Errorf("entry after the rejected writes: got %q with the ETag %s, want %q with %s", a.Body, a.Header.Get("ETag"), entry, etag)
	}
	dav.With("Depth", "1").Do("PROPFIND", calendar, apptest.PropfindETags).Want(207)
	ann.AsRuntime().With("If-None-Match", runtime.Header.Get("ETag")).Do("GET", "/world/runtime").Want(304)
	ann.Do("GET", "/world/identity/export").WantError(507, "insufficient_storage")
	ready := p.Unauthenticated().Do("GET", "/ready").WantError(503, "service_unavailable")
	if !strings.Contains(ready.Str("error.message"), "disk of the server is full") {
		t.Errorf("/ready: got %s, want the reason", ready.Body)
	}
	p.Unauthenticated().Do("GET", "/health").Want(200)
	status, output := disk.run("", "backup", filepath.Join(disk.mountPoint, "copy.db"), "--data", filepath.Join(disk.mountPoint, "data"))
	if status != 1 || !strings.Contains(output, "the disk is full") {
		t.Errorf("backup: got exit status %d, %q, want 1 and the reason", status, output)
	}
	if files := apptest.Files(t, disk.path("")); len(files) != 2 {
		t.Errorf("after the failed backup: got %v, want the data directory and the filler only", files)
	}

	for range 20 { // sign-ins, deletions and the ends of sessions use the reserve, other writes do not
		other := p.SignIn("ann")
		dav.Do("DELETE", calendar+"large0.ics")
		other.Do("DELETE", deleted)
		other.Do("POST", "/identity/logout", `{}`).Want(200)
		if createTask(ann, "Beside the reserve") != "" {
			t.Error("got a task that uses the reserve, want 507")
		}
	}
	ann.Do("POST", "/account", apptest.Form("do=remove_device&id="+device)).Want(200)
	dav.Do("GET", calendar+"large0.ics").Want(404)
	ann.Do("GET", deleted).Want(404)

	disk.free()
	p.Unauthenticated().Do("GET", "/ready").Want(200)
	ann.Do("GET", "/world/identity/export").Want(200)
	if createTask(ann, "After") == "" {
		t.Error("after space was freed: got 507, want 201")
	}
	for _, path := range tasks {
		ann.Do("GET", path).Want(200)
	}
	stop(p)
	disk.wantIntact()
}

// wantIntact fails the test unless the database file of a stopped server is intact.
func (d smallDisk) wantIntact() {
	d.t.Helper()
	copied := filepath.Join(d.t.TempDir(), "copy.db")
	text, err := os.ReadFile(d.path("data/appliance.db"))
	if err := errors.Join(err, os.WriteFile(copied, text, 0o600)); err != nil {
		d.t.Fatal(err)
	}
	if err := store.Verify(d.t.Context(), copied); err != nil {
		d.t.Error(err)
	}
}

// A full disk under load, followed by kill -9, loses no acknowledged write.
func TestAcknowledgedWritesSurviveAFullDisk(t *testing.T) {
	disk, p := serveOnSmallDisk(t)
	ann := p.SignIn("ann")
	var mu sync.Mutex
	var tasks []string
	var writers sync.WaitGroup
	for n := range 6 {
		writers.Go(func() {
			for i := 0; ; i++ {
				path := createTask(ann, fmt.Sprint("Task ", n, "/", i))
				if path == "" {
					return
				}
				mu.Lock()
				if tasks = append(tasks, path); len(tasks) == 100 {
					disk.fill()
				}
				mu.Unlock()
			}
		})
	}
	writers.Wait()
	p.Kill()
	disk.free()
	p = disk.serve()
	ann = p.SignIn("ann")
	slices.Sort(tasks)
	if got := len(slices.Compact(tasks)); got < 100 {
		t.Errorf("got %d acknowledged tasks, want at least 100", got)
	}
	for _, path := range tasks {
		ann.Do("GET", path).Want(200)
	}
	stop(p)
	disk.wantIntact()
}

// A backup and a restore on a full disk report the reason. A failed restore changes nothing.
func TestFullDiskIsReportedByBackupAndRestore(t *testing.T) {
	disk, source := newSmallDisk(t, 3), apptest.NewDataDir(t)
	backup := filepath.Join(t.TempDir(), "backup.db")
	if status, out := apptest.RunCommand(t, "", "backup", "--data", source, backup); status != 0 {
		t.Fatal(out)
	}
	disk.fill()
	for _, c := range []struct {
		want string
		args []string
	}{
		{"to " + disk.mountPoint, []string{"backup", "--data", source, filepath.Join(disk.mountPoint, "copy.db")}},
		{"The database was not changed.", []string{"restore", "--data", filepath.Join(disk.mountPoint, "data"), backup}},
	} {
		if status, out := disk.run("", c.args...); status != 1 || !strings.Contains(out, "the disk is full: free some space and try again") || !strings.Contains(out, c.want) {
			t.Errorf("%s: got exit status %d and\n%s\nwant 1, the reason and %q", c.args[0], status, out, c.want)
		}
	}
}

// A server that terminates on a full disk loses nothing. A server that starts
// on a full disk reports that the disk is full.
func TestFullDiskIsReportedAtStartAndLosesNothing(t *testing.T) {
	disk, p := serveOnSmallDisk(t)
	tasks := fillDatabase(disk, p.SignIn("ann"))
	stop(p)
	if _, err := os.Stat(disk.path("data/address")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("address file after the exit: got %v, want none", err)
	}
	disk.fill() // the termination may have freed space
	if status, output := disk.run("", "serve", "--data", filepath.Join(disk.mountPoint, "data"), "--listen", "127.0.0.1:0"); status != 1 || !strings.Contains(output, "the disk is full") {
		t.Errorf("start: got exit status %d, %q, want 1 and the reason", status, output)
	}
	disk.free()
	ann := disk.serve().SignIn("ann")
	for _, path := range tasks {
		ann.Do("GET", path).Want(200)
	}
}

// An import stops before it fills the disk, reports the reason and keeps the previous region.
// Members can write meanwhile. The next import deletes the rows of the stopped one.
func TestImportOnAFullDiskKeepsTheRegion(t *testing.T) {
	disk := newSmallDisk(t, 20)
	data := filepath.Join(disk.mountPoint, "data")
	if status, out := disk.run(apptest.Password, apptest.SetupArgs(data)...); status != 0 {
		t.Fatal(out)
	}
	run := func(want int, args ...string) string {
		t.Helper()
		status, output := disk.run("", append(append([]string{"maps"}, args...), "--data", data)...)
		if status != want {
			t.Fatalf("maps %s: got exit status %d, want %d\n%s", args, status, want, output)
		}
		return output
	}
	run(0, "import", clubs(t, "old", 500))
	if output := run(1, "import", clubs(t, "new", 40_000), "--yes"); !strings.Contains(output, "the disk is almost full") {
		t.Errorf("import on a full disk: got %q, want the reason", output)
	}
	p := disk.serve()
	if createTask(p.SignIn("ann"), "Task") == "" {
		t.Error("a write after the import: got a full disk, want success")
	}
	stop(p)
	if output := run(0, "status"); !strings.Contains(output, "clubs  csv     500") {
		t.Errorf("status on a full disk: got %q, want the region with 500 places", output)
	}
	run(0, "import", clubs(t, "next", 600), "--yes")
	if output := run(0, "status"); !strings.Contains(output, "clubs  csv     600") {
		t.Errorf("status after another import: got %q, want the region with 600 places", output)
	}
	disk.wantIntact()
}

// A community can be deleted on a full disk. Its events are deleted when there is space again.
// Covers B-130.
func TestEventsAreDeletedAfterAFullDisk(t *testing.T) {
	const events = 40
	disk, p := serveOnSmallDisk(t)
	ann := p.SignIn("ann")
	community := ann.CreateCommunity(`{"name": "Choir", "visibility": "public", "join_policy": "open"}`)
	for range events {
		ann.CreateEvent("visibility", "community", "community_id", apptest.LastSegment(community))
	}
	fillDatabase(disk, ann)
	ann.Do("DELETE", community).Want(200)
	p.WaitForLog("job following changes")
	if got := len(ann.Mirrors()); got == 0 {
		t.Errorf("got no entries of the %d events on a full disk, want some that have not yet followed", events)
	}
	disk.free()
	ann.CreateEvent()
	ann.Do("PATCH", "/world/social/profile", `{"display_name": "Anna"}`).Want(200) // makes the job continue at once
	for strings.Count(ann.Basic().Do("GET", ann.DefaultCalendar()).Want(200).Body, "ORGANIZER") > 1 {
		<-time.After(2 * time.Millisecond)
	}
	p.Unauthenticated().Do("GET", "/ready").Want(200)
	stop(p)
	disk.wantIntact()
}
