package load

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"appliance/app/apptest"
)

// durationOf returns the duration of a call.
func durationOf(do func()) time.Duration {
	begin := time.Now()
	do()
	return time.Since(begin)
}

// percentile returns a percentile of durations, which it sorts.
func percentile(list []time.Duration, percent int) time.Duration {
	slices.Sort(list)
	return list[len(list)*percent/100]
}

// median returns the median duration of count calls.
func median(count int, do func(i int)) time.Duration {
	list := make([]time.Duration, count)
	for i := range list {
		list[i] = durationOf(func() { do(i) })
	}
	return percentile(list, 50)
}

// sampledMedian calls do for a second, but at least 3 and at most 101 times,
// and returns the median duration.
func sampledMedian(do func(i int)) time.Duration {
	var list []time.Duration
	for begin := time.Now(); len(list) < 3 || len(list) < 101 && time.Since(begin) < time.Second; {
		list = append(list, durationOf(func() { do(len(list)) }))
	}
	return percentile(list, 50)
}

func formatMilliseconds(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }

// fsyncTime returns the median duration of the synchronous write of a page.
func fsyncTime(t *testing.T) time.Duration {
	t.Helper()
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

// countQueries returns the number of queries that the server runs during a call.
func countQueries(s *apptest.Server, do func()) (count int) {
	s.Queries.Take()
	do()
	for _, n := range s.Queries.Take() {
		count += n
	}
	return count
}

// benchGet measures a GET, and reports its size and its number of queries.
func benchGet(b *testing.B, s *apptest.Server, c *apptest.Client, path string) {
	b.ReportAllocs()
	get := c.Bench(b, "GET", 200)
	var size int64
	queries := countQueries(s, func() { size = get(path, "") })
	for b.Loop() {
		get(path, "")
	}
	b.ReportMetric(float64(size), "bytes")
	b.ReportMetric(float64(queries), "queries")
}

// benchGetAfter measures a GET after a call that is not measured.
func benchGetAfter(b *testing.B, c *apptest.Client, path string, prepare func()) {
	b.ReportAllocs()
	get := c.Bench(b, "GET", 200)
	benchAfter(b, prepare, func() { get(path, "") })
}

// benchAfter measures do after each call of prepare, which is not measured.
func benchAfter(b *testing.B, prepare, do func()) {
	for b.Loop() {
		b.StopTimer()
		prepare()
		b.StartTimer()
		do()
	}
}

// benchConcurrently measures do in n goroutines. The numbers passed to do are
// ascending.
func benchConcurrently(b *testing.B, n int, do func(i int64)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	work := make(chan struct{}, n)
	for range n {
		workers.Go(func() {
			for range work {
				do(next.Add(1))
			}
		})
	}
	for b.Loop() {
		work <- struct{}{}
	}
	close(work)
	workers.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "op/s")
}
