package api

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/world"
	"appliance/world/compat"
	"appliance/world/dataset"
)

// worldOperations declares the operations on the contracts, the dataset and its actions.
func (s *Server) worldOperations() []declaration {
	return []declaration{
		operation[struct{}, map[string]any]{
			Request: "GET " + openAPIURL, Access: httpd.Public,
			Summary: "Read this document", ETag: true,
			Serve: s.getOpenAPI,
		},
		operation[struct{}, schemaList]{
			Request: "GET /world/schemas", Access: httpd.Public,
			Summary: "List the contracts",
			Handle:  listSchemas,
		},
		operation[struct{}, struct{}]{
			Request: "GET /world/schemas/{name}/{version}", Access: httpd.Public,
			Summary: "Read the JSON Schema of a contract", Media: []string{"application/schema+json"},
			Serve: s.getSchema,
		},
		operation[struct{}, dataset.Dataset]{
			Request: "GET /world/runtime",
			Summary: "Read the dataset of the member", Params: append([]parameter{since}, datasetParameters...), ETag: true,
			Serve: s.getRuntime,
		},
		operation[struct{}, struct{}]{
			Request: "GET /world/stream",
			Summary: "Receive events that name what has changed", Media: []string{"text/event-stream"}, Params: []parameter{lastEventID},
			Serve: s.getStream, Traits: httpd.Traits{ReceivesBody: true},
		},
		operation[world.Dispatch, world.ActionResponse]{
			Request: "POST /world/actions/{action_id}",
			Summary: "Perform an action of the dataset", Params: append([]parameter{since}, datasetParameters[1:]...), Once: true,
			Errors: []int{http.StatusConflict, http.StatusFailedDependency},
			Serve:  s.postAction, Traits: httpd.Traits{Compress: true},
		},
	}
}

// Parameters of requests for the dataset, which [dataset.ParseRequest] parses.
var (
	since         = parameter{"since", "query", stringSchema, "Revision of the dataset that the client has: only changes are returned.", false}
	runtimeHeader = parameter{"X-Service-Runtime", "header", stringSchema, "Name of the runtime, and optionally its capabilities.", true}

	latitude   = parameter{"lat", "query", numberSchema, "Latitude of the position in degrees; with lon.", false}
	longitude  = parameter{"lon", "query", numberSchema, "Longitude of the position in degrees; with lat.", false}
	categories = parameter{"categories", "query", stringSchema, "Categories of places, separated by commas; all by default.", false}
	radius     = parameter{"radius", "query", map[string]any{"type": "integer"}, "Radius of the field in metres.", false}

	datasetParameters = []parameter{
		runtimeHeader,
		{"sections", "query", stringSchema, "Sections to return, separated by commas; all by default.", false},
		{"caps", "query", stringSchema, "Capabilities, instead of those in the header.", false},
		latitude, longitude, radius, categories,
	}
)

// datasetRequest decodes a request for the dataset.
func datasetRequest(r *http.Request) (dataset.Request, error) {
	q, err := dataset.ParseRequest(r.Header.Get("X-Service-Runtime"), r.URL.Query())
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		q.IfNoneMatch = r.Header.Get("If-None-Match")
	}
	return q, err
}

// getRuntime responds with the dataset of the member.
func (s *Server) getRuntime(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	q, err := datasetRequest(r)
	if err != nil {
		return err
	}
	a, err := s.World.Read(r.Context(), v, q)
	if err != nil {
		return err
	}
	return writeDataset(w, a)
}

// writeDataset writes a response of World.
func writeDataset(w http.ResponseWriter, a dataset.Response) error {
	h := w.Header()
	if a.ETag != "" {
		h.Set("ETag", a.ETag)
		h.Set("Cache-Control", "private, no-cache") // cached, but revalidated by each request
	}
	httpd.SetPrivate(h)
	if a.NotModified {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeDatasetBody(w, http.StatusOK, a.Body)
}

// writeDatasetBody writes the chunks of encoded JSON.
func writeDatasetBody(w http.ResponseWriter, status int, body dataset.Body) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(body.Len()))
	httpd.SetPrivate(h)
	w.WriteHeader(status)
	_, _ = body.WriteTo(w) // fails if the client has disconnected
	return nil
}

// actionRequest is a World action and its prepared target.
type actionRequest struct{ world.Dispatch }

func (d *actionRequest) prepare(s *Server, tx *store.Tx, v svc.Viewer) error {
	return s.World.Prepare(tx, v, &d.Dispatch)
}

// postAction performs a World action and responds with the dataset after the action, or
// with its changes since a revision.
func (s *Server) postAction(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in actionRequest
	body, err := httpd.DecodeBody(r, &in, nil)
	if err != nil {
		return err
	}
	request, err := in.Request(r.Header.Get("X-Service-Runtime"), r.URL.Query())
	if err != nil {
		return err
	}
	in.Body, in.RequestID = body, w.Header().Get("X-Request-Id")
	if err := s.prepare(r.Context(), v, &in); err != nil {
		return err
	}
	release, err := s.callOut(r, v, body, &in.Dispatch)
	if err != nil {
		return err
	}
	defer release()
	written, err := s.doOnce(r, v, body, in.Relay.Status(), func(tx *store.Tx) (any, error) { return s.World.Perform(tx, v, in.Dispatch) }, nil)
	if err != nil {
		return err
	}
	return s.writeRefreshed(w, r, v, written, func(ctx context.Context) (dataset.Body, error) {
		return s.World.AddDataset(ctx, v, request, written.Body)
	})
}

// callOut does what an action needs from other servers, before the transaction: it reads
// the page of a preview or sends the command to a provider. It does nothing if the
// request repeats an idempotency key. The caller calls release after the transaction.
func (s *Server) callOut(r *http.Request, v svc.Viewer, body []byte, in *world.Dispatch) (release func(), err error) {
	release = func() {}
	if in.Preview == nil && in.Relay == nil {
		return release, nil
	}
	_, repeated, err := s.Idempotency.Find(r.Context(), v, writeRequest(r, v, body, nil))
	if err != nil || repeated {
		return release, err
	}
	if in.Preview != nil {
		return s.readPage(r.Context(), v, in.Preview)
	}
	return release, s.relay(r.Context(), v, in.Relay)
}

// writeRefreshed writes the response to a write with the dataset that read
// adds. The write is already committed: if the dataset cannot be read, the
// response does not contain it.
func (s *Server) writeRefreshed(w http.ResponseWriter, r *http.Request, v svc.Viewer, written world.WriteResponse, read func(context.Context) (dataset.Body, error)) error {
	if err := s.AcquireRead(w, r, v.String()); err != nil {
		return httpd.WriteBody(w, written.Status, written.Body)
	}
	body, err := read(r.Context())
	if err != nil {
		s.Log.Error("reading the dataset after a write", "err", err)
	}
	return writeDatasetBody(w, written.Status, body)
}

// schemaLink is a contract with the URL of its schema.
type schemaLink struct {
	dataset.Contract
	URL string `json:"url"`
}

type schemaList = struct {
	Schemas svc.List[schemaLink] `json:"schemas"`
	OpenAPI string               `json:"openapi"`
}

// listSchemas lists the contracts.
func listSchemas(http.ResponseWriter, *http.Request, svc.Viewer, struct{}) (schemaList, error) {
	list := make(svc.List[schemaLink], len(compat.Contracts))
	for i, c := range compat.Contracts {
		list[i] = schemaLink{c.Contract, fmt.Sprintf("/world/schemas/%s/%d", c.Name, c.Version)}
	}
	return schemaList{list, openAPIURL}, nil
}

// getSchema serves one contract's schema.
func (s *Server) getSchema(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	text, ok := compat.Schema(r.PathValue("name"), r.PathValue("version"))
	if !ok {
		return httpd.ErrNotFound
	}
	w.Header().Set("Content-Type", "application/schema+json")
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, _ = w.Write(text)
	return nil
}

// preparer is a request whose method prepare runs in a read transaction before
// the write transaction.
type preparer interface {
	prepare(*Server, *store.Tx, svc.Viewer) error
}

// prepare calls in.prepare in a read transaction. It returns only internal errors and those
// of a busy server, because the write transaction detects all others again. So a request
// with a used idempotency key gets the stored response even if it can no longer be prepared.
func (s *Server) prepare(ctx context.Context, v svc.Viewer, in preparer) error {
	err := s.ReadFor(ctx, v, func(tx *store.Tx) error { return in.prepare(s, tx, v) })
	if svc.KindOf(err) == svc.Internal || errors.Is(err, limits.ErrCapacity) {
		return err
	}
	return nil
}

// replayFunc computes the response to a repeated request from the stored part of the
// first response. If the function is nil, the stored part is the response.
type replayFunc func(tx *store.Tx, v svc.Viewer, stored []byte) (any, error)

// writeResult writes the response to a write, with the dataset if refresh is not nil.
func (s *Server) writeResult(w http.ResponseWriter, r *http.Request, v svc.Viewer, refresh *dataset.Request, written world.WriteResponse) error {
	if refresh == nil || !world.Refreshable(written.Body) {
		return httpd.WriteBody(w, written.Status, written.Body)
	}
	return s.writeRefreshed(w, r, v, written, func(ctx context.Context) (dataset.Body, error) {
		return s.World.WithDataset(ctx, v, *refresh, written.Body)
	})
}

// parseReturn returns the request for the dataset that the response to a write
// contains if the query has return=dataset, else nil. The other parameters are those
// of the dataset.
func parseReturn(r *http.Request) (*dataset.Request, error) {
	query := r.URL.Query()
	if !query.Has("return") || !strings.HasPrefix(r.URL.Path, "/world/") {
		return nil, nil
	}
	if query.Get("return") != "dataset" {
		return nil, svc.ParameterError("return", "Only the dataset can be returned.")
	}
	header := r.Header.Get("X-Service-Runtime")
	q, err := dataset.ParseRequest(cmp.Or(header, "generic"), query)
	return &q, err
}

// doOnce runs the write of a request in a transaction, or returns the stored
// response to a repeated request.
func (s *Server) doOnce(r *http.Request, v svc.Viewer, body []byte, status int, do func(*store.Tx) (any, error), replay replayFunc) (world.WriteResponse, error) {
	return s.Idempotency.Do(r.Context(), v, writeRequest(r, v, body, replay), status, do)
}

// writeRequest returns the identity of a request that writes.
func writeRequest(r *http.Request, v svc.Viewer, body []byte, replay replayFunc) world.WriteRequest {
	q := world.WriteRequest{Key: r.Header.Get("Idempotency-Key"), Route: r.Method + " " + r.URL.Path, Body: sha256.Sum256(body)}
	if replay != nil {
		q.Replay = func(tx *store.Tx, stored []byte) (any, error) { return replay(tx, v, stored) }
	}
	return q
}

// refreshHint names the sections of the dataset that a write has changed.
type refreshHint struct {
	Sections svc.List[string] `json:"sections"`
}

var timeRefresh = refreshHint{svc.List[string]{"objects", "contexts", "actions"}}
