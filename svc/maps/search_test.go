package maps_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// sampleRegion is a small region around Valletta.
func sampleRegion() []mapdata.Place {
	return []mapdata.Place{
		withName(withName(in("", place("Valletta", "place=city", at(0, 0))), "fr", "La Valette"), "alt_name", "Il-Belt;Humilissima"),
		in("", place("Tas-Sliema", "place=town", at(-900, 1500))),
		in("Il-Mosta", place("Il-Mosta", "place=town", at(-8000, 1000))),
		withName(place("St. John's Co-Cathedral", "amenity=place_of_worship", at(-100, -100)), "de", "St. Johannes"),
		place("Upper Barrakka Gardens", "leisure=park", at(-150, -450)),
		place("National Museum of Archaeology", "tourism=museum", at(-250, -150)),
		in("", place("Malta Aviation Museum", "tourism=museum", at(-8500, -500))),
		in("Tas-Sliema", place("Malta Bar", "amenity=bar", at(-900, 1400))),
		place("Malta Store", "shop=gift", at(-50, 0)),
		place("Malta Photo", "shop=photo", at(-60, 0)),
		place("Regent", "amenity=pharmacy", at(-120, -60)),
		in("Tas-Sliema", place("Brown's", "amenity=pharmacy", at(-950, 1550))),
		place("Café Cordina", "amenity=cafe", at(-90, -30)),
		in("Ħaż-Żabbar", place("Żeppi's Ħobża", "shop=bakery", at(3000, -3000))),
		withName(place("Triq ir-Repubblika", "street", at(-100, -50)), "en", "Republic Street"),
		in("Il-Mosta", withName(place("Triq ir-Repubblika tal-Mosta", "street", at(-8000, 900)), "en", "Republic Street")),
		in("", place("Hauptstraße", "street", at(0, 2500))),
		in("", place("Avenue de la Gare", "street", at(100, 2500))),
		in("", place("Saint Paul Street", "street", at(200, 2500))),
		address("Triq ir-Repubblika", "10", at(-100, 0)),
		address("Triq ir-Repubblika", "11", at(-120, 0)),
		address("Triq ir-Repubblika", "20", at(-100, 100)),
		address("Triq ir-Repubblika", "200", at(-100, 500)),
	}
}

// A search ignores case, diacritics and letters without a decomposition.
func TestSearchIgnoresCaseAndDiacritics(t *testing.T) {
	s, db := withPlaces(t, sampleRegion())
	for query, want := range map[string]string{
		"VALLETTA": "Valletta", "cafe cordina": "Café Cordina", "CAFÉ CORDINA": "Café Cordina", "zeppis hobza": "Żeppi's Ħobża", "hauptstrasse": "Hauptstraße",
		"Upper  Barrakka,Gardens!": "Upper Barrakka Gardens", "st john's co cathedral": "St. John's Co-Cathedral", "st johns cocathedral": "St. John's Co-Cathedral",
	} {
		if list := searchIn(t, s, db, maps.SearchQuery{Text: query}); len(list) == 0 || list[0].Name != want {
			t.Errorf("%s: got %q, want %s first", query, names(list), want)
		}
	}
}

// Abbreviations match their words, and words match their abbreviations.
func TestSearchExpandsAbbreviationsBothWays(t *testing.T) {
	s, db := withPlaces(t, sampleRegion())
	for query, want := range map[string]string{
		"Hauptstr.": "Hauptstraße", "Av. de la Gare": "Avenue de la Gare", "ave gare": "Avenue de la Gare", "St Paul St": "Saint Paul Street", "Saint John": "St. John's Co-Cathedral",
		"Republic St": "Triq ir-Repubblika", "St. Paul Str.": "Saint Paul Street", "Sankt Johannes": "St. John's Co-Cathedral",
	} {
		if list := searchIn(t, s, db, maps.SearchQuery{Text: query}); len(list) == 0 || list[0].Name != want {
			t.Errorf("%s: got %q, want %s first", query, names(list), want)
		}
	}
}

// Words for kinds find places whose name lacks them.
func TestSearchFindsKindsInFiveLanguages(t *testing.T) {
	s, db := withPlaces(t, sampleRegion())
	for _, query := range []string{"pharmacy", "Apotheke", "pharmacie", "farmacia", "Apotheken", "farmacie", "pharmacies", "chemist"} {
		list := searchIn(t, s, db, maps.SearchQuery{Text: query, Origin: &valletta, Radius: 5000})
		wantNames(t, query, list, "Regent", "Brown's")
	}
	list := searchIn(t, s, db, maps.SearchQuery{Text: "Apotheke in Sliema"})
	if len(list) == 0 || list[0].Name != "Brown's" {
		t.Errorf("in a town: got %q, want Brown's first", names(list))
	}
}

// A word that many places have does not displace the others.
func TestSearchDropsFrequentWordsFirst(t *testing.T) {
	s, db := withPlaces(t, sampleRegion())
	if list := searchIn(t, s, db, maps.SearchQuery{Text: "museum malta"}); len(list) == 0 || list[0].Name != "Malta Aviation Museum" {
		t.Errorf("all words: got %q, want Malta Aviation Museum first", names(list))
	}
	wantNames(t, "no place with both words", searchIn(t, s, db, maps.SearchQuery{Text: "malta archaeology"}), "National Museum of Archaeology")
	wantNames(t, "an unknown word", searchIn(t, s, db, maps.SearchQuery{Text: "Cordina zzzzzz"}), "Café Cordina")
	wantNames(t, "only unknown words", searchIn(t, s, db, maps.SearchQuery{Text: "zzzzzz"}))
}

// The name or the code of a country prefers places in it, which lack the name.
func TestSearchRecognizesCountries(t *testing.T) {
	town := func(name, country, id string, importance float64) mapdata.Place {
		p := in("", place(name, "place=town", at(0, 0)))
		p.ProviderID, p.Address.Country, p.Importance = id, country, importance
		return p
	}
	region := []mapdata.Place{
		town("Rabat", "MA", "1", 0.8), town("Rabat", "MT", "2", 0.4), town("Malta", "US", "3", 0.3), town("Boston", "US", "4", 0.7), town("Boston", "GB", "5", 0.4),
		town("London", "GB", "6", 0.9), town("London", "CA", "7", 0.5), town("Paris", "FR", "8", 0.9), town("Paris", "US", "9", 0.4), town("Graz", "AT", "10", 0.6),
		town("Lower Austria Park", "AT", "11", 0.9), in("Lower Austria", town("Graz Wetzelsdorf", "AT", "12", 0.5)),
	}
	for i := range region {
		region[i].Point = at(0, float64(i)*50_000)
	}
	s, db := withPlaces(t, region)
	for query, want := range map[string]string{
		"Rabat Malta": "2", "Malta, Rabat": "2", "Rabat": "1", "Rabat MT": "2", "Rabat Malte": "2", "Boston UK": "5", "Boston, United Kingdom": "5", "Boston USA": "4",
		"Boston Vereinigtes Königreich": "5", "London Canada": "7", "London Kanada": "7", "Paris Francia": "8", "Paris US": "9", "Malta": "3", "Malta USA": "3", "Graz Österreich": "10",
		"Graz Austria": "10", "London mt": "6",
	} {
		if list := searchIn(t, s, db, maps.SearchQuery{Text: query}); len(list) == 0 || list[0].ProviderID != want {
			t.Errorf("%s: got %v, want %s first", query, placeIDs(list), want)
		}
	}
}

func placeIDs(list []maps.Place) (ids []string) {
	for _, p := range list {
		ids = append(ids, p.PlaceID)
	}
	return ids
}

// Typing errors are corrected only in words that no place has.
func TestSearchCorrectsTypingErrors(t *testing.T) {
	s, db := withPlaces(t, sampleRegion())
	for query, want := range map[string]string{
		"Valeta": "Valletta", "Vallteta": "Valletta", "Barraka Gardens": "Upper Barrakka Gardens", "pharmcy Valletta": "Regent", "Archeology museum": "National Museum of Archaeology",
		"Barrak": "Upper Barrakka Gardens",
	} {
		if list := searchIn(t, s, db, maps.SearchQuery{Text: query}); len(list) == 0 || list[0].Name != want {
			t.Errorf("%s: got %q, want %s first", query, names(list), want)
		}
	}
	places := []mapdata.Place{place("Bark", "shop=pet", at(0, 0)), place("Bar", "shop=books", at(10, 0)), place("Barn", "shop=toys", at(20, 0)), place("Barnyard", "shop=farm", at(30, 0))}
	s, db = withPlaces(t, places)
	wantNames(t, "a known word", searchIn(t, s, db, maps.SearchQuery{Text: "Barn"}), "Barn")
	wantNames(t, "a known word and an unknown one", searchIn(t, s, db, maps.SearchQuery{Text: "Barn Qqqqqq"}), "Barn")
}

// Names are in the language of the member if known, else in the local one.
func TestSearchNamesPlacesInTheLanguage(t *testing.T) {
	s, db := withPlaces(t, sampleRegion())
	for language, want := range map[string]string{"fr": "La Valette", "fr-CH": "La Valette", "fr_CA": "La Valette", "ja": "Valletta", "": "Valletta"} {
		list := searchIn(t, s, db, maps.SearchQuery{Text: "Valletta", Language: language, Limit: 1})
		wantNames(t, language, list, want)
	}
}

// A house number without a row of its own is interpolated between its neighbors on
// the same side. The result is marked as interpolated, and Place returns it for
// its id.
func TestSearchInterpolatesHouseNumbers(t *testing.T) {
	s, db := withPlaces(t, sampleRegion())
	list := searchIn(t, s, db, maps.SearchQuery{Text: "Republic Street 16, Valletta"})
	if len(list) == 0 || !list[0].Interpolated {
		t.Fatalf("got %q, want an interpolated place first", names(list))
	}
	p := list[0]
	if want := at(-100, 60); geo.Distance(p.Point, want) > 2 || p.Name != "Triq ir-Repubblika 16" || p.Address.HouseNumber != "16" || p.KindLabel != "Address, estimated position" {
		t.Errorf("got %s, %s at %v, want Triq ir-Repubblika 16, labelled as estimated, at %v", p.Name, p.KindLabel, p.Point, want)
	}
	read(t, db, func(tx *store.Tx) error {
		again, err := s.Place(tx, p.Provider, p.ProviderID, "en")
		if err == nil && (again.PlaceID != p.PlaceID || again.Point != p.Point || !again.Interpolated) {
			t.Errorf("by id got %+v, want %+v", again, p)
		}
		return err
	})
	for _, query := range []string{"Republic Street 10, Valletta", "10 Republic St Valletta", "Triq ir-Repubblika 10"} {
		if list := searchIn(t, s, db, maps.SearchQuery{Text: query}); len(list) == 0 || list[0].Name != "Triq ir-Repubblika 10" || list[0].Interpolated {
			t.Errorf("%s: got %q, want the known address first", query, names(list))
		}
	}
	list = searchIn(t, s, db, maps.SearchQuery{Text: "Republic Street 8 Valletta"})
	if len(list) == 0 || !list[0].Interpolated || geo.Distance(list[0].Point, at(-100, -20)) > 2 {
		t.Errorf("beyond the first number: got %q, want the line of the first two continued", names(list))
	}
	for _, query := range []string{"Republic Street 999 Valletta", "Republic Street 110 Valletta"} {
		for _, p := range searchIn(t, s, db, maps.SearchQuery{Text: query}) {
			if p.Interpolated {
				t.Errorf("%s: got the interpolated %s, want none far from known numbers", query, p.Name)
			}
		}
	}
}

// A house comes before its street, also if the map has it as a shop or under another
// name of the street. A number in the name of the street or the place is not a house.
func TestSearchRanksHousesBeforeStreets(t *testing.T) {
	at74 := func(p mapdata.Place, street string) mapdata.Place {
		p.Address.Street, p.Address.HouseNumber = street, "74"
		return p
	}
	region := append(sampleRegion(),
		at74(place("Casa Rocca", "tourism=museum", at(-110, 250)), "Republic Street"), address("Triq ir-Repubblika", "70", at(-100, 240)), address("Triq ir-Repubblika", "80", at(-100, 260)),
		place("Route 66", "street", at(3000, 0)), address("Route 66", "66", at(3000, 10)),
		at74(place("Studio 54", "amenity=bar", at(-400, -500)), "Saint Paul Street"), address("Saint Paul Street", "54", at(200, 2400)),
	)
	s, db := withPlaces(t, region)
	for query, want := range map[string]string{
		"Republic Street 74, Valletta": "Casa Rocca", "Triq ir-Repubblika 74": "Casa Rocca", "Republic Street 72, Valletta": "Triq ir-Repubblika 72",
		"Republic Street, Valletta": "Triq ir-Repubblika", "Route 66": "Route 66", "Studio 54": "Studio 54",
	} {
		list := searchIn(t, s, db, maps.SearchQuery{Text: query})
		if len(list) == 0 || list[0].Name != want {
			t.Fatalf("%s: got %q, want %s first", query, names(list), want)
		}
		if i := slices.IndexFunc(list, func(p maps.Place) bool { return p.Interpolated }); i >= 0 && strings.Contains(query, "74") {
			t.Errorf("%s: got the interpolated %s, want only the known house", query, list[i].Name)
		}
		p := list[0]
		read(t, db, func(tx *store.Tx) error {
			again, err := s.Place(tx, p.Provider, p.ProviderID, "")
			if err == nil && again.Point != p.Point {
				t.Errorf("%s by id: got %v, want %v", query, again.Point, p.Point)
			}
			return err
		})
	}
}

func TestUnknownInterpolatedPlaceIsNotFound(t *testing.T) {
	s, db := withPlaces(t, sampleRegion())
	read(t, db, func(tx *store.Tx) error {
		for _, id := range []string{"node/Triq ir-Repubblika10#999", "node/Triq ir-Repubblika10#", "node/Triq ir-Repubblika10#x", "node/valletta#5", "node/none", "node/none#5", ""} {
			if _, err := s.Place(tx, "osm", id, "en"); svc.KindOf(err) != svc.Missing {
				t.Errorf("%s: got %v, want not found", id, err)
			}
		}
		return nil
	})
}

// The name of a town restricts a search also where addresses lack it.
func TestSearchPrefersPlacesInTheNamedTown(t *testing.T) {
	var places []mapdata.Place
	for _, town := range []string{"Alba", "Brescia"} {
		center := at(0, 0)
		if town == "Brescia" {
			center = at(40_000, 0)
		}
		places = append(places, in("", place(town, "place=town", center)))
		museum := in("", place("Museum of "+town[:1]+"rt", "tourism=museum", center))
		museum.ProviderID += town
		places = append(places, museum)
	}
	s, db := withPlaces(t, places)
	for town, want := range map[string]string{"Alba": "Museum of Art", "Brescia": "Museum of Brt", "Bresca": "Museum of Brt"} {
		if list := searchIn(t, s, db, maps.SearchQuery{Text: "museum " + town}); len(list) == 0 || list[0].Name != want {
			t.Errorf("%s: got %q, want %s first", town, names(list), want)
		}
	}
}

// A town in the gazetteer and in an imported region is one result.
func TestSearchMergesRepeatedTowns(t *testing.T) {
	s, db := withPlaces(t, sampleRegion())
	town := in("", place("Valletta", "place=city", at(300, 300)))
	town.Provider, town.ProviderID, town.Importance = "geonames", "2562305", 0.9
	importPlaces(t, s, db, "towns", []mapdata.Place{town})
	list := searchIn(t, s, db, maps.SearchQuery{Text: "Valletta"})
	found := 0
	for _, p := range list {
		if p.Name == "Valletta" {
			found++
		}
	}
	if found != 1 || list[0].Provider != "osm" {
		t.Errorf("got %q of %s, want Valletta of the region once", names(list), list[0].Provider)
	}
}

// Rows of one place are one result, branches of a chain are several.
func TestSearchMergesRowsOfOnePlace(t *testing.T) {
	places := []mapdata.Place{place("Chain", "amenity=cafe", at(0, 0)), place("Chain", "amenity=cafe", at(50, 0)), place("Chain", "amenity=cafe", at(1000, 0)), place("Chain", "shop=gift", at(0, 0))}
	for i := range places {
		places[i].ProviderID = fmt.Sprint("node/", i)
	}
	s, db := withPlaces(t, places)
	wantNames(t, "chain", searchIn(t, s, db, maps.SearchQuery{Text: "chain"}), "Chain", "Chain", "Chain")
}

// A search that names a town returns no places outside of it, even if nothing
// in it matches.
func TestSearchStaysInTheNamedTown(t *testing.T) {
	s, db := withPlaces(t, []mapdata.Place{
		in("", place("Mosta", "place=town", at(0, 0))), in("Mosta", place("Rotunda of Mosta", "historic=monument", at(0, 0))),
		in("", place("Rotonda", "place=village", at(90_000, 0))), in("", place("Mosta Inn", "amenity=pub", at(10, 0))),
	})
	for query, want := range map[string]string{"Rotunde Mosta": "Rotunda of Mosta", "Rotonde de Mosta": "Mosta", "Castle Mosta": "Mosta"} {
		if list := searchIn(t, s, db, maps.SearchQuery{Text: query}); len(list) == 0 || list[0].Name != want {
			t.Errorf("%s: got %q, want %s first", query, names(list), want)
		}
	}
}

// The radius is exact, also over the antimeridian and around a pole.
func TestSearchWithinRadius(t *testing.T) {
	for _, origin := range []geo.Point{valletta, {Latitude: -17, Longitude: 179.999}, {Latitude: 10, Longitude: -180}, {Latitude: 89.999, Longitude: 30}} {
		dLat := 1 / geo.MetersPerDegree
		if origin.Latitude > 89 {
			dLat = -dLat
		}
		inside, outside := origin, origin
		inside.Latitude += 4990 * dLat
		outside.Latitude += 5010 * dLat
		east := origin
		east.Longitude += 0.002
		if east.Longitude > 180 {
			east.Longitude -= 360
		}
		s, db := withPlaces(t, []mapdata.Place{place("Tea Inside", "amenity=cafe", inside), place("Tea Outside", "amenity=cafe", outside), place("Tea East", "amenity=cafe", east)})
		list := searchIn(t, s, db, maps.SearchQuery{Text: "tea", Origin: &origin, Radius: 5000})
		got := names(list)
		slices.Sort(got)
		if want := []string{"Tea East", "Tea Inside"}; !slices.Equal(got, want) {
			t.Errorf("around %v: got %q, want %q", origin, got, want)
		}
		for _, p := range list {
			if math.Abs(p.Distance-geo.Distance(origin, p.Point)) > 0.1 {
				t.Errorf("%s: got a distance of %f", p.Name, p.Distance)
			}
		}
	}
}

// Covers F-35.
func TestSearchIsDeterministic(t *testing.T) {
	places := synthetic(2000)
	s, db := withPlaces(t, places)
	for _, query := range []string{"lion", "museum Ashbridge", "golden star bakery", "Main Street 7 Ashbridge", "gardn", "church street"} {
		first := searchIn(t, s, db, maps.SearchQuery{Text: query})
		if len(first) == 0 {
			t.Errorf("%s: got nothing", query)
		}
		for range 3 {
			if again := searchIn(t, s, db, maps.SearchQuery{Text: query}); !reflect.DeepEqual(first, again) {
				t.Errorf("%s: got %q, then %q", query, names(first), names(again))
			}
		}
	}
}

func TestSearchRejectsInvalidQueries(t *testing.T) {
	s, db := withPlaces(t, nil)
	north := geo.Point{Latitude: 90.5, Longitude: 0}
	for field, q := range map[string]maps.SearchQuery{
		"query":            {Text: " ", Limit: 5},
		"limit":            {Text: "x", Limit: 0},
		"origin":           {Text: "x", Limit: 5, Radius: 10},
		"origin.latitude":  {Text: "x", Limit: 5, Origin: &north},
		"origin.longitude": {Text: "x", Limit: 5, Origin: &geo.Point{Longitude: math.NaN()}},
		"radius":           {Text: "x", Limit: 5, Origin: &valletta, Radius: -1},
	} {
		read(t, db, func(tx *store.Tx) error {
			_, err := s.Search(tx, q)
			wantField(t, err, field)
			return nil
		})
	}
	for _, text := range []string{"a\x00b", "\xff\xfe", strings.Repeat("x", maps.MaxQuery+1), "a\nb"} {
		read(t, db, func(tx *store.Tx) error {
			_, err := s.Search(tx, maps.SearchQuery{Text: text, Limit: 5})
			wantField(t, err, "query")
			return nil
		})
	}
}

// hostileQueries are queries in the syntax of FTS5 and of SQL, and others that a
// query must quote or limit.
var hostileQueries = []string{
	`"`, `""`, `"valletta`, `valletta*`, `*`, `name : valletta`, `{name other_names} : x`, `-valletta`, `valletta NOT museum`, `a AND b OR c`, `NEAR(a b, 5)`, `^valletta`, `( ( (`,
	`') OR 1=1 --`, `; DROP TABLE maps_place`, `=valletta`, `@0/1/2`, `:number`, `amenity=cafe`, `+`, `…`, `…………`, `日本 東京 駅`, `القاهرة`, "a\u0301\u0301\u0301", `😀`, `½ ² ①`, `ﬁ`, `İstanbul`, `ẞ`,
	strings.Repeat("a ", 200), strings.Repeat("saint ", 60), strings.Repeat("x", 400), strings.Repeat(`"`, 400), strings.Repeat("12 ", 100), "of the of the", "12", "12 13 14", "St. St. St. St.", "'s", "' ' s",
}

func TestSearchAcceptsHostileText(t *testing.T) {
	s, db := withPlaces(t, sampleRegion())
	for _, text := range hostileQueries {
		checkSearch(t, s, db, text)
	}
	wantNames(t, "an operator is a word", searchIn(t, s, db, maps.SearchQuery{Text: "Cordina NOT Café"}), "Café Cordina")
}

// checkSearch fails t unless the text is found or rejected with a field, twice with
// the same result.
func checkSearch(t *testing.T, s *maps.Service, db *store.DB, text string) {
	t.Helper()
	for _, q := range []maps.SearchQuery{{Text: text, Limit: 20}, {Text: text, Limit: 20, Origin: &valletta, Radius: 3000}} {
		var results [2][]maps.Place
		for i := range results {
			err := db.Read(t.Context(), func(tx *store.Tx) (err error) {
				results[i], err = s.Search(tx, q)
				return err
			})
			var e *svc.Error
			if err != nil && (!errors.As(err, &e) || len(e.Fields) == 0) {
				t.Fatalf("%q: got %v, want places or an error of a field", text, err)
			}
		}
		if !reflect.DeepEqual(results[0], results[1]) {
			t.Fatalf("%q: got %q, then %q", text, names(results[0]), names(results[1]))
		}
		for _, p := range results[0] {
			if q.Radius > 0 && p.Distance > q.Radius {
				t.Fatalf("%q: got %s at %.0f m, want at most %.0f", text, p.Name, p.Distance, q.Radius)
			}
		}
	}
}

// FuzzSearch checks that any text is found or rejected with a field, that results are
// deterministic, and that the radius is exact.
func FuzzSearch(f *testing.F) {
	for _, text := range hostileQueries {
		f.Add(text)
	}
	f.Add("Republic Street 16, Valletta")
	f.Add("pharmcy valeta")
	s, db := withPlaces(f, sampleRegion())
	f.Fuzz(func(t *testing.T, text string) { checkSearch(t, s, db, text) })
}
