package httpd

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// ServiceNames are the hosted services, in the order in which /ready lists them.
var ServiceNames = []string{"identity", "world", "surface", "messages", "social", "time"}

// getHealth reports that the process is alive. Only clients on this machine,
// without a proxy, learn the version.
func (s *Server) getHealth(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	answer := map[string]string{"status": "ok", "service": "appliance"}
	if s.proxies.ClientAddr(r).IsLoopback() && !s.proxies.Unnamed(r) {
		answer["version"] = s.version
	}
	return writeJSON(w, http.StatusOK, answer)
}

func (s *Server) getServiceHealth(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	h := s.hosted[r.PathValue("service")]
	if h == nil {
		return errNotFound
	}
	return writeJSON(w, http.StatusOK, map[string]string{"status": h.State(), "service": r.PathValue("service")})
}

// getReady reports that the server is ready: the database responds.
func (s *Server) getReady(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	if err := s.checkDatabase(r); err != nil {
		return err
	}
	return writeText(w, "appliance ready: "+strings.Join(ServiceNames, " "))
}

func (s *Server) getServiceReady(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	name := r.PathValue("service")
	if !slices.Contains(ServiceNames, name) {
		return errNotFound
	}
	if s.hosted[name].Off() {
		return errOff
	}
	if err := s.checkDatabase(r); err != nil {
		return err
	}
	return writeText(w, name+" "+s.hosted[name].State())
}

// checkDatabase returns an error unless the database responds.
func (s *Server) checkDatabase(r *http.Request) error {
	err := s.db.Read(r.Context(), func(*store.Tx) error { return nil })
	if err != nil {
		return svc.Errorf(svc.ServiceUnavailable, "The database does not respond. Try again in a moment.").WithCause(err)
	}
	return nil
}

// writeText writes a line of plain text.
func writeText(w http.ResponseWriter, line string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintln(w, line)
	return nil
}
