package app

import (
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"appliance/app/account"
	"appliance/app/api"
	"appliance/app/authlog"
	"appliance/app/backups"
	"appliance/app/config"
	"appliance/app/davserver"
	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/app/pages"
	"appliance/app/setup"
	"appliance/app/transfer"
	"appliance/app/webapp"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/object"
	"appliance/svc/diskcache"
	"appliance/svc/find"
	"appliance/svc/identity"
	"appliance/svc/maps"
	"appliance/svc/maps/gazetteer"
	"appliance/svc/messages"
	"appliance/svc/outbound"
	"appliance/svc/provider"
	"appliance/svc/provider/feeds"
	"appliance/svc/provider/transport"
	"appliance/svc/raster"
	"appliance/svc/social"
	"appliance/svc/storage"
	"appliance/svc/surface"
	"appliance/svc/translate"
	"appliance/svc/translate/picture"
	"appliance/svc/words"
	"appliance/world"
	"appliance/world/action"
	"appliance/world/dataset"
	"appliance/world/stream"
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
	Storage     *storage.Limiter
	Maps        *maps.Service
	Find        *find.Service
	Providers   *provider.Service
	Feeds       *feeds.Service
	Translator  *translate.Translator
	World       *world.World
	Streams     *stream.Hub
	Setup       *setup.Setup
	Exporter    *transfer.Exporter
	Backups     *backups.Maker
	HTTP        *httpd.Server
	API         *api.Server

	idempotency       *world.Idempotency
	hosted            map[string]*hostedService
	clock             *clockGuard
	sweepTrigger      trigger      // of the job that sweeps purged calendar data
	mapsTrigger       trigger      // of MaintainMaps
	followUpTrigger   trigger      // of FollowUp
	memberDataTrigger trigger      // of DeleteMemberData
	deletionTrigger   trigger      // of ContinueDeletions
	zonesTrigger      trigger      // of FollowZones
	certificate       *certificate // nil before Serve, and without a certificate file
	checkedAt         atomic.Int64 // Unix time of the last complete check of the database file; 0 for none
}

// Assemble connects the services over db and returns the program. It starts
// nothing. All constructor calls are here, so that the dependencies of each package
// can be seen in one place.
func Assemble(db *store.DB, settings *config.Settings, log *slog.Logger) (*App, error) {
	a := &App{
		Settings: settings, Log: log, DB: db, hosted: newHostedServices(settings, log),
		sweepTrigger: newTrigger(), mapsTrigger: newTrigger(), followUpTrigger: newTrigger(), memberDataTrigger: newTrigger(),
		deletionTrigger: newTrigger(), zonesTrigger: newTrigger(), clock: newClockGuard(db.Now(), log),
	}
	db.OnDamage(func(err error) {
		log.Error("the database file is damaged: stop the server, run appliance doctor, and restore a backup (see appliance help monitoring)", "err", err)
	})
	a.Storage = storage.New(settings.StorageLimit())
	a.Objects = object.New(a.Storage)
	a.Calendar = calendar.New(a.Objects, func(tx *store.Tx, id svc.MemberID) (string, error) { return a.Identity.Timezone(tx, id) })
	a.Collections = collection.New(a.Objects, a.Storage)
	a.Mirrors = mirror.New(a.Objects)
	a.idempotency = world.NewIdempotency(db)
	a.Identity = identity.New(settings.Identity(),
		identity.MemberHooks{
			MemberCreated: a.Calendar.MemberCreated, AccountRecovered: a.Calendar.AccountRecovered, MemberDeleted: a.Calendar.MemberDeleted, DeleteData: a.Calendar.DeleteData, ZoneChanged: a.Calendar.ZoneChanged,
		},
		identity.MemberHooks{DeleteData: a.idempotency.DeleteData})
	a.TimeIndex = index.New(a.Calendar, a.Objects, a.Identity.Email)
	a.Social = social.New(a.Identity, a.Mirrors, a.Storage)
	a.Messages = messages.New(a.Identity, a.Social, a.Storage)
	a.Surface = surface.New()
	a.Maps = maps.New()
	a.Maps.Configure(maps.Config{Layers: settings.MapLayers, Timezone: settings.Timezone, Towns: settings.Towns == "on", LargeTowns: gazetteer.Checksum(gazetteer.Large)})
	a.Identity.AddHook(identity.MemberHooks{DeleteData: a.Surface.DeleteData})
	a.Identity.AddHook(identity.MemberHooks{MemberDeleted: a.Social.MemberDeleted, DeleteData: a.Social.DeleteData, NameChanged: a.Social.NameChanged})
	a.Identity.AddHook(identity.MemberHooks{DeleteData: a.Messages.DeleteData})
	geocoder, web, err := settings.Searches(userAgent(), db.Now, log)
	if err != nil {
		return nil, err
	}
	a.Find = find.New(find.Config{
		Places: a.Maps, MapsOff: a.hosted["maps"].IsOff(), Overlay: a.Surface, Language: a.Identity.Locale, Geocoder: geocoder, Web: web,
	})
	a.Identity.AddHook(identity.MemberHooks{DeleteData: a.Find.DeleteData})
	policy, err := settings.PagePolicy()
	if err != nil {
		return nil, err
	}
	a.Feeds = feeds.New(db, feeds.Config{UserAgent: userAgent(), Public: policy})
	a.Providers = provider.New(db, transport.New(userAgent(), db.Now, a.localProvider))
	a.Identity.AddHook(identity.MemberHooks{DeleteData: a.deleteFeedData})
	a.Translator = translate.New(policy, userAgent(), db.Now)
	a.World = a.NewWorld()
	a.Backups = backups.NewMaker(db, settings.BackupDir(), settings.BackupKeep, log, a.BackupContents)
	a.Streams = stream.New(db, a.World.Composer, stream.DefaultIntervals)
	a.Setup = setup.New(settings, log, db, a.Identity)
	a.Exporter = &transfer.Exporter{Identity: a.Identity, Calendar: a.Calendar, Messages: a.Messages, Social: a.Social, Surface: a.Surface, Find: a.Find, Providers: a.Providers, Feeds: a.Feeds, VisibleSurface: a.visibleSurface}

	sizes, refusals := limits.NewSizes(limits.Files()), limits.NewRefusals(log)
	rates := limits.NewLimiter(db.Now, settings.RateLimits)
	guard := limits.NewGuard(rates, settings.Proxies())
	signIns := authlog.New(log, settings.Proxies())
	hosted := make(map[string]httpd.HostedService)
	for name, h := range a.hosted {
		hosted[name] = h
	}
	decoder := raster.New(sizes.Pixels)
	dav := davserver.New(settings, log, db, davserver.Services{
		Identity: a.Identity, Calendar: a.Calendar, TimeIndex: a.TimeIndex, Collections: a.Collections, SweepCalendars: a.sweepTrigger.request,
	}, guard, signIns)
	for _, t := range []trigger{a.sweepTrigger, a.mapsTrigger, a.followUpTrigger, a.memberDataTrigger, a.deletionTrigger, a.zonesTrigger} {
		t.request() // a previous run of the program may have ended during the job
	}
	a.Social.OnFollowUp(a.followUpTrigger.request)
	a.Identity.OnDeletion(a.memberDataTrigger.request)
	a.Calendar.OnDeletion(a.deletionTrigger.request)
	accounts := account.New(settings, db, a.Identity, rates, guard, signIns)
	a.HTTP, err = httpd.New(httpd.Dependencies{
		Settings: settings, Log: log, DB: db, Identity: a.Identity, Accounts: accounts, Hosted: hosted, Rates: rates, Sizes: sizes, Refusals: refusals,
		OnShutdown: a.Streams.Close,
	})
	if err != nil {
		return nil, err
	}
	a.API = api.New(a.HTTP, api.Dependencies{
		Settings: settings, Log: log, DB: db, Identity: a.Identity, Accounts: accounts, Calendar: a.Calendar, TimeIndex: a.TimeIndex,
		Mirrors: a.Mirrors, Messages: a.Messages, Social: a.Social, Surface: a.Surface, Storage: a.Storage, Maps: a.Maps, Find: a.Find, Providers: a.Providers, Feeds: a.Feeds,
		World: a.World, Idempotency: a.idempotency, Hosted: hosted, DAV: dav, Setup: a.Setup, Exporter: a.Exporter, Rates: rates, Guard: guard, Sizes: sizes,
		Pictures: a.newPictures(policy, decoder), Decoder: decoder, Streams: a.Streams, Backups: a.Backups,
		LastCheck: a.lastCheck, Certificate: func() *x509.Certificate { return a.certificate.leaf() },
		SweepCalendars: a.sweepTrigger.request, SweepMaps: a.mapsTrigger.request, Version: Version(),
	})
	webApp, err := webapp.New(a.HTTP, settings)
	if err != nil {
		return nil, err
	}
	pages, err := pages.New(a.HTTP, pages.Dependencies{
		Settings: settings, Log: log, DB: db, Identity: a.Identity, Accounts: accounts, Setup: a.Setup, SignIns: signIns,
		Certificate: func() *tls.Certificate { return a.certificate.current() }, Assets: webApp.AssetsPath(),
	})
	if err != nil {
		return nil, err
	}
	a.HTTP.Handle(pages, slices.Concat(a.API.Routes(), pages.Routes(), webApp.Routes(), dav.Routes(a.HTTP)))
	return a, nil
}

// userAgent identifies this program to other servers.
func userAgent() string { return "appliance/" + Version() }

// newPictures returns the service that reads the pictures of web pages.
func (a *App) newPictures(policy outbound.Policy, decoder *raster.Decoder) *picture.Service {
	cache := diskcache.New("pictures", filepath.Join(a.Settings.Data, "pictures"), picture.CacheSize, a.DB.Now, a.Log)
	return picture.New(outbound.New(policy, picture.ClientOptions(userAgent())), cache, decoder, a.DB.Now)
}

// NewTranslator returns the Translator of the settings.
func NewTranslator(settings *config.Settings, now func() time.Time) (*translate.Translator, error) {
	policy, err := settings.PagePolicy()
	if err != nil {
		return nil, err
	}
	return translate.New(policy, userAgent(), now), nil
}

// visibleSurface returns a stored surface as a member may see it now. A member who is
// not active sees no objects.
func (a *App) visibleSurface(tx *store.Tx, id svc.MemberID, s surface.Surface) surface.Surface {
	objects := world.ShownObjects{"messages": nil, "social": nil, "time": nil, action.ProviderService: nil}
	if v, err := a.Identity.OnBehalf(tx, id); err == nil {
		objects = a.World.ShownObjects(tx, v, []surface.Surface{s})
	}
	return objects.Apply(words.English, s)
}

// NewWorld returns a World with empty caches over the services.
func (a *App) NewWorld() *world.World {
	services := dataset.Services{Identity: a.Identity, Calendar: a.Calendar, TimeIndex: a.TimeIndex, Messages: a.Messages, Social: a.Social, Surface: a.Surface, Maps: a.Maps, Find: a.Find, Providers: a.Providers, Translator: a.Translator}
	return world.New(a.DB, services, func(service string) svc.HostedService { return a.hosted[service] }, Version())
}
