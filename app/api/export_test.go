package api

import (
	"reflect"
	"strings"

	"appliance/app/httpd"
	"appliance/app/limits"
)

// Exports for external tests.

func (s *Server) SetTranslations(c *limits.Concurrency) { s.translations = c }
func (s *Server) Previews() *limits.Concurrency         { return s.previews }
func (s *Server) SetPreviews(c *limits.Concurrency)     { s.previews = c }
func (s *Server) Sending() *limits.Concurrency          { return s.pictureSends }
func (s *Server) SetSending(c *limits.Concurrency)      { s.pictureSends = c }
func (s *Server) Uploads() *limits.Concurrency          { return s.uploads }
func (s *Server) SetUploads(c *limits.Concurrency)      { s.uploads = c }

// RequestTypes returns the types of the request bodies of the routes that the OpenAPI
// document describes, by pattern.
func (s *Server) RequestTypes() map[string]reflect.Type {
	types := make(map[string]reflect.Type)
	for _, rt := range s.operationRoutes() {
		if isDescribed(rt) && rt.sameAs == "" && fieldsOfRequest(rt.input).hasBody {
			types[rt.Pattern] = rt.input
		}
	}
	return types
}

// Input is the type of the request of an operation.
type Input struct {
	Pattern         string
	Type            reflect.Type
	NeedsServiceKey bool
}

// Inputs returns the types of the requests of all operations.
func (s *Server) Inputs() (list []Input) {
	for _, o := range s.operations() {
		rt := o.routes(s)[0]
		list = append(list, Input{rt.Pattern, rt.input, rt.NeedsServiceKey()})
	}
	return list
}

// ServicePaths returns the path of the same route for clients with the service key, by the
// pattern of the route for members.
func (s *Server) ServicePaths() map[string]string {
	paths := make(map[string]string)
	for _, o := range s.operations() {
		if rts := o.routes(s); len(rts) > 1 && rts[1].Access == httpd.OnBehalf {
			_, paths[rts[0].Pattern], _ = strings.Cut(rts[1].Pattern, " ")
		}
	}
	return paths
}
