package httpd

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"appliance/svc"
)

// description describes a route of World for its OpenAPI document, as far as the document
// does not follow from the route: path parameters, the request of a write with an
// idempotency key, and most error statuses do.
type description struct {
	summary string
	input   reflect.Type // of the request, with its parameters, unless the route has a write; nil for none
	params  []parameter  // those that are not fields of input
	bodies  []string     // media types of a body that is not JSON
	once    bool         // the handler itself repeats the response to an idempotency key
	result  result       // of a success; nil for media
	media   []string     // media types of a response that is not JSON
	status  int          // of a success; 0 for 200 or that of the write
	etag    bool         // the response has an ETag, and 304 is possible
	errors  []int        // statuses of errors that do not follow from the route
}

// parameter is a parameter in the query or a header.
type parameter struct {
	name, in string // in is "query" or "header"
	schema   map[string]any
	text     string // description
	required bool
}

// result is the schema of a response: a type, fields or alternatives.
type result interface {
	schema(schemas *schemaSet) any
}

// ofType is a response of a Go type.
type ofType struct{ reflect.Type }

func (t ofType) schema(s *schemaSet) any {
	if a, ok := reflect.Zero(t.Type).Interface().(interface{ types() []reflect.Type }); ok {
		var list anyOf
		for _, t := range a.types() {
			list = append(list, ofType{t})
		}
		return list.schema(s)
	}
	return s.responses.Schema(t.Type)
}

// fields is a response that is a JSON object with these fields.
type fields map[string]reflect.Type

func (f fields) schema(s *schemaSet) any {
	properties := make(map[string]any)
	for name, t := range f {
		properties[name] = s.responses.Schema(t)
	}
	return map[string]any{"type": "object", "properties": properties, "required": slices.Sorted(maps.Keys(f))}
}

// anyOf is a response that has one of several schemas.
type anyOf []result

func (a anyOf) schema(s *schemaSet) any {
	var list []any
	for _, r := range a {
		list = append(list, r.schema(s))
	}
	return map[string]any{"anyOf": list}
}

// resultOf returns the result of a type.
func resultOf[T any]() result { return ofType{reflect.TypeFor[T]()} }

// typeOf is an abbreviation of [reflect.TypeFor].
func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// listOf returns the response with a list under a key.
func listOf[T any](key string) fields { return fields{key: typeOf[svc.List[T]]()} }

// pageOf returns the response with a page of a list under a key.
func pageOf[T any](key string) fields {
	return fields{key: typeOf[svc.List[T]](), "page": typeOf[svc.Page]()}
}

// with returns the fields of f and those of g.
func (f fields) with(g fields) fields {
	all := maps.Clone(f)
	maps.Copy(all, g)
	return all
}

// refreshed are the fields of the response to a write that names changed sections.
var refreshed = fields{"refresh": typeOf[refreshHint]()}

// deleted are the fields of the response to a deletion.
var deleted = fields{"deleted": typeOf[bool]()}

// requestFields are the fields of a request type by their source.
type requestFields struct {
	params  []parameter
	hasBody bool
}

// fieldsOfRequest returns the parameters of a request type that [decode] reads, and
// whether it has other fields, which are those of the body.
func fieldsOfRequest(t reflect.Type) (f requestFields) {
	if t == nil || t.Kind() != reflect.Struct {
		return f
	}
	for _, field := range reflect.VisibleFields(t) {
		if field.Anonymous || !field.IsExported() {
			continue
		}
		kind := map[reflect.Kind]string{reflect.Bool: "boolean", reflect.Int: "integer"}[field.Type.Kind()]
		if kind == "" {
			kind = "string"
		}
		for _, in := range []string{"query", "header"} {
			if name := field.Tag.Get(in); name != "" && name != idempotencyHeader {
				f.params = append(f.params, parameter{name: name, in: in, schema: map[string]any{"type": kind}})
			}
		}
		f.hasBody = f.hasBody || field.Tag.Get("json") != "-"
	}
	return f
}

// idempotencyHeader is the header that marks repetitions of a write.
const idempotencyHeader = "Idempotency-Key"

// errorStatuses returns the statuses of the errors of a route.
func (rt route) errorStatuses(d description, f requestFields) []int {
	statuses := []int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable}
	method, path, _ := strings.Cut(rt.pattern, " ")
	add := func(applies bool, list ...int) {
		if applies {
			statuses = append(statuses, list...)
		}
	}
	write := method != http.MethodGet
	hasBody := f.hasBody || rt.write != nil || len(d.bodies) > 0 || write
	add(rt.access == member || rt.access == operator, http.StatusUnauthorized, http.StatusForbidden) // 403 also if a second factor must be added
	add(hasBody || len(f.params)+len(d.params) > 0, http.StatusBadRequest)
	add(hasBody, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	add(write, http.StatusInsufficientStorage)
	add(strings.Contains(path, "{"), http.StatusNotFound)
	add(slices.ContainsFunc(f.params, func(p parameter) bool { return p.name == "If-Match" }), http.StatusPreconditionFailed)
	add(true, d.errors...)
	slices.Sort(statuses)
	return slices.Compact(statuses)
}

// Schemas and parameters of several operations.
var (
	stringSchema = map[string]any{"type": "string"}
	numberSchema = map[string]any{"type": "number"}

	// panelParameters are the parameters that the panels read themselves.
	panelParameters = []parameter{{"sections", "query", stringSchema, "Ids of the sections to return, separated by commas; all by default.", false}}
)

// Statuses of errors of several operations.
var (
	conflict = []int{http.StatusConflict}
	notFound = []int{http.StatusNotFound}
)

// noSuccess is the status of an operation that always responds with an error.
const noSuccess = -1
