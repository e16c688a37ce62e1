package webapp_test

import (
	"encoding/json"
	"fmt"
	"image/png"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/assets"
)

// linkedFile matches the address of a file of the web app in its page.
var linkedFile = regexp.MustCompile(`(?:href|src)="([^"]*/assets/app/[^"]+)"`)

// The page is the same for every path below /app and for every client: it contains
// nothing about a member. Nothing in it is inline, because its policy forbids that.
func TestPageOfTheWebApp(t *testing.T) {
	h := apptest.New(t)
	client, ann := h.Unauthenticated(), h.Member("ann")
	page := client.Do("GET", "/app/").Want(200)
	for _, path := range []string{"/app/in/time?view=week&date=2026-12-01", "/app/on/surface_social", "/app/at/wo_unknown", "/app/main.js", "/app/settings/devices"} {
		if got := ann.Do("GET", path).Want(200); got.Body != page.Body {
			t.Errorf("GET %s: got another page than /app/", path)
		}
	}
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
			"manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	} {
		if got := page.Header.Get(name); got != want {
			t.Errorf("got the header %s: %q, want %q", name, got, want)
		}
	}
	if inline := regexp.MustCompile(`(?i)<script(?:[^>]*[^>r][^>s][^>c]=)?>|<style|\sstyle=|\son[a-z]+=|javascript:`).FindString(page.Body); inline != "" {
		t.Errorf("got the inline code %q, want none", inline)
	}
	client.With("If-None-Match", page.Header.Get("ETag")).Do("GET", "/app/").Want(304)
	if head := client.Do("HEAD", "/app/in/time").Want(200); head.Body != "" || head.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("HEAD: got %q and %q, want no body and the headers of GET", head.Body, head.Header.Get("Content-Type"))
	}
	client.Do("POST", "/app/").Want(405)
}

// The page links all files relative to the path of base-url.
func TestPageOfTheWebAppLinksItsFiles(t *testing.T) {
	for _, base := range []string{"", "/home/garden"} {
		h := apptest.New(t, func(s *config.Settings) { s.BaseURL = "http://example.org" + base })
		client := h.Unauthenticated() // its paths are relative to base-url
		page := client.Do("GET", "/app/in/find").Want(200).Body
		files := linkedFile.FindAllStringSubmatch(page, -1)
		for _, match := range files {
			if !strings.HasPrefix(match[1], base+"/assets/app/") {
				t.Errorf("got the address %s, want one below %q", match[1], base)
			}
			client.Do("GET", strings.TrimPrefix(match[1], base)).Want(200)
		}
		for _, name := range []string{"/tokens.css", "/base.css", "/app.css", "/parts/parts.css", "/main.js"} {
			if !strings.Contains(page, name+`"`) {
				t.Errorf("below %q: got no link to %s", base, name)
			}
		}
		if want := `data-base="` + base + `"`; !strings.Contains(page, want) {
			t.Errorf("got a page without %s", want)
		}
		if got := client.Do("GET", "/app").Want(303).Header.Get("Location"); got != base+"/app/" {
			t.Errorf("got a redirect to %q, want %s/app/", got, base)
		}
	}
}

// A browser installs the app by its manifest, whose paths are below the path of base-url and
// stay the same from version to version.
func TestWebAppCanBeInstalled(t *testing.T) {
	for _, c := range []struct{ base, setting, name, shortName string }{
		{"http://garden.example.org", "", "garden.example.org", "garden"},
		{"http://example.org/home/garden", "", "example.org", "example"},
		{"http://192.168.1.10:8080", "", "192.168.1.10", "192.168.1.10"},
		{"http://garden.example.org", `Ann's "Garden" & <Café>`, `Ann's "Garden" & <Café>`, `Ann's "Garden" & <Café>`},
	} {
		base := c.base
		h := apptest.New(t, func(s *config.Settings) { s.BaseURL, s.ServerName = base, c.setting })
		client, root := h.Unauthenticated(), h.Settings.URL().Path
		page := client.Do("GET", "/app/").Want(200).Body
		for _, link := range []string{`<link rel="manifest" href="` + root + `/app/manifest.webmanifest">`, `<link rel="apple-touch-icon" href="` + root + `/app/icons/apple-touch-icon.png">`} {
			if !strings.Contains(page, link) {
				t.Errorf("%s: got a page without %s", base, link)
			}
		}
		a := client.Do("GET", "/app/manifest.webmanifest").Want(200)
		if got := a.Header.Get("Content-Type"); got != "application/manifest+json" {
			t.Errorf("got the type %s, want application/manifest+json", got)
		}
		a.WantValues("", map[string]any{
			"id": root + "/app/", "start_url": root + "/app/", "scope": root + "/app/", "name": c.name, "short_name": c.shortName, "display": "standalone",
		})
		purposes := make(map[string]bool)
		for _, icon := range a.List("icons") {
			path, size := apptest.At(icon, "src").(string), apptest.At(icon, "sizes").(string)
			if got := pngSize(t, client.Do("GET", strings.TrimPrefix(path, root))); !strings.HasPrefix(path, root+"/app/icons/") || got != size {
				t.Errorf("icon %s: got %s, want %s", path, got, size)
			}
			purposes[size+" "+apptest.At(icon, "purpose").(string)] = true
		}
		for _, want := range []string{"192x192 any", "192x192 maskable", "512x512 any", "512x512 maskable"} {
			if !purposes[want] {
				t.Errorf("got the icons %v, want %s", purposes, want)
			}
		}
		if got := pngSize(t, client.Do("GET", "/app/icons/apple-touch-icon.png")); got != "180x180" {
			t.Errorf("icon of Apple devices: got %s, want 180x180", got)
		}
		for _, missing := range []string{"/app/icons/unknown.png", "/app/icons/..%2fapp.css"} {
			client.Do("GET", missing).Want(404)
		}
	}
}

// pngSize returns the size of a PNG picture, such as "192x192".
func pngSize(t *testing.T, a *apptest.Answer) string {
	t.Helper()
	picture, err := png.DecodeConfig(strings.NewReader(a.Want(200).Body))
	if err != nil || a.Header.Get("Content-Type") != "image/png" || len(a.Body) > 8<<10 {
		t.Errorf("%s: got %d bytes of type %s, %v, want a small PNG picture", a.About, len(a.Body), a.Header.Get("Content-Type"), err)
	}
	return fmt.Sprintf("%dx%d", picture.Width, picture.Height)
}

// The theme colors in the page are the ground colors of tokens.css.
func TestPageOfTheWebAppNamesItsColors(t *testing.T) {
	tokens, err := fs.ReadFile(assets.Files, "web/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	page := apptest.New(t).Unauthenticated().Do("GET", "/app/").Want(200).Body
	grounds := regexp.MustCompile(`--ground: (#[0-9a-f]{6});`).FindAllSubmatch(tokens, 2)
	for i, scheme := range []string{"light", "dark"} {
		if want := fmt.Sprintf(`<meta name="theme-color" media="(prefers-color-scheme: %s)" content="%s">`, scheme, grounds[i][1]); !strings.Contains(page, want) {
			t.Errorf("got a page without %s", want)
		}
	}
}

// The path of a file contains a hash of all files: it can be cached forever, and files of
// another version do not exist.
func TestFilesOfTheWebApp(t *testing.T) {
	h := apptest.New(t)
	client := h.Unauthenticated()
	root := path.Dir(linkedFile.FindStringSubmatch(client.Do("GET", "/app/").Body)[1])
	types := map[string]string{
		".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".ico": "image/x-icon", ".png": "image/png",
		".webmanifest": "application/manifest+json",
	}
	eachWebFile(t, func(name, text string) {
		a := client.Do("GET", root+"/"+name)
		isCompact := path.Ext(name) == ".js" || path.Ext(name) == ".css"
		if path.Ext(name) == ".js" && a.Status == http.StatusNotFound { // the module is part of a chunk with another name
			return
		}
		if a.Want(200); a.Body != text && !isCompact {
			t.Errorf("%s: got another text than that of the file", name)
		}
		for header, want := range map[string]string{
			"Content-Type": types[path.Ext(name)], "Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff",
		} {
			if got := a.Header.Get(header); got != want || got == "" {
				t.Errorf("%s: got the header %s: %q, want %q", name, header, got, want)
			}
		}
		client.With("If-None-Match", a.Header.Get("ETag")).Do("GET", root+"/"+name).Want(304)
		if head := client.Do("HEAD", root+"/"+name).Want(200); head.Body != "" {
			t.Errorf("HEAD %s: got a body", name)
		}
	})
	eachWebFile(t, func(name, text string) {
		for _, match := range regexp.MustCompile(`url\("?([^")]+)"?\)`).FindAllStringSubmatch(text, -1) {
			if path.Ext(name) == ".css" && !strings.HasPrefix(match[1], "data:") {
				client.Do("GET", root+"/"+path.Join(path.Dir(name), match[1])).Want(200)
			}
		}
	})
	r, text, sent := apptest.SendAccepting(client, "gzip", "GET", root+"/app.css", "")
	if r.Header.Get("Content-Encoding") != "gzip" || sent > len(text)/3 || !strings.Contains(r.Header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("app.css: got %d of %d bytes, encoding %q, Vary %q, want gzip", sent, len(text), r.Header.Get("Content-Encoding"), r.Header.Get("Vary"))
	}
	for _, missing := range []string{root + "/unknown.js", root + "/", root + "/world", root + "/world/", "/assets/app/0000000000000000/app.css", "/assets/app/", "/assets/app"} {
		client.Do("GET", missing).Want(404)
	}
	for _, outside := range []string{"/../embed.go", "/%2e%2e/embed.go", "/..%2fpages/app.html"} {
		if got := client.Do("GET", root+outside); got.Status == http.StatusOK {
			t.Errorf("GET %s: got 200, want no file outside of the web app", outside)
		}
	}
}

// The service worker stores the page and its files. Browsers always revalidate it, and
// requests with other parameters get the same text.
func TestWorkerOfTheWebApp(t *testing.T) {
	for _, base := range []string{"", "/home/garden"} {
		h := apptest.New(t, func(s *config.Settings) { s.BaseURL = "http://example.org" + base })
		client := h.Unauthenticated() // its paths are relative to base-url
		worker := client.Do("GET", "/app/worker.js?member=1").Want(200)
		for name, want := range map[string]string{
			"Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self'",
		} {
			if got := worker.Header.Get(name); got != want {
				t.Errorf("got the header %s: %q, want %q", name, got, want)
			}
		}
		client.With("If-None-Match", worker.Header.Get("ETag")).Do("GET", "/app/worker.js").Want(304)
		var app struct {
			Version, Base, Page, Assets string
			Files                       []string
		}
		line, _, _ := strings.Cut(worker.Body, "\n")
		if err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimPrefix(line, "const APP = "), ";")), &app); err != nil {
			t.Fatalf("got the line %s, want constants: %v", line, err)
		}
		page := client.Do("GET", strings.TrimPrefix(app.Page, base)).Want(200)
		if app.Base != base || !strings.HasPrefix(app.Page, base+"/app/") || !strings.Contains(page.Header.Get("ETag"), app.Version) || app.Version == "" {
			t.Errorf("below %q: got the base %q, the page %q and the version %q, which is no part of its ETag %s", base, app.Base, app.Page, app.Version, page.Header.Get("ETag"))
		}
		if want := `data-assets="` + app.Assets + `"`; !strings.Contains(page.Body, want) {
			t.Errorf("below %q: got a page without %s", base, want)
		}
		for _, file := range app.Files {
			client.Do("GET", strings.TrimPrefix(file, base)).Want(200)
		}
		for _, match := range linkedFile.FindAllStringSubmatch(page.Body, -1) {
			if !slices.Contains(app.Files, match[1]) {
				t.Errorf("below %q: got no file %s, which the page links", base, match[1])
			}
		}
	}
}

// The app never interprets data as HTML or as code, and takes URLs from the server only.
//
func TestFilesOfTheWebAppAvoidUnsafeNames(t *testing.T) {
	unsafe := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\(|new Function|\.cssText|["'` + "`" + `]style["'` + "`" + `]|/world/`)
	eachWebFile(t, func(name, text string) {
		for number, line := range strings.Split(text, "\n") {
			imported := strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "} from ")
			if found := unsafe.FindString(line); found != "" && path.Ext(name) == ".js" && !imported {
				t.Errorf("%s:%d: got %s, want none", name, number+1, found)
			}
		}
	})
}

// The removal of comments and indentation relies on these properties of the files.
func TestFilesOfTheWebAppCanBeCompacted(t *testing.T) {
	eachWebFile(t, func(name, text string) {
		for i, line := range strings.Split(text, "\n") {
			isComment := strings.HasPrefix(strings.TrimSpace(line), "//")
			if path.Ext(name) == ".js" && !isComment && strings.Count(line, "`")%2 != 0 {
				t.Errorf("%s:%d: got a string that spans lines, want none", name, i+1)
			}
			if _, quoted, found := strings.Cut(line, `"`); path.Ext(name) == ".css" && found && strings.Contains(quoted, "/*") && strings.Contains(quoted[strings.Index(quoted, "/*"):], `"`) {
				t.Errorf("%s:%d: got a string with /*, want none", name, i+1)
			}
		}
	})
}

// The sheets of two areas must not have rules for the same class alone: which of them applies would depend on the
// order in which a member visits the areas.
func TestClassesHaveRulesInOneArea(t *testing.T) {
	rule := regexp.MustCompile(`(?m)^\t\.([\w-]+) \{`)
	sheets := make(map[string]string) // class → sheet of an area
	root, err := fs.Sub(assets.Files, "web")
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(root, "*/*.css")
	if err != nil || len(files) < 5 {
		t.Fatalf("got the sheets %q, %v", files, err)
	}
	for _, file := range files {
		if file == "parts/parts.css" { // loaded before all areas
			continue
		}
		text, err := fs.ReadFile(root, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range rule.FindAllSubmatch(text, -1) {
			class := string(match[1])
			if other := sheets[class]; other != "" && other != file {
				t.Errorf("got rules for .%s in %s and %s, want them in one sheet", class, other, file)
			}
			sheets[class] = file
		}
	}
}

// The modules of the web app have unit tests of their own. One process runs them all, which
// takes a third of the time of a process for each file.
func TestModulesOfTheWebApp(t *testing.T) {
	apptest.NeedPrograms(t, "node")
	files, err := filepath.Glob("../../testdata/web/*/*.test.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files, %v, want tests", len(files), err)
	}
	var entry strings.Builder
	tests := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests += len(moduleTest.FindAll(text, -1))
		absolute, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&entry, "import %q;\n", "file://"+filepath.ToSlash(absolute))
	}
	module := filepath.Join(t.TempDir(), "all.mjs")
	if err := os.WriteFile(module, []byte(entry.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "/usr/bin/node", "--test-reporter=tap", module).CombinedOutput()
	if err != nil {
		t.Fatalf("got %v, want success:\n%s", err, out)
	}
	if want := fmt.Sprintf("\n# pass %d\n", tests); tests == 0 || !strings.Contains(string(out), want) {
		t.Errorf("got\n%s\nwant %q", out, want)
	}
}

// moduleTest matches the declaration of a test of a module.
var moduleTest = regexp.MustCompile(`(?m)^test\(`)

// eachWebFile calls do for every file in assets/web.
func eachWebFile(t *testing.T, do func(name, text string)) {
	t.Helper()
	root, err := fs.Sub(assets.Files, "web")
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err == nil {
			do(name, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
