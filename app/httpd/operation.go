package httpd

import (
	"cmp"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/world/action"
)

// operation declares one operation of the JSON interface: its route, the POST routes that
// stand for it, its route for clients with the service key, and its part of the OpenAPI
// document. In is the request, which [decode] fills; its zero value has no fields for a
// request without any. Out is the response.
//
// Exactly one of Do, Handle and Serve performs the operation.
type operation[In, Out any] struct {
	Action  action.Endpoint // request of an action, with its aliases
	Request string          // method and path of an operation that is no action
	Aliases []action.Alias  // further POST routes

	Access  access // member if it is not set
	Service string // hosted service that the operation belongs to; "" if it is always on
	Summary string // for the OpenAPI document
	Status  int    // of a success; 0 for 200
	Errors  []int  // statuses of errors that do not follow from the request

	// ServicePath is the path of the same operation for clients with the service key, on
	// behalf of a member; "" if there is none. DoForService or ServeForService performs it
	// there if it differs; DoForService runs in a read transaction.
	ServicePath     string
	DoForService    func(tx *store.Tx, v svc.Viewer, in In) (Out, error)
	ServeForService handler

	// Begin is called before a write that Do divides into several transactions by
	// [world.Interim], and end after it; nil for a write of one transaction.
	Begin func() (end func())

	// Do runs in a transaction: a read for GET, otherwise a write with an idempotency
	// key. It may run again, and must have no other effects. Pages in the response to a
	// read get the URL of the next page.
	Do     func(tx *store.Tx, v svc.Viewer, in In) (Out, error)
	Replay replayFunc // for repetitions of a write; nil for the stored response

	Handle func(w http.ResponseWriter, r *http.Request, v svc.Viewer, in In) (Out, error) // without a transaction
	Serve  handler                                                                        // writes the response itself

	Params []parameter // that Handle or Serve reads, besides those of In
	Bodies []string    // media types of a body that is not JSON
	Media  []string    // media types of a response that is not JSON
	Once   bool        // Handle or Serve repeats the response to an idempotency key
	ETag   bool        // the response has an ETag, and 304 is possible

	traits
}

// traits are the properties of a route that its operation needs rarely.
type traits struct {
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
}

// declaration is an operation of any request and response.
type declaration interface {
	route(*Server) route
}

// route implements declaration.
func (o operation[In, Out]) route(s *Server) route {
	rt := route{
		access: o.Access, pattern: o.Request, service: o.Service, forService: o.ServicePath, serviceHandle: o.ServeForService,
		doc: &description{
			summary: o.Summary, input: reflect.TypeFor[In](), params: o.Params, bodies: o.Bodies, once: o.Once, media: o.Media, status: o.Status, etag: o.ETag, errors: o.Errors,
		},
		aliasList: o.Aliases,
		secret:    o.secret, compress: o.compress, receivesBody: o.receivesBody, rate: o.rate, reserve: o.reserve, enrollment: o.enrollment,
	}
	if o.Action.Request != "" {
		rt.pattern = o.Action.Request
		rt.aliasList = append(o.Action.Aliases, o.Aliases...)
	}
	if len(o.Media) == 0 && o.Status != noSuccess {
		rt.doc.result = ofType{reflect.TypeFor[Out]()}
	}
	if o.DoForService != nil {
		rt.serviceHandle = read(s, o.DoForService, nil)
	}
	rt.handleFixed = func(fixed svc.Map) handler { return o.handler(s, fixed) }
	rt.handle = rt.handleFixed(nil)
	if o.Do != nil && !o.reads() {
		rt.write = &writeHandler{handle: rt.handle, input: rt.doc.input, status: o.status()}
	}
	return rt
}

func (o operation[In, Out]) status() int {
	if o.Status == 0 {
		return http.StatusOK
	}
	return o.Status
}

// handler returns the handler of a route of the operation, which sets the fields of the
// request in fixed.
func (o operation[In, Out]) handler(s *Server, fixed svc.Map) handler {
	switch {
	case o.Serve != nil:
		return o.Serve
	case o.Handle != nil:
		return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
			var in In
			if _, err := decodeBody(r, &in, fixed); err != nil {
				return err
			}
			out, err := o.Handle(w, r, v, in)
			if err != nil {
				return err
			}
			return writeJSON(w, o.status(), withLinks(r.URL, out))
		}
	}
	if o.reads() {
		return read(s, o.Do, fixed)
	}
	return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error { return o.write(s, w, r, v, fixed) }
}

// reads reports whether Do runs in a read transaction.
func (o operation[In, Out]) reads() bool {
	return strings.HasPrefix(cmp.Or(o.Action.Request, o.Request), "GET ")
}

// read returns the handler that responds with the result of do, which runs in a read
// transaction.
func read[In, Out any](s *Server, do func(*store.Tx, svc.Viewer, In) (Out, error), fixed svc.Map) handler {
	return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		var in In
		if _, err := decodeBody(r, &in, fixed); err != nil {
			return err
		}
		return s.read(w, r, func(tx *store.Tx) (any, error) {
			out, err := do(tx, v, in)
			return withLinks(r.URL, out), err
		})
	}
}

// write handles a write with an idempotency key.
func (o operation[In, Out]) write(s *Server, w http.ResponseWriter, r *http.Request, v svc.Viewer, fixed svc.Map) error {
	if o.Begin != nil {
		defer o.Begin()()
	}
	var in In
	body, err := decodeBody(r, &in, fixed)
	if err != nil {
		return err
	}
	refresh, err := parseReturn(r)
	if err != nil {
		return err
	}
	if in, ok := any(&in).(preparer); ok {
		if err := s.prepare(r.Context(), v, in); err != nil {
			return err
		}
	}
	do := func(tx *store.Tx) (any, error) {
		out, err := o.Do(tx, v, in)
		return unwrap(out), err
	}
	written, err := s.doOnce(r, v, body, o.status(), do, o.Replay)
	if err != nil {
		return err
	}
	return s.writeResult(w, r, v, refresh, written)
}

// withLinks returns the response out to a request for the URL at, in which pages have the URL
// of the next page. A page is a field of the response.
func withLinks(at *url.URL, out any) any {
	if out = unwrap(out); out == nil {
		return nil
	}
	v := reflect.New(reflect.TypeOf(out)).Elem()
	v.Set(reflect.ValueOf(out))
	linkPages(at, v)
	return v.Interface()
}

func linkPages(at *url.URL, v reflect.Value) {
	if v.Kind() != reflect.Struct {
		return
	}
	for field, value := range v.Fields() {
		if field.Anonymous {
			linkPages(at, value)
		}
		if !field.IsExported() {
			continue
		}
		if page, ok := value.Addr().Interface().(interface{ Link(*url.URL) }); ok {
			page.Link(at)
		}
	}
}

// unwrap returns the value of a response that is one of two types.
func unwrap(out any) any {
	if o, ok := out.(interface{ value() any }); ok {
		return o.value()
	}
	return out
}

// oneOf is a response that is one of two types.
type oneOf[A, B any] struct {
	first  *A
	second *B
}

// firstOf returns the response with a value of the first type.
func firstOf[A, B any](a A) oneOf[A, B] { return oneOf[A, B]{first: &a} }

// secondOf returns the response with a value of the second type.
func secondOf[A, B any](b B) oneOf[A, B] { return oneOf[A, B]{second: &b} }

// value returns the value of either type; nil for the zero response.
func (o oneOf[A, B]) value() any {
	switch {
	case o.first != nil:
		return *o.first
	case o.second != nil:
		return *o.second
	}
	return nil
}

// types returns both types.
func (oneOf[A, B]) types() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[A](), reflect.TypeFor[B]()}
}
