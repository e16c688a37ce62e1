package app

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// services are the parts that answer for themselves, in the order in which
// they are named.
var services = []string{"identity", "world", "surface", "messages", "social", "time"}

// getHealth says that the process is alive. The version is for whoever is on
// the machine (B-16), not for whom a proxy there lets in.
func (s *server) getHealth(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	answer := map[string]string{"status": "ok", "service": "appliance"}
	if s.proxies.ClientAddr(r).IsLoopback() && !s.proxies.Unnamed(r) {
		answer["version"] = version()
	}
	return reply(w, http.StatusOK, answer)
}

func (s *server) getServiceHealth(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	u := s.units[r.PathValue("service")]
	if u == nil {
		return errNoSuchPath
	}
	return reply(w, http.StatusOK, map[string]string{"status": u.State(), "service": u.name})
}

// getReady says that the server can do its work: the database answers.
func (s *server) getReady(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	if err := s.answers(r); err != nil {
		return err
	}
	return text(w, "appliance ready: "+strings.Join(services, " "))
}

func (s *server) getServiceReady(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	name := r.PathValue("service")
	if !slices.Contains(services, name) {
		return errNoSuchPath
	}
	if s.units[name].off {
		return errOff
	}
	if err := s.answers(r); err != nil {
		return err
	}
	return text(w, name+" "+s.units[name].State())
}

// answers reports whether the database answers. Its schema is current: the
// server would not have started otherwise.
func (s *server) answers(r *http.Request) error {
	err := s.db.Read(r.Context(), func(*store.Tx) error { return nil })
	if err != nil {
		return svc.Errorf(svc.ServiceUnavailable, "The database does not answer.").WithCause(err)
	}
	return nil
}

func text(w http.ResponseWriter, line string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintln(w, line)
	return nil
}
