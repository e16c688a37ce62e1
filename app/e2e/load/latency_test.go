package load

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"appliance/app/apptest"
	"appliance/svc"
	"appliance/svc/svctest"
)

// latencyTable measures the requests of one member while others write.
type latencyTable struct {
	reader      *apptest.Client
	gets        []measuredGet
	rounds      int
	table       *tabwriter.Writer
	etag        string // of the last dataset
	notModified int    // number of conditional reads of the dataset with status 304
}

// measure makes each request once and adds its duration to its row. The dataset
// is read conditionally.
func (l *latencyTable) measure(durations [][]time.Duration) {
	for i, g := range l.gets {
		durations[i] = append(durations[i], durationOf(func() {
			if g.name != "dataset" {
				l.reader.Do("GET", g.path).Want(200)
				return
			}
			a := l.reader.With("If-None-Match", l.etag).Do("GET", g.path)
			if l.etag = a.Header.Get("ETag"); a.Status == http.StatusNotModified {
				l.notModified++
			}
		}))
	}
}

// addStage measures all requests while each writer writes at an interval, and
// adds the rows to the table.
func (l *latencyTable) addStage(writers []contentWriter, interval time.Duration) {
	done := make(chan struct{})
	var running sync.WaitGroup
	var writes atomic.Int64
	for i, writer := range writers {
		running.Go(func() {
			tick := time.Tick(interval)
			for n := i; ; n++ {
				select {
				case <-done:
					return
				case <-tick:
					writer.write(n)
					writes.Add(1)
				}
			}
		})
	}
	l.notModified = 0
	durations := make([][]time.Duration, len(l.gets))
	seconds := durationOf(func() {
		for range l.rounds {
			l.measure(durations)
		}
	}).Seconds()
	close(done)
	running.Wait()
	fmt.Fprintf(l.table, "%.0f writes a second\t\t\t\t\t\n", float64(writes.Load())/seconds)
	for i, g := range l.gets {
		list := durations[i]
		fmt.Fprintf(l.table, "%s\t%d\t%s\t%s\t%s\t\n", g.name, len(list),
			formatMilliseconds(percentile(list, 50)), formatMilliseconds(percentile(list, 99)), formatMilliseconds(list[len(list)-1]))
	}
	fmt.Fprintf(l.table, "datasets unchanged\t%d\t\t\t\t\n", l.notModified)
}

// All requests of a member succeed without writes, while eight members write five
// times a second each, and while they write without pause. The table of
// latencies is logged.
func TestLatencyTable(t *testing.T) {
	svctest.Long(t)
	volume, rounds := smallVolume, 3
	if *latencyRounds > 0 {
		volume, rounds = fullVolume, *latencyRounds
	}
	p := newCommunityServer(t, volume, time.Now())
	reader := p.MostConnected()
	peers := p.CommunityPeers(reader, 8)
	if err := p.DB.Close(); err != nil {
		t.Fatal(err)
	}
	process := apptest.Serve(t, p.Settings.Data, "--rate-limits", "writes=0,reads=0")
	client := func(i int) *apptest.Client {
		c := process.Unauthenticated()
		c.Name, c.ID = fmt.Sprint("m", i+1), svc.MemberID(i+1)
		c.HTTP.Transport = new(http.Transport)
		return c.SignIn(apptest.Password).AsRuntime()
	}
	var text bytes.Buffer
	l := &latencyTable{reader: client(reader), rounds: rounds, table: tabwriter.NewWriter(&text, 0, 0, 3, ' ', tabwriter.AlignRight)}
	l.gets = measuredGets(l.reader)
	fmt.Fprintf(l.table, "one fsync %s\tcount\tmedian\tp99\tmax\t\n", formatMilliseconds(fsyncTime(t)))
	l.addStage(nil, 0)
	var writers []contentWriter
	for _, i := range peers {
		writers = append(writers, newContentWriter(client(i), l.reader.ID))
	}
	l.addStage(writers, time.Second/5)
	l.addStage(writers, 1)
	l.table.Flush()
	t.Logf("\n%s", &text)
}
