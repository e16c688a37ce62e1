package load

import (
	"fmt"
	"strings"
	"testing"

	"appliance/svc/svctest"
)

// attackSize returns the size of an attack, such as its number of requests: short, or long with
// the flag -long.
func attackSize(short, long int) int {
	if svctest.IsLong() {
		return long
	}
	return short
}

const refusedRequests = "refused requests: too many at the same time"

func TestParallelPutsOfLargeObjects(t *testing.T) {
	s := newServer(t, nil)
	b := s.startBystander()
	calendar := s.ann.DefaultCalendar()
	valid, invalid := largeEvent("UID", ";COUNT=1"), largeEvent("UID", "")
	path := func(i int) string { return fmt.Sprintf("%sn%d.ics", calendar, i) }
	event := func(i int) string {
		if i%2 == 0 {
			return strings.Replace(valid, "UID:UID", fmt.Sprint("UID:", i), 1)
		}
		return invalid
	}
	sendAtOnce(attackSize(90, 200), 1, s.ann.Basic(), "PUT", path, "text/calendar", event).wantOnly(t, 201, 403, 429, 503, 0)
	b.end()
	s.wantAlive(refusedRequests)
}

// manyValues is JSON with many short values, which need much more memory than
// the text itself.
var manyValues = `{"object_type": "task", "title": "x", "exdates": [` + strings.Repeat(`"",`, 300_000) + `""], "x": [` + strings.Repeat(`{},`, 40_000) + `{}]}`

func TestParallelJSONBodies(t *testing.T) {
	s := newServer(t, nil)
	b := s.startBystander()
	sendAtOnce(attackSize(40, 200), 1, s.ann, "POST", constantFunc("/world/time/objects"), "application/json", constantFunc(manyValues)).wantOnly(t, 201, 400, 422, 429, 503, 0)
	b.end()
	s.wantAlive()
}

func TestParallelImports(t *testing.T) {
	s := newServer(t, nil)
	b := s.startBystander()
	calendar := s.ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
	path := constantFunc("/world/calendars/" + calendar + "/import")
	sendAtOnce(attackSize(12, 16), 1, s.ann, "POST", path, "text/calendar", constantFunc(largeCalendar(attackSize(3<<20, 55<<20)))).wantOnly(t, 200, 429, 503, 0)
	b.end()
	s.wantAlive(refusedRequests)
}

// An import is limited to 250,000 entries, because the index of very small entries would be larger
// than the file.
func TestImportOfManySmallEntries(t *testing.T) {
	s := newServer(t, nil)
	calendar := s.ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\n")
	for i := range 300_000 {
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%d\r\nEND:VEVENT\r\n", i)
	}
	text.WriteString("END:VCALENDAR\r\n")
	a := s.ann.With("Content-Type", "text/calendar").Do("POST", "/world/calendars/"+calendar+"/import", text.String()).Want(400)
	if want := "the maximum is 250000"; !strings.Contains(a.Body, want) {
		t.Errorf("got %s, want %q in it", a.Body, want)
	}
	s.wantAlive()
}

// The server survives clients that request large responses and do not read them.
func TestStalledReadersOfLargeResponses(t *testing.T) {
	s := newServer(t, nil)
	calendar := s.ann.DefaultCalendar()
	for i := range 12 {
		text := fmt.Sprintf("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:u%d\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20261201T090000Z\r\nX-A:%s\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
			i, strings.Repeat("x", 900_000))
		s.ann.Basic().Do("PUT", fmt.Sprintf("%sn%d.ics", calendar, i), text).Want(201)
	}
	b := s.startBystander()
	const propfind = `<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/></D:prop></D:propfind>`
	request := strings.Replace(requestHead("PROPFIND", calendar, s.ann.Basic().Headers["Authorization"], len(propfind)), "\r\n", "\r\nDepth: 1\r\n", 1) + propfind
	var stalled []*stalledRequest
	for range attackSize(40, 300) {
		if r := s.stall(3+len(stalled)/100, request); r != nil {
			defer r.Close()
			stalled = append(stalled, r)
		}
	}
	for _, r := range stalled { // until the response has started
		if _, err := r.Read(make([]byte, 1)); err != nil {
			t.Logf("a reader got no response: %v", err)
		}
	}
	b.end()
	s.wantAlive()
}

func TestStalledBodies(t *testing.T) {
	t.Parallel() // the test waits for deadlines
	s := newServer(t, nil)
	b := s.startBystander()
	auth := s.ann.Basic().Headers["Authorization"]
	request := requestHead("PUT", s.ann.DefaultCalendar()+"stalled.ics", auth, 1<<20) + strings.Repeat("x", 1<<20-1)
	var stalled []*stalledRequest
	for i := range attackSize(30, 500) {
		if r := s.stall(3+i/100, request); r != nil {
			defer r.Close()
			stalled = append(stalled, r)
		}
	}
	closed := 0
	for _, r := range stalled {
		if r.isClosed(maxStall) {
			closed++
		}
	}
	if closed != len(stalled) {
		t.Errorf("got %d of %d stalled connections closed, want all", closed, len(stalled))
	}
	b.end()
	s.wantAlive("request bodies arrived too slowly")
}
