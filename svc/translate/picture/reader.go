package picture

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"appliance/svc/outbound"
)

// Limits of the requests for pictures.
const (
	timeout = 10 * time.Second
	maxBody = 8 << 20 // bytes
	perHost = 2       // requests to one host at the same time
)

// Failures are remembered, so that a broken picture is not fetched at each view.
const (
	failurePeriod = 10 * time.Minute
	maxFailures   = 1000
)

// Reader fetches pictures. It may be used by several goroutines.
type Reader struct {
	client  *outbound.Client
	now     func() time.Time
	pixels  int64 // memory for the pixels of one picture, in bytes
	decoder *semaphore.Weighted

	mu       sync.Mutex
	hosts    map[string]*host
	failures map[string]failure // by address
}

// host limits the requests to one host.
type host struct {
	slots *semaphore.Weighted
	users int
}

type failure struct {
	err   error
	until time.Time
}

// NewReader returns a Reader that fetches pictures from the servers that the policy
// permits. memory limits the pixels of a picture, in bytes.
func NewReader(policy outbound.Policy, userAgent string, memory int64, now func() time.Time) *Reader {
	return &Reader{
		client: outbound.New(policy, outbound.Options{UserAgent: userAgent, Timeout: timeout, MaxBody: maxBody}),
		now:    now, pixels: memory, decoder: semaphore.NewWeighted(1),
		hosts: make(map[string]*host), failures: make(map[string]failure),
	}
}

// Errors of [Reader.Read], beside those of package outbound.
var (
	ErrNoPicture = errors.New("not a PNG, JPEG, GIF or WebP picture")
	ErrTooLarge  = errors.New("the picture has too many pixels")
)

// accept is the Accept header of requests for pictures.
var accept = http.Header{"Accept": {"image/webp,image/png,image/jpeg,image/gif"}}

// Read fetches the picture at an address and encodes it again. A failure is returned
// again for [failurePeriod] without another request.
func (r *Reader) Read(ctx context.Context, address string) ([]byte, error) {
	if err := r.failed(address); err != nil {
		return nil, err
	}
	data, err := r.read(ctx, address)
	if err != nil && ctx.Err() == nil {
		r.remember(address, err)
	}
	return data, err
}

func (r *Reader) read(ctx context.Context, address string) ([]byte, error) {
	body, err := r.fetch(ctx, address)
	if err != nil {
		return nil, err
	}
	if err := r.decoder.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer r.decoder.Release(1)
	return encode(body, r.pixels)
}

// fetch returns the body of a response.
func (r *Reader) fetch(ctx context.Context, address string) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	h := r.join(u.Host)
	defer r.leave(u.Host)
	if err := h.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer h.slots.Release(1)
	a, err := r.client.Get(ctx, address, accept)
	if err != nil {
		return nil, err
	}
	if a.Status != http.StatusOK {
		return nil, fmt.Errorf("status %d", a.Status)
	}
	return a.Body, nil
}

// join returns the limit of a host. The caller must call leave.
func (r *Reader) join(name string) *host {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.hosts[name]
	if h == nil {
		h = &host{slots: semaphore.NewWeighted(perHost)}
		r.hosts[name] = h
	}
	h.users++
	return h
}

func (r *Reader) leave(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h := r.hosts[name]; h.users > 1 {
		h.users--
	} else {
		delete(r.hosts, name)
	}
}

// failed returns the error of the latest attempt to read a picture, nil if there was
// none in the last minutes.
func (r *Reader) failed(address string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f, ok := r.failures[address]; ok && r.now().Before(f.until) {
		return f.err
	}
	delete(r.failures, address)
	return nil
}

// remember records a failure. If there are too many, it forgets another one.
func (r *Reader) remember(address string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.failures) >= maxFailures {
		for other := range r.failures {
			delete(r.failures, other)
			break
		}
	}
	r.failures[address] = failure{err, r.now().Add(failurePeriod)}
}
