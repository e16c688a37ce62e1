package httpd

import (
	"log"
	"log/slog"
	"net/http"

	"appliance/app/limits"
	"appliance/svc"
)

// Exports for external tests.

const (
	MaxUnauthenticatedBody = maxUnauthenticatedBody
	DeadlineBytes          = deadlineBytes
)

func (s *Server) SetInProgress(c *limits.CountLimiter)      { s.inProgress = c }
func NewErrorLog(to *slog.Logger) *log.Logger               { return log.New(errorLog{to}, "", 0) }
func NewResponse(w http.ResponseWriter) http.ResponseWriter { return &response{ResponseWriter: w} }

// SetWork sets the limit of the work of a request, and what is called for each unit of it.
func (s *Server) SetWork(limit int64, charge func(key string) error) {
	s.maxWork, s.chargeWork = limit, charge
}

// HandlePublic and HandleMember add a route.
func (s *Server) HandlePublic(pattern string, h func(http.ResponseWriter, *http.Request) error) {
	s.handleTest(pattern, Public, h)
}

func (s *Server) HandleMember(pattern string, h func(http.ResponseWriter, *http.Request) error) {
	s.handleTest(pattern, Member, h)
}

func (s *Server) handleTest(pattern string, a Access, h func(http.ResponseWriter, *http.Request) error) {
	s.mux.Handle(pattern, s.serve(Route{Access: a, Handle: func(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error { return h(w, r) }}))
}
