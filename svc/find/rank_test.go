package find

import (
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Covers F-19, F-20, F-21, F-22, F-24, F-25, B-43 and P-04.
func TestFindings(t *testing.T) {
	f := newFixture(t)
	f.addPlace("osm:node/1", "Kaffee", lisbon, "https://kaffee.example")
	f.web(fixedResponse(200, searxng("https://Example.org:443/a#b", "https://kaffee.example/")))
	o := f.mustSearch(`{"query": "Kaffee", "scope": "everywhere", "origin": {"latitude": 38.7, "longitude": -9.1}}`, StatusOK)
	if len(o.Findings) != 3 {
		t.Fatalf("got %s, want a place, its website once and a page", o.ids())
	}
	place, site, page := o.Findings[0], o.Findings[1], o.Findings[2]
	wantEqual(t, "place", joinValues(place.FindingID, place.SourceService, place.ObjectType, place.Title, place.Summary, place.Actions), "osm:node/1 maps place Kaffee Café · Main St 1 · 0 m [{open Open open_finding}]")
	for key, want := range (svc.Map{"latitude": 38.7, "longitude": -9.1, "provider": "osm", "provider_id": "node/1", "category": "coffee", "address": "Main St 1", "distance_meters": 0}) {
		wantEqual(t, key, place.Payload[key], want)
	}
	wantEqual(t, "website", joinValues(site.ObjectType, site.SourceURL, site.Title, site.SourceService), "html_resource https://kaffee.example Kaffee maps")
	wantEqual(t, "page", joinValues(page.ObjectType, page.SourceURL, page.Title, page.Summary, page.SourceService), "html_resource https://Example.org:443/a#b Page Text web")
	wantEqual(t, "actions of a page", fmt.Sprint(page.Actions), "[{preview Preview translate_surface} {save Save save_object} {share Share share_object}]")
	wantEqual(t, "payload of a page", store.JSON(page.Payload), `{"canonical_url":null,"content_type":"text/html"}`)
	wantEqual(t, "id of a page", page.FindingID, pageFinding("https://example.org/a", "", "", "").FindingID)
	if !strings.HasPrefix(page.FindingID, "web:") || len(page.FindingID) != 20 {
		t.Errorf("got the id %s, want web: and 16 digits", page.FindingID)
	}
	again := f.mustSearch(`{"query": "Kaffee", "scope": "everywhere", "origin": {"latitude": 38.7, "longitude": -9.1}}`, StatusOK)
	wantEqual(t, "ids of a repeated search", again.ids(), o.ids())
}

// Covers F-35.
func TestPlacesOfSeveralProvidersAreMerged(t *testing.T) {
	f := newFixture(t)
	f.addPlace("osm:node/1", "tea", north(lisbon, 200), "")
	f.addPlace("osm:node/2", "tea", north(lisbon, 100), "")
	f.addPlace("geonames:5", "tea", north(lisbon, 150), "")
	f.geocoder(fixedResponse(200, nominatim(2, "tea", north(lisbon, 100), 3, "other", north(lisbon, 100))))
	nearby := f.mustSearch(`{"query": "tea", "scope": "nearby", "origin": {"latitude": 38.7, "longitude": -9.1}}`, StatusOK)
	wantEqual(t, "nearby: by distance, then by id", nearby.ids(), "osm:node/2 osm:node/3 osm:node/1")
	everywhere := f.mustSearch(`{"query": "tea", "scope": "everywhere"}`, StatusOK)
	wantEqual(t, "everywhere: by the order of the providers, then by id", everywhere.ids(), "osm:node/1 osm:node/2 osm:node/3")
}

func TestFindingsAreLimited(t *testing.T) {
	f := newFixture(t)
	var urls []string
	for i := range 30 {
		f.addPlace(fmt.Sprintf("osm:node/%02d", i), "tea", north(lisbon, float64(i)), fmt.Sprintf("https://tea%d.example/", i))
		urls = append(urls, fmt.Sprintf("https://example.org/%d", i))
	}
	f.addPlace("csv:"+strings.Repeat("x", 300), "tea", lisbon, "")
	count := func(o Outcome) string {
		places := 0
		for _, f := range o.Findings {
			if f.ObjectType == "place" {
				places++
			}
		}
		return fmt.Sprint(places, " of ", len(o.Findings))
	}
	f.web(fixedResponse(200, searxng(urls...)))
	wantEqual(t, "everywhere", count(f.mustSearch(`{"query": "tea", "scope": "everywhere"}`, StatusOK)), "12 of 20")
	wantEqual(t, "nearby", count(f.mustSearch(`{"query": "tea", "scope": "nearby", "origin": {"latitude": 38.7, "longitude": -9.1}}`, StatusOK)), "15 of 20")
}

func TestProviderStates(t *testing.T) {
	f := newFixture(t)
	states := func() (list []string) {
		err := f.read(func(tx *store.Tx) error {
			a, err := f.Available(tx)
			for _, p := range f.Providers(words.English, a) {
				list = append(list, p.ID+": "+p.Summary)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	wantEqual(t, "nothing", strings.Join(states(), "; "), "maps: No region has been imported.; geocoder: Not configured; web: Not configured")
	f.addPlace("osm:node/1", "tea", lisbon, "")
	f.geocoder(fixedResponse(500, ""))
	f.web(fixedResponse(200, searxng()))
	f.mustSearch(`{"query": "tea", "scope": "everywhere"}`, StatusOK)
	wantEqual(t, "a failure", strings.Join(states(), "; "), "maps: Only towns. No region has been imported.; geocoder: The place search failed with status 500.; web: Ready")
	f.config.MapsOff = true
	wantEqual(t, "Maps is off", states()[0], "maps: Switched off")
	f.config.MapsOff, f.onlyLargeTowns = false, true
	wantEqual(t, "only large towns", states()[0], "maps: Only large towns. The other towns of the world are being loaded.")
	f.regions = nil
	wantEqual(t, "loading", states()[0], "maps: The towns of the world are being loaded.")
}
