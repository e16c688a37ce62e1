package httpd

import (
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"appliance/app/limits"
)

// While other members have requests in progress, the reads of a member who has computed much run
// one at a time. A read ends when its response starts.
func TestReadsAfterMuchComputationRunOneAtATime(t *testing.T) {
	for name, c := range map[string]struct {
		steps, others int
		want          int // reads that run at once
	}{
		"much":                 {4_000_000, 1, 1},
		"much, without others": {4_000_000, 0, 2},
		"little":               {40, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &Server{Reads: limits.NewConcurrency(limits.Capacity{Each: 2, Waiting: 8}), pacer: limits.NewPacer(time.Now)}
				for range c.others {
					defer s.pacer.Begin("bea")()
				}
				for range runtime.GOMAXPROCS(0) { // fewer requests could not occupy all processors
					defer s.pacer.Begin("ann")()
				}
				s.pacer.Add("ann", c.steps)
				var mu sync.Mutex
				var running, most int
				count := func(n int) {
					mu.Lock()
					defer mu.Unlock()
					running += n
					most = max(most, running)
				}
				var reads sync.WaitGroup
				for range 4 {
					reads.Go(func() {
						w := &response{ResponseWriter: httptest.NewRecorder()}
						if err := s.AcquireRead(w, httptest.NewRequest("GET", "/world/runtime", nil), "ann"); err != nil {
							t.Error(err)
						}
						count(1)
						<-time.After(time.Second)
						count(-1)
						w.WriteHeader(200)
					})
				}
				reads.Wait()
				if most != c.want {
					t.Errorf("got %d reads at once, want %d", most, c.want)
				}
			})
		})
	}
}

// A request counts as in progress until its response starts or, if it is compressed, until it
// has been compressed: compression takes a processor, too.
func TestRequestCountsUntilItsResponseIsComputed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, accept := range map[string]string{"plain": "", "compressed": "gzip"} {
			s := &Server{pacer: limits.NewPacer(time.Now)}
			end := s.pacer.Begin("bea")
			for range runtime.GOMAXPROCS(0) / 2 { // with the request, more than half of the processors
				defer s.pacer.Begin("ann")()
			}
			r := httptest.NewRequest("GET", "/world/runtime", nil)
			r.Header.Set("Accept-Encoding", accept)
			w := &response{ResponseWriter: httptest.NewRecorder(), compression: newCompression(Route{}, r, t.TempDir())}
			s.CountWork(w, "ann")
			s.pacer.Add("ann", 4_000_000)
			waits := func(when string, want bool) {
				if got := s.pacer.Add("ann", 0) > 0; got != want {
					t.Errorf("%s, %s: got a wait %t, want %t", name, when, got, want)
				}
			}
			waits("before the response", true)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(200)
			waits("after the response has started", accept != "")
			w.callOnComputed()
			waits("at the end", false)
			w.discard()
			end()
		}
	})
}
