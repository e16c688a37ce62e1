package find

import (
	"strings"

	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
)

// Scopes of a search.
const (
	Nearby     = "nearby"     // places around an origin
	Everywhere = "everywhere" // places and web pages
)

// Statuses of a search.
const (
	StatusOK               = "ok" // also without findings
	StatusLocationRequired = "location_required"
	StatusProviderError    = "provider_error" // no provider has answered
)

// Limits of a search, in meters.
const (
	DefaultRadius = 5000
	minRadius     = 50
	maxRadius     = 5000
)

// Request is a search.
type Request struct {
	Query        string `json:"query"`
	Scope        string `json:"scope"`         // "nearby" or "everywhere"
	Origin       Origin `json:"origin"`        // required for "nearby"
	RadiusMeters *int   `json:"radius_meters"` // of "nearby", 5000 by default and at most
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
	err = svc.CheckLine("query", r.Query, maps.MaxQuery)
	switch r.Scope {
	case Nearby, Everywhere:
	case "":
		err = svc.Join(err, svc.Required("scope"))
	default:
		err = svc.Join(err, svc.FieldError(svc.InvalidValue, "scope", "scope must be nearby or everywhere."))
	}
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
	Status         string                  `json:"status"`   // "ok", "location_required" or "provider_error"
	QueryID        string                  `json:"query_id"` // of the search in the history
	Applied        Applied                 `json:"applied"`
	Findings       svc.List[svc.Finding]   `json:"findings"`        // the best first
	ProviderErrors svc.List[ProviderError] `json:"provider_errors"` // of providers that have not answered
	Error          *svc.ErrorDetail        `json:"error"`           // null if the status is "ok"
	Message        string                  `json:"message"`
}

// Applied is the scope of a search after its place has been resolved.
type Applied struct {
	Scope        string    `json:"scope"`         // "nearby" or "everywhere"
	Origin       *Position `json:"origin"`        // null for "everywhere"
	RadiusMeters int       `json:"radius_meters"` // of "nearby"
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
	Provider  string `json:"provider"` // "maps", "geocoder" or "web"
	Code      string `json:"code"`     // "timeout", "http_error", "bad_response", "rate_limited", "not_configured" or "blocked"
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}
