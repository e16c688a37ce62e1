package feeds

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/outbound"
	"appliance/svc/provider/contract"
)

// site is a server of feeds.
type site struct {
	URL string

	mu       sync.Mutex
	handlers map[string]http.HandlerFunc // by path
	requests map[string][]http.Header    // by path
}

func newSite(t *testing.T) *site {
	s := &site{handlers: make(map[string]http.HandlerFunc), requests: make(map[string][]http.Header)}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		handler := s.handlers[r.URL.Path]
		s.requests[r.URL.Path] = append(s.requests[r.URL.Path], r.Header)
		s.mu.Unlock()
		if handler == nil {
			handler = http.NotFound
		}
		handler(w, r)
	}))
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// set sets the response at a path.
func (s *site) set(path string, handler http.HandlerFunc) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers[path] = handler
	return s.URL + path
}

func (s *site) setText(path, text string) string {
	return s.set(path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
}

// of returns the headers of the requests for a path.
func (s *site) of(path string) []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests[path])
}

// fixture is the service over a database.
type fixture struct {
	*Service
	t     *testing.T
	clock *storetest.Clock
}

func newFixture(t *testing.T) *fixture {
	db, clock := storetest.Open(t)
	policy, err := outbound.Public()
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{New(db, Config{UserAgent: "test", Public: policy}), t, clock}
}

// add adds feeds to the provider news.
func (f *fixture) add(addresses ...string) {
	f.t.Helper()
	list, err := f.Check(f.t.Context(), addresses)
	if err == nil {
		err = f.db.Write(f.t.Context(), func(tx *store.Tx) error { return f.Add(tx, "news", "", list) })
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// post sends a request of the contract.
func (f *fixture) post(address string, body []byte) (status int, text []byte) {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), "POST", address, bytes.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	response, err := f.RoundTrip(r)
	if err != nil {
		f.t.Fatal(err)
	}
	var b bytes.Buffer
	_, err = b.ReadFrom(response.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return response.StatusCode, b.Bytes()
}

// payload returns the payload of the provider news.
func (f *fixture) payload() *contract.Source {
	f.t.Helper()
	address, _ := Addresses("news")
	status, text := f.post(address, []byte("{}"))
	if status != http.StatusOK {
		f.t.Fatalf("got status %d, want 200", status)
	}
	p, err := contract.ParseSource(text, "news")
	if err != nil {
		f.t.Fatal(err)
	}
	return p
}

// titles returns the types and titles of the objects.
func titles(p *contract.Source) string {
	var list []string
	for _, o := range p.Objects.Items {
		list = append(list, o.Type+" "+o.Title)
	}
	return strings.Join(list, ", ")
}

func (f *fixture) wantTitles(want string) *contract.Source {
	f.t.Helper()
	p := f.payload()
	if got := titles(p); got != want {
		f.t.Errorf("got the objects %s, want %s", got, want)
	}
	return p
}

// perform performs the action of the object with a title, for a member.
func (f *fixture) perform(p *contract.Source, subject, operation, title string) *contract.Result {
	f.t.Helper()
	for _, o := range p.Objects.Items {
		i := slices.IndexFunc(p.Actions.Items, func(a contract.Action) bool { return a.Type == operation && a.TargetSource == o.Source })
		if o.Title != title || i < 0 {
			continue
		}
		a := p.Actions.Items[i]
		c := &contract.Command{
			Contract: contract.CommandContract, CommandID: "cmd_1", IssuedAt: "2026-11-24T00:00:00Z", Provider: "news", Operation: operation, ActionID: a.ID,
			ActionType: a.Type, TargetSource: a.TargetSource, Member: contract.Member{Subject: subject}, Input: svc.Map{}, Metadata: a.Operation.Metadata,
		}
		body, err := json.Marshal(c)
		if err != nil {
			f.t.Fatal(err)
		}
		_, address := Addresses("news")
		status, text := f.post(address, body)
		r, err := contract.ParseResult(text, c)
		if err != nil || status != http.StatusOK {
			f.t.Fatalf("%s: got %d, %v\n%s", operation, status, err, text)
		}
		return r
	}
	f.t.Fatalf("there is no action %s on %s", operation, title)
	return nil
}

func feedOf(title, article string) string {
	return fmt.Sprintf("<rss><channel><title>%s</title><item><title>%s</title><guid>%s</guid></item></channel></rss>", title, article, article)
}

func TestFeedsAreFetchedWhenDue(t *testing.T) {
	f, s := newFixture(t), newSite(t)
	f.add(s.set("/a", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Last-Modified", "Mon, 23 Nov 2026 10:00:00 GMT")
		if r.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, feedOf("A", "One"))
	}))
	first := f.wantTitles("feed A, article One")
	f.clock.Advance(minInterval - time.Second)
	f.payload()
	if n := len(s.of("/a")); n != 1 {
		t.Errorf("got %d requests, want 1 in %s", n, minInterval)
	}
	f.clock.Advance(time.Second)
	if second := f.payload(); store.JSON(second) != store.JSON(first) {
		t.Errorf("got a different payload after status 304, want the same:\n%s\n%s", store.JSON(second), store.JSON(first))
	}
	list := s.of("/a")
	if len(list) != 2 || list[1].Get("If-None-Match") != `"1"` || list[1].Get("If-Modified-Since") != "Mon, 23 Nov 2026 10:00:00 GMT" {
		t.Errorf("got the requests %v, want a second one with conditions", list)
	}
	s.set("/a", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1800")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	f.clock.Advance(minInterval)
	p := first
	address, _ := Addresses("news")
	if status, _ := f.post(address, []byte("{}")); status != http.StatusServiceUnavailable {
		t.Errorf("got status %d, want 503 if all feeds fail", status)
	}
	f.clock.Advance(30*time.Minute - time.Second)
	f.perform(p, "ms_1", refreshOperation, "A")
	f.post(address, []byte("{}"))
	if n := len(s.of("/a")); n != 3 {
		t.Errorf("got %d requests, want 3 before the time that the server demands", n)
	}
	s.setText("/a", feedOf("A", "Two"))
	f.clock.Advance(time.Second)
	f.wantTitles("feed A, article Two, article One")
	f.clock.Set(f.clock.Now().Add(-24 * time.Hour))
	f.payload()
	if n := len(s.of("/a")); n != 5 {
		t.Errorf("got %d requests, want another one after the clock was set back", n)
	}
}

func TestRefresh(t *testing.T) {
	f, s := newFixture(t), newSite(t)
	f.add(s.setText("/a", feedOf("A", "One")), s.setText("/b", feedOf("B", "Other")))
	p := f.payload()
	if r := f.perform(p, "ms_1", refreshOperation, "A"); r.Status != contract.Completed || r.Refresh.Requested {
		t.Errorf("got %+v, want no refresh in the first minute", r)
	}
	s.setText("/a", feedOf("A", "Two"))
	f.clock.Advance(refreshInterval)
	if r := f.perform(p, "ms_1", refreshOperation, "A"); r.Status != contract.Completed || !r.Refresh.Requested {
		t.Errorf("got %+v, want a refresh", r)
	}
	f.wantTitles("feed A, article Two, article One, feed B, article Other")
	if a, b := len(s.of("/a")), len(s.of("/b")); a != 2 || b != 1 {
		t.Errorf("got %d and %d requests, want 2 and 1", a, b)
	}
}

func TestReadMarksBelongToOneMember(t *testing.T) {
	f, s := newFixture(t), newSite(t)
	f.add(s.setText("/a", feedOf("A", "One")))
	p := f.payload()
	for range 2 {
		if r := f.perform(p, "ms_1", readOperation, "One"); r.Status != contract.Completed || !r.Refresh.Requested {
			t.Errorf("got %+v, want it completed", r)
		}
	}
	p = f.wantTitles("feed A, article One, read_mark Read: One")
	mark, article := p.Objects.Items[2], p.Objects.Items[1]
	if fmt.Sprint(mark.Visibility.Members) != "[ms_1]" || mark.Visibility.Group != "" {
		t.Errorf("got the visibility %+v, want that of ms_1", mark.Visibility)
	}
	if r := p.Relationships.Items[1]; r.Source != mark.Source || r.Target != article.Source {
		t.Errorf("got the relationship %+v, want one from the mark to the article", r)
	}
	if r := f.perform(p, "ms_2", unreadOperation, "Read: One"); r.Status != contract.Rejected {
		t.Errorf("another member: got %+v, want it rejected", r)
	}
	f.perform(p, "ms_2", readOperation, "One")
	if r := f.perform(p, "ms_1", unreadOperation, "Read: One"); r.Status != contract.Completed {
		t.Errorf("got %+v, want it completed", r)
	}
	p = f.wantTitles("feed A, article One, read_mark Read: One")
	if got := p.Objects.Items[2].Visibility.Members; fmt.Sprint(got) != "[ms_2]" {
		t.Errorf("got the mark of %v, want that of ms_2", got)
	}
	err := f.db.Write(t.Context(), func(tx *store.Tx) error { _, err := f.RemoveMarks(tx, []string{"ms_2", "ms_3"}, 100); return err })
	if err != nil {
		t.Fatal(err)
	}
	p = f.wantTitles("feed A, article One")
	err = f.db.Write(t.Context(), func(tx *store.Tx) error { return f.Remove(tx, "news") })
	if err != nil {
		t.Fatal(err)
	}
	if r := f.perform(p, "ms_1", readOperation, "One"); r.Status != contract.Rejected {
		t.Errorf("without the article: got %+v, want it rejected", r)
	}
	address, _ := Addresses("news")
	if status, body := f.post(address, []byte("{}")); status != http.StatusOK || strings.Contains(string(body), "article") {
		t.Errorf("without feeds: got status %d and %s, want a payload without articles", status, body)
	}
}

// Many marks of one member do not displace those of others.
func TestReadMarksOfAMemberDoNotDisplaceOthers(t *testing.T) {
	f, s := newFixture(t), newSite(t)
	for _, title := range []string{"One", "Two", "Three"} {
		f.add(s.setText("/"+title, feedOf(title, title)))
	}
	p := f.payload()
	f.perform(p, "ms_1", readOperation, "One")
	for _, title := range []string{"One", "Two", "Three"} {
		f.clock.Advance(time.Minute)
		f.perform(p, "ms_2", readOperation, title)
	}
	var rows []markRow
	err := f.db.Read(t.Context(), func(tx *store.Tx) error {
		return tx.Select(&rows, f.q.Marks, store.Args{"provider": "news", "limit": 2})
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || rows[0].Subject == rows[1].Subject {
		t.Errorf("got the marks %v, want the latest one of each member", rows)
	}
}

// A feed that fails keeps its articles, and the others are updated.
func TestOneFeedFails(t *testing.T) {
	f, s := newFixture(t), newSite(t)
	f.add(s.setText("/a", feedOf("A", "One")), s.setText("/b", feedOf("B", "Other")))
	f.clock.Set(time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC))
	for name, handler := range map[string]http.HandlerFunc{
		"The feed no longer exists (status 404).":              http.NotFound,
		"The document is not a valid feed.":                    func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, rss20[:500]) },
		"The address is that of a web page and not of a feed.": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html><body>Moved</body></html>") },
		"The feed is larger than 4 MiB.":                       func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, maxBody+1)) },
		"The address of the server, or one to which it redirects, is not public.": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.2:9/", http.StatusFound)
		},
		"The server answered with status 500.": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
	} {
		s.set("/a", handler)
		s.setText("/b", feedOf("B", name))
		p := f.payload()
		if got, want := p.Objects.Items[0].Summary, "Not updated since 24 November 2026, 10:00 UTC. "+name; got != want {
			t.Errorf("got the summary %q, want %q", got, want)
		}
		if got := titles(p); !strings.HasPrefix(got, "feed A, article One, feed B, ") || !strings.Contains(got, "article "+name) {
			t.Errorf("%s: got the objects %s, want those of A and the new one of B", name, got)
		}
		f.clock.Advance(minInterval)
	}
	s.setText("/a", feedOf("A", "One"))
	if p := f.payload(); p.Objects.Items[0].Summary != "" {
		t.Errorf("got the summary %q, want none after a success", p.Objects.Items[0].Summary)
	}
}

func TestFeedsThatCannotBeAdded(t *testing.T) {
	f, s := newFixture(t), newSite(t)
	page := s.setText("/page", `<html><head><link rel="stylesheet" href="/x"><link rel="alternate" type="application/rss+xml" href="feed.xml"></head><body>Text</body></html>`)
	for address, want := range map[string]string{
		"feed.xml": "is not an address", "ftp://a.example/": "is not an address", "http://u:p@a.example/": "is not an address",
		page:              "that of a web page",
		s.URL + "/none":   "no longer exists",
		"http://[::1]:1/": "cannot be reached",
	} {
		_, err := f.Check(t.Context(), []string{address})
		e, ok := errors.AsType[*svc.Error](err)
		if !ok || !strings.Contains(e.Message, want) || !strings.HasPrefix(e.Message, address) {
			t.Errorf("%s: got %v, want an error with %q", address, err, want)
		}
		if address == page && (e.Err == nil || !strings.Contains(e.Err.Error(), s.URL+"/feed.xml")) {
			t.Errorf("got the cause %v, want the address of the feed", e.Err)
		}
	}
	a := s.setText("/a", feedOf("A", "One"))
	if _, err := f.Check(t.Context(), []string{a, a}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("got %v, want an error", err)
	}
}

func TestRequestsThatViolateTheContract(t *testing.T) {
	f, s := newFixture(t), newSite(t)
	f.add(s.setText("/a", feedOf("A", "One")))
	source, action := Addresses("news")
	for _, test := range []struct {
		address, body string
		want          int
	}{{source, "{", 404}, {source + "/x", "{}", 404}, {action, "{}", 400}} {
		if status, _ := f.post(test.address, []byte(test.body)); status != test.want {
			t.Errorf("%s %s: got status %d, want %d", test.address, test.body, status, test.want)
		}
	}
	if !IsAddress(source) || !IsAddress(action) || IsAddress("http://feeds.example/news/source") || IsAddress("") {
		t.Error("IsAddress: got a wrong result")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", source, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.RoundTrip(r); err == nil {
		t.Error("got no error after the context ended")
	}
}
