package httpd

import (
	"net/http"
	"slices"
)

// access is the authentication that a route requires.
type access int

const (
	member   access = iota // members
	public                 // none; requests from other web sites are rejected
	foreign                // none, also for requests from other web sites: the route ignores cookies
	operator               // operators
	service                // clients with the service key; for others the route does not exist
	onBehalf               // like service, on behalf of the member that a header names
)

// route is one route of the HTTP interface.
type route struct {
	access  access
	pattern string
	handle  handler
	page    bool         // errors are HTML pages
	service string       // hosted service that the route belongs to; "" if it is always on
	doc     *description // of an operation; nil for other routes
	traits
}

// traits are the properties that few routes have.
type traits struct {
	secret       bool   // the response may contain a secret: it is never compressed
	compress     bool   // the response to a POST is compressed: it is large and contains no secret
	receivesBody bool   // the handler itself limits the time and receives the body
	rate         string // rate limit of the requests of a member; "" for that of all reads or writes

	// reserve means that the request succeeds on a full disk: it begins or ends a session.
	// That holds for each operation with the method DELETE, too.
	reserve bool

	// enrollment means that the route is open to members who must add a second factor
	// before anything else.
	enrollment bool
}

// needsServiceKey reports whether the route requires the service key.
func (rt route) needsServiceKey() bool { return rt.access == service || rt.access == onBehalf }

// Route describes a route.
type Route struct {
	Pattern string // of [http.ServeMux]
	Service string // hosted service that the route belongs to; "" if it is always on
	Access  string // "public", "foreign", "member", "operator", "service" or "on-behalf"
	Page    bool   // errors are HTML pages
}

// Routes lists the routes.
func (s *Server) Routes() []Route {
	names := map[access]string{
		public: "public", foreign: "foreign", member: "member", operator: "operator", service: "service", onBehalf: "on-behalf",
	}
	var list []Route
	for _, r := range s.routes() {
		list = append(list, Route{r.pattern, r.service, names[r.access], r.page})
	}
	return list
}

// HasRoute reports whether a route matches the request.
func (s *Server) HasRoute(r *http.Request) bool {
	_, pattern := s.mux.Handler(r)
	return pattern != ""
}

// routes returns all routes.
func (s *Server) routes() []route {
	list := s.otherRoutes()
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

// otherRoutes returns the routes that are not declared as operations.
func (s *Server) otherRoutes() []route {
	return []route{
		// Pages
		{access: public, pattern: "GET /{$}", handle: s.redirectHome, page: true},
		{access: public, pattern: "GET /app", handle: s.redirectToWebApp, page: true},
		{access: public, pattern: "GET /app/", handle: s.getWebApp, page: true},
		{access: public, pattern: "GET /app/worker.js", handle: s.getWebWorker},
		{access: public, pattern: "GET /app/manifest.webmanifest", handle: s.getManifest},
		{access: public, pattern: "GET /app/icons/{name}", handle: s.getAppIcon},
		{access: public, pattern: "GET /assets/app/{version}/{name...}", handle: s.getWebFile},
		{access: public, pattern: "GET /favicon.ico", handle: s.getIcon},
		{access: public, pattern: "GET /login", handle: s.redirectHome, page: true},
		{access: public, pattern: "GET /help/{$}", handle: s.getManual, page: true},
		{access: public, pattern: "GET /help/{topic}", handle: s.getManual, page: true},
		{access: public, pattern: "GET /setup", handle: s.getSetup, page: true, traits: traits{secret: true}},
		{access: public, pattern: "POST /setup", handle: s.postSetup, page: true},
		{access: public, pattern: "GET /world/login", handle: s.getLogin, page: true, traits: traits{secret: true}},
		{access: public, pattern: "POST /world/login", handle: s.postLogin, page: true, traits: traits{reserve: true}},
		{access: public, pattern: "POST /world/login/second-factor", handle: s.postChallenge, page: true, traits: traits{reserve: true}},
		{access: public, pattern: "GET /world/login/done", handle: s.getLoginDone, page: true, traits: traits{secret: true}},
		{access: public, pattern: "POST /world/logout", handle: s.postLogout, page: true, traits: traits{reserve: true}},
		{access: public, pattern: "GET /world/register", handle: s.getRegister, page: true, traits: traits{secret: true}},
		{access: public, pattern: "POST /world/register", handle: s.postRegister, page: true},
		{access: public, pattern: "GET /world/invite/{code}", handle: s.getRegister, page: true, traits: traits{secret: true}},
		{access: public, pattern: "POST /world/invite/{code}", handle: s.postRegister, page: true},
		{access: public, pattern: "GET /world/device/{code}", handle: s.getDeviceSetup, page: true, traits: traits{secret: true}},
		{access: public, pattern: "POST /world/device/{code}", handle: s.postDeviceSetup, page: true},
		{access: public, pattern: "GET /world/reset/{code}", handle: s.getReset, page: true, traits: traits{secret: true}},
		{access: public, pattern: "POST /world/reset/{code}", handle: s.postReset, page: true},
		{access: member, pattern: "GET /account", handle: s.getAccount, page: true},
		{access: public, pattern: "GET /account/", handle: s.redirectToAccount, page: true},
		{access: member, service: "time", pattern: "GET /account/calendars", handle: s.getCalendarsPage, page: true},
		{access: member, service: "time", pattern: "POST /account/calendars/{id}/import", handle: s.postImport, page: true, traits: traits{receivesBody: true}},
		{access: member, service: "time", pattern: "POST /account/calendars/{id}/feed", handle: s.postFeed, page: true},
		{access: member, service: "time", pattern: "POST /account/calendars/{id}/feed/delete", handle: s.postFeedDelete, page: true},
		{access: member, service: "time", pattern: "POST /account/trash/delete", handle: s.postTrashDelete, page: true, traits: traits{reserve: true}},
		{access: member, service: "time", pattern: "POST /account/trash/{id}/restore", handle: s.postRestore, page: true},
		{access: member, pattern: "POST /account/profile", handle: s.postProfile, page: true},
		{access: member, pattern: "POST /account/login", handle: s.postLoginDetails, page: true},
		{access: member, pattern: "POST /account/password", handle: s.postPassword, page: true},
		{access: member, pattern: "POST /account/devices", handle: s.postDevice, page: true},
		{access: member, pattern: "POST /account/device-links", handle: s.postDeviceLink, page: true},
		{access: member, pattern: "POST /account/devices/{id}/delete", handle: s.postDeviceDelete, page: true},
		{access: member, pattern: "POST /account/sessions/delete", handle: s.postSessionsDelete, page: true},
		{access: member, pattern: "POST /account/sessions/{id}/delete", handle: s.postSessionDelete, page: true},
		{access: member, pattern: "GET /account/second-factor", handle: s.getFactorPage, page: true, traits: traits{secret: true, enrollment: true}},
		{access: member, pattern: "POST /account/second-factor/totp", handle: s.postTOTP, page: true, traits: traits{enrollment: true}},
		{access: member, pattern: "POST /account/second-factor/totp/confirm", handle: s.postTOTPConfirm, page: true, traits: traits{enrollment: true}},
		{access: member, pattern: "POST /account/second-factor/totp/delete", handle: s.postTOTPDelete, page: true, traits: traits{enrollment: true}},
		{access: member, pattern: "POST /account/second-factor/passkeys/begin", handle: s.postPasskeyBegin, page: true, traits: traits{enrollment: true}},
		{access: member, pattern: "POST /account/second-factor/passkeys", handle: s.postPasskey, page: true, traits: traits{enrollment: true}},
		{access: member, pattern: "POST /account/second-factor/passkeys/{id}/delete", handle: s.postPasskeyDelete, page: true, traits: traits{enrollment: true}},
		{access: member, pattern: "POST /account/second-factor/recovery-codes", handle: s.postRecoveryCodes, page: true, traits: traits{enrollment: true}},
		{access: operator, pattern: "POST /account/invitations", handle: s.postInvitation, page: true},
		{access: operator, pattern: "POST /account/invitations/{id}/delete", handle: s.postInvitationDelete, page: true},

		// CalDAV; /dav/ is another name of /caldav/
		{access: foreign, pattern: "/.well-known/caldav", handle: s.redirectWellKnown},
		{access: foreign, pattern: "/.well-known/caldav/{$}", handle: s.redirectWellKnown},
		{access: foreign, service: "time", pattern: "/caldav", handle: s.davHandler("/caldav"), traits: traits{receivesBody: true}},
		{access: foreign, service: "time", pattern: "/caldav/", handle: s.davHandler("/caldav"), traits: traits{receivesBody: true}},
		{access: foreign, service: "time", pattern: "/dav", handle: s.davHandler("/dav"), traits: traits{receivesBody: true}},
		{access: foreign, service: "time", pattern: "/dav/", handle: s.davHandler("/dav"), traits: traits{receivesBody: true}},
	}
}
