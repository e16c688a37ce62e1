package process

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"appliance/app/apptest"
)

// beginPut sends the header of a PUT and returns when the server asks for the
// body. The returned function sends the body and returns the status.
func beginPut(c *apptest.Client, path, body string) (finish func() (status int)) {
	c.T.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.URL, "http://"))
	if err != nil {
		c.T.Fatal(err)
	}
	c.T.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Minute))
	fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: text/calendar\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		path, c.Headers["Authorization"], len(body))
	in := bufio.NewReader(conn)
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		if got, err := in.ReadString('\n'); err != nil || got != want {
			c.T.Fatalf("response to Expect: got %q, %v, want %q", got, err, want)
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

// After SIGTERM the server accepts no connections, completes the requests in
// progress, and exits with status 0.
func TestTerminationCompletesRequestsInProgress(t *testing.T) {
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	ann := p.SignIn("ann")
	path := ann.DefaultCalendar() + "slow.ics"
	finish := beginPut(ann.Basic(), path, apptest.VEvent("slow", "DTSTART:20261201T090000Z", "SUMMARY:Slow"))
	terminate(p)
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
		t.Errorf("request in progress: got status %d, want 201", status)
	}
	wantCleanExit(p)
	files := apptest.Files(t, dir)
	for _, name := range []string{"appliance.db-wal", "appliance.db-shm"} {
		if _, ok := files[name]; ok {
			t.Errorf("after the exit: got the file %s, want none", name)
		}
	}
	apptest.Serve(t, dir).SignIn("ann").Basic().Do("GET", path).Want(200)
}

// A server that terminates under load completes every write that it has begun and exits with status
// 0. No acknowledged write is lost.
func TestTerminationUnderLoadKeepsAcknowledgedWrites(t *testing.T) {
	dir := apptest.NewDataDir(t)
	w := newWorkload(t, dir)
	for range 2 {
		p := apptest.Serve(t, dir, "--rate-limits", "writes=0,reads=0")
		w.connect(p)
		w.wantAcknowledgedWrites()
		w.runUntil(150, func() { terminate(p) })
		wantCleanExit(p)
	}
	w.connect(apptest.Serve(t, dir))
	w.wantAcknowledgedWrites()
}
