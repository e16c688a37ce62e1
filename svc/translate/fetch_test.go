package translate

import (
	"compress/gzip"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/outbound"
)

// newLocalTranslator returns a translator that may fetch pages from a server of
// this machine.
func newLocalTranslator(t *testing.T, server *httptest.Server) *Translator {
	t.Helper()
	policy, err := outbound.Public(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return New(policy, "appliance/test", func() time.Time { return now })
}

func TestFetchTranslatesThePageAfterRedirects(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/harvest", http.StatusFound)
			return
		}
		if got, want := r.Header.Get("Accept"), "text/html,application/xhtml+xml"; got != want {
			t.Errorf("Accept: got %q, want %q", got, want)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(articlePage(10_000))
	}))
	defer site.Close()
	r, err := newLocalTranslator(t, site).Fetch(t.Context(), site.URL+"/old")
	if err != nil {
		t.Fatal(err)
	}
	if r.URL != site.URL+"/harvest" || !r.ReadAt.Equal(now) || r.WordCount < 100 || len(r.Parts) == 0 || r.Parts[0].Title != "Harvest" {
		t.Errorf("got %+v, want the article at /harvest", r)
	}
}

// The error gives the member the reason. A failure of the site is not reported as
// a failure of this server, and a private address is not contacted.
func TestFetchErrorGivesTheReason(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/missing":
			http.NotFound(w, r)
		case "/large":
			_, _ = w.Write(make([]byte, maxBody+1))
		case "/broken":
			w.Header().Set("Content-Encoding", "gzip")
			g := gzip.NewWriter(w)
			_, _ = g.Write(articlePage(1000))
			_ = g.Flush() // without the end of the stream
		case "/picture":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write([]byte("\x89PNG\r\n"))
		}
	}))
	closed := httptest.NewServer(nil)
	closed.Close()
	defer site.Close()
	for _, c := range []struct {
		name    string
		from    *Translator
		address string
		code    svc.Code
		message string
	}{
		{"a private address", New(outbound.Policy{}, "test", time.Now), site.URL + "/", svc.SourceNotAllowed, "not on a public server"},
		{"an error of the site", newLocalTranslator(t, site), site.URL + "/missing", svc.SourceFetchFailed, "status 404"},
		{"a long page", newLocalTranslator(t, site), site.URL + "/large", svc.SourceNotSupported, "larger than 2 MiB"},
		{"a broken response", newLocalTranslator(t, site), site.URL + "/broken", svc.SourceFetchFailed, "cannot be read"},
		{"no page", newLocalTranslator(t, site), site.URL + "/picture", svc.SourceNotSupported, "not a web page"},
		{"no server", newLocalTranslator(t, closed), closed.URL + "/", svc.SourceFetchFailed, "cannot be reached"},
	} {
		_, err := c.from.Fetch(t.Context(), c.address)
		e, ok := errors.AsType[*svc.Error](err)
		if !ok || e.Code != c.code || !strings.Contains(e.Message, c.message) {
			t.Errorf("%s: got %v, want %s with %q", c.name, err, c.code.Name, c.message)
		}
	}
}

func TestHostIsShownWithoutWWW(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.example.org/a": "example.org", "https://news.example.org:8443/": "news.example.org", "http://[::1": "", "www.example.org": "",
	} {
		if got := Host(address); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}
