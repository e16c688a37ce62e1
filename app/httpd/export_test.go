package httpd

import (
	"log"
	"log/slog"
	"net/http"
	"reflect"
	"strings"

	"appliance/app/limits"
	"appliance/svc"
)

// Exports for external tests.

const (
	MaxUnauthenticatedBody = maxUnauthenticatedBody
	DeadlineBytes          = deadlineBytes
)

func (s *Server) Reads() *limits.Concurrency                { return s.reads }
func (s *Server) SetReads(c *limits.Concurrency)            { s.reads = c }
func (s *Server) Memory() *limits.Concurrency               { return s.memory }
func (s *Server) SetMemory(c *limits.Concurrency)           { s.memory = c }
func (s *Server) SetTranslations(c *limits.Concurrency)     { s.translations = c }
func (s *Server) Previews() *limits.Concurrency             { return s.previews }
func (s *Server) SetPreviews(c *limits.Concurrency)         { s.previews = c }
func (s *Server) Sending() *limits.Concurrency              { return s.sending }
func (s *Server) SetSending(c *limits.Concurrency)          { s.sending = c }
func (s *Server) Uploads() *limits.Concurrency              { return s.uploads }
func (s *Server) SetUploads(c *limits.Concurrency)          { s.uploads = c }
func (s *Server) SetInProgress(c *limits.CountLimiter)      { s.inProgress = c }
func NewErrorLog(to *slog.Logger) *log.Logger               { return log.New(errorLog{to}, "", 0) }
func (s *Server) Hosted(name string) HostedService          { return s.hosted[name] }
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

// RequestTypes returns the types of the request bodies of the routes that the OpenAPI
// document describes, by pattern.
func (s *Server) RequestTypes() map[string]reflect.Type {
	types := make(map[string]reflect.Type)
	for _, rt := range s.routes() {
		if isDescribed(rt) && rt.doc.sameAs == "" && fieldsOfRequest(rt.doc.input).hasBody {
			types[rt.Pattern] = rt.doc.input
		}
	}
	return types
}

// ServicePaths returns the path of the same route for clients with the service key, by the
// pattern of the route for members.
func (s *Server) ServicePaths() map[string]string {
	paths := make(map[string]string)
	for _, o := range s.operations() {
		if rts := o.routes(s); len(rts) > 1 && rts[1].Access == OnBehalf {
			_, paths[rts[0].Pattern], _ = strings.Cut(rts[1].Pattern, " ")
		}
	}
	return paths
}
