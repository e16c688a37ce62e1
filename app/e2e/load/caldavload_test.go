package load

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"appliance/svc/svctest"
)

// loadRow is a row of the table: a measurement with n objects in the calendar.
type loadRow struct {
	name    string
	measure func(s *caldavServer, n int) string
}

var loadRows = []loadRow{
	{"PUT, one after another", measurePut},
	{"PUT, 8 clients", measureConcurrentPut},
	request("PROPFIND 0 with ctag", "PROPFIND", "0", propfindCtag),
	request("PROPFIND 1, all ETags", "PROPFIND", "1", propfindETags),
	{"sync-collection, one change", measureSync},
	{"sync-collection, initial", func(s *caldavServer, n int) string {
		return formatMilliseconds(sampledMedian(func(int) { s.sync("") }))
	}},
	request("month query with data", "REPORT", "1", monthQuery("")),
	request("month query, expanded", "REPORT", "1", monthQuery(expandMonth)),
	{"multiget of 100", measureMultiget},
	request("free-busy of a month", "REPORT", "1", monthFreeBusy),
	{"GET of one", func(s *caldavServer, n int) string {
		return formatMilliseconds(sampledMedian(func(i int) { s.do("GET", s.object(i), "") }))
	}},
	{"memory at the end", func(s *caldavServer, n int) string { return s.memory() }},
}

// request returns the row of a request to the calendar.
func request(name, method, depth, body string) loadRow {
	return loadRow{name, func(s *caldavServer, n int) string {
		return formatMilliseconds(sampledMedian(func(int) { s.do(method, s.calendar, body, "Depth", depth) }))
	}}
}

// measurePut stores n objects in the calendar and measures the PUT requests of
// the last 200.
func measurePut(s *caldavServer, n int) string {
	measured := min(n, 200)
	if s.fill != nil {
		s.fill(n - measured)
		s.do("PROPFIND", s.calendar, propfindETags, "Depth", "1") // makes the server read the files
	} else {
		for i := range n - measured {
			s.put(i, 0)
		}
	}
	return formatMilliseconds(median(measured, func(i int) { s.put(n-measured+i, 0) }))
}

// measureConcurrentPut measures 8 clients that store 400 new objects, and change
// them until two seconds have passed. It ends after at most a minute.
func measureConcurrentPut(s *caldavServer, n int) string {
	const objects = 400
	var next, stored atomic.Int64
	var clients sync.WaitGroup
	begin := time.Now()
	for range 8 {
		clients.Go(func() {
			for {
				i := int(next.Add(1) - 1)
				if passed := time.Since(begin); passed > time.Minute || i >= objects && passed > 2*time.Second {
					return
				}
				s.put(n+i%objects, i/objects)
				stored.Add(1)
			}
		})
	}
	clients.Wait()
	return fmt.Sprintf("%.0f/s", float64(stored.Load())/time.Since(begin).Seconds())
}

func measureSync(s *caldavServer, n int) string {
	token := s.sync("")
	durations := make([]time.Duration, 21)
	for i := range durations {
		s.put(i, i+1)
		durations[i] = durationOf(func() { token = s.sync(token) })
	}
	return formatMilliseconds(percentile(durations, 50))
}

func measureMultiget(s *caldavServer, n int) string {
	var hrefs []string
	for i := range 100 {
		hrefs = append(hrefs, s.object(i*7%n))
	}
	body := multiget(hrefs)
	return formatMilliseconds(sampledMedian(func(int) { s.do("REPORT", s.calendar, body, "Depth", "1") }))
}

// All requests of the table succeed on this server, and on the other CalDAV
// servers that are installed. The table is logged.
func TestCalDAVLoadTable(t *testing.T) {
	svctest.Long(t)
	n := *loadEntries
	if n == 0 {
		n = 200
	}
	servers := []*caldavServer{startAppliance(t)}
	for _, start := range []func(*testing.T) *caldavServer{startRadicale, startXandikos} {
		if s := start(t); s != nil {
			servers = append(servers, s)
		}
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%d entries, one fsync %s\t", n, formatMilliseconds(fsyncTime(t)))
	for _, s := range servers {
		fmt.Fprintf(w, "%s\t", s.name)
	}
	fmt.Fprintln(w)
	for _, row := range loadRows {
		fmt.Fprintf(w, "%s\t", row.name)
		for _, s := range servers {
			fmt.Fprintf(w, "%s\t", row.measure(s, n))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	t.Logf("\n%s", &table)
}
