package httpd

import (
	"bytes"
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world/compat"
	"appliance/world/dataset"
	"appliance/world/panel"
	"appliance/world/record"
)

// home is what sessions are made of.
func (s *Server) home() compat.Home {
	return compat.Home{
		Identity: s.identity, Surface: s.surface, Messages: s.messages, Social: s.social, World: s.world,
		Unit: func(service string) svc.HostedService {
			if h := s.hosted[service]; h != nil {
				return h
			}
			return nil // not a nil HostedService in an interface
		},
	}
}

// getSession answers with all that a runtime of surfaces needs.
func (s *Server) getSession(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	q, err := ask(r)
	if err != nil {
		return err
	}
	a, err := s.world.Respond(r.Context(), v, q, "session "+s.settings.DirectoryEmail, func(tx *store.Tx) (dataset.Result, error) {
		one, until, incomplete, err := s.home().Session(tx, v, q)
		if err != nil {
			return dataset.Result{}, err
		}
		text, err := svc.EncodeJSON(one)
		return dataset.Result{Body: bytes.NewBuffer(text), Expires: until, Incomplete: incomplete}, err
	})
	if err != nil {
		return err
	}
	return show(w, a)
}

// getTranslated answers with the dataset as a screen shows it.
func (s *Server) getTranslated(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	q, err := ask(r)
	if err != nil {
		return err
	}
	thread := r.URL.Query().Get("thread")
	a, err := s.world.Respond(r.Context(), v, q, "translated", func(tx *store.Tx) (dataset.Result, error) {
		selected, err := s.selectedThread(tx, v, thread)
		if err != nil {
			return dataset.Result{}, err
		}
		return compat.Translate(tx, s.world, v, q, selected)
	})
	if err != nil {
		return err
	}
	return show(w, a)
}

// selectedThread returns the thread of a query; nil for "", and while nobody
// can read threads. Those of others are as if they were not there.
func (s *Server) selectedThread(tx *store.Tx, v svc.Viewer, id string) (*record.MessageThread, error) {
	if id == "" || s.hosted["messages"].Off() {
		return nil, nil
	}
	t, err := s.messages.Thread(tx, v, id)
	if svc.KindOf(err) == svc.Forbidden {
		err = svc.Errorf(svc.NotFound, "This thread does not exist.")
	}
	return new(record.NewMessageThread(t)), err
}

// postSession answers a harness with the dataset under the name that it
// validates (B-06).
func (s *Server) postSession(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	q, err := ask(r)
	if err != nil {
		return err
	}
	var in dataset.Harness
	if err := decode(r, &in); err != nil {
		return err
	}
	if q, err = q.With(in); err != nil {
		return err
	}
	if err := s.takeTurn(w, r, v.String()); err != nil {
		return err
	}
	a, err := s.world.Read(r.Context(), v, q)
	if err != nil {
		return err
	}
	a.ETag = "" // it is the answer to a body too
	return show(w, a)
}

// getFindPanel answers with what was found for the member by whoever can.
func (s *Server) getFindPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		var found []svc.Finding
		hosted, unread := s.hosted["surface"], ""
		if hosted.Off() || svc.Attempt(tx.Context(), hosted, func() (err error) {
			found, err = s.found(tx, v)
			return err
		}) != nil {
			unread = "What was found cannot be read at the moment."
		}
		return panel.NewFindPanel(found, unread), nil
	})
}

// found are the findings that lie over what the member has before them.
func (s *Server) found(tx *store.Tx, v svc.Viewer) (list []svc.Finding, err error) {
	all, err := s.surface.Read(tx, v)
	if err != nil {
		return nil, err
	}
	surfaces, err := all.Select(surface.FindingType, surface.OverlayStack)
	for _, one := range surfaces {
		if f := one.RuntimeState.Finding; f != nil {
			list = append(list, *f)
		}
	}
	return list, err
}
