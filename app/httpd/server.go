package httpd

import (
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

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
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/world"
)

// HostedService is a service as the program runs it.
type HostedService interface {
	svc.HostedService
	Off() bool // switched off by the operator
}

// Dependencies are the services and settings that the handlers use.
type Dependencies struct {
	Settings    *config.Settings
	Log         *slog.Logger
	DB          *store.DB
	Identity    *identity.Service
	Calendar    *calendar.Service
	TimeIndex   *index.Index
	Mirrors     *mirror.Service
	Messages    *messages.Service
	Social      *social.Service
	Surface     *surface.Service
	World       *world.World
	Idempotency *world.Idempotency
	Hosted      map[string]HostedService // by name
	DAV         *davserver.Server
	Setup       *setup.Setup
	Exporter    *transfer.Exporter
	Rates       *limits.Limiter
	Guard       *limits.Guard

	SweepCalendars func() // requests a sweep of purged calendar data
	Version        string
}

// Server handles the HTTP requests of the program.
type Server struct {
	settings    *config.Settings
	log         *slog.Logger
	db          *store.DB
	identity    *identity.Service
	calendar    *calendar.Service
	timeIndex   *index.Index
	mirrors     *mirror.Service
	messages    *messages.Service
	social      *social.Service
	surface     *surface.Service
	world       *world.World
	idempotency *world.Idempotency
	hosted      map[string]HostedService
	dav         *davserver.Server
	setup       *setup.Setup
	exporter    *transfer.Exporter
	rates       *limits.Limiter
	guard       *limits.Guard

	sweepCalendars func()
	version        string

	proxies      limits.Proxies
	reads        *limits.Concurrency // by member, or by address for a calendar feed
	pages        *pages
	mux          *http.ServeMux
	origins      *http.CrossOriginProtection
	unnamedProxy limits.Daily // of the warning about a proxy that is not named
}

// New returns a Server.
func New(d Dependencies) (*Server, error) {
	s := &Server{
		settings: d.Settings, log: d.Log, db: d.DB, identity: d.Identity, calendar: d.Calendar, timeIndex: d.TimeIndex, mirrors: d.Mirrors, messages: d.Messages, social: d.Social,
		surface: d.Surface, world: d.World, idempotency: d.Idempotency, hosted: d.Hosted, dav: d.DAV, setup: d.Setup, exporter: d.Exporter,
		rates: d.Rates, guard: d.Guard, sweepCalendars: d.SweepCalendars, version: d.Version,
		proxies: d.Settings.Proxies(), reads: limits.NewConcurrency(readsRunning, readsWaiting),
		mux: http.NewServeMux(), origins: http.NewCrossOriginProtection(),
	}
	var err error
	base := d.Settings.URL()
	if s.pages, err = loadPages(base.Path); err != nil {
		return nil, err
	}
	// Browsers send no Sec-Fetch-Site header to plain-HTTP addresses, and the
	// Host header behind a proxy may differ from the Origin header.
	if err := s.origins.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
		return nil, err
	}
	s.registerRoutes()
	return s, nil
}

// registerRoutes adds the routes to the mux. For the other methods of a
// service-internal path it adds a route with the same access check: otherwise
// the mux's own 405 would reveal that the path exists.
func (s *Server) registerRoutes() {
	internalPaths := make(map[string][]string) // methods by path
	for _, rt := range s.routes() {
		s.mux.Handle(rt.pattern, s.serve(rt))
		if rt.internal() {
			method, path, _ := strings.Cut(rt.pattern, " ")
			internalPaths[path] = append(internalPaths[path], method)
		}
	}
	for p, methods := range internalPaths {
		if wildcard := path.Dir(p) + "/{id}"; p != wildcard && internalPaths[wildcard] != nil {
			continue // the route with {id} handles p, too
		}
		s.mux.Handle(p, s.serve(route{access: service, handle: methodNotAllowed(strings.Join(methods, ", "))}))
	}
}

// NetServer returns the server of net/http for s, with timeouts.
func (s *Server) NetServer() *http.Server {
	return &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       requestTimeout,
		WriteTimeout:      sendTimeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}
