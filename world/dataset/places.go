package dataset

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/words"
)

// maxPlaces limits the places of a field.
const maxPlaces = 60

// mapsService is the name of the service that provides the places of the field.
const mapsService = "maps"

// Places are the places of a field.
type Places struct {
	List    []FieldPlace
	Total   int    // of the places within the radius, of which the nearest are in List
	Empty   Reason // why there are no places; zero if there are
	Loading bool   // the data of the world is not complete yet
	Map     maps.Runtime
	Expires time.Time // when a place opens or closes; zero for never
}

// Truncated reports whether there are more places than the list has.
func (p Places) Truncated() bool { return p.Total > len(p.List) }

// FieldPlace is a place of the field.
type FieldPlace struct {
	maps.Place
	maps.Opening
	Location FieldLocation
}

// Reason explains an empty section of a dataset.
type Reason struct {
	State         FallbackState
	Name, Message string
}

// FieldLocation is the position of a place, in degrees, and relative to the origin of
// the request, which may have none.
type FieldLocation struct {
	Latitude  float64  `json:"latitude"`
	Longitude float64  `json:"longitude"`
	Distance  *float64 `json:"distance,omitzero"` // metres
	Bearing   *float64 `json:"bearing,omitzero"`  // direction from the origin, in degrees clockwise from true north: 0 to 359.9
	OffsetX   *float64 `json:"offset_x,omitzero"` // metres to the east of the origin
	OffsetY   *float64 `json:"offset_y,omitzero"` // metres to the north of the origin
}

// newFieldLocation returns the location of p relative to an origin, which may be nil.
func newFieldLocation(p geo.Point, origin *Location) FieldLocation {
	l := FieldLocation{Latitude: p.Latitude, Longitude: p.Longitude}
	if origin == nil {
		return l
	}
	from := origin.point()
	east, north := geo.Offset(from, p)
	l.Distance = new(math.Floor(geo.Distance(from, p)*10) / 10) // never more than the radius
	l.Bearing = new(math.Mod(math.Round(geo.Bearing(from, p)*10)/10, 360))
	l.OffsetX, l.OffsetY = new(math.Round(east*10)/10), new(math.Round(north*10)/10)
	return l
}

// point returns the location as a position of package geo.
func (l Location) point() geo.Point { return geo.Point{Latitude: l.Latitude, Longitude: l.Longitude} }

// ReadPlaces reads the places of the field that the parameters describe, with texts in the
// language l. locale is the language of their names.
func ReadPlaces(tx *store.Tx, l words.Language, m *maps.Service, q Params, locale string) (p Places, err error) {
	var origin *geo.Point
	if q.Origin != nil {
		origin = new(q.Origin.point())
	}
	if p.Map, err = m.FieldRuntime(tx, l, origin, float64(q.Radius)); err != nil {
		return p, err
	}
	regions, err := m.Regions(tx)
	if err != nil {
		return p, err
	}
	p.Loading = m.Loading(regions)
	if p.Empty = reasonWithoutPlaces(l, q, regions, p.Loading); p.Empty != (Reason{}) {
		return p, nil
	}
	list, total, err := m.Nearby(tx, maps.NearbyQuery{
		Origin: *origin, Radius: float64(q.Radius), Categories: q.Categories, Limit: maxPlaces, Language: locale,
	})
	if err != nil {
		return p, err
	}
	p.Total = total
	p.List, p.Expires = NewFieldPlaces(m, tx.Now(), list, q.Origin)
	if len(list) == 0 {
		p.Empty = Reason{FallbackEmpty, "no_places", l.Textf("There are no places of these categories within %s.", formatMetres(q.Radius))}
		if !slices.ContainsFunc(regions, func(r maps.Region) bool { return r.Format != maps.Gazetteer && r.Bounds.Contains(*origin) }) {
			p.Empty = Reason{FallbackEmpty, "not_covered", l.Text("No imported region contains this position.")}
		}
	}
	return p, nil
}

// reasonWithoutPlaces returns the reason, in the language l, why a field has no places, if
// that does not depend on the places.
func reasonWithoutPlaces(l words.Language, q Params, regions []maps.Region, loading bool) Reason {
	switch {
	case q.Origin == nil:
		return Reason{FallbackEmpty, "no_location", l.Text("Share or choose a position to see the places around it.")}
	case len(q.Categories) == 0:
		return Reason{FallbackEmpty, "no_categories", l.Text("No category is selected.")}
	case slices.ContainsFunc(regions, func(r maps.Region) bool { return r.Format != maps.Gazetteer }):
		return Reason{}
	case loading:
		return Reason{FallbackUnavailable, "loading", l.Text("The places of the world are being loaded. Try again in a minute.")}
	}
	return Reason{FallbackUnavailable, "not_configured", l.Text("No region has been imported yet. The operator imports one with: appliance maps import FILE")}
}

// NewFieldPlaces returns places for the field around an origin, which may be nil, and the
// time at which one of them opens or closes, zero for never.
func NewFieldPlaces(m *maps.Service, now time.Time, list []maps.Place, origin *Location) (places []FieldPlace, expires time.Time) {
	for _, p := range list {
		opening, until := m.Opening(p, now)
		if !until.IsZero() && (expires.IsZero() || until.Before(expires)) {
			expires = until
		}
		places = append(places, FieldPlace{p, opening, newFieldLocation(p.Point, origin)})
	}
	return places, expires
}

// Summary returns the kind of the place and its distance in the language l.
func (p FieldPlace) Summary(l words.Language) string {
	parts := []string{cmp.Or(p.KindLabel, CategoryLabel(l, p.Category))}
	if d := p.Location.Distance; d != nil {
		parts = append(parts, formatDistance(l, *d))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// formatDistance formats a distance in metres or kilometres in the language l.
func formatDistance(l words.Language, metres float64) string {
	if metres < 1000 {
		return formatMetres(int(math.Round(metres)))
	}
	return l.Decimal(metres/1000, 1) + " km"
}
