package provider

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
)

// newsSite serves a feed at /feed.xml (404 if there are no items), a page at / that links it, and
// another feed at /broken.xml.
type newsSite struct {
	URL   string
	items atomic.Pointer[string]
	fail  atomic.Bool // at /broken.xml
}

const newsItem = `<item><title>The &lt;b&gt;ferry&lt;/b&gt; sails</title><guid isPermaLink="false">html</guid><link>https://news.example/ferry</link>
<category>react</category><pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;At noon.&lt;/p&gt;</description>
<enclosure url="https://news.example/ferry.mp3" type="audio/mpeg" length="1"/></item>`

func newNewsSite(t *testing.T) *newsSite {
	s := new(newsSite)
	s.set(newsItem)
	mux := http.NewServeMux()
	mux.HandleFunc("/feed.xml", func(w http.ResponseWriter, r *http.Request) {
		if *s.items.Load() == "" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `<rss version="2.0"><channel><title>Harbour news</title><link>https://news.example/</link>%s</channel></rss>`, *s.items.Load())
	})
	mux.HandleFunc("/broken.xml", func(w http.ResponseWriter, r *http.Request) {
		if s.fail.Load() {
			fmt.Fprint(w, `<rss><channel><title>Broken`)
			return
		}
		fmt.Fprint(w, `<feed xmlns="http://www.w3.org/2005/Atom"><title>Town hall</title><entry><id>1</id><title>Meeting</title><updated>2026-11-19T10:00:00Z</updated></entry></feed>`)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body>News</body></html>`)
	})
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

func (s *newsSite) set(items string) { s.items.Store(&items) }

// addNews registers the feeds of a site as the provider news.
func addNews(t *testing.T) (s *apptest.Server, site *newsSite, ann, bea *apptest.Client) {
	t.Helper()
	s, site = apptest.New(t, apptest.Unlimited), newNewsSite(t)
	s.Clock.Set(time.Now())
	ann, bea = s.Member("ann"), s.Member("bea")
	status, out, messages := s.RunCommand("", "provider", "add", "news", "--label", "News", "--feed", site.URL+"/feed.xml", "--feed", site.URL+"/broken.xml")
	if status != 0 || !strings.Contains(out, "4 objects") || strings.Contains(out, "whsec_") {
		t.Fatalf("provider add: got status %d, want 0, 4 objects and no secret\n%s%s", status, out, messages)
	}
	return s, site, ann, bea
}

// Articles are objects, feeds are objects and collections, and links and files are
// resources. No address of a feed is published.
func TestFeedsInTheDataset(t *testing.T) {
	_, site, ann, _ := addNews(t)
	d := ann.Dataset()
	article := d.Object("objects", "The ferry sails")
	for path, want := range map[string]any{
		"object_type": "article", "summary": "At noon.", "state.provider.label": "News", "state.metadata.categories": "Categories: react",
		"state.metadata.published_at": "2026-11-20T10:00:00Z", "state.resources.0.kind": "document", "state.resources.0.href": "https://news.example/ferry",
		"state.resources.1.kind": "audio", "state.resources.1.media_type": "audio/mpeg", "relationships.0.type": "part_of",
		"relationships.0.target.world_object_id": apptest.At(d.Object("objects", "feed Harbour news"), "world_object_id"),
	} {
		if got := apptest.At(article, path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
	collections := make(map[string]any)
	for _, c := range d.List("contexts") {
		if apptest.At(c, "kind") == "collection" {
			collections[fmt.Sprint(apptest.At(c, "label"))] = apptest.At(c, "items.0.label")
		}
	}
	if collections["Harbour news"] != "The ferry sails" || collections["Town hall"] != "Meeting" {
		t.Errorf("got the collections %v, want one for each feed", collections)
	}
	if host := strings.TrimPrefix(site.URL, "http://"); strings.Contains(d.Body, host) || strings.Contains(d.Body, "feeds.invalid") {
		t.Error("got the address of a feed, want none")
	}
}

func TestReadMarksOfArticles(t *testing.T) {
	s, _, ann, bea := addNews(t)
	a := ann.Act("mark_as_read", "The ferry sails").Want(200)
	a.WantValues("", map[string]any{"status": "completed", "message": "Marked as read.", "refresh.performed": true})
	d := ann.Dataset()
	mark := d.Object("objects", "Read: The ferry sails")
	if apptest.At(mark, "relationships.0.target.world_object_id") != apptest.At(d.Object("objects", "The ferry sails"), "world_object_id") {
		t.Errorf("got the mark %v, want one that relates to the article", mark)
	}
	if strings.Contains(bea.Dataset().Body, "read_mark") {
		t.Error("bea: got the mark of another member, want none")
	}
	remove := d.Action("mark_as_unread", "Read: The ferry sails")
	bea.SendAction(remove).WantError(404, "not_found")
	bea.Act("mark_as_read", "The ferry sails").Want(200)
	ann.Do("GET", "/world/identity/export").Want(200).WantValues("read_articles", map[string]any{
		"0.provider": "news", "0.title": "The ferry sails", "0.link": "https://news.example/ferry", "1": nil,
	})
	ann.SendAction(remove).Want(200)
	if strings.Contains(ann.Dataset().Body, "read_mark") || !strings.Contains(bea.Dataset().Body, "read_mark") {
		t.Error("got the mark of ann or none of bea, want only the one of bea")
	}
	s.DeleteMember(bea.ID)
	if status, out, _ := s.RunCommand("", "provider", "sync", "news"); status != 0 || !strings.Contains(out, "no longer published: 1 object") {
		t.Errorf("after bea was deleted: got status %d, want that her mark is gone\n%s", status, out)
	}
}

func TestRefreshOfAFeed(t *testing.T) {
	s, site, ann, _ := addNews(t)
	site.set(newsItem + strings.ReplaceAll(strings.ReplaceAll(newsItem, "html", "css"), "ferry", "tug"))
	ann.Act("refresh", "feed Harbour news").Want(200).WantValues("", map[string]any{"status": "completed", "refresh.requested": false})
	s.Clock.Advance(2 * time.Minute) // the command used the clock of the machine, which may be ahead
	ann.Act("refresh", "feed Harbour news").Want(200).WantValues("", map[string]any{"status": "completed", "refresh.performed": true})
	d := ann.Dataset()
	if d.Object("objects", "The tug sails") == nil || d.Object("objects", "The ferry sails") == nil {
		t.Error("got no new article, want it beside the previous one")
	}
}

// The articles of a failing feed remain, and the feed shows the time of its last update. If all
// feeds fail, the provider is degraded.
func TestBrokenFeed(t *testing.T) {
	s, site, ann, _ := addNews(t)
	site.fail.Store(true)
	s.Clock.Advance(20 * time.Minute)
	if err := s.App.AcquireProviders(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := ann.Dataset()
	if got := fmt.Sprint(apptest.At(d.Object("objects", "feed Town hall"), "summary")); !strings.HasPrefix(got, "Not updated since ") || d.Object("objects", "Meeting") == nil {
		t.Errorf("got the summary %q, want the time, and the article", got)
	}
	if status, out, _ := s.RunCommand("", "provider", "list"); status != 0 || !strings.Contains(out, site.URL+"/broken.xml") || !strings.Contains(out, "not a valid feed") || strings.Contains(out, "feeds.invalid") {
		t.Errorf("provider list: got status %d, want the feeds with their states\n%s", status, out)
	}
	site.set("")
	s.Clock.Advance(20 * time.Minute)
	if err := s.App.AcquireProviders(t.Context()); err != nil {
		t.Fatal(err)
	}
	d = ann.Dataset()
	if got := apptest.At(sourceOf(t, d, "news"), "status"); got != "degraded" {
		t.Errorf("got the status %v, want degraded", got)
	}
	if d.Object("objects", "Meeting") == nil || !strings.Contains(d.Body, "The data of News could not be updated") {
		t.Error("got no article or no fallback, want both")
	}
}

func TestCommandsOfFeeds(t *testing.T) {
	s, site, ann, _ := addNews(t)
	status, _, messages := s.RunCommand("", "provider", "add", "page", "--feed", site.URL)
	if status != 1 || !strings.Contains(messages, site.URL+"/feed.xml") {
		t.Errorf("web page: got status %d and %q, want 1 and the address of the feed", status, messages)
	}
	for _, args := range [][]string{{"--feed", "x"}, {"--feed", site.URL + "/feed.xml", "--action-url", "https://p.example/"}, {}} {
		if status, _, messages := s.RunCommand("", append([]string{"provider", "add", "other"}, args...)...); status != 2 {
			t.Errorf("%q: got status %d, want 2\n%s", args, status, messages)
		}
	}
	if status, out, _ := s.RunCommand("", "provider", "list", "--json"); status != 0 || !strings.Contains(out, `"url": "`+site.URL+`/feed.xml"`) || strings.Contains(out, "feeds.invalid") || strings.Contains(out, `"page"`) {
		t.Errorf("provider list: got status %d, want the feeds of news only\n%s", status, out)
	}
	if status, out, messages := s.RunCommand("", "provider", "sync", "news"); status != 0 {
		t.Errorf("provider sync: got status %d, want 0\n%s%s", status, out, messages)
	}
	if status, _, messages := s.RunCommand("", "provider", "remove", "news"); status != 0 {
		t.Errorf("provider remove: got status %d, want 0\n%s", status, messages)
	}
	if strings.Contains(ann.Dataset().Body, "Harbour news") {
		t.Error("got a feed of the removed provider, want none")
	}
	status, _, messages = s.RunCommand("", "provider", "add", "news", "--feed", site.URL+"/feed.xml")
	if status != 0 {
		t.Errorf("after its removal: got status %d, want 0\n%s", status, messages)
	}
}

// A member adds and removes feeds, which other members do not see. The addresses of feeds must be
// public or permitted by the operator.
func TestOwnFeeds(t *testing.T) {
	site := newNewsSite(t)
	s := apptest.New(t, apptest.Unlimited, func(settings *config.Settings) {
		settings.FetchAllowHosts = append(settings.FetchAllowHosts, strings.TrimPrefix(site.URL, "http://"))
	})
	s.Clock.Set(time.Now())
	ann, bea := s.Member("ann"), s.Member("bea")
	add := ann.Dataset().Action("add_feed", "")
	if got := apptest.At(add, "command.url"); got != "/world/feeds" || apptest.At(add, "controls.0.id") != "url" {
		t.Fatalf("got the action %v, want one with the control url", add)
	}
	key := ann.AsRuntime().With("Idempotency-Key", "k")
	for range 2 {
		a := key.Do("POST", "/world/feeds?return=dataset", fmt.Sprintf(`{"url": %q}`, site.URL+"/feed.xml")).Want(201)
		a.WantValues("", map[string]any{"status": "ok", "title": "Harbour news", "dataset.contract.name": "service.runtime.dataset"})
		if !strings.Contains(a.Body, "The ferry sails") {
			t.Error("got a dataset without the article")
		}
	}
	ann.Do("POST", "/world/feeds", fmt.Sprintf(`{"url": %q}`, site.URL+"/feed.xml")).WantError(409, "already_exists").WantFields("url")
	ann.Do("POST", "/world/feeds", fmt.Sprintf(`{"url": %q}`, site.URL+"/broken.xml")).Want(201)
	d := ann.Dataset()
	apptest.CheckDataset(t, d)
	if other := bea.Dataset(); strings.Contains(other.Body, "ferry") || strings.Contains(other.Body, "feeds-of-") || strings.Contains(other.Body, "Harbour news") {
		t.Error("bea: got a feed of ann")
	}
	url := fmt.Sprint(apptest.At(d.Action("remove_feed", "feed Harbour news"), "command.url"))
	bea.AsRuntime().Do("POST", url, `{}`).WantError(404, "not_found")
	ann.Act("mark_as_read", "The ferry sails").Want(200)
	for _, feed := range []string{"feed Harbour news", "feed Town hall"} {
		ann.Act("remove_feed", feed).Want(200).WantValues("", map[string]any{"status": "completed", "message": "The feed was removed.", "refresh.performed": true})
	}
	d = ann.Dataset()
	apptest.CheckDataset(t, d)
	if strings.Contains(d.Body, "ferry") || strings.Contains(d.Body, "Town hall") {
		t.Error("got objects of a removed feed")
	}
	bea.Do("POST", "/world/feeds", fmt.Sprintf(`{"url": %q}`, site.URL+"/feed.xml")).Want(201)
	s.DeleteMember(bea.ID)
	if err := s.App.SweepProviders(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"provider_feed", "provider_article", "provider_read_mark"} {
		if rows := s.Rows()[table]; rows != "" {
			t.Errorf("after the deletion of the member: %s has %s, want no rows", table, rows)
		}
	}
}

// The addresses of members' feeds are refused unless they are public, also in a redirect.
func TestOwnFeedsMustBePublic(t *testing.T) {
	site := newNewsSite(t)
	s := apptest.New(t, apptest.Unlimited)
	ann := s.Member("ann")
	for address, want := range map[string]string{
		site.URL + "/feed.xml": "source_fetch_failed", "http://localhost/feed.xml": "source_fetch_failed", "file:///etc/passwd": "invalid_value", "feed": "invalid_value",
	} {
		a := ann.Do("POST", "/world/feeds", fmt.Sprintf(`{"url": %q}`, address))
		if a.Str("error.code") != want {
			t.Errorf("%s: got %s, want %s", address, a.Body, want)
		}
	}
	ann.Do("POST", "/world/feeds", `{}`).WantError(400, "field_required").WantFields("url")
	status, _, messages := s.RunCommand("", "provider", "add", "feeds-of-1", "--feed", site.URL+"/feed.xml")
	if status == 0 {
		t.Errorf("got a provider with a reserved id: %s", messages)
	}
}
