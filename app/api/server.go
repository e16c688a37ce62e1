package api

import (
	"crypto/x509"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"appliance/app/account"
	"appliance/app/backups"
	"appliance/app/config"
	"appliance/app/davserver"
	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/app/setup"
	"appliance/app/transfer"
	"appliance/store"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/mirror"
	"appliance/svc/diskcache"
	"appliance/svc/find"
	"appliance/svc/identity"
	"appliance/svc/maps"
	"appliance/svc/messages"
	"appliance/svc/provider"
	"appliance/svc/provider/feeds"
	"appliance/svc/raster"
	"appliance/svc/social"
	"appliance/svc/storage"
	"appliance/svc/surface"
	"appliance/svc/translate/picture"
	"appliance/world"
	"appliance/world/stream"
)

// Dependencies are the services and settings that the operations use.
type Dependencies struct {
	Settings    *config.Settings
	Log         *slog.Logger
	DB          *store.DB
	Identity    *identity.Service
	Accounts    *account.Service
	Calendar    *calendar.Service
	TimeIndex   *index.Index
	Mirrors     *mirror.Service
	Messages    *messages.Service
	Social      *social.Service
	Surface     *surface.Service
	Storage     *storage.Limiter
	Maps        *maps.Service
	Find        *find.Service
	Providers   *provider.Service
	Feeds       *feeds.Service
	World       *world.World
	Idempotency *world.Idempotency
	Hosted      map[string]httpd.HostedService // by name
	DAV         *davserver.Server
	Setup       *setup.Setup
	Exporter    *transfer.Exporter
	Rates       *limits.Limiter
	Guard       *limits.Guard
	Sizes       limits.Sizes
	Pictures    *picture.Service
	Decoder     *raster.Decoder // of uploaded pictures
	Streams     *stream.Hub
	Backups     *backups.Maker

	LastCheck   func() time.Time         // last complete check of the database file; zero for none
	Certificate func() *x509.Certificate // nil without a certificate

	SweepCalendars func() // requests a sweep of purged calendar data
	SweepMaps      func() // requests a sweep of removed regions
	Version        string
}

// Server performs the operations. Authentication, limits and errors are those of
// [httpd.Server].
type Server struct {
	*httpd.Server
	Dependencies

	proxies      limits.Proxies
	openStreams  *limits.CountLimiter // by address
	imports      *limits.Concurrency  // by member
	exports      *limits.Concurrency  // by member or address, until they are sent
	draws        *limits.Concurrency  // of map tiles, by member
	previews     *limits.Concurrency  // of web pages, by member
	translations *limits.Concurrency  // of one page, by member and surface, until they are stored
	pictureSends *limits.Concurrency  // of pictures of web pages, by member, until they are sent
	uploads      *limits.Concurrency  // of pictures, by member
	avatarSends  *limits.Concurrency  // that are sent, by member
	tiles        *diskcache.Cache
	drawings     singleflight.Group     // drawings of tiles in progress
	openAPI      func() ([]byte, error) // returns the OpenAPI document
}

// maxTiles limits the cache of map tiles in the data directory, in bytes.
const maxTiles = 256 << 20

// New returns a Server whose handlers run in server.
func New(server *httpd.Server, d Dependencies) *Server {
	s := &Server{
		Server: server, Dependencies: d, proxies: d.Settings.Proxies(),
		openStreams: limits.NewCountLimiter(d.Sizes.Streams, d.Sizes.StreamsPerAddress),
		imports:     limits.NewConcurrency(d.Sizes.Imports), exports: limits.NewConcurrency(d.Sizes.Exports), draws: limits.NewConcurrency(d.Sizes.Draws),
		previews:     limits.NewConcurrency(d.Sizes.Previews),
		translations: limits.NewConcurrency(limits.Capacity{Each: 1, Waiting: d.Sizes.Previews.Waiting, MaxWait: d.Sizes.Previews.MaxWait}),
		pictureSends: limits.NewConcurrency(d.Sizes.Pictures), uploads: limits.NewConcurrency(d.Sizes.Imports), avatarSends: limits.NewConcurrency(d.Sizes.Pictures),
		tiles: diskcache.New("map tiles", filepath.Join(d.Settings.Data, "tiles"), maxTiles, d.DB.Now, d.Log),
	}
	s.openAPI = sync.OnceValues(s.newOpenAPI)
	return s
}

// Routes returns the routes of the operations.
func (s *Server) Routes() (list []httpd.Route) {
	for _, rt := range s.operationRoutes() {
		list = append(list, rt.Route)
	}
	return list
}

// operationRoutes returns the routes of the operations.
func (s *Server) operationRoutes() (list []route) {
	for _, o := range s.operations() {
		list = append(list, o.routes(s)...)
	}
	return list
}

// operations lists the operations.
func (s *Server) operations() []declaration {
	return slices.Concat(
		s.circleOperations(), s.communityOperations(), s.invitationOperations(), s.socialProfileOperations(), s.avatarOperations(),
		s.conversationOperations(), s.activityOperations(), s.socialEventOperations(), s.socialPanelOperations(), s.calendarOperations(),
		s.calendarLinkOperations(), s.timeOperations(), s.trashOperations(), s.producerOperations(), s.worldOperations(), s.sessionOperations(),
		s.todayOperations(), s.dmOperations(), s.messageOperations(), s.surfaceOperations(), s.surfaceServiceOperations(), s.pictureOperations(),
		s.findOperations(), s.providerOperations(), s.mapOperations(), s.healthOperations(), s.identityOperations(), s.meOperations(),
		s.factorOperations(), s.settingsOperations(), s.operatorOperations(), s.serverOperations(),
	)
}
