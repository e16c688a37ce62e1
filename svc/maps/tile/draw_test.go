package tile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	imagecolor "image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// at returns the tile of a zoom that contains a position, and the position in it as
// pixels.
func at(p geo.Point, zoom int) (id ID, x, y float64) {
	wx, wy := project(p)
	n := math.Exp2(float64(zoom))
	id = ID{zoom, int(wx * n), int(wy * n)}
	return id, (wx*n - float64(id.X)) * Size, (wy*n - float64(id.Y)) * Size
}

// drawTile draws a tile from the data of build.
func drawTile(t testing.TB, style Style, scale int, id ID, tiles map[ID][]byte) image.Image {
	t.Helper()
	file, err := Draw(style, scale, id, sourceData(id, tiles), nil)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if w := img.Bounds().Dx(); w != Size*scale || img.Bounds().Dy() != w {
		t.Fatalf("got %v, want %d pixels", img.Bounds(), Size*scale)
	}
	return img
}

func sourceData(id ID, tiles map[ID][]byte) (data [][]byte) {
	for _, source := range Sources(id) {
		if d := tiles[source]; d != nil {
			data = append(data, d)
		}
	}
	return data
}

func colorAt(img image.Image, x, y float64) color {
	c := imagecolor.RGBAModel.Convert(img.At(int(x), int(y))).(imagecolor.RGBA)
	return color(c.R)<<16 | color(c.G)<<8 | color(c.B)
}

func wantColor(t *testing.T, what string, img image.Image, x, y float64, want color) {
	t.Helper()
	if got := colorAt(img, x, y); got != want {
		t.Errorf("%s: got the color %06x, want %06x", what, got, want)
	}
}

// square returns a ring around a position with a width in degrees.
func square(p geo.Point, width float64) []geo.Point {
	return rectangle(p.Latitude-width/2, p.Longitude-width/2, p.Latitude+width/2, p.Longitude+width/2)
}

// The sea has the color of water, land that of land, in both styles and at all zooms.
func TestWorldHasLandAndSea(t *testing.T) {
	for zoom := 2; zoom <= MaxZoom; zoom++ {
		for style, colors := range palettes {
			id, x, y := at(pt(48, -40), zoom)
			wantColor(t, "the Atlantic", drawTile(t, Style(style), 1, id, nil), x, y, colors.water)
			id, x, y = at(pt(49.3, 2.4), zoom)
			wantColor(t, "France", drawTile(t, Style(style), 1, id, nil), x, y, colors.land)
			id, x, y = at(pt(-80, 100), zoom)
			wantColor(t, "the Antarctic", drawTile(t, Style(style), 1, id, nil), x, y, colors.land)
		}
	}
}

// Each class is drawn in its color, above the classes that are drawn earlier.
func TestFeaturesHaveTheColorsOfTheStyle(t *testing.T) {
	center := pt(48, -40) // in the sea
	line := func(class mapdata.Class) mapdata.Feature {
		return mapdata.Feature{Class: class, Parts: [][]geo.Point{{pt(48, -40.005), pt(48, -39.995)}}}
	}
	area := func(class mapdata.Class, width float64) mapdata.Feature {
		return mapdata.Feature{Class: class, Parts: [][]geo.Point{square(center, width)}}
	}
	for style, c := range palettes {
		for _, test := range []struct {
			what     string
			want     color
			zoom     int
			features []mapdata.Feature
		}{
			{"land", c.land, 12, []mapdata.Feature{area(mapdata.Land, 0.01)}},
			{"built area", c.built, 12, []mapdata.Feature{area(mapdata.Land, 0.01), area(mapdata.Built, 0.01)}},
			{"park", c.park, 16, []mapdata.Feature{area(mapdata.Land, 0.01), area(mapdata.Park, 0.01)}},
			{"wood", c.wood, 10, []mapdata.Feature{area(mapdata.Wood, 0.1), area(mapdata.Land, 0.1)}},
			{"lake", c.water, 17, []mapdata.Feature{area(mapdata.Water, 0.001), area(mapdata.Park, 0.01)}},
			{"building", c.building, 18, []mapdata.Feature{area(mapdata.Building, 0.001), area(mapdata.Built, 0.01)}},
			{"street", c.road, 16, []mapdata.Feature{line(mapdata.Street), area(mapdata.Building, 0.001)}},
			{"primary road", c.mainRoad, 15, []mapdata.Feature{line(mapdata.Primary), line(mapdata.Street)}},
			{"motorway", c.mainRoad, 19, []mapdata.Feature{line(mapdata.Motorway), line(mapdata.Street)}},
			{"river", c.water, 14, []mapdata.Feature{line(mapdata.River), area(mapdata.Land, 0.01)}},
		} {
			tiles := build(t, test.features...)
			id, x, y := at(center, test.zoom)
			for scale := 1; scale <= 2; scale++ {
				img := drawTile(t, Style(style), scale, id, tiles)
				wantColor(t, test.what, img, x*float64(scale), y*float64(scale), test.want)
			}
		}
	}
}

// An area does not contain its holes; islands in them are drawn.
func TestHolesOfAreas(t *testing.T) {
	center := pt(48, -40)
	tiles := build(t, mapdata.Feature{Class: mapdata.Land, Parts: [][]geo.Point{square(center, 0.01), square(center, 0.03), square(center, 0.02)}})
	c := palettes[Light]
	for _, test := range []struct {
		offset float64
		want   color
	}{{0, c.land}, {0.0075, c.water}, {0.0125, c.land}, {0.02, c.water}} {
		id, x, y := at(pt(48, -40+test.offset), 13)
		wantColor(t, "a ring", drawTile(t, Light, 1, id, tiles), x, y, test.want)
	}
}

// A line over the antimeridian is drawn on both sides of it.
func TestLinesCrossTheAntimeridian(t *testing.T) {
	tiles := build(t, mapdata.Feature{Class: mapdata.Motorway, Parts: [][]geo.Point{{pt(40, 179.99), pt(40, -179.99)}}})
	for _, longitude := range []float64{179.995, -179.995} {
		id, x, y := at(pt(40, longitude), 14)
		wantColor(t, "the road", drawTile(t, Light, 1, id, tiles), x, y, palettes[Light].mainRoad)
	}
	id, x, y := at(pt(40, 0), 14)
	if got := colorAt(drawTile(t, Light, 1, id, tiles), x, y); got == palettes[Light].mainRoad {
		t.Errorf("got a road around the Earth")
	}
}

// town returns the features of a town: settlements with long names and streets.
func town(center geo.Point, names int) (list []mapdata.Feature) {
	random := rand.New(rand.NewPCG(1, 2))
	near := func(width float64) geo.Point {
		return pt(center.Latitude+(random.Float64()-0.5)*width, center.Longitude+(random.Float64()-0.5)*width)
	}
	for i := range names {
		list = append(list, mapdata.Feature{Class: mapdata.PlaceLabel, Name: "Settlement " + string(rune('A'+i%26)), Rank: 1 + i%9, Parts: [][]geo.Point{{near(0.3)}}})
	}
	for i := range names {
		a := near(0.1)
		b := pt(a.Latitude+(random.Float64()-0.5)*0.01, a.Longitude+(random.Float64()-0.5)*0.01)
		class := []mapdata.Class{mapdata.Primary, mapdata.Secondary, mapdata.Street, mapdata.Street, mapdata.Path}[i%5]
		list = append(list, mapdata.Feature{Class: class, Name: "Street " + string(rune('A'+i%26)) + string(rune('a'+i/26%26)), Parts: [][]geo.Point{{a, b}}})
		p := near(0.1)
		list = append(list, mapdata.Feature{Class: mapdata.Park, Name: "Park", Parts: [][]geo.Point{square(p, 0.002)}},
			mapdata.Feature{Class: mapdata.Building, Parts: [][]geo.Point{square(near(0.05), 0.0002)}})
	}
	return list
}

// Two tiles next to each other show the same labels across their border.
func TestLabelsContinueInTheNextTile(t *testing.T) {
	center := pt(48, -40)
	tiles := build(t, town(center, 400)...)
	across := 0
	for zoom := 5; zoom <= 18; zoom++ {
		middle, _, _ := at(center, zoom)
		labels := make(map[ID][]worldLabel)
		for dx := -2; dx <= 2; dx++ {
			for dy := -2; dy <= 2; dy++ {
				id := ID{zoom, middle.X + dx, middle.Y + dy}
				labels[id] = labelsOf(t, id, tiles)
			}
		}
		for id, list := range labels {
			for _, next := range []ID{{zoom, id.X + 1, id.Y}, {zoom, id.X, id.Y + 1}} {
				if _, ok := labels[next]; !ok {
					continue
				}
				a, b := inBoth(list, id, next), inBoth(labels[next], id, next)
				if !slices.Equal(a, b) {
					t.Errorf("tiles %v and %v: got the labels %v and %v at their border", id, next, a, b)
				}
				across += len(a)
			}
		}
	}
	if across < 100 {
		t.Errorf("got %d labels at borders, want at least 100", across)
	}
}

// worldLabel is a label with its area in pixels of the world.
type worldLabel struct {
	text string
	area image.Rectangle
}

// labelsOf returns the labels that a tile shows, in a fixed order.
func labelsOf(t testing.TB, id ID, tiles map[ID][]byte) (list []worldLabel) {
	p := new(painter)
	p.reset(Light, 1, id)
	for _, d := range sourceData(id, tiles) {
		if err := p.addData(d); err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range p.selectAll() {
		b := l.bounds
		area := image.Rect(int(math.Floor(b.minX)), int(math.Floor(b.minY)), int(math.Ceil(b.maxX)), int(math.Ceil(b.maxY)))
		list = append(list, worldLabel{l.text, area.Add(tileArea(id).Min)})
	}
	slices.SortFunc(list, func(a, b worldLabel) int {
		return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.area.Min.X, b.area.Min.X), cmp.Compare(a.area.Min.Y, b.area.Min.Y))
	})
	return list
}

// tileArea returns the area of a tile in pixels of the world.
func tileArea(id ID) image.Rectangle {
	return image.Rect(id.X*Size, id.Y*Size, (id.X+1)*Size, (id.Y+1)*Size)
}

// inBoth returns the labels that are in both of two tiles.
func inBoth(list []worldLabel, a, b ID) (both []worldLabel) {
	for _, l := range list {
		if l.area.Overlaps(tileArea(a)) && l.area.Overlaps(tileArea(b)) {
			both = append(both, l)
		}
	}
	return both
}

// A label at a border is drawn in both tiles, and its halves fit.
func TestLabelIsNotCutAtTheBorder(t *testing.T) {
	id := ID{14, 6000, 6000}
	// The center of the label is on the border between id and the next tile.
	tiles := build(t, mapdata.Feature{Class: mapdata.PlaceLabel, Name: "MMMMMMMM", Rank: 3, Parts: [][]geo.Point{{unproject(6001, 6000.5, 14)}}})
	left := drawTile(t, Light, 1, id, tiles)
	right := drawTile(t, Light, 1, ID{14, 6001, 6000}, tiles)
	ink := func(img image.Image, from, to int) (rows []int) {
		for y := range Size {
			for x := from; x < to; x++ {
				if colorAt(img, float64(x), float64(y)) == palettes[Light].label {
					rows = append(rows, y)
				}
			}
		}
		return rows
	}
	a, b := ink(left, Size-60, Size), ink(right, 0, 60)
	if len(a) < 50 || len(b) < 50 || a[0] != b[0] || a[len(a)-1] != b[len(b)-1] {
		t.Errorf("got %d and %d dark pixels, want the two halves of a label of the same height", len(a), len(b))
	}
	if n := len(ink(left, 0, Size-60)); n != 0 {
		t.Errorf("got %d dark pixels far from the border, want none", n)
	}
}

// unproject returns the point at a position in tiles of a zoom.
func unproject(x, y float64, zoom int) geo.Point {
	n := math.Exp2(float64(zoom))
	return pt(math.Atan(math.Sinh(math.Pi*(1-2*y/n)))*180/math.Pi, x/n*360-180)
}

// Labels do not overlap, and a settlement displaces smaller ones.
func TestLabelsDoNotOverlap(t *testing.T) {
	center := pt(48, -40)
	tiles := build(t, append(town(center, 400), mapdata.Feature{Class: mapdata.PlaceLabel, Name: "Capital", Rank: 0, Parts: [][]geo.Point{{center}}})...)
	for zoom := 8; zoom <= 17; zoom++ {
		id, _, _ := at(center, zoom)
		p := new(painter)
		p.reset(Light, 1, id)
		for _, d := range sourceData(id, tiles) {
			if err := p.addData(d); err != nil {
				t.Fatal(err)
			}
		}
		labels := p.selectAll()
		hasCapital := false
		for i, a := range labels {
			hasCapital = hasCapital || a.text == "Capital"
			for _, b := range labels[:i] {
				if a.overlaps(b) {
					t.Errorf("zoom %d: %s and %s overlap", zoom, a.text, b.text)
				}
			}
		}
		if !hasCapital {
			t.Errorf("zoom %d: got no label of the capital", zoom)
		}
	}
}

// Further settlements are drawn, and labels at the border are the same in both tiles.
func TestFurtherSettlementsAreDrawn(t *testing.T) {
	p := geo.Point{Latitude: 47.3, Longitude: 8.4}
	city := NewLabel("Zürich", 2, p)
	x, y := project(p)
	for _, zoom := range []int{5, 6, 9, 14} {
		id, want := tileAt(zoom, x, y), zoom >= labelZoom(city.Rank)
		if got := city.IsNear(id); got != want {
			t.Errorf("zoom %d: got %v, want %v", zoom, got, want)
		}
		if far := (ID{zoom, id.X - 3, id.Y}); city.IsNear(far) {
			t.Errorf("tile %v: got a label of three tiles away", far)
		}
		empty, err1 := Draw(Light, 1, id, nil, nil)
		labelled, err2 := Draw(Light, 1, id, nil, []Label{city})
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(empty, labelled) == want {
			t.Errorf("zoom %d: got a drawing with the label: %v, want %v", zoom, !want, want)
		}
	}
	if east := NewLabel("Suva", 0, geo.Point{Latitude: 0, Longitude: 179.9}); !east.IsNear(ID{6, 0, 32}) {
		t.Error("over the antimeridian: got no label of the neighbor")
	}
}

// A name that the fonts cannot show has no label.
func TestNamesWithoutGlyphsAreNotDrawn(t *testing.T) {
	for name, want := range map[string]bool{"Ħaż-Żebbuġ": true, "Αθήνα": true, "Київ": true, "東京": false, "القاهرة": false, "": true} {
		if got := CanDraw(name); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	tiles := build(t, mapdata.Feature{Class: mapdata.PlaceLabel, Name: "東京", Rank: 0, Parts: [][]geo.Point{{pt(48, -40)}}})
	id, _, _ := at(pt(48, -40), 12)
	if list := labelsOf(t, id, tiles); len(list) != 0 {
		t.Errorf("got the labels %v, want none", list)
	}
}

// Invalid requests and damaged data are errors.
func TestInvalidTilesAreRejected(t *testing.T) {
	for _, id := range []ID{{-1, 0, 0}, {20, 0, 0}, {1, 2, 0}, {1, 0, -1}} {
		if _, err := Draw(Light, 1, id, nil, nil); err == nil {
			t.Errorf("%v: got no error", id)
		}
	}
	tiles := build(t, town(pt(48, -40), 50)...)
	id, _, _ := at(pt(48, -40), 16)
	for _, data := range sourceData(id, tiles) {
		h, err := readHeader(data)
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(data) - len(h.shapes) { // without shapes, the data is valid
			if _, err := Draw(Light, 1, id, [][]byte{data[:n]}, nil); err == nil {
				t.Fatalf("%d of %d bytes: got no error", n, len(data))
			}
		}
		if _, err := Draw(Light, 1, ID{3, 0, 0}, [][]byte{data}, nil); err == nil {
			t.Errorf("data of another zoom: got no error")
		}
	}
}

// Data from the database may be damaged. Decoding it does not panic, and the points
// fit into the data.
func FuzzData(f *testing.F) {
	for _, data := range build(f, town(pt(48, -40), 20)...) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := readHeader(data)
		if err != nil {
			return
		}
		for _, block := range [][]byte{h.labels, h.shapes} {
			points := 0
			_ = h.each(block, func(feature feature, part []point) { points += len(part) })
			if points > maxTileData/2 {
				t.Errorf("got %d points, want at most %d", points, maxTileData/2)
			}
		}
		id := ID{h.id.Z, h.id.X, h.id.Y}
		_, _ = Draw(Light, 1, id, [][]byte{data}, nil)
	})
}

// FuzzBlock is FuzzData for the decompressed features.
func FuzzBlock(f *testing.F) {
	for _, data := range build(f, town(pt(48, -40), 20)...) {
		h, err := readHeader(data)
		if err != nil {
			f.Fatal(err)
		}
		for _, block := range [][]byte{h.labels, h.shapes} {
			if block, err = decoder.DecodeAll(block, nil); err != nil {
				f.Fatal(err)
			}
			f.Add(block, uint8(0))
		}
	}
	f.Fuzz(func(t *testing.T, block []byte, zoom uint8) {
		id := ID{14, 6371, 5673}
		data := append([]byte{dataVersion, 14}, appendUvarint(appendUvarint(nil, id.X), id.Y)...)
		compressed := encoder.EncodeAll(block, nil)
		data = encoder.EncodeAll(block, append(appendUvarint(data, len(compressed)), compressed...))
		shift := int(zoom % 6)
		_, _ = Draw(Light, 1, ID{14 + shift, id.X << shift, id.Y << shift}, [][]byte{data}, nil)
	})
}

// Each pixel is mixed in proportion to its coverage.
func TestBlendMixesEachPixel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	mask := make([]uint8, 1000)
	for i := 0; i < len(mask); i += 1 + random.IntN(20) {
		mask[i] = uint8(random.IntN(256))
	}
	mask[0], mask[len(mask)-1] = 255, 255
	pixels := make([]color, len(mask))
	blend(pixels, mask, 0xff8000)
	for i, m := range mask {
		red, green := int(pixels[i]>>16), int(pixels[i]>>8&0xff)
		if abs(red-int(m)) > 10 || abs(green-int(m)/2) > 10 || m == 255 && pixels[i] != 0xff8000 {
			t.Errorf("pixel %d with a coverage of %d: got the color %06x", i, m, pixels[i])
		}
	}
}

// BenchmarkDraw draws the tiles of a dense town that are not in a cache.
func BenchmarkDraw(b *testing.B) {
	center := pt(48, -40)
	tiles := build(b, town(center, 3000)...)
	for _, zoom := range []int{5, 9, 11, 13, 14, 15, 16, 17, 19} {
		for scale := 1; scale <= 2; scale++ {
			benchmarkStyles(b, fmt.Sprintf("zoom=%d/scale=%d", zoom, scale), func(b *testing.B, style Style) {
				middle, _, _ := at(center, zoom)
				var times []time.Duration
				for b.Loop() {
					i := len(times)
					id := ID{zoom, middle.X + i%3, middle.Y + i/3%3}
					data := sourceData(id, tiles)
					start := time.Now()
					if _, err := Draw(style, scale, id, data, nil); err != nil {
						b.Fatal(err)
					}
					times = append(times, time.Since(start))
				}
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			})
		}
	}
}

// benchmarkStyles runs a benchmark for each style.
func benchmarkStyles(b *testing.B, name string, run func(*testing.B, Style)) {
	for style, label := range []string{Light: "light", Dark: "dark"} {
		b.Run(name+"/"+label, func(b *testing.B) { run(b, Style(style)) })
	}
}
