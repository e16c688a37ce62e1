package maps

import (
	"appliance/store"
)

// Service is the Maps service. It depends on no other service.
type Service struct {
	q      queries
	config Config
}

// Config contains the settings of the service.
type Config struct {
	Layers     []DirectLayer // that maps offer besides the layer of this server
	Timezone   string        // IANA name of that of places whose time zone is unknown; "" for UTC
	Towns      bool          // whether the gazetteer is loaded in the background
	LargeTowns string        // checksum of the region of its large towns, which are loaded first
}

// Configure sets the configuration. It must be called before other methods.
func (s *Service) Configure(c Config) { s.config = c }

// New returns the service.
func New() *Service {
	s := &Service{}
	store.Bind("maps", &s.q.importing, &s.q.sweep, &s.q.region, &s.q.place, &s.q.position, &s.q.search, &s.q.tile)
	return s
}

// queries are the statements of sql/queries/maps.sql, grouped by use.
type queries struct {
	importing importQueries
	sweep     sweepQueries
	region    regionQueries
	place     placeQueries
	position  positionQueries
	search    searchQueries
	tile      tileQueries
}
