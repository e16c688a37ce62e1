package httpd

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"appliance/svc"
	"appliance/svc/words"
)

// writeErrorFor writes an error as a page for a person with a browser, and as JSON
// for a program.
func (s *Server) writeErrorFor(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	if wantsPage(r) {
		s.writeErrorPage(w, r, v, err)
		return
	}
	s.WriteError(w, r, v, err)
}

// wantsPage reports whether a request is the navigation of a browser: it prefers HTML
// to JSON, and has none of the headers of programs.
func wantsPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.Header.Get("Authorization") != "" || r.Header.Get("X-Service-Runtime") != "" {
		return false
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return quality(accept, "text/html") > quality(accept, "application/json")
}

// namesValue reports whether an Accept or Accept-Encoding header names a value.
func namesValue(accept, value string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		if name, _, _ := strings.Cut(part, ";"); strings.EqualFold(strings.TrimSpace(name), value) {
			return true
		}
	}
	return false
}

// quality returns the weight that an Accept or Accept-Encoding header gives to a value
// by its name (RFC 9110 §12.4.2), 0 if it does not name the value. Wildcards do not
// match, because programs send them in Accept.
func quality(accept, value string) float64 {
	for part := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), value) {
			continue
		}
		for p := range strings.SplitSeq(parameters, ";") {
			if text, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(p)), "q="); ok {
				q, _ := strconv.ParseFloat(text, 64) // an invalid weight counts as 0
				return q
			}
		}
		return 1
	}
	return 0
}

// errorTitles are the titles of error pages.
var errorTitles = map[int]words.Word{
	http.StatusBadRequest:            "This request cannot be understood",
	http.StatusUnauthorized:          "Sign in first",
	http.StatusForbidden:             "Not allowed",
	http.StatusNotFound:              "Page not found",
	http.StatusMethodNotAllowed:      "This page cannot be opened",
	http.StatusRequestEntityTooLarge: "Too large",
	http.StatusTooManyRequests:       "Too many requests",
	http.StatusInternalServerError:   "The server failed",
	http.StatusServiceUnavailable:    "Not available at the moment",
	http.StatusInsufficientStorage:   "The disk of the server is full",
}

// writeErrorPage writes an error as a page. It redirects a member who must add
// a second factor to the page on which to add it.
func (s *Server) writeErrorPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	e := s.Report(w, r, v, err)
	AbortPartial(w)
	if e.Code == svc.EnrollmentRequired {
		s.redirect(w, r, accountPath)
		return
	}
	code := status[e.Code.Kind]
	l := Language(r, v)
	if code < http.StatusInternalServerError { // otherwise reading the session may fail, too
		l = s.pageLanguage(r, v)
	}
	p := page{Language: l, Title: l.Text(string(errorTitles[code])), Body: e.In(l).Message, Links: []link{{"/", l.Text("Home")}, {"/help/", l.Text("Help")}}}
	switch {
	case e.Code == svc.LinkExpired:
		p.Title = l.Text("This link is no longer valid")
	case p.Title == "":
		p.Title = l.Text("This is not possible")
	}
	if code == http.StatusUnauthorized {
		w.Header().Del("WWW-Authenticate") // browsers would show their own dialog
		p.Links[0] = link{loginURL(r), l.Text("Sign in")}
	}
	if code >= http.StatusInternalServerError {
		p.RequestID = w.Header().Get("X-Request-Id")
	}
	if err := s.render(w, code, "notice", p); err != nil {
		s.log.Error("rendering an error page", "err", err)
	}
}

// redirectToLogin redirects an unauthenticated browser to the sign-in page, which
// leads back.
func (s *Server) redirectToLogin(w http.ResponseWriter, r *http.Request, err error) {
	s.Report(w, r, svc.Viewer{}, err)
	w.Header().Del("WWW-Authenticate")
	s.redirect(w, r, loginURL(r))
}

// loginURL returns the path of the sign-in page that leads back to the address of a
// request, or to the account page from the result of a form.
func loginURL(r *http.Request) string {
	back := accountPath
	if r.Method == http.MethodGet {
		back = r.URL.Path
	}
	return "/world/login?return_to=" + url.QueryEscape(back)
}
