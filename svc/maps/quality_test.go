package maps_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc/maps"
	"appliance/svc/maps/gazetteer"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/importer"
	"appliance/svc/maps/kind"
	"appliance/svc/maps/reader"
	"appliance/svc/svctest"
)

// qualityTolerance is the distance in meters between a result and the place that the
// query means.
const qualityTolerance = 1500

// qualityCase is a query with the position of the place that it means or, for
// categories, the kinds and the center of an area.
type qualityCase struct {
	query               string
	latitude, longitude float64
}

// Sights by names in French, German, Italian and Spanish.
var sights = map[string][]qualityCase{
	"malta-2018": {
		{"Co-cathédrale Saint-Jean", 35.8977, 14.5125}, {"Palais du Grand Maître", 35.8987, 14.5140}, {"Jardins d'Upper Barrakka", 35.8949, 14.5122},
		{"Musée national d'archéologie", 35.8973, 14.5112}, {"Fort Saint-Elme", 35.9019, 14.5187}, {"Musée national de la guerre", 35.9017, 14.5183},
		{"Hypogée de Hal Saflieni", 35.8695, 14.5070}, {"Temples de Tarxien", 35.8692, 14.5119}, {"Temples de Ħaġar Qim", 35.8278, 14.4420},
		{"Temples de Mnajdra", 35.8267, 14.4364}, {"Grotte bleue", 35.8206, 14.4571}, {"Lagon bleu", 36.0139, 14.3236}, {"Citadelle de Gozo", 36.0463, 14.2394},
		{"Temples de Ġgantija", 36.0473, 14.2690}, {"Cathédrale Saint-Paul de Mdina", 35.8864, 14.4037}, {"Catacombes de Saint-Paul", 35.8814, 14.3978},
		{"Rotonde de Mosta", 35.9100, 14.4258}, {"Fort Saint-Ange", 35.8919, 14.5183}, {"Falaises de Dingli", 35.8531, 14.3847}, {"Baie dorée", 35.9340, 14.3446},
		{"Fenêtre d'Azur", 36.0535, 14.1881}, {"Palais de l'Inquisiteur", 35.8874, 14.5224}, {"Cathédrale de Gozo", 36.0464, 14.2394},
		{"Grotte de Għar Dalam", 35.8363, 14.5279}, {"Village de Popeye", 35.9608, 14.3411},
		{"Großmeisterpalast", 35.8987, 14.5140}, {"Tempel von Ggantija", 36.0473, 14.2690}, {"Katakomben des heiligen Paulus", 35.8814, 14.3978},
		{"Untere Barrakka-Gärten", 35.8978, 14.5186}, {"Blaue Lagune Comino", 36.0139, 14.3236}, {"Roter Turm Mellieha", 35.9747, 14.3425}, {"Nationales Kriegsmuseum Valletta", 35.9017, 14.5183},
		{"Tempio di Mnajdra", 35.8267, 14.4364}, {"Museo nazionale di archeologia", 35.8973, 14.5112}, {"Forte Sant'Angelo", 35.8919, 14.5183}, {"Ipogeo di Hal Saflieni", 35.8695, 14.5070},
		{"Concatedral de San Juan", 35.8977, 14.5125}, {"Palacio del Gran Maestre", 35.8987, 14.5140}, {"Catacumbas de San Pablo", 35.8814, 14.3978},
		{"Fuerte de San Telmo", 35.9019, 14.5187},
	},
	"andorra-2025": {
		{"Église Saint-Jean de Caselles", 42.5690, 1.6070}, {"Sanctuaire de Meritxell", 42.5542, 1.5908}, {"Maison de la vallée", 42.5066, 1.5208}, {"Pont de la Margineda", 42.4857, 1.4903},
		{"Église Sainte-Colombe", 42.4947, 1.4979}, {"Lac d'Engolasters", 42.5197, 1.5680}, {"Pic de Coma Pedrosa", 42.5917, 1.4442}, {"Musée de l'automobile", 42.5346, 1.5826},
		{"Étangs de Tristaina", 42.6409, 1.4884}, {"Pont de Paris", 42.5070, 1.5260}, {"Heiligtum von Meritxell", 42.5542, 1.5908}, {"See von Engolasters", 42.5197, 1.5680},
		{"Iglesia de San Juan de Caselles", 42.5690, 1.6070}, {"Museo del automóvil", 42.5346, 1.5826}, {"Lagos de Tristaina", 42.6409, 1.4884}, {"Santuario di Meritxell", 42.5542, 1.5908},
	},
}

// Settlements by local, English and foreign names.
var towns = map[string][]qualityCase{
	"malta-2018": {
		{"Valletta", 35.8989, 14.5146}, {"La Valette", 35.8989, 14.5146}, {"La Valeta", 35.8989, 14.5146}, {"Sliema", 35.9122, 14.5042}, {"Saint Julian's", 35.9184, 14.4885}, {"St Julians", 35.9184, 14.4885},
		{"St. Paul's Bay", 35.9483, 14.4017}, {"Mosta", 35.9097, 14.4261}, {"Birkirkara", 35.8972, 14.4611}, {"Mdina", 35.8869, 14.4025}, {"Mellieha", 35.9564, 14.3622},
		{"Marsaxlokk", 35.8411, 14.5431}, {"Zurrieq", 35.8311, 14.4742}, {"Zejtun", 35.8558, 14.5331}, {"Birzebbuga", 35.8258, 14.5269}, {"Cospicua", 35.8822, 14.5222},
		{"Vittoriosa", 35.8878, 14.5225}, {"Senglea", 35.8878, 14.5169}, {"Qormi", 35.8794, 14.4722}, {"Attard", 35.8897, 14.4425}, {"Naxxar", 35.9150, 14.4447},
		{"Paola", 35.8731, 14.5075}, {"Msida", 35.8956, 14.4869}, {"Floriana", 35.8958, 14.5083}, {"Marsaskala", 35.8650, 14.5675}, {"Nadur", 36.0378, 14.2942}, {"Xaghra", 36.0500, 14.2644},
	},
	"andorra-2025": {
		{"Andorra la Vella", 42.5063, 1.5218}, {"Escaldes-Engordany", 42.5100, 1.5388}, {"Encamp", 42.5345, 1.5801}, {"Canillo", 42.5676, 1.5976}, {"Ordino", 42.5562, 1.5332}, {"La Massana", 42.5450, 1.5148},
		{"Sant Julia de Loria", 42.4637, 1.4913}, {"Pas de la Casa", 42.5425, 1.7336}, {"Soldeu", 42.5769, 1.6676}, {"Arinsal", 42.5720, 1.4841}, {"Andorre-la-Vieille", 42.5063, 1.5218},
	},
}

// Streets with house numbers, with and without abbreviations.
var houseNumbers = map[string][]qualityCase{
	"malta-2018": {
		{"Republic Street 74, Valletta", 35.8998, 14.5154}, {"12 Republic St, Valletta", 35.8985, 14.5130}, {"Republic Street 244 Valletta", 35.8987, 14.5132}, {"Triq ir-Repubblika 12, Valletta", 35.8985, 14.5130},
		{"Merchants Street 46, Valletta", 35.8975, 14.5135}, {"46 Merchants St. Valletta", 35.8975, 14.5135}, {"St. Paul Street 100, Valletta", 35.8980, 14.5140}, {"Triq San Pawl 100, Valletta", 35.8980, 14.5140},
		{"Old Bakery Street 30, Valletta", 35.8985, 14.5120}, {"Strait Street 140, Valletta", 35.8990, 14.5130}, {"Archbishop Street 20, Valletta", 35.8996, 14.5139}, {"St John Street 5, Valletta", 35.8975, 14.5120},
		{"Tower Road 50, Sliema", 35.9135, 14.5040}, {"Triq it-Torri 50, Sliema", 35.9135, 14.5040}, {"Villegaignon Street 10, Mdina", 35.8865, 14.4032}, {"Old Theatre Street 5 Valletta", 35.8985, 14.5140},
		{"South Street 10, Valletta", 35.8965, 14.5100}, {"Saint Lucia Street 20, Valletta", 35.8983, 14.5126}, {"Old Mint Street 20 Valletta", 35.8975, 14.5105}, {"Triq San Pawl 12, Rabat", 35.8814, 14.3985},
	},
	"andorra-2025": {
		{"Avinguda Carlemany 50, Escaldes-Engordany", 42.5095, 1.5340}, {"Av. Meritxell 20, Andorra la Vella", 42.5083, 1.5270}, {"Avinguda Meritxell 80, Andorra la Vella", 42.5083, 1.5270},
		{"Avenida Carlemany 36, Escaldes", 42.5095, 1.5340}, {"Carrer Prat de la Creu 59, Andorra la Vella", 42.5058, 1.5255}, {"Av. Tarragona 58, Andorra la Vella", 42.5030, 1.5150},
		{"Carrer de la Vall 2, Andorra la Vella", 42.5066, 1.5208}, {"c. de la Vall 2 Andorra la Vella", 42.5066, 1.5208}, {"Av. Copríncep Episcopal 10, Encamp", 42.5350, 1.5800},
	},
}

// Kinds of places in a town.
var categories = map[string][]qualityCase{
	"malta-2018": {
		{"pharmacy Valletta", 35.8989, 14.5146}, {"Apotheke in Sliema", 35.9122, 14.5042}, {"pharmacie Mosta", 35.9097, 14.4261}, {"farmacia Birkirkara", 35.8972, 14.4611}, {"supermarket Sliema", 35.9122, 14.5042},
		{"supermarché Qormi", 35.8794, 14.4722}, {"Tankstelle Mosta", 35.9097, 14.4261}, {"gasolinera Mellieha", 35.9564, 14.3622}, {"museums in Valletta", 35.8989, 14.5146}, {"musée Mdina", 35.8869, 14.4025},
		{"cafés in Valletta", 35.8989, 14.5146}, {"ristorante Marsaxlokk", 35.8411, 14.5431}, {"hotel St Julian's", 35.9184, 14.4885}, {"bank Valletta", 35.8989, 14.5146}, {"Geldautomat Sliema", 35.9122, 14.5042},
		{"bus stop Mdina", 35.8869, 14.4025}, {"church Mosta", 35.9097, 14.4261}, {"Strand Mellieha", 35.9564, 14.3622}, {"police station Valletta", 35.8989, 14.5146}, {"bakery Qormi", 35.8794, 14.4722},
		{"Spielplatz Sliema", 35.9122, 14.5042}, {"bureau de poste Valletta", 35.8989, 14.5146}, {"hospital Msida", 35.8956, 14.4869}, {"school Attard", 35.8897, 14.4425},
	},
	"andorra-2025": {
		{"pharmacie Andorra la Vella", 42.5063, 1.5218}, {"Apotheke Encamp", 42.5345, 1.5801}, {"supermercado Escaldes-Engordany", 42.5100, 1.5388}, {"hotel Soldeu", 42.5769, 1.6676},
		{"restaurant Ordino", 42.5562, 1.5332}, {"station service Sant Julià de Lòria", 42.4637, 1.4913}, {"museo Ordino", 42.5562, 1.5332}, {"bank Andorra la Vella", 42.5063, 1.5218},
		{"aparcamiento Canillo", 42.5676, 1.5976}, {"Spielplatz La Massana", 42.5450, 1.5148},
	},
}

// TestQuality measures how often a search finds the place that the query means, in
// regions that the environment variable TEST_CORPUS provides as
// osm/NAME.osm.pbf. It prints a table of shares, and each query that misses with -v.
func TestQuality(t *testing.T) {
	svctest.Long(t)
	corpus := os.Getenv("TEST_CORPUS")
	if corpus == "" {
		t.Skip("TEST_CORPUS names no folder of regions")
	}
	s := maps.New()
	stores := make(map[string]*store.DB)
	for region := range sights {
		db, _ := storetest.Open(t)
		importFile(t, s, db, region, filepath.Join(corpus, "osm", region+".osm.pbf"))
		stores[region] = db
	}
	for _, group := range []struct {
		name       string
		cases      map[string][]qualityCase
		top1, top5 float64
		byKind     bool
	}{
		{"sights under foreign names", sights, 0.70, 0.85, false},
		{"towns", towns, 0.90, 0.90, false},
		{"streets with house numbers", houseNumbers, 0, 0.85, false},
		{"categories", categories, 0, 0.90, true},
	} {
		first, five, n := 0, 0, 0
		for region, cases := range group.cases {
			for _, c := range cases {
				var list []maps.Place
				read(t, stores[region], func(tx *store.Tx) (err error) {
					list, err = s.Search(tx, maps.SearchQuery{Text: c.query, Limit: 5, Language: "en"})
					return err
				})
				rank := slices.IndexFunc(list, c.matcher(group.byKind))
				n++
				if rank == 0 {
					first++
				}
				if rank >= 0 {
					five++
				} else {
					t.Logf("%s: %q finds %s", region, c.query, summary(list))
				}
			}
		}
		top1, top5 := float64(first)/float64(n), float64(five)/float64(n)
		fmt.Printf("%-30s %3d queries  top-1 %3.0f %%  top-5 %3.0f %%\n", group.name, n, 100*top1, 100*top5)
		if top1 < group.top1 || top5 < group.top5 {
			t.Errorf("%s: got top-1 %.2f and top-5 %.2f, want at least %.2f and %.2f", group.name, top1, top5, group.top1, group.top5)
		}
	}
}

// matcher returns a function that reports whether a place is the one that the query
// means.
func (c qualityCase) matcher(byKind bool) func(maps.Place) bool {
	return func(p maps.Place) bool {
		d := geo.Distance(p.Point, geo.Point{Latitude: c.latitude, Longitude: c.longitude})
		if !byKind {
			return d <= qualityTolerance
		}
		words := strings.Fields(c.query)
		for n := 1; n < len(words); n++ {
			if slices.Contains(kind.FromWords(strings.Join(words[:n], " ")), p.Kind) {
				return d <= 2*qualityTolerance
			}
		}
		return false
	}
}

func summary(list []maps.Place) string {
	var b strings.Builder
	for _, p := range list {
		fmt.Fprintf(&b, "%s (%s, %s) ", p.Name, p.Kind, p.Address.City)
	}
	return b.String()
}

// importFile imports the towns of the gazetteer and a file as a region.
func importFile(t *testing.T, s *maps.Service, db *store.DB, name, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	im := importer.Importer{Maps: s, DB: db, Dir: t.TempDir()}
	if _, err := im.Towns(t.Context(), gazetteer.All); err != nil {
		t.Fatal(err)
	}
	if _, err := im.File(t.Context(), name, reader.File{Content: f, Size: info.Size(), Format: reader.OSM}); err != nil {
		t.Fatal(err)
	}
}
