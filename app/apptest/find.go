package apptest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"appliance/app/config"
	"appliance/svc/maps/geo"
)

// SearchServer is a search server on this machine. It answers all requests with the same status
// and body, which [SearchServer.Answer] changes.
type SearchServer struct {
	URL string

	mu       sync.Mutex
	status   int
	body     string
	requests []url.Values
}

// NewSearchServer starts a server that answers with a body.
func NewSearchServer(t testing.TB, body string) *SearchServer {
	t.Helper()
	s := &SearchServer{status: http.StatusOK, body: body}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, r.URL.Query())
		w.WriteHeader(s.status)
		io.WriteString(w, s.body)
	}))
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// Answer changes the status and the body of responses.
func (s *SearchServer) Answer(status int, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status, s.body = status, body
}

// Requests returns the queries of all requests.
func (s *SearchServer) Requests() []url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]url.Values{}, s.requests...)
}

// FindWith returns the settings for a search on servers: Nominatim for places and
// SearXNG for pages. Either may be nil.
func FindWith(places, pages *SearchServer) func(*config.Settings) {
	return func(s *config.Settings) {
		if places != nil {
			s.FindGeocoderURL = places.URL
		}
		if pages != nil {
			s.FindWebURL = pages.URL
		}
	}
}

// FoundPlace is a place in a response of Nominatim.
type FoundPlace struct {
	ID    int // of a node
	Name  string
	Point geo.Point
}

// FoundPlaces returns the response of Nominatim with places.
func FoundPlaces(places ...FoundPlace) string {
	var list []string
	for _, p := range places {
		list = append(list, fmt.Sprintf(`{"place_id":%d,"licence":"ODbL","osm_type":"node","osm_id":%d,"lat":"%v","lon":"%v","category":"amenity","type":"cafe",`+
			`"name":%q,"display_name":"%s, Town","boundingbox":["1","2","3","4"]}`, p.ID, p.ID, p.Point.Latitude, p.Point.Longitude, p.Name, p.Name))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// FoundPages returns the response of SearXNG with pages.
func FoundPages(urls ...string) string {
	var list []string
	for _, u := range urls {
		list = append(list, fmt.Sprintf(`{"url":%q,"title":"Page <b>%s</b>","content":"About it","engine":"x"}`, u, u))
	}
	return `{"results":[` + strings.Join(list, ",") + `],"unresponsive_engines":[]}`
}

// Find searches, which must succeed with a status in the body.
func (c *Client) Find(body, status string) *Answer {
	c.T.Helper()
	a := c.Do("POST", "/world/find/query", body).Want(200)
	a.WantSchema("service.find.response", a.At(""))
	if got := a.Str("status"); got != status {
		c.T.Fatalf("%s: %s: got status %s, want %s\n%s", a.About, body, got, status, a.Body)
	}
	return a
}

// OverlayFindings returns the finding_ids in the overlay of a surface_runtime at a path.
func (a *Answer) OverlayFindings(path string) (ids []string) {
	a.T.Helper()
	if path != "" {
		path += "."
	}
	for _, stack := range a.List(path + "stacks") {
		if At(stack, "stack_id") != "finding_overlay" {
			continue
		}
		for _, id := range At(stack, "surface_order").([]any) {
			ids = append(ids, Text(At(a.Surface(path+"surfaces", id.(string)), "runtime_state.finding.finding_id")))
		}
	}
	return ids
}
