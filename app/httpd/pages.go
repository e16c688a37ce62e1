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
	assets    map[string]string // name of a file in assets/web → path, which contains its hash
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
	Given     url.Values       // of the submitted form, if they are to be corrected
	Form      *form
	Account   *account
	Calendars *calendarsView
	Challenge *challengeView
	Factor    *factorView
	Device    *deviceView
	Script    string // name of a script in assets/web; "" for none
	Body      string
	RequestID string // of an error, for the operator
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
	Bad               bool     // the value was rejected
	Timezones         []string // choices of a time zone; the other fields of an input are ignored
}

// The files of assets/web.
const (
	styleSheet     = "style.css"
	passkeyScript  = "passkey.js"
	timezoneScript = "timezones.js"
)

// loadPages parses the embedded templates and renders the manual.
func loadPages() (*pages, error) {
	t, err := template.ParseFS(assets.Files, "pages/*.html")
	if err != nil {
		return nil, err
	}
	p := &pages{templates: t, assets: make(map[string]string), manual: make(map[string]manualPage)}
	for _, name := range []string{styleSheet, passkeyScript, timezoneScript} {
		text, err := fs.ReadFile(assets.Files, "web/"+name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		p.assets[name] = "/assets/" + hex.EncodeToString(sum[:6]) + "/" + name
	}
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
// other origins, no framing. Images
// are needed for the icon. A page with a script also gets scriptPolicy.
const (
	pagePolicy   = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	scriptPolicy = "; script-src 'self'"
)

// render writes a page.
func (s *Server) render(w http.ResponseWriter, status int, name string, p page) error {
	p.Base, p.Host, p.Style = s.settings.URL().Path, s.settings.URL().Hostname(), s.pages.assets[styleSheet]
	policy := pagePolicy
	if p.Script != "" {
		p.Script, policy = s.pages.assets[p.Script], policy+scriptPolicy
	}
	var b bytes.Buffer
	if err := s.pages.templates.ExecuteTemplate(&b, name, p); err != nil {
		return fmt.Errorf("rendering %s: %w", name, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	setPrivate(h)
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}

// redirect redirects to a path of this server. The redirect is relative, so
// that the browser keeps the host name of its address.
func (s *Server) redirect(w http.ResponseWriter, r *http.Request, to string) {
	setPrivate(w.Header())
	http.Redirect(w, r, s.settings.URL().Path+to, http.StatusSeeOther)
}

// localPath returns to, the target of a redirect after sign-in, if it is a path
// of this server, or "" otherwise.
func localPath(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") ||
		strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/") && u.Path != "/" {
		return ""
	}
	return to
}

// getAsset serves a style sheet or a script. Its path contains its hash, so it can be
// cached forever.
func (s *Server) getAsset(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	name := path.Base(r.URL.Path)
	if s.pages.assets[name] != r.URL.Path {
		return errNotFound
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeFileFS(w, r, assets.Files, "web/"+name)
	return nil
}

// getIcon serves the icon that browsers show beside the title of a page.
func (s *Server) getIcon(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	w.Header().Set("Cache-Control", "public, max-age=86400")
	w.Header().Set("Content-Type", "image/x-icon") // the media type is not known to every machine
	http.ServeFileFS(w, r, assets.Files, "web/favicon.ico")
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
