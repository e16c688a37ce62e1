package api

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
)

// ServiceNames are the hosted services, in the order in which /ready lists them.
var ServiceNames = []string{"identity", "world", "surface", "messages", "social", "time", "maps", "find"}

// healthOperations declares the operations for monitoring.
func (s *Server) healthOperations() []declaration {
	return []declaration{
		operation[struct{}, healthResponse]{
			Request: "GET /health", Access: httpd.Public,
			Handle: s.readHealth,
		},
		operation[serviceRequest, healthResponse]{
			Request: "GET /health/{service}", Access: httpd.Public,
			Handle: s.readServiceHealth,
		},
		operation[struct{}, string]{
			Request: "GET /ready", Access: httpd.Public,
			Media: []string{"text/plain"},
			Serve: s.getReady,
		},
		operation[serviceRequest, string]{
			Request: "GET /ready/{service}", Access: httpd.Public,
			Media: []string{"text/plain"},
			Serve: s.getServiceReady,
		},
	}
}

// healthResponse is the state of the program or of a hosted service.
type healthResponse struct {
	Service string `json:"service"`
	Status  string `json:"status"`
	Version string `json:"version,omitzero"`
}

// readHealth reports that the process is alive. Only clients on this machine,
// without a proxy, learn the version.
func (s *Server) readHealth(_ http.ResponseWriter, r *http.Request, _ svc.Viewer, _ struct{}) (healthResponse, error) {
	out := healthResponse{Service: "appliance", Status: "ok"}
	if s.proxies.ClientAddr(r).IsLoopback() && !s.proxies.ForwardedUntrusted(r) {
		out.Version = s.Version
	}
	return out, nil
}

// serviceRequest names a hosted service.
type serviceRequest struct {
	Service string `json:"-" path:"service"`
}

func (s *Server) readServiceHealth(_ http.ResponseWriter, _ *http.Request, _ svc.Viewer, in serviceRequest) (out healthResponse, err error) {
	h := s.Hosted[in.Service]
	if h == nil {
		return out, httpd.ErrNotFound
	}
	return healthResponse{Service: in.Service, Status: string(h.State())}, nil
}

// getReady reports that the server is ready: the database responds, is not known to
// be damaged, and can be written. A second line says that calendars follow changes late.
func (s *Server) getReady(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	if err := errors.Join(s.checkDatabase(r), s.checkDisk()); err != nil {
		return err
	}
	text := "appliance ready: " + strings.Join(ServiceNames, " ")
	if p, err := s.pendingFollowUps(r.Context()); err == nil && p.IsDelayed(s.DB.Now()) {
		text += fmt.Sprintf("\nchanges of Social that are not yet in all calendars: %d, after an error: %d", p.Changes, p.Failed)
	}
	return writeText(w, text)
}

func (s *Server) getServiceReady(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	name := r.PathValue("service")
	if !slices.Contains(ServiceNames, name) {
		return httpd.ErrNotFound
	}
	if s.Hosted[name].IsOff() {
		return httpd.ErrServiceOff
	}
	if err := s.checkDatabase(r); err != nil {
		return err
	}
	return writeText(w, name+" "+string(s.Hosted[name].State()))
}

// checkDatabase returns an error if the database is known to be damaged or does not
// respond.
func (s *Server) checkDatabase(r *http.Request) error {
	if s.DB.Damage() != nil { // the cause has been logged
		return svc.Errorf(svc.ServiceUnavailable, "The database file is damaged. Run appliance doctor, then restore a backup (appliance help backups).")
	}
	err := s.DB.Read(r.Context(), func(*store.Tx) error { return nil })
	if err != nil {
		return svc.Errorf(svc.ServiceUnavailable, "The database does not respond. Try again in a moment.").WithCause(err)
	}
	return nil
}

// minFreeSpace is the free disk space that the server needs to be ready, in bytes. It is
// more than a large write, so that monitoring warns before the first write fails.
const minFreeSpace = 16 << 20

// checkDisk returns an error if the disk of the data directory is full.
func (s *Server) checkDisk() error {
	_, free, err := store.FileSystem(s.Settings.Data)
	if err == nil && free < minFreeSpace {
		return svc.Errorf(svc.ServiceUnavailable, "The disk of the server is full (%d MB free, %d MB needed). Reading works; writing fails.", free>>20, minFreeSpace>>20)
	}
	return nil // other errors are not about space
}

// writeText writes a line of plain text.
func writeText(w http.ResponseWriter, line string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintln(w, line)
	return nil
}
