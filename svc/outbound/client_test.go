package outbound

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func options(f *fakeNetwork) Options {
	return Options{UserAgent: "appliance/test", Timeout: 5 * time.Second, MaxBody: 1 << 16, Network: f.network()}
}

// serve starts a server to which f connects all addresses.
func serve(t *testing.T, f *fakeNetwork, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	f.listener = s.Listener.Addr().String()
	return s
}

func publicClient(t *testing.T, f *fakeNetwork, allow ...string) *Client {
	t.Helper()
	p, err := Public(allow...)
	if err != nil {
		t.Fatal(err)
	}
	return New(p, options(f))
}

func wantReason(t *testing.T, name string, err error, want Reason) {
	t.Helper()
	if err == nil || ReasonOf(err) != want {
		t.Errorf("%s: got error %v with reason %d, want reason %d", name, err, ReasonOf(err), want)
	}
}

func TestGetReadsThePublicPage(t *testing.T) {
	f := new(fakeNetwork)
	serve(t, f, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintf(w, "%s %s %s %q", r.Host, r.UserAgent(), r.Header.Get("X-Key"), r.Header["Cookie"])
	})
	got, err := publicClient(t, f).Get(t.Context(), "http://example.org/page", http.Header{"X-Key": {"k"}})
	if err != nil {
		t.Fatal(err)
	}
	if string(got.Body) != "example.org appliance/test k []" || got.Status != http.StatusTeapot || got.RetryAfter != 7*time.Second ||
		got.ContentType != "text/plain" || got.URL != "http://example.org/page" {
		t.Errorf("got %+v with body %s, want the page", got, got.Body)
	}
	if dialed := f.addresses(); len(dialed) != 1 || dialed[0] != netip.AddrPortFrom(publicAddr, 80) {
		t.Errorf("got connections to %v, want one to %s", dialed, publicAddr)
	}
}

// The public policy rejects private addresses, names that resolve to them, and other invalid
// URLs without a connection. Covers B-39, B-107 and S-66.
func TestPublicPolicyBlocksAddressesBeforeConnecting(t *testing.T) {
	private, other := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("::ffff:127.0.0.1")
	hosts := map[string][]netip.Addr{"localhost": {netip.MustParseAddr("127.0.0.1")}, "rebound.example": {private}, "mapped.example": {other}, "empty.example": {}}
	for _, address := range []string{
		"http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest", "http://[::ffff:93.184.216.34]/", "http://[fe80::1%25eth0]/",
		"http://①②⑦.⓪.⓪.①/", "http://localhost/", "http://rebound.example/", "http://mapped.example/",
		"ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "javascript:alert(1)", "/relative", "", "http://", "http:///path", "http:example.org",
		"http://user@example.org/", "http://user:pass@example.org/", "http://:@example.org/", "http://example.org:22/", "http://example.org:0/", "http://example.org:65536/", "http://example.org:x/",
		"http://example.org/" + strings.Repeat("a", maxURL),
	} {
		f := &fakeNetwork{hosts: hosts}
		_, err := publicClient(t, f).Get(t.Context(), address, nil)
		wantReason(t, address, err, Blocked)
		if got := f.addresses(); len(got) > 0 {
			t.Errorf("%s: got connections to %v, want none", address, got)
		}
	}
}

// The client connects only to the public address of a name that also has a private one.
func TestOnlyPublicAddressesOfANameAreUsed(t *testing.T) {
	f := &fakeNetwork{hosts: map[string][]netip.Addr{"mixed.example": {netip.MustParseAddr("192.168.0.1"), publicAddr}}}
	serve(t, f, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") })
	if _, err := publicClient(t, f).Get(t.Context(), "http://mixed.example/", nil); err != nil {
		t.Error(err)
	}
	if got := f.addresses(); len(got) != 1 || got[0].Addr() != publicAddr {
		t.Errorf("got connections to %v, want only the public address", got)
	}
}

// The default policy refuses the server of the test. An exception of the operator permits this
// server only on its own port.
func TestExceptionsOfThePublicPolicy(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, strings.Replace("http://"+r.Host+"/", "127.0.0.1", r.URL.Query().Get("to"), 1), http.StatusFound)
		}
	}))
	t.Cleanup(s.Close)
	u, _ := url.Parse(s.URL)
	o := Options{UserAgent: "appliance/test", Timeout: 5 * time.Second, MaxBody: 1 << 10}
	client := func(allow ...string) *Client {
		p, err := Public(allow...)
		if err != nil {
			t.Fatal(err)
		}
		return New(p, o)
	}
	_, err := client().Get(t.Context(), s.URL, nil)
	wantReason(t, "default", err, Blocked)
	_, err = client("127.0.0.1").Get(t.Context(), s.URL, nil)
	wantReason(t, "exception without the port", err, Blocked)
	_, err = client("127.0.0.1:1").Get(t.Context(), s.URL, nil)
	wantReason(t, "exception with another port", err, Blocked)
	if _, err := client(u.Host).Get(t.Context(), s.URL, nil); err != nil {
		t.Errorf("exception: got %v, want the page", err)
	}
	for _, to := range []string{"127.0.0.2", "[::1]", "localhost"} {
		_, err = client(u.Host).Get(t.Context(), s.URL+"/away?to="+url.QueryEscape(to), nil)
		wantReason(t, "redirect to "+to, err, Blocked)
	}
}

func TestExceptionWithoutPortPermitsTheUsualPorts(t *testing.T) {
	f := &fakeNetwork{hosts: map[string][]netip.Addr{"nas.home": {netip.MustParseAddr("192.168.1.5")}}}
	serve(t, f, func(w http.ResponseWriter, r *http.Request) {})
	c := publicClient(t, f, "NAS.home", "[fd00::5]:9000")
	for _, address := range []string{"http://nas.home:8080/", "http://nas.home./", "http://[fd00::5]:9000/"} {
		if _, err := c.Get(t.Context(), address, nil); err != nil {
			t.Errorf("%s: got %v, want a response", address, err)
		}
	}
	_, err := c.Get(t.Context(), "http://nas.home:9000/", nil)
	wantReason(t, "port 9000", err, Blocked)
	_, err = c.Get(t.Context(), "http://192.168.1.5/", nil)
	wantReason(t, "address instead of the name", err, Blocked)
}

func TestPoliciesRejectInvalidConfiguration(t *testing.T) {
	for _, text := range []string{"", "a/b", "user@host", "ÄÖ.example", "a b"} {
		if _, err := Public(text); err == nil {
			t.Errorf("Public(%q): got no error, want one", text)
		}
	}
	for _, text := range []string{"", "example.org", "ftp://example.org", "http://user@example.org", "http://", "https://ÄÖ.example", "http://%zz", "https://example.org/?x=1", "https://example.org/#x"} {
		if _, err := Configured(text); err == nil {
			t.Errorf("Configured(%q): got no error, want one", text)
		}
	}
}

// Covers B-107.
func TestConfiguredPolicyPermitsExactlyOneServer(t *testing.T) {
	f := &fakeNetwork{hosts: map[string][]netip.Addr{"geo.home": {netip.MustParseAddr("192.168.1.5")}}}
	serve(t, f, func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusMovedPermanently)
		}
	})
	p, err := Configured("http://Geo.home:7070/api/")
	if err != nil {
		t.Fatal(err)
	}
	c := New(p, options(f))
	for _, address := range []string{"http://geo.home:7070/", "http://GEO.home:7070/x?to=/y", "http://geo.home:7070/?to=http://geo.home:7070/y"} {
		if _, err := c.Get(t.Context(), address, nil); err != nil {
			t.Errorf("%s: got %v, want a response", address, err)
		}
	}
	before := len(f.addresses())
	for _, address := range []string{
		"http://geo.home/", "http://geo.home:7071/", "https://geo.home:7070/", "http://192.168.1.5:7070/", "http://other.home:7070/", "http://user@geo.home:7070/",
	} {
		_, err := c.Get(t.Context(), address, nil)
		wantReason(t, address, err, Blocked)
		_, err = c.Get(t.Context(), "http://geo.home:7070/?to="+url.QueryEscape(address), nil)
		wantReason(t, "redirect to "+address, err, Blocked)
	}
	for _, addr := range f.addresses()[before:] {
		if addr.String() != "192.168.1.5:7070" {
			t.Errorf("got a connection to %s, want only the configured server", addr)
		}
	}
}

func TestRedirects(t *testing.T) {
	f := new(fakeNetwork)
	serve(t, f, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Referer") != "" || len(r.Cookies()) > 0 {
			t.Errorf("%s: got Referer %q and %d cookies, want none", r.URL, r.Header.Get("Referer"), len(r.Cookies()))
		}
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		left := 0
		fmt.Sscanf(r.URL.Path, "/%d", &left)
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
		} else if left > 0 {
			http.Redirect(w, r, fmt.Sprintf("http://host%d.example/%d", left, left-1), http.StatusFound)
		}
	})
	c := publicClient(t, f)
	if got, err := c.Get(t.Context(), "http://example.org/5", nil); err != nil || got.URL != "http://host1.example/0" {
		t.Errorf("5 redirects: got %+v, %v, want the last page", got, err)
	}
	_, err := c.Get(t.Context(), "http://example.org/6", nil)
	wantReason(t, "6 redirects", err, Invalid)
	for _, to := range []string{"http://10.1.1.1/", "http://[::1]/", "file:///etc/passwd", "http://user@example.org/", "http://example.org:25/"} {
		_, err := c.Get(t.Context(), "http://example.org/?to="+url.QueryEscape(to), nil)
		wantReason(t, "redirect to "+to, err, Blocked)
	}
	for _, addr := range f.addresses() {
		if addr.Addr() != publicAddr {
			t.Errorf("got a connection to %s, want none", addr)
		}
	}
}

func TestRedirectFromHTTPSToHTTPIsRefused(t *testing.T) {
	c := publicClient(t, new(fakeNetwork))
	via := []*http.Request{httptest.NewRequest("GET", "https://example.org/", nil)}
	wantReason(t, "downgrade", c.checkRedirect(httptest.NewRequest("GET", "http://example.org/", nil), via), Blocked)
	if err := c.checkRedirect(httptest.NewRequest("GET", "https://example.com/", nil), via); err != nil {
		t.Errorf("HTTPS to HTTPS: got %v, want it followed", err)
	}
}

func TestBodiesAreBounded(t *testing.T) {
	const limit = 1 << 16
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	chunk := make([]byte, 1<<20)
	for range 64 {
		z.Write(chunk)
	}
	z.Close()
	f := new(fakeNetwork)
	serve(t, f, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/exact":
			w.Write(make([]byte, limit))
		case "/large":
			w.Write(make([]byte, limit+1))
		case "/declared":
			w.Header().Set("Content-Length", fmt.Sprint(1<<30))
			w.Write([]byte("x"))
		case "/stream":
			for range 1000 {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
		case "/short": // the body ends before its declared length
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("x"))
		case "/encoding":
			w.Header().Set("Content-Encoding", "br")
			w.Write([]byte("x"))
		case "/header":
			w.Header().Set("X-Long", strings.Repeat("x", maxHeader))
		case "/notgzip":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write([]byte("plain"))
		}
	})
	c := publicClient(t, f)
	if got, err := c.Get(t.Context(), "http://example.org/exact", nil); err != nil || len(got.Body) != limit {
		t.Errorf("body of the limit: got %v, want it", err)
	}
	for path, want := range map[string]Reason{
		"large": TooLarge, "declared": TooLarge, "stream": TooLarge, "bomb": TooLarge, "encoding": Invalid,
		"short": Invalid, "header": Unreachable, "notgzip": Invalid,
	} {
		_, err := c.Get(t.Context(), "http://example.org/"+path, nil)
		wantReason(t, path, err, want)
	}
}

// The time limit includes a body that never ends.
func TestSlowServersAreCutOff(t *testing.T) {
	f := new(fakeNetwork)
	release := make(chan struct{})
	serve(t, f, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			w.Write([]byte("begin"))
			w.(http.Flusher).Flush()
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	o := options(f)
	o.Timeout = 50 * time.Millisecond
	c := New(Policy{}, o)
	for _, path := range []string{"/header", "/body"} {
		_, err := c.Get(t.Context(), "http://example.org"+path, nil)
		wantReason(t, path, err, TimedOut)
	}
}

// Errors are logged, and the query of a URL is the text that a member searches.
func TestErrorsDoNotContainTheURL(t *testing.T) {
	f := new(fakeNetwork)
	for _, address := range []string{"http://example.org/?q=secret", "http://10.0.0.1/?q=secret", "http://example.org:22/?q=secret", "http://%zz/?q=secret", "http://a b/?q=secret"} {
		if _, err := publicClient(t, f).Get(t.Context(), address, nil); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want an error without the query", address, err)
		}
	}
	serve(t, f, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://%zz/?"+r.URL.RawQuery)
		w.WriteHeader(http.StatusFound)
	})
	_, err := publicClient(t, f).Get(t.Context(), "http://example.org/?q=secret", nil)
	wantReason(t, "redirect that cannot be parsed", err, Invalid)
	if err != nil && strings.Contains(err.Error(), "secret") {
		t.Errorf("redirect that cannot be parsed: got %v, want an error without the query", err)
	}
}

func TestUnreachableServers(t *testing.T) {
	f := &fakeNetwork{hosts: map[string][]netip.Addr{"gone.example": {}}}
	for _, address := range []string{"http://example.org/", "http://gone.example/"} {
		_, err := publicClient(t, f).Get(t.Context(), address, nil)
		wantReason(t, address, err, Unreachable)
	}
}

// A proxy would resolve names itself, without a check of their addresses.
func TestProxiesOfTheEnvironmentAreIgnored(t *testing.T) {
	if New(Policy{}, options(new(fakeNetwork))).http.Transport.(responseChecker).RoundTripper.(*http.Transport).Proxy != nil {
		t.Error("got a proxy function, want none")
	}
}

func TestRetryAfter(t *testing.T) {
	date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "5": 5 * time.Second, "-5": 0, "soon": 0, "999999999999": maxRetryAfter,
		date.Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second, date.Add(-time.Hour).Format(http.TimeFormat): 0,
	} {
		h := http.Header{"Retry-After": {text}, "Date": {date.Format(http.TimeFormat)}}
		if got := retryAfter(h); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// echo responds with the method, the headers and the body of a request.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s %s", r.Method, r.UserAgent(), r.Header.Get("X-Key"), body)
}

func TestPostSendsTheBody(t *testing.T) {
	f := new(fakeNetwork)
	serve(t, f, echo)
	c := publicClient(t, f)
	for range 2 {
		got, err := c.Post(t.Context(), "http://example.org/", http.Header{"X-Key": {"k"}}, []byte("body"))
		if err != nil || string(got.Body) != "POST appliance/test k body" {
			t.Fatalf("got %s, %v, want the request", got.Body, err)
		}
	}
	if got := f.addresses(); len(got) != 2 {
		t.Errorf("got %d connections, want one for each request", len(got))
	}
	_, err := c.Post(t.Context(), "http://10.0.0.1/", nil, []byte("body"))
	wantReason(t, "private address", err, Blocked)
}

// Covers B-79: the body of a POST reaches only the server of the URL.
func TestPostIsNotRedirected(t *testing.T) {
	var hits atomic.Int32
	f := new(fakeNetwork)
	serve(t, f, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/target" {
			hits.Add(1)
			return
		}
		var status int
		fmt.Sscanf(r.URL.Path, "/%d", &status)
		w.Header().Set("Location", r.URL.Query().Get("to"))
		w.WriteHeader(status)
	})
	c := publicClient(t, f)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{"/target", "http://example.com/target", "http://10.0.0.1/target"} {
			_, err := c.Post(t.Context(), fmt.Sprintf("http://example.org/%d?to=%s", status, url.QueryEscape(to)), nil, []byte("body"))
			wantReason(t, fmt.Sprint(status, " to ", to), err, Redirected)
		}
	}
	if got := hits.Load(); got != 0 {
		t.Errorf("got %d requests of the target, want none", got)
	}
}

// A connection that breaks after the request is not a connect failure: the server may have received
// the request.
func TestConnectFailures(t *testing.T) {
	f := new(fakeNetwork)
	_, err := publicClient(t, f).Post(t.Context(), "http://example.org/", nil, []byte("body"))
	wantReason(t, "no connection", err, Unreachable)
	if !IsConnectFailure(err) {
		t.Errorf("no connection: got %v, want a connect failure", err)
	}
	serve(t, f, func(w http.ResponseWriter, r *http.Request) {
		io.ReadAll(r.Body)
		panic(http.ErrAbortHandler)
	})
	_, err = publicClient(t, f).Post(t.Context(), "http://example.org/", nil, []byte("body"))
	wantReason(t, "broken connection", err, Unreachable)
	if IsConnectFailure(err) {
		t.Errorf("broken connection: got %v, want no connect failure", err)
	}
}

// transportFunc is a transport inside of the process.
type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTransportInsideOfTheProcess(t *testing.T) {
	p, err := Configured("http://feeds.invalid/source")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{UserAgent: "appliance/test", Timeout: 50 * time.Millisecond, MaxBody: 1 << 10}
	o.Transport = transportFunc(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		switch r.URL.Path {
		case "/slow":
			<-r.Context().Done()
			return nil, r.Context().Err()
		case "/large":
			w.Write(make([]byte, o.MaxBody+1))
		case "/redirect":
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
		default:
			echo(w, r)
		}
		return w.Result(), nil
	})
	c := New(p, o)
	got, err := c.Post(t.Context(), "http://feeds.invalid/", http.Header{"X-Key": {"k"}}, []byte("body"))
	if err != nil || string(got.Body) != "POST appliance/test k body" {
		t.Errorf("got %+v, %v, want the request", got, err)
	}
	for address, want := range map[string]Reason{
		"http://feeds.invalid/slow": TimedOut, "http://feeds.invalid/large": TooLarge, "http://feeds.invalid/redirect": Redirected, "http://other.invalid/": Blocked,
	} {
		_, err := c.Post(t.Context(), address, nil, nil)
		wantReason(t, address, err, want)
	}
}

// After a switch of protocols, package net/http returns the connection, which the time limit of the
// request would not close.
func TestSwitchOfProtocolsIsRejected(t *testing.T) {
	f := new(fakeNetwork)
	closed := make(chan error, 2)
	serve(t, f, func(w http.ResponseWriter, r *http.Request) {
		io.ReadAll(r.Body)
		conn, buffer, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: endless\r\n\r\nbegin")
		_, err = buffer.ReadByte() // blocks until the client closes the connection
		closed <- err
	})
	c := publicClient(t, f)
	_, err := c.Get(t.Context(), "http://example.org/", nil)
	wantReason(t, "GET", err, Invalid)
	_, err = c.Post(t.Context(), "http://example.org/", nil, []byte("body"))
	wantReason(t, "POST", err, Invalid)
	for range 2 {
		if err := <-closed; err != io.EOF {
			t.Errorf("server: got %v, want the connection closed", err)
		}
	}
}
