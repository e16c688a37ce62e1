package load

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc"
)

// fairServer is a server with content that is created over HTTP. It runs first without some rate
// limits and, after restart, with the default limits.
type fairServer struct {
	*apptest.Process
	t     *testing.T
	bin   string
	dir   string
	users []*user
}

// startFairServer sets up a server of the program in the file bin, with open registration.
func startFairServer(t *testing.T, bin string) *fairServer {
	t.Helper()
	s := &fairServer{t: t, bin: bin, dir: filepath.Join(t.TempDir(), "data")}
	setup := exec.CommandContext(t.Context(), bin, apptest.SetupArgs(s.dir)...)
	setup.Stdin = strings.NewReader(apptest.Password)
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatalf("setting up %s: %v\n%s", s.dir, err, out)
	}
	s.start("--registration", "open", "--rate-limits", "writes=0,reads=0,registrations=0")
	return s
}

// start starts the process.
func (s *fairServer) start(args ...string) {
	s.t.Helper()
	args = append([]string{"serve", "--data", s.dir, "--listen", "127.0.0.1:0", "--log-format", "json", "--towns", "off"}, args...)
	cmd := exec.CommandContext(s.t.Context(), s.bin, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TZ=Europe/Berlin", memoryLimit}
	s.Process = apptest.Start(s.t, cmd)
}

// restart ends the process and starts it with the default limits.
func (s *fairServer) restart() {
	s.t.Helper()
	_ = s.Cmd.Process.Signal(os.Interrupt) // fails if the process has already ended
	select {
	case <-s.Exited:
	case <-time.After(5 * time.Second):
		s.Kill()
	}
	s.start()
	for _, u := range s.users { // the server verifies the passwords, and fills its caches
		u.must(207, "PROPFIND", u.calendar, propfindCtag)
		u.must(200, "GET", "/world/runtime", "")
		u.must(200, "GET", "/world/panels/time", "")
	}
}

// waitUntilIdle waits until the process uses no processor time. After 15 seconds, it restarts the
// process.
func (s *fairServer) waitUntilIdle() {
	s.t.Helper()
	for range 60 {
		before := s.processorTime()
		<-time.After(250 * time.Millisecond)
		if s.processorTime()-before < 20*time.Millisecond {
			return
		}
	}
	s.t.Log("the server was computing 15 s after the last request; it is restarted")
	s.restart()
}

// processorTime returns the processor time that the process has used.
func (s *fairServer) processorTime() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.Cmd.Process.Pid))
	if err != nil {
		return 0
	}
	var user, system int64 // in hundredths of a second, after the name in parentheses
	_, rest, _ := strings.Cut(string(text), ") ")
	if fields := strings.Fields(rest); len(fields) > 12 {
		_, _ = fmt.Sscan(fields[11]+" "+fields[12], &user, &system) // 0 if the format is unknown
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// user is a member who sends requests over connections of their own.
type user struct {
	s          *fairServer
	name       string
	id         svc.MemberID
	bearer     string
	basic      string
	calendar   string // path of CalDAV
	calendarID string
	http       *http.Client
}

// addUser registers a member, whose requests come from the address 127.0.0.from.
func (s *fairServer) addUser(name string, from int) *user {
	s.t.Helper()
	c := s.Unauthenticated()
	c.Name = name
	a := c.Do("POST", "/identity/register", map[string]any{"email": name + "@example.org", "username": name, "display_name": name, "password": apptest.Password}).Want(201)
	c = c.SignIn(apptest.Password)
	calendars := c.Do("GET", "/world/calendars").Want(200)
	transport := transportFrom(from)
	transport.MaxIdleConnsPerHost = 200
	transport.DisableCompression = true
	u := &user{s: s, name: name, bearer: "Bearer " + c.Token, basic: c.Basic().Headers["Authorization"], calendar: calendars.Str("calendars.0.caldav_path"),
		calendarID: calendars.Str("calendars.0.id"), http: &http.Client{Transport: transport}}
	id, ok := a.At("member.id").(float64)
	if !ok {
		s.t.Fatalf("got %s, want the id of the member", a.Body)
	}
	u.id = svc.MemberID(id)
	s.users = append(s.users, u)
	return u
}

// send sends a request and reads the response without storing it. The status is 0 if there
// is no complete response. Paths below /caldav/ get Basic credentials.
func (u *user) send(ctx context.Context, method, path, body string) (status int) {
	r, err := u.request(ctx, method, path, body)
	if err != nil {
		u.s.t.Error(err)
		return 0
	}
	resp, err := u.http.Do(r)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0
	}
	return resp.StatusCode
}

func (u *user) request(ctx context.Context, method, path, body string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, u.s.URL+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", u.bearer)
	r.Header.Set("X-Service-Runtime", "test/1.0")
	r.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(path, "/caldav/") {
		r.Header.Set("Authorization", u.basic)
		r.Header.Set("Content-Type", "application/xml")
		r.Header.Set("Depth", "1")
	}
	if strings.HasPrefix(body, "BEGIN:VCALENDAR") {
		r.Header.Set("Content-Type", "text/calendar")
	}
	return r, nil
}

// must sends a request, fails the test unless the response has the status, and decodes the
// response if it is JSON.
func (u *user) must(want int, method, path, body string) (decoded map[string]any) {
	u.s.t.Helper()
	r, err := u.request(u.s.t.Context(), method, path, body)
	if err != nil {
		u.s.t.Fatal(err)
	}
	resp, err := u.http.Do(r)
	if err != nil {
		u.s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != want {
		u.s.t.Fatalf("%s: %s %s: got status %d, %v, want %d\n%.500s", u.name, method, path, resp.StatusCode, err, want, text)
	}
	_ = json.Unmarshal(text, &decoded) // other formats are not decoded
	return decoded
}

// parallel calls do for 0 … n-1 in eight goroutines.
func parallel(n int, do func(i int)) {
	next := make(chan int)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
}

// addEvents creates n events of Social and returns their ids. fields are JSON members.
func (u *user) addEvents(n int, start, fields string) []string {
	ids := make([]string, n)
	parallel(n, func(i int) {
		body := fmt.Sprintf(`{"title": "Event %d", "start": %q, "end": %q, "timezone": "Europe/Berlin", %s}`, i, start+"T18:00", start+"T20:00", fields)
		event, _ := u.must(201, "POST", "/world/social/events", body)["event"].(map[string]any)
		ids[i], _ = event["id"].(string)
	})
	return ids
}

// importText imports an iCalendar file into the default calendar.
func (u *user) importText(text string) {
	u.must(200, "POST", "/world/calendars/"+u.calendarID+"/import", text)
}
