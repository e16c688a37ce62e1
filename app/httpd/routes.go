package httpd

import (
	"net/http"
)

// Paths to which redirects lead.
const (
	WebAppPath = "/app/" // of the web app

	// AccountPath is the path of the account page. It works without JavaScript, except for
	// passkeys. A member who must add a second factor before anything else does it there.
	AccountPath = "/account"
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
	Page    bool   // errors are HTML pages
	Service string // hosted service that the route belongs to; "" if it is always on
	Traits
}

// Traits are the properties that few routes have.
type Traits struct {
	Secret       bool   // the response may contain a secret: it is never compressed
	Compress     bool   // the response to a POST is compressed: it is large and contains no secret
	ReceivesBody bool   // the handler itself limits the time and receives the body
	Rate         string // rate limit of the requests of a member; "" for that of all reads or writes

	// ChecksAddress means that the page shows a form of a sign-in or leads to one: a browser
	// that opened it at another address than base-url is told so.
	ChecksAddress bool

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
func (s *Server) Routes() []Route { return s.routes }

// HasRoute reports whether a route matches the request.
func (s *Server) HasRoute(r *http.Request) bool {
	_, pattern := s.mux.Handler(r)
	return pattern != ""
}
