package provider

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// openStreetMap credits the data of Nominatim and Photon.
var openStreetMap = mapdata.Attribution{Label: "© OpenStreetMap contributors", URL: "https://www.openstreetmap.org/copyright", Required: true}

// searchNominatim searches places with GET /search of Nominatim.
func searchNominatim(s *source, ctx context.Context, q PlaceQuery) ([]Place, error) {
	values := url.Values{
		"q": {q.Text}, "format": {"jsonv2"}, "limit": {strconv.Itoa(min(q.Limit, maxResults))},
		"addressdetails": {"0"}, "extratags": {"1"},
	}
	if q.Language != "" {
		values.Set("accept-language", q.Language)
	}
	if q.Box != nil {
		values.Set("viewbox", formatBox(*q.Box))
		values.Set("bounded", "1")
	}
	return fetch(ctx, s, s.address("/search", values), http.Header{"Accept": {"application/json"}}, parseNominatim)
}

// formatBox returns the corners of a box, longitude first. A box that contains the
// antimeridian continues beyond 180 degrees.
func formatBox(b geo.Box) string {
	east := b.East
	if b.West > b.East {
		east += 360
	}
	return fmt.Sprintf("%.6f,%.6f,%.6f,%.6f", b.West, b.South, east, b.North)
}

// nominatimPlace is a result of Nominatim.
type nominatimPlace struct {
	OSMType     text       `json:"osm_type"`
	OSMID       identifier `json:"osm_id"`
	Latitude    *number    `json:"lat"`
	Longitude   *number    `json:"lon"`
	Name        text       `json:"name"`
	DisplayName text       `json:"display_name"`
	Category    text       `json:"category"`
	Type        text       `json:"type"`
	Tags        struct {
		Website        text `json:"website"`
		ContactWebsite text `json:"contact:website"`
	} `json:"extratags"`
}

// parseNominatim parses the response to a search.
func parseNominatim(body []byte) ([]Place, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(body, &items); err != nil {
		return nil, err
	}
	if items == nil {
		return nil, errNotList
	}
	return parseItems(items, maxResults, nominatimPlace.place)
}

func (n nominatimPlace) place() (Place, bool) {
	if n.Latitude == nil || n.Longitude == nil {
		return Place{}, false
	}
	full := plainText(n.DisplayName, maxAddress)
	name := plainText(n.Name, maxTitle)
	first, rest, _ := strings.Cut(full, ", ")
	if name == "" {
		name = first
	}
	p := Place{
		Name: name, Address: full, Kind: kindOf(n.Category, n.Type), Point: geo.Point{Latitude: float64(*n.Latitude), Longitude: float64(*n.Longitude)},
		Website: cmp.Or(website(n.Tags.Website), website(n.Tags.ContactWebsite)), Attribution: openStreetMap,
	}
	if first == p.Name {
		p.Address = rest
	}
	p.Provider, p.ProviderID = osmID(string(n.OSMType), int64(n.OSMID), p)
	return p, p.Name != "" && p.Point.Valid()
}

// maxTitle limits the length of names and titles, in characters.
const maxTitle = 200

// osmTypes are the types of objects of OpenStreetMap, with their short forms.
var osmTypes = map[string]string{"node": "node", "way": "way", "relation": "relation", "N": "node", "W": "way", "R": "relation"}

// osmID returns the provider and the id of a place. A place that is no object of
// OpenStreetMap, such as a postcode, has an id of its name and its position.
func osmID(osmType string, id int64, p Place) (provider, providerID string) {
	if t := osmTypes[osmType]; t != "" && id > 0 {
		return "osm", fmt.Sprintf("%s/%d", t, id)
	}
	h := sha256.Sum256(fmt.Appendf(nil, "%s|%.5f|%.5f", p.Name, p.Point.Latitude, p.Point.Longitude))
	return PlacesName, hex.EncodeToString(h[:8])
}
