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

// pages renders the few pages that need no runtime.
type pages struct {
	templates *template.Template
	style     string // path of the style sheet, with its hash
	manual    map[string]manualPage
}

type manualPage struct {
	title string
	body  template.HTML
}

// page is what a template gets.
type page struct {
	Title   string
	Member  *identity.Member // who is signed in, if the page shows it
	Problem string           // what went wrong with what was sent
	Done    string           // what went right
	Form    *form
	Account *account
	Shelf   *calendarShelf
	Body    string
	Links   []link
	Manual  template.HTML

	// Set by render.
	Base  string // path of base-url
	House string
	Style string
}

type link struct{ Href, Label string }

// form is one form with one button.
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
	Type              string // of the input
	Value             string
	Complete          string // its autocomplete attribute
	Required          bool
	Bad               bool // the server refused its value
}

// loadPages reads the templates and the manual. What is wrong with them is
// wrong with the program.
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
			_, text, _ := strings.Cut(topic.Text, "\n") // the title is the page's
			if err := markdown.Convert([]byte(text), &b); err != nil {
				return nil, fmt.Errorf("manual page %s: %w", topic.Name, err)
			}
		}
		p.manual[topic.Name] = manualPage{topic.Title, template.HTML(b.String())}
	}
	return p, nil
}

// pagePolicy lets a page be just that: no scripts, nothing from elsewhere, not
// inside another page (B-09).
const pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// render answers with a page.
func (s *Server) render(w http.ResponseWriter, status int, name string, p page) error {
	p.Base, p.House, p.Style = s.settings.URL().Path, s.settings.URL().Hostname(), s.pages.style
	var b bytes.Buffer
	if err := s.pages.templates.ExecuteTemplate(&b, name, p); err != nil {
		return fmt.Errorf("rendering %s: %w", name, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	private(h)
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}

// failPage answers a person with an error. Who must sign in is sent there,
// and comes back.
func (s *Server) failPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	e := s.explain(w, r, v, err)
	if e.Code.Kind == svc.Anonymous {
		w.Header().Del("WWW-Authenticate")
		back := "/account"
		if r.Method == http.MethodGet {
			back = r.URL.Path
		}
		s.redirect(w, r, "/world/login?return_to="+url.QueryEscape(back))
		return
	}
	p := page{Title: http.StatusText(status[e.Code.Kind]), Body: e.Message, Links: []link{{"/account", "To your account"}}}
	if err := s.render(w, status[e.Code.Kind], "notice", p); err != nil {
		s.log.Error("an error page failed", "err", err)
	}
}

// redirect sends the browser to another page of this server. The address is a
// path: whatever name the browser knows the server by stays.
func (s *Server) redirect(w http.ResponseWriter, r *http.Request, to string) {
	private(w.Header())
	http.Redirect(w, r, s.settings.URL().Path+to, http.StatusSeeOther)
}

// local returns where to go after signing in: a path of this server, never an
// address elsewhere.
func local(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") ||
		strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/") && u.Path != "/" {
		return ""
	}
	return to
}

// getStyle serves the style sheet under a name that changes with it.
func (s *Server) getStyle(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	if r.URL.Path != s.pages.style {
		return errNoSuchPath
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeFileFS(w, r, assets.Files, "web/style.css")
	return nil
}

// getManual serves a page of the manual.
func (s *Server) getManual(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	name := r.PathValue("topic")
	if name == "" {
		name = "start"
	}
	m, ok := s.pages.manual[name]
	if !ok {
		return errNoSuchPath
	}
	p := page{Title: m.title, Manual: m.body}
	for _, t := range manual.Topics() {
		p.Links = append(p.Links, link{"/help/" + t.Name, t.Title})
	}
	return s.render(w, http.StatusOK, "manual", p)
}
