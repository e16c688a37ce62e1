package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"appliance/svc/maps/geo"
)

// fakeServer is a search server on this machine.
type fakeServer struct {
	*httptest.Server
	requests atomic.Int64
	last     atomic.Pointer[http.Request]
}

func serve(t *testing.T, h http.HandlerFunc) *fakeServer {
	t.Helper()
	f := new(fakeServer)
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.requests.Add(1)
		f.last.Store(r)
		h(w, r)
	}))
	t.Cleanup(f.Close)
	return f
}

func answer(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, body) }
}

// testClock is a clock that a test sets.
type testClock struct{ now time.Time }

func newClock() *testClock { return &testClock{time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)} }

func config(f *fakeServer, kind string, clock *testClock) Config {
	return Config{
		Kind: kind, URL: f.URL, Key: "the-key", UserAgent: "appliance/test", Now: func() time.Time { return clock.now }, Log: slog.New(slog.DiscardHandler),
	}
}

func newPlaces(t *testing.T, c Config) *Places {
	t.Helper()
	p, err := NewPlaces(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newPages(t *testing.T, c Config) *Pages {
	t.Helper()
	p, err := NewPages(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wantCode(t *testing.T, name string, err error, code Code, retryable bool) *Error {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Code != code || e.Retryable != retryable || e.Message == "" {
		t.Errorf("%s: got %v, want %s, retryable %v", name, err, code, retryable)
		return &Error{}
	}
	return e
}

func TestNominatimRequest(t *testing.T) {
	f := serve(t, answer(nominatimBody))
	c := config(f, Nominatim, newClock())
	c.URL += "/geo/"
	p := newPlaces(t, c)
	box := geo.Around(geo.Point{Latitude: 52.5, Longitude: 13.4}, 5000)
	for text, b := range map[string]*geo.Box{"pizza & ?!": &box, "Berlin": nil} {
		if got, err := p.Search(t.Context(), PlaceQuery{Text: text, Box: b, Language: "de-CH", Limit: 20}); err != nil || len(got) != 3 {
			t.Errorf("%s: got %v, %v, want 3 places", text, got, err)
		}
		r := f.last.Load()
		q := r.URL.Query()
		if r.URL.Path != "/geo/search" || q.Get("q") != text || q.Get("format") != "jsonv2" || q.Get("limit") != "20" || q.Get("accept-language") != "de-CH" || r.UserAgent() != "appliance/test" {
			t.Errorf("%s: got the request %s by %s, want the text verbatim", text, r.URL, r.UserAgent())
		}
		if (q.Get("bounded") == "1") != (b != nil) || q.Has("viewbox") != (b != nil) {
			t.Errorf("%s: got viewbox %q, want one only for a box", text, q.Get("viewbox"))
		}
		if b != nil {
			var west, south, east, north float64
			if n, _ := fmt.Sscanf(q.Get("viewbox"), "%f,%f,%f,%f", &west, &south, &east, &north); n != 4 || west > east || south > north || west < 13.3 || north > 52.6 {
				t.Errorf("got viewbox %s, want west, south, east, north", q.Get("viewbox"))
			}
		}
	}
}

func TestBoxOverTheAntimeridian(t *testing.T) {
	if got, want := formatBox(geo.Box{South: -1, West: 179, North: 1, East: -179}), "179.000000,-1.000000,181.000000,1.000000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPhotonRequest(t *testing.T) {
	f := serve(t, answer(photonBody))
	p := newPlaces(t, config(f, Photon, newClock()))
	for language, want := range map[string]string{"de-CH": "de", "es": "", "": ""} {
		box := geo.Box{South: 1, West: 2, North: 3, East: 4}
		if _, err := p.Search(t.Context(), PlaceQuery{Text: "x " + language, Box: &box, Language: language}); err != nil {
			t.Fatal(err)
		}
		q := f.last.Load().URL.Query()
		if f.last.Load().URL.Path != "/api" || q.Get("q") != "x "+language || q.Get("lang") != want || q.Get("bbox") != "2.000000,1.000000,4.000000,3.000000" || q.Get("lat") != "2.000000" || q.Get("lon") != "3.000000" {
			t.Errorf("language %q: got %s, want lang %q", language, f.last.Load().URL, want)
		}
	}
}

func TestPageRequests(t *testing.T) {
	f := serve(t, answer(searxngBody))
	if got, err := newPages(t, config(f, SearXNG, newClock())).Search(t.Context(), PageQuery{Text: "q?", Language: "de-CH"}); err != nil || len(got) != 2 {
		t.Errorf("got %v, %v, want 2 pages", got, err)
	}
	if q := f.last.Load().URL.Query(); q.Get("q") != "q?" || q.Get("format") != "json" || q.Get("language") != "de-CH" || f.last.Load().Header.Get("X-Subscription-Token") != "" {
		t.Errorf("SearXNG: got %s, want the text and the format", f.last.Load().URL)
	}
	f = serve(t, answer(braveBody))
	if got, err := newPages(t, config(f, Brave, newClock())).Search(t.Context(), PageQuery{Text: strings.Repeat("x", 500)}); err != nil || len(got) != 1 {
		t.Errorf("got %v, %v, want a page", got, err)
	}
	if r := f.last.Load(); r.URL.Path != "/res/v1/web/search" || len(r.URL.Query().Get("q")) != maxBraveQuery || r.Header.Get("X-Subscription-Token") != "the-key" {
		t.Errorf("Brave: got %s with the key %q, want the shortened text and the key", r.URL.Path, r.Header.Get("X-Subscription-Token"))
	}
}

func TestFailuresHaveCodes(t *testing.T) {
	other := serve(t, answer("[]"))
	for name, c := range map[string]struct {
		handle    http.HandlerFunc
		code      Code
		retryable bool
		requests  int64
	}{
		"500":       {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) }, HTTPError, true, 1},
		"404":       {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404) }, HTTPError, false, 1},
		"502 twice": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(502) }, HTTPError, true, 2},
		"503 twice": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) }, HTTPError, true, 2},
		"504 twice": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(504) }, HTTPError, true, 2},
		"429":       {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(429) }, RateLimited, true, 1},
		"HTML":      {answer("<!DOCTYPE html><html>"), BadResponse, true, 1},
		"huge":      {func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, maxResponse+1)) }, BadResponse, true, 1},
		"cut off": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "9")
			w.Write([]byte("["))
		}, BadResponse, true, 1},
		"redirect away": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) }, Blocked, false, 1},
		"metadata": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
		}, Blocked, false, 1},
	} {
		f := serve(t, c.handle)
		p := newPlaces(t, config(f, Nominatim, newClock()))
		_, err := p.Search(t.Context(), PlaceQuery{Text: "x"})
		wantCode(t, name, err, c.code, c.retryable)
		if p.Failure() == nil || p.Failure().Code != c.code {
			t.Errorf("%s: got failure %v, want it kept", name, p.Failure())
		}
		if got := f.requests.Load(); got != c.requests {
			t.Errorf("%s: got %d requests, want %d", name, got, c.requests)
		}
	}
	if n := other.requests.Load(); n != 0 {
		t.Errorf("got %d requests to another server, want none", n)
	}
}

func TestSecondAttemptSucceeds(t *testing.T) {
	first := true
	f := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if first {
			first = false
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, nominatimBody)
	})
	p := newPlaces(t, config(f, Nominatim, newClock()))
	if got, err := p.Search(t.Context(), PlaceQuery{Text: "x"}); err != nil || len(got) != 3 || p.Failure() != nil {
		t.Errorf("got %v, %v, want the places of the second attempt", got, err)
	}
}

func TestServerWithoutConnection(t *testing.T) {
	f := serve(t, answer("[]"))
	c := config(f, Nominatim, newClock())
	f.Close()
	_, err := newPlaces(t, c).Search(t.Context(), PlaceQuery{Text: "x"})
	wantCode(t, "closed port", err, HTTPError, true)
}

func TestSlowServerTimesOut(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	f := serve(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	p := newPages(t, config(f, SearXNG, newClock()))
	p.source.timeout = 30 * time.Millisecond
	_, err := p.Search(t.Context(), PageQuery{Text: "x"})
	wantCode(t, "slow server", err, Timeout, true)
}

func TestSearXNGWithoutJSONHasAHint(t *testing.T) {
	f := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusForbidden) })
	_, err := newPages(t, config(f, SearXNG, newClock())).Search(t.Context(), PageQuery{Text: "x"})
	if e := wantCode(t, "SearXNG", err, HTTPError, false); !strings.Contains(e.Message, "settings.yml") {
		t.Errorf("got %q, want the setting of SearXNG", e.Message)
	}
	_, err = newPages(t, config(f, Brave, newClock())).Search(t.Context(), PageQuery{Text: "x"})
	if e := wantCode(t, "Brave", err, HTTPError, false); strings.Contains(e.Message, "SearXNG") {
		t.Errorf("got %q, want no word of SearXNG", e.Message)
	}
}

func TestTooManyRequestsPauseTheServer(t *testing.T) {
	limited := true
	f := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if limited {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		io.WriteString(w, nominatimBody)
	})
	clock := newClock()
	p := newPlaces(t, config(f, Nominatim, clock))
	_, err := p.Search(t.Context(), PlaceQuery{Text: "x"})
	wantCode(t, "429", err, RateLimited, true)
	clock.now = clock.now.Add(-24 * time.Hour) // the clock is set back: the pause must not last for a day
	_, err = p.Search(t.Context(), PlaceQuery{Text: "x"})
	if wantCode(t, "429 again", err, RateLimited, true); f.requests.Load() != 2 {
		t.Errorf("after the clock was set back: got %d requests, want another", f.requests.Load())
	}
	limited = false
	clock.now = clock.now.Add(119 * time.Second)
	_, err = p.Search(t.Context(), PlaceQuery{Text: "x"})
	if wantCode(t, "during the pause", err, RateLimited, true); f.requests.Load() != 2 {
		t.Errorf("got %d requests, want none during the pause", f.requests.Load())
	}
	clock.now = clock.now.Add(time.Second)
	if got, err := p.Search(t.Context(), PlaceQuery{Text: "x"}); err != nil || len(got) != 3 {
		t.Errorf("after the pause: got %v, %v, want places", got, err)
	}
}

func TestResponsesAreCachedForADay(t *testing.T) {
	f := serve(t, answer(nominatimBody))
	clock := newClock()
	p := newPlaces(t, config(f, Nominatim, clock))
	for _, step := range []struct {
		text     string
		after    time.Duration
		requests int64
	}{{"x", 0, 1}, {"x", 24*time.Hour - 1, 1}, {"y", 0, 2}, {"x", time.Second, 3}, {"x", -48 * time.Hour, 4}} {
		clock.now = clock.now.Add(step.after)
		if got, err := p.Search(t.Context(), PlaceQuery{Text: step.text}); err != nil || len(got) != 3 || f.requests.Load() != step.requests {
			t.Errorf("%+v: got %d places, %v, %d requests", step, len(got), err, f.requests.Load())
		}
	}
}

func TestFailuresAreNotCached(t *testing.T) {
	body := "<html>"
	f := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, body) })
	p := newPlaces(t, config(f, Nominatim, newClock()))
	_, err := p.Search(t.Context(), PlaceQuery{Text: "x"})
	wantCode(t, "HTML", err, BadResponse, true)
	body = nominatimBody
	if got, err := p.Search(t.Context(), PlaceQuery{Text: "x"}); err != nil || len(got) != 3 {
		t.Errorf("got %v, %v, want places", got, err)
	}
}

func TestCacheIsBounded(t *testing.T) {
	clock := newClock()
	c := newCache(func() time.Time { return clock.now })
	body := bytes.Repeat([]byte("x"), maxCacheEntry-10)
	for i := range 100 {
		c.put(fmt.Sprint(i), body)
		c.get("0")
	}
	if c.size > maxCache || len(c.entries) != c.recent.Len() || len(c.entries) != maxCache/len(body) {
		t.Errorf("got %d bytes in %d entries, want up to %d bytes", c.size, len(c.entries), maxCache)
	}
	if _, ok := c.get("0"); !ok {
		t.Error("entry in use: got none, want it kept")
	}
	if _, ok := c.get("50"); ok {
		t.Error("old entry: got it, want it removed")
	}
	c.put("large", make([]byte, maxCacheEntry))
	if _, ok := c.get("large"); ok {
		t.Error("large response: got it, want it not kept")
	}
}

// Two requests are at least the interval apart, and a search does not wait longer
// than its time limit.
func TestIntervalBetweenRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{name: PlacesName, interval: time.Second, slots: make(chan struct{}, 1)}
		start := time.Now()
		for i := range 3 {
			release, err := s.acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			release()
			if got, want := time.Since(start), time.Duration(i)*time.Second; got != want {
				t.Errorf("request %d: got a start after %v, want %v", i, got, want)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		_, err := s.acquire(ctx)
		wantCode(t, "wait beyond the limit", err, RateLimited, true)
	})
}

func TestOnlyTheFirstOfConsecutiveFailuresIsLogged(t *testing.T) {
	status := 500
	f := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(status); io.WriteString(w, "[]") })
	var log bytes.Buffer
	c := config(f, Nominatim, newClock())
	c.Log = slog.New(slog.NewTextHandler(&log, nil))
	p := newPlaces(t, c)
	for i, step := range []struct{ status, lines int }{{500, 1}, {500, 1}, {200, 1}, {500, 2}} {
		status = step.status
		p.Search(t.Context(), PlaceQuery{Text: fmt.Sprint("secret", i)})
		if got := strings.Count(log.String(), "\n"); got != step.lines || strings.Contains(log.String(), "secret") {
			t.Errorf("step %d: got the log %s, want %d lines without the text", i, log.String(), step.lines)
		}
	}
}

func TestPanicOfAParserIsAFailure(t *testing.T) {
	p := newPlaces(t, config(serve(t, answer("[]")), Nominatim, newClock()))
	p.search = func(*source, context.Context, PlaceQuery) ([]Place, error) { panic("parser") }
	_, err := p.Search(t.Context(), PlaceQuery{Text: "x"})
	wantCode(t, "panic", err, BadResponse, true)
}

func TestInvalidConfigurationIsRejected(t *testing.T) {
	for _, c := range []Config{{Kind: "x", URL: "https://example.org"}, {Kind: Nominatim, URL: "example.org"}, {Kind: Brave, URL: "https://user@example.org"}} {
		_, errPlaces := NewPlaces(c)
		_, errPages := NewPages(c)
		if errPlaces == nil || errPages == nil {
			t.Errorf("%+v: got %v and %v, want errors", c, errPlaces, errPages)
		}
	}
	if u, err := url.Parse("https://example.org/x/"); err != nil || (&source{base: u.String()}).address("/search", url.Values{"q": {"a b"}}) != "https://example.org/x/search?q=a+b" {
		t.Error("got another address than the path below the base URL")
	}
}

// After consecutive failures, a server is not asked again before the end of a
// pause.
func TestFailingServerIsPaused(t *testing.T) {
	status := http.StatusInternalServerError
	f := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, nominatimBody)
	})
	clock := newClock()
	p := newPlaces(t, config(f, Photon, clock))
	for i := range maxFailures + 5 {
		_, err := p.Search(t.Context(), PlaceQuery{Text: "x"})
		wantCode(t, fmt.Sprint("search ", i), err, HTTPError, true)
	}
	if n := f.requests.Load(); n != maxFailures {
		t.Errorf("got %d requests, want %d", n, maxFailures)
	}
	clock.now = clock.now.Add(failurePause)
	_, err := p.Search(t.Context(), PlaceQuery{Text: "x"})
	wantCode(t, "after the pause", err, HTTPError, true)
	_, err = p.Search(t.Context(), PlaceQuery{Text: "x"})
	if wantCode(t, "during the next pause", err, HTTPError, true); f.requests.Load() != maxFailures+1 {
		t.Errorf("got %d requests, want one more after the pause", f.requests.Load())
	}
}
