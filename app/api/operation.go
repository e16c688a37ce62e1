package api

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/world/action"
)

// operation declares one operation of the JSON interface: its route, the POST routes that stand
// for it, its route for clients with the service key, and its part of the OpenAPI document. In
// is the type of the request, which [httpd.Decode] decodes: struct{} if the request has no
// fields. Out is the type of the response.
//
// Exactly one of Do, Handle and Serve performs the operation.
type operation[In, Out any] struct {
	Action  action.Endpoint // request of an action, with its aliases
	Request string          // method and path of an operation that is no action
	Aliases []action.Alias  // further POST routes

	Access  httpd.Access // member if it is not set
	Service string       // hosted service that the operation belongs to; "" if it is always on
	Summary string       // for the OpenAPI document
	Status  int          // of a success; 0 for 200
	Errors  []int        // statuses of errors that do not follow from the request

	// ServicePath is the path of the same operation for clients with the service key, on
	// behalf of a member; "" if there is none. DoForService or ServeForService performs it
	// there if it differs; DoForService runs in a read transaction.
	ServicePath     string
	DoForService    func(tx *store.Tx, v svc.Viewer, in In) (Out, error)
	ServeForService httpd.Handler

	// Begin is called before a write that Do divides into several transactions by
	// [world.Interim], and end after it; nil for a write of one transaction.
	Begin func() (end func())

	// Do runs in a transaction: a read for GET, otherwise a write with an idempotency
	// key. It may run again, and must have no other effects. Pages in the response to a
	// read get the URL of the next page.
	Do     func(tx *store.Tx, v svc.Viewer, in In) (Out, error)
	Replay replayFunc // for repetitions of a write; nil for the stored response

	Handle func(w http.ResponseWriter, r *http.Request, v svc.Viewer, in In) (Out, error) // without a transaction
	Serve  httpd.Handler                                                                  // writes the response itself

	Params []parameter // that Handle or Serve reads, besides those of In
	Bodies []string    // media types of a body that is not JSON
	Media  []string    // media types of a response that is not JSON
	Once   bool        // Handle or Serve repeats the response to an idempotency key
	ETag   bool        // the response has an ETag, and 304 is possible

	httpd.Traits
}

// declaration is an operation of any request and response.
type declaration interface {
	routes(*Server) []route
}

// route is a route of an operation with its description.
type route struct {
	httpd.Route
	description
}

// routes implements declaration. The route of the operation itself is the first one.
func (o operation[In, Out]) routes(s *Server) []route {
	request, aliases := o.Request, o.Aliases
	if o.Action.Request != "" {
		request, aliases = o.Action.Request, append(o.Action.Aliases, o.Aliases...)
	}
	method, path, _ := strings.Cut(request, " ")
	rt := route{httpd.Route{Access: o.Access, Pattern: request, Service: o.Service, Traits: o.Traits, Handle: o.handler(s, nil)}, o.describe()}
	rt.Reserve = rt.Reserve || method == http.MethodDelete
	list := []route{rt}
	if o.ServicePath != "" {
		onBehalfOf := route{Route: httpd.Route{Access: httpd.OnBehalf, Pattern: method + " " + o.ServicePath, Service: o.Service, Handle: rt.Handle, Traits: httpd.Traits{Reserve: rt.Reserve}}}
		switch {
		case o.ServeForService != nil:
			onBehalfOf.Handle = o.ServeForService
		case o.DoForService != nil:
			onBehalfOf.Handle = read(s, o.DoForService)
		}
		list = append(list, onBehalfOf)
	}
	for _, a := range aliases {
		if o.Serve != nil && a.Fixed != nil {
			panic("package api: Serve of " + request + " ignores the fields that the alias " + a.Name + " sets")
		}
		alias := rt
		alias.Pattern, alias.Handle = "POST "+path+"/"+a.Name, o.handler(s, fixedFields(a))
		alias.sameAs = request
		list = append(list, alias)
	}
	return list
}

// fixedFields returns the fields that an alias sets as a JSON object, nil for none.
func fixedFields(a action.Alias) []byte {
	if a.Fixed == nil {
		return nil
	}
	text, err := json.Marshal(a.Fixed)
	if err != nil {
		panic(err) // the values are texts and booleans of declarations
	}
	return text
}

// describe returns the part of the OpenAPI document about the operation.
func (o operation[In, Out]) describe() description {
	d := description{
		summary: o.Summary, input: reflect.TypeFor[In](), params: o.Params, bodies: o.Bodies, media: o.Media, status: o.status(), etag: o.ETag, errors: o.Errors,
		write: o.isWrite(), once: o.Once || o.isWrite(),
	}
	if len(o.Media) == 0 && o.Status != noSuccess {
		d.output = reflect.TypeFor[Out]()
	}
	return d
}

func (o operation[In, Out]) status() int {
	if o.Status == 0 {
		return http.StatusOK
	}
	return o.Status
}

// handler returns the handler of a route of the operation, which sets the fields of the
// request that are in fixed, a JSON object or nil.
func (o operation[In, Out]) handler(s *Server, fixed []byte) httpd.Handler {
	switch {
	case o.Serve != nil:
		return o.Serve
	case o.Handle != nil:
		return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
			var in In
			if _, err := httpd.DecodeBody(r, &in, fixed); err != nil {
				return err
			}
			out, err := o.Handle(w, r, v, in)
			if err != nil {
				return err
			}
			return httpd.WriteJSON(w, o.status(), withLinks(r.URL, out))
		}
	}
	if !o.isWrite() {
		return read(s, o.Do)
	}
	return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error { return o.write(s, w, r, v, fixed) }
}

// isWrite reports whether Do runs in a write transaction.
func (o operation[In, Out]) isWrite() bool {
	return o.Do != nil && !strings.HasPrefix(cmp.Or(o.Action.Request, o.Request), "GET ")
}

// read returns the handler that responds with the result of do, which runs in a read
// transaction.
func read[In, Out any](s *Server, do func(*store.Tx, svc.Viewer, In) (Out, error)) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		var in In
		if err := httpd.Decode(r, &in); err != nil {
			return err
		}
		return s.read(w, r, func(tx *store.Tx) (any, error) {
			out, err := do(tx, v, in)
			return withLinks(r.URL, out), err
		})
	}
}

// write handles a write with an idempotency key.
func (o operation[In, Out]) write(s *Server, w http.ResponseWriter, r *http.Request, v svc.Viewer, fixed []byte) error {
	if o.Begin != nil {
		defer o.Begin()()
	}
	var in In
	body, err := httpd.DecodeBody(r, &in, fixed)
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

// Responses of several operations. They are aliases of types without a name, because a
// name would be part of the OpenAPI document.
type (
	deletion = struct {
		Deleted bool `json:"deleted"`
	}
	deletionWithRefresh = struct {
		Deleted bool        `json:"deleted"`
		Refresh refreshHint `json:"refresh"`
	}
)
