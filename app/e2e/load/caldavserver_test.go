package load

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
)

// caldavServer is a CalDAV server that is measured.
type caldavServer struct {
	t        *testing.T
	name     string
	url      string
	calendar string // path
	process  *os.Process
	client   *http.Client
	fill     func(count int) // stores the first objects in the files of the server; nil: by PUT
}

func newCalDAVServer(t *testing.T, name, url, calendar string, process *os.Process) *caldavServer {
	return &caldavServer{t: t, name: name, url: url, calendar: calendar, process: process, client: &http.Client{
		Timeout: 10 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 8},
	}}
}

// startAppliance starts this program, as one of the compared servers.
func startAppliance(t *testing.T) *caldavServer {
	t.Helper()
	p := apptest.Serve(t, apptest.NewDataDir(t), "--rate-limits", "writes=0,reads=0")
	return newCalDAVServer(t, "appliance", p.URL, p.SignIn("ann").DefaultCalendar(), p.Cmd.Process)
}

// buffers contains unused buffers for response bodies, so that their allocation
// is not measured.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// do sends a request with header names and values, and reads the response, which
// must be a success.
func (s *caldavServer) do(method, path, body string, headers ...string) {
	s.t.Helper()
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	s.read(buffer, method, path, body, headers...)
}

// read is like do and stores the body of the response in a buffer.
func (s *caldavServer) read(buffer *bytes.Buffer, method, path, body string, headers ...string) {
	s.t.Helper()
	buffer.Reset()
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.SetBasicAuth("ann", apptest.Password)
	r.Header.Set("Content-Type", "application/xml; charset=utf-8")
	if method == http.MethodPut {
		r.Header.Set("Content-Type", "text/calendar; charset=utf-8")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := s.client.Do(r)
	if err != nil {
		s.t.Errorf("%s: %s %s: %v", s.name, method, path, err)
		return
	}
	defer resp.Body.Close()
	if _, err := buffer.ReadFrom(resp.Body); err != nil || resp.StatusCode >= 300 {
		s.t.Errorf("%s: %s %s: got %s, %v, want success\n%.500s", s.name, method, path, resp.Status, err, buffer)
	}
}

// object returns the path of an object.
func (s *caldavServer) object(i int) string { return fmt.Sprintf("%sload-%d.ics", s.calendar, i) }

// put stores a version of an object.
func (s *caldavServer) put(i, version int) { s.do("PUT", s.object(i), loadEvent(i, version)) }

var syncToken = regexp.MustCompile(`sync-token[^>]*>([^<]+)<`)

// sync reads the changes since a sync token and returns the next token.
func (s *caldavServer) sync(token string) (next string) {
	s.t.Helper()
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	s.read(buffer, "REPORT", s.calendar, apptest.SyncCollection(token), "Depth", "1")
	match := syncToken.FindSubmatch(buffer.Bytes())
	if match == nil {
		s.t.Fatalf("%s: got %.500s, want a sync token", s.name, buffer)
	}
	return string(match[1])
}

var residentMemory = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// processMemory returns the resident memory of a process in kB; ok is false if /proc does
// not contain it.
func processMemory(pid int) (kilobytes int, ok bool) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	match := residentMemory.FindSubmatch(text)
	if match == nil {
		return 0, false
	}
	_, err := fmt.Sscan(string(match[1]), &kilobytes)
	return kilobytes, err == nil
}

// memory returns the resident memory of the process, or "?" if it is unknown.
func (s *caldavServer) memory() string {
	kilobytes, ok := processMemory(s.process.Pid)
	if !ok {
		return "?"
	}
	return fmt.Sprintf("%d MB", kilobytes/1024)
}

// loadEvent returns an event of about 1 kB within three years around December
// 2026. Every tenth event is a weekly series.
func loadEvent(i, version int) string {
	start := time.Date(2025, 6, 1, 8, 0, 0, 0, time.UTC).AddDate(0, 0, i%1095).Add(time.Duration(i%9) * time.Hour)
	rule := ""
	if i%10 == 0 {
		rule = "RRULE:FREQ=WEEKLY;COUNT=40\r\n"
	}
	return fmt.Sprintf("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//load//EN\r\nBEGIN:VEVENT\r\nUID:load-%d@example.org\r\nDTSTAMP:20261101T120000Z\r\n"+
		"DTSTART:%s\r\nDURATION:PT1H\r\n%sSUMMARY:Event %d.%d\r\nDESCRIPTION:%s\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		i, start.Format("20060102T150405Z"), rule, i, version, strings.Repeat("Lorem ipsum dolor sit amet. ", 28))
}

// Request bodies, for December 2026.
const (
	namespaces    = ` xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/"`
	december      = ` start="20261201T000000Z" end="20270101T000000Z"/>`
	propfindCtag  = `<D:propfind` + namespaces + `><D:prop><CS:getctag/></D:prop></D:propfind>`
	propfindETags = `<D:propfind` + namespaces + `><D:prop><D:getetag/></D:prop></D:propfind>`
	expandMonth   = `<C:expand` + december
	monthFreeBusy = `<C:free-busy-query` + namespaces + `><C:time-range` + december + `</C:free-busy-query>`
)

// monthQuery returns a calendar-query for events with their data, transformed.
func monthQuery(transformation string) string {
	return `<C:calendar-query` + namespaces + `><D:prop><D:getetag/><C:calendar-data>` + transformation + `</C:calendar-data></D:prop>` +
		`<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range` + december + `</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
}

// multiget returns a calendar-multiget of objects with their data.
func multiget(hrefs []string) string {
	return `<C:calendar-multiget` + namespaces + `><D:prop><D:getetag/><C:calendar-data/></D:prop><D:href>` +
		strings.Join(hrefs, "</D:href><D:href>") + `</D:href></C:calendar-multiget>`
}
