package kind_test

import (
	"slices"
	"strings"
	"testing"

	"appliance/svc/maps/kind"
	"appliance/svc/words"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		tags           string // key=value, separated by commas
		kind, category string
	}{
		{"amenity=cafe,name=A", "amenity=cafe", "coffee"},
		{"amenity=cafe", "amenity=cafe", "coffee"},
		{"amenity=theatre", "", ""}, // without a name
		{"amenity=bench,name=A", "", ""},
		{"historic=castle,tourism=museum,name=A", "tourism=museum", "culture"},
		{"shop=bakery;pastry,name=A", "shop=bakery", "groceries"},
		{"shop=unheard_of,name=A", "shop=unheard_of", "shops"},
		{"office=unheard_of,name=A", "office=unheard_of", "services"},
		{"building=yes,name=A", "building=yes", ""},
		{"building=yes", "", ""},
		{"building=warehouse,name=A", "", ""},
		{"highway=residential,name=A", "", ""},
		{"place=town,name=A", "place=town", ""},
		{"amenity=no,shop=books,name=A", "shop=books", "shops"},
		{"", "", ""},
	} {
		tags := make(map[string]string)
		for tag := range strings.SplitSeq(c.tags, ",") {
			key, value, _ := strings.Cut(tag, "=")
			tags[key] = value
		}
		got, category, importance := kind.Of(tags)
		if got != c.kind || category != c.category || importance < 0 || importance > 1 || got != "" && importance == 0 {
			t.Errorf("%s: got %q, %q, %v, want %q, %q", c.tags, got, category, importance, c.kind, c.category)
		}
		if kind.Category(got) != c.category {
			t.Errorf("category of %s: got %q, want %q", got, kind.Category(got), c.category)
		}
	}
}

// Larger towns, and sights with articles in encyclopedias, are more important.
func TestImportanceOrdersPlaces(t *testing.T) {
	of := func(tags ...string) float64 {
		m := map[string]string{"name": "A"}
		for i := 0; i < len(tags); i += 2 {
			m[tags[i]] = tags[i+1]
		}
		_, _, importance := kind.Of(m)
		return importance
	}
	order := []float64{
		of("place", "country"), of("place", "city", "population", "3 400 000", "capital", "yes"), of("place", "city", "population", "3,400,000"),
		of("place", "city", "population", "100000"), of("place", "town"), of("tourism", "museum", "wikidata", "Q1"), of("tourism", "museum"), of("amenity", "cafe"), of("amenity", "post_box"),
	}
	if !slices.IsSortedFunc(order, func(a, b float64) int {
		if a > b {
			return -1
		}
		return 1
	}) {
		t.Errorf("got %v, want descending values", order)
	}
}

func TestLabel(t *testing.T) {
	for of, want := range map[string]string{
		"amenity=cafe": "Café", "street": "Street", "address": "Address", "shop=unheard_of": "Unheard of", "shop=épicerie": "Épicerie",
		"historic=yes": "Historic", "": "Place", "x=": "X=",
	} {
		if got := kind.Label(words.English, of); got != want {
			t.Errorf("%s: got %q, want %q", of, got, want)
		}
	}
}

// Words in five languages mean the same kinds, in upper or lower case, singular
// or plural.
func TestFromWords(t *testing.T) {
	for kindName, phrases := range map[string]string{
		"amenity=pharmacy":         "pharmacy, Pharmacies, Apotheke, Apotheken, pharmacie, farmacia, farmacias, farmacie",
		"amenity=cafe":             "café, cafes, CAFÉS, Kaffeehäuser, cafetería, caffè",
		"shop=supermarket":         "supermarket, Supermärkte, supermarchés, supermercados, supermercati",
		"tourism=museum":           "museum, museums, Museen, musée, musées, museo, museos, musei",
		"amenity=restaurant":       "restaurants, Gaststätten, restaurantes, ristoranti",
		"railway=station":          "train station, Bahnhof, gare, estación de tren, stazione ferroviaria",
		"amenity=hospital":         "hospitals, Krankenhäuser, hôpital, ospedali",
		"highway=bus_stop":         "bus stops, Bushaltestelle, arrêt de bus, parada de autobús, fermata",
		"amenity=bank":             "banks, Banken, banques, bancos, banca",
		"amenity=fuel":             "petrol stations, Tankstellen, station service, gasolineras, benzinaio",
		"shop=bakery":              "bakeries, Bäckereien, boulangeries, panaderías, panetteria",
		"tourism=hotel":            "hotels, Hotel, hôtels, alberghi?",
		"amenity=place_of_worship": "churches?, church, Kirche, Kirchen, église, iglesia, chiesa",
	} {
		for phrase := range strings.SplitSeq(phrases, ",") {
			if strings.HasSuffix(phrase, "?") {
				continue // the singular form is not required
			}
			if got := kind.FromWords(phrase); !slices.Contains(got, kindName) {
				t.Errorf("%s: got %q, want %s", phrase, got, kindName)
			}
		}
	}
	for _, other := range []string{"", "valletta", "republic street", "pharmacy valletta", "a b c d e f"} {
		if got := kind.FromWords(other); got != nil {
			t.Errorf("%q: got %q, want none", other, got)
		}
	}
}

// Words mean kinds that an import produces.
func TestMeaningsAreKinds(t *testing.T) {
	for _, phrase := range []string{"pharmacy", "mountain hut", "sights", "church", "embassy"} {
		for _, k := range kind.FromWords(phrase) {
			if key, value, _ := strings.Cut(k, "="); value == "" {
				t.Errorf("%s: %s is no tag", phrase, k)
			} else if got, _, _ := kind.Of(map[string]string{key: value, "name": "A"}); got != k && k != "office=diplomatic" {
				t.Errorf("%s: an import produces %q, want %s", phrase, got, k)
			}
		}
	}
}

func TestSimilarAcceptsOneTypingError(t *testing.T) {
	for word, want := range map[string]string{"pharmcy": "amenity=pharmacy", "musuem": "tourism=museum", "apotheek": "amenity=pharmacy", "zzzzz": "", "x": ""} {
		got := kind.Similar(word)
		if want == "" && got != nil || want != "" && !slices.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

func TestIsSettlement(t *testing.T) {
	for k, want := range map[string]bool{"place=village": true, "place=island": true, "place=sea": false, "place=square": false, "amenity=cafe": false, "": false} {
		if got := kind.IsSettlement(k); got != want {
			t.Errorf("%s: got %v, want %v", k, got, want)
		}
	}
}

func TestEveryKindHasAGermanLabel(t *testing.T) {
	same := []string{"Aquarium", "Bank", "Bar", "Café", "Hostel", "Hotel", "Information", "Kindergarten", "Kiosk", "Motel", "Museum", "Obelisk", "Optometrist", "Park", "Planetarium", "Region", "Restaurant", "Theater", "Zoo"}
	for _, name := range kind.Listed() {
		english, german := kind.Label(words.English, name), kind.Label(words.German, name)
		if english == german && !slices.Contains(same, english) {
			t.Errorf("%s: got %q in both languages", name, english)
		}
	}
	for name, want := range map[string]string{"shop=escape_game": "Geschäft", "amenity=unknown": "Einrichtung", "place=unknown": "Ort", "": "Ort"} {
		if got := kind.Label(words.German, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
