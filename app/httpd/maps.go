package httpd

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/words"
	"appliance/world/action"
	"appliance/world/compat"
	"appliance/world/dataset"
	"appliance/world/record"
)

// maxAreaPlaces limits the places of an area. If there are more, the response has
// their numbers.
const maxAreaPlaces = 200

// getFieldArea responds with the places of the field in an area.
func (s *Server) getFieldArea(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	query := r.URL.Query()
	params, err := dataset.ParseParams(query)
	if err != nil {
		return err
	}
	box, err := parseBox(query)
	if err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		if len(params.Categories) == 0 {
			return compat.NewFieldArea(v.Language(), box, nil, nil, nil), nil
		}
		me, err := s.identity.Me(tx, v)
		if err != nil {
			return nil, err
		}
		list, clusters, err := s.maps.InBox(tx, box, params.Categories, maxAreaPlaces, me.Member.Locale)
		if err != nil {
			return nil, err
		}
		var openURL func(action.Place) string
		if !s.hosted["surface"].IsOff() {
			openURL = compat.OpenURL(tx, v.Member())
		}
		places, _ := dataset.NewFieldPlaces(s.maps, tx.Now(), list, params.Origin)
		return compat.NewFieldArea(v.Language(), box, places, clusters, openURL), nil
	})
}

// parseBox parses the borders of an area. A query without borders asks for the whole
// world.
func parseBox(query url.Values) (b geo.Box, err error) {
	b = geo.Box{South: -90, West: -180, North: 90, East: 180}
	for _, border := range []struct {
		name  string
		value *float64
		limit float64
	}{{"south", &b.South, 90}, {"west", &b.West, 180}, {"north", &b.North, 90}, {"east", &b.East, 180}} {
		if !query.Has(border.name) {
			continue
		}
		text := query.Get(border.name)
		degrees, err := strconv.ParseFloat(text, 64)
		// ParseFloat also accepts hexadecimal numbers and underscores.
		if err != nil || strings.ContainsAny(text, "xXpP_") || !(math.Abs(degrees) <= border.limit) {
			return b, svc.ParameterError(border.name, "%s must be a number from -%v to %v.", border.name, border.limit, border.limit)
		}
		*border.value = degrees
	}
	if b.South > b.North {
		return b, svc.ParameterError("south", "south must not be greater than north.")
	}
	return b, nil
}

// The following handlers serve other services. Places have no actions, because there
// is no member.

// getMapsSession responds with the field around a position.
func (s *Server) getMapsSession(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	return s.readField(w, r, func(l words.Language, q dataset.Request, places dataset.Places) any {
		source := compat.FieldSource{Service: "maps", Status: "ready", Message: places.Empty.Message}
		if places.Loading {
			source.Status = "degraded"
		}
		return compat.NewFieldRuntime(l, q, places, nil, source)
	})
}

// getMapsObjects responds with the places of the field around a position.
func (s *Server) getMapsObjects(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	return s.readField(w, r, func(l words.Language, _ dataset.Request, places dataset.Places) any {
		return map[string]any{"objects": compat.NewFieldObjects(l, places.List, nil), "page": svc.Page{Limit: len(places.List)}}
	})
}

// readField reads the places of the field that the query describes, and responds with
// the result of present.
func (s *Server) readField(w http.ResponseWriter, r *http.Request, present func(words.Language, dataset.Request, dataset.Places) any) error {
	params, err := dataset.ParseParams(r.URL.Query())
	if err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		locale := r.URL.Query().Get("language")
		l := words.For(locale)
		places, err := dataset.ReadPlaces(tx, l, s.maps, params, locale)
		return present(l, dataset.Request{Params: params}, places), err
	})
}

// placesQuery is the query of a request for places.
type placesQuery struct {
	ID       string `json:"-" query:"id"`
	Text     string `json:"-" query:"q"`
	Label    string `json:"-" query:"label"`
	Language string `json:"-" query:"language"`
	Limit    int    `json:"-" query:"limit"`
}

// parsePlaces parses a request for places.
func parsePlaces(r *http.Request) (q placesQuery, params dataset.Params, err error) {
	if err = decode(r, &q); err != nil {
		return q, params, err
	}
	if params, err = dataset.ParseParams(r.URL.Query()); err != nil {
		return q, params, err
	}
	q.Limit, err = svc.PageLimit(q.Limit)
	return q, params, err
}

// origin returns the position of a request.
func origin(params dataset.Params) (geo.Point, error) {
	if params.Origin == nil {
		return geo.Point{}, svc.ParameterError("lat", "lat and lon are required.")
	}
	return geo.Point{Latitude: params.Origin.Latitude, Longitude: params.Origin.Longitude}, nil
}

// parsePosition parses a request for places that must have a position.
func parsePosition(r *http.Request) (q placesQuery, at geo.Point, params dataset.Params, err error) {
	if q, params, err = parsePlaces(r); err == nil {
		at, err = origin(params)
	}
	return q, at, params, err
}

// placesResponse lists places.
type placesResponse struct {
	Places svc.List[record.Place] `json:"places"`
}

// getNearby responds with the nearest places of the field.
func (s *Server) getNearby(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	q, at, params, err := parsePosition(r)
	if err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		if len(params.Categories) == 0 {
			return placesResponse{}, nil
		}
		list, _, err := s.maps.Nearby(tx, maps.NearbyQuery{
			Origin: at, Radius: float64(params.Radius), Categories: params.Categories, Limit: q.Limit, Language: q.Language,
		})
		return placesResponse{s.placeRecords(tx, list)}, err
	})
}

// getLookup responds with the places that match a text or have an id.
func (s *Server) getLookup(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	q, params, err := parsePlaces(r)
	if err != nil {
		return err
	}
	if (q.ID == "") == (q.Text == "") {
		return svc.ParameterError("q", "Give either q, a text, or id, the id of a place.")
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		if q.ID != "" {
			provider, id, _ := strings.Cut(q.ID, ":")
			p, err := s.maps.Place(tx, provider, id, q.Language)
			if svc.KindOf(err) == svc.Missing {
				return placesResponse{}, nil
			}
			return placesResponse{s.placeRecords(tx, []maps.Place{p})}, err
		}
		search := maps.SearchQuery{Text: q.Text, Limit: q.Limit, Language: q.Language}
		if at, err := origin(params); err == nil {
			search.Origin = &at
			if r.URL.Query().Has("radius") {
				search.Radius = float64(params.Radius)
			}
		}
		list, err := s.maps.Search(tx, search)
		return placesResponse{s.placeRecords(tx, list)}, err
	})
}

// getReverse responds with the nearest place that has a name or an address.
func (s *Server) getReverse(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	q, at, _, err := parsePosition(r)
	if err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		var answer struct {
			Place *record.Place `json:"place"` // null if there is none
		}
		p, err := s.maps.Reverse(tx, at, q.Language)
		if p != nil {
			answer.Place = &s.placeRecords(tx, []maps.Place{*p})[0]
		}
		return answer, err
	})
}

func (s *Server) placeRecords(tx *store.Tx, list []maps.Place) (records svc.List[record.Place]) {
	for _, p := range list {
		opening, _ := s.maps.Opening(p, tx.Now())
		records = append(records, record.NewPlace(p, opening))
	}
	return records
}

// getPresentation responds with the map of a position.
func (s *Server) getPresentation(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	q, at, _, err := parsePosition(r)
	if err != nil {
		return err
	}
	if err := svc.CheckLine("label", q.Label, svc.MaxTitle); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		layers, err := s.maps.Layers(tx, words.For(q.Language))
		return maps.NewRuntime(at, q.Label, layers), err
	})
}

// getMapsCheck reports that the database with the places responds.
func (s *Server) getMapsCheck(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		_, err := s.maps.Regions(tx)
		if err != nil {
			err = svc.Errorf(svc.ServiceUnavailable, "The places cannot be read. Try again in a moment.").WithCause(err)
		}
		return map[string]string{"service": "maps", "database": "ok"}, err
	})
}
