package app

import (
	"context"
	"log/slog"
	"net/http"
	pathpkg "path"
	"strings"
	"sync"
	"time"

	"appliance/app/config"
	"appliance/app/limits"
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

// server answers requests. Its parts are connected in assemble.
type server struct {
	settings    *config.Settings
	log         *slog.Logger
	db          *store.DB
	identity    *identity.Service
	objects     *object.Store
	calendar    *calendar.Service
	timeIndex   *index.Index
	collections *collection.Service
	mirrors     *mirror.Service
	messages    *messages.Service
	social      *social.Service
	surface     *surface.Service
	idempotency *world.Idempotency
	world       *world.World
	units       map[string]*unit
	pages       *pages
	proxies     limits.Proxies
	limits      *limits.Limiter
	guard       *limits.Guard
	reading     *limits.Concurrency // by member, or by address for a calendar feed
	mux         *http.ServeMux
	origins     *http.CrossOriginProtection

	rubbish chan struct{} // says that there is something to sweep

	plaintext, proxied dailyWarning

	setup struct {
		sync.Mutex
		code  string // hash of the one-time code; "" if there is none
		until time.Time
	}
}

// assemble connects everything. Read it to learn who needs whom.
func assemble(db *store.DB, settings *config.Settings, log *slog.Logger) (*server, error) {
	s := &server{settings: settings, log: log, db: db}
	s.units = make(map[string]*unit)
	for _, name := range services {
		s.units[name] = &unit{name: name, log: log}
	}
	for _, name := range settings.ServicesOff {
		s.units[name].off = true
	}
	s.objects = object.New()
	s.calendar = calendar.New(s.objects)
	s.timeIndex = index.New(s.calendar, s.objects)
	s.collections = collection.New(s.objects)
	s.mirrors = mirror.New(s.objects)
	s.idempotency = world.NewIdempotency(db)
	s.identity = identity.New(settings.Identity(),
		identity.MemberHooks{
			MemberCreated: s.calendar.MemberCreated, AccountRecovered: s.calendar.AccountRecovered, MemberDeleted: s.calendar.MemberDeleted,
		},
		identity.MemberHooks{MemberDeleted: s.idempotency.MemberDeleted})
	s.social = social.New(s.identity, s.mirrors)
	s.messages = messages.New(s.identity, s.social)
	s.surface = surface.New()
	s.identity.AddHook(identity.MemberHooks{MemberDeleted: s.surface.MemberDeleted})
	s.identity.AddHook(identity.MemberHooks{MemberDeleted: s.social.MemberDeleted})
	s.identity.AddHook(identity.MemberHooks{MemberDeleted: s.messages.MemberDeleted})
	s.world = s.newWorld()
	var err error
	if s.pages, err = loadPages(settings.URL().Path); err != nil {
		return nil, err
	}
	s.proxies = settings.Proxies()
	s.limits = limits.NewLimiter(db.Now, settings.RateLimits)
	s.guard = limits.NewGuard(s.limits, s.proxies)
	s.reading = limits.NewConcurrency(readsRunning, readsWaiting)
	s.origins = http.NewCrossOriginProtection()
	// Browsers send no Sec-Fetch-Site to plain HTTP, and behind a proxy the
	// Host need not be the one they know.
	if err := s.origins.AddTrustedOrigin(settings.URL().Scheme + "://" + settings.URL().Host); err != nil {
		return nil, err
	}
	s.rubbish = make(chan struct{}, 1)
	s.sweepSoon() // what was left when the program ended
	s.mux = http.NewServeMux()
	hidden := make(map[string][]string) // methods by path
	for _, rt := range s.routes() {
		s.mux.Handle(rt.pattern, s.serve(rt))
		if rt.between() {
			method, path, _ := strings.Cut(rt.pattern, " ")
			hidden[path] = append(hidden[path], method)
		}
	}
	// Their other methods are as hidden, or the answer to those would show that
	// there is something.
	for path, methods := range hidden {
		if over := pathpkg.Dir(path) + "/{id}"; path != over && hidden[over] != nil {
			continue // what {id} stands for is hidden with it
		}
		s.mux.Handle(path, s.serve(route{access: internal, handle: only(strings.Join(methods, ", "))}))
	}
	return s, nil
}

// newWorld connects World with what it shows.
func (s *server) newWorld() *world.World {
	services := dataset.Services{Identity: s.identity, Calendar: s.calendar, TimeIndex: s.timeIndex, Messages: s.messages, Social: s.social, Surface: s.surface}
	return world.New(s.db, services, func(service string) svc.HostedService { return s.units[service] }, version())
}

// fresh reports whether there are no members yet.
func (s *server) fresh(ctx context.Context) (empty bool, err error) {
	err = s.db.Read(ctx, func(tx *store.Tx) error {
		empty, err = s.identity.Empty(tx)
		return err
	})
	return empty, err
}
