package calendar

import (
	"fmt"
	"maps"
	"net/http"
	"sync"
	"testing"

	"appliance/app/apptest"
)

// newConcurrentFixture returns a fixture whose CalDAV client opens many
// connections. Its password is verified before the test, because the number of
// concurrent password verifications is limited.
func newConcurrentFixture(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t, apptest.Unlimited)
	f.dav.HTTP.Transport = &http.Transport{MaxIdleConnsPerHost: 100}
	f.dav.Do("OPTIONS", f.path).Want(200)
	return f
}

// requestStatus sends a request and returns the status. Unlike Do, it can be
// called from any goroutine.
func (f *fixture) requestStatus(c *apptest.Client, method, path string, body ...any) int {
	a, err := c.Try(method, path, body...)
	if err != nil {
		f.t.Error(err)
		return 0
	}
	return a.Status
}

// wantStatuses sends n requests at once and fails the test unless one has the
// status winner and all others have the status loser.
func (f *fixture) wantStatuses(name string, n, winner, loser int, send func(i int) (status int)) {
	f.t.Helper()
	got := make(map[int]int)
	var mu sync.Mutex
	var requests sync.WaitGroup
	for i := range n {
		requests.Go(func() {
			status := send(i)
			mu.Lock()
			defer mu.Unlock()
			got[status]++
		})
	}
	requests.Wait()
	if want := map[int]int{winner: 1, loser: n - 1}; !maps.Equal(got, want) {
		f.t.Errorf("%s: got statuses %v, want %v", name, got, want)
	}
}

func numberedEvent(uid string, n int) string { return event(uid, fmt.Sprint("SUMMARY:", n)) }

// Of concurrent requests that exclude each other, exactly one succeeds. Covers
// C-15, C-24 and PT-39.
func TestOneOfConcurrentWritesSucceeds(t *testing.T) {
	f := newConcurrentFixture(t)
	eventPath := f.path + "one.ics"
	f.wantStatuses("PUT of a new object", 100, 201, 412, func(i int) int {
		return f.requestStatus(f.dav.With("If-None-Match", "*"), "PUT", eventPath, numberedEvent("one", i))
	})
	f.wantStatuses("PUT of one UID with different names", 100, 201, 403, func(i int) int {
		return f.requestStatus(f.dav, "PUT", fmt.Sprintf("%suid-%d.ics", f.path, i), numberedEvent("clash", i))
	})
	etag := f.dav.Do("GET", eventPath).Want(200).Header.Get("ETag")
	f.wantStatuses("PUT with the current ETag", 50, 204, 412, func(i int) int {
		return f.requestStatus(f.dav.With("If-Match", etag), "PUT", eventPath, numberedEvent("one", 1000+i))
	})
	f.wantStatuses("DELETE", 50, 204, 404, func(int) int { return f.requestStatus(f.dav, "DELETE", eventPath) })
	f.wantStatuses("MKCALENDAR", 20, 201, 403, func(int) int { return f.requestStatus(f.dav, "MKCALENDAR", homePath+"new/") })

	created := f.ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).Want(201)
	client, path := f.ann.With("If-Match", created.Str("object.state.etag")), created.Str("object.links.self")
	f.wantStatuses("JSON PATCH with the current ETag", 50, 200, 412, func(i int) int {
		return f.requestStatus(client, "PATCH", path, fmt.Sprintf(`{"title": "%d"}`, i))
	})
}

// A client that synchronizes while other clients create and delete objects has
// the contents of the calendar after the last synchronization. Covers PT-39.
func TestSynchronizationDuringWritesConverges(t *testing.T) {
	f := newConcurrentFixture(t)
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 25 {
				uid := fmt.Sprintf("busy-%d-%d", w, i%5)
				if path := f.path + uid + ".ics"; i%10 < 5 {
					f.requestStatus(f.dav, "PUT", path, numberedEvent(uid, i))
				} else {
					f.requestStatus(f.dav, "DELETE", path)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	var replica apptest.Replica
	for written := false; !written; {
		select {
		case <-done:
			written = true
		default:
		}
		replica = f.synchronize(f.path, replica, 3)
	}
	if want := f.etags(f.path); !maps.Equal(replica.ETags, want) {
		t.Errorf("synchronized client: got %v, want %v", replica.ETags, want)
	}
}
