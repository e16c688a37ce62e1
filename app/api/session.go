package api

import (
	"bytes"
	"fmt"
	"net/http"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world/compat"
	"appliance/world/dataset"
	"appliance/world/record"
)

// sessionOperations declares the operations on the session and the translated output.
func (s *Server) sessionOperations() []declaration {
	return []declaration{
		operation[struct{}, compat.Session]{
			Request: "GET /world/session",
			Summary: "Read the session: dock, surfaces, field and services", Params: datasetParameters, ETag: true,
			Serve: s.getSession,
		},
		operation[dataset.SessionRequest, dataset.Dataset]{
			Request: "POST /world/session",
			Summary: "Read the dataset as test harnesses do", Params: datasetParameters,
			Serve: s.postSession, Traits: httpd.Traits{Compress: true},
		},
		operation[struct{}, compat.Translated]{
			Request: "GET /world/translated",
			Summary: "Read the dataset with presentation hints", Params: append([]parameter{selectedThread}, datasetParameters...), ETag: true, Errors: notFoundErrors,
			Serve: s.getTranslated,
		},
	}
}

// selectedThread selects the thread that the translated output presents.
var selectedThread = parameter{"thread", "query", stringSchema, "Id of the selected thread.", false}

// sessionSources returns the sources of the session payload.
func (s *Server) sessionSources() compat.Sources {
	return compat.Sources{
		Identity: s.Identity, Surface: s.Surface, Messages: s.Messages, Social: s.Social, Maps: s.Maps, Find: s.Find, World: s.World, BasePath: s.Settings.URL().Path,
		Server: s.serverInfo(),
		Hosted: func(service string) svc.HostedService {
			if h := s.Hosted[service]; h != nil {
				return h
			}
			return nil // not an interface value with a nil pointer
		},
	}
}

// serverInfo describes the server to members.
func (s *Server) serverInfo() compat.ServerInfo {
	return compat.ServerInfo{
		Name: s.Settings.Title(), Timezone: s.Settings.Timezone, Locale: s.Identity.DefaultLocale(), Version: s.Version,
		Registration: identity.RegistrationPolicy(s.Settings.Registration),
	}
}

// sessionKind identifies the settings that the session depends on.
func (s *Server) sessionKind() string {
	return fmt.Sprintf("session %s %s %+v", s.Settings.DirectoryEmail, s.Settings.URL().Path, s.serverInfo())
}

// getSession responds with the session: surfaces, services and status counts.
func (s *Server) getSession(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	q, err := datasetRequest(r)
	if err != nil {
		return err
	}
	a, err := s.World.Respond(r.Context(), v, q, s.sessionKind(), func(tx *store.Tx) (dataset.Result, error) {
		session, until, incomplete, err := s.sessionSources().Session(tx, v, q)
		if err != nil {
			return dataset.Result{}, err
		}
		text, err := svc.EncodeJSON(session)
		return dataset.Result{Body: bytes.NewBuffer(text), Expires: until, Incomplete: incomplete}, err
	})
	if err != nil {
		return err
	}
	return writeDataset(w, a)
}

// getTranslated responds with the translated output.
func (s *Server) getTranslated(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	q, err := datasetRequest(r)
	if err != nil {
		return err
	}
	thread := r.URL.Query().Get("thread")
	a, err := s.World.Respond(r.Context(), v, q, "translated "+thread, func(tx *store.Tx) (dataset.Result, error) {
		selected, err := s.selectedThread(tx, v, thread)
		if err != nil {
			return dataset.Result{}, err
		}
		return compat.Translate(tx, s.World, v, q, selected)
	})
	if err != nil {
		return err
	}
	return writeDataset(w, a)
}

// selectedThread returns the thread with the id, or nil for "" and while Messages
// is switched off. A thread of other members is reported as not found.
func (s *Server) selectedThread(tx *store.Tx, v svc.Viewer, id string) (*record.MessageThread, error) {
	if id == "" || s.Hosted["messages"].IsOff() {
		return nil, nil
	}
	t, err := s.Messages.Thread(tx, v, id)
	if svc.KindOf(err) == svc.Forbidden {
		err = svc.Errorf(svc.NotFound, "This thread does not exist.")
	}
	return new(record.NewMessageThread(t)), err
}

// postSession responds with the dataset under the contract name that a harness
// validates.
func (s *Server) postSession(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	q, err := datasetRequest(r)
	if err != nil {
		return err
	}
	var in dataset.SessionRequest
	if err := httpd.Decode(r, &in); err != nil {
		return err
	}
	if q, err = q.With(in); err != nil {
		return err
	}
	if err := s.AcquireRead(w, r, v.String()); err != nil {
		return err
	}
	a, err := s.World.Read(r.Context(), v, q)
	if err != nil {
		return err
	}
	a.ETag = "" // the response depends on the body
	return writeDataset(w, a)
}

// overlayFindings returns the findings in the overlay stack.
func (s *Server) overlayFindings(tx *store.Tx, v svc.Viewer) (list []svc.Finding, err error) {
	workspace, err := s.Surface.Read(tx, v)
	if err != nil {
		return nil, err
	}
	return workspace.Findings(), nil
}
