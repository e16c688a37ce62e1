package reader

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// collection returns a feature collection with features in JSON.
func collection(features ...string) []byte {
	return []byte("{\"type\": \"FeatureCollection\", \"features\": [\n" + strings.Join(features, ",\n") + "\n]}")
}

const oak = `{"type": "Feature", "id": 7, "properties": {"name": "Oak", "natural": "tree"}, "geometry": {"type": "Point", "coordinates": [14.5, 35.9, 12]}}`

// Features become places and features of tiles. Their properties can be tags of
// OpenStreetMap or have common names.
func TestPlacesOfGeoJSON(t *testing.T) {
	c := mustRead(t, GeoJSON, collection(
		oak,
		`{"type":"Feature","properties":{"@id":"node/5","amenity":"cafe","name":"Central","name:de":"Zentral","Street":"High Street","housenumber":12,"zip":"1234","city":"Westham","url":"https://central.example","tel":null},"geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}}`,
		`{"type":"Feature","properties":{"title":"Club","category":"Culture"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}}`,
		`{"type":"Feature","properties":{"highway":"residential","name":"Low Road"},"geometry":{"type":"LineString","coordinates":[[0,0],[0,2]]}}`,
		`{"type":"Feature","properties":{"landuse":"forest"},"geometry":{"type":"GeometryCollection","geometries":[{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}]}}`,
		`{"type":"Feature","properties":null,"geometry":null}`,
	))
	c.check(t)
	if p := c.place(t, "7"); p.Name != "Oak" || p.Provider != "test" || p.Point != (geo.Point{Latitude: 35.9, Longitude: 14.5}) {
		t.Errorf("got %+v, want the oak", p)
	}
	want := mapdata.Address{HouseNumber: "12", Street: "High Street", Postcode: "1234", City: "Westham"}
	if p := c.place(t, "node/5"); p.Kind != "amenity=cafe" || p.Address != want || p.Names["de"] != "Zentral" || !maps.Equal(p.Tags, map[string]string{"website": "https://central.example"}) {
		t.Errorf("got %+v, want a café with the address %+v", p, want)
	}
	club := c.places[2]
	if club.Name != "Club" || club.Category != "culture" || club.Point != (geo.Point{Latitude: 1, Longitude: 1}) {
		t.Errorf("got %+v, want the club in the middle of its area", club)
	}
	if want := (geo.Box{North: 35.9, East: 14.5}); c.header.Bounds != want {
		t.Errorf("got the bounds %v, want %v", c.header.Bounds, want)
	}
	if !slices.Equal(c.names(mapdata.Street), []string{"Low Road"}) || len(c.names(mapdata.Wood)) != 1 {
		t.Errorf("got the features %+v, want a street and a wood", c.features)
	}
}

// Places without an id have one that depends on the place only, so that it is stable
// over imports. Covers W-98.
func TestIDsAreStable(t *testing.T) {
	first := mustRead(t, CSV, []byte("name,lat,lon\nOak,36,14\nElm,36,14\n"))
	second := mustRead(t, CSV, []byte("lon,name,lat\n14,Elm,36.000\n15,Ash,36\n14,Oak,36\n"))
	if a, b := first.places[0], second.places[2]; a.ProviderID != b.ProviderID || a.ProviderID == first.places[1].ProviderID {
		t.Errorf("got the ids %s and %s for the oak and %s for the elm, want two", a.ProviderID, b.ProviderID, first.places[1].ProviderID)
	}
}

// A file may be a feature, a geometry or a sequence of features, and begin with a byte
// order mark.
func TestFormsOfGeoJSON(t *testing.T) {
	point := `{"type": "Point", "coordinates": [14.5, 35.9]}`
	for name, c := range map[string]struct {
		data   string
		places int
	}{
		"a feature":             {oak, 1},
		"a geometry":            {point, 0},
		"geometries":            {`{"type": "GeometryCollection", "geometries": [` + point + `]}`, 0},
		"a sequence of lines":   {oak + "\n" + oak + "\n", 2},
		"a sequence (RFC 8142)": {"\x1e" + oak + "\n\x1e" + oak + "\n", 2},
		"a byte order mark":     {"\ufeff" + oak, 1},
		"WGS 84":                {`{"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}, "type": "FeatureCollection", "features": [` + oak + `]}`, 1},
		"members after":         {`{"features": [` + oak + `], "other": {"a": [1, {}]}, "type": "FeatureCollection"}`, 1},
	} {
		if got, err := read(t.Context(), t, GeoJSON, []byte(c.data)); err != nil || len(got.places) != c.places {
			t.Errorf("%s: got %d places, %v, want %d", name, len(got.places), err, c.places)
		}
	}
	osm := mustRead(t, GeoJSON, []byte(`{"type": "FeatureCollection", "features": [`+oak+`], "copyright": "The data is from OpenStreetMap, ODbL."}`))
	if a := osm.header.Attribution; a != osmAttribution {
		t.Errorf("got the attribution %+v, want that of OpenStreetMap", a)
	}
}

// An invalid file is rejected with the line of the mistake, before any place or
// feature is passed on.
func TestWrongGeoJSONIsRejected(t *testing.T) {
	geometry := func(kind, coordinates string) []byte {
		return collection(oak, fmt.Sprintf(`{"type":"Feature","properties":{},"geometry":{"type":%q,"coordinates":%s}}`, kind, coordinates))
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"an empty file", nil, "no features"},
		{"no features", collection(), "no features"},
		{"an array", []byte(" [1]"), "line 1, column 3: expected a GeoJSON object"},
		{"text", []byte("hello"), "line 1, column 1"},
		{"no type", []byte(`{"features": []}`), "no type"},
		{"another type", []byte(`{"type": "Topology"}`), `"Topology"`},
		{"features of another type", []byte(`{"type": "FeatureCollection", "features": {}}`), "not an array"},
		{"a feature of another type", collection(oak, `{"type":"Fish"}`), `line 3, column 16: feature 2 has the type "Fish"`},
		{"a truncated file", collection(oak)[:90], "line 2, column 47: the file is truncated"},
		{"a latitude beyond the pole", geometry("Point", "[14, 90.1]"), "line 3, column 88: feature 2: the position [14, 90.1] is out of range"},
		{"a projected position", geometry("Point", "[1613000, 4289000]"), "[longitude, latitude]"},
		{"one number", geometry("Point", "[14]"), "fewer than two numbers"},
		{"an empty position", geometry("LineString", "[[1,2],null]"), "fewer than two numbers"},
		{"a text for a position", geometry("Point", `["a","b"]`), "do not suit the type Point"},
		{"the wrong nesting", geometry("Polygon", "[[1,2],[3,4]]"), "do not suit the type Polygon"},
		{"no coordinates", collection(`{"type":"Feature","properties":{},"geometry":{"type":"Point"}}`), "do not suit the type Point"},
		{"a short line", geometry("LineString", "[[1,2]]"), "fewer than two positions"},
		{"an open ring", geometry("Polygon", "[[[0,0],[1,0],[1,1],[0,1]]]"), "its last position is not its first"},
		{"an unknown geometry", geometry("Circle", "[1,2]"), `"Circle"`},
		{"another coordinate system", []byte(`{"crs":{"type":"name","properties":{"name":"EPSG:3857"}},"type":"FeatureCollection","features":[]}`), "convert the file to WGS 84"},
		{"nested collections", collection(`{"type":"Feature","properties":{},"geometry":` + strings.Repeat(`{"type":"GeometryCollection","geometries":[`, 9) + strings.Repeat("]}", 9) + "}"), "nested too deeply"},
	} {
		got, err := read(t.Context(), t, GeoJSON, c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got the error %v, want %q", c.name, err, c.want)
		}
		if got.headers+len(got.places) > 0 {
			t.Errorf("%s: got %d places, want none", c.name, len(got.places))
		}
	}
}

// A feature or a row without an end is rejected before it fills the memory.
func TestLongEntriesAreRejected(t *testing.T) {
	for format, data := range map[Format]string{
		GeoJSON: `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"` + strings.Repeat("x", 40<<20),
		CSV:     "name,lat,lon\n\"" + strings.Repeat("x\n", 20<<20),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read(t.Context(), t, format, []byte(data))
		runtime.ReadMemStats(&after)
		used := after.TotalAlloc - before.TotalAlloc - uint64(len(data)) // the test copies the data
		if err == nil || !strings.Contains(err.Error(), "too large") || used > 120<<20 {
			t.Errorf("%s: got %v after allocating %d MB, want that an entry is too large and at most 120 MB", format, err, used>>20)
		}
	}
}

// The first row names the columns, in any order and with any common separator.
func TestPlacesOfCSV(t *testing.T) {
	c := mustRead(t, CSV, []byte("\ufeffID;Name;Latitude;Lng;Category;Street;House_Number;Postcode;City;Country;Website;Phone;Opening_Hours;Notes\n"+
		"a1;Corner Shop;35.9;-14.5;groceries;High Street;3;1234;Westham;mt;https://shop.example;+356 1;Mo-Fr 08:00-18:00;first\r\n"+
		"a2;\"Café; Bar\";-35.9;14.5;amenity=cafe;;;;;;;;;\n"+
		"a3;Hall;0;0;;;;;;;;;;\n"))
	c.check(t)
	shop := c.place(t, "a1")
	want := mapdata.Address{HouseNumber: "3", Street: "High Street", Postcode: "1234", City: "Westham", Country: "MT"}
	if shop.Provider != "test" || shop.Name != "Corner Shop" || shop.Category != "groceries" || shop.Point != (geo.Point{Latitude: 35.9, Longitude: -14.5}) || shop.Address != want {
		t.Errorf("got %+v, want the shop with the address %+v", shop, want)
	}
	if tags := map[string]string{"website": "https://shop.example", "phone": "+356 1", "opening_hours": "Mo-Fr 08:00-18:00"}; !maps.Equal(shop.Tags, tags) {
		t.Errorf("got the tags %v, want %v", shop.Tags, tags)
	}
	if cafe := c.place(t, "a2"); cafe.Name != "Café; Bar" || cafe.Kind != "amenity=cafe" || cafe.Category != "coffee" {
		t.Errorf("got %+v, want a café", cafe)
	}
	if hall := c.place(t, "a3"); hall.Kind != "" || hall.Importance == 0 {
		t.Errorf("got %+v, want a place without a kind", hall)
	}
	if want := (geo.Box{South: -35.9, West: -14.5, North: 35.9, East: 14.5}); c.header.Bounds != want {
		t.Errorf("got the bounds %v, want %v", c.header.Bounds, want)
	}
}

// A category can be a word, such as that of a kind.
func TestCategoriesOfCSVCanBeWords(t *testing.T) {
	c := mustRead(t, CSV, []byte("name,lat,lon,category\nA,1,1,Pharmacy\nB,1,1,Apotheke\n"))
	for _, p := range c.places {
		if p.Kind != "amenity=pharmacy" || p.Category != "health" {
			t.Errorf("got %+v, want a pharmacy", p)
		}
	}
}

// An invalid table is rejected with the line and the column of the mistake,
// before any place is passed on.
func TestWrongCSVIsRejected(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"an empty file", "", "the first row must name the columns"},
		{"no rows", "name,lat,lon\n", "no rows"},
		{"no latitude", "name,lon\nOak,14\n", "line 1, column 1: no column has the name latitude or lat"},
		{"no longitude", "name,lat\nOak,14\n", "longitude, lon or lng"},
		{"no name", "lat,lon\n36,14\n", "no column has the name name"},
		{"two columns with a name", "name,lat,lon,Lat\nOak,36,14,36\n", `line 1, column 14: two columns have the name "lat"`},
		{"too few columns", "name,lat,lon\nOak,36,14\nElm,36\n", "line 3, column 1: the row has more or fewer columns than the first row, which has 3"},
		{"a latitude beyond the pole", "name,lat,lon\nOak,90.5,14\n", "line 2, column 5: the lat 90.5 is out of range"},
		{"a longitude that is no number", "name,lat,lon\nOak,36,east\n", `line 2, column 8: the lon "east" is not a number`},
		{"no latitude in a row", "name,lat,lon\nOak,,14\n", `the lat "" is not a number`},
		{"NaN", "name,lat,lon\nOak,NaN,14\n", "is not a number"},
		{"a decimal comma", "name;lat;lon\nOak;36,5;14\n", "write a point before the decimals"},
		{"an empty name", "lat,lon,name\n36,14,  \n", "line 2, column 7: the name is empty"},
		{"an unknown category", "name,lat,lon,category\nOak,36,14,\"qwxyz\"\n", `line 2, column 11: unknown category "qwxyz": use food, coffee`},
		{"a quote in a field", "name,lat,lon\nO\"ak,36,14\n", `line 2, column 2: bare " in non-quoted-field`},
		{"another encoding", "name,lat,lon\nCaf\xe9,36,14\n", "line 2, column 1: the text is not encoded in UTF-8"},
	} {
		got, err := read(t.Context(), t, CSV, []byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got the error %v, want %q", c.name, err, c.want)
		}
		if got.headers+len(got.places) > 0 {
			t.Errorf("%s: got %d places, want none", c.name, len(got.places))
		}
	}
}

// Any file results in valid places and features, or in an error and nothing else.
func FuzzGeoJSON(f *testing.F) {
	f.Add(collection(oak))
	f.Add([]byte(`{"type":"Feature","properties":{"landuse":"forest"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}`))
	f.Fuzz(func(t *testing.T, data []byte) { checkText(t, GeoJSON, data) })
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("name,lat,lon,category,id\nOak,36,14,food,7\n"))
	f.Add([]byte("\ufeffname;lat;lng\n\"O;a\nk\";-36;14\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) { checkText(t, CSV, data) })
}

func checkText(t *testing.T, format Format, data []byte) {
	c, err := read(t.Context(), t, format, data)
	if err == nil {
		c.check(t)
		return
	}
	if c.headers+len(c.places)+len(c.features) > 0 {
		t.Fatalf("got %d places and the error %v, want none", len(c.places), err)
	}
}
