package httpd

import (
	"net/http"
	"strings"
)

// proxyETagMarks deletes what reverse proxies add to the entity tag of a response
// that they compress: nginx makes it weak, Apache and Caddy add the encoding. No
// entity tag of this server ends with one of these suffixes.
var proxyETagMarks = strings.NewReplacer(`W/"`, `"`, `-gzip"`, `"`, `-br"`, `"`, `-zstd"`, `"`)

// restoreETags sets the entity tags in the conditional headers of a request from a
// trusted proxy to those that this server sent. The strong comparison of If-Match
// would fail otherwise (RFC 9110 §8.8.3.2), so a member could change nothing.
func (s *Server) restoreETags(r *http.Request) {
	if !s.proxies.Forwarded(r) {
		return
	}
	for _, name := range []string{"If-Match", "If-None-Match", "If"} {
		for i, value := range r.Header[name] {
			r.Header[name][i] = proxyETagMarks.Replace(value)
		}
	}
}
