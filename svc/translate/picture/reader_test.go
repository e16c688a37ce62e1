package picture

import (
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"appliance/svc/outbound"
)

// newReader returns a reader that may contact a server with the handler, whose URL it
// returns.
func newReader(t *testing.T, now func() time.Time, handle http.HandlerFunc) (*Reader, string) {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	policy, err := outbound.Public(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	return NewReader(policy, "test", memory, now), server.URL
}

func TestFailuresAreRemembered(t *testing.T) {
	picture := encodePNG(t, drawing(10, 10))
	now, requests, broken := time.Unix(0, 0), 0, true
	r, url := newReader(t, func() time.Time { return now }, func(w http.ResponseWriter, r *http.Request) {
		requests++
		if broken {
			http.Error(w, "no", http.StatusNotFound)
			return
		}
		w.Write(picture)
	})
	for range 3 {
		if _, err := r.Read(t.Context(), url); err == nil || requests != 1 {
			t.Fatalf("got %v after %d requests, want the failure of one request", err, requests)
		}
	}
	broken = false
	now = now.Add(failurePeriod)
	if data, err := r.Read(t.Context(), url); err != nil || requests != 2 {
		t.Errorf("after %v: got %d bytes, %v, %d requests, want the picture of another request", failurePeriod, len(data), err, requests)
	}
	for i := range maxFailures + 10 {
		r.remember(fmt.Sprint(i), errors.New("no"))
	}
	if len(r.failures) > maxFailures {
		t.Errorf("got %d failures in memory, want at most %d", len(r.failures), maxFailures)
	}
}

// Covers PT-34 for pictures.
func TestOnlyPicturesOfPublicServersAreRead(t *testing.T) {
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("got a request, want none") }))
	defer secret.Close()
	now := func() time.Time { return time.Unix(0, 0) }
	r, url := newReader(t, now, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, secret.URL, http.StatusFound)
		case "/large":
			w.Write(make([]byte, maxBody+1))
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			for range maxBody>>20 + 1 {
				if _, err := z.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
		default:
			w.Header().Set("Content-Type", "image/png")
			w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))
		}
	})
	for path, want := range map[string]outbound.Reason{"/redirect": outbound.Blocked, "/large": outbound.TooLarge, "/bomb": outbound.TooLarge} {
		if _, err := r.Read(t.Context(), url+path); outbound.ReasonOf(err) != want {
			t.Errorf("%s: got %v, want the reason %d", path, err, want)
		}
	}
	if _, err := r.Read(t.Context(), secret.URL); outbound.ReasonOf(err) != outbound.Blocked {
		t.Errorf("a server of this machine: got %v, want it blocked", err)
	}
	if _, err := r.Read(t.Context(), url+"/svg"); !errors.Is(err, ErrNoPicture) {
		t.Errorf("SVG: got %v, want %v", err, ErrNoPicture)
	}
}

// At most perHost requests go to one host at the same time.
func TestRequestsToOneHostAreLimited(t *testing.T) {
	var current, highest atomic.Int32
	arrived, release := make(chan struct{}, 100), make(chan struct{})
	r, url := newReader(t, time.Now, func(w http.ResponseWriter, _ *http.Request) {
		highest.Store(max(highest.Load(), current.Add(1)))
		arrived <- struct{}{}
		<-release
		current.Add(-1)
	})
	var reads sync.WaitGroup
	for i := range 3 * perHost {
		reads.Go(func() { _, _ = r.Read(t.Context(), fmt.Sprint(url, "/", i)) })
	}
	for range perHost {
		<-arrived
	}
	close(release)
	reads.Wait()
	if n := highest.Load(); n != perHost {
		t.Errorf("got %d requests at the same time, want %d", n, perHost)
	}
	if len(r.hosts) != 0 {
		t.Errorf("got %d hosts in memory after the last request, want none", len(r.hosts))
	}
}
