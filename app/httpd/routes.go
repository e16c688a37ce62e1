package httpd

import (
	"net/http"
	"slices"
)

// Access is the authentication that a route requires.
type Access int

const (
	Member     Access = iota // members
	Public                   // none; requests from other web sites are rejected
	Foreign                  // none, also for requests from other web sites: the route ignores cookies
	Operator                 // operators
	ServiceKey               // clients with the service key; for others the route does not exist
	OnBehalf                 // like ServiceKey, on behalf of the member that a header names
)

// Route is one route of the HTTP interface.
type Route struct {
	Access  Access
	Pattern string
	Handle  Handler
	Page    bool         // errors are HTML pages
	Service string       // hosted service that the route belongs to; "" if it is always on
	doc     *description // of an operation; nil for other routes
	Traits
}

// Traits are the properties that few routes have.
type Traits struct {
	Secret       bool   // the response may contain a secret: it is never compressed
	Compress     bool   // the response to a POST is compressed: it is large and contains no secret
	ReceivesBody bool   // the handler itself limits the time and receives the body
	Rate         string // rate limit of the requests of a member; "" for that of all reads or writes

	// Reserve means that the request succeeds on a full disk: it begins or ends a session.
	// That holds for each operation with the method DELETE, too.
	Reserve bool

	// Enrollment means that the route is open to members who must add a second factor
	// before anything else.
	Enrollment bool
}

// NeedsServiceKey reports whether the route requires the service key.
func (rt Route) NeedsServiceKey() bool { return rt.Access == ServiceKey || rt.Access == OnBehalf }

// Routes lists the routes.
func (s *Server) Routes() []Route { return s.routes() }

// HasRoute reports whether a route matches the request.
func (s *Server) HasRoute(r *http.Request) bool {
	_, pattern := s.mux.Handler(r)
	return pattern != ""
}

// routes returns all routes.
func (s *Server) routes() []Route {
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
func (s *Server) otherRoutes() []Route {
	return []Route{
		// Pages
		{Access: Public, Pattern: "GET /{$}", Handle: s.redirectHome, Page: true},
		{Access: Public, Pattern: "GET /app", Handle: s.redirectToWebApp, Page: true},
		{Access: Public, Pattern: "GET /app/", Handle: s.getWebApp, Page: true},
		{Access: Public, Pattern: "GET /app/worker.js", Handle: s.getWebWorker},
		{Access: Public, Pattern: "GET /app/manifest.webmanifest", Handle: s.getManifest},
		{Access: Public, Pattern: "GET /app/icons/{name}", Handle: s.getAppIcon},
		{Access: Public, Pattern: "GET /assets/app/{version}/{name...}", Handle: s.getWebFile},
		{Access: Public, Pattern: "GET /favicon.ico", Handle: s.getIcon},
		{Access: Public, Pattern: "GET /login", Handle: s.redirectHome, Page: true},
		{Access: Public, Pattern: "GET /help/{$}", Handle: s.getManual, Page: true},
		{Access: Public, Pattern: "GET /help/{topic}", Handle: s.getManual, Page: true},
		{Access: Public, Pattern: "GET /setup", Handle: s.getSetup, Page: true, Traits: Traits{Secret: true}},
		{Access: Public, Pattern: "POST /setup", Handle: s.postSetup, Page: true},
		{Access: Public, Pattern: "GET /world/login", Handle: s.getLogin, Page: true, Traits: Traits{Secret: true}},
		{Access: Public, Pattern: "POST /world/login", Handle: s.postLogin, Page: true, Traits: Traits{Reserve: true}},
		{Access: Public, Pattern: "POST /world/login/second-factor", Handle: s.postChallenge, Page: true, Traits: Traits{Reserve: true}},
		{Access: Public, Pattern: "GET /world/login/done", Handle: s.getLoginDone, Page: true, Traits: Traits{Secret: true}},
		{Access: Public, Pattern: "POST /world/logout", Handle: s.postLogout, Page: true, Traits: Traits{Reserve: true}},
		{Access: Public, Pattern: "GET /world/register", Handle: s.getRegister, Page: true, Traits: Traits{Secret: true}},
		{Access: Public, Pattern: "POST /world/register", Handle: s.postRegister, Page: true},
		{Access: Public, Pattern: "GET /world/invite/{code}", Handle: s.getRegister, Page: true, Traits: Traits{Secret: true}},
		{Access: Public, Pattern: "POST /world/invite/{code}", Handle: s.postRegister, Page: true},
		{Access: Public, Pattern: "GET /world/device/{code}", Handle: s.getDeviceSetup, Page: true, Traits: Traits{Secret: true}},
		{Access: Public, Pattern: "POST /world/device/{code}", Handle: s.postDeviceSetup, Page: true},
		{Access: Public, Pattern: "GET /world/reset/{code}", Handle: s.getReset, Page: true, Traits: Traits{Secret: true}},
		{Access: Public, Pattern: "POST /world/reset/{code}", Handle: s.postReset, Page: true},
		{Access: Member, Pattern: "GET " + accountPath, Handle: s.getAccount, Page: true, Traits: Traits{Secret: true, Enrollment: true}},
		{Access: Member, Pattern: "POST " + accountPath, Handle: s.postAccount, Page: true, Traits: Traits{Enrollment: true}},

		// CalDAV; /dav/ is another name of /caldav/
		{Access: Foreign, Pattern: "/.well-known/caldav", Handle: s.redirectWellKnown},
		{Access: Foreign, Pattern: "/.well-known/caldav/{$}", Handle: s.redirectWellKnown},
		{Access: Foreign, Service: "time", Pattern: "/caldav", Handle: s.davHandler("/caldav"), Traits: Traits{ReceivesBody: true}},
		{Access: Foreign, Service: "time", Pattern: "/caldav/", Handle: s.davHandler("/caldav"), Traits: Traits{ReceivesBody: true}},
		{Access: Foreign, Service: "time", Pattern: "/dav", Handle: s.davHandler("/dav"), Traits: Traits{ReceivesBody: true}},
		{Access: Foreign, Service: "time", Pattern: "/dav/", Handle: s.davHandler("/dav"), Traits: Traits{ReceivesBody: true}},
	}
}
