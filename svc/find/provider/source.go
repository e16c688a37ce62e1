package provider

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"appliance/svc/outbound"
)

// maxConcurrent limits the concurrent requests to a server without an interval.
const maxConcurrent = 4

// defaultPause is the time without requests after the status 429 without a
// Retry-After header.
const defaultPause = time.Minute

// A server that has failed several times in succession is not asked for a while, so
// that searches do not wait for it.
const (
	maxFailures  = 3
	failurePause = 30 * time.Second
)

// source sends requests to one server.
type source struct {
	name     string
	base     string
	client   *outbound.Client
	timeout  time.Duration // of a search, with its retry and the time until it may start
	interval time.Duration // shortest time between two requests
	now      func() time.Time
	log      *slog.Logger
	slots    chan struct{} // holds a value for each request that delays others
	cache    *cache

	failure atomic.Pointer[Error] // of the latest search, nil if it succeeded

	mu          sync.Mutex
	pausedUntil time.Time
	pausedFor   time.Duration
	failures    int  // attempts in succession that have failed
	failureCode Code // of the latest failed attempt
}

// address returns the URL of a path below the base URL.
func (s *source) address(path string, query url.Values) string {
	return strings.TrimRight(s.base, "/") + path + "?" + query.Encode()
}

// fetch requests an address and parses the response. It keeps responses that can be
// parsed for a day.
func fetch[T any](ctx context.Context, s *source, address string, header http.Header, parse func([]byte) ([]T, error)) ([]T, error) {
	if body, ok := s.cache.get(address); ok {
		if list, err := parse(body); err == nil {
			return list, nil
		}
	}
	body, err := s.get(ctx, address, header)
	if err != nil {
		return nil, err
	}
	list, err := parse(body)
	if err != nil {
		if e, ok := errors.AsType[*Error](err); ok {
			return nil, e
		}
		return nil, s.badResponse(err)
	}
	s.cache.put(address, body)
	return list, nil
}

// get requests an address, once more if the server or its proxy seems to restart.
func (s *source) get(ctx context.Context, address string, header http.Header) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	body, again, err := s.attempt(ctx, address, header)
	if again && ctx.Err() == nil {
		body, _, err = s.attempt(ctx, address, header)
	}
	return body, err
}

// attempt requests an address once. again reports whether a second attempt may
// succeed.
func (s *source) attempt(ctx context.Context, address string, header http.Header) (body []byte, again bool, err error) {
	if err := s.checkPause(); err != nil {
		return nil, false, err
	}
	release, err := s.acquire(ctx)
	if err != nil {
		return nil, false, err
	}
	defer release()
	r, err := s.client.Get(ctx, address, header)
	if err != nil {
		e := s.transportError(err)
		s.countFailure(ctx, e)
		return nil, outbound.ReasonOf(err) == outbound.Unreachable, e
	}
	switch {
	case r.Status == http.StatusTooManyRequests:
		s.pause(r.RetryAfter)
		return nil, false, s.errorf(RateLimited, true, nil, "has too many requests. Try again later.")
	case r.Status == http.StatusForbidden && s.name == PagesName && strings.Contains(address, "format=json"):
		return nil, false, s.errorf(HTTPError, false, nil, "refuses JSON. The operator must add json to search.formats in the settings.yml of SearXNG.")
	case r.Status < 200 || r.Status > 299:
		restarts := r.Status == http.StatusBadGateway || r.Status == http.StatusServiceUnavailable || r.Status == http.StatusGatewayTimeout
		e := s.errorf(HTTPError, r.Status >= 500, nil, "failed with status %d.", r.Status)
		s.countFailure(ctx, e)
		return nil, restarts, e
	}
	s.countSuccess()
	return r.Body, false, nil
}

// transportError returns the error for a request without a response.
func (s *source) transportError(err error) *Error {
	switch outbound.ReasonOf(err) {
	case outbound.TimedOut:
		return s.errorf(Timeout, true, err, "did not answer in time.")
	case outbound.Blocked:
		return s.errorf(Blocked, false, err, "refers to a server that is not permitted.")
	case outbound.Unreachable:
		return s.errorf(HTTPError, true, err, "cannot be reached.")
	}
	return s.badResponse(err)
}

// acquire waits until a request may start. The caller calls release after it.
func (s *source) acquire(ctx context.Context) (release func(), err error) {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, s.errorf(RateLimited, true, ctx.Err(), "has too many requests. Try again in a moment.")
	}
	free := func() { <-s.slots }
	if s.interval > 0 {
		time.AfterFunc(s.interval, free)
		return func() {}, nil
	}
	return free, nil
}

// pause prevents requests for a time, as the server requests in Retry-After.
func (s *source) pause(d time.Duration) {
	if d == 0 {
		d = defaultPause
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pausedUntil, s.pausedFor, s.failures = s.now().Add(d), d, 0
}

// countFailure records a failed attempt. After too many of them it prevents requests
// for a time; then one attempt decides. Attempts whose client has disconnected do
// not count.
func (s *source) countFailure(ctx context.Context, e *Error) {
	if !e.Retryable || errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failureCode = e.Code
	if s.failures++; s.failures >= maxFailures {
		s.pausedUntil, s.pausedFor = s.now().Add(failurePause), failurePause
	}
}

func (s *source) countSuccess() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = 0
}

// checkPause returns the error for a request during a pause, nil if there is
// none.
func (s *source) checkPause() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait := s.pausedUntil.Sub(s.now())
	if wait <= 0 || wait > s.pausedFor { // over, or the clock was set back
		return nil
	}
	seconds := wait.Round(time.Second)
	if s.failures >= maxFailures {
		return s.errorf(s.failureCode, true, nil, "has failed several times. Try again in %s.", seconds)
	}
	return s.errorf(RateLimited, true, nil, "has too many requests. Try again in %s.", seconds)
}

// report records the result of a search and returns it. It logs only the first of
// consecutive failures, without the text of the search. It ignores a search whose
// client has disconnected.
func (s *source) report(ctx context.Context, err error) error {
	if err == nil {
		s.failure.Store(nil)
		return nil
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		e = s.badResponse(err)
	}
	if ctx.Err() == nil && s.failure.Swap(e) == nil {
		s.log.Warn("search failed", "provider", s.name, "code", e.Code, "err", e)
	}
	return e
}
