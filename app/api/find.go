package api

import (
	"encoding/json"
	"net/http"
	"time"

	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/find"
	"appliance/world/action"
	"appliance/world/compat"
	"appliance/world/panel"
)

// findOperations declares the operations on searches.
func (s *Server) findOperations() []declaration {
	return []declaration{
		operation[struct{}, panel.FindPanel]{
			Request: "GET " + action.FindPanelURL, Service: "find",
			Summary: "Read the panel of Find", Params: panelParameters, ETag: true,
			Serve: s.getFindPanel,
		},
		operation[find.Request, compat.FindResponse]{
			Action: action.Finds.Endpoint("find"), ServicePath: "/find/query", Service: "find",
			Summary: "Search places and web pages", Once: true, Errors: conflictErrors,
			Serve: s.findQuery, ServeForService: s.findQueryForService, Traits: httpd.Traits{Compress: true},
		},
		operation[struct{}, historyCleared]{
			Action: action.FindHistories.Endpoint("clear_history"), Service: "find",
			Summary: "Delete the latest searches",
			Do:      s.clearFindHistory,
		},
	}
}

// findQuery searches for a member and responds with the findings and the surfaces.
func (s *Server) findQuery(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.answerQuery(w, r, v, func(tx *store.Tx, o find.Outcome) (any, error) { return s.findResponse(tx, v, o) })
}

// findQueryForService is findQuery for clients with the service key, whose response
// contains no surfaces.
func (s *Server) findQueryForService(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.answerQuery(w, r, v, func(_ *store.Tx, o find.Outcome) (any, error) { return o, nil })
}

// answerQuery searches and records the search. respond returns the response. The
// providers are asked before the transaction, but not for a request that repeats an
// idempotency key.
func (s *Server) answerQuery(w http.ResponseWriter, r *http.Request, v svc.Viewer, respond func(*store.Tx, find.Outcome) (any, error)) error {
	var in find.Request
	body, err := httpd.DecodeBody(r, &in, nil)
	if err != nil {
		return err
	}
	refresh, err := parseReturn(r)
	if err != nil {
		return err
	}
	if s.Hosted["surface"].IsOff() {
		return httpd.ErrServiceOff
	}
	replay := func(tx *store.Tx, _ svc.Viewer, stored []byte) (any, error) {
		var first struct {
			find.Outcome
			Runtime json.RawMessage `json:"surface_runtime"`
		}
		if err := json.Unmarshal(stored, &first); err != nil || first.Runtime != nil {
			return nil, err
		}
		return respond(tx, first.Outcome)
	}
	stored, ok, err := s.Idempotency.Find(r.Context(), v, writeRequest(r, v, body, replay))
	if err != nil {
		return err
	}
	if ok {
		return s.writeResult(w, r, v, refresh, stored)
	}
	found, err := s.search(r, v, in)
	if err != nil {
		return err
	}
	if e := found.Outcome.Error; e != nil {
		e.RequestID = w.Header().Get("X-Request-Id")
	}
	record := func(tx *store.Tx) (any, error) {
		if err := s.Find.Record(tx, v, found); err != nil {
			return nil, err
		}
		return respond(tx, found.Outcome)
	}
	written, err := s.doOnce(r, v, body, http.StatusOK, record, replay)
	if err != nil {
		return overlayError(err)
	}
	return s.writeResult(w, r, v, refresh, written)
}

// search asks the providers.
func (s *Server) search(r *http.Request, v svc.Viewer, in find.Request) (*find.Found, error) {
	if err := s.Rates.Take(limits.Searches, v.String()); err != nil {
		return nil, err
	}
	return s.Find.Search(r.Context(), v, in, func(read func(*store.Tx) error) error { return s.ReadFor(r.Context(), v, read) })
}

// findResponse returns an outcome with the surfaces of a member.
func (s *Server) findResponse(tx *store.Tx, v svc.Viewer, o find.Outcome) (any, error) {
	w, err := s.Surface.Read(tx, v)
	if err != nil {
		return nil, err
	}
	o.Findings = s.World.PresentFindings(v.Language(), tx.Now(), o.Findings)
	return compat.FindResponse{Outcome: o, SurfaceRuntime: s.surfaceRuntime(tx, v, w)}, nil
}

// overlayError returns the error for findings that could not be stored. After an
// internal error the client may retry.
func overlayError(err error) error {
	if svc.KindOf(err) != svc.Internal {
		return err
	}
	failed := svc.Errorf(svc.OverlayNotPersisted, "The findings were not stored; the previous ones are unchanged. Try again.").WithCause(err)
	failed.RetryAfter = 5 * time.Second
	return failed
}

type historyCleared = struct {
	Status string `json:"status"` // "ok"
}

// clearFindHistory deletes the searches of a member.
func (s *Server) clearFindHistory(tx *store.Tx, v svc.Viewer, _ struct{}) (historyCleared, error) {
	return historyCleared{"ok"}, s.Find.ClearHistory(tx, v)
}

// maxRecentQueries is the number of searches in the panel.
const maxRecentQueries = 20

// getFindPanel responds with the panel of Find.
func (s *Server) getFindPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.respondWithHashedPanel(w, r, func(tx *store.Tx) (any, error) {
		available, err := s.Find.Available(tx)
		if err != nil {
			return nil, err
		}
		state := panel.FindState{Available: available, Providers: s.Find.Providers(v.Language(), available)}
		if state.History, err = s.Find.History(tx, v, maxRecentQueries); err != nil {
			return nil, err
		}
		hosted := s.Hosted["surface"]
		if hosted.IsOff() || svc.Attempt(tx.Context(), hosted, func() (err error) {
			found, err := s.overlayFindings(tx, v)
			state.Findings = s.World.PresentFindings(v.Language(), tx.Now(), found)
			return err
		}) != nil {
			state.Unread = v.Language().Text("The findings cannot be read at the moment.")
		}
		p := panel.NewFindPanel(v.Language(), state)
		p.SelectSections(panel.ParseSections(r.URL.Query()))
		return p, nil
	})
}
