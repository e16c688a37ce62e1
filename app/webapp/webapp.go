package webapp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"appliance/app/config"
	"appliance/app/httpd"
	"appliance/app/pages"
	"appliance/assets"
	"appliance/svc"
	"appliance/svc/words"
)

// entryModule is the module of the web app that its page loads.
const entryModule = "main.js"

// entryStyles are the style sheets that the page of the web app needs after its first paint.
var entryStyles = []string{"app.css", "parts/parts.css"}

// workerScript is the service worker of the web app.
const workerScript = "worker.js"

// workerPolicy is the Content-Security-Policy of the service worker, which only requests
// files and pictures of this server.
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'"

// webPolicy is the Content-Security-Policy of the web app: scripts, styles and requests of
// this server only, nothing inline, no framing. Images may also be data that the app itself
// has made, such as the preview of a picture before its upload.
const webPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Server serves the web app.
type Server struct {
	*httpd.Server
	settings *config.Settings
	files    webFiles

	mu   sync.Mutex
	name string // of the server, in app
	app  *app
}

// New returns a Server whose handlers run in server.
func New(server *httpd.Server, settings *config.Settings) (*Server, error) {
	s := &Server{Server: server, settings: settings}
	a, err := s.currentApp()
	if err != nil {
		return nil, err
	}
	s.files = a.webFiles
	return s, nil
}

// currentApp returns the app with the current name of the server, which the set-up changes.
func (s *Server) currentApp() (*app, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name := s.settings.Title(); s.app == nil || name != s.name {
		a, err := newApp(s.settings.URL(), name)
		if err != nil {
			return nil, err
		}
		s.app, s.name = a, name
	}
	return s.app, nil
}

// Routes returns the routes of the web app.
func (s *Server) Routes() []httpd.Route {
	return []httpd.Route{
		{Access: httpd.Public, Pattern: "GET /app", Handle: s.redirectToWebApp, Page: true},
		{Access: httpd.Public, Pattern: "GET /app/", Handle: s.getWebApp, Page: true},
		{Access: httpd.Public, Pattern: "GET /app/worker.js", Handle: s.getServiceWorker},
		{Access: httpd.Public, Pattern: "GET /app/manifest.webmanifest", Handle: s.getManifest},
		{Access: httpd.Public, Pattern: "GET /app/icons/{name}", Handle: s.getAppIcon},
		{Access: httpd.Public, Pattern: "GET /assets/app/{version}/{name...}", Handle: s.getWebFile},
	}
}

// AssetsPath returns the path of the files of the web app, relative to base-url.
func (s *Server) AssetsPath() string { return s.files.path("") }

// app is the web app: one page and the files in assets/web. The path of a file contains
// the version, a hash of all files, so that a page never mixes modules of two versions.
// The page contains nothing about a member and is the same for all: the app signs in with
// the session cookie, which scripts cannot read, and keeps no token.
type app struct {
	webFiles
	page   []byte
	etag   string // of the page
	worker webFile
}

// webFiles are the files of the web app, which all settings share: the embedded files, with chunks in place of the
// modules.
type webFiles struct {
	version string
	files   map[string]webFile
}

// webFile is a file of the web app.
type webFile struct {
	mediaType string
	text      []byte
	etag      string
	gzip      func() []byte // the text, compressed at the first call
}

func newWebFile(mediaType string, text []byte) webFile {
	return webFile{mediaType, text, weakETag(text), sync.OnceValue(func() []byte { return httpd.GzipBest(text) })}
}

// webMediaTypes are the media types of files by their extensions. The table of the
// machine, which net/http uses, differs between machines.
var webMediaTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".ico": "image/x-icon", ".png": "image/png",
	".webmanifest": "application/manifest+json", ".json": "application/json",
}

// loadWebFiles reads the files of the web app. They are part of the program, so it reads
// them once.
var loadWebFiles = sync.OnceValues(readWebFiles)

// readWebFiles reads and joins the files of the web app.
func readWebFiles() (f webFiles, err error) {
	root, err := fs.Sub(assets.Files, "web")
	if err != nil {
		return f, err
	}
	f.files = make(map[string]webFile)
	add := func(name string, text []byte) error {
		mediaType, ok := webMediaTypes[path.Ext(name)]
		if !ok {
			return fmt.Errorf("assets/web/%s has an unknown media type", name)
		}
		f.files[name] = newWebFile(mediaType, text)
		return nil
	}
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		switch path.Ext(name) {
		case ".js":
			text = compactScript(text)
		case ".css":
			text = compactStyles(text)
		}
		return add(name, text)
	})
	if err != nil {
		return f, err
	}
	texts, err := words.AppFiles()
	if err != nil {
		return f, err
	}
	for name, text := range texts {
		if err := add("words/"+name, text); err != nil {
			return f, err
		}
	}
	if err := f.joinModules(entryModule, pages.SignedOutScript, pages.SignOutScript); err != nil {
		return f, err
	}
	all := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		fmt.Fprintf(all, "%s %d\n", name, len(f.files[name].text))
		all.Write(f.files[name].text)
	}
	f.version = hex.EncodeToString(all.Sum(nil)[:8])
	return f, nil
}

// joinModules replaces the modules that the entry modules of pages import by chunks.
func (f webFiles) joinModules(entries ...string) error {
	joined, chunks := make(map[string]module), make(map[string][]byte)
	textOf := func(name string) ([]byte, error) {
		if file, ok := f.files[name]; ok {
			return file.text, nil
		}
		return nil, fmt.Errorf("assets/web/%s: %w", name, fs.ErrNotExist)
	}
	for _, entry := range entries {
		g, err := newGraph(entry, textOf)
		if err != nil {
			return err
		}
		maps.Copy(joined, g.modules)
		maps.Copy(chunks, g.join())
	}
	for name := range joined {
		delete(f.files, name)
	}
	for name, text := range chunks {
		f.files[name] = newWebFile(webMediaTypes[path.Ext(name)], text)
	}
	return nil
}

// newApp renders the page of the web app. base is base-url, name that of the server.
func newApp(base *url.URL, name string) (*app, error) {
	files, err := loadWebFiles()
	if err != nil {
		return nil, err
	}
	a := &app{webFiles: files}
	noScript, err := noScript(base)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err = pages.ExecuteTemplate(&page, words.English, "app", map[string]any{
		"Base": base.Path, "Name": name, "NoScript": noScript, "GroundLight": groundLight, "GroundDark": groundDark, "Assets": a.path(""), "Entry": entryModule,
		"Styles": entryStyles, "Languages": words.Tags,
	})
	if err != nil {
		return nil, err
	}
	a.page, a.etag = page.Bytes(), weakETag(page.Bytes())
	a.worker, err = a.newWorker(base.Path)
	return a, err
}

// noScript returns the content that the page of the web app shows without JavaScript, in each
// language.
func noScript(base *url.URL) (list []template.HTML, err error) {
	for _, l := range words.Languages() {
		var text strings.Builder
		if err := pages.ExecuteTemplate(&text, l, "no-script", base.Path); err != nil {
			return nil, err
		}
		list = append(list, template.HTML(text.String()))
	}
	return list, nil
}

// newWorker returns the service worker with the list of files that it stores: the page and
// the files of the current version, without those of the other pages of the server. Its text
// is different in each version, so a browser that has the worker of another version replaces
// it.
func (a *app) newWorker(base string) (webFile, error) {
	var files []string
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		isOther := name == workerScript || name == "pages.css" || slices.Contains(pages.Scripts, name) || strings.HasPrefix(name, "icons/")
		if !isOther {
			files = append(files, base+a.path(name))
		}
	}
	constants, err := json.Marshal(map[string]any{
		"version": strings.Trim(a.etag, `W/"`), "base": base, "page": base + "/app/", "assets": base + a.path(""), "files": files,
	})
	file := a.files[workerScript]
	return newWebFile(file.mediaType, slices.Concat([]byte("const APP = "), constants, []byte(";\n"), file.text)), err
}

// weakETag returns the ETag of a text. It is weak, because the response may be compressed.
func weakETag(text []byte) string {
	sum := sha256.Sum256(text)
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}

// path returns the path of a file, relative to base-url.
func (f webFiles) path(name string) string { return "/assets/app/" + f.version + "/" + name }

// getWebApp serves the page of the web app, for every path below /app: the app itself
// shows the content of the path. The page names the files of the current version, so it is
// cached but revalidated by each request.
func (s *Server) getWebApp(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	a, err := s.currentApp()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", webPolicy)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", a.etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.page))
	return nil
}

// getServiceWorker serves the service worker. Its path is below /app/, because a service worker
// controls only pages below its own directory.
func (s *Server) getServiceWorker(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	a, err := s.currentApp()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Security-Policy", workerPolicy)
	h.Set("Cache-Control", "no-cache")
	serveWebFile(w, r, a.worker)
	return nil
}

// getWebFile serves a file of the web app, which can be cached forever. Files of other
// versions do not exist: an app that is older than the server loads its page again.
func (s *Server) getWebFile(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	file, ok := s.files.files[r.PathValue("name")]
	if !ok || r.PathValue("version") != s.files.version {
		return httpd.ErrNotFound
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	serveWebFile(w, r, file)
	return nil
}

// serveWebFile serves a file of the web app. The caller sets Cache-Control.
func serveWebFile(w http.ResponseWriter, r *http.Request, file webFile) {
	h, text := w.Header(), file.text
	h.Set("Content-Type", file.mediaType)
	h.Set("ETag", file.etag)
	if httpd.WantsGzip(r, file.mediaType, len(text)) {
		text = file.gzip()
		h.Add("Vary", "Accept-Encoding")
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(text))) // ServeContent sets it only without an encoding
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// redirectToWebApp adds the final slash to the address of the web app.
func (s *Server) redirectToWebApp(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	s.Redirect(w, r, httpd.WebAppPath)
	return nil
}
