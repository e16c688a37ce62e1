package app

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"appliance/app/config"
	"appliance/store/storetest"
)

func unlimited(s *config.Settings) {
	s.RateLimits = map[string]int{"reads": 0, "writes": 0}
	s.Log = "error"
}

// kilobyte is an event of about 1 kB.
func kilobyte(i int64) string {
	at := storetest.Start.Add(time.Duration(i%60*24) * time.Hour)
	return vevent(fmt.Sprintf("event-%d@bench.example", i),
		"DTSTART;TZID=Europe/Berlin:"+at.Format("20060102T150405"), "DTEND;TZID=Europe/Berlin:"+at.Add(time.Hour).Format("20060102T150405"),
		fmt.Sprint("SUMMARY:Meeting number ", i), "LOCATION:Room 7, second floor",
		"DESCRIPTION:"+strings.Repeat("What we talk about. ", 30), "STATUS:CONFIRMED", "SEQUENCE:0",
		"BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:Meeting", "END:VALARM")
}

// many lets n goroutines share the loop of b.
func many(b *testing.B, n int, do func(i int64)) {
	var next atomic.Int64
	var all sync.WaitGroup
	work := make(chan struct{}, n)
	for range n {
		all.Go(func() {
			for range work {
				do(next.Add(1))
			}
		})
	}
	for b.Loop() {
		work <- struct{}{}
	}
	close(work)
	all.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "op/s")
}

// request makes a function that sends requests as the client would, without
// the care that tests take, and returns how many bytes the answer has.
func (c *client) request(b *testing.B, method string, want int) func(path, body string) int64 {
	get := c.answering(b, method, want)
	return func(path, body string) int64 {
		n, err := io.Copy(io.Discard, get(path, body))
		if err != nil {
			b.Error(err)
		}
		return n
	}
}

// answering is request, for whoever wants to read the answer.
func (c *client) answering(b *testing.B, method string, want int) func(path, body string) io.Reader {
	web := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	b.Cleanup(web.CloseIdleConnections)
	return func(path, body string) io.Reader {
		r, err := http.NewRequest(method, c.h.web.URL+path, strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		for name, value := range c.headers {
			r.Header.Set(name, value)
		}
		resp, err := web.Do(r)
		if err != nil {
			b.Error(err)
			return strings.NewReader("")
		}
		if resp.StatusCode != want {
			b.Errorf("%s %s: %d", method, path, resp.StatusCode)
		}
		return toEnd{resp.Body}
	}
}

// toEnd closes a body at its end.
type toEnd struct{ io.ReadCloser }

func (t toEnd) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if err != nil {
		t.Close()
	}
	return n, err
}

// Storing a new event of 1 kB over HTTP with Basic, each on the disk before it
// is answered.
func BenchmarkPut(b *testing.B) {
	for _, clients := range []int{1, 8} {
		b.Run(fmt.Sprint(clients, " clients"), func(b *testing.B) {
			h := open(b, unlimited)
			ann := h.member("ann")
			path, put := ann.defaultCalendar(), ann.basic().request(b, "PUT", 201)
			many(b, clients, func(i int64) { put(fmt.Sprintf("%s%d.ics", path, i), kilobyte(i)) })
		})
	}
}

// fill stores n events, in the next two months.
func (c *client) fill(b *testing.B, n int64) {
	path, put := c.defaultCalendar(), c.basic().request(b, "PUT", 201)
	var all sync.WaitGroup
	for w := range int64(8) {
		all.Go(func() {
			for i := w; i < n; i += 8 {
				put(fmt.Sprintf("%s%d.ics", path, i), kilobyte(i))
			}
		})
	}
	all.Wait()
}

// A month and a week of a member with 1,000 entries in two months.
func BenchmarkTimePanel(b *testing.B) {
	h := open(b, unlimited)
	ann := h.member("ann")
	ann.fill(b, 1000)
	get := ann.request(b, "GET", 200)
	for _, view := range []string{"month", "week", "tasks"} {
		b.Run(view, func(b *testing.B) {
			var n int64
			for b.Loop() {
				n = get("/world/panels/time?date=2026-12-08&view="+view, "")
			}
			b.ReportMetric(float64(n), "bytes")
		})
	}
}

// The dataset of a member with 1,000 entries, all of which are in it.
func BenchmarkRuntime(b *testing.B) {
	h := open(b, unlimited)
	ann := h.member("ann").runtime()
	ann.fill(b, 1000)
	get := ann.request(b, "GET", 200)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			h.restart()
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
	b.Run("again", func(b *testing.B) {
		var size int64
		for b.Loop() {
			size = get("/world/runtime", "")
		}
		b.ReportMetric(float64(size), "bytes")
	})
	b.Run("after a change", func(b *testing.B) {
		path, put := ann.defaultCalendar(), ann.basic().request(b, "PUT", 204)
		i := 0
		for b.Loop() {
			b.StopTimer()
			i++
			put(path+"7.ics", kilobyte(7)+strings.Repeat("\r\n", i%100+1))
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		etag := ann.do("GET", "/world/runtime").header.Get("ETag")
		get := ann.with("If-None-Match", etag).request(b, "GET", 304)
		for b.Loop() {
			get("/world/runtime", "")
		}
	})
}

// Asking what has changed among 10,000 entries, when one has.
func BenchmarkSync(b *testing.B) {
	h := open(b, unlimited)
	ann := h.member("ann")
	ann.fill(b, 10_000)
	path, put, report := ann.defaultCalendar(), ann.basic().request(b, "PUT", 204), ann.basic().answering(b, "REPORT", 207)
	const ask = `<sync-collection xmlns="DAV:"><sync-token>%s</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`
	text := func(r io.Reader) string {
		all, err := io.ReadAll(r)
		if err != nil {
			b.Fatal(err)
		}
		return string(all)
	}
	_, since, _ := strings.Cut(text(report(path, fmt.Sprintf(ask, ""))), "<D:sync-token>")
	since, _, _ = strings.Cut(since, "<")
	put(path+"7.ics", kilobyte(7)+"\r\n")
	b.Run("one change", func(b *testing.B) {
		for b.Loop() {
			if answer := text(report(path, fmt.Sprintf(ask, since))); strings.Count(answer, "<D:response>") != 1 {
				b.Fatalf("not one change: %s", answer)
			}
		}
	})
	b.Run("from the beginning", func(b *testing.B) {
		for b.Loop() {
			if _, err := io.Copy(io.Discard, report(path, fmt.Sprintf(ask, ""))); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("all tags", func(b *testing.B) {
		propfind := ann.basic().with("Depth", "1").request(b, "PROPFIND", 207)
		for b.Loop() {
			propfind(path, `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`)
		}
	})
}

// Starting on an empty data directory.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		open(b, unlimited)
	}
}

// What clients ask of a calendar of 5,000 entries, a tenth of which recur each
// week.
func BenchmarkCalendar(b *testing.B) {
	h := open(b, unlimited)
	ann := h.member("ann")
	path, put := ann.defaultCalendar(), ann.basic().request(b, "PUT", 201)
	for i := range 5000 {
		put(fmt.Sprintf("%s%d.ics", path, i), loadEvent(i, 0))
	}
	const window = `start="20261201T000000Z" end="20270101T000000Z"`
	query := func(data string) string {
		return `<calendar-query xmlns="urn:ietf:params:xml:ns:caldav"><prop xmlns="DAV:"><getetag/>` + data + `</prop><filter><comp-filter name="VCALENDAR"><comp-filter name="VEVENT"><time-range ` +
			window + `/></comp-filter></comp-filter></filter></calendar-query>`
	}
	const data = `<calendar-data xmlns="urn:ietf:params:xml:ns:caldav">`
	hundred := `<calendar-multiget xmlns="urn:ietf:params:xml:ns:caldav"><prop xmlns="DAV:"><getetag/>` + data + `</calendar-data></prop>`
	for i := range 100 {
		hundred += fmt.Sprintf(`<href xmlns="DAV:">%s%d.ics</href>`, path, i*37)
	}
	hundred += `</calendar-multiget>`
	for _, c := range []struct {
		name, method, depth, path, body string
		status                          int
	}{
		{"ctag", "PROPFIND", "0", path, `<propfind xmlns="DAV:"><prop><getctag xmlns="http://calendarserver.org/ns/"/></prop></propfind>`, 207},
		{"all tags", "PROPFIND", "1", path, `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`, 207},
		{"month", "REPORT", "1", path, query(data + `</calendar-data>`), 207},
		{"month expanded", "REPORT", "1", path, query(data + `<expand ` + window + `/></calendar-data>`), 207},
		{"multiget of 100", "REPORT", "1", path, hundred, 207},
		{"free-busy of a month", "REPORT", "1", path, `<free-busy-query xmlns="urn:ietf:params:xml:ns:caldav"><time-range ` + window + `/></free-busy-query>`, 200},
		{"one", "GET", "", path + "7.ics", "", 200},
	} {
		b.Run(c.name, func(b *testing.B) {
			ask := ann.basic().with("Depth", c.depth).request(b, c.method, c.status)
			var size int64
			for b.Loop() {
				size = ask(c.path, c.body)
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
