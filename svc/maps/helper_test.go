package maps_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
	"appliance/svc/maps/mapdata"
)

// read runs fn in a read transaction.
func read(t testing.TB, db *store.DB, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := db.Read(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// valletta is the center of the places in tests.
var valletta = geo.Point{Latitude: 35.899, Longitude: 14.514}

// at returns the point with an offset from valletta in meters.
func at(east, north float64) geo.Point {
	return geo.Point{
		Latitude:  valletta.Latitude + north/geo.MetersPerDegree,
		Longitude: valletta.Longitude + east/geo.MetersPerDegree/0.81,
	}
}

// place returns a place of a kind, such as "amenity=cafe". Its id is its name.
func place(name, placeKind string, p geo.Point) mapdata.Place {
	importance := 0.02
	if key, value, ok := strings.Cut(placeKind, "="); ok {
		_, _, importance = kind.Of(map[string]string{key: value, "name": "x"})
	}
	id := strings.ReplaceAll(strings.ToLower(name), " ", "-")
	return mapdata.Place{
		Provider: "osm", ProviderID: "node/" + id, Name: name, Kind: placeKind, Category: kind.Category(placeKind), Point: p, Importance: importance,
		Address: mapdata.Address{City: "Valletta"},
	}
}

// address returns an address without a name.
func address(street, number string, p geo.Point) mapdata.Place {
	return mapdata.Place{
		Provider: "osm", ProviderID: fmt.Sprint("node/", street, number), Kind: kind.Address, Point: p, Importance: 0.02,
		Address: mapdata.Address{Street: street, HouseNumber: number, City: "Valletta"},
	}
}

// in returns p with another city.
func in(city string, p mapdata.Place) mapdata.Place {
	p.Address.City = city
	return p
}

// withName returns p with an additional name in a language.
func withName(p mapdata.Place, language, name string) mapdata.Place {
	names := map[string]string{language: name}
	for key, value := range p.Names {
		names[key] = value
	}
	p.Names = names
	return p
}

// searchIn returns the results of a search.
func searchIn(t testing.TB, s *maps.Service, db *store.DB, q maps.SearchQuery) (list []maps.Place) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 20
	}
	read(t, db, func(tx *store.Tx) (err error) {
		list, err = s.Search(tx, q)
		return err
	})
	return list
}

func names(list []maps.Place) []string {
	all := make([]string, len(list))
	for i, p := range list {
		all[i] = p.Name
	}
	return all
}

// wantNames fails t unless the places have the names, in this order.
func wantNames(t testing.TB, what string, list []maps.Place, want ...string) {
	t.Helper()
	if got := names(list); !slices.Equal(got, want) && len(got)+len(want) > 0 {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// wantField fails t unless err is an error of the field.
func wantField(t testing.TB, err error, field string) {
	t.Helper()
	var e *svc.Error
	if !errors.As(err, &e) || len(e.Fields) == 0 || e.Fields[0].Name != field || svc.KindOf(err) == svc.Internal {
		t.Errorf("got error %v, want one of the field %s", err, field)
	}
}
