package find

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"

	"strings"
	"sync"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/find/provider"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
)

const ann, bea = svc.MemberID(1), svc.MemberID(2)

var lisbon, berlin = geo.Point{Latitude: 38.7, Longitude: -9.1}, geo.Point{Latitude: 52.5, Longitude: 13.4}

// fixture is the service with a database, places and servers of the test.
type fixture struct {
	testing.TB
	*Service
	db    *store.DB
	clock *storetest.Clock

	places  []maps.Place  // of Maps
	regions []maps.Region // of Maps
	shown   map[svc.MemberID][]svc.Finding
	failure error // of the overlay

	onlyLargeTowns bool // whether the other towns are being loaded
}

// newFixture returns a service without places and servers.
func newFixture(t testing.TB) *fixture {
	f := &fixture{TB: t, regions: []maps.Region{{Name: "towns", Format: maps.Gazetteer}}, shown: make(map[svc.MemberID][]svc.Finding)}
	f.db, f.clock = storetest.Open(t)
	storetest.AddMembers(t, f.db, "ann", "bea")
	f.Service = New(Config{Places: f, Overlay: f, Language: func(*store.Tx, svc.Viewer) (string, error) { return "de-CH", nil }})
	return f
}

// Search implements [Places]: the places whose name contains the text.
func (f *fixture) Search(_ *store.Tx, q maps.SearchQuery) ([]maps.Place, error) {
	var list []maps.Place
	for _, p := range f.places {
		if q.Origin != nil {
			p.Distance = geo.Distance(*q.Origin, p.Point)
		}
		if strings.Contains(p.Name, q.Text) && (q.Radius == 0 || p.Distance <= q.Radius) && len(list) < q.Limit {
			list = append(list, p)
		}
	}
	return list, nil
}

// Regions implements [Places].
func (f *fixture) Regions(*store.Tx) ([]maps.Region, error) { return f.regions, nil }

// Loading implements [Places].
func (f *fixture) Loading(current []maps.Region) bool { return len(current) == 0 || f.onlyLargeTowns }

// ShowFindings implements [Overlay].
func (f *fixture) ShowFindings(_ *store.Tx, v svc.Viewer, findings []svc.Finding) error {
	if f.failure == nil {
		f.shown[v.Member()] = findings
	}
	return f.failure
}

// addPlace adds a place to Maps.
func (f *fixture) addPlace(id, name string, p geo.Point, website string) {
	provider, providerID, _ := strings.Cut(id, ":")
	f.regions[0].Places++
	f.places = append(f.places, maps.Place{
		PlaceID: id, Provider: provider, ProviderID: providerID, Name: name, Named: name != "", Kind: "amenity=cafe", KindLabel: "Café", Category: "coffee",
		Formatted: "Main St 1", Point: p, Tags: map[string]string{"website": website},
	})
}

// server is a search server of a test.
type server struct {
	mu      sync.Mutex
	queries []string // queries of the requests
	handle  func(query map[string][]string) (status int, body string)
}

// serve starts a server and returns its configuration.
func (f *fixture) serve(kind string, s *server) provider.Config {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.queries = append(s.queries, r.URL.RawQuery)
		status, body := s.handle(r.URL.Query())
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	f.Cleanup(h.Close)
	return provider.Config{Kind: kind, URL: h.URL, UserAgent: "appliance/test", Now: f.clock.Now, Log: slog.New(slog.DiscardHandler)}
}

// geocoder configures a server for places.
func (f *fixture) geocoder(handle func(query map[string][]string) (int, string)) *server {
	s := &server{handle: handle}
	var err error
	if f.config.Geocoder, err = provider.NewPlaces(f.serve(provider.Nominatim, s)); err != nil {
		f.Fatal(err)
	}
	return s
}

// web configures a server for pages.
func (f *fixture) web(handle func(query map[string][]string) (int, string)) *server {
	s := &server{handle: handle}
	var err error
	if f.config.Web, err = provider.NewPages(f.serve(provider.SearXNG, s)); err != nil {
		f.Fatal(err)
	}
	return s
}

// fixedResponse returns a handler with one response.
func fixedResponse(status int, body string) func(map[string][]string) (int, string) {
	return func(map[string][]string) (int, string) { return status, body }
}

// nominatim returns the JSON of places: ids of nodes, names and positions.
func nominatim(places ...any) string {
	var list []string
	for i := 0; i < len(places); i += 3 {
		p := places[i+2].(geo.Point)
		list = append(list, fmt.Sprintf(`{"osm_type":"node","osm_id":%d,"name":%q,"display_name":%q,"lat":"%v","lon":"%v","category":"amenity","type":"cafe"}`,
			places[i], places[i+1], places[i+1], p.Latitude, p.Longitude))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// searxng returns the JSON of pages.
func searxng(urls ...string) string {
	var list []string
	for _, u := range urls {
		list = append(list, fmt.Sprintf(`{"url":%q,"title":"Page","content":"Text"}`, u))
	}
	return `{"results":[` + strings.Join(list, ",") + `]}`
}

// read is a [Reader].
func (f *fixture) read(fn func(*store.Tx) error) error { return f.db.Read(f.Context(), fn) }

// search searches as a member and records the result. body is the JSON of a request.
func (f *fixture) search(member svc.MemberID, body string) (Outcome, error) {
	f.Helper()
	var in Request
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		f.Fatal(err)
	}
	found, err := f.Service.Search(f.Context(), svc.Trust(member), in, f.read)
	if err != nil {
		return Outcome{}, err
	}
	err = f.db.Write(f.Context(), func(tx *store.Tx) error { return f.Record(tx, svc.Trust(member), found) })
	return found.Outcome, err
}

// mustSearch is search, which must succeed with a status.
func (f *fixture) mustSearch(body string, status Status) Outcome {
	f.Helper()
	o, err := f.search(ann, body)
	if err != nil || o.Status != status {
		f.Fatalf("%s: got %+v, %v, want the status %s", body, o, err, status)
	}
	return o
}

func (o Outcome) ids() string {
	var ids []string
	for _, f := range o.Findings {
		ids = append(ids, f.FindingID)
	}
	return strings.Join(ids, " ")
}

// codes returns the providers that failed, with their codes.
func (o Outcome) codes() string {
	var list []string
	for _, e := range o.ProviderErrors {
		list = append(list, e.Provider+":"+string(e.Code))
	}
	return strings.Join(list, " ")
}

func wantEqual[T comparable](t testing.TB, name string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", name, got, want)
	}
}

// joinValues returns values with spaces between them.
func joinValues(values ...any) string { return strings.TrimSpace(fmt.Sprintln(values...)) }

// history returns the searches of a member, the latest first.
func (f *fixture) history(member svc.MemberID) (list []QueryRecord) {
	f.Helper()
	err := f.read(func(tx *store.Tx) (err error) {
		list, err = f.History(tx, svc.Trust(member), 1000)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	return list
}

// north returns the point at a distance to the north, in meters.
func north(p geo.Point, meters float64) geo.Point {
	return geo.Point{Latitude: p.Latitude + meters/geo.MetersPerDegree, Longitude: p.Longitude}
}
