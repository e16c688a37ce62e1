package httpd

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/world/action"
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
	write   *writeHandler // a write with an idempotency key, in place of handle
	page    bool          // errors are HTML pages
	service string        // hosted service that the route belongs to; "" if it is always on

	secret       bool   // the response may contain a secret: it is never compressed
	compress     bool   // the response to a POST is compressed: it is large and contains no secret
	receivesBody bool   // the handler itself limits the time and receives the body
	rate         string // rate limit of the requests of a member; "" for that of all reads or writes

	// reserve means that the request succeeds on a full disk: it begins or ends a session.
	// That holds for every DELETE and its POST routes, too.
	reserve bool

	// enrollment means that the route is open to members who must add a second factor
	// before anything else.
	enrollment bool

	// forService is the path of the same route for clients with the service key, on
	// behalf of a member; "" if there is none. serviceHandle is its handler if it
	// differs: opening an object marks it as read only for the member.
	forService    string
	serviceHandle handler

	// post lists POST routes with the same handler: the last segment of the path,
	// which is added to that of the route, and a JSON object with fields of the
	// body that the route fixes, "" for none.
	post map[string]string

	// The following are set for an operation.
	doc         *description                // for the OpenAPI document
	aliasList   []action.Alias              // POST routes, in place of post
	handleFixed func(fixed svc.Map) handler // returns the handler of an alias
}

// postUpdate and postDelete are the POST routes of most PATCH and DELETE routes.
var (
	postUpdate = map[string]string{"update": ""}
	postDelete = map[string]string{"delete": ""}
)

// aliases returns the POST routes of a route.
func (rt route) aliases() (list []route) {
	_, path, _ := strings.Cut(rt.pattern, " ")
	for _, a := range rt.aliasList {
		list = append(list, route{
			access: rt.access, service: rt.service, enrollment: rt.enrollment, reserve: rt.reserve, pattern: "POST " + path + "/" + a.Name, handle: rt.handleFixed(a.Fixed),
		})
	}
	for _, name := range slices.Sorted(maps.Keys(rt.post)) {
		list = append(list, route{
			access: rt.access, service: rt.service, enrollment: rt.enrollment, reserve: rt.reserve, pattern: "POST " + path + "/" + name, handle: withFixedFields(rt.handle, rt.post[name]),
		})
	}
	return list
}

// serviceRoute returns the route at the path rt.forService, for clients with
// the service key that act on behalf of a member.
func (rt route) serviceRoute() route {
	method, _, _ := strings.Cut(rt.pattern, " ")
	m := route{access: onBehalf, service: rt.service, pattern: method + " " + rt.forService, handle: rt.handle}
	if rt.serviceHandle != nil {
		m.handle = rt.serviceHandle
	}
	return m
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
	list := s.routeTable()
	for i, rt := range list {
		if rt.write != nil {
			rt.handle = rt.write.handle
		}
		rt.reserve = rt.reserve || strings.HasPrefix(rt.pattern, "DELETE ")
		list[i] = rt
		if rt.forService != "" {
			list = append(list, rt.serviceRoute())
		}
		list = append(list, rt.aliases()...)
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

// routeTable returns the routes, without the aliases and the routes for
// clients with the service key.
func (s *Server) routeTable() []route {
	list := s.otherRoutes()
	for _, o := range s.operations() {
		list = append(list, o.route(s))
	}
	return list
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
		{access: public, pattern: "GET /setup", handle: s.getSetup, page: true, secret: true},
		{access: public, pattern: "POST /setup", handle: s.postSetup, page: true},
		{access: public, pattern: "GET /world/login", handle: s.getLogin, page: true, secret: true},
		{access: public, pattern: "POST /world/login", handle: s.postLogin, page: true, reserve: true},
		{access: public, pattern: "POST /world/login/second-factor", handle: s.postChallenge, page: true, reserve: true},
		{access: public, pattern: "GET /world/login/done", handle: s.getLoginDone, page: true, secret: true},
		{access: public, pattern: "POST /world/logout", handle: s.postLogout, page: true, reserve: true},
		{access: public, pattern: "GET /world/register", handle: s.getRegister, page: true, secret: true},
		{access: public, pattern: "POST /world/register", handle: s.postRegister, page: true},
		{access: public, pattern: "GET /world/invite/{code}", handle: s.getRegister, page: true, secret: true},
		{access: public, pattern: "POST /world/invite/{code}", handle: s.postRegister, page: true},
		{access: public, pattern: "GET /world/device/{code}", handle: s.getDeviceSetup, page: true, secret: true},
		{access: public, pattern: "POST /world/device/{code}", handle: s.postDeviceSetup, page: true},
		{access: public, pattern: "GET /world/reset/{code}", handle: s.getReset, page: true, secret: true},
		{access: public, pattern: "POST /world/reset/{code}", handle: s.postReset, page: true},
		{access: member, pattern: "GET /account", handle: s.getAccount, page: true},
		{access: public, pattern: "GET /account/", handle: s.redirectToAccount, page: true},
		{access: member, service: "time", pattern: "GET /account/calendars", handle: s.getCalendarsPage, page: true},
		{access: member, service: "time", pattern: "POST /account/calendars/{id}/import", handle: s.postImport, page: true, receivesBody: true},
		{access: member, service: "time", pattern: "POST /account/calendars/{id}/feed", handle: s.postFeed, page: true},
		{access: member, service: "time", pattern: "POST /account/calendars/{id}/feed/delete", handle: s.postFeedDelete, page: true},
		{access: member, service: "time", pattern: "POST /account/trash/delete", handle: s.postTrashDelete, page: true, reserve: true},
		{access: member, service: "time", pattern: "POST /account/trash/{id}/restore", handle: s.postRestore, page: true},
		{access: member, pattern: "POST /account/profile", handle: s.postProfile, page: true},
		{access: member, pattern: "POST /account/login", handle: s.postLoginDetails, page: true},
		{access: member, pattern: "POST /account/password", handle: s.postPassword, page: true},
		{access: member, pattern: "POST /account/devices", handle: s.postDevice, page: true},
		{access: member, pattern: "POST /account/device-links", handle: s.postDeviceLink, page: true},
		{access: member, pattern: "POST /account/devices/{id}/delete", handle: s.postDeviceDelete, page: true},
		{access: member, pattern: "POST /account/sessions/delete", handle: s.postSessionsDelete, page: true},
		{access: member, pattern: "POST /account/sessions/{id}/delete", handle: s.postSessionDelete, page: true},
		{access: member, enrollment: true, pattern: "GET /account/second-factor", handle: s.getFactorPage, page: true, secret: true},
		{access: member, enrollment: true, pattern: "POST /account/second-factor/totp", handle: s.postTOTP, page: true},
		{access: member, enrollment: true, pattern: "POST /account/second-factor/totp/confirm", handle: s.postTOTPConfirm, page: true},
		{access: member, enrollment: true, pattern: "POST /account/second-factor/totp/delete", handle: s.postTOTPDelete, page: true},
		{access: member, enrollment: true, pattern: "POST /account/second-factor/passkeys/begin", handle: s.postPasskeyBegin, page: true},
		{access: member, enrollment: true, pattern: "POST /account/second-factor/passkeys", handle: s.postPasskey, page: true},
		{access: member, enrollment: true, pattern: "POST /account/second-factor/passkeys/{id}/delete", handle: s.postPasskeyDelete, page: true},
		{access: member, enrollment: true, pattern: "POST /account/second-factor/recovery-codes", handle: s.postRecoveryCodes, page: true},
		{access: operator, pattern: "POST /account/invitations", handle: s.postInvitation, page: true},
		{access: operator, pattern: "POST /account/invitations/{id}/delete", handle: s.postInvitationDelete, page: true},




		// CalDAV; /dav/ is another name of /caldav/
		{access: foreign, pattern: "/.well-known/caldav", handle: s.redirectWellKnown},
		{access: foreign, pattern: "/.well-known/caldav/{$}", handle: s.redirectWellKnown},
		{access: foreign, service: "time", pattern: "/caldav", handle: s.davHandler("/caldav"), receivesBody: true},
		{access: foreign, service: "time", pattern: "/caldav/", handle: s.davHandler("/caldav"), receivesBody: true},
		{access: foreign, service: "time", pattern: "/dav", handle: s.davHandler("/dav"), receivesBody: true},
		{access: foreign, service: "time", pattern: "/dav/", handle: s.davHandler("/dav"), receivesBody: true},
	}
}
