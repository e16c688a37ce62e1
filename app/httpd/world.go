package httpd

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strconv"

	"appliance/store"
	"appliance/svc"
	"appliance/world"
	"appliance/world/compat"
	"appliance/world/dataset"
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
	a, err := s.world.Read(r.Context(), v, q)
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
	setPrivate(h)
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
	setPrivate(h)
	w.WriteHeader(status)
	_, _ = body.WriteTo(w) // fails if the client has disconnected
	return nil
}

// actionRequest is a World action and its prepared target.
type actionRequest struct{ world.Dispatch }

func (d *actionRequest) prepare(s *Server, tx *store.Tx, v svc.Viewer) error {
	return s.world.Prepare(tx, v, &d.Dispatch)
}

// postAction performs a World action and responds with the dataset after it.
func (s *Server) postAction(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in actionRequest
	body, err := decodeBody(r, &in)
	if err != nil {
		return err
	}
	question, err := in.Request(r.Header.Get("X-Service-Runtime"))
	if err != nil {
		return err
	}
	if err := s.prepare(r.Context(), v, &in); err != nil {
		return err
	}
	done, err := s.doOnce(r, v, body, http.StatusOK, func(tx *store.Tx) (any, error) { return s.world.Perform(tx, v, in.Dispatch) }, nil)
	if err != nil {
		return err
	}
	if err := s.acquireRead(w, r, v.String()); err != nil {
		return writeBody(w, done.Status, done.Body) // the action is performed
	}
	all, err := s.world.Refreshed(r.Context(), v, question, done.Body)
	if err != nil {
		s.log.Error("reading the dataset after an action", "err", err)
	}
	return writeDatasetBody(w, done.Status, all)
}

// getSchemas lists the contracts.
func (s *Server) getSchemas(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	type line struct {
		dataset.Contract
		URL string `json:"url"`
	}
	list := make([]line, len(compat.Contracts))
	for i, c := range compat.Contracts {
		list[i] = line{c.Contract, fmt.Sprintf("/world/schemas/%s/%d", c.Name, c.Version)}
	}
	return writeJSON(w, http.StatusOK, map[string]any{"schemas": list})
}

// getSchema serves one contract's schema.
func (s *Server) getSchema(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	text, ok := compat.Schema(r.PathValue("name"), r.PathValue("version"))
	if !ok {
		return errNotFound
	}
	w.Header().Set("Content-Type", "application/schema+json")
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, _ = w.Write(text)
	return nil
}

// preparer is a request with work to be done before the write transaction, in a
// read transaction.
type preparer interface {
	prepare(*Server, *store.Tx, svc.Viewer) error
}

// prepare prepares a request. It returns internal errors only: with a replayed
// idempotency key, a request that can no longer be prepared gets its first
// response, and otherwise the write returns the error again.
func (s *Server) prepare(ctx context.Context, v svc.Viewer, in preparer) error {
	giveBack, err := s.reads.Acquire(ctx, v.String())
	if err != nil {
		return err
	}
	defer giveBack()
	err = s.db.Read(ctx, func(tx *store.Tx) error { return in.prepare(s, tx, v) })
	if svc.KindOf(err) != svc.Internal {
		return nil
	}
	return err
}

// idempotent returns a handler that decodes the request into In, calls write in
// one transaction and responds with its result. A repeated request with the same
// Idempotency-Key gets the stored response.
func idempotent[In any](s *Server, status int, write func(*store.Tx, svc.Viewer, In) (any, error)) handler {
	return idempotentWithReplay(s, status, write, nil)
}

// replayFunc computes the response to a repeated request from the stored part of the
// first response. If the function is nil, the stored part is the response.
type replayFunc func(tx *store.Tx, v svc.Viewer, stored []byte) (any, error)

// idempotentWithReplay is [idempotent] with a function for repeated requests; it
// may be nil.
func idempotentWithReplay[In any](s *Server, status int, write func(*store.Tx, svc.Viewer, In) (any, error), replay replayFunc) handler {
	return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		var in In
		body, err := decodeBody(r, &in)
		if err != nil {
			return err
		}
		if in, ok := any(&in).(preparer); ok {
			if err := s.prepare(r.Context(), v, in); err != nil {
				return err
			}
		}
		written, err := s.doOnce(r, v, body, status, func(tx *store.Tx) (any, error) { return write(tx, v, in) }, replay)
		if err != nil {
			return err
		}
		return writeBody(w, written.Status, written.Body)
	}
}

// doOnce runs the write of a request in a transaction, or returns the stored
// response to a repeated request.
func (s *Server) doOnce(r *http.Request, v svc.Viewer, body []byte, status int, do func(*store.Tx) (any, error), replay replayFunc) (world.WriteResponse, error) {
	q := world.WriteRequest{Key: r.Header.Get("Idempotency-Key"), Route: r.Method + " " + r.URL.Path, Body: sha256.Sum256(body)}
	if replay != nil {
		q.Replay = func(tx *store.Tx, stored []byte) (any, error) { return replay(tx, v, stored) }
	}
	return s.idempotency.Do(r.Context(), v, q, status, do)
}

// refreshHint names the sections of the dataset that a write has changed.
type refreshHint struct {
	Sections svc.List[string] `json:"sections"`
}

var timeRefresh = refreshHint{svc.List[string]{"objects", "contexts", "actions"}}
