package maps_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"appliance/store"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

func nearbyIn(t testing.TB, s *maps.Service, db *store.DB, q maps.NearbyQuery) (list []maps.Place) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	read(t, db, func(tx *store.Tx) (err error) {
		list, _, err = s.Nearby(tx, q)
		return err
	})
	return list
}

// Nearby returns the places of the categories within the exact radius, the nearest
// first. Covers P-06 and W-96.
func TestNearbyIsExactAndSorted(t *testing.T) {
	s, db := withPlaces(t, []mapdata.Place{
		place("Far", "amenity=cafe", at(0, 999)), place("Beyond", "amenity=cafe", at(0, 1003)), place("Corner", "amenity=cafe", at(800, 800)),
		place("Near", "amenity=cafe", at(-10, 0)), place("Shop", "shop=books", at(5, 0)), place("Street", "street", at(0, 0)), place("Town", "place=town", at(1, 1)),
	})
	list := nearbyIn(t, s, db, maps.NearbyQuery{Origin: valletta, Radius: 1000})
	wantNames(t, "all categories", list, "Shop", "Near", "Far")
	wantNames(t, "one category", nearbyIn(t, s, db, maps.NearbyQuery{Origin: valletta, Radius: 1000, Categories: []string{"coffee", "unknown"}}), "Near", "Far")
	wantNames(t, "an unknown category", nearbyIn(t, s, db, maps.NearbyQuery{Origin: valletta, Radius: 1000, Categories: []string{"unknown"}}))
	wantNames(t, "limited", nearbyIn(t, s, db, maps.NearbyQuery{Origin: valletta, Radius: 1000, Limit: 1}), "Shop")
	if p := list[1]; math.Abs(p.Distance-10) > 0.2 || p.PlaceID != "osm:node/near" || p.KindLabel != "Café" || p.Category != "coffee" {
		t.Errorf("got %+v, want the café Near at 10 m", p)
	}
}

// A place that two overlapping regions contain is listed and counted once, near an origin and in a
// box. Two places at the same position are two.
func TestPlaceOfOverlappingRegionsIsListedOnce(t *testing.T) {
	s, db := withPlaces(t, []mapdata.Place{place("Corner", "amenity=cafe", at(50, 0)), place("Old", "amenity=cafe", at(100, 0))})
	importPlaces(t, s, db, "neighbor", []mapdata.Place{
		place("Corner", "amenity=cafe", at(51, 0)), place("Twin", "amenity=cafe", at(50, 0)), place("New", "amenity=cafe", at(200, 0)),
	})
	read(t, db, func(tx *store.Tx) error {
		list, total, err := s.Nearby(tx, maps.NearbyQuery{Origin: valletta, Radius: 1000, Limit: 3})
		if err != nil {
			return err
		}
		wantNames(t, "near an origin", list, "Corner", "Twin", "Old")
		if total != 4 {
			t.Errorf("got %d places, want 4", total)
		}
		list, _, err = s.InBox(tx, geo.Around(valletta, 1000), nil, 4, "")
		if len(list) != 4 {
			t.Errorf("in a box: got %d places, want 4: %v", len(list), list)
		}
		return err
	})
}

// countIn returns the sum of the numbers of areas in a box around valletta.
func countIn(t testing.TB, s *maps.Service, db *store.DB) (sum int) {
	t.Helper()
	read(t, db, func(tx *store.Tx) error {
		_, clusters, err := s.InBox(tx, geo.Around(valletta, 300_000), nil, 1, "en")
		for _, c := range clusters {
			sum += c.Count
		}
		return err
	})
	return sum
}

// cafes returns the cafés with the numbers from first to last, each at its own position.
func cafes(first, last int) (list []mapdata.Place) {
	for n := first; n <= last; n++ {
		list = append(list, place(fmt.Sprint("Café ", n), "amenity=cafe", at(float64(n), 0)))
	}
	return list
}

// The numbers of areas count a place that several regions contain once: after each import, after
// another import of a region, and after the removal of one that counted it.
func TestPlaceOfOverlappingRegionsIsCountedOnce(t *testing.T) {
	s, db := withPlaces(t, cafes(1, 600))
	want := func(what string, n int) {
		t.Helper()
		if got := countIn(t, s, db); got != n {
			t.Errorf("%s: got %d places, want %d", what, got, n)
		}
	}
	importPlaces(t, s, db, "neighbor", cafes(301, 900))
	want("two regions", 900)
	importPlaces(t, s, db, "city", cafes(301, 400))
	want("three regions", 900)
	importPlaces(t, s, db, "test", cafes(1, 350))
	sweep(t, s, db)
	want("the first with fewer places", 900)
	importPlaces(t, s, db, "test", cafes(1, 600))
	sweep(t, s, db)
	want("the first with all places again", 900)

	clear := func(name string) {
		t.Helper()
		if err := s.Clear(t.Context(), db, name); err != nil {
			t.Fatal(err)
		}
	}
	clear("test")
	sweep(t, s, db)
	want("without the first", 600)
	importPlaces(t, s, db, "test", cafes(1, 600))
	want("the first after its removal", 900)
	clear("neighbor")
	sweep(t, s, db)
	want("without the second", 600)
	clear("test")
	sweep(t, s, db)
	want("only the third", 100)
}

// While a region is imported again, copies in regions that are removed or retired are not counted
// twice and not lost.
func TestPlaceIsCountedOnceAfterARemovalDuringAnImport(t *testing.T) {
	s, db := withPlaces(t, cafes(1, 10))
	importPlaces(t, s, db, "neighbor", cafes(5, 12))
	i := begin(t, s, db, "neighbor", cafes(5, 8)...)
	if err := s.Clear(t.Context(), db, "test"); err != nil {
		t.Fatal(err)
	}
	sweep(t, s, db)
	if err := i.AddPlaces(t.Context(), cafes(9, 12)); err != nil {
		t.Fatal(err)
	}
	if got := countIn(t, s, db); got != 8 {
		t.Errorf("before the publication: got %d places, want 8", got)
	}
	publish(t, i)
	sweep(t, s, db)
	if got := countIn(t, s, db); got != 8 {
		t.Errorf("after the publication: got %d places, want 8", got)
	}
}

// Places are found in every area that the circle touches, for every position of
// the circle.
func TestNearbyEqualsTheExactComputation(t *testing.T) {
	for _, center := range []geo.Point{valletta, {Latitude: -17.00001, Longitude: 179.9999}, {Latitude: 5, Longitude: -180}, {Latitude: 0, Longitude: 0}, {Latitude: 89.99, Longitude: 12}, {Latitude: -90, Longitude: 0}} {
		var places []mapdata.Place
		for i := range 400 {
			p := center
			p.Latitude += 0.05 * math.Sin(float64(i)*1.7)
			p.Longitude += 0.07 * math.Sin(float64(i)*2.3)
			if p.Latitude > 90 || p.Latitude < -90 {
				continue
			}
			p.Longitude = math.Mod(p.Longitude+540, 360) - 180
			places = append(places, place(fmt.Sprint(i), "amenity=cafe", p))
		}
		s, db := withPlaces(t, places)
		for _, radius := range []float64{50, 1000, 4000, 10_000} {
			var want []string
			for _, p := range places {
				if geo.Distance(center, p.Point) <= radius {
					want = append(want, p.Name)
				}
			}
			got := names(nearbyIn(t, s, db, maps.NearbyQuery{Origin: center, Radius: radius, Limit: 1000}))
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%.0f m around %v: got %d places, want %d", radius, center, len(got), len(want))
			}
		}
	}
}

func TestNearbyRejectsInvalidQueries(t *testing.T) {
	s, db := withPlaces(t, nil)
	for field, q := range map[string]maps.NearbyQuery{
		"origin.latitude":  {Origin: geo.Point{Latitude: 91}, Radius: 1, Limit: 1},
		"origin.longitude": {Origin: geo.Point{Longitude: -181}, Radius: 1, Limit: 1},
		"radius":           {Radius: math.NaN(), Limit: 1},
		"limit":            {Radius: 1, Limit: maps.MaxPlaces + 1},
	} {
		read(t, db, func(tx *store.Tx) error {
			_, _, err := s.Nearby(tx, q)
			wantField(t, err, field)
			return nil
		})
	}
}

// InBox lists the places of a box, or counts them by area if there are too many.
func TestInBoxListsOrCounts(t *testing.T) {
	places := synthetic(5000)
	inField := 0
	for _, p := range places {
		if p.Category != "" {
			inField++
		}
	}
	s, db := withPlaces(t, places)
	whole := geo.Box{South: 49, West: 9, North: 51, East: 11}
	read(t, db, func(tx *store.Tx) error {
		list, clusters, err := s.InBox(tx, whole, nil, 100, "en")
		if err != nil {
			return err
		}
		sum := 0
		for _, c := range clusters {
			sum += c.Count
			if !c.Area.Contains(c.Center) {
				t.Errorf("the center %v is outside of its area %v", c.Center, c.Area)
			}
		}
		if list != nil || sum != inField || len(clusters) < 2 {
			t.Errorf("whole region: got %d places, %d clusters with %d places, want several clusters with %d", len(list), len(clusters), sum, inField)
		}
		list, clusters, err = s.InBox(tx, geo.Around(places[0].Point, 1500), nil, 20, "en")
		if list != nil || len(clusters) < 2 || err != nil {
			t.Errorf("dense box: got %d places and %d clusters, want clusters", len(list), len(clusters))
		}
		small := geo.Around(places[0].Point, 300)
		want := 0
		for _, p := range places {
			if small.Contains(p.Point) && p.Category == "coffee" {
				want++
			}
		}
		list, clusters, err = s.InBox(tx, small, []string{"coffee"}, 1000, "en")
		if len(list) != want || clusters != nil || want == 0 {
			t.Errorf("small box: got %d places and %d clusters, want %d places", len(list), len(clusters), want)
		}
		if !slices.IsSortedFunc(list, func(a, b maps.Place) int {
			return int(math.Round(b.Importance*1000) - math.Round(a.Importance*1000))
		}) {
			t.Error("the places are not sorted by importance")
		}
		return err
	})
}

// A box over the antimeridian contains the places on both sides.
func TestInBoxOverTheAntimeridian(t *testing.T) {
	s, db := withPlaces(t, []mapdata.Place{
		place("East", "amenity=cafe", geo.Point{Latitude: -17, Longitude: 179.9}), place("West", "amenity=pub", geo.Point{Latitude: -17, Longitude: -179.9}),
		place("Elsewhere", "amenity=pub", geo.Point{Latitude: -17, Longitude: 0}),
	})
	read(t, db, func(tx *store.Tx) error {
		list, _, err := s.InBox(tx, geo.Box{South: -18, West: 179, North: -16, East: -179}, nil, 10, "en")
		got := names(list)
		slices.Sort(got)
		if !slices.Equal(got, []string{"East", "West"}) {
			t.Errorf("got %q, want East and West", got)
		}
		return err
	})
}

func TestInBoxRejectsInvalidBoxes(t *testing.T) {
	s, db := withPlaces(t, nil)
	for _, c := range []struct {
		field string
		box   geo.Box
	}{
		{"south", geo.Box{South: -91, North: 1}}, {"north", geo.Box{North: math.Inf(1)}}, {"west", geo.Box{West: -200}}, {"east", geo.Box{East: math.NaN()}},
		{"south", geo.Box{South: 2, North: 1}},
	} {
		read(t, db, func(tx *store.Tx) error {
			_, _, err := s.InBox(tx, c.box, nil, 10, "en")
			wantField(t, err, c.field)
			return nil
		})
	}
}

// Reverse returns the nearest named place within a distance that suits its kind, and
// none in mid-ocean. Covers P-07.
func TestReverse(t *testing.T) {
	toilets := place("", "amenity=toilets", at(0, 0))
	toilets.ProviderID = "node/toilets"
	s, db := withPlaces(t, []mapdata.Place{
		place("Café Cordina", "amenity=cafe", at(0, 30)), toilets, address("Republic Street", "5", at(300, 0)), place("Valletta", "place=town", at(-4000, 0)),
		place("Date Line", "amenity=cafe", geo.Point{Latitude: 10, Longitude: 180}), place("Date Town", "place=town", geo.Point{Latitude: -10, Longitude: 179.99}),
	})
	for _, c := range []struct {
		what string
		at   geo.Point
		want string
	}{
		{"at the café", at(0, 30), "Café Cordina"}, {"beside unnamed toilets", at(0, 0), "Café Cordina"}, {"at an address", at(301, 0), "Republic Street 5"},
		{"400 m from a café", at(0, 430), "Valletta"}, {"far from cafés", at(0, 2000), "Valletta"}, {"at the town", at(-4000, 0), "Valletta"}, {"12 km from the town", at(-15_900, 0), "Valletta"},
		{"in mid-ocean", geo.Point{Latitude: -40, Longitude: -120}, ""}, {"beyond the town", at(-30_000, 0), ""},
		{"west of the antimeridian", geo.Point{Latitude: 10, Longitude: -179.9995}, "Date Line"}, {"in a town across the antimeridian", geo.Point{Latitude: -10, Longitude: -179.99}, "Date Town"},
		{"at the pole", geo.Point{Latitude: 90}, ""},
	} {
		read(t, db, func(tx *store.Tx) error {
			p, err := s.Reverse(tx, c.at, "en")
			got := ""
			if p != nil {
				got = p.Name
			}
			if got != c.want {
				t.Errorf("%s: got %q, want %q", c.what, got, c.want)
			}
			return err
		})
	}
	read(t, db, func(tx *store.Tx) error {
		_, err := s.Reverse(tx, geo.Point{Latitude: 90.1}, "en")
		wantField(t, err, "latitude")
		return nil
	})
}
