package pages

import (
	"net/http"
	"net/url"

	"appliance/app/httpd"
	"appliance/svc"
	"appliance/svc/words"
)

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

// WriteErrorPage writes an error as a page. It redirects a member who must add
// a second factor to the page on which to add it.
func (s *Server) WriteErrorPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	e := s.Report(w, r, v, err)
	httpd.AbortPartial(w)
	if e.Code == svc.EnrollmentRequired {
		s.Redirect(w, r, httpd.AccountPath)
		return
	}
	code := httpd.Status(e)
	l := httpd.Language(r, v)
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
		s.Log.Error("rendering an error page", "err", err)
	}
}

// RedirectToLogin redirects an unauthenticated browser to the sign-in page, which redirects back
// after the sign-in.
func (s *Server) RedirectToLogin(w http.ResponseWriter, r *http.Request, err error) {
	s.Report(w, r, svc.Viewer{}, err)
	w.Header().Del("WWW-Authenticate")
	s.Redirect(w, r, loginURL(r))
}

// loginURL returns the path of the sign-in page that redirects back to the address of a GET
// request, or to the account page after another request.
func loginURL(r *http.Request) string {
	back := httpd.AccountPath
	if r.Method == http.MethodGet {
		back = r.URL.Path
	}
	return "/world/login?return_to=" + url.QueryEscape(back)
}
