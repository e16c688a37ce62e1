package webapp

import (
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"

	"appliance/app/httpd"
	"appliance/svc"
	"appliance/svc/hostname"
)

// Colors of the frame that a system draws around the installed app: --ground of tokens.css.
const (
	groundLight = "#fbfaf8"
	groundDark  = "#16181b"
)

// appManifest is the description with which a browser installs the web app (W3C Web
// Application Manifest).
type appManifest struct {
	ID              string    `json:"id"`
	Name            string    `json:"name"`
	ShortName       string    `json:"short_name"`
	StartURL        string    `json:"start_url"`
	Scope           string    `json:"scope"`
	Display         string    `json:"display"`
	ThemeColor      string    `json:"theme_color"`
	BackgroundColor string    `json:"background_color"`
	Icons           []appIcon `json:"icons"`
}

type appIcon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose"`
}

// newAppManifest returns the manifest of the web app. Its URLs contain no version: a new
// version of an installed app is then the same app. The short name of a server that is named
// after its host is the first label of the host.
func newAppManifest(base *url.URL, name string) appManifest {
	home := base.Path + httpd.WebAppPath
	m := appManifest{
		ID: home, Name: name, ShortName: name, StartURL: home, Scope: home,
		Display: "standalone", ThemeColor: groundLight, BackgroundColor: groundLight,
	}
	if name == hostname.Display(base.Hostname()) && net.ParseIP(name) == nil {
		m.ShortName, _, _ = strings.Cut(name, ".")
	}
	for _, purpose := range []string{"any", "maskable"} {
		for _, size := range []string{"192", "512"} {
			m.Icons = append(m.Icons, appIcon{home + "icons/" + purpose + "-" + size + ".png", size + "x" + size, "image/png", purpose})
		}
	}
	return m
}

// getManifest serves the manifest of the web app.
func (s *Server) getManifest(w http.ResponseWriter, _ *http.Request, _ svc.Viewer) error {
	text, err := svc.EncodeJSON(newAppManifest(s.settings.URL(), s.settings.Title()))
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", webMediaTypes[".webmanifest"])
	h.Set("Cache-Control", "no-cache")
	_, _ = w.Write(text) // fails if the client has disconnected
	return nil
}

// getAppIcon serves an icon of the installed app, at a path without a version.
func (s *Server) getAppIcon(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	name := r.PathValue("name")
	file, ok := s.files.files["icons/"+name]
	if !ok || path.Ext(name) != ".png" {
		return httpd.ErrNotFound
	}
	w.Header().Set("Cache-Control", "public, max-age=86400")
	serveWebFile(w, r, file)
	return nil
}
