package dav

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"appliance/svc"
)

// Compliance is the value of the DAV header, the same for all resources
// (RFC 4918 §10.1, RFC 3744 §7.2, RFC 4791 §5.1, RFC 5689 §3.1, RFC 7809 §4).
// Every response contains it, because some clients read it from responses to
// methods other than OPTIONS.
const Compliance = "1, 3, access-control, calendar-access, calendar-no-timezone, extended-mkcol"

// Handler serves CalDAV requests.
type Handler struct {
	backend Backend
	mount   string // prefix of request paths, such as "/caldav"
	prefix  string // prefix of hrefs
	escaped string // prefix of hrefs, percent-encoded
	dir     string // directory of spooled responses
	methods []method
}

// New returns a Handler for the requests below mount, such as "/caldav". base
// is the path of the base URL, "" at the root of a host: request paths do not
// contain it, hrefs do. Large responses are spooled to files in dir.
func New(b Backend, base, mount, dir string) *Handler {
	escaped := (&url.URL{Path: base + mount}).EscapedPath()
	return &Handler{backend: b, mount: mount, prefix: base + mount, escaped: escaped, dir: dir, methods: []method{
		{"OPTIONS", kindAny, "read", (*request).options},                                                 // RFC 9110 §9.3.7
		{"GET", kindLeaf | kindCalendar, "read", (*request).get},                                         // RFC 9110 §9.3.1
		{"HEAD", kindLeaf | kindCalendar, "read", (*request).get},                                        // RFC 9110 §9.3.2
		{"PUT", kindLeaf | kindCalendar, "write-content", (*request).put},                                // RFC 4791 §5.3.2
		{"POST", kindCalendar, "bind", (*request).post},                                                  // RFC 5995
		{"DELETE", kindLeaf | kindCalendar | kindFolder, "unbind", (*request).delete},                    // RFC 4918 §9.6
		{"COPY", kindLeaf | kindCalendar | kindFolder, "read", (*request).copy},                          // RFC 4918 §9.8
		{"MOVE", kindLeaf | kindCalendar | kindFolder, "unbind", (*request).copy},                        // RFC 4918 §9.9
		{"PROPFIND", kindAny, "read", (*request).propfind},                                               // RFC 4918 §9.1
		{"PROPPATCH", kindAny, "write-properties", (*request).proppatch},                                 // RFC 4918 §9.2
		{"ACL", kindAny, "write-acl", (*request).acl},                                                    // RFC 3744 §8.1
		{"REPORT", kindAny, "read", (*request).report},                                                   // RFC 3253 §3.6
		{"MKCALENDAR", kindCalendar | kindHome | kindFolder | kindFile, "bind", (*request).makeCalendar}, // RFC 4791 §5.3.1
		{"MKCOL", kindCalendar | kindHome | kindFolder | kindFile, "bind", (*request).makeCollection},    // RFC 4918 §9.3, RFC 5689 §3
	}}
}

// method is a row of the table of methods. Clients derive the permitted
// operations in a collection from its Allow header, so PUT is listed for
// calendars and MKCALENDAR for homes. On these resources both are rejected with a
// message that contains the right URL.
type method struct {
	name      string
	kinds     kind
	privilege string // required privilege (RFC 3744 §3)
	serve     func(*request) error
}

// request is the state of one request.
type request struct {
	*http.Request
	h      *Handler
	w      http.ResponseWriter
	viewer svc.Viewer
	at     path
	method method
	out    *writer // the response document; nil before newDocument
	sent   bool    // whether the response document is being sent
}

// Serve responds to a request of v. It sends client errors as XML. The caller
// logs a returned error and responds to it if nothing was written.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if _, err := v.Require(); err != nil {
		return err
	}
	w.Header().Set("DAV", Compliance)
	q := &request{Request: r, h: h, w: w, viewer: v}
	defer q.discardDocument()
	err := q.serve()
	if e, ok := q.asError(err); ok && !q.sent {
		err = q.writeError(e)
	}
	return err
}

func (q *request) serve() error {
	for _, m := range q.h.methods {
		if m.name == q.Method {
			q.method = m
		}
	}
	if q.method.serve == nil {
		return &Error{Status: http.StatusNotImplemented, Message: "The method " + q.Method[:min(len(q.Method), 16)] + " is not supported."}
	}
	if coding := q.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		q.w.Header().Set("Accept-Encoding", "identity") // RFC 9110 §12.5.3
		return svc.Errorf(svc.UnsupportedMedia, "Request bodies with a Content-Encoding are not supported.")
	}
	if err := q.resolvePath(); err != nil {
		return err
	}
	if q.method.kinds&q.at.kind == 0 {
		q.w.Header().Set("Allow", q.allowHeader())
		return svc.Errorf(svc.MethodNotAllowed, "The method %s is not allowed on this resource.", q.Method)
	}
	if q.method.privilege == "read" { // methods that write check the If header in their transaction; COPY also checks it here
		if err := q.checkIfHeader(); err != nil {
			return err
		}
	}
	return q.method.serve(q)
}

// resolvePath sets q.at to the path of the request URL.
func (q *request) resolvePath() error {
	var ok bool
	q.at, ok = parsePath(q.h.mount, q.URL.EscapedPath())
	if ok && q.at.kind == kindRoot {
		q.at.member = q.viewer.Member() // each member sees their own principal below the root
	}
	if ok && q.at.member != q.viewer.Member() {
		return errNotFound
	}
	if !ok {
		return q.notFound()
	}
	err := q.h.backend.Lookup(q.Context(), q.viewer, func(snap Snapshot) (err error) {
		q.at, err = resolveKind(snap, q.at)
		return err
	})
	if err == errNotFound {
		return q.notFound()
	}
	return err
}

var errNotFound error = svc.Errorf(svc.NotFound, "The resource does not exist.")

// notFound returns the error for a path at which no resource can exist.
func (q *request) notFound() error {
	switch q.Method {
	case "MKCALENDAR":
		return errLocation
	case "MKCOL":
		if q.at.segment != "" && !q.segmentIsCalendar() { // RFC 4918 §9.3.1
			return ErrNoParent
		}
		return errLocation
	case "PUT": // RFC 4918 §9.7.1
		return &Error{Status: http.StatusConflict, Message: "The calendar does not exist."}
	}
	return errNotFound
}

// segmentIsCalendar reports whether the first segment of the path is a calendar.
func (q *request) segmentIsCalendar() bool {
	return q.view(func(snap Snapshot) error {
		_, err := snap.Calendar(q.at.segment)
		return err
	}) == nil
}

// allowHeader returns the value of the Allow header.
func (q *request) allowHeader() string {
	var names []string
	for _, m := range q.h.methods {
		if m.kinds&q.at.kind != 0 {
			names = append(names, m.name)
		}
	}
	return strings.Join(names, ", ")
}

func (q *request) options() error {
	q.w.Header().Set("Allow", q.allowHeader())
	q.w.Header().Set("Content-Length", "0")
	q.w.WriteHeader(http.StatusOK)
	return nil
}

// view calls fn with a snapshot of the viewer's calendars.
func (q *request) view(fn func(Snapshot) error) error {
	return q.h.backend.View(q.Context(), q.viewer, fn)
}

// body parses the request body as XML. It returns io.EOF if there is no body.
func (q *request) body() (*element, error) {
	if q.ContentLength > maxXML {
		return nil, svc.Errorf(svc.BodyTooLarge, "The request body is larger than %d octets.", maxXML)
	}
	return readXML(http.MaxBytesReader(q.w, q.Body, maxXML))
}

// infinity represents Depth: infinity.
const infinity = -1

// depth returns the Depth header (RFC 4918 §10.2), or defaultDepth if it is
// absent.
func (q *request) depth(defaultDepth int) (int, error) {
	switch d := q.Header.Get("Depth"); strings.ToLower(d) {
	case "":
		return defaultDepth, nil
	case "0", "1":
		return strconv.Atoi(d)
	case "infinity":
		return infinity, nil
	default:
		return 0, svc.Errorf(svc.InvalidParameter, `Depth must be "0", "1" or "infinity", not %q.`, d)
	}
}

// prefersMinimal reports whether the response may omit missing and
// unproblematic properties: Prefer: return=minimal (RFC 8144 §2), or its
// predecessor Brief: t.
func (q *request) prefersMinimal() bool {
	if q.prefers("return=minimal") {
		q.preferenceApplied("return=minimal")
		return true
	}
	return strings.EqualFold(q.Header.Get("Brief"), "t")
}

// skippedRoots returns the number of resources to omit at the start of the
// response: 1 with Prefer: depth-noroot (RFC 8144 §4), which omits the resource
// of the request, otherwise 0.
func (q *request) skippedRoots(depth int) int {
	if depth == 0 || !q.prefers("depth-noroot") {
		return 0
	}
	q.preferenceApplied("depth-noroot")
	return 1
}

// preferenceApplied adds the preference to Preference-Applied (RFC 7240 §3).
func (q *request) preferenceApplied(preference string) {
	if h := q.w.Header(); !slices.Contains(h.Values("Preference-Applied"), preference) {
		h.Add("Preference-Applied", preference)
	}
}

// prefers reports whether the request has the preference, with any parameters
// (RFC 7240 §2).
func (q *request) prefers(preference string) bool {
	for _, value := range q.Header.Values("Prefer") {
		for item := range strings.SplitSeq(value, ",") {
			item, _, _ = strings.Cut(item, ";")
			if strings.EqualFold(strings.ReplaceAll(strings.TrimSpace(item), `"`, ""), preference) {
				return true
			}
		}
	}
	return false
}
