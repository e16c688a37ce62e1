package maps

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
	"appliance/svc/maps/mapdata"
	"appliance/svc/words"
)

// Place is a place as reads return it.
type Place struct {
	PlaceID    string // provider:provider id, for example "osm:node/1"
	Provider   string
	ProviderID string

	Name      string // in the language of the query if known; for a place without a name its address or the label of its kind
	Named     bool   // whether Name is a name or an address, not a label
	Kind      string // for example "amenity=cafe"
	KindLabel string // in the language of the query, for example "Café"
	Category  string // category of the field, "" for none

	Address   mapdata.Address
	Formatted string // the address in one line, "" if unknown

	Point      geo.Point
	Distance   float64 // from the origin of the query, in meters; 0 without an origin
	Importance float64 // 0 to 1
	Tags       map[string]string

	Attribution  mapdata.Attribution
	Interpolated bool // Point was computed from the positions of neighboring house numbers
}

// placeQueries read places by key.
type placeQueries struct {
	Place  store.Query `sql:"place"`
	Places store.Query `sql:"places"`
}

// placeRow is a row of the queries place and places.
type placeRow struct {
	ID          int64   `db:"id"`
	RegionID    int64   `db:"region_id"`
	Provider    string  `db:"provider"`
	ProviderID  string  `db:"provider_id"`
	Name        string  `db:"name"`
	Kind        string  `db:"kind"`
	Category    string  `db:"category"`
	Latitude    float64 `db:"latitude"`
	Longitude   float64 `db:"longitude"`
	Importance  float64 `db:"importance"`
	HouseNumber string  `db:"house_number"`
	Street      string  `db:"street"`
	Postcode    string  `db:"postcode"`
	City        string  `db:"city"`
	Country     string  `db:"country"`
	Names       string  `db:"names"`
	Tags        string  `db:"tags"`
}

// Place returns a place of a current region, or a NotFound error.
func (s *Service) Place(tx *store.Tx, provider, providerID, language string) (Place, error) {
	notFound := svc.Errorf(svc.NotFound, "The place does not exist. It may have been removed by a later import.")
	var row placeRow
	err := tx.Get(&row, s.q.place.Place, store.Args{"provider": provider, "provider_id": providerID})
	base, number, interpolated := strings.Cut(providerID, interpolationMark)
	if interpolated = interpolated && store.IsNoRows(err); interpolated {
		err = tx.Get(&row, s.q.place.Place, store.Args{"provider": provider, "provider_id": base})
	}
	if store.IsNoRows(err) {
		return Place{}, notFound
	}
	if err != nil {
		return Place{}, err
	}
	regions, err := s.attributions(tx)
	if err != nil {
		return Place{}, err
	}
	p := row.place(language, regions)
	if !interpolated {
		return p, nil
	}
	p, ok, err := s.interpolatedPlace(tx, p, number, words.For(language))
	if err == nil && !ok {
		err = notFound
	}
	return p, err
}

// interpolationMark separates the provider id of a known address from the house
// number that was interpolated from it.
const interpolationMark = "#"

// load returns the places with the ids, in their order, without those that have
// been deleted since.
func (s *Service) load(tx *store.Tx, ids []int64, language string) ([]Place, error) {
	if len(ids) == 0 {
		return []Place{}, nil
	}
	var rows []placeRow
	if err := tx.Select(&rows, s.q.place.Places, store.Args{"ids": store.JSONArray(ids)}); err != nil {
		return nil, err
	}
	regions, err := s.attributions(tx)
	if err != nil {
		return nil, err
	}
	list := make([]Place, 0, len(rows))
	for _, row := range rows {
		list = append(list, row.place(language, regions))
	}
	return list, nil
}

func (r placeRow) place(language string, regions map[int64]mapdata.Attribution) Place {
	p := Place{
		PlaceID:     r.Provider + ":" + r.ProviderID,
		Provider:    r.Provider,
		ProviderID:  r.ProviderID,
		Kind:        r.Kind,
		KindLabel:   kind.Label(words.For(language), r.Kind),
		Category:    r.Category,
		Address:     mapdata.Address{HouseNumber: r.HouseNumber, Street: r.Street, Postcode: r.Postcode, City: r.City, Country: r.Country},
		Point:       geo.Point{Latitude: r.Latitude, Longitude: r.Longitude},
		Importance:  r.Importance,
		Tags:        decodeMap(r.Tags),
		Attribution: regions[r.RegionID],
	}
	p.Formatted = formatAddress(p.Address, p.Kind)
	p.Name = cmp.Or(nameIn(r.Name, decodeMap(r.Names), language), streetLine(p.Address))
	p.Named = p.Name != ""
	p.Name = cmp.Or(p.Name, p.KindLabel)
	return p
}

// kindLabel returns the label of the kind of a place in the language l. interpolated
// reports whether the position of the place was computed.
func kindLabel(l words.Language, placeKind string, interpolated bool) string {
	label := kind.Label(l, placeKind)
	if interpolated {
		label = l.Textf("%s, estimated position", label)
	}
	return label
}

// decodeMap decodes a JSON object of strings that the import encoded.
func decodeMap(text string) map[string]string {
	if text == "{}" || text == "" {
		return map[string]string{}
	}
	m := make(map[string]string)
	_ = json.Unmarshal([]byte(text), &m)
	return m
}

// nameIn returns the name in a language, such as "de-CH", or else the local name.
func nameIn(local string, names map[string]string, language string) string {
	if len(names) == 0 {
		return local
	}
	language = strings.ReplaceAll(language, "_", "-")
	for language != "" {
		if name := names[language]; name != "" {
			return name
		}
		language = language[:max(strings.LastIndexByte(language, '-'), 0)]
	}
	return local
}

// streetLine returns street and house number, or "" unless both are known.
func streetLine(a mapdata.Address) string {
	if a.Street == "" || a.HouseNumber == "" {
		return ""
	}
	return a.Street + " " + a.HouseNumber
}

// formatAddress returns an address in one line. Settlements include the country.
func formatAddress(a mapdata.Address, placeKind string) string {
	parts := []string{cmp.Or(streetLine(a), a.Street), strings.TrimSpace(a.Postcode + " " + a.City)}
	if kind.IsSettlement(placeKind) {
		parts = append(parts, strings.ToUpper(a.Country))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}
