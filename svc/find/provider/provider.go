package provider

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
	"appliance/svc/outbound"
)

// Names of the searches, as responses to members name them.
const (
	PlacesName = "geocoder"
	PagesName  = "web"
)

// Kinds of servers.
const (
	Nominatim = "nominatim"
	Photon    = "photon"
	SearXNG   = "searxng"
	Brave     = "brave"
)

// Place is a place that a server has found.
type Place struct {
	Provider    string // "osm", or "geocoder" for a place without an id
	ProviderID  string // for example "node/1"
	Name        string
	Kind        string // for example "amenity=cafe", "" if unknown
	Address     string // in one line, without the name
	Point       geo.Point
	Website     string // "" if unknown
	Attribution mapdata.Attribution
}

// Page is a web page that a server has found.
type Page struct {
	URL     string // of scheme http or https
	Title   string
	Summary string
}

// PlaceQuery is a search for places.
type PlaceQuery struct {
	Text     string   // as the member wrote it
	Box      *geo.Box // limits the places; nil for everywhere
	Language string   // of names, such as "de-CH"; "" for that of the server
	Limit    int
}

// PageQuery is a search for web pages.
type PageQuery struct {
	Text     string
	Language string
}

// Config configures the search on one server.
type Config struct {
	Kind     string        // for example [Nominatim]
	URL      string        // base URL of the server
	Key      string        // for [Brave]
	Interval time.Duration // shortest time between two requests; 0 for no limit

	UserAgent string
	Now       func() time.Time
	Log       *slog.Logger
}

// Places searches places on a server.
type Places struct {
	source *source
	search func(*source, context.Context, PlaceQuery) ([]Place, error)
}

// Pages searches web pages on a server.
type Pages struct {
	source *source
	key    string
	search func(*Pages, context.Context, PageQuery) ([]Page, error)
}

// NewPlaces returns the search for places on a server.
func NewPlaces(c Config) (*Places, error) {
	p := &Places{}
	timeout := 5 * time.Second
	switch c.Kind {
	case Nominatim:
		p.search = searchNominatim
	case Photon:
		p.search, timeout = searchPhoton, 4*time.Second
	default:
		return nil, fmt.Errorf("there is no place search %q", c.Kind)
	}
	var err error
	p.source, err = newSource(PlacesName, c, timeout)
	return p, err
}

// NewPages returns the search for web pages on a server.
func NewPages(c Config) (*Pages, error) {
	p := &Pages{key: c.Key}
	timeout := 8 * time.Second
	switch c.Kind {
	case SearXNG:
		p.search = searchSearXNG
	case Brave:
		p.search, timeout = searchBrave, 5*time.Second
	default:
		return nil, fmt.Errorf("there is no web search %q", c.Kind)
	}
	var err error
	p.source, err = newSource(PagesName, c, timeout)
	return p, err
}

// Search returns the places that a server has found, the best first. Errors are of
// type [Error].
func (p *Places) Search(ctx context.Context, q PlaceQuery) ([]Place, error) {
	q.Limit = cmp.Or(q.Limit, maxResults)
	return attempt(ctx, p.source, func() ([]Place, error) { return p.search(p.source, ctx, q) })
}

// Search returns the pages that a server has found, the best first. Errors are of
// type [Error].
func (p *Pages) Search(ctx context.Context, q PageQuery) ([]Page, error) {
	return attempt(ctx, p.source, func() ([]Page, error) { return p.search(p, ctx, q) })
}

// attempt calls search and reports its result. A panic is an error, because a
// response of another server may cause it.
func attempt[T any](ctx context.Context, s *source, search func() ([]T, error)) (list []T, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
		err = s.report(ctx, err)
	}()
	return search()
}

// Failure returns the error of the latest search, nil if it succeeded.
func (p *Places) Failure() *Error { return p.source.failure.Load() }

// Failure returns the error of the latest search, nil if it succeeded.
func (p *Pages) Failure() *Error { return p.source.failure.Load() }

// maxResults limits the results of one response.
const maxResults = 40

// maxResponse limits the size of a response, in bytes.
const maxResponse = 1 << 20

// newSource returns the source of a server.
func newSource(name string, c Config, timeout time.Duration) (*source, error) {
	policy, err := outbound.Configured(c.URL)
	if err != nil {
		return nil, err
	}
	client := outbound.New(policy, outbound.Options{UserAgent: c.UserAgent, Timeout: timeout, MaxBody: maxResponse})
	concurrent := maxConcurrent
	if c.Interval > 0 {
		concurrent = 1
	}
	return &source{
		name: name, base: c.URL, client: client, timeout: timeout, interval: c.Interval, now: c.Now, log: c.Log,
		slots: make(chan struct{}, concurrent), cache: newCache(c.Now),
	}, nil
}
