package api_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
	"appliance/svc/maps/tile"
)

// importSquare imports a region with land around Valletta.
func importSquare(t *testing.T, h *apptest.Server, class mapdata.Class) {
	t.Helper()
	b, err := tile.NewBuilder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ring := []geo.Point{{Latitude: 35.8, Longitude: 14.4}, {Latitude: 35.8, Longitude: 14.6}, {Latitude: 36, Longitude: 14.6}, {Latitude: 36, Longitude: 14.4}}
	if err := b.Add(mapdata.Feature{Class: class, Parts: [][]geo.Point{ring}}); err != nil {
		t.Fatal(err)
	}
	var list []maps.Tile
	err = b.Tiles(func(z, x, y int, data []byte) error {
		list = append(list, maps.Tile{Z: z, X: x, Y: y, Data: data})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	i, err := h.App.Maps.Begin(t.Context(), h.DB, maps.NewRegion{Name: "square", Format: maps.GeoJSON, Checksum: fmt.Sprint(class)})
	if err == nil {
		err = i.AddTiles(t.Context(), list)
	}
	if err == nil {
		err = i.Publish(context.WithoutCancel(t.Context()))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// squareTilePath is the path of a tile inside the region of importSquare.
const squareTilePath = "/world/maps/tiles/base/14/8852/6439.png"

func centerColor(t *testing.T, a *apptest.Answer) color.Color {
	t.Helper()
	img := decodePNG(t, a)
	return color.RGBAModel.Convert(img.At(img.Bounds().Dx()/2, img.Bounds().Dy()/2))
}

func decodePNG(t *testing.T, a *apptest.Answer) image.Image {
	t.Helper()
	img, err := png.Decode(strings.NewReader(a.Want(200).Body))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Members get tiles of the world and of imported regions. Covers P-11.
func TestTilesShowTheWorldAndImportedRegions(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	h.Unauthenticated().Do("GET", squareTilePath).WantError(401, "unauthenticated")
	park, parkDark := color.RGBA{0xdb, 0xe7, 0xd0, 0xff}, color.RGBA{0x21, 0x2d, 0x24, 0xff}
	if got := centerColor(t, ann.Do("GET", squareTilePath)); got == park {
		t.Errorf("before the import: got a park")
	}
	importSquare(t, h, mapdata.Park)
	if got := centerColor(t, ann.Do("GET", squareTilePath)); got != park {
		t.Errorf("got %v, want the color of parks", got)
	}
	if got := centerColor(t, ann.Do("GET", strings.Replace(squareTilePath, "base", "base-dark", 1))); got != parkDark {
		t.Errorf("dark: got %v, want the color of parks", got)
	}
	if got := decodePNG(t, ann.Do("GET", strings.Replace(squareTilePath, ".png", "@2x.png", 1))).Bounds().Dx(); got != 512 {
		t.Errorf("@2x: got %d pixels, want 512", got)
	}
	a := ann.Do("GET", "/world/maps/tiles/base/0/0/0.png")
	if got := a.Header.Get("Content-Type"); got != "image/png" || decodePNG(t, a).Bounds().Dx() != 256 {
		t.Errorf("got the type %s, want a PNG of 256 pixels", got)
	}
}

func TestUnknownTilesAreNotFound(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for _, path := range []string{
		"base/1/2/0.png", "base/1/0/2.png", "base/20/0/0.png", "base/-1/0/0.png", "base/1/-1/0.png", "base/01/0/0.png", "base/1/0/+1.png",
		"base/1/0/0", "base/1/0/0.jpg", "base/1/0/0@3x.png", "base/1/0/.png", "satellite/1/0/0.png", "base/99999999999999999999/0/0.png",
	} {
		a := ann.Do("GET", "/world/maps/tiles/"+path).WantError(404, "not_found")
		if a.Header.Get("ETag") != "" {
			t.Errorf("%s: got an ETag", path)
		}
	}
	ann.Do("GET", "/world/maps/tiles/base/19/524287/524287.png").Want(200)
}

// The URLs of tiles change with an import, because clients cache tiles for a day. Covers
// B-32 and B-102.
func TestTileURLsChangeWithAnImport(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").AsRuntime()
	park := color.RGBA{0xdb, 0xe7, 0xd0, 0xff}
	templates := func() (list []string) {
		layer := ann.Session().At("field_runtime.map.layers.0")
		for _, key := range []string{"url_template", "variants.dark", "variants.2x", "variants.dark_2x"} {
			list = append(list, apptest.At(layer, key).(string))
		}
		return list
	}
	before := templates()
	if again := templates(); !slices.Equal(again, before) {
		t.Errorf("without an import: got %q, want the same as before: %q", again, before)
	}
	for range 2 { // the second import has the same file
		importSquare(t, h, mapdata.Park)
		after := templates()
		for i, template := range after {
			path, _, _ := strings.Cut(before[i], "?")
			if !strings.HasPrefix(template, path+"?v=") || template == before[i] {
				t.Errorf("after an import: got %s, want %s with another version", template, before[i])
			}
		}
		path := strings.NewReplacer("{z}", "14", "{x}", "8852", "{y}", "6439").Replace(after[0])
		if got := centerColor(t, ann.Do("GET", path)); got != park {
			t.Errorf("%s: got %v, want the color of parks", path, got)
		}
		before = after
	}
}

// The ETag of a tile changes with the regions that have data in it. Covers B-102.
func TestTilesAreCachedByClients(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	far := "/world/maps/tiles/base/14/100/6000.png"
	a, b := ann.Do("GET", squareTilePath).Want(200), ann.Do("GET", far).Want(200)
	etag := a.Header.Get("ETag")
	if got := a.Header.Get("Cache-Control"); got != "private, max-age=86400" || etag == "" {
		t.Fatalf("got Cache-Control %q, ETag %q", got, etag)
	}
	for _, header := range []string{etag, "W/" + etag, `"x", ` + etag} {
		if n := len(ann.With("If-None-Match", header).Do("GET", squareTilePath).Want(304).Body); n != 0 {
			t.Errorf("got a body of %d bytes, want none", n)
		}
	}
	importSquare(t, h, mapdata.Park)
	if got := ann.With("If-None-Match", etag).Do("GET", squareTilePath).Want(200).Header.Get("ETag"); got == etag {
		t.Errorf("after an import: got the same ETag")
	}
	ann.With("If-None-Match", b.Header.Get("ETag")).Do("GET", far).Want(304)
	etag = ann.Do("GET", squareTilePath).Header.Get("ETag")
	importSquare(t, h, mapdata.Wood)
	ann.With("If-None-Match", etag).Do("GET", squareTilePath).Want(200)
	if head := ann.Do("HEAD", squareTilePath).Want(200); len(head.Body) != 0 {
		t.Errorf("HEAD: got a body")
	}
}

// tileFiles returns the files of the cache of drawn tiles.
func tileFiles(t *testing.T, h *apptest.Server) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(h.App.Settings.Data, "tiles", "*.entry"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A drawn tile is stored; a damaged file is drawn again.
func TestDrawnTilesAreStored(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	first := ann.Do("GET", squareTilePath).Want(200).Body
	files := tileFiles(t, h)
	if len(files) != 1 {
		t.Fatalf("got the files %q, want one", files)
	}
	if err := os.WriteFile(files[0], []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ann.Do("GET", squareTilePath).Want(200).Body; got != first {
		t.Errorf("got another tile than before the damage")
	}
}

// Simultaneous requests for one tile cause one drawing.
func TestSimultaneousRequestsForOneTile(t *testing.T) {
	h := apptest.New(t)
	importSquare(t, h, mapdata.Park)
	var group sync.WaitGroup
	bodies := make([]string, 8)
	h.Queries.Take()
	members := []*apptest.Client{h.Member("ann"), h.Member("ben"), h.Member("cem"), h.Member("dia")}
	for i := range bodies {
		group.Go(func() { bodies[i] = members[i%len(members)].Do("GET", squareTilePath).Want(200).Body })
	}
	group.Wait()
	for _, b := range bodies {
		if b != bodies[0] {
			t.Errorf("got different drawings")
		}
	}
	if n := h.Queries.Take()["maps/tile-data"]; n != 1 {
		t.Errorf("got %d drawings, want 1", n)
	}
}
