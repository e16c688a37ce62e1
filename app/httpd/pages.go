package httpd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"

	"appliance/app/manual"
	"appliance/assets"
	"appliance/svc"
	"appliance/svc/identity"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// pages renders the HTML pages.
type pages struct {
	templates *template.Template
	style     string // path of the style sheet, which contains its hash
	manual    map[string]manualPage
}

type manualPage struct {
	title string
	body  template.HTML
}

// page is the data of a template.
type page struct {
	Title     string
	Member    *identity.Member // the signed-in member, if the page shows it
	Problem   string           // error message about the submitted form
	Done      string           // success message about the submitted form
	Form      *form
	Account   *account
	Calendars *calendarsView
	Body      string
	Links     []link
	Manual    template.HTML

	// Set by render.
	Base  string // path of base-url
	Host  string
	Style string
}

type link struct{ Href, Label string }

// form is a form with one button.
type form struct {
	Action string
	Intro  string
	Hidden []field
	Fields []field
	Button string
	Links  []link
}

type field struct {
	Name, Label, Note string
	Type              string // type attribute
	Value             string
	Complete          string // autocomplete attribute
	Required          bool
	Bad               bool // the value was rejected
}

// loadPages parses the embedded templates and renders the manual.
func loadPages(base string) (*pages, error) {
	t, err := template.ParseFS(assets.Files, "pages/*.html")
	if err != nil {
		return nil, err
	}
	style, err := fs.ReadFile(assets.Files, "web/style.css")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(style)
	p := &pages{templates: t, style: "/assets/" + hex.EncodeToString(sum[:6]) + "/style.css", manual: make(map[string]manualPage)}
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table))
	for _, topic := range manual.Topics() {
		var b bytes.Buffer
		if topic.Verbatim {
			b.WriteString("<pre>" + template.HTMLEscapeString(topic.Text) + "</pre>")
		} else {
			_, text, _ := strings.Cut(topic.Text, "\n") // the page has its own title
			if err := markdown.Convert([]byte(text), &b); err != nil {
				return nil, fmt.Errorf("manual page %s: %w", topic.Name, err)
			}
		}
		p.manual[topic.Name] = manualPage{topic.Title, template.HTML(b.String())}
	}
	return p, nil
}

// pagePolicy is the Content-Security-Policy of pages: no scripts, nothing from
// other origins, no framing.
const pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// render writes a page.
func (s *Server) render(w http.ResponseWriter, status int, name string, p page) error {
	p.Base, p.Host, p.Style = s.settings.URL().Path, s.settings.URL().Hostname(), s.pages.style
	var b bytes.Buffer
	if err := s.pages.templates.ExecuteTemplate(&b, name, p); err != nil {
		return fmt.Errorf("rendering %s: %w", name, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	setPrivate(h)
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}

// writeErrorPage writes an error as a page. It redirects an unauthenticated
// client to the sign-in page, which leads back.
func (s *Server) writeErrorPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	e := s.report(w, r, v, err)
	if e.Code.Kind == svc.Anonymous {
		w.Header().Del("WWW-Authenticate")
		back := "/account"
		if r.Method == http.MethodGet {
			back = r.URL.Path
		}
		s.redirect(w, r, "/world/login?return_to="+url.QueryEscape(back))
		return
	}
	p := page{Title: http.StatusText(status[e.Code.Kind]), Body: e.Message, Links: []link{{"/account", "Your account"}}}
	if err := s.render(w, status[e.Code.Kind], "notice", p); err != nil {
		s.log.Error("rendering an error page", "err", err)
	}
}

// redirect redirects to a path of this server. The redirect is relative, so that
// the host name of the browser's address stays.
func (s *Server) redirect(w http.ResponseWriter, r *http.Request, to string) {
	setPrivate(w.Header())
	http.Redirect(w, r, s.settings.URL().Path+to, http.StatusSeeOther)
}

// localPath returns the target of a redirect after sign-in if it is a path of
// this server, otherwise "".
func localPath(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") ||
		strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/") && u.Path != "/" {
		return ""
	}
	return to
}

// getStyle serves the style sheet. Its path contains its hash, so it can be cached
// forever.
func (s *Server) getStyle(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	if r.URL.Path != s.pages.style {
		return errNotFound
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeFileFS(w, r, assets.Files, "web/style.css")
	return nil
}

// getManual serves a topic of the manual.
func (s *Server) getManual(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	name := r.PathValue("topic")
	if name == "" {
		name = "start"
	}
	m, ok := s.pages.manual[name]
	if !ok {
		return errNotFound
	}
	p := page{Title: m.title, Manual: m.body}
	for _, t := range manual.Topics() {
		p.Links = append(p.Links, link{"/help/" + t.Name, t.Title})
	}
	return s.render(w, http.StatusOK, "manual", p)
}
