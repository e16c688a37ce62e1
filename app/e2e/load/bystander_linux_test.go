package load

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// maxDelay is the longest permitted delay of a member's request during an attack. With -long, nine
// of ten requests must be faster: other tests may be using the processors and the disk.
const maxDelay = time.Second

// bystander is a member who uses the server during an attack.
type bystander struct {
	*apptest.Client
	calendar string
	stop     chan struct{}
	reached  chan struct{} // closed after minRounds rounds
	done     sync.WaitGroup
	delays   []time.Duration
}

// startBystander starts the requests of bea, from an address of her own.
func (s *server) startBystander() *bystander {
	s.T.Helper()
	bea := s.Unauthenticated()
	bea.Name = "bea"
	bea.HTTP = &http.Client{Transport: transportFrom(2)}
	bea = bea.SignIn(apptest.Password).AsRuntime()
	b := &bystander{Client: bea, calendar: bea.DefaultCalendar(), stop: make(chan struct{}), reached: make(chan struct{})}
	b.done.Go(b.run)
	return b
}

// minRounds is the number of times that a bystander makes each request at least.
const minRounds = 8

// run makes requests until stop is closed.
func (b *bystander) run() {
	dav := b.Basic()
	pause := time.Duration(attackSize(250, 20)) * time.Millisecond
	for n := 0; ; n++ {
		if n == minRounds {
			close(b.reached)
		}
		name := fmt.Sprintf("%d.ics", n)
		b.measure(b.Client, "GET", "/health", 200)
		b.measure(b.Client, "GET", "/world/runtime", 200)
		b.measure(dav, "PUT", b.calendar+name, 201, apptest.VEvent(name, "DTSTART:20261201T090000Z", "SUMMARY:Tea"))
		b.measure(dav, "GET", b.calendar+name, 200)
		select {
		case <-b.stop:
			return
		case <-time.After(pause):
		}
	}
}

// measure sends a request, which must succeed.
func (b *bystander) measure(c *apptest.Client, method, path string, status int, body ...any) {
	begin := time.Now()
	a, err := c.Try(method, path, body...)
	b.delays = append(b.delays, time.Since(begin))
	switch {
	case err != nil:
		b.T.Errorf("%s %s of another member during the attack: %v", method, path, err)
	case a.Status != status:
		b.T.Errorf("%s %s of another member during the attack: got status %d, want %d\n%.300s", method, path, a.Status, status, a.Body)
	}
}

// end ends the requests. With -long, it fails the test if more than a tenth of
// them took longer than maxDelay.
func (b *bystander) end() {
	b.T.Helper()
	<-b.reached
	close(b.stop)
	b.done.Wait()
	slices.Sort(b.delays)
	n := len(b.delays)
	p90, p99 := b.delays[n*9/10], b.delays[n*99/100]
	b.T.Logf("%d requests of another member: median %v, p90 %v, p99 %v, max %v", n, b.delays[n/2], p90, p99, b.delays[n-1])
	if svctest.IsLong() && p90 > maxDelay {
		b.T.Errorf("requests of another member: got a 90th percentile of %v, want at most %v", p90, maxDelay)
	}
}
