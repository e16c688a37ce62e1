package maps_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
	"appliance/svc/maps/tile"
	"appliance/svc/words"
)

// Covers B-32, P-01 and S-71.
func TestMapOfAPlace(t *testing.T) {
	layers := []maps.Layer{
		{ID: "a", Attribution: svc.List[mapdata.Attribution]{{Label: "A"}, {Label: "B", Required: true}}},
		{ID: "b", Attribution: svc.List[mapdata.Attribution]{{Label: "B", Required: true}}},
	}
	r := maps.NewRuntime(valletta, "Here", layers)
	if got, want := fmt.Sprint(r.Contract, r.Viewport.Center, r.Viewport.Zoom, r.Markers), "{service.map.runtime 1} {35.899 14.514} 16 [{place 35.899 14.514 Here}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(r.Attribution), "[{A  false} {B  true}]"; got != want {
		t.Errorf("attributions: got %s, want each once: %s", got, want)
	}
}

// A viewport shows the whole area, and no more than twice its width.
func TestViewportFitsTheArea(t *testing.T) {
	for _, c := range []struct {
		name string
		area geo.Box
		want string // center and zoom
	}{
		{"the world", geo.Box{South: -85, West: -180, North: 85, East: 180}, "0.0 0.0 1"},
		{"an island", geo.Box{South: 35.78, West: 14.18, North: 36.09, East: 14.58}, "35.9 14.4 10"},
		{"over the antimeridian", geo.Box{South: -20, West: 177, North: -16, East: -179}, "-18.0 179.0 7"},
		{"a point", geo.Box{South: 50, West: 8, North: 50, East: 8}, "50.0 8.0 16"},
		{"a pole", geo.Box{South: 85, West: -180, North: 90, East: 180}, "85.0 0.0 1"},
	} {
		v := maps.NewAreaRuntime(c.area, nil).Viewport
		if got := fmt.Sprintf("%.1f %.1f %d", v.Center.Latitude, v.Center.Longitude, v.Zoom); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if v.Bounds == nil || *v.Bounds != maps.NewBounds(c.area) {
			t.Errorf("%s: got the bounds %v, want the area", c.name, v.Bounds)
		}
	}
}

// The map names the sources of the data that it shows, and no others. Covers
// P-10.
func TestLayersHaveTheAttributionsOfTheirRegions(t *testing.T) {
	db, _ := storetest.Open(t)
	s := maps.New()
	s.Configure(maps.Config{Layers: []maps.DirectLayer{{ID: "topo", URLTemplate: "https://t.example/{z}/{x}/{y}.png", Attribution: mapdata.Attribution{Label: "© T", Required: true}}}})
	layers := func() (list []maps.Layer) {
		read(t, db, func(tx *store.Tx) (err error) {
			list, err = s.Layers(tx, words.English)
			return err
		})
		return list
	}
	if got := layers(); len(got) != 2 || len(got[0].Attribution) != 2 || got[0].Attribution[1].Label != "GeoNames" || got[0].Attribution[0].Required || got[1].Attribution[0].Label != "© T" {
		t.Errorf("without a region: got the layers %+v, want the world and the layer of the operator", got)
	}
	i, err := s.Begin(t.Context(), db, maps.NewRegion{Name: "malta", Format: maps.OSM})
	if err != nil {
		t.Fatal(err)
	}
	osm := mapdata.Attribution{Label: "© OpenStreetMap contributors", Required: true}
	i.SetHeader(mapdata.Header{Attribution: osm})
	if err := i.AddTiles(t.Context(), []maps.Tile{{Z: 8, X: 1, Y: 1, Data: []byte{1}}}); err != nil {
		t.Fatal(err)
	}
	if err := i.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := layers()[0].Attribution; len(got) != 3 || got[2] != osm {
		t.Errorf("with a region: got the attributions %v, want also %v", got, osm)
	}
}

// tileAt returns the tile of a zoom that contains a point of the Web Mercator grid.
func tileAt(zoom int, p geo.Point) tile.ID {
	n := math.Exp2(float64(zoom))
	latitude := p.Latitude * math.Pi / 180
	return tile.ID{Z: zoom, X: int((p.Longitude/360 + 0.5) * n), Y: int((0.5 - math.Asinh(math.Tan(latitude))/(2*math.Pi)) * n)}
}

// The map shows cities of the gazetteer where no region has data. Each zoom shows only the
// cities of the ranks that belong to it.
func TestTilesHaveCitiesWhereNoRegionHasData(t *testing.T) {
	db, _ := storetest.Open(t)
	s := maps.New()
	palermo, valletta := geo.Point{Latitude: 38.116, Longitude: 13.361}, geo.Point{Latitude: 35.8997, Longitude: 14.5148}
	cities := func(zoom int, p geo.Point) (list []string) {
		read(t, db, func(tx *store.Tx) error {
			_, labels, err := s.TileData(tx, tileAt(zoom, p))
			for _, f := range labels {
				list = append(list, f.Name)
			}
			return err
		})
		return list
	}
	for _, c := range []struct {
		zoom int
		name string
		want bool
	}{{4, "Palermo", false}, {5, "Palermo", false}, {6, "Palermo", true}, {9, "Palermo", true}, {7, "Marsala", false}, {8, "Marsala", true}, {8, "Tokyo", false}} {
		if got := cities(c.zoom, palermo); slices.Contains(got, c.name) != c.want {
			t.Errorf("zoom %d at Palermo: got %q, want %s: %v", c.zoom, got, c.name, c.want)
		}
	}
	if got := cities(8, valletta); !slices.Contains(got, "Valletta") {
		t.Errorf("without a region: got %q, want Valletta", got)
	}
	i, err := s.Begin(t.Context(), db, maps.NewRegion{Name: "malta", Format: maps.OSM})
	if err != nil {
		t.Fatal(err)
	}
	at := tileAt(11, valletta)
	if err := i.AddTiles(t.Context(), []maps.Tile{{Z: at.Z, X: at.X, Y: at.Y, Data: []byte{1}}}); err != nil {
		t.Fatal(err)
	}
	if err := i.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := cities(8, valletta); slices.Contains(got, "Valletta") {
		t.Errorf("with a region: got %q, want no label that the region has", got)
	}
	if got := cities(8, palermo); !slices.Contains(got, "Palermo") {
		t.Errorf("beside the region: got %q, want Palermo", got)
	}
}

func TestDirectLayerIsParsed(t *testing.T) {
	var l maps.DirectLayer
	if err := l.UnmarshalText([]byte("osm https://tile.example.org/{z}/{x}/{y}.png © OpenStreetMap contributors https://www.openstreetmap.org/copyright")); err != nil {
		t.Fatal(err)
	}
	want := maps.DirectLayer{ID: "osm", URLTemplate: "https://tile.example.org/{z}/{x}/{y}.png", Attribution: mapdata.Attribution{Label: "© OpenStreetMap contributors", URL: "https://www.openstreetmap.org/copyright", Required: true}}
	if l != want {
		t.Errorf("got %+v, want %+v", l, want)
	}
	for _, text := range []string{
		"", "osm", "osm https://t.example/{z}/{x}/{y}.png", "base https://t.example/{z}/{x}/{y}.png © T", "OSM https://t.example/{z}/{x}/{y}.png © T",
		"osm http://t.example/{z}/{x}/{y}.png © T", "osm /{z}/{x}/{y}.png © T", "osm https://t.example/{z}/{x}.png © T", "osm https://{s}.t.example/{z}/{x}/{y}.png © T",
		"osm https://a:b@t.example/{z}/{x}/{y}.png © T", "osm https://t.example';script-src/{z}/{x}/{y}.png © T",
	} {
		if err := new(maps.DirectLayer).UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "layer") {
			t.Errorf("%q: got %v, want an error about the layer", text, err)
		}
	}
}

// Opening hours are evaluated in the time zone of the place, else in that of the
// server. The result states which one.
func TestOpening(t *testing.T) {
	s := maps.New()
	now := time.Date(2026, 11, 23, 8, 30, 0, 0, time.UTC) // a Monday
	describe := func(o maps.Opening, expires time.Time) string {
		text := "unknown"
		if o.OpenNow != nil {
			text = fmt.Sprint(*o.OpenNow)
		}
		if o.NextChange != nil {
			text += " until " + *o.NextChange
		}
		if o.Hours != nil {
			text += " in " + o.Hours.Timezone + " of the " + o.Hours.TimezoneFrom
		}
		if !expires.IsZero() {
			text += ", expires " + expires.UTC().Format("15:04")
		}
		return text
	}
	ceuta := geo.Point{Latitude: 35.89, Longitude: -5.32} // Spain according to its address, Morocco according to the map
	for _, c := range []struct {
		name, hours, country string
		point                geo.Point
		want                 string
	}{
		{"no hours", "", "MT", valletta, "unknown"},
		{"open", "Mo-Fr 09:00-17:00", "MT", valletta, "true until 2026-11-23T16:00:00Z in Europe/Malta of the place, expires 16:00"},
		{"a place without a country", "Mo-Fr 09:00-17:00", "", geo.Point{Latitude: 51.5, Longitude: -0.12}, "false until 2026-11-23T09:00:00Z in Europe/London of the place, expires 09:00"},
		{"an unknown time zone", "Mo-Fr 09:00-17:00", "ES", ceuta, "false until 2026-11-23T14:00:00Z in America/New_York of the server, expires 14:00"},
		{"always", "24/7", "MT", valletta, "true in Europe/Malta of the place"},
		{"unsupported", "sunrise-sunset", "MT", valletta, "unknown in Europe/Malta of the place"},
		{"by appointment", `"by appointment"`, "MT", valletta, "unknown in Europe/Malta of the place, expires 08:45"},
	} {
		s.Configure(maps.Config{Timezone: "America/New_York"})
		p := maps.Place{PlaceID: "osm:node/1", Point: c.point, Address: mapdata.Address{Country: c.country}, Tags: map[string]string{"opening_hours": c.hours}}
		if got := describe(s.Opening(p, now)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if got := describe(s.FindingOpening(p.Finding(), now)); got != c.want {
			t.Errorf("%s: the finding: got %s, want %s", c.name, got, c.want)
		}
	}
	page := svc.Finding{ObjectType: "html_resource", Payload: svc.Map{"opening_hours": "24/7"}}
	if with, _ := s.WithOpening(page, now); with.Payload["open_now"] != nil {
		t.Errorf("a page: got %v, want no state", with.Payload)
	}
}
