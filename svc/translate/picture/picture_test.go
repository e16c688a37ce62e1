package picture

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"image"
	"image/color"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"appliance/svc/diskcache"
	"appliance/svc/outbound"
	"appliance/svc/raster"
	"appliance/svc/raster/rastertest"
)

// memory is the limit of decoding in tests.
const memory = 160 << 20

func decode(t *testing.T, file []byte) image.Image {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func near(a, b color.Color) bool {
	x, y := color.RGBAModel.Convert(a).(color.RGBA), color.RGBAModel.Convert(b).(color.RGBA)
	return max(x.R, y.R)-min(x.R, y.R) < 30 && max(x.G, y.G)-min(x.G, y.G) < 30 && max(x.B, y.B)-min(x.B, y.B) < 30 && x.A == y.A
}

// site is a local server that counts requests.
type site struct {
	*httptest.Server
	mu       sync.Mutex
	requests map[string]int
}

func newSite(t *testing.T, handle http.HandlerFunc) *site {
	s := &site{requests: make(map[string]int)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests[r.URL.Path]++
		s.mu.Unlock()
		handle(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) count(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[path]
}

// clock is a time that tests advance.
type clock struct {
	mu   sync.Mutex
	time time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.time
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.time = c.time.Add(d)
}

// newService returns a Service that may contact only the site.
func newService(t *testing.T, s *site, cacheSize int64) (*Service, *clock) {
	t.Helper()
	policy, err := outbound.Public(strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	c := &clock{time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	client := outbound.New(policy, ClientOptions("appliance/test"))
	cache := diskcache.New("pictures", t.TempDir(), cacheSize, c.now, slog.New(slog.DiscardHandler))
	return New(client, cache, raster.New(memory), c.now), c
}

func TestPictureIsFetchedOnce(t *testing.T) {
	file := rastertest.PNG(t, rastertest.Halves(40, 20))
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html") // not trusted
		w.Write(file)
	})
	service, _ := newService(t, s, CacheSize)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			p, err := service.Picture(t.Context(), s.URL+"/a.png")
			if err != nil || p.Type != "image/jpeg" {
				t.Errorf("got %+v, %v, want a JPEG picture", p, err)
			}
		})
	}
	group.Wait()
	p, err := service.Picture(t.Context(), s.URL+"/a.png")
	if err != nil || decode(t, p.Data).Bounds().Dx() != 40 {
		t.Errorf("got error %v, want the picture from the cache", err)
	}
	if got := s.count("/a.png"); got != 1 {
		t.Errorf("got %d requests, want 1", got)
	}
}

// A thumbnail is made from the picture, which is fetched once, and is cached.
func TestThumb(t *testing.T) {
	file := rastertest.PNG(t, rastertest.Halves(2000, 1000))
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/a.png" {
			w.Write(file)
			return
		}
		http.NotFound(w, r)
	})
	service, _ := newService(t, s, CacheSize)
	for name, c := range map[string]struct {
		load func(context.Context, string) (*Picture, error)
		want image.Point
	}{"thumbnail": {service.Thumb, image.Pt(ThumbSide, ThumbSide/2)}, "picture": {service.Picture, image.Pt(MaxSide, MaxSide/2)}} {
		for range 2 {
			p, err := c.load(t.Context(), s.URL+"/a.png")
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			m := decode(t, p.Data)
			if got := m.Bounds().Size(); got != c.want || !near(m.At(10, 10), rastertest.Red) || !near(m.At(got.X-10, 10), rastertest.Blue) {
				t.Errorf("%s: got %v with the colors %v and %v, want %v, rastertest.Red and blue", name, got, m.At(10, 10), m.At(got.X-10, 10), c.want)
			}
			if _, err := c.load(t.Context(), s.URL+"/absent"); ReasonOf(err) != Unreachable || err == nil {
				t.Errorf("%s: got %v, want an error", name, err)
			}
		}
	}
	if service.findCached(cacheKey(s.URL+"/a.png", ThumbSide)) == nil {
		t.Error("got no thumbnail in the cache, want one")
	}
	if a, absent := s.count("/a.png"), s.count("/absent"); a != 1 || absent != 1 {
		t.Errorf("got %d and %d requests, want one for each file", a, absent)
	}
}

func TestCacheIsBounded(t *testing.T) {
	file := rastertest.PNG(t, rastertest.Halves(40, 20))
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { w.Write(file) })
	service, clock := newService(t, s, 2*4096)
	for _, path := range []string{"/1", "/2", "/3", "/3", "/1"} {
		clock.advance(time.Minute)
		if _, err := service.Picture(t.Context(), s.URL+path); err != nil {
			t.Fatal(err)
		}
	}
	if got := []int{s.count("/1"), s.count("/2"), s.count("/3")}; fmt.Sprint(got) != "[2 1 1]" {
		t.Errorf("got %v requests, want [2 1 1]: the oldest entry is removed", got)
	}
}

func TestFailuresAreCached(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/svg":
			w.Header().Set("Content-Type", "image/png")
			fmt.Fprint(w, "<svg/>")
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			block := make([]byte, 1<<20)
			for range 64 {
				z.Write(block)
			}
			z.Close()
		default:
			http.NotFound(w, r)
		}
	})
	service, clock := newService(t, s, CacheSize)
	for path, c := range map[string]struct {
		want  Reason
		retry time.Duration
	}{"/svg": {Unsupported, retryFile}, "/bomb": {TooLarge, retryFile}, "/absent": {Unreachable, retryFetch}} {
		for range 3 {
			if _, err := service.Picture(t.Context(), s.URL+path); err == nil || ReasonOf(err) != c.want {
				t.Errorf("%s: got %v, want reason %d", path, err, c.want)
			}
		}
		if got := s.count(path); got != 1 {
			t.Errorf("%s: got %d requests, want 1", path, got)
		}
		clock.advance(c.retry)
		service.Picture(t.Context(), s.URL+path)
		if got := s.count(path); got != 2 {
			t.Errorf("%s: got %d requests after %s, want 2", path, got, c.retry)
		}
	}
	_, err := service.Picture(t.Context(), "http://127.0.0.2/x.png")
	if err == nil || outbound.ReasonOf(err) != outbound.Blocked {
		t.Errorf("got %v, want an address that is blocked", err)
	}
	_, err = service.Picture(t.Context(), "data:image/png;base64,x")
	if err == nil || ReasonOf(err) != Unreachable {
		t.Errorf("got %v, want an error", err)
	}
}

func TestCachedFailuresAreBounded(t *testing.T) {
	f, now := newFailures(), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 3 * maxFailures {
		f.add(fmt.Sprint(i), &Error{Reason: Damaged, Err: fmt.Errorf("x")}, now)
	}
	if last := fmt.Sprint(3*maxFailures - 1); len(f.list) != maxFailures || f.get(last, now) == nil {
		t.Errorf("got %d failures, want %d with the last one", len(f.list), maxFailures)
	}
}

// A slow host has at most maxPerHost requests at a time.
func TestFetchesFromOneHostAreLimited(t *testing.T) {
	file := rastertest.PNG(t, rastertest.Halves(4, 4))
	arrived, proceed := make(chan struct{}, 10), make(chan struct{})
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-proceed
		w.Write(file)
	})
	service, _ := newService(t, s, CacheSize)
	var group sync.WaitGroup
	for i := range 5 {
		group.Go(func() {
			if _, err := service.Picture(t.Context(), fmt.Sprintf("%s/%d", s.URL, i)); err != nil {
				t.Error(err)
			}
		})
	}
	for range maxPerHost {
		<-arrived
	}
	service.mu.Lock()
	free := service.hosts["127.0.0.1"].TryAcquire(1)
	service.mu.Unlock()
	if free {
		t.Errorf("got another fetch during %d, want it to wait", maxPerHost)
	}
	for range 5 {
		proceed <- struct{}{}
	}
	group.Wait()
	if len(service.hosts) != 0 {
		t.Errorf("got %d hosts, want none without fetches", len(service.hosts))
	}
}

// fileClient returns a file for each address, and counts the requests.
type fileClient struct {
	file     []byte
	requests atomic.Int64
}

func (c *fileClient) Get(context.Context, string, http.Header) (*outbound.Response, error) {
	c.requests.Add(1)
	return &outbound.Response{Status: http.StatusOK, Body: c.file}, nil
}

// A file keeps the slot of its fetch until it is decoded, which limits the files in
// memory.
func TestFilesThatWaitForTheDecoderAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &fileClient{file: rastertest.PNG(t, rastertest.Halves(4, 4))}
		service := New(client, diskcache.New("pictures", t.TempDir(), CacheSize, time.Now, slog.New(slog.DiscardHandler)), raster.New(memory), time.Now)
		release, err := service.decoder.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for i := range 3 * maxFetches {
			group.Go(func() {
				if _, err := service.Picture(t.Context(), fmt.Sprintf("https://%d.example/", i)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if n := client.requests.Load(); n != maxFetches {
			t.Errorf("got %d files that wait for the decoder, want %d", n, maxFetches)
		}
		release()
		group.Wait()
	})
}
