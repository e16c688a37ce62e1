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

// ask reads what a runtime asks.
func ask(r *http.Request) (dataset.Request, error) {
	q, err := dataset.ParseRequest(r.Header.Get("X-Service-Runtime"), r.URL.Query())
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		q.IfNoneMatch = r.Header.Get("If-None-Match")
	}
	return q, err
}

// getRuntime answers with the member's dataset.
func (s *Server) getRuntime(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	q, err := ask(r)
	if err != nil {
		return err
	}
	a, err := s.world.Read(r.Context(), v, q)
	if err != nil {
		return err
	}
	return show(w, a)
}

// show sends what World answers.
func show(w http.ResponseWriter, a dataset.Response) error {
	h := w.Header()
	if a.ETag != "" {
		h.Set("ETag", a.ETag)
		h.Set("Cache-Control", "private, no-cache") // kept, but asked about each time
	}
	private(h)
	if a.NotModified {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return sendBody(w, http.StatusOK, a.Body)
}

// sendBody answers with a text that is JSON already.
func sendBody(w http.ResponseWriter, status int, body dataset.Body) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(body.Len()))
	private(h)
	w.WriteHeader(status)
	_, _ = body.WriteTo(w) // a member who has gone away is no failure
	return nil
}

// dispatch is an action, and what it was found to be about.
type dispatch struct{ world.Dispatch }

func (d *dispatch) prepare(s *Server, tx *store.Tx, v svc.Viewer) error {
	return s.world.Prepare(tx, v, &d.Dispatch)
}

// postAction does one of World's own actions, and answers with the dataset as it
// is then.
func (s *Server) postAction(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in dispatch
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
	done, err := s.relayWrite(r, v, body, http.StatusOK, func(tx *store.Tx) (any, error) { return s.world.Perform(tx, v, in.Dispatch) }, nil)
	if err != nil {
		return err
	}
	if err := s.takeTurn(w, r, v.String()); err != nil {
		return send(w, done.Status, done.Body) // what was asked for is done
	}
	all, err := s.world.Refreshed(r.Context(), v, question, done.Body)
	if err != nil {
		s.log.Error("no dataset after an action", "err", err)
	}
	return sendBody(w, done.Status, all)
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
	return reply(w, http.StatusOK, map[string]any{"schemas": list})
}

// getSchema serves one contract's schema.
func (s *Server) getSchema(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	text, ok := compat.Schema(r.PathValue("name"), r.PathValue("version"))
	if !ok {
		return errNoSuchPath
	}
	w.Header().Set("Content-Type", "application/schema+json")
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, _ = w.Write(text)
	return nil
}

// preparing is a request that takes work which need not be done while others
// wait to write. An error is no answer yet: it may be a repetition.
type preparing interface {
	prepare(*Server, *store.Tx, svc.Viewer) error
}

// prepare lets a request prepare itself when it is its member's turn. Only a
// failure of our own is an error.
func (s *Server) prepare(ctx context.Context, v svc.Viewer, in preparing) error {
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

// relayed makes a handler of a write: it reads the request into In, has the
// write done in one transaction, and answers with what it returns.
func relayed[In any](s *Server, status int, write func(*store.Tx, svc.Viewer, In) (any, error)) handler {
	return relayedAgain(s, status, write, nil)
}

// repetition makes the answer to one out of what was kept of the first answer.
type repetition func(tx *store.Tx, v svc.Viewer, kept []byte) (any, error)

// relayedAgain is relayed for a write that has answers of its own for whoever
// repeats it; nil if it has none.
func relayedAgain[In any](s *Server, status int, write func(*store.Tx, svc.Viewer, In) (any, error), again repetition) handler {
	return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		var in In
		body, err := decodeBody(r, &in)
		if err != nil {
			return err
		}
		if in, ok := any(&in).(preparing); ok {
			if err := s.prepare(r.Context(), v, in); err != nil {
				return err
			}
		}
		reply, err := s.relayWrite(r, v, body, status, func(tx *store.Tx) (any, error) { return write(tx, v, in) }, again)
		if err != nil {
			return err
		}
		return send(w, reply.Status, reply.Body)
	}
}

// relayWrite has the write of a request done, which has that body.
func (s *Server) relayWrite(r *http.Request, v svc.Viewer, body []byte, status int, do func(*store.Tx) (any, error), again repetition) (world.WriteResponse, error) {
	q := world.WriteRequest{Key: r.Header.Get("Idempotency-Key"), Route: r.Method + " " + r.URL.Path, Body: sha256.Sum256(body)}
	if again != nil {
		q.Replay = func(tx *store.Tx, kept []byte) (any, error) { return again(tx, v, kept) }
	}
	return s.idempotency.Do(r.Context(), v, q, status, do)
}

// refresh tells a runtime which sections of its dataset a write has changed.
type refresh struct {
	Sections svc.List[string] `json:"sections"`
}

var timeRefresh = refresh{svc.List[string]{"objects", "contexts", "actions"}}
