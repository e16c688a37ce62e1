package httpd_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/app/httpd"
	"appliance/app/limits"
)

// readDeadlines records the read deadlines of a connection.
type readDeadlines struct {
	*httptest.ResponseRecorder
	list []time.Time
}

func (d *readDeadlines) SetReadDeadline(t time.Time) error {
	d.list = append(d.list, t)
	return nil
}

func TestReadDeadlineIsExtendedForEachPartOfTheBody(t *testing.T) {
	h := apptest.New(t)
	send := func(body io.Reader) []time.Time {
		d := &readDeadlines{ResponseRecorder: httptest.NewRecorder()}
		h.App.HTTP.ServeHTTP(d, httptest.NewRequest("POST", "/identity/login", body))
		return d.list
	}
	if got := send(nil); len(got) != 0 {
		t.Errorf("without a body: got the deadlines %v, want none", got)
	}
	got := send(strings.NewReader(`{"login": "ann", "password": "` + strings.Repeat("x", httpd.MaxUnauthenticatedBody-40) + `"}`))
	if n := len(got); n < 2 || n > 3 || got[0].IsZero() || !got[n-1].IsZero() {
		t.Errorf("with a body: got the deadlines %v, want one or two, removed at the end", got)
	}
	if got = send(new(endlessBody)); got[len(got)-1].IsZero() {
		t.Error("with a body that was not read completely: got no deadline, want one")
	}
}

// sendRejected sends a request with a large body over a connection. It reads the response only
// after it has sent the whole body, and returns the status line.
func sendRejected(t *testing.T, c *apptest.Client, method, path string, size int, header ...string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n%s\r\n\r\n", method, path, conn.RemoteAddr(), size, strings.Join(header, "\r\n"))
	if _, err := io.CopyN(conn, endless{}, int64(size)); err != nil {
		t.Errorf("%s %s: sending the body: %v", method, path, err)
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		t.Errorf("%s %s: reading the response: %v", method, path, err)
	}
	return strings.TrimSpace(line)
}

// endless is a text without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte("x"), len(p))), nil }

// A client that sends a rejected body completely before it reads gets the response: the
// connection is not reset. A client that waits for 100 Continue is not asked to send the body.
func TestRejectedUploadsGetTheirResponse(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	calendar := ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
	bearer := "Authorization: Bearer " + ann.Token
	basic := "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("ann:"+apptest.Password))
	for range 3 {
		for _, c := range []struct{ method, path, credentials, want string }{
			{"POST", "/world/calendars/" + calendar + "/import", bearer + "\r\nContent-Type: text/calendar", "HTTP/1.1 400 Bad Request"},
			{"POST", "/world/time/objects", bearer + "\r\nContent-Type: application/json", "HTTP/1.1 413 Request Entity Too Large"},
			{"PROPFIND", ann.DefaultCalendar(), basic + "\r\nDepth: 0", "HTTP/1.1 413 Request Entity Too Large"},
		} {
			if got := sendRejected(t, ann, c.method, c.path, 55<<20, c.credentials); got != c.want {
				t.Errorf("%s %s: got %q, want %q", c.method, c.path, got, c.want)
			}
		}
	}
	waiting := httptest.NewRequest("POST", "/world/operator/members", endless{})
	waiting.ContentLength = 1 << 20
	waiting.Header.Set("Expect", "100-continue")
	waiting.Header.Set("Authorization", "Bearer "+ann.Token)
	read := new(endlessBody)
	waiting.Body = io.NopCloser(read)
	h.App.HTTP.ServeHTTP(httptest.NewRecorder(), waiting)
	if read.n > 0 {
		t.Errorf("got %d bytes read of a body that the client has not sent, want none", read.n)
	}
}

// Small requests do not wait.
func TestLargeBodiesWaitForMemory(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	h.App.HTTP.Memory = limits.NewConcurrency(limits.Capacity{Each: 1 << 20, Total: 2 << 20})
	release, err := h.App.HTTP.Memory.AcquireWeight(t.Context(), ann.ID.String(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	put := func(c *apptest.Client, size, want int) *apptest.Answer {
		t.Helper()
		name := fmt.Sprint("n", size)
		text := apptest.VEvent(name, "DTSTART:20261201T090000Z", "X-A:"+strings.Repeat("x", size))
		return c.Basic().Do("PUT", c.DefaultCalendar()+name+".ics", text).Want(want)
	}
	large := `{"name": "x", "unknown": "` + strings.Repeat("x", 8000) + `"}`
	put(ann, 100, 201)
	if a := put(ann, 10_000, 429); a.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After, want one")
	}
	ann.Do("POST", "/world/calendars", large).WantError(429, "rate_limited")
	put(bea, 10_000, 201)
	if want := "refused requests"; strings.Count(h.Log.String(), want) != 1 {
		t.Errorf("log: got %s, want %q once", h.Log, want)
	}
	release()
	put(ann, 10_000, 201)
	put(ann, 900_000, 201) // its weight is limited to the capacity
	ann.Do("POST", "/world/calendars", large).Want(201)
	if n := h.App.HTTP.Memory.InUse(); n != 0 {
		t.Errorf("got memory in use by %d members, want 0", n)
	}
}

// Behind a trusted proxy the address is the forwarded one.
func TestRequestsInProgressAreLimitedByAddress(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) {
		s.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.1/32")}}
	})
	counts := limits.NewCountLimiter(2, 1)
	h.App.HTTP.SetInProgress(counts)
	counts.Add("192.0.2.1")
	from := func(addr string) *apptest.Client { return h.Unauthenticated().With("X-Forwarded-For", addr) }
	if a := from("192.0.2.1").Do("GET", "/health").WantError(503, "service_unavailable"); a.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After, want one")
	}
	from("192.0.2.2").Do("GET", "/health").Want(200)
	counts.Add("192.0.2.3")
	from("192.0.2.2").Do("GET", "/health").WantError(503, "service_unavailable")
	counts.Remove("192.0.2.3")
	counts.Remove("192.0.2.1")
	from("192.0.2.1").Do("GET", "/health").Want(200)
}

func TestErrorsOfTheHTTPServerAreLogged(t *testing.T) {
	log := new(bytes.Buffer)
	errors := httpd.NewErrorLog(slog.New(slog.NewTextHandler(log, nil)))
	errors.Print("http: TLS handshake error from 192.0.2.1:1: EOF") // caused by clients
	errors.Print("http: Accept error: too many open files; retrying in 5ms")
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "level=WARN") || !strings.Contains(got, "too many open files") {
		t.Errorf("got %s, want only the second error, as a warning", got)
	}
}
