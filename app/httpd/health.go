package httpd

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// ServiceNames are the hosted ServiceNames, in the order in which /ready lists them.
var ServiceNames = []string{"identity", "world", "surface", "messages", "social", "time"}

// getHealth says that the process is alive. The version is for whoever is on
// the machine (B-16), not for whom a proxy there lets in.
func (s *Server) getHealth(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	answer := map[string]string{"status": "ok", "service": "appliance"}
	if s.proxies.ClientAddr(r).IsLoopback() && !s.proxies.Unnamed(r) {
		answer["version"] = s.version
	}
	return reply(w, http.StatusOK, answer)
}

func (s *Server) getServiceHealth(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	h := s.hosted[r.PathValue("service")]
	if h == nil {
		return errNoSuchPath
	}
	return reply(w, http.StatusOK, map[string]string{"status": h.State(), "service": r.PathValue("service")})
}

// getReady says that the server can do its work: the database answers.
func (s *Server) getReady(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	if err := s.answers(r); err != nil {
		return err
	}
	return text(w, "appliance ready: "+strings.Join(ServiceNames, " "))
}

func (s *Server) getServiceReady(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	name := r.PathValue("service")
	if !slices.Contains(ServiceNames, name) {
		return errNoSuchPath
	}
	if s.hosted[name].Off() {
		return errOff
	}
	if err := s.answers(r); err != nil {
		return err
	}
	return text(w, name+" "+s.hosted[name].State())
}

// answers reports whether the database answers. Its schema is current: the
// server would not have started otherwise.
func (s *Server) answers(r *http.Request) error {
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
