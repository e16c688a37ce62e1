package httpd

import (
	"bytes"
	"log"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"appliance/app/account"
	"appliance/app/config"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// HostedService is a service as the program runs it.
type HostedService interface {
	svc.HostedService
	IsOff() bool // switched off by the operator
}

// Dependencies are the services and settings that the server needs.
type Dependencies struct {
	Settings *config.Settings
	Log      *slog.Logger
	DB       *store.DB
	Identity *identity.Service
	Accounts *account.Service
	Hosted   map[string]HostedService // by name
	Rates    *limits.Limiter
	Sizes    limits.Sizes
	Refusals *limits.Refusals

	OnShutdown func() // called when the server begins to shut down
}

// Server handles HTTP requests by the handlers of routes.
type Server struct {
	Reads  *limits.Concurrency // by member, or by address for a calendar feed
	Memory *limits.Concurrency // bytes for request bodies, by member

	settings   *config.Settings
	log        *slog.Logger
	db         *store.DB
	identity   *identity.Service
	accounts   *account.Service
	hosted     map[string]HostedService
	rates      *limits.Limiter
	maxWork    int64                  // limit of the work of a request
	chargeWork func(key string) error // called for each unit of work of a member or a link
	pacer      *limits.Pacer
	refusals   *limits.Refusals
	onShutdown func()

	proxies        limits.Proxies
	inProgress     *limits.CountLimiter // requests in progress, by address
	mux            *http.ServeMux
	routes         []Route
	errorPages     ErrorPages
	origins        *http.CrossOriginProtection
	untrustedProxy limits.Daily    // limits the warning about a proxy that is not trusted
	hasProxy       atomic.Bool     // see IsProxied
	foreignHostLog limits.Daily    // limits the warning of checkForwardedHost
	checksAddress  map[string]bool // patterns of routes with this trait
}

// New returns a Server without routes.
func New(d Dependencies) (*Server, error) {
	s := &Server{
		settings: d.Settings, log: d.Log, db: d.DB, identity: d.Identity, accounts: d.Accounts, hosted: d.Hosted, rates: d.Rates,
		maxWork: svc.MaxWork, chargeWork: func(key string) error { return d.Rates.Take(limits.Work, key) }, pacer: limits.NewPacer(time.Now),
		refusals: d.Refusals, onShutdown: d.OnShutdown, proxies: d.Settings.Proxies(),
		inProgress: limits.NewCountLimiter(d.Sizes.Connections, d.Sizes.PerAddress),
		Reads:      limits.NewConcurrency(d.Sizes.Reads), Memory: limits.NewConcurrency(d.Sizes.Memory),
		mux: http.NewServeMux(), origins: http.NewCrossOriginProtection(),
	}
	// Browsers send no Sec-Fetch-Site header to plain-HTTP addresses, and the
	// Host header behind a proxy may differ from the Origin header.
	base := d.Settings.URL()
	return s, s.origins.AddTrustedOrigin(base.Scheme + "://" + base.Host)
}

// Handle sets the routes, and the pages that show errors. It must be called once, before
// the first request. For the other methods of a service-internal path it adds a route with
// the same access check: otherwise the mux's own 405 would reveal that the path exists.
func (s *Server) Handle(pages ErrorPages, routes []Route) {
	s.errorPages, s.routes = pages, routes
	s.checksAddress = make(map[string]bool)
	internalPaths := make(map[string][]string) // methods by path
	for _, rt := range routes {
		s.mux.Handle(rt.Pattern, s.serve(rt))
		s.checksAddress[rt.Pattern] = rt.ChecksAddress
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

// NetServer returns the server of net/http for s, with timeouts.
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
	server.RegisterOnShutdown(s.onShutdown)
	return server
}

// errorLog logs the errors of net/http.
type errorLog struct{ log *slog.Logger }

// Write implements [io.Writer]. Errors of the TLS handshake are logged at the level debug,
// because any client can cause them.
func (l errorLog) Write(line []byte) (int, error) {
	logLine := l.log.Warn
	if bytes.Contains(line, []byte("TLS handshake error")) {
		logLine = l.log.Debug
	}
	logLine("HTTP server", "err", strings.TrimSpace(string(line)))
	return len(line), nil
}
