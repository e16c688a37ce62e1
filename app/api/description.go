package api

import (
	"net/http"
	"reflect"
	"slices"
	"strings"

	"appliance/app/httpd"
	"appliance/svc"
)

// description is the part of the OpenAPI document about a route that cannot be derived from the
// route. Path parameters and most error statuses can.
type description struct {
	summary string
	input   reflect.Type // of the request, with its parameters
	output  reflect.Type // of the response; nil for media, or without a success
	params  []parameter  // those that are not fields of input
	bodies  []string     // media types of a body that is not JSON
	media   []string     // media types of a response that is not JSON
	write   bool         // the response to return=dataset contains the dataset
	once    bool         // a repeated idempotency key gets the first response
	status  int          // of a success
	etag    bool         // the response has an ETag, and 304 is possible
	errors  []int        // statuses of errors that do not follow from the route
	sameAs  string       // pattern of the operation for which an alias stands; "" for the operation
}

// parameter is a parameter in the query or a header.
type parameter struct {
	name, in string // in is "query" or "header"
	schema   map[string]any
	text     string // description
	required bool
}

// typeOf is an abbreviation of [reflect.TypeFor].
func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// requestFields are the fields of a request type by their source.
type requestFields struct {
	params  []parameter
	hasBody bool
}

// fieldsOfRequest returns the parameters of a request type that [httpd.Decode] reads, and
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
				schema := map[string]any{"type": kind}
				if set, ok := reflect.Zero(field.Type).Interface().(svc.Set); ok {
					schema["enum"] = append(set.Values(), "") // the same as an absent parameter
				}
				f.params = append(f.params, parameter{name: name, in: in, schema: schema})
			}
		}
		f.hasBody = f.hasBody || field.Tag.Get("json") != "-"
	}
	return f
}

// idempotencyHeader is the header that marks repetitions of a write.
const idempotencyHeader = "Idempotency-Key"

// errorStatuses returns the statuses of the errors of a route.
func (rt route) errorStatuses(f requestFields) []int {
	statuses := []int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable}
	method, path, _ := strings.Cut(rt.Pattern, " ")
	add := func(applies bool, list ...int) {
		if applies {
			statuses = append(statuses, list...)
		}
	}
	write := method != http.MethodGet
	hasBody := f.hasBody || len(rt.bodies) > 0 || write
	add(rt.Access == httpd.Member || rt.Access == httpd.Operator, http.StatusUnauthorized, http.StatusForbidden) // 403 also if a second factor must be added
	add(hasBody || len(f.params)+len(rt.params) > 0, http.StatusBadRequest)
	add(hasBody, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	add(write, http.StatusInsufficientStorage)
	add(strings.Contains(path, "{"), http.StatusNotFound)
	add(slices.ContainsFunc(f.params, func(p parameter) bool { return p.name == "If-Match" }), http.StatusPreconditionFailed)
	add(true, rt.errors...)
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
	conflictErrors = []int{http.StatusConflict}
	notFoundErrors = []int{http.StatusNotFound}
)

// noSuccess is the status of an operation that always responds with an error.
const noSuccess = -1
