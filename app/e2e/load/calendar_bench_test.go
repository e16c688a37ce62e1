package load

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// BenchmarkPut measures the creation of an event of 1 kB over HTTP with Basic
// credentials, with a synchronous commit.
func BenchmarkPut(b *testing.B) {
	for _, clients := range []int{1, 8} {
		b.Run(fmt.Sprint(clients, " clients"), func(b *testing.B) {
			s := apptest.New(b, apptest.Unlimited)
			ann := s.Member("ann")
			path, put := ann.DefaultCalendar(), ann.Basic().Bench(b, "PUT", 201)
			benchConcurrently(b, clients, func(i int64) { put(fmt.Sprintf("%s%d.ics", path, i), apptest.BenchEvent(i)) })
		})
	}
}

// BenchmarkTimePanel measures the views of the panel with 1,000 objects in two
// months.
func BenchmarkTimePanel(b *testing.B) {
	s := apptest.New(b, apptest.Unlimited)
	ann := s.Member("ann")
	ann.FillCalendar(b, 1000)
	for _, view := range []string{"month", "week", "tasks"} {
		b.Run(view, func(b *testing.B) { benchGet(b, s, ann, "/world/panels/time?date=2026-12-08&view="+view) })
	}
}

// BenchmarkCalendarDataset measures a dataset of 1,000 calendar objects: after a
// restart, cached, after the change of an object, and not modified.
func BenchmarkCalendarDataset(b *testing.B) {
	s := apptest.New(b, apptest.Unlimited)
	ann := s.Member("ann").AsRuntime()
	ann.FillCalendar(b, 1000)
	const dataset = "/world/runtime"
	b.Run("after a restart", func(b *testing.B) { benchGetAfter(b, ann, dataset, s.Restart) })
	b.Run("cached", func(b *testing.B) { benchGet(b, s, ann, dataset) })
	b.Run("after a change", func(b *testing.B) {
		path, put := ann.DefaultCalendar()+"7.ics", ann.Basic().Bench(b, "PUT", 204)
		i := 0
		benchGetAfter(b, ann, dataset, func() {
			i++
			put(path, apptest.BenchEvent(7)+strings.Repeat("\r\n", i%100+1))
		})
	})
	b.Run("not modified", func(b *testing.B) { benchNotModified(b, ann, dataset) })
}

// benchNotModified measures a conditional GET with the current ETag.
func benchNotModified(b *testing.B, c *apptest.Client, path string) {
	etag := c.Do("GET", path).Want(200).Header.Get("ETag")
	get := c.With("If-None-Match", etag).Bench(b, "GET", 304)
	for b.Loop() {
		get(path, "")
	}
}

// BenchmarkSync measures the synchronization of 10,000 objects.
func BenchmarkSync(b *testing.B) {
	s := apptest.New(b, apptest.Unlimited)
	ann := s.Member("ann")
	ann.FillCalendar(b, 10_000)
	path, put, report := ann.DefaultCalendar(), ann.Basic().Bench(b, "PUT", 204), ann.Basic().BenchReader(b, "REPORT", 207)
	changes := func(b *testing.B, token string) string {
		text, err := io.ReadAll(report(path, apptest.SyncCollection(token)))
		if err != nil {
			b.Fatal(err)
		}
		return string(text)
	}
	_, rest, _ := strings.Cut(changes(b, ""), "<D:sync-token>")
	token, _, _ := strings.Cut(rest, "<")
	put(path+"7.ics", apptest.BenchEvent(7)+"\r\n")
	b.Run("one change", func(b *testing.B) {
		for b.Loop() {
			if got := changes(b, token); strings.Count(got, "<D:response>") != 1 {
				b.Fatalf("got %s, want one change", got)
			}
		}
	})
	b.Run("first synchronization", func(b *testing.B) {
		for b.Loop() {
			changes(b, "")
		}
	})
	b.Run("all ETags", func(b *testing.B) {
		propfind := ann.Basic().With("Depth", "1").Bench(b, "PROPFIND", 207)
		for b.Loop() {
			propfind(path, apptest.PropfindETags)
		}
	})
}

// BenchmarkStart measures the start on an empty data directory.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		apptest.New(b, apptest.Unlimited)
	}
}

// BenchmarkCalDAV measures CalDAV requests to a calendar of 5,000 objects, a
// tenth of which are weekly series.
func BenchmarkCalDAV(b *testing.B) {
	s := apptest.New(b, apptest.Unlimited)
	ann := s.Member("ann")
	path, put := ann.DefaultCalendar(), ann.Basic().Bench(b, "PUT", 201)
	object := func(i int) string { return fmt.Sprintf("%s%d.ics", path, i) }
	for i := range 5000 {
		put(object(i), loadEvent(i, 0))
	}
	var hrefs []string
	for i := range 100 {
		hrefs = append(hrefs, object(i*37))
	}
	for _, c := range []struct {
		name, method, depth, path, body string
		status                          int
	}{
		{"ctag", "PROPFIND", "0", path, propfindCtag, 207},
		{"all ETags", "PROPFIND", "1", path, propfindETags, 207},
		{"month", "REPORT", "1", path, monthQuery(""), 207},
		{"month expanded", "REPORT", "1", path, monthQuery(expandMonth), 207},
		{"multiget of 100", "REPORT", "1", path, multiget(hrefs), 207},
		{"free-busy of a month", "REPORT", "1", path, monthFreeBusy, 200},
		{"GET of one", "GET", "", object(7), "", 200},
	} {
		b.Run(c.name, func(b *testing.B) {
			send := ann.Basic().With("Depth", c.depth).Bench(b, c.method, c.status)
			var size int64
			for b.Loop() {
				size = send(c.path, c.body)
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
