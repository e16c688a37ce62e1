package dav

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"appliance/svc"
)

// compliance is the DAV header: what the tree as a whole complies with
// (RFC 4918 §10.1, RFC 3744 §7.2, RFC 4791 §5.1, RFC 5689 §3.1, RFC 7809 §4).
const compliance = "1, 3, access-control, calendar-access, calendar-no-timezone, extended-mkcol"

// Handler answers CalDAV requests.
type Handler struct {
	backend Backend
	mount   string // what the paths of requests begin with
	prefix  string // what the paths of hrefs begin with
	escaped string // the prefix as hrefs have it
	dir     string // where large answers wait
	methods []method
}

// New returns the handler of what is below mount, such as "/caldav". base is
// the path of the base URL, "" at the root of a host: requests arrive without
// it, clients see it in every href. What of an answer does not fit into memory
// waits in dir until it is sent.
func New(b Backend, base, mount, dir string) *Handler {
	escaped := (&url.URL{Path: base + mount}).EscapedPath()
	return &Handler{backend: b, mount: mount, prefix: base + mount, escaped: escaped, dir: dir, methods: []method{
		{"OPTIONS", kindAny, "read", (*request).options},                                                 // RFC 9110 §9.3.7
		{"GET", kindLeaf | kindCalendar, "read", (*request).get},                                         // RFC 9110 §9.3.1
		{"HEAD", kindLeaf | kindCalendar, "read", (*request).get},                                        // RFC 9110 §9.3.2
		{"PUT", kindLeaf | kindCalendar, "write-content", (*request).put},                                // RFC 4791 §5.3.2
		{"POST", kindCalendar, "bind", (*request).post},                                                  // RFC 5995
		{"DELETE", kindLeaf | kindCalendar | kindFolder, "unbind", (*request).delete},                    // RFC 4918 §9.6
		{"COPY", kindLeaf | kindFolder, "read", (*request).copy},                                         // RFC 4918 §9.8
		{"MOVE", kindLeaf | kindFolder, "unbind", (*request).copy},                                       // RFC 4918 §9.9
		{"PROPFIND", kindAny, "read", (*request).propfind},                                               // RFC 4918 §9.1
		{"PROPPATCH", kindAny, "write-properties", (*request).proppatch},                                 // RFC 4918 §9.2
		{"ACL", kindAny, "write-acl", (*request).acl},                                                    // RFC 3744 §8.1
		{"REPORT", kindAny, "read", (*request).report},                                                   // RFC 3253 §3.6
		{"MKCALENDAR", kindCalendar | kindHome | kindFolder | kindFile, "bind", (*request).makeCalendar}, // RFC 4791 §5.3.1
		{"MKCOL", kindCalendar | kindHome | kindFolder | kindFile, "bind", (*request).makeCollection},    // RFC 4918 §9.3, RFC 5689 §3
	}}
}

// method is a row of the table of methods. Clients look at Allow of a
// collection to learn what they may do in it, so PUT is listed on calendars
// and MKCALENDAR on homes, where both are refused with a word on where to go.
type method struct {
	name      string
	kinds     kind
	privilege string // that it needs (RFC 3744 §3)
	serve     func(*request) error
}

// request is one request on its way.
type request struct {
	*http.Request
	h      *Handler
	w      http.ResponseWriter
	viewer svc.Viewer
	at     path
	method method
	out    *writer // the document that is to be the response, once it is begun
	sent   bool    // whether it is on its way
}

// Serve answers a request of v. What a client has to be told is told as XML.
// An error that is returned is the caller's to log, and to answer if nothing
// has been written.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if _, err := v.Require(); err != nil {
		return err
	}
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
		return &Error{Status: http.StatusNotImplemented, Message: q.Method[:min(len(q.Method), 16)] + " is not something this server does."}
	}
	var ok bool
	q.at, ok = parsePath(q.h.mount, q.URL.EscapedPath())
	if ok && q.at.kind == kindRoot {
		q.at.member = q.viewer.Member() // everybody sees their own below it
	}
	if ok && q.at.member != q.viewer.Member() {
		return errNotFound
	}
	if !ok {
		return q.notFound()
	}
	err := q.h.backend.Lookup(q.Context(), q.viewer, func(t Snapshot) (err error) {
		q.at, err = resolveKind(t, q.at)
		return err
	})
	if err == errNotFound {
		return q.notFound()
	}
	if err != nil {
		return err
	}
	if q.method.kinds&q.at.kind == 0 {
		q.w.Header().Set("Allow", q.allow())
		return svc.Errorf(svc.MethodNotAllowed, "%s does not work on this resource.", q.Method)
	}
	if q.method.privilege == "read" { // the others ask in their transaction, and COPY once more
		if err := q.checkIfHeader(); err != nil {
			return err
		}
	}
	return q.method.serve(q)
}

var errNotFound error = svc.Errorf(svc.NotFound, "There is nothing at this address.")

// notFound answers for a path that leads to nothing that could ever be.
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
		return &Error{Status: http.StatusConflict, Message: "There is no calendar to put it into."}
	}
	return errNotFound
}

// segmentIsCalendar reports whether the place of the request is below a calendar.
func (q *request) segmentIsCalendar() bool {
	return q.view(func(t Snapshot) error {
		_, err := t.Calendar(q.at.segment)
		return err
	}) == nil
}

// allow is the value of Allow for the resource.
func (q *request) allow() string {
	var names []string
	for _, m := range q.h.methods {
		if m.kinds&q.at.kind != 0 {
			names = append(names, m.name)
		}
	}
	return strings.Join(names, ", ")
}

func (q *request) options() error {
	q.w.Header().Set("DAV", compliance)
	q.w.Header().Set("Allow", q.allow())
	q.w.Header().Set("Content-Length", "0")
	q.w.WriteHeader(http.StatusOK)
	return nil
}

// view shows fn the tree as the viewer sees it.
func (q *request) view(fn func(Snapshot) error) error {
	return q.h.backend.View(q.Context(), q.viewer, fn)
}

// body reads the body as XML and returns its root, io.EOF if there is none.
func (q *request) body() (*element, error) {
	if q.ContentLength > maxXML {
		return nil, svc.Errorf(svc.BodyTooLarge, "The request is larger than %d octets.", maxXML)
	}
	return readXML(http.MaxBytesReader(q.w, q.Body, maxXML))
}

// infinity is the depth of that name.
const infinity = -1

// depth reads the Depth header (RFC 4918 §10.2).
func (q *request) depth(missing int) (int, error) {
	switch d := q.Header.Get("Depth"); strings.ToLower(d) {
	case "":
		return missing, nil
	case "0", "1":
		return strconv.Atoi(d)
	case "infinity":
		return infinity, nil
	default:
		return 0, svc.Errorf(svc.InvalidParameter, `Depth is "0", "1" or "infinity", not %q.`, d)
	}
}

// minimal reports whether the client wants no word about what is not there or
// went as it should: Prefer: return=minimal (RFC 8144 §2), or its forerunner,
// Brief: t.
func (q *request) minimal() bool {
	if q.prefers("return=minimal") {
		q.preferenceApplied("return=minimal")
		return true
	}
	return strings.EqualFold(q.Header.Get("Brief"), "t")
}

// skippedRoots returns how many of the resources that were found the client does
// not want to hear of: none, or the first, which it asked, if it wants the
// members alone (RFC 8144 §4).
func (q *request) skippedRoots(depth int) int {
	if depth == 0 || !q.prefers("depth-noroot") {
		return 0
	}
	q.preferenceApplied("depth-noroot")
	return 1
}

// preferenceApplied tells the client that a preference of theirs is followed.
func (q *request) preferenceApplied(preference string) {
	if h := q.w.Header(); !slices.Contains(h.Values("Preference-Applied"), preference) {
		h.Add("Preference-Applied", preference)
	}
}

// prefers reports whether the client has that preference, whatever its
// parameters (RFC 7240 §2).
func (q *request) prefers(what string) bool {
	for _, value := range q.Header.Values("Prefer") {
		for preference := range strings.SplitSeq(value, ",") {
			preference, _, _ = strings.Cut(preference, ";")
			if strings.EqualFold(strings.ReplaceAll(strings.TrimSpace(preference), `"`, ""), what) {
				return true
			}
		}
	}
	return false
}
