package load

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"appliance/app/apptest"
)

// measuredServer is a CalDAV server whose speed is measured.
type measuredServer struct {
	name     string
	url      string
	calendar string // path
	user     string
	process  *os.Process
	web      *http.Client
	fill     func(count int) // writes the first entries to the storage of the server; nil to use PUT
}

// do sends a request and reads the response. A failure fails the test.
func (l *measuredServer) do(t *testing.T, method, path, body string, headers ...string) {
	t.Helper()
	into := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(into)
	l.read(t, into, method, path, body, headers...)
}

// bodies contains buffers for responses. Reused buffers keep the time of
// allocations out of the measurement.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// read sends a request and reads the response into a buffer.
func (l *measuredServer) read(t *testing.T, into *bytes.Buffer, method, path, body string, headers ...string) {
	t.Helper()
	into.Reset()
	r, err := http.NewRequest(method, l.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(l.user, apptest.Password)
	r.Header.Set("Content-Type", "application/xml; charset=utf-8")
	if method == http.MethodPut {
		r.Header.Set("Content-Type", "text/calendar; charset=utf-8")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := l.web.Do(r)
	if err != nil {
		t.Errorf("%s: %s %s: %v", l.name, method, path, err)
		return
	}
	defer answer.Body.Close()
	if _, err := into.ReadFrom(answer.Body); err != nil || answer.StatusCode >= 300 {
		t.Errorf("%s: %s %s: got %s, %v, want success\n%.500s", l.name, method, path, answer.Status, err, into)
	}
}

// median returns the median duration of count calls of do.
func median(count int, do func(i int)) time.Duration {
	list := make([]time.Duration, count)
	for i := range list {
		list[i] = timed(func() { do(i) })
	}
	slices.Sort(list)
	return list[count/2]
}

// sampled returns the median duration of do. It calls do for a second, 3 to 101
// times.
func sampled(do func(i int)) time.Duration {
	var list []time.Duration
	for begin := time.Now(); len(list) < 3 || len(list) < 101 && time.Since(begin) < time.Second; {
		list = append(list, timed(func() { do(len(list)) }))
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// timed returns the duration of do.
func timed(do func()) time.Duration {
	begin := time.Now()
	do()
	return time.Since(begin)
}

// loadEvent returns an event of about 1 kB within three years around the queried
// month. One in ten is a weekly series.
func loadEvent(i, version int) string {
	begin := time.Date(2025, 6, 1, 8, 0, 0, 0, time.UTC).AddDate(0, 0, i%1095).Add(time.Duration(i%9) * time.Hour)
	rule := ""
	if i%10 == 0 {
		rule = "RRULE:FREQ=WEEKLY;COUNT=40\r\n"
	}
	return fmt.Sprintf("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//load//EN\r\nBEGIN:VEVENT\r\nUID:load-%d@example.org\r\nDTSTAMP:20261101T120000Z\r\n"+
		"DTSTART:%s\r\nDURATION:PT1H\r\n%sSUMMARY:Event %d.%d\r\nDESCRIPTION:%s\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		i, begin.Format("20060102T150405Z"), rule, i, version, strings.Repeat("Lorem ipsum dolor sit amet. ", 28))
}

func (l *measuredServer) entry(i int) string { return fmt.Sprintf("%sload-%d.ics", l.calendar, i) }

func (l *measuredServer) put(t *testing.T, i, version int) {
	l.do(t, http.MethodPut, l.entry(i), loadEvent(i, version))
}

const (
	loadNames   = `xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/"`
	loadCtag    = `<D:propfind ` + loadNames + `><D:prop><CS:getctag/></D:prop></D:propfind>`
	loadETags   = `<D:propfind ` + loadNames + `><D:prop><D:getetag/></D:prop></D:propfind>`
	loadSync    = `<D:sync-collection ` + loadNames + `><D:sync-token>%s</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>`
	loadQuery   = `<C:calendar-query ` + loadNames + `><D:prop><D:getetag/><C:calendar-data>%s</C:calendar-data></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="20261201T000000Z" end="20270101T000000Z"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
	loadExpand  = `<C:expand start="20261201T000000Z" end="20270101T000000Z"/>`
	loadFree    = `<C:free-busy-query ` + loadNames + `><C:time-range start="20261201T000000Z" end="20270101T000000Z"/></C:free-busy-query>`
	loadGetHead = `<C:calendar-multiget ` + loadNames + `><D:prop><D:getetag/><C:calendar-data/></D:prop>`
)

// loadRow is a row of the table.
type loadRow struct {
	name string
	do   func(l *measuredServer, t *testing.T, n int) string
}

var loadRows = []loadRow{
	{"PUT, one after another", func(l *measuredServer, t *testing.T, n int) string {
		last := min(n, 200)
		if l.fill != nil {
			l.fill(n - last)
			l.do(t, "PROPFIND", l.calendar, loadETags, "Depth", "1") // makes the server read them
		} else {
			for i := range n - last {
				l.put(t, i, 0)
			}
		}
		return milliseconds(median(last, func(i int) { l.put(t, n-last+i, 0) }))
	}},
	{"PUT, 8 clients", func(l *measuredServer, t *testing.T, n int) string {
		var next, put atomic.Int64
		var clients sync.WaitGroup
		begin := time.Now()
		for range 8 {
			clients.Go(func() {
				for i := next.Add(1) - 1; ; i = next.Add(1) - 1 {
					// 400 new entries, and the same again until 2 seconds have passed
					if passed := time.Since(begin); passed > time.Minute || i >= 400 && passed > 2*time.Second {
						return
					}
					l.put(t, n+int(i%400), int(i/400))
					put.Add(1)
				}
			})
		}
		clients.Wait()
		return fmt.Sprintf("%.0f/s", float64(put.Load())/time.Since(begin).Seconds())
	}},
	{"PROPFIND 0 with ctag", func(l *measuredServer, t *testing.T, n int) string {
		return milliseconds(sampled(func(int) { l.do(t, "PROPFIND", l.calendar, loadCtag, "Depth", "0") }))
	}},
	{"PROPFIND 1, all ETags", func(l *measuredServer, t *testing.T, n int) string {
		return milliseconds(sampled(func(int) { l.do(t, "PROPFIND", l.calendar, loadETags, "Depth", "1") }))
	}},
	{"sync-collection, one change", func(l *measuredServer, t *testing.T, n int) string {
		token := l.token(t, "")
		list := make([]time.Duration, 21)
		for i := range list {
			l.put(t, i, i+1)
			list[i] = timed(func() { token = l.token(t, token) })
		}
		slices.Sort(list)
		return milliseconds(list[len(list)/2])
	}},
	{"sync-collection, initial", func(l *measuredServer, t *testing.T, n int) string {
		return milliseconds(sampled(func(int) { l.token(t, "") }))
	}},
	{"month query with data", func(l *measuredServer, t *testing.T, n int) string {
		return milliseconds(sampled(func(int) { l.do(t, "REPORT", l.calendar, fmt.Sprintf(loadQuery, ""), "Depth", "1") }))
	}},
	{"month query, expanded", func(l *measuredServer, t *testing.T, n int) string {
		return milliseconds(sampled(func(int) { l.do(t, "REPORT", l.calendar, fmt.Sprintf(loadQuery, loadExpand), "Depth", "1") }))
	}},
	{"multiget of 100", func(l *measuredServer, t *testing.T, n int) string {
		var body strings.Builder
		body.WriteString(loadGetHead)
		for i := range 100 {
			fmt.Fprintf(&body, "<D:href>%s</D:href>", l.entry(i*7%n))
		}
		body.WriteString("</C:calendar-multiget>")
		return milliseconds(sampled(func(int) { l.do(t, "REPORT", l.calendar, body.String(), "Depth", "1") }))
	}},
	{"free-busy of a month", func(l *measuredServer, t *testing.T, n int) string {
		return milliseconds(sampled(func(int) { l.do(t, "REPORT", l.calendar, loadFree, "Depth", "1") }))
	}},
	{"GET of one", func(l *measuredServer, t *testing.T, n int) string {
		return milliseconds(sampled(func(i int) { l.do(t, http.MethodGet, l.entry(i), "") }))
	}},
	{"memory at the end", func(l *measuredServer, t *testing.T, n int) string {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", l.process.Pid))
		m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(text)
		if m == nil {
			return "?"
		}
		var kilobytes int
		fmt.Sscan(string(m[1]), &kilobytes)
		return fmt.Sprintf("%d MB", kilobytes/1024)
	}},
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }

// tokenIn matches the sync token of a response.
var tokenIn = regexp.MustCompile(`sync-token[^>]*>([^<]+)<`)

// token synchronizes from a sync token and returns the next one.
func (l *measuredServer) token(t *testing.T, since string) string {
	into := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(into)
	l.read(t, into, "REPORT", l.calendar, fmt.Sprintf(loadSync, since), "Depth", "1")
	m := tokenIn.FindSubmatch(into.Bytes())
	if m == nil {
		t.Fatalf("%s: got no sync token, want one", l.name)
	}
	return string(m[1])
}

// TestLoad compares the speed of this server with that of other CalDAV servers
// that are installed. It logs a table and checks nothing:
//
//	go test ./app/e2e/load -run TestLoad -load 5000 -v -timeout 1h
func TestLoad(t *testing.T) {
	if *loadEntries == 0 {
		t.Skip("measurement: run it with -load 5000")
	}
	servers := []*measuredServer{loadOurs(t)}
	for _, other := range []func(*testing.T) *measuredServer{loadRadicale, loadXandikos} {
		if l := other(t); l != nil {
			servers = append(servers, l)
		}
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%d entries, one fsync %s\t", *loadEntries, milliseconds(fsync(t)))
	for _, l := range servers {
		fmt.Fprintf(w, "%s\t", l.name)
	}
	fmt.Fprintln(w)
	for _, row := range loadRows {
		fmt.Fprintf(w, "%s\t", row.name)
		for _, l := range servers {
			fmt.Fprintf(w, "%s\t", row.do(l, t, *loadEntries))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	t.Logf("\n%s", &table)
}

// fsync returns the median time in which the disk stores a page.
func fsync(t *testing.T) time.Duration {
	f, err := os.Create(filepath.Join(t.TempDir(), "page"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	return median(101, func(int) {
		if _, err := f.WriteAt(page, 0); err != nil {
			t.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
	})
}

func loadOurs(t *testing.T) *measuredServer {
	p := apptest.Serve(t, apptest.NewDataDir(t), "--rate-limits", "writes=0,reads=0")
	return newMeasuredServer("appliance", p.URL, p.SignIn("ann").DefaultCalendar(), p.Cmd.Process)
}

func newMeasuredServer(name, url, calendar string, process *os.Process) *measuredServer {
	return &measuredServer{name: name, url: url, calendar: calendar, user: "ann", process: process, web: &http.Client{
		Timeout: 10 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 8},
	}}
}

// loadOther starts another server. It returns nil if the server is not
// installed.
func loadOther(t *testing.T, name, calendar, folder string, args func(dir, port string) []string) *measuredServer {
	program, err := exec.LookPath("/usr/bin/" + name)
	if err != nil {
		t.Logf("%s is not installed", name)
		return nil
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	ln.Close()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, args(dir, port)...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "LC_ALL=C.UTF-8"}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	l := newMeasuredServer(name, "http://127.0.0.1:"+port, calendar, cmd.Process)
	l.fill = func(count int) {
		for i := range count {
			path := filepath.Join(dir, folder, filepath.Base(l.entry(i)))
			if err := os.WriteFile(path, []byte(loadEvent(i, 0)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for { // until the server listens
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			conn.Close()
			return l
		}
		if !errors.Is(err, syscall.ECONNREFUSED) || t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

func loadRadicale(t *testing.T) *measuredServer {
	l := loadOther(t, "radicale", "/ann/home/", "collection-root/ann/home", func(dir, port string) []string {
		config := filepath.Join(dir, "config")
		text := "[server]\nhosts = 127.0.0.1:" + port + "\n[auth]\ntype = none\n[storage]\nfilesystem_folder = " + dir + "\n[logging]\nlevel = error\n"
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return []string{"--config", config}
	})
	if l != nil {
		l.do(t, "MKCALENDAR", l.calendar, "")
	}
	return l
}

func loadXandikos(t *testing.T) *measuredServer {
	var folder string
	l := loadOther(t, "xandikos", "/ann/calendars/calendar/", "ann/calendars/calendar", func(dir, port string) []string {
		folder = filepath.Join(dir, "ann/calendars/calendar")
		return []string{"--directory", dir, "--defaults", "--current-user-principal", "/ann/", "--listen-address", "127.0.0.1", "--port", port}
	})
	if l == nil {
		return nil
	}
	put := l.fill
	l.fill = func(count int) { // the entries are in a Git repository
		put(count)
		for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=ann", "-c", "user.email=ann@example.org", "commit", "-q", "-m", "entries"}} {
			git := exec.CommandContext(t.Context(), "git", append([]string{"-C", folder}, args...)...)
			if out, err := git.CombinedOutput(); err != nil {
				t.Fatalf("git %s: %v\n%s", args[0], err, out)
			}
		}
	}
	return l
}
