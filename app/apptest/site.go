package apptest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"appliance/app/config"
)

// Site is a web site on a port of this machine, for previews.
type Site struct {
	URL string

	mu       sync.Mutex
	pages    map[string]sitePage // by path
	requests map[string]int      // by path
}

type sitePage struct {
	status      int
	contentType string
	body        string
}

// NewSite starts a site without pages.
func NewSite(t testing.TB) *Site {
	t.Helper()
	s := &Site{pages: make(map[string]sitePage), requests: make(map[string]int)}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		p, ok := s.pages[r.URL.Path]
		s.requests[r.URL.Path]++
		s.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", p.contentType)
		if p.status >= 300 && p.status < 400 {
			w.Header().Set("Location", p.body)
		}
		w.WriteHeader(p.status)
		io.WriteString(w, p.body)
	}))
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// SetPage sets the HTML at a path.
func (s *Site) SetPage(path, html string) {
	s.Set(path, http.StatusOK, "text/html; charset=utf-8", html)
}

// Set sets the response at a path. The body of a redirect is its target.
func (s *Site) Set(path string, status int, contentType, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = sitePage{status, contentType, body}
}

// Requests returns the number of requests for a path.
func (s *Site) Requests(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[path]
}

// AllowSite permits the server to read the pages of a site on this machine.
func AllowSite(site *Site) func(*config.Settings) {
	return func(s *config.Settings) {
		s.FetchAllowHosts = append(s.FetchAllowHosts, strings.TrimPrefix(site.URL, "http://"))
	}
}

// Preview translates the page of a surface.
func (c *Client) Preview(surface, body string) *Answer {
	c.T.Helper()
	return c.Do("POST", fmt.Sprintf("%s%s/translate", SurfacesPath, surface), body)
}
