package api

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"appliance/app/httpd"
	"appliance/app/limits"
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

// mapOperations declares the operations on tiles and places of the map.
func (s *Server) mapOperations() []declaration {
	return []declaration{
		operation[struct{}, struct{}]{
			Request: "GET /world/maps/tiles/{layer}/{z}/{x}/{file}",
			Summary: "Read a tile of the map", Media: []string{"image/png"}, ETag: true,
			Serve: s.getTile, Traits: httpd.Traits{Rate: limits.Tiles},
		},
		operation[struct{}, compat.FieldArea]{
			Request: "GET /world/field/objects", Service: "maps",
			Summary: "List the places in an area, or their numbers", Params: areaParameters,
			Handle: s.readFieldArea,
		},

		// For clients with the service key. Places have no actions, because there is no member.
		operation[struct{}, compat.FieldRuntime]{
			Request: "GET /maps/session", Access: httpd.ServiceKey, Service: "maps",
			Handle: s.readField,
		},
		operation[struct{}, fieldObjects]{
			Request: "GET /maps/objects", Access: httpd.ServiceKey, Service: "maps",
			Handle: s.listFieldObjects,
		},
		operation[placesQuery, placeList]{
			Request: "GET /maps/geo/nearby", Access: httpd.ServiceKey, Service: "maps",
			Handle: s.listNearby,
		},
		operation[placesQuery, placeList]{
			Request: "GET /maps/geo/lookup", Access: httpd.ServiceKey, Service: "maps",
			Handle: s.lookUpPlaces,
		},
		operation[placesQuery, placeResponse]{
			Request: "GET /maps/geo/reverse", Access: httpd.ServiceKey, Service: "maps",
			Handle: s.reverseGeocode,
		},
		operation[placesQuery, maps.Runtime]{
			Request: "GET /maps/presentation", Access: httpd.ServiceKey, Service: "maps",
			Handle: s.presentPlace,
		},
		operation[struct{}, mapsCheck]{
			Request: "GET /db-check", Access: httpd.ServiceKey, Service: "maps",
			Do: s.checkMaps,
		},

		operation[struct{}, mapsCheck]{
			Request: "GET /maps/db-check", Access: httpd.Public, Service: "maps",
			Do: s.checkMaps,
		},
	}
}

// areaParameters describes the request for an area: [parseBox] parses the borders,
// [dataset.ParseParams] the other ones.
var areaParameters = []parameter{
	{"south", "query", numberSchema, "Southern border in degrees.", false}, {"west", "query", numberSchema, "Western border.", false},
	{"north", "query", numberSchema, "Northern border.", false}, {"east", "query", numberSchema, "Eastern border.", false}, latitude, longitude, radius, categories,
}

// maxAreaPlaces is the maximum number of places in the response for an area. If the
// area has more, the response contains clusters with their counts instead.
const maxAreaPlaces = 200

// readFieldArea returns the places of the field in an area.
func (s *Server) readFieldArea(_ http.ResponseWriter, r *http.Request, v svc.Viewer, _ struct{}) (out compat.FieldArea, err error) {
	query := r.URL.Query()
	params, err := dataset.ParseParams(query)
	if err != nil {
		return out, err
	}
	box, err := parseBox(query)
	if err != nil {
		return out, err
	}
	return readMaps(s, r, func(tx *store.Tx) (out compat.FieldArea, err error) {
		if len(params.Categories) == 0 {
			return compat.NewFieldArea(v.Language(), box, nil, nil, nil), nil
		}
		me, err := s.Identity.Me(tx, v)
		if err != nil {
			return out, err
		}
		list, clusters, err := s.Maps.InBox(tx, box, params.Categories, maxAreaPlaces, me.Member.Locale)
		if err != nil {
			return out, err
		}
		var openURL func(action.Place) string
		if !s.Hosted["surface"].IsOff() {
			openURL = compat.OpenURL(tx, v.Member())
		}
		places, _ := dataset.NewFieldPlaces(s.Maps, tx.Now(), list, params.Origin)
		return compat.NewFieldArea(v.Language(), box, places, clusters, openURL), nil
	})
}

// readMaps returns the result of fn, which runs in a read transaction.
func readMaps[T any](s *Server, r *http.Request, fn func(*store.Tx) (T, error)) (out T, err error) {
	err = s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		out, err = fn(tx)
		return err
	})
	return out, err
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
			return b, svc.ParameterError(border.name, "%s must be a number from -%v to %v.", svc.FieldLabel(border.name), border.limit, border.limit)
		}
		*border.value = degrees
	}
	if b.South > b.North {
		return b, svc.ParameterError("south", "The southern border must not be north of the northern one.")
	}
	return b, nil
}

// readField returns the field around a position.
func (s *Server) readField(_ http.ResponseWriter, r *http.Request, _ svc.Viewer, _ struct{}) (compat.FieldRuntime, error) {
	return presentField(s, r, func(l words.Language, q dataset.Request, places dataset.Places) compat.FieldRuntime {
		source := compat.FieldSource{Service: "maps", Status: svc.StateReady, Message: places.Empty.Message}
		if places.Loading {
			source.Status = svc.StateDegraded
		}
		return compat.NewFieldRuntime(l, q, places, nil, source)
	})
}

type fieldObjects struct {
	Objects svc.List[compat.FieldObject] `json:"objects"`
	Page    svc.Page                     `json:"page"` // always the last one
}

// listFieldObjects returns the places of the field around a position.
func (s *Server) listFieldObjects(_ http.ResponseWriter, r *http.Request, _ svc.Viewer, _ struct{}) (fieldObjects, error) {
	return presentField(s, r, func(l words.Language, _ dataset.Request, places dataset.Places) fieldObjects {
		return fieldObjects{compat.NewFieldObjects(l, places.List, nil), svc.Page{Limit: len(places.List)}}
	})
}

// presentField reads the places of the field that the query describes, and returns the
// result of present.
func presentField[T any](s *Server, r *http.Request, present func(words.Language, dataset.Request, dataset.Places) T) (out T, err error) {
	params, err := dataset.ParseParams(r.URL.Query())
	if err != nil {
		return out, err
	}
	return readMaps(s, r, func(tx *store.Tx) (T, error) {
		locale := r.URL.Query().Get("language")
		l := words.For(locale)
		places, err := dataset.ReadPlaces(tx, l, s.Maps, params, locale)
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

// parse sets the limit and returns the parameters of the field.
func (q *placesQuery) parse(r *http.Request) (params dataset.Params, err error) {
	if params, err = dataset.ParseParams(r.URL.Query()); err != nil {
		return params, err
	}
	q.Limit, err = svc.PageLimit(q.Limit)
	return params, err
}

// origin returns the position of a request.
func origin(params dataset.Params) (geo.Point, error) {
	if params.Origin == nil {
		return geo.Point{}, svc.ParameterError("lat", "Latitude and longitude are required.")
	}
	return geo.Point{Latitude: params.Origin.Latitude, Longitude: params.Origin.Longitude}, nil
}

// parsePosition is parse for a request that must have a position.
func (q *placesQuery) parsePosition(r *http.Request) (at geo.Point, params dataset.Params, err error) {
	if params, err = q.parse(r); err == nil {
		at, err = origin(params)
	}
	return at, params, err
}

type placeList struct {
	Places svc.List[record.Place] `json:"places"`
}

// listNearby returns the nearest places of the field.
func (s *Server) listNearby(_ http.ResponseWriter, r *http.Request, _ svc.Viewer, in placesQuery) (placeList, error) {
	at, params, err := in.parsePosition(r)
	if err != nil || len(params.Categories) == 0 {
		return placeList{}, err
	}
	return readMaps(s, r, func(tx *store.Tx) (placeList, error) {
		list, _, err := s.Maps.Nearby(tx, maps.NearbyQuery{
			Origin: at, Radius: float64(params.Radius), Categories: params.Categories, Limit: in.Limit, Language: in.Language,
		})
		return placeList{s.placeRecords(tx, list)}, err
	})
}

// lookUpPlaces returns the places that match a text or have an id.
func (s *Server) lookUpPlaces(_ http.ResponseWriter, r *http.Request, _ svc.Viewer, in placesQuery) (placeList, error) {
	params, err := in.parse(r)
	if err != nil {
		return placeList{}, err
	}
	if (in.ID == "") == (in.Text == "") {
		return placeList{}, svc.ParameterError("q", "Give either q, a text, or id, the id of a place.")
	}
	return readMaps(s, r, func(tx *store.Tx) (placeList, error) {
		if in.ID != "" {
			provider, id, _ := strings.Cut(in.ID, ":")
			p, err := s.Maps.Place(tx, provider, id, in.Language)
			if svc.KindOf(err) == svc.Missing {
				return placeList{}, nil
			}
			return placeList{s.placeRecords(tx, []maps.Place{p})}, err
		}
		search := maps.SearchQuery{Text: in.Text, Limit: in.Limit, Language: in.Language}
		if at, err := origin(params); err == nil {
			search.Origin = &at
			if r.URL.Query().Has("radius") {
				search.Radius = float64(params.Radius)
			}
		}
		list, err := s.Maps.Search(tx, search)
		return placeList{s.placeRecords(tx, list)}, err
	})
}

type placeResponse struct {
	Place *record.Place `json:"place"` // null if there is none
}

// reverseGeocode returns the nearest place that has a name or an address.
func (s *Server) reverseGeocode(_ http.ResponseWriter, r *http.Request, _ svc.Viewer, in placesQuery) (placeResponse, error) {
	at, _, err := in.parsePosition(r)
	if err != nil {
		return placeResponse{}, err
	}
	return readMaps(s, r, func(tx *store.Tx) (out placeResponse, err error) {
		p, err := s.Maps.Reverse(tx, at, in.Language)
		if p != nil {
			out.Place = &s.placeRecords(tx, []maps.Place{*p})[0]
		}
		return out, err
	})
}

func (s *Server) placeRecords(tx *store.Tx, list []maps.Place) (records svc.List[record.Place]) {
	for _, p := range list {
		opening, _ := s.Maps.Opening(p, tx.Now())
		records = append(records, record.NewPlace(p, opening))
	}
	return records
}

// presentPlace returns the map of a position.
func (s *Server) presentPlace(_ http.ResponseWriter, r *http.Request, _ svc.Viewer, in placesQuery) (maps.Runtime, error) {
	at, _, err := in.parsePosition(r)
	if err == nil {
		err = svc.CheckLine("label", in.Label, svc.MaxTitle)
	}
	if err != nil {
		return maps.Runtime{}, err
	}
	return readMaps(s, r, func(tx *store.Tx) (maps.Runtime, error) {
		layers, err := s.Maps.Layers(tx, words.For(in.Language))
		return maps.NewRuntime(at, in.Label, layers), err
	})
}

type mapsCheck struct {
	Service  string `json:"service"`
	Database string `json:"database"` // "ok"
}

// checkMaps reports that the database with the places responds.
func (s *Server) checkMaps(tx *store.Tx, _ svc.Viewer, _ struct{}) (mapsCheck, error) {
	_, err := s.Maps.Regions(tx)
	if err != nil {
		err = svc.Errorf(svc.ServiceUnavailable, "The places cannot be read. Try again in a moment.").WithCause(err)
	}
	return mapsCheck{"maps", "ok"}, err
}
