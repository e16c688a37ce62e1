package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
)

// photonLanguages are the languages that every Photon server supports. It
// rejects a search in any other language.
var photonLanguages = []string{"de", "en", "fr"}

// searchPhoton searches places with GET /api of Photon. Photon matches names only,
// so the kinds that a word means are added as a filter.
func searchPhoton(s *source, ctx context.Context, q PlaceQuery) ([]Place, error) {
	values := url.Values{"q": {q.Text}, "limit": {strconv.Itoa(min(q.Limit, maxResults))}}
	language, _, _ := strings.Cut(q.Language, "-")
	if slices.Contains(photonLanguages, language) {
		values.Set("lang", language)
	}
	for _, k := range kind.FromWords(q.Text) {
		if key, value, ok := strings.Cut(k, "="); ok {
			values.Add("osm_tag", key+":"+value)
		}
	}
	if b := q.Box; b != nil {
		values.Set("bbox", formatBox(*b))
		center := geo.Point{Latitude: (b.South + b.North) / 2, Longitude: (b.West + b.East) / 2}
		if b.West <= b.East {
			values.Set("lat", strconv.FormatFloat(center.Latitude, 'f', 6, 64))
			values.Set("lon", strconv.FormatFloat(center.Longitude, 'f', 6, 64))
		}
	}
	return fetch(ctx, s, s.address("/api", values), http.Header{"Accept": {"application/json"}}, parsePhoton)
}

// photonPlace is a feature of the response of Photon.
type photonPlace struct {
	Geometry struct {
		Coordinates []number `json:"coordinates"` // longitude, latitude
	} `json:"geometry"`
	Properties struct {
		Name        text       `json:"name"`
		HouseNumber text       `json:"housenumber"`
		Street      text       `json:"street"`
		Postcode    text       `json:"postcode"`
		District    text       `json:"district"`
		City        text       `json:"city"`
		State       text       `json:"state"`
		Country     text       `json:"country"`
		Key         text       `json:"osm_key"`
		Value       text       `json:"osm_value"`
		OSMType     text       `json:"osm_type"`
		OSMID       identifier `json:"osm_id"`
		Extra       struct {
			Website text `json:"website"`
		} `json:"extra"`
	} `json:"properties"`
}

// parsePhoton parses the response to a search.
func parsePhoton(body []byte) ([]Place, error) {
	var response struct {
		Features *[]json.RawMessage `json:"features"`
	}
	if err := json.Unmarshal(body, &response); err != nil {
		return nil, err
	}
	if response.Features == nil {
		return nil, errNotList
	}
	return parseItems(*response.Features, maxResults, photonPlace.place)
}

func (f photonPlace) place() (Place, bool) {
	o := f.Properties
	if len(f.Geometry.Coordinates) < 2 {
		return Place{}, false
	}
	street := plainText(o.Street+" "+o.HouseNumber, maxTitle)
	p := Place{
		Name: plainText(o.Name, maxTitle), Kind: kindOf(o.Key, o.Value), Website: website(o.Extra.Website), Attribution: openStreetMap,
		Point: geo.Point{Latitude: float64(f.Geometry.Coordinates[1]), Longitude: float64(f.Geometry.Coordinates[0])},
	}
	parts := []string{street, plainText(o.Postcode+" "+cmp.Or(o.City, o.District), maxTitle), plainText(o.State, maxTitle), plainText(o.Country, maxTitle)}
	if p.Name == "" {
		p.Name, parts = street, parts[1:]
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" || part == p.Name })
	p.Address = plainText(text(strings.Join(parts, ", ")), maxAddress)
	p.Provider, p.ProviderID = osmID(string(o.OSMType), int64(o.OSMID), p)
	return p, p.Name != "" && p.Point.Valid()
}
