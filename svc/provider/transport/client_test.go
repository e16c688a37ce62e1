package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"appliance/svc"
	"appliance/svc/provider/contract"
)

var (
	secret  = []byte("a secret of a provider in tests")
	issued  = time.Unix(1674087231, 0)
	command = &contract.Command{Contract: contract.CommandContract, CommandID: "cmd_1", Provider: "library", Operation: "renew_loan", Input: svc.Map{"weeks": "<2"}}
)

func newClient() *Client {
	return New("appliance/test", func() time.Time { return issued }, nil)
}

// serve starts a provider and returns its endpoint.
func serve(t *testing.T, h http.HandlerFunc) Endpoint {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return Endpoint{Provider: "library", SourceURL: s.URL + "/source", ActionURL: s.URL + "/actions", Secret: secret}
}

// wantFailure fails t unless err is the error of a provider with a message that
// contains text and neither an address nor the name of a host. It returns the error.
func wantFailure(t *testing.T, name string, err error, text string) *svc.Error {
	t.Helper()
	e, ok := errors.AsType[*svc.Error](err)
	if !ok || e.Code != svc.TransportFailed || !strings.HasPrefix(e.Message, "The provider library ") || !strings.Contains(e.Message, text) {
		t.Fatalf("%s: got %v, want provider_transport_failed with a message that contains %q", name, err, text)
	}
	for _, part := range []string{"127.0.0.1", "localhost", "://", "/source", "/actions", ".invalid", "secret of"} {
		if strings.Contains(e.Message, part) {
			t.Errorf("%s: got the message %q, want one without %s", name, e.Message, part)
		}
	}
	if strings.Contains(err.Error(), "?") {
		t.Errorf("%s: got %v, want an error without a query", name, err)
	}
	return e
}

// verify reports whether the headers of a request sign its body.
func verify(r *http.Request, body []byte) bool {
	mac := hmac.New(sha256.New, secret)
	io.WriteString(mac, r.Header.Get("webhook-id")+"."+r.Header.Get("webhook-timestamp")+".")
	mac.Write(body)
	return r.Header.Get("webhook-signature") == "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Covers V-25 and V-33.
func TestRequestsAreSigned(t *testing.T) {
	var got *http.Request
	var body []byte
	e := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		io.WriteString(w, "answer")
	})
	c := newClient()
	check := func(name, path, wantBody string, answer []byte, err error) {
		t.Helper()
		if err != nil || string(answer) != "answer" {
			t.Fatalf("%s: got %s, %v, want the answer", name, answer, err)
		}
		if !verify(got, body) || got.Header.Get("webhook-timestamp") != "1674087231" {
			t.Errorf("%s: got headers %v, want a signature at 1674087231", name, got.Header)
		}
		if got.Method != "POST" || got.URL.Path != path || strings.TrimSpace(string(body)) != wantBody {
			t.Errorf("%s: got %s %s with body %s, want POST %s with %s", name, got.Method, got.URL.Path, body, path, wantBody)
		}
		for header, want := range map[string]string{"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "appliance/test", "Cookie": "", "Authorization": ""} {
			if value := got.Header.Get(header); value != want {
				t.Errorf("%s: got %s %q, want %q", name, header, value, want)
			}
		}
	}
	answer, err := c.Fetch(t.Context(), e, nil)
	check("default request", "/source", "{}", answer, err)
	first := got.Header.Get("webhook-id")
	answer, err = c.Fetch(t.Context(), e, []byte(`{ "page": 1 }`))
	check("request of the caller", "/source", `{ "page": 1 }`, answer, err)
	if id := got.Header.Get("webhook-id"); id == first || id == "" || strings.Contains(id, ".") {
		t.Errorf("got ids %q and %q, want different ids without a period", first, id)
	}
	answer, err = c.Perform(t.Context(), e, command)
	want, _ := json.Marshal(command)
	check("command", "/actions", strings.ReplaceAll(string(want), `\u003c`, "<"), answer, err)
	if id := got.Header.Get("webhook-id"); id != command.CommandID {
		t.Errorf("got webhook-id %q, want the id of the command", id)
	}
}

// Covers B-107 and V-26: only the configured server gets a request.
func TestRedirectsAreRefused(t *testing.T) {
	var hits atomic.Int32
	target := serve(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		e := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target.SourceURL, status) })
		_, err := newClient().Fetch(t.Context(), e, nil)
		wantFailure(t, fmt.Sprint("source, status ", status), err, "redirects")
		_, err = newClient().Perform(t.Context(), e, command)
		wantFailure(t, fmt.Sprint("action, status ", status), err, "redirects")
	}
	if got := hits.Load(); got != 0 {
		t.Errorf("got %d requests of the target, want none", got)
	}
}

// Covers V-36 as far as the transport decides it.
func TestStatusesOfProviders(t *testing.T) {
	for status, text := range map[int]string{
		200: "", 201: "", 204: "", 299: "", 304: "redirects", 400: "status 400", 401: "unauthorized", 403: "denies", 404: "not found",
		410: "ended", 418: "status 418", 429: "too many requests", 500: "status 500", 503: "status 503",
	} {
		var hits atomic.Int32
		e := serve(t, func(w http.ResponseWriter, r *http.Request) {
			hits.Add(1)
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(status)
			io.WriteString(w, "text of the provider")
		})
		_, errFetch := newClient().Fetch(t.Context(), e, nil)
		_, errPerform := newClient().Perform(t.Context(), e, command)
		for name, err := range map[string]error{"source": errFetch, "action": errPerform} {
			name = fmt.Sprintf("%s, status %d", name, status)
			if status < 300 {
				if err != nil {
					t.Errorf("%s: got %v, want success", name, err)
				}
				continue
			}
			if failure := wantFailure(t, name, err, text); failure.RetryAfter != 90*time.Second || strings.Contains(failure.Message, "text of") {
				t.Errorf("%s: got %+v, want a pause of 90 s and no text of the provider", name, failure)
			}
		}
		if got := hits.Load(); got != 2 {
			t.Errorf("status %d: got %d requests, want 2", status, got)
		}
	}
}

// Covers B-83: the limits are those of decompressed bodies.
func TestLargeResponsesAreRejected(t *testing.T) {
	zip := func(size int) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(make([]byte, size))
		z.Close()
		return b.Bytes()
	}
	var size int
	var zipped bool
	e := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if zipped {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zip(size))
			return
		}
		w.Write(make([]byte, size))
	})
	c := newClient()
	for _, zipped = range []bool{false, true} {
		for size = range map[int]bool{contract.MaxSource: true, contract.MaxSource + 1: true, contract.MaxResult: true, contract.MaxResult + 1: true} {
			name := fmt.Sprintf("%d bytes, zipped %t", size, zipped)
			body, err := c.Fetch(t.Context(), e, nil)
			if size > contract.MaxSource {
				wantFailure(t, "source of "+name, err, "more than 8 MiB")
			} else if err != nil || len(body) != size {
				t.Errorf("source of %s: got %d bytes, %v, want all", name, len(body), err)
			}
			body, err = c.Perform(t.Context(), e, command)
			if size > contract.MaxResult {
				wantFailure(t, "result of "+name, err, "more than 1 MiB")
			} else if err != nil || len(body) != size {
				t.Errorf("result of %s: got %d bytes, %v, want all", name, len(body), err)
			}
		}
	}
}

// The caller parses the body, so its media type does not matter.
func TestMediaTypeIsIgnored(t *testing.T) {
	const page = "<!doctype html><title>Sign in</title>"
	e := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, page)
	})
	if got, err := newClient().Fetch(t.Context(), e, nil); err != nil || string(got) != page {
		t.Errorf("got %s, %v, want the body", got, err)
	}
}

// Covers V-33: the provider may have performed the action, so it is not asked again.
func TestCommandIsSentOnceIfAConnectionWasMade(t *testing.T) {
	var hits atomic.Int32
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		text    string
	}{
		"no response": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "broke the connection. It is unknown whether the action was performed."},
		"status 503":  {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) }, "status 503"},
		"incomplete body": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "9")
			w.Write([]byte("x"))
		}, "cannot be read"},
		"unknown coding": {func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Encoding", "br") }, "cannot be read"},
	} {
		hits.Store(0)
		e := serve(t, func(w http.ResponseWriter, r *http.Request) {
			hits.Add(1)
			c.handler(w, r)
		})
		_, err := newClient().Perform(t.Context(), e, command)
		wantFailure(t, name, err, c.text)
		if got := hits.Load(); got != 1 {
			t.Errorf("%s: got %d requests, want 1", name, got)
		}
	}
}

// flakyNetwork refuses the first connections and connects the others to a server that
// answers each request with the headers and the body that it has got.
type flakyNetwork struct {
	refuse, dials int
}

func (n *flakyNetwork) dial(context.Context, netip.AddrPort) (net.Conn, error) {
	if n.dials++; n.dials <= n.refuse {
		return nil, errors.New("connection refused")
	}
	client, server := net.Pipe()
	go func() {
		s := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			json.NewEncoder(w).Encode([]any{verify(r, body), r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")})
		})}
		s.Serve(&oneConn{conn: server})
	}()
	return client, nil
}

// oneConn is a listener with one connection.
type oneConn struct{ conn net.Conn }

func (l *oneConn) Accept() (net.Conn, error) {
	if l.conn == nil {
		return nil, io.EOF
	}
	conn := l.conn
	l.conn = nil
	return conn, nil
}
func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return &net.TCPAddr{} }

// Covers B-79 and V-33: the second attempt has the same id and a new timestamp.
func TestCommandIsSentAgainIfThereWasNoConnection(t *testing.T) {
	e := Endpoint{Provider: "library", SourceURL: "http://127.0.0.1:7/source", ActionURL: "http://127.0.0.1:7/actions", Secret: secret}
	for _, refuse := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			network := &flakyNetwork{refuse: refuse}
			c := New("appliance/test", time.Now, nil)
			c.network.Dial = network.dial
			begin := time.Now()
			got, err := c.Perform(t.Context(), e, command)
			if refuse == 1 {
				want := fmt.Sprintf(`[true,"cmd_1",%q]`, strconv.FormatInt(begin.Add(retryPause).Unix(), 10))
				if err != nil || strings.TrimSpace(string(got)) != want {
					t.Errorf("got %s, %v, want %s", got, err, want)
				}
			} else {
				wantFailure(t, "two refusals", err, "cannot be reached")
			}
			if network.dials != 2 {
				t.Errorf("%d refusals: got %d attempts, want 2", refuse, network.dials)
			}
		})
	}
	network := &flakyNetwork{refuse: 1}
	c := newClient()
	c.network.Dial = network.dial
	_, err := c.Fetch(t.Context(), e, nil)
	wantFailure(t, "source", err, "cannot be reached")
	if network.dials != 1 {
		t.Errorf("source: got %d attempts, want 1", network.dials)
	}
}

// Covers B-79: only a refused connection is tried again.
func TestNoSecondAttemptAfterATimeoutOrACancellation(t *testing.T) {
	e := Endpoint{Provider: "library", ActionURL: "http://127.0.0.1:7/", Secret: secret}
	for cause, text := range map[error]string{context.Canceled: "", &net.DNSError{IsTimeout: true}: "in time"} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			dials, begin := 0, time.Now()
			c := newClient()
			c.network.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) {
				dials++
				if cause == context.Canceled {
					time.AfterFunc(retryPause/2, cancel)
					return nil, errors.New("connection refused")
				}
				return nil, cause
			}
			defer cancel()
			_, err := c.Perform(ctx, e, command)
			wantFailure(t, "canceled", err, text)
			if elapsed := time.Since(begin); dials != 1 || elapsed >= retryPause || !errors.Is(err, cause) {
				t.Errorf("%v: got %d attempts in %v and %v, want one and its cause", cause, dials, elapsed, err)
			}
		})
	}
}

// roundTrip is a provider inside of this process.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func newLocalClient(now func() time.Time, f roundTrip) *Client {
	return New("appliance/test", now, func(e Endpoint) http.RoundTripper {
		if e.Provider == "library" {
			return f
		}
		return nil
	})
}

var local = Endpoint{Provider: "library", SourceURL: "http://library.invalid/source", ActionURL: "http://library.invalid/actions"}

func TestProviderInsideOfTheProcess(t *testing.T) {
	c := newLocalClient(time.Now, func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		if r.Header.Get("webhook-signature") != "" {
			t.Errorf("got the headers %v, want no signature without a secret", r.Header)
		}
		io.Copy(w, r.Body)
		io.WriteString(w, " at "+r.URL.Path)
		return w.Result(), nil
	})
	if got, err := c.Fetch(t.Context(), local, nil); err != nil || string(got) != "{} at /source" {
		t.Errorf("got %s, %v, want the answer of the provider", got, err)
	}
	other := local
	other.Provider = "museum"
	if _, err := c.Fetch(t.Context(), other, nil); err == nil || !strings.Contains(err.Error(), "no secret") {
		t.Errorf("other provider without a secret: got %v, want an error", err)
	}
}

// slowProvider returns a provider that sends only the first bytes of a body, or no
// response.
func slowProvider(headers bool) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		if !headers {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		body, w := io.Pipe()
		go func() {
			w.Write([]byte("begin"))
			<-r.Context().Done()
			w.CloseWithError(r.Context().Err())
		}()
		return &http.Response{StatusCode: 200, Body: body}, nil
	}
}

func TestSlowProvidersTimeOut(t *testing.T) {
	for _, headers := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := newLocalClient(time.Now, slowProvider(headers))
			begin := time.Now()
			_, err := c.Fetch(t.Context(), local, nil)
			wantFailure(t, "source", err, "in time. Try again later.")
			if got := time.Since(begin); got != 30*time.Second {
				t.Errorf("source: got an error after %v, want 30 s", got)
			}
			begin = time.Now()
			_, err = c.Perform(t.Context(), local, command)
			wantFailure(t, "action", err, "in time. It is unknown whether the action was performed.")
			if got := time.Since(begin); got != 10*time.Second {
				t.Errorf("action: got an error after %v, want 10 s without a second attempt", got)
			}
		})
	}
}

func TestCancellationDiffersFromAFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	_, err := newClient().Fetch(ctx, e, nil)
	if wantFailure(t, "canceled", err, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a cause of context.Canceled", err)
	}
}

func TestInvalidEndpointsGetNoRequest(t *testing.T) {
	c := newClient()
	c.network.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) {
		t.Error("got a connection, want none")
		return nil, io.EOF
	}
	for _, address := range []string{"", "library.example", "ftp://127.0.0.1/", "http://user:pass@127.0.0.1/", "http://127.0.0.1/?key=k", "http://127.0.0.1:7/" + strings.Repeat("a", 9000)} {
		_, err := c.Perform(t.Context(), Endpoint{Provider: "library", ActionURL: address, Secret: secret}, command)
		wantFailure(t, address[:min(len(address), 40)], err, "address. The operator must configure it again")
	}
	_, err := c.Perform(t.Context(), Endpoint{Provider: "library", ActionURL: "http://127.0.0.1:7/"}, command)
	wantFailure(t, "without a secret", err, "no secret")
}

func TestConcurrentRequests(t *testing.T) {
	e := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !verify(r, body) {
			w.WriteHeader(401)
		}
		w.Write(body)
	})
	c := newClient()
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			want := fmt.Sprintf(`{"n":%d}`, i)
			if got, err := c.Fetch(t.Context(), e, []byte(want)); err != nil || string(got) != want {
				t.Errorf("request %d: got %s, %v, want %s", i, got, err, want)
			}
		})
	}
	group.Wait()
}
