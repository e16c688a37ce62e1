package maps

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps/gazetteer"
	"appliance/svc/maps/mapdata"
	"appliance/svc/maps/tile"
	"appliance/svc/words"
)

// Layer is a raster layer of a map.
type Layer struct {
	ID          string                        `json:"id"`
	Type        string                        `json:"type"` // "raster"
	Label       string                        `json:"label"`
	URLTemplate string                        `json:"url_template"` // with {z}, {x} and {y}; a path of this server, whose query changes with the map, or the URL of a layer that the operator added
	Variants    svc.Dict[string]              `json:"variants"`     // other templates: "dark", "2x" for displays with double density, "dark_2x"
	TileSize    int                           `json:"tile_size"`    // pixels
	MinZoom     int                           `json:"min_zoom"`
	MaxZoom     int                           `json:"max_zoom"`
	Attribution svc.List[mapdata.Attribution] `json:"attribution"`
}

const (
	tileSize = 256
	maxZoom  = 19
	tilesURL = "/world/maps/tiles/"
)

// naturalEarth is the source of the map of the world.
var naturalEarth = mapdata.Attribution{Label: "Made with Natural Earth", URL: "https://www.naturalearthdata.com/"}

// Layers returns the layers of all maps, with labels in the language l: the layer that this
// server draws, and those that the operator added.
func (s *Service) Layers(tx *store.Tx, l words.Language) ([]Layer, error) {
	regions, err := s.Regions(tx)
	return s.layers(l, regions), err
}

func (s *Service) layers(l words.Language, regions []Region) []Layer {
	version := "?v=" + layerVersion(regions)
	base := Layer{
		ID: "base", Type: "raster", Label: l.Text("Map"), URLTemplate: tilesURL + "base/{z}/{x}/{y}.png" + version,
		Variants: svc.Dict[string]{
			"dark": tilesURL + "base-dark/{z}/{x}/{y}.png" + version, "2x": tilesURL + "base/{z}/{x}/{y}@2x.png" + version,
			"dark_2x": tilesURL + "base-dark/{z}/{x}/{y}@2x.png" + version,
		},
		TileSize: tileSize, MaxZoom: maxZoom, Attribution: svc.List[mapdata.Attribution]{naturalEarth, gazetteer.Attribution},
	}
	for _, r := range regions {
		if r.Tiles > 0 && r.Attribution.Label != "" && !slices.Contains(base.Attribution, r.Attribution) {
			base.Attribution = append(base.Attribution, r.Attribution)
		}
	}
	layers := []Layer{base}
	for _, d := range s.config.Layers {
		layers = append(layers, Layer{
			ID: d.ID, Type: "raster", Label: d.ID, URLTemplate: d.URLTemplate, TileSize: tileSize, MaxZoom: maxZoom,
			Attribution: svc.List[mapdata.Attribution]{d.Attribution},
		})
	}
	return layers
}

// layerVersion returns a text that changes with each import and with the style. Clients
// cache tiles for a day; a new URL shows the import at once.
func layerVersion(regions []Region) string {
	h := sha256.New()
	fmt.Fprint(h, tile.StyleVersion)
	for _, r := range regions {
		if r.Tiles > 0 {
			fmt.Fprint(h, " ", r.ID, r.Checksum, r.ImportedAt.UnixMilli())
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:5])
}

// DirectLayer is a layer whose tiles runtimes load from another server, which can
// record the areas that members view.
type DirectLayer struct {
	ID          string
	URLTemplate string
	Attribution mapdata.Attribution
}

var layerID = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// UnmarshalText parses a layer: its id, the URL template of its tiles, the text of its
// attribution, and optionally the URL of the attribution, with spaces between them.
func (l *DirectLayer) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	if len(words) < 3 {
		return fmt.Errorf("%q is not a map layer: write an id, the address of its tiles and its attribution, such as osm https://tile.openstreetmap.org/{z}/{x}/{y}.png © OpenStreetMap contributors", text)
	}
	l.ID, l.URLTemplate, words = words[0], words[1], words[2:]
	if !layerID.MatchString(l.ID) || l.ID == "base" {
		return fmt.Errorf("the id of the map layer %q must have lower-case letters, digits and -, and must not be base", l.ID)
	}
	u, err := url.Parse(l.URLTemplate)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || strings.ContainsAny(u.Host, "{}'\";,") {
		return fmt.Errorf("the address of the map layer %s must begin with https:// and a host name", l.ID)
	}
	for _, variable := range []string{"{z}", "{x}", "{y}"} {
		if !strings.Contains(l.URLTemplate, variable) {
			return fmt.Errorf("the address of the map layer %s must contain {z}, {x} and {y}", l.ID)
		}
	}
	l.Attribution = mapdata.Attribution{Required: true}
	if last := words[len(words)-1]; len(words) > 1 && strings.HasPrefix(last, "https://") {
		l.Attribution.URL, words = last, words[:len(words)-1]
	}
	l.Attribution.Label = strings.Join(words, " ")
	return nil
}
