package gazetteer

import (
	"errors"
	"strings"
	"testing"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// collector keeps the places of a reader.
type collector struct {
	header mapdata.Header
	places []mapdata.Place
	fail   error
}

func (c *collector) Header(h mapdata.Header) error { c.header = h; return nil }
func (c *collector) Feature(mapdata.Feature) error { return nil }
func (c *collector) Place(p mapdata.Place) error   { c.places = append(c.places, p); return c.fail }
func (c *collector) find(name, country string) []mapdata.Place {
	var found []mapdata.Place
	for _, p := range c.places {
		if p.Name == name && p.Address.Country == country {
			found = append(found, p)
		}
	}
	return found
}

// Every town has a valid position and a unique id, and the credit that the license of
// GeoNames requires is part of the header. Covers P-10.
func TestTownsAreComplete(t *testing.T) {
	var c collector
	if err := Read(t.Context(), All, &c); err != nil {
		t.Fatal(err)
	}
	if n := len(c.places); n < 150_000 {
		t.Errorf("got %d towns, want more than 150,000", n)
	}
	if a := c.header.Attribution; a.Label != "GeoNames" || a.URL != "https://www.geonames.org/" || !a.Required {
		t.Errorf("got the attribution %+v, want that of GeoNames, required", a)
	}
	seen := make(map[string]string, len(c.places))
	for _, p := range c.places {
		if !p.Point.Valid() || p.Name == "" || len(p.Address.Country) != 2 || !strings.HasPrefix(p.Kind, "place=") || p.Provider != "geonames" {
			t.Fatalf("got %+v, want a named settlement on the Earth", p)
		}
		if other, ok := seen[p.ProviderID]; ok {
			t.Errorf("got the id %s for %s and %s, want it once", p.ProviderID, other, p.Name)
		}
		seen[p.ProviderID] = p.Name
	}
}

// The large towns are the capitals and the towns with many inhabitants, a small part of all.
func TestLargeTowns(t *testing.T) {
	var c collector
	if err := Read(t.Context(), Large, &c); err != nil {
		t.Fatal(err)
	}
	if n := len(c.places); n < 5000 || n > 20_000 {
		t.Errorf("got %d towns, want 5,000 to 20,000", n)
	}
	for country, name := range map[string]string{"AT": "Vienna", "LI": "Vaduz", "DE": "Trier"} {
		if len(c.find(name, country)) == 0 {
			t.Errorf("got no %s, want it among the large towns", name)
		}
	}
	if found := c.find("Marsaxlokk", "MT"); len(found) > 0 {
		t.Errorf("got %+v, want no small town", found)
	}
	if Checksum(Large) == Checksum(All) {
		t.Error("got the same checksum for the large towns and for all towns, want two")
	}
}

// The labels of the map are those of capitals and of large towns.
func TestCitiesAreRankedBySize(t *testing.T) {
	cities, err := Cities()
	if err != nil || len(cities) < 5000 || len(cities) > 30_000 {
		t.Fatalf("got %d cities, %v, want those of the world", len(cities), err)
	}
	ranks := make(map[string]int)
	for _, f := range cities {
		if f.Class != mapdata.PlaceLabel || f.Name == "" || !f.Parts[0][0].Valid() {
			t.Fatalf("got %+v, want a label", f)
		}
		if rank, ok := ranks[f.Name]; !ok || f.Rank < rank {
			ranks[f.Name] = f.Rank
		}
	}
	for name, want := range map[string]int{"Berlin": 0, "Munich": 1, "Bremen": 2, "Trier": 3, "Marsala": 4, "San Marino": 2} {
		if rank, ok := ranks[name]; !ok || rank != want {
			t.Errorf("%s: got rank %d, %v, want %d", name, rank, ok, want)
		}
	}
	if rank, ok := ranks["Favoriten"]; ok && rank < 3 {
		t.Errorf("Favoriten: got rank %d, want none of a large city", rank)
	}
}

// Towns have their known positions, and a capital is more important than a town of its size.
func TestTownsHaveTheirPositions(t *testing.T) {
	var c collector
	if err := Read(t.Context(), All, &c); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		name, country string
		point         geo.Point
		kind          string
	}{
		{"Valletta", "MT", geo.Point{Latitude: 35.8997, Longitude: 14.5147}, "place=city"},
		{"Lisbon", "PT", geo.Point{Latitude: 38.7169, Longitude: -9.1399}, "place=city"},
		{"Suva", "FJ", geo.Point{Latitude: -18.1416, Longitude: 178.4415}, "place=city"},
		{"Sliema", "MT", geo.Point{Latitude: 35.9125, Longitude: 14.5019}, "place=town"},
	} {
		found := c.find(want.name, want.country)
		if len(found) != 1 || geo.Distance(found[0].Point, want.point) > 2000 || found[0].Kind != want.kind {
			t.Errorf("%s: got %+v, want one %s near %v", want.name, found, want.kind, want.point)
		}
	}
	if valletta, sliema := c.find("Valletta", "MT"), c.find("Sliema", "MT"); len(valletta) == 1 && len(sliema) == 1 && valletta[0].Importance <= sliema[0].Importance {
		t.Errorf("got importance %v for Valletta and %v for Sliema, want the capital to be more important", valletta[0].Importance, sliema[0].Importance)
	}
}

func TestReadEndsWithTheSink(t *testing.T) {
	c := collector{fail: errors.New("full")}
	if err := Read(t.Context(), All, &c); !errors.Is(err, c.fail) || len(c.places) != 1 {
		t.Errorf("got %v after %d towns, want the error of the sink after the first", err, len(c.places))
	}
}

// Damaged data is an error.
func TestRowsOfDifferentLengthsAreRejected(t *testing.T) {
	if _, err := newRows([]byte("a\n\x00b\n\x00")); err == nil {
		t.Error("two columns: got no error, want one")
	}
	r, err := newRows([]byte("a\nb\n\x00MT\n\x00\n\x001\n\x00\n\x000\n\x000\n\x000\n\x00"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for r.next() {
		n++
	}
	if n != 1 || r.err == nil {
		t.Errorf("got %d rows and %v, want one row and an error", n, r.err)
	}
}
