package httpd

import (
	"bytes"
	"crypto/tls"
	"log"
	"log/slog"
	"net/http"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"appliance/app/account"
	"appliance/app/authlog"
	"appliance/app/backups"
	"appliance/app/config"
	"appliance/app/davserver"
	"appliance/app/limits"
	"appliance/app/setup"
	"appliance/app/transfer"
	"appliance/store"
	"appliance/svc"
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

// HostedService is a service as the program runs it.
type HostedService interface {
	svc.HostedService
	IsOff() bool // switched off by the operator
}

// Dependencies are the services and settings that the handlers use.
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
	Hosted      map[string]HostedService // by name
	DAV         *davserver.Server
	Setup       *setup.Setup
	Exporter    *transfer.Exporter
	Rates       *limits.Limiter
	Guard       *limits.Guard
	SignIns     *authlog.Log
	Sizes       limits.Sizes
	Refusals    *limits.Refusals
	Pictures    *picture.Service
	Streams     *stream.Hub
	Backups     *backups.Maker

	LastCheck         func() time.Time        // last complete check of the database file; zero for none
	CertificateExpiry func() time.Time        // zero without a certificate
	Certificate       func() *tls.Certificate // nil without a certificate
	Decoder           *raster.Decoder         // of uploaded pictures

	SweepCalendars func() // requests a sweep of purged calendar data
	SweepMaps      func() // requests a sweep of removed regions
	Version        string
}

// Server handles the HTTP requests of the program.
type Server struct {
	settings    *config.Settings
	log         *slog.Logger
	db          *store.DB
	identity    *identity.Service
	accounts    *account.Service
	calendar    *calendar.Service
	timeIndex   *index.Index
	mirrors     *mirror.Service
	messages    *messages.Service
	social      *social.Service
	surface     *surface.Service
	storage     *storage.Limiter
	maps        *maps.Service
	find        *find.Service
	providers   *provider.Service
	feeds       *feeds.Service
	world       *world.World
	idempotency *world.Idempotency
	hosted      map[string]HostedService
	dav         *davserver.Server
	setup       *setup.Setup
	exporter    *transfer.Exporter
	rates       *limits.Limiter
	maxWork     int64                  // limit of the work of a request
	chargeWork  func(key string) error // called for each unit of work of a member or a link
	pacer       *limits.Pacer
	guard       *limits.Guard
	signIns     *authlog.Log
	sizes       limits.Sizes
	refusals    *limits.Refusals
	streams     *stream.Hub
	backups     *backups.Maker

	lastCheck         func() time.Time        // last complete check of the database file; zero for none
	certificateExpiry func() time.Time        // zero without a certificate
	certificate       func() *tls.Certificate // nil without a certificate

	sweepCalendars func() // requests a sweep of purged calendar data
	sweepMaps      func() // requests a sweep of removed regions
	version        string

	proxies        limits.Proxies
	inProgress     *limits.CountLimiter // requests in progress, by address
	openStreams    *limits.CountLimiter // by address
	reads          *limits.Concurrency  // by member, or by address for a calendar feed
	imports        *limits.Concurrency  // by member
	exports        *limits.Concurrency  // by member or address, until they are sent
	memory         *limits.Concurrency  // bytes for request bodies, by member
	draws          *limits.Concurrency  // of map tiles, by member
	previews       *limits.Concurrency  // of web pages, by member
	translations   *limits.Concurrency  // of one page, by member and surface, until they are stored
	sending        *limits.Concurrency  // of pictures of web pages, by member, until they are sent
	tiles          *diskcache.Cache
	drawing        singleflight.Group // drawings of tiles in progress
	pictures       *picture.Service
	decoder        *raster.Decoder
	uploads        *limits.Concurrency // of pictures, by member
	avatars        *limits.Concurrency // that are sent, by member
	pages          *pages
	webApp         *webApp
	openAPI        func() ([]byte, error) // returns the OpenAPI document
	mux            *http.ServeMux
	origins        *http.CrossOriginProtection
	untrustedProxy limits.Daily // limits the warning about a proxy that is not trusted
}

// New returns a Server.
func New(d Dependencies) (*Server, error) {
	s := &Server{
		settings: d.Settings, log: d.Log, db: d.DB, identity: d.Identity, accounts: d.Accounts, calendar: d.Calendar, timeIndex: d.TimeIndex, mirrors: d.Mirrors, messages: d.Messages, social: d.Social,
		surface: d.Surface, storage: d.Storage, maps: d.Maps, find: d.Find, providers: d.Providers, feeds: d.Feeds, world: d.World, idempotency: d.Idempotency, hosted: d.Hosted, dav: d.DAV, setup: d.Setup, exporter: d.Exporter,
		rates: d.Rates, guard: d.Guard, signIns: d.SignIns, sweepCalendars: d.SweepCalendars, version: d.Version,
		backups: d.Backups, lastCheck: d.LastCheck, certificateExpiry: d.CertificateExpiry, certificate: d.Certificate, sweepMaps: d.SweepMaps,
		proxies: d.Settings.Proxies(), sizes: d.Sizes, refusals: d.Refusals, streams: d.Streams,
		inProgress:  limits.NewCountLimiter(d.Sizes.Connections, d.Sizes.PerAddress),
		openStreams: limits.NewCountLimiter(d.Sizes.Streams, d.Sizes.StreamsPerAddress), reads: limits.NewConcurrency(d.Sizes.Reads), pacer: limits.NewPacer(time.Now),
		imports: limits.NewConcurrency(d.Sizes.Imports), exports: limits.NewConcurrency(d.Sizes.Exports), memory: limits.NewConcurrency(d.Sizes.Memory),
		draws: limits.NewConcurrency(d.Sizes.Draws), tiles: diskcache.New("map tiles", filepath.Join(d.Settings.Data, "tiles"), maxTiles, d.DB.Now, d.Log),
		previews: limits.NewConcurrency(d.Sizes.Previews), sending: limits.NewConcurrency(d.Sizes.Pictures), pictures: d.Pictures, decoder: d.Decoder,
		uploads: limits.NewConcurrency(d.Sizes.Imports), avatars: limits.NewConcurrency(d.Sizes.Pictures),
		translations: limits.NewConcurrency(limits.Capacity{Each: 1, Waiting: d.Sizes.Previews.Waiting, Patience: d.Sizes.Previews.Patience}),
		mux:          http.NewServeMux(), origins: http.NewCrossOriginProtection(),
	}
	s.maxWork, s.chargeWork = svc.MaxWork, func(key string) error { return s.rates.Take(limits.Work, key) }
	var err error
	base := d.Settings.URL()
	if s.pages, err = loadPages(); err != nil {
		return nil, err
	}
	if s.webApp, err = newWebApp(s.pages, base, d.Settings.Title()); err != nil {
		return nil, err
	}
	// Browsers send no Sec-Fetch-Site header to plain-HTTP addresses, and the
	// Host header behind a proxy may differ from the Origin header.
	if err := s.origins.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
		return nil, err
	}
	s.openAPI = sync.OnceValues(s.newOpenAPI)
	s.registerRoutes()
	return s, nil
}

// maxTiles limits the cache of map tiles in the data directory, in bytes.
const maxTiles = 256 << 20

// registerRoutes adds the routes to the mux. For the other methods of a
// service-internal path it adds a route with the same access check: otherwise
// the mux's own 405 would reveal that the path exists.
func (s *Server) registerRoutes() {
	internalPaths := make(map[string][]string) // methods by path
	for _, rt := range s.routes() {
		s.mux.Handle(rt.Pattern, s.serve(rt))
		if rt.NeedsServiceKey() {
			method, path, _ := strings.Cut(rt.Pattern, " ")
			internalPaths[path] = append(internalPaths[path], method)
		}
	}
	for p, methods := range internalPaths {
		if wildcard := path.Dir(p) + "/{id}"; p != wildcard && internalPaths[wildcard] != nil {
			continue // the route with {id} handles p, too
		}
		s.mux.Handle(p, s.serve(Route{Access: ServiceKey, Handle: methodNotAllowed(strings.Join(methods, ", "))}))
	}
}

// NetServer returns the server of net/http for s, with timeouts. When it begins to shut
// down, the open streams end.
func (s *Server) NetServer() *http.Server {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       requestTimeout,
		WriteTimeout:      sendTimeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: 64, MaxReceiveBufferPerConnection: 256 << 10, MaxReceiveBufferPerStream: 128 << 10},
		ErrorLog:          log.New(errorLog{s.log}, "", 0),
	}
	server.RegisterOnShutdown(s.streams.Close)
	return server
}

// errorLog logs the errors of net/http.
type errorLog struct{ log *slog.Logger }

// Write implements [io.Writer]. Clients cause errors of the TLS handshake at will;
// other errors concern the operator.
func (l errorLog) Write(line []byte) (int, error) {
	logLine := l.log.Warn
	if bytes.Contains(line, []byte("TLS handshake error")) {
		logLine = l.log.Debug
	}
	logLine("HTTP server", "err", strings.TrimSpace(string(line)))
	return len(line), nil
}
