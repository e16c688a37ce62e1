package load

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
)

// constantFunc returns a function that returns text for each request.
func constantFunc(text string) func(int) string { return func(int) string { return text } }

// statuses counts responses by status. The status 0 counts the requests without a
// response.
type statuses struct {
	mu     sync.Mutex
	counts map[int]int
}

func (s *statuses) add(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = make(map[int]int)
	}
	s.counts[status]++
}

// wantOnly logs the numbers and fails the test if there are other statuses.
func (s *statuses) wantOnly(t *testing.T, want ...int) {
	t.Helper()
	t.Logf("responses by status: %v", s.counts)
	for _, status := range slices.Sorted(maps.Keys(s.counts)) {
		if !slices.Contains(want, status) {
			t.Errorf("got %d responses with the status %d, want only %v", s.counts[status], status, want)
		}
	}
}

// sendAtOnce sends n requests at once, each on a connection of its own, from one
// address.
func sendAtOnce(n, from int, c *apptest.Client, method string, path func(i int) string, contentType string, body func(i int) string) *statuses {
	got := new(statuses)
	transport := transportFrom(from)
	defer transport.CloseIdleConnections()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			r, err := http.NewRequest(method, c.URL+path(i), strings.NewReader(body(i)))
			if err != nil {
				c.T.Error(err)
				return
			}
			for name, value := range c.Headers {
				r.Header.Set(name, value)
			}
			if r.Header.Get("Authorization") == "" {
				r.Header.Set("Authorization", "Bearer "+c.Token)
			}
			r.Header.Set("Content-Type", contentType)
			resp, err := (&http.Client{Transport: transport}).Do(r)
			if err != nil {
				got.add(0)
				return
			}
			defer resp.Body.Close()
			_, _ = io.Copy(io.Discard, resp.Body) // the status counts even if the server closes the connection
			got.add(resp.StatusCode)
		})
	}
	all.Wait()
	return got
}

// stalledRequest is a connection on which the client has sent a part of a request and sends no
// more.
type stalledRequest struct{ net.Conn }

// stall opens a connection from 127.0.0.from and sends a text. It returns nil if the
// server has refused the connection.
func (s *server) stall(from int, text string) *stalledRequest {
	conn, err := dialerFrom(from).Dial("tcp", s.address())
	if err != nil {
		return nil
	}
	if _, err := io.WriteString(conn, text); err != nil {
		conn.Close()
		return nil
	}
	return &stalledRequest{conn}
}

// isClosed reports whether the server closes the connection within d.
func (r *stalledRequest) isClosed(d time.Duration) bool {
	_ = r.SetReadDeadline(time.Now().Add(d))
	_, err := io.Copy(io.Discard, r)
	timeout, ok := err.(net.Error)
	return !ok || !timeout.Timeout()
}

// requestHead returns the request line and the header of a request with a body of length bytes.
func requestHead(method, path, authorization string, length int) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		method, path, authorization, length)
}

// largeEvent returns an event of about 866 kB: see zoneEvent.
func largeEvent(uid, rule string) string { return zoneEvent(uid, 6500, rule) }

// zoneEvent returns an event whose VTIMEZONE has n rules of 130 bytes, which are costly to
// parse. It is rejected, because the rules have too many onsets, unless rule limits their
// number.
func zoneEvent(uid string, n int, rule string) string {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//attack//EN\r\nBEGIN:VTIMEZONE\r\nTZID:Mars/X\r\n")
	for i := range n {
		fmt.Fprintf(&b, "BEGIN:STANDARD\r\nDTSTART:%04d%02d01T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU%s\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n",
			1970+i%100, 1+i%12, rule)
	}
	b.WriteString("END:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:" + uid + "\r\nDTSTAMP:20261101T000000Z\r\nDTSTART;TZID=Mars/X:20261201T090000\r\n")
	b.WriteString("RRULE:FREQ=DAILY\r\nSUMMARY:Large\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
	return b.String()
}

// largeCalendar returns a calendar file of about size bytes with different entries.
func largeCalendar(size int) string {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//attack//EN\r\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:entry-%d\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20261201T090000Z\r\nSUMMARY:Entry %d\r\nDESCRIPTION:%s\r\nEND:VEVENT\r\n",
			i, i, strings.Repeat("Lorem ipsum dolor sit amet. ", 20))
	}
	b.WriteString("END:VCALENDAR\r\n")
	return b.String()
}
