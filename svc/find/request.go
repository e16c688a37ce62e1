package find

import (
	"strings"

	"appliance/svc"
	"appliance/svc/find/provider"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
)

// Scope is the scope of a search.
type Scope string

const (
	Nearby     Scope = "nearby"     // places around an origin
	Everywhere Scope = "everywhere" // places and web pages
)

// Values implements [svc.Set].
func (Scope) Values() []string { return svc.Values(Nearby, Everywhere) }

// Status is the status of a search.
type Status string

const (
	StatusOK               Status = "ok" // also without findings
	StatusLocationRequired Status = "location_required"
	StatusProviderError    Status = "provider_error" // no provider has answered
)

// Values implements [svc.Set].
func (Status) Values() []string {
	return svc.Values(StatusOK, StatusLocationRequired, StatusProviderError)
}

// Limits of a search, in meters.
const (
	DefaultRadius = 5000
	minRadius     = 50
	maxRadius     = 5000
)

// Request is a search.
type Request struct {
	Query        string `json:"query"`
	Scope        Scope  `json:"scope"`
	Origin       Origin `json:"origin"`        // required for nearby
	RadiusMeters *int   `json:"radius_meters"` // of nearby, 5000 by default and at most
}

// Origin is the position around which a member searches. It may be absent.
type Origin struct {
	Latitude  *float64 `json:"latitude"`
	Longitude *float64 `json:"longitude"`
}

// point returns the position, nil if it is absent.
func (o Origin) point() (*geo.Point, error) {
	if o.Latitude == nil && o.Longitude == nil {
		return nil, nil
	}
	if o.Latitude == nil {
		return nil, svc.Required("origin.latitude")
	}
	if o.Longitude == nil {
		return nil, svc.Required("origin.longitude")
	}
	p := geo.Point{Latitude: *o.Latitude, Longitude: *o.Longitude}
	return &p, maps.CheckPoint("origin.", p)
}

// check validates a request and completes it.
func (r *Request) check() (origin *geo.Point, err error) {
	r.Query = strings.TrimSpace(r.Query)
	err = svc.Join(svc.CheckLine("query", r.Query, maps.MaxQuery), svc.CheckChosen("scope", r.Scope))
	origin, wrong := r.Origin.point()
	return origin, svc.Join(err, wrong)
}

// radius returns the radius that is applied.
func (r *Request) radius() int {
	if r.RadiusMeters == nil {
		return DefaultRadius
	}
	return min(max(*r.RadiusMeters, minRadius), maxRadius)
}

// Outcome is the result of a search. Schema: service.find.result.
type Outcome struct {
	Status         Status                  `json:"status"`
	QueryID        string                  `json:"query_id"` // of the search in the history
	Applied        Applied                 `json:"applied"`
	Findings       svc.List[svc.Finding]   `json:"findings"`        // the best first
	ProviderErrors svc.List[ProviderError] `json:"provider_errors"` // of providers that have not answered
	Error          *svc.ErrorDetail        `json:"error"`           // null if the status is ok
	Message        string                  `json:"message"`
}

// Applied is the scope of a search after its place has been resolved.
type Applied struct {
	Scope        Scope     `json:"scope"`
	Origin       *Position `json:"origin"`        // null for everywhere
	RadiusMeters int       `json:"radius_meters"` // of nearby
	Place        *string   `json:"place"`         // the place of a search such as "tea near Lisbon", else null
}

// Position is a position in degrees (WGS 84).
type Position struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// newPosition returns a position, nil for nil.
func newPosition(p *geo.Point) *Position {
	if p == nil {
		return nil
	}
	return &Position{p.Latitude, p.Longitude}
}

// ProviderError says that a provider has not answered.
type ProviderError struct {
	Provider  string        `json:"provider"` // "maps", "geocoder" or "web"
	Code      provider.Code `json:"code"`
	Message   string        `json:"message"`
	Retryable bool          `json:"retryable"`
}
