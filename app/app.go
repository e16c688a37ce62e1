package app

import (
	"context"
	"log/slog"
	"net/http"

	"appliance/app/config"
	"appliance/store"
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
)

// App is the assembled program: all services over one database, and the HTTP
// server in front of them.
type App struct {
	Settings    *config.Settings
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

	server *server
}

// Assemble connects the services over db and returns the program. It starts
// nothing.
func Assemble(db *store.DB, settings *config.Settings, log *slog.Logger) (*App, error) {
	s, err := assemble(db, settings, log)
	if err != nil {
		return nil, err
	}
	return &App{
		Settings: settings, DB: db, Identity: s.identity, Objects: s.objects, Calendar: s.calendar, TimeIndex: s.timeIndex,
		Collections: s.collections, Mirrors: s.mirrors, Messages: s.messages, Social: s.social, Surface: s.surface, World: s.world, server: s,
	}, nil
}

// ServeHTTP implements [http.Handler].
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.server.ServeHTTP(w, r) }

// NewSetupCode returns the code of a one-time link to the set-up page. It
// invalidates the previous one.
func (a *App) NewSetupCode() string { return a.server.newSetupCode() }

// NewWorld returns a World over the same services that has nothing cached.
func (a *App) NewWorld() *world.World { return a.server.newWorld() }

// DeleteExpired deletes expired sessions, one-time links, stored responses,
// presence and notifications.
func (a *App) DeleteExpired(ctx context.Context) error { return a.server.clean(ctx) }

// SweepCalendars deletes purged calendar data in batches.
func (a *App) SweepCalendars(ctx context.Context) error { return a.server.sweep(ctx) }

// SweepMessages deletes orphaned messages in batches.
func (a *App) SweepMessages(ctx context.Context) error { return a.server.sweepMessages(ctx) }

// SweepSurfaces deletes orphaned surfaces in batches.
func (a *App) SweepSurfaces(ctx context.Context) error { return a.server.sweepSurfaces(ctx) }

// Reindex extends the index of recurring entries to follow the present.
func (a *App) Reindex(ctx context.Context) error { return a.server.reindex(ctx) }

// Route describes one route of the HTTP interface.
type Route struct {
	Pattern string // of [http.ServeMux]
	Service string // hosted service that the route belongs to; "" if always on
	Access  string // "public", "foreign", "member", "operator", "service" or "on-behalf"
	Page    bool   // answers with HTML
}

// Routes lists the routes.
func (a *App) Routes() []Route {
	names := map[access]string{
		public: "public", foreign: "foreign", member: "member", operator: "operator", internal: "service", onBehalf: "on-behalf",
	}
	var list []Route
	for _, r := range a.server.routes() {
		list = append(list, Route{r.pattern, r.unit, names[r.access], r.page})
	}
	return list
}

// HasRoute reports whether a route matches the request.
func (a *App) HasRoute(r *http.Request) bool {
	_, pattern := a.server.mux.Handler(r)
	return pattern != ""
}
