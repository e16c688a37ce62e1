package find

import (
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/find/provider"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/words"
)

// Service is the Find service.
type Service struct {
	config Config
	q      queries
}

// Config configures the service.
type Config struct {
	Places   Places                                      // the places of Maps
	MapsOff  bool                                        // the operator has switched Maps off
	Overlay  Overlay                                     // shows findings
	Language func(*store.Tx, svc.Viewer) (string, error) // of a member, such as "de-CH"
	Geocoder *provider.Places                            // finds places; nil if not configured
	Web      *provider.Pages                             // finds web pages; nil if not configured
}

// Places are the places of Maps.
type Places interface {
	Search(*store.Tx, maps.SearchQuery) ([]maps.Place, error)
	Regions(*store.Tx) ([]maps.Region, error)
	Loading(current []maps.Region) bool // whether the towns of the world are being loaded
}

// Overlay shows the findings of a member.
type Overlay interface {
	// ShowFindings replaces all findings in the overlay, or changes nothing.
	ShowFindings(*store.Tx, svc.Viewer, []svc.Finding) error
}

// New returns the service.
func New(c Config) *Service {
	s := &Service{config: c}
	store.Bind("find", &s.q.record, &s.q.history, &s.q.sweep)
	return s
}

// queries are the statements of sql/queries/find.sql, grouped by use.
type queries struct {
	record  recordQueries
	history historyQueries
	sweep   sweepQueries
}

// Available states which searches are available.
type Available struct {
	Local    bool // there are places of Maps
	Loading  bool // the towns of the world are being loaded
	Geocoder bool // a server for places is configured
	Web      bool // a server for web pages is configured

	regions []geo.Box // the areas of the imported regions
}

// Places reports whether a search for places is available.
func (a Available) Places() bool { return a.Local || a.Geocoder }

// covers reports whether an imported region contains p or, for nil, whether any region
// has been imported. Outside of imported regions, only towns are known.
func (a Available) covers(p *geo.Point) bool {
	return slices.ContainsFunc(a.regions, func(area geo.Box) bool { return p == nil || area.Contains(*p) })
}

// Any reports whether any search is available.
func (a Available) Any() bool { return a.Places() || a.Web }

// Available returns the searches that are available.
func (s *Service) Available(tx *store.Tx) (Available, error) {
	a := Available{Geocoder: s.config.Geocoder != nil, Web: s.config.Web != nil}
	if s.config.MapsOff {
		return a, nil
	}
	regions, err := s.config.Places.Regions(tx)
	for _, r := range regions {
		a.Local = a.Local || r.Places > 0
		if r.Format != maps.Gazetteer {
			a.regions = append(a.regions, r.Bounds)
		}
	}
	a.Loading = s.config.Places.Loading(regions)
	return a, err
}

// ProviderState is the state of one search, in the language of the member.
type ProviderState struct {
	ID      string // "maps", [provider.PlacesName] or [provider.PagesName]
	Label   string
	Summary string
	Failure *provider.Error // of the latest search, nil if it succeeded
}

// LocalName is the name of the search among the places of Maps.
const LocalName = "maps"

// Providers returns the states of the searches in the language l.
func (s *Service) Providers(l words.Language, a Available) []ProviderState {
	local := ProviderState{ID: LocalName, Label: l.Text("Places on this server"), Summary: l.Text("Ready")}
	switch {
	case s.config.MapsOff:
		local.Summary = l.Text("Switched off")
	case !a.Local && a.Loading:
		local.Summary = l.Text("The towns of the world are being loaded.")
	case !a.Local:
		local.Summary = l.Text("No region has been imported.")
	case a.Loading && !a.covers(nil):
		local.Summary = l.Text("Only large towns. The other towns of the world are being loaded.")
	case !a.covers(nil):
		local.Summary = l.Text("Only towns. No region has been imported.")
	}
	places := ProviderState{ID: provider.PlacesName, Label: l.Text("Place search"), Summary: l.Text("Not configured")}
	if s.config.Geocoder != nil {
		places = places.with(l, s.config.Geocoder.Failure())
	}
	pages := ProviderState{ID: provider.PagesName, Label: l.Text("Web search"), Summary: l.Text("Not configured")}
	if s.config.Web != nil {
		pages = pages.with(l, s.config.Web.Failure())
	}
	return []ProviderState{local, places, pages}
}

// with returns the state of a configured search after its latest failure, which may
// be nil.
func (p ProviderState) with(l words.Language, failure *provider.Error) ProviderState {
	p.Summary, p.Failure = l.Text("Ready"), failure
	if failure != nil {
		p.Summary = failure.In(l)
	}
	return p
}
