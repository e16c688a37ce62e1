package app

import (
	"log/slog"
	"net/http"

	"appliance/app/config"
	"appliance/app/davserver"
	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/app/setup"
	"appliance/app/transfer"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/object"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/dataset"
)

// App is the assembled program: all services over one database, and the HTTP
// server in front of them.
type App struct {
	Settings    *config.Settings
	Log         *slog.Logger
	DB          *store.DB
	Identity    *identity.Service
	Objects     *object.Store
	Calendar    *calendar.Service
	TimeIndex   *index.Index
	Collections *collection.Service
	Mirrors     *mirror.Service
	Messages    *messages.Service
	Social      *social.Service
	Surface     *surface.Service
	World       *world.World
	Setup       *setup.Setup
	Exporter    *transfer.Exporter
	HTTP        *httpd.Server

	idempotency *world.Idempotency
	hosted      map[string]*hostedService
	sweepNow    chan struct{} // requests a sweep of purged calendar data
}

// Assemble connects the services over db and returns the program. It starts
// nothing. It is the place to see the dependencies of each part.
func Assemble(db *store.DB, settings *config.Settings, log *slog.Logger) (*App, error) {
	a := &App{Settings: settings, Log: log, DB: db, hosted: newHosted(settings, log), sweepNow: make(chan struct{}, 1)}
	a.Objects = object.New()
	a.Calendar = calendar.New(a.Objects)
	a.TimeIndex = index.New(a.Calendar, a.Objects)
	a.Collections = collection.New(a.Objects)
	a.Mirrors = mirror.New(a.Objects)
	a.idempotency = world.NewIdempotency(db)
	a.Identity = identity.New(settings.Identity(),
		identity.MemberHooks{
			MemberCreated: a.Calendar.MemberCreated, AccountRecovered: a.Calendar.AccountRecovered, MemberDeleted: a.Calendar.MemberDeleted,
		},
		identity.MemberHooks{MemberDeleted: a.idempotency.MemberDeleted})
	a.Social = social.New(a.Identity, a.Mirrors)
	a.Messages = messages.New(a.Identity, a.Social)
	a.Surface = surface.New()
	a.Identity.AddHook(identity.MemberHooks{MemberDeleted: a.Surface.MemberDeleted})
	a.Identity.AddHook(identity.MemberHooks{MemberDeleted: a.Social.MemberDeleted})
	a.Identity.AddHook(identity.MemberHooks{MemberDeleted: a.Messages.MemberDeleted})
	a.World = a.NewWorld()
	a.Setup = setup.New(settings, log, db, a.Identity)
	a.Exporter = &transfer.Exporter{Identity: a.Identity, Calendar: a.Calendar, Messages: a.Messages, Social: a.Social, Surface: a.Surface}

	rates := limits.NewLimiter(db.Now, settings.RateLimits)
	guard := limits.NewGuard(rates, settings.Proxies())
	hosted := make(map[string]httpd.HostedService)
	for name, h := range a.hosted {
		hosted[name] = h
	}
	dav := davserver.New(settings, log, db, davserver.Services{Identity: a.Identity, Calendar: a.Calendar, TimeIndex: a.TimeIndex, Collections: a.Collections}, guard)
	a.requestSweep() // a previous run may have ended during a sweep
	var err error
	a.HTTP, err = httpd.New(httpd.Dependencies{
		Settings: settings, Log: log, DB: db, Identity: a.Identity, Calendar: a.Calendar, TimeIndex: a.TimeIndex,
		Mirrors: a.Mirrors, Messages: a.Messages, Social: a.Social, Surface: a.Surface,
		World: a.World, Idempotency: a.idempotency, Hosted: hosted, DAV: dav,
		Setup: a.Setup, Exporter: a.Exporter, Rates: rates, Guard: guard, SweepCalendars: a.requestSweep, Version: Version(),
	})
	return a, err
}

// NewWorld returns a World over the services with empty caches.
func (a *App) NewWorld() *world.World {
	services := dataset.Services{Identity: a.Identity, Calendar: a.Calendar, TimeIndex: a.TimeIndex, Messages: a.Messages, Social: a.Social, Surface: a.Surface}
	return world.New(a.DB, services, func(service string) svc.HostedService { return a.hosted[service] }, Version())
}

// ServeHTTP implements [http.Handler].
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.HTTP.ServeHTTP(w, r) }
