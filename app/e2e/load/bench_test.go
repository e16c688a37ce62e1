package load

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/calendar/object"
)

// parallel runs the loop of b in n goroutines.
func parallel(b *testing.B, n int, do func(i int64)) {
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

// BenchmarkPut stores new events of 1 kB by CalDAV.
func BenchmarkPut(b *testing.B) {
	for _, clients := range []int{1, 8} {
		b.Run(fmt.Sprint(clients, " clients"), func(b *testing.B) {
			h := apptest.New(b, apptest.Unlimited)
			ann := h.Member("ann")
			path, put := ann.DefaultCalendar(), ann.Basic().Bench(b, "PUT", 201)
			parallel(b, clients, func(i int64) { put(fmt.Sprintf("%s%d.ics", path, i), apptest.BenchEvent(i)) })
		})
	}
}

// BenchmarkTimePanel reads the panel of a member with 1,000 entries in two months.
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

// BenchmarkRuntime reads the dataset of a member with 1,000 entries, all of which
// it contains.
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

// BenchmarkSync synchronizes a calendar of 10,000 entries.
func BenchmarkSync(b *testing.B) {
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann")
	ann.FillCalendar(b, 10_000)
	path, put, report := ann.DefaultCalendar(), ann.Basic().Bench(b, "PUT", 204), ann.Basic().BenchReader(b, "REPORT", 207)
	text := func(r io.Reader) string {
		all, err := io.ReadAll(r)
		if err != nil {
			b.Fatal(err)
		}
		return string(all)
	}
	_, since, _ := strings.Cut(text(report(path, apptest.SyncCollection(""))), "<D:sync-token>")
	since, _, _ = strings.Cut(since, "<")
	put(path+"7.ics", apptest.BenchEvent(7)+"\r\n")
	b.Run("one change", func(b *testing.B) {
		for b.Loop() {
			if answer := text(report(path, apptest.SyncCollection(since))); strings.Count(answer, "<D:response>") != 1 {
				b.Fatalf("got %s, want one change", answer)
			}
		}
	})
	b.Run("initial", func(b *testing.B) {
		for b.Loop() {
			if _, err := io.Copy(io.Discard, report(path, apptest.SyncCollection(""))); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("all tags", func(b *testing.B) {
		propfind := ann.Basic().With("Depth", "1").Bench(b, "PROPFIND", 207)
		for b.Loop() {
			propfind(path, apptest.PropfindETags)
		}
	})
}

// BenchmarkStart starts on an empty data directory.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		apptest.New(b, apptest.Unlimited)
	}
}

// BenchmarkCalendar sends the requests of CalDAV clients for a calendar of 5,000
// entries. One in ten is a weekly series.
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

// BenchmarkReindex rebuilds the index of 300 series with many occurrences. It
// reports the longest write transaction, for which other writers wait.
func BenchmarkReindex(b *testing.B) {
	const series = 300
	s := apptest.New(b, apptest.Unlimited)
	ann := s.Member("ann")
	ann.PutSeries(series, strings.Split(ann.DefaultCalendar(), "/")[4])
	var longest time.Duration
	for b.Loop() {
		for batch := (object.Batch{Last: -1}); batch.Last != 0; {
			s.Read(func(tx *store.Tx) (err error) {
				batch, err = s.App.Objects.AllObjects(tx, batch.Last)
				return err
			})
			for list := range batch.Prepare(s.DB.Now()) {
				longest = max(longest, timed(func() {
					s.Write(func(tx *store.Tx) error { return s.App.Objects.Reindex(tx, list) })
				}))
			}
		}
	}
	b.ReportMetric(float64(longest.Milliseconds()), "ms/longest")
}
