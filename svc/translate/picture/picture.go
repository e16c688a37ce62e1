package picture

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"appliance/svc/diskcache"
	"appliance/svc/outbound"
	"appliance/svc/raster"
)

const (
	// MaxSide is the largest width and height of a picture in pixels.
	MaxSide = 1600
	// ThumbSide is that of a thumbnail.
	ThumbSide = 320
	// MaxBody is the limit of the file of a picture in bytes. The client should have
	// the same limit.
	MaxBody = 8 << 20
	// CacheSize is the recommended limit of the cache in bytes.
	CacheSize = 256 << 20

	timeout    = 20 * time.Second // of a picture, including waiting
	maxFetches = 4                // concurrent fetches, including decoding
	maxPerHost = 2                // of these, from one host
	version    = 2                // of the results; increment it when [raster.Decoder.Fit] changes
)

// ClientOptions returns the options of a client that fetches pictures.
func ClientOptions(userAgent string) outbound.Options {
	return outbound.Options{UserAgent: userAgent, Timeout: timeout, MaxBody: MaxBody}
}

// Client fetches the files. [outbound.Client] implements it.
type Client interface {
	Get(ctx context.Context, address string, header http.Header) (*outbound.Response, error)
}

// Picture is an encoded picture.
type Picture struct {
	Data []byte
	Type string // "image/jpeg" or "image/png"
}

// Service fetches pictures. It is safe for concurrent use.
type Service struct {
	client   Client
	cache    *diskcache.Cache
	decoder  *raster.Decoder
	now      func() time.Time
	failures *failures

	running singleflight.Group
	fetches *semaphore.Weighted

	mu    sync.Mutex
	hosts map[string]*host // with running or waiting fetches
}

// host limits the fetches from one host.
type host struct {
	*semaphore.Weighted
	users int // running and waiting fetches
}

// New returns a Service. Cached errors expire by the clock now.
func New(client Client, cache *diskcache.Cache, decoder *raster.Decoder, now func() time.Time) *Service {
	return &Service{
		client: client, cache: cache, decoder: decoder, now: now, failures: newFailures(),
		fetches: semaphore.NewWeighted(maxFetches), hosts: make(map[string]*host),
	}
}

// cacheKey returns the key of the picture of a source, at most side pixels wide and
// high.
func cacheKey(source string, side int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", version, side, source))
	return fmt.Sprintf("%x", sum[:16])
}

// Picture returns the picture at an address, at most [MaxSide] pixels wide and high,
// from the cache if it is there. A source that has failed recently is not fetched
// again. Errors are of type [Error] or those of the context.
func (s *Service) Picture(ctx context.Context, source string) (*Picture, error) {
	key := cacheKey(source, MaxSide)
	return s.load(ctx, key, func(ctx context.Context) ([]byte, error) {
		if err := s.failures.get(key, s.now()); err != nil {
			return nil, err
		}
		data, err := s.fetch(ctx, source)
		if err != nil {
			err = s.failures.add(key, err, s.now())
		}
		return data, err
	})
}

// Thumb is [Service.Picture] for a thumbnail, at most [ThumbSide] pixels wide and high.
// It is made from the picture, so that the site is asked for the file once.
func (s *Service) Thumb(ctx context.Context, source string) (*Picture, error) {
	key := cacheKey(source, ThumbSide)
	if p := s.findCached(key); p != nil {
		return p, nil
	}
	p, err := s.Picture(ctx, source)
	if err != nil {
		return nil, err
	}
	return s.load(ctx, key, func(ctx context.Context) ([]byte, error) { return s.convert(ctx, p.Data, ThumbSide) })
}

// load returns the picture with a key from the cache. If it is not there, load calls
// produce, once for concurrent callers, and stores the result.
func (s *Service) load(ctx context.Context, key string, produce func(context.Context) ([]byte, error)) (*Picture, error) {
	if p := s.findCached(key); p != nil {
		return p, nil
	}
	// This continues if a client disconnects, because other callers may wait
	// for it.
	done := s.running.DoChan(key, func() (any, error) {
		if p := s.findCached(key); p != nil { // stored since
			return p, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
		defer cancel()
		data, err := produce(ctx)
		if err != nil {
			return nil, err
		}
		s.cache.Put(key, data)
		return newPicture(data), nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-done:
		if result.Err != nil {
			return nil, result.Err
		}
		return result.Val.(*Picture), nil
	}
}

// findCached returns the picture in the cache, nil if there is none.
func (s *Service) findCached(key string) *Picture {
	data, ok := s.cache.Get(key)
	if !ok || len(data) == 0 {
		return nil
	}
	return newPicture(data)
}

func newPicture(data []byte) *Picture {
	return &Picture{Data: data, Type: raster.Type(data)}
}

// fetch fetches and converts a picture.
func (s *Service) fetch(ctx context.Context, source string) ([]byte, error) {
	u, err := url.Parse(source)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &Error{Reason: Unreachable, Err: fmt.Errorf("the source is not an http or https URL")}
	}
	// The slot is held until the file is decoded, which limits the files in memory.
	release, err := s.acquire(ctx, u.Hostname())
	if err != nil {
		return nil, &Error{Reason: Busy, Err: err}
	}
	defer release()
	body, err := s.download(ctx, source)
	if err != nil {
		return nil, err
	}
	return s.convert(ctx, body, MaxSide)
}

// convert reduces the picture in a file.
func (s *Service) convert(ctx context.Context, file []byte, side int) ([]byte, error) {
	data, err := s.decoder.Fit(ctx, file, side)
	if err != nil {
		return nil, &Error{Reason: decodingReasons[raster.ReasonOf(err)], Err: err}
	}
	return data, nil
}

var accepted = http.Header{"Accept": {"image/webp,image/png,image/jpeg,image/gif"}}

// download returns the file at an address.
func (s *Service) download(ctx context.Context, source string) ([]byte, error) {
	r, err := s.client.Get(ctx, source, accepted)
	switch {
	case err != nil && outbound.ReasonOf(err) == outbound.TooLarge:
		return nil, &Error{Reason: TooLarge, Err: err}
	case err != nil:
		return nil, &Error{Reason: Unreachable, Err: err}
	case r.Status != http.StatusOK:
		return nil, &Error{Reason: Unreachable, Err: fmt.Errorf("status %d", r.Status)}
	case len(r.Body) > MaxBody:
		return nil, &Error{Reason: TooLarge, Err: fmt.Errorf("the file has more than %d bytes", MaxBody)}
	}
	return r.Body, nil
}

// acquire waits until a fetch from a host may start. The caller must call release
// once.
func (s *Service) acquire(ctx context.Context, name string) (release func(), err error) {
	s.mu.Lock()
	h := s.hosts[name]
	if h == nil {
		h = &host{Weighted: semaphore.NewWeighted(maxPerHost)}
		s.hosts[name] = h
	}
	h.users++
	s.mu.Unlock()
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if h.users--; h.users == 0 {
			delete(s.hosts, name)
		}
	}
	if err := h.Acquire(ctx, 1); err != nil {
		leave()
		return nil, err
	}
	if err := s.fetches.Acquire(ctx, 1); err != nil {
		h.Release(1)
		leave()
		return nil, err
	}
	return func() {
		s.fetches.Release(1)
		h.Release(1)
		leave()
	}, nil
}
