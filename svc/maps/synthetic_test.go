package maps_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
	"appliance/svc/maps/mapdata"
	"appliance/svc/words"
)

// Words of synthetic names. Their combinations make the words of a region about as
// frequent as those of a real one: a few are in a fifth of the names.
var (
	townStarts  = []string{"Ash", "Birch", "Cold", "Dry", "East", "Fair", "Green", "High", "Iron", "King", "Long", "Mill", "New", "North", "Oak", "Port", "Red", "South", "Stone", "West"}
	townEnds    = []string{"bridge", "brook", "burgh", "by", "field", "ford", "ham", "haven", "ley", "mouth", "port", "stead", "ton", "wick", "worth"}
	streetNames = []string{"Main", "High", "Church", "Station", "Park", "Mill", "Victoria", "Saint Mary", "Saint Paul", "Queen", "King", "Garden", "River", "Market", "School", "Republic", "Castle", "Bridge", "Orchard", "Chapel"}
	streetTypes = []string{"Street", "Street", "Street", "Road", "Road", "Avenue", "Lane", "Square"}
	placeFirsts = []string{"Golden", "Old", "New", "Royal", "Blue", "Red", "Little", "Grand", "Central", "City", "Corner", "Sunny", "Silver", "White", "Green"}
	placeNames  = []string{"Lion", "Star", "Crown", "Anchor", "Rose", "Bear", "Eagle", "Ship", "Bell", "Swan", "Oak", "Sun", "Moon", "Fox", "Garden", "Harbour"}
	placeKinds  = []string{"amenity=restaurant", "amenity=cafe", "amenity=pharmacy", "amenity=bank", "shop=supermarket", "shop=bakery", "tourism=hotel", "tourism=museum", "amenity=place_of_worship", "leisure=park", "amenity=fuel", "highway=bus_stop", "amenity=doctors", "shop=clothes"}
)

// syntheticOrigin is the south-western corner of the synthetic region.
var syntheticOrigin = geo.Point{Latitude: 50, Longitude: 10}

// townRows is the number of places in a synthetic town.
const townRows = 500

// synthetic returns about n places in towns of 3 km, in a grid.
func synthetic(n int) (places []mapdata.Place) {
	random := rand.New(rand.NewPCG(1, 2))
	count := max(n/townRows, 1)
	side := 1
	for side*side < count {
		side++
	}
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	for town := range count {
		center := geo.Point{
			Latitude:  syntheticOrigin.Latitude + 0.04*float64(town/side) + 0.02,
			Longitude: syntheticOrigin.Longitude + 0.06*float64(town%side) + 0.03,
		}
		near := func() geo.Point {
			return geo.Point{Latitude: center.Latitude + random.NormFloat64()*0.007, Longitude: center.Longitude + random.NormFloat64()*0.01}
		}
		city := townStarts[town%len(townStarts)] + townEnds[town/len(townStarts)%len(townEnds)]
		if district := town / len(townStarts) / len(townEnds); district > 0 {
			city += fmt.Sprint(" ", district+1)
		}
		add := func(p mapdata.Place) {
			p.Provider, p.ProviderID = "osm", fmt.Sprint("node/", len(places)+1)
			places = append(places, p)
		}
		placeKind, _, importance := kind.Of(map[string]string{"place": "town", "name": city, "population": fmt.Sprint(1000 + random.IntN(80_000))})
		add(mapdata.Place{Name: city, Names: map[string]string{"fr": city + "-sur-Mer"}, Kind: placeKind, Importance: importance, Point: center})
		for range townRows / 10 {
			street := pick(streetNames) + " " + pick(streetTypes)
			from, to := near(), near()
			add(mapdata.Place{Name: street, Kind: kind.Street, Importance: 0.12, Point: from, Address: mapdata.Address{City: city}})
			for number := 2; number < 20; number += 4 {
				share := float64(number) / 200
				add(mapdata.Place{Kind: kind.Address, Importance: 0.02, Point: geo.Point{
					Latitude:  from.Latitude + share*(to.Latitude-from.Latitude),
					Longitude: from.Longitude + share*(to.Longitude-from.Longitude),
				}, Address: mapdata.Address{HouseNumber: fmt.Sprint(number), Street: street, City: city}})
			}
		}
		for range townRows * 2 / 5 {
			k := pick(placeKinds)
			name := pick(placeFirsts) + " " + pick(placeNames) + " " + kind.Label(words.English, k)
			add(mapdata.Place{Name: name, Kind: k, Category: kind.Category(k), Importance: 0.1 + 0.2*random.Float64(), Point: near(), Address: mapdata.Address{City: city}})
		}
	}
	return places
}

// importPlaces publishes a region with the places.
func importPlaces(t testing.TB, s *maps.Service, db *store.DB, name string, places []mapdata.Place) {
	t.Helper()
	i, err := s.Begin(t.Context(), db, maps.NewRegion{Name: name, Format: maps.OSM})
	if err != nil {
		t.Fatal(err)
	}
	i.SetHeader(mapdata.Header{Attribution: mapdata.Attribution{Label: "© " + name, URL: "https://example.org", Required: true}})
	if err := i.AddPlaces(t.Context(), places); err != nil {
		t.Fatal(err)
	}
	publish(t, i)
}

// publish merges the indexes and publishes the region.
func publish(t testing.TB, i *maps.Import) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = i.Merge(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := i.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// withPlaces returns a service and a database with one region.
func withPlaces(t testing.TB, places []mapdata.Place) (*maps.Service, *store.DB) {
	t.Helper()
	db, _ := storetest.Open(t)
	s := maps.New()
	importPlaces(t, s, db, "test", places)
	return s, db
}
