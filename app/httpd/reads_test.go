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

// Beside requests of other members, the reads of a member who has computed much run one after
// the other, until the response starts. Covers B3.
func TestReadsAfterMuchComputationRunOneAfterTheOther(t *testing.T) {
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
				s := &Server{reads: limits.NewConcurrency(limits.Capacity{Each: 2, Waiting: 8}), pacer: limits.NewPacer(time.Now)}
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
						if err := s.acquireRead(w, httptest.NewRequest("GET", "/world/runtime", nil), "ann"); err != nil {
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
