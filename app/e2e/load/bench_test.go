package load

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"appliance/app/apptest"
)

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

// Storing a new event of 1 kB over HTTP with Basic, each on the disk before it
// is answered.
func BenchmarkPut(b *testing.B) {
	for _, clients := range []int{1, 8} {
		b.Run(fmt.Sprint(clients, " clients"), func(b *testing.B) {
			h := apptest.New(b, apptest.Unlimited)
			ann := h.Member("ann")
			path, put := ann.DefaultCalendar(), ann.Basic().Bench(b, "PUT", 201)
			many(b, clients, func(i int64) { put(fmt.Sprintf("%s%d.ics", path, i), apptest.BenchEvent(i)) })
		})
	}
}

// A month and a week of a member with 1,000 entries in two months.
func BenchmarkTimePanel(b *testing.B) {
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann")
	ann.FillCalendar(b, 1000)
	get := ann.Bench(b, "GET", 200)
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
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann").Runtime()
	ann.FillCalendar(b, 1000)
	get := ann.Bench(b, "GET", 200)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			h.Restart()
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
		path, put := ann.DefaultCalendar(), ann.Basic().Bench(b, "PUT", 204)
		i := 0
		for b.Loop() {
			b.StopTimer()
			i++
			put(path+"7.ics", apptest.BenchEvent(7)+strings.Repeat("\r\n", i%100+1))
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		etag := ann.Do("GET", "/world/runtime").Header.Get("ETag")
		get := ann.With("If-None-Match", etag).Bench(b, "GET", 304)
		for b.Loop() {
			get("/world/runtime", "")
		}
	})
}

// Asking what has changed among 10,000 entries, when one has.
func BenchmarkSync(b *testing.B) {
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann")
	ann.FillCalendar(b, 10_000)
	path, put, report := ann.DefaultCalendar(), ann.Basic().Bench(b, "PUT", 204), ann.Basic().BenchReader(b, "REPORT", 207)
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
	put(path+"7.ics", apptest.BenchEvent(7)+"\r\n")
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
		propfind := ann.Basic().With("Depth", "1").Bench(b, "PROPFIND", 207)
		for b.Loop() {
			propfind(path, `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`)
		}
	})
}

// Starting on an empty data directory.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		apptest.New(b, apptest.Unlimited)
	}
}

// What clients ask of a calendar of 5,000 entries, a tenth of which recur each
// week.
func BenchmarkCalendar(b *testing.B) {
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann")
	path, put := ann.DefaultCalendar(), ann.Basic().Bench(b, "PUT", 201)
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
			ask := ann.Basic().With("Depth", c.depth).Bench(b, c.method, c.status)
			var size int64
			for b.Loop() {
				size = ask(c.path, c.body)
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
