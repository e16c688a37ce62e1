package identity

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// visitor requests a page from a server as a browser on another machine does.
type visitor struct {
	*apptest.Server
	peer    string // address of the browser, or of a proxy
	host    string // in the address bar
	headers map[string]string
}

// open returns the response to a GET request for a page.
func (b visitor) open(path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", path, nil)
	r.RemoteAddr, r.Host = b.peer, b.host
	for name, value := range b.headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	b.App.HTTP.ServeHTTP(w, r)
	return w
}

func withAddress(base string) func(*config.Settings) {
	return func(s *config.Settings) { s.BaseURL, s.Registration = base, "open" }
}

const laptop = "192.0.2.7:5000"

// formPages returns the paths of the pages that show a form of a sign-in or lead to one.
func formPages(h *apptest.Server) []string {
	op := h.Member("op")
	link := op.Do("POST", "/world/operator/invitations", `{}`).Want(201).Str("link")
	return []string{"/", "/login", "/world/login?return_to=/app/", "/world/register", strings.TrimPrefix(link, h.Settings.URL().String()), "/world/reset/x", "/setup?code=x"}
}

// A browser that opens a page with a form at another address than base-url gets both addresses, the name of the
// setting and a link to the same page at base-url. Covers B-125.
func TestFormAtAnotherAddressNamesTheAddressOfTheServer(t *testing.T) {
	for _, c := range []struct {
		base, host, opened string
		continues          bool
	}{
		{"https://home.example.org", "192.168.1.10:8080", "http://192.168.1.10:8080", false},
		{"https://home.example.org", "home.example.org", "http://home.example.org", false},
		{"http://home.example.org:8080", "192.168.1.10:8080", "http://192.168.1.10:8080", true},
		{"http://home.example.org:8080", "home.example.org", "http://home.example.org", true},
	} {
		h := apptest.New(t, withAddress(c.base))
		b := visitor{h, laptop, c.host, nil}
		for _, path := range formPages(h) {
			w := b.open(path)
			page := w.Body.String()
			for _, want := range []string{c.opened, `href="` + c.base + path + `"`, "<code>base-url</code>"} {
				if w.Code != 200 || !strings.Contains(page, want) || strings.Contains(page, "<form") {
					t.Errorf("%s at %s: got status %d, %s\nwant a page without a form, with %s", path, c.host, w.Code, page, want)
				}
			}
			if got := strings.Contains(page, "Continue here once"); got != c.continues {
				t.Errorf("%s at %s with base-url %s: got a link to continue %t, want %t", path, c.host, c.base, got, c.continues)
			}
			if got := w.Header().Get("Cache-Control"); !strings.Contains(got, "no-store") {
				t.Errorf("%s at %s: got Cache-Control %q, want no-store", path, c.host, got)
			}
		}
		german := visitor{h, laptop, c.host, map[string]string{"Accept-Language": "de"}}
		if page := german.open("/").Body.String(); !strings.Contains(page, "Falsche Adresse") || !strings.Contains(page, "Seine Adresse ist") {
			t.Errorf("in German: got\n%s\nwant the page in German", page)
		}
		for _, path := range []string{"/health", "/help/", "/app/", "/world/login/done", "/favicon.ico"} {
			if w := b.open(path); w.Code != 200 || strings.Contains(w.Body.String(), "Wrong address") {
				t.Errorf("%s at %s: got status %d, %s\nwant the same response as at base-url", path, c.host, w.Code, w.Body)
			}
		}
	}
}

// Covers B-125.
func TestSignInWorksAfterContinuingAtAnotherAddress(t *testing.T) {
	h := apptest.New(t, withAddress("http://home.example.org:8080"))
	b := visitor{h, laptop, "192.168.1.10:8080", nil}
	h.Member("ann")
	w := b.open("/")
	_, rest, _ := strings.Cut(w.Body.String(), `<a class="btn full" href="`)
	link, _, _ := strings.Cut(rest, `"`)
	to := b.open(link).Header().Get("Location")
	if page := b.open(to).Body.String(); !strings.Contains(page, `name="password"`) {
		t.Fatalf("after the link %q, which redirects to %q: got\n%s\nwant the form", link, to, page)
	}
	r := httptest.NewRequest("POST", "/world/login", strings.NewReader("login=ann&return_to=/app/&password="+url.QueryEscape(apptest.Password)))
	r.RemoteAddr, r.Host = laptop, b.host
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "http://"+b.host)
	w = httptest.NewRecorder()
	h.App.HTTP.ServeHTTP(w, r)
	if got := w.Header().Get("Set-Cookie"); w.Code != 303 || got == "" || strings.Contains(got, "Secure") {
		t.Errorf("sign-in: got status %d and the cookie %q, want one that the browser keeps without HTTPS", w.Code, got)
	}
	if page := b.open("/world/login").Body.String(); strings.Contains(page, "<form") {
		t.Errorf("the next page without the parameter: got\n%s\nwant no form", page)
	}
	https := visitor{apptest.New(t, withAddress("https://home.example.org")), laptop, "192.168.1.10", nil}
	if page := https.open("/world/login?continue_here=1").Body.String(); strings.Contains(page, "<form") {
		t.Errorf("with HTTPS: got\n%s\nwant no form, because the browser does not keep the cookie", page)
	}
}

// Covers B-125.
func TestFormIsShownAtTheAddressOfTheServer(t *testing.T) {
	fetched := map[string]string{"Sec-Fetch-Mode": "navigate"}
	for _, c := range []struct {
		name string
		visitor
		form, notice bool
	}{
		{"no setting", visitor{apptest.New(t), laptop, "192.168.1.10:8080", nil}, true, false},
		{"the same address", visitor{apptest.New(t, withAddress("http://home.example.org")), laptop, "Home.Example.org:80", nil}, true, false},
		{"an international name", visitor{apptest.New(t, withAddress("http://büro.example")), laptop, "xn--bro-hoa.example", nil}, true, false},
		{"IPv6", visitor{apptest.New(t, withAddress("http://[2001:db8:0::1]:8080")), laptop, "[2001:db8::1]:8080", nil}, true, false},
		{"HTTPS by a proxy that is not trusted", visitor{apptest.New(t, withAddress("https://home.example.org")), laptop, "home.example.org", fetched}, true, false},
		{"its header", visitor{apptest.New(t, withAddress("https://home.example.org")), laptop, "home.example.org", map[string]string{"X-Forwarded-Proto": "https"}}, true, false},
		{"localhost forwarded by SSH", visitor{apptest.New(t, withAddress("https://localhost")), laptop, "localhost", fetched}, false, false},
		{"this machine", visitor{apptest.New(t, withAddress("https://home.example.org")), "127.0.0.1:5000", "localhost:8080", nil}, true, true},
		{"this machine, IPv6", visitor{apptest.New(t, withAddress("https://home.example.org")), "[::1]:5000", "home.example.org", fetched}, true, false},
	} {
		c.Server.Member("ann") // before that, the page only says where the set-up link is
		page := c.open("/world/login").Body.String()
		if got := strings.Contains(page, `name="password"`); got != c.form {
			t.Errorf("%s: got a form %t, want %t\n%s", c.name, got, c.form, page)
		}
		if got := strings.Contains(page, "without HTTPS"); got != c.notice {
			t.Errorf("%s: got a notice about HTTPS %t, want %t\n%s", c.name, got, c.notice, page)
		}
	}
}

// A server with base-url that listens on loopback warns its operators, in the overview and beside links, until a proxy
// has forwarded a request.
func TestLinksThatOtherDevicesCannotOpenHaveANotice(t *testing.T) {
	const want = "Without a reverse proxy, other devices cannot open http://home.example.org. Set listen"
	for _, proxied := range []visitor{
		{nil, "127.0.0.1:5000", "localhost:8080", map[string]string{"X-Forwarded-For": "192.0.2.7"}},
		{nil, "127.0.0.1:5000", "home.example.org", nil},
	} {
		proxied.Server = apptest.New(t, withAddress("http://home.example.org"))
		op := proxied.Member("op")
		check := func(when string, warns bool) {
			t.Helper()
			notice := op.Do("POST", "/world/operator/invitations", `{}`).Want(201).Str("notice")
			if strings.Contains(notice, want) != warns || !warns && notice != "" {
				t.Errorf("%s: got the notice %q, want %q in it: %t", when, notice, want, warns)
			}
			warnings := apptest.Values(op.Do("GET", "/world/panels/operator?view=overview").Want(200).List("health.warnings"), "message")
			if got := strings.Contains(strings.Join(warnings, "\n"), "Without a reverse proxy"); got != warns {
				t.Errorf("%s: got the warnings %q in the overview, want one about the address: %t", when, warnings, warns)
			}
		}
		check("without a proxy", true)
		proxied.open("/world/login")
		check("after a request by a proxy", false)
	}
}

// Behind a reverse proxy the form is always shown. A Host that the proxy does not forward is logged once a day. An
// operator sees it if their own request arrived without it, not because of the requests of others. Covers B-125.
func TestProxyThatDoesNotForwardTheHostIsReported(t *testing.T) {
	const base = "https://home.example.org"
	h := apptest.New(t, withAddress(base), func(s *config.Settings) {
		s.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.1/32")}}
	})
	target, err := url.Parse(h.HTTP.URL)
	if err != nil {
		t.Fatal(err)
	}
	op := h.Member("op")
	warnings := func(proxy *httptest.Server) []string {
		t.Helper()
		via := op.With("Sec-Fetch-Mode", "cors")
		via.URL = proxy.URL
		return apptest.Values(via.Do("GET", "/world/panels/operator?view=overview").Want(200).List("health.warnings"), "check")
	}
	newProxy := func(rewrite func(*httputil.ProxyRequest)) *httptest.Server {
		proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(target)
			rewrite(p)
		}})
		t.Cleanup(proxy.Close)
		return proxy
	}
	open := func(proxy *httptest.Server, mode string) string {
		t.Helper()
		return apptest.NewClient(t, proxy.URL).With("Sec-Fetch-Mode", mode).Do("GET", "/world/login").Want(200).Body
	}
	bare := newProxy(func(*httputil.ProxyRequest) {})
	complete := newProxy(func(p *httputil.ProxyRequest) {
		p.SetXForwarded()
		p.Out.Host = "home.example.org"
	})

	for _, c := range []struct {
		name  string
		proxy *httptest.Server
		mode  string // Sec-Fetch-Mode, which browsers send with HTTPS
	}{{"without headers, HTTPS", bare, "navigate"}, {"without headers, HTTP", bare, ""}, {"with headers, HTTPS", complete, "navigate"}, {"with headers, HTTP", complete, ""}} {
		page := open(c.proxy, c.mode)
		if !strings.Contains(page, `name="password"`) {
			t.Errorf("%s: got\n%s\nwant the form", c.name, page)
		}
		if got := strings.Contains(page, "without HTTPS"); got != (c.mode == "") {
			t.Errorf("%s: got a notice about HTTPS %t, want %t", c.name, got, c.mode == "")
		}
		if got := slices.Contains(warnings(c.proxy), "address"); got != (c.proxy == bare) {
			t.Errorf("%s: got a warning for operators %t, want %t", c.name, got, c.proxy == bare)
		}
	}
	open(bare, "")
	if got := warnings(complete); slices.Contains(got, "address") {
		t.Errorf("after a request of another client: got the warnings %v, want none about the address", got)
	}
	log := h.Log.String()
	for _, line := range []string{"proxy_set_header Host $http_host;", "header_up Host {hostport}", "ProxyPreserveHost On"} {
		if n := strings.Count(log, line); n != 1 {
			t.Errorf("log: got %q %d times, want once\n%s", line, n, log)
		}
	}
}

// An operator who opens the server at another address than base-url, and not through a proxy, is told the setting
// to change. Covers B-125.
func TestAnotherAddressWithoutAProxyIsAWrongSetting(t *testing.T) {
	h := apptest.New(t, withAddress("http://old.example.org:8080"))
	op := h.Member("op")
	for _, c := range []struct {
		peer, header string
		wantsSetting bool
	}{{laptop, "", true}, {"127.0.0.1:5000", "", true}, {"127.0.0.1:5000", "X-Forwarded-For", false}, {"127.0.0.1:5000", "Via", false}} {
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.RemoteAddr, r.Host = c.peer, "192.168.1.10:8080"
			if c.header != "" {
				r.Header.Set(c.header, "192.0.2.7")
			}
			h.App.HTTP.ServeHTTP(w, r)
		}))
		via := op.With("Sec-Fetch-Mode", "cors")
		via.URL = front.URL
		body := via.Do("GET", "/world/panels/operator?view=overview").Want(200).Body
		front.Close()
		if got := strings.Contains(body, "set base-url to it"); got != c.wantsSetting || !strings.Contains(body, "192.168.1.10:8080") {
			t.Errorf("from %s with %q: the setting to change is named: got %t, want %t and the address\n%s", c.peer, c.header, got, c.wantsSetting, body)
		}
		if got := strings.Contains(body, "proxy_set_header"); got == c.wantsSetting {
			t.Errorf("from %s with %q: the line of the proxy is named: got %t, want %t", c.peer, c.header, got, !c.wantsSetting)
		}
	}
}
