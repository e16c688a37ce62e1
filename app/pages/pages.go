package pages

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"html/template"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"appliance/app/account"
	"appliance/app/authlog"
	"appliance/app/config"
	"appliance/app/httpd"
	"appliance/app/manual"
	"appliance/app/setup"
	"appliance/assets"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// Dependencies are the services and settings that the pages need.
type Dependencies struct {
	Settings *config.Settings
	Log      *slog.Logger
	DB       *store.DB
	Identity *identity.Service
	Accounts *account.Service
	Setup    *setup.Setup
	SignIns  *authlog.Log

	Certificate func() *tls.Certificate // nil without a certificate
	Assets      string                  // path of the files of the web app, relative to base-url
}

// Server serves the pages. Authentication, limits and errors are those of [httpd.Server].
type Server struct {
	*httpd.Server
	Dependencies
	pages *pages
}

// New returns a Server whose handlers run in server.
func New(server *httpd.Server, d Dependencies) (*Server, error) {
	p, err := loadPages()
	return &Server{server, d, p}, err
}

// pages renders the HTML pages.
type pages struct {
	templates map[words.Language]*template.Template // by language without a region
	manual    map[string]manualPage
}

// Routes returns the routes of the pages.
func (s *Server) Routes() []httpd.Route {
	return []httpd.Route{
		{Access: httpd.Public, Pattern: "GET /{$}", Handle: s.redirectHome, Page: true, Traits: httpd.Traits{ChecksAddress: true}},
		{Access: httpd.Public, Pattern: "GET /favicon.ico", Handle: s.getIcon},
		{Access: httpd.Public, Pattern: "GET /login", Handle: s.redirectHome, Page: true, Traits: httpd.Traits{ChecksAddress: true}},
		{Access: httpd.Public, Pattern: "GET /help/{$}", Handle: s.getManual, Page: true},
		{Access: httpd.Public, Pattern: "GET /help/{topic}", Handle: s.getManual, Page: true},
		{Access: httpd.Public, Pattern: "GET /setup", Handle: s.getSetup, Page: true, Traits: httpd.Traits{Secret: true, ChecksAddress: true}},
		{Access: httpd.Public, Pattern: "POST /setup", Handle: s.postSetup, Page: true},
		{Access: httpd.Public, Pattern: "GET /world/login", Handle: s.getLogin, Page: true, Traits: httpd.Traits{Secret: true, ChecksAddress: true}},
		{Access: httpd.Public, Pattern: "POST /world/login", Handle: s.postLogin, Page: true, Traits: httpd.Traits{Reserve: true}},
		{Access: httpd.Public, Pattern: "POST /world/login/second-factor", Handle: s.postChallenge, Page: true, Traits: httpd.Traits{Reserve: true}},
		{Access: httpd.Public, Pattern: "GET /world/login/done", Handle: s.getLoginDone, Page: true, Traits: httpd.Traits{Secret: true}},
		{Access: httpd.Public, Pattern: "POST /world/logout", Handle: s.postLogout, Page: true, Traits: httpd.Traits{Reserve: true}},
		{Access: httpd.Public, Pattern: "GET /world/register", Handle: s.getRegister, Page: true, Traits: httpd.Traits{Secret: true, ChecksAddress: true}},
		{Access: httpd.Public, Pattern: "POST /world/register", Handle: s.postRegister, Page: true},
		{Access: httpd.Public, Pattern: "GET /world/invite/{code}", Handle: s.getRegister, Page: true, Traits: httpd.Traits{Secret: true, ChecksAddress: true}},
		{Access: httpd.Public, Pattern: "POST /world/invite/{code}", Handle: s.postRegister, Page: true},
		{Access: httpd.Public, Pattern: "GET /world/device/{code}", Handle: s.getDeviceSetup, Page: true, Traits: httpd.Traits{Secret: true}},
		{Access: httpd.Public, Pattern: "POST /world/device/{code}", Handle: s.postDeviceSetup, Page: true},
		{Access: httpd.Public, Pattern: "GET /world/reset/{code}", Handle: s.getReset, Page: true, Traits: httpd.Traits{Secret: true, ChecksAddress: true}},
		{Access: httpd.Public, Pattern: "POST /world/reset/{code}", Handle: s.postReset, Page: true},
		{Access: httpd.Member, Pattern: "GET " + httpd.AccountPath, Handle: s.getAccount, Page: true, Traits: httpd.Traits{Secret: true, Enrollment: true}},
		{Access: httpd.Member, Pattern: "POST " + httpd.AccountPath, Handle: s.postAccount, Page: true, Traits: httpd.Traits{Enrollment: true}},
	}
}

type manualPage struct {
	title string
	body  template.HTML
}

// page is the data of a template. Its texts are in its language.
type page struct {
	Language  words.Language
	Title     string
	Heading   string           // in place of Title; "" for Title
	Lead      string           // below the heading of a page with one card; "" for Name
	Wide      bool             // the card has two columns of fields
	Member    *identity.Member // the signed-in member, if the page shows it
	Problem   string           // error message about the submitted form
	Done      string           // success message about the submitted form
	Form      *form
	Account   *accountView
	Challenge *challengeView
	Device    *deviceView
	HasTheme  bool // the page has the appearance that the member has chosen in the web app
	Address   *addressView
	Secure    string // address of the server, in a page that seems to be open without HTTPS; "" for none
	Script    string // name of a script in assets/web; "" for none
	Body      string
	Command   string // to run on the machine of the server, below Body
	RequestID string // of an error, for the operator
	Links     []link
	Manual    template.HTML
	Contents  []contents // of the manual
	Current   string     // of the links in Contents, the one to this page

	// Set by render.
	Base   string // path of base-url
	Name   string // of the server
	Assets string // path of the files of the web app
}

type link struct{ Href, Label string }

// contents are the links to the topics of the manual for an audience.
type contents struct {
	Heading manual.Audience
	Links   []link
}

// form is a form with one button.
type form struct {
	Action string
	Hidden []field
	Fields []field
	Note   string // above the button
	Button string
	Foot   []string // below the card
	Links  []link

	AsksToStay      bool // the form asks whether the session outlasts the browser
	EndsWithBrowser bool // the answer to correct: it does not
}

type field struct {
	Name, Label, Note string
	Type              string // type attribute
	Value             string
	Complete          string // autocomplete attribute
	Required          bool
	Bad               bool     // the value was rejected
	Focus             bool     // the field has the focus when the page opens
	Fixed             bool     // the value cannot be changed
	Hint              string   // below the input
	Half              bool     // beside another field, if there is room
	Timezones         []string // choices of a time zone; the other fields of an input are ignored
}

// The scripts of pages, in assets/web.
const (
	PasskeyScript   = "passkey.js"
	SignedOutScript = "signedout.js"
	SignOutScript   = "signout.js" // of pages with a button that signs out
	TimezoneScript  = "timezones.js"
)

// Scripts are the scripts of pages, which the web app does not use.
var Scripts = []string{PasskeyScript, SignedOutScript, SignOutScript, TimezoneScript}

// loadPages parses the embedded templates for each language and renders the manual. They
// are part of the program, so it does so once.
var loadPages = sync.OnceValues(func() (*pages, error) {
	p := &pages{manual: make(map[string]manualPage), templates: make(map[words.Language]*template.Template)}
	for _, l := range words.Languages() {
		t, err := template.New("").Funcs(textFunctions(l)).ParseFS(assets.Files, "pages/*.html")
		if err != nil {
			return nil, err
		}
		p.templates[l] = t
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
		text := strings.ReplaceAll(b.String(), "<pre>", `<pre tabindex="0">`) // long lines are scrolled by the keyboard
		p.manual[topic.Name] = manualPage{topic.Title, template.HTML(text)}
	}
	return p, nil
})

// ExecuteTemplate writes one of the embedded templates, with texts in the language l.
func ExecuteTemplate(w io.Writer, l words.Language, name string, data any) error {
	p, err := loadPages()
	if err != nil {
		return err
	}
	return p.templates[l.WithoutRegion()].ExecuteTemplate(w, name, data)
}

// textFunctions are the functions with which templates show texts in the language l. Their
// first argument is the English text.
func textFunctions(l words.Language) template.FuncMap {
	return template.FuncMap{
		"text":  l.Text,
		"textf": l.Textf,
		"lang":  func() string { return l.Tag().String() },

		// The part of the text between [ and ] is a link.
		"linked": func(english string, href any) markedText {
			before, rest, _ := strings.Cut(l.Text(english), "[")
			label, after, _ := strings.Cut(rest, "]")
			return markedText{before, label, after, href}
		},

		// The argument, in place of %s, is code.
		"coded": func(english, code string) markedText {
			before, after, _ := strings.Cut(l.Text(english), "%s")
			return markedText{Before: before, Marked: code, After: after}
		},
	}
}

// markedText is a text with one part that has an element of its own, for the templates
// "linked" and "coded".
type markedText struct {
	Before, Marked, After string

	Href any // a string, or a template.URL
}

// pagePolicy is the Content-Security-Policy of pages: no scripts, nothing from
// other origins, no framing. Images are needed for the icons. A page with a script also
// gets scriptPolicy.
const (
	pagePolicy   = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	scriptPolicy = "; script-src 'self'"
)

// pageLanguage returns the language of a page for v. A public page does not require a
// session, but is in the language of the member if the browser has one.
func (s *Server) pageLanguage(r *http.Request, v svc.Viewer) words.Language {
	if token := account.Credential(r); v.Member() == 0 && token != "" {
		_ = s.DB.Lookup(r.Context(), func(tx *store.Tx) error { // without a valid session, the browser decides
			c, err := s.Identity.Authenticate(tx, token)
			if err == nil {
				v = c.Viewer
			}
			return err
		})
	}
	return httpd.Language(r, v)
}

// render writes a page in its language.
func (s *Server) render(w http.ResponseWriter, status int, name string, p page) error {
	base := s.Settings.URL()
	p.Base, p.Name, p.Assets = base.Path, s.Settings.Title(), base.Path+s.Assets
	policy := pagePolicy
	if p.Script != "" || p.HasTheme {
		policy += scriptPolicy
	}
	var b bytes.Buffer
	if err := ExecuteTemplate(&b, p.Language, name, p); err != nil {
		return fmt.Errorf("rendering %s: %w", name, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	httpd.SetPrivate(h)
	if p.Member == nil {
		h.Add("Vary", "Accept-Language")
	}
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
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

// getIcon serves the icon that browsers show beside the title of a page.
func (s *Server) getIcon(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	w.Header().Set("Cache-Control", "public, max-age=86400")
	w.Header().Set("Content-Type", "image/x-icon") // the media type is not known to every machine
	http.ServeFileFS(w, r, assets.Files, "web/favicon.ico")
	return nil
}

// getManual serves a topic of the manual, which is in English. Without a topic it serves the
// first one for members, or for operators if the browser has the session of one.
func (s *Server) getManual(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	groups := manual.Groups(s.isOperator(r))
	name := r.PathValue("topic")
	if name == "" {
		name = groups[0].Names[0]
	}
	m, ok := s.pages.manual[name]
	if !ok {
		return httpd.ErrNotFound
	}
	p := page{Language: words.English, Title: m.title, HasTheme: true, Manual: m.body, Current: "/help/" + name}
	for _, g := range groups {
		c := contents{Heading: g.Audience}
		for _, name := range g.Names {
			c.Links = append(c.Links, link{"/help/" + name, s.pages.manual[name].title})
		}
		p.Contents = append(p.Contents, c)
	}
	return s.render(w, http.StatusOK, "manual", p)
}

// isOperator reports whether the request has a valid session of an operator.
func (s *Server) isOperator(r *http.Request) (is bool) {
	token := account.Credential(r)
	if token == "" {
		return false
	}
	_ = s.DB.Lookup(r.Context(), func(tx *store.Tx) error { // without a valid session, the reader is no operator
		c, err := s.Identity.Authenticate(tx, token)
		if err != nil {
			return err
		}
		me, err := s.Identity.Me(tx, c.Viewer)
		is = me.Member.IsOperator
		return err
	})
	return is
}
