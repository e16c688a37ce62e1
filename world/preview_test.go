package world_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/outbound"
	"appliance/svc/translate"
	"appliance/world"
	"appliance/world/worldtest"
)

// newSite returns a fixture whose member ann has found the page /harvest of a site, an
// article with a picture. reads counts the requests for pages.
func newSite(t *testing.T) (f *fixture, reads *int, title string) {
	t.Helper()
	reads = new(int)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*reads++
		if r.URL.Path != "/harvest" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<html lang="en"><head><title>Harvest</title><meta property="og:image" content="/lead.jpg">
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "Harvest", "image": "/lead.jpg"}</script></head><body>
<article><h1>Harvest</h1>`+strings.Repeat("<p>The villages bring in the grapes, and every neighbour helps until the evening.</p>", 10)+`</article></body></html>`)
	}))
	t.Cleanup(site.Close)
	policy, err := outbound.Public(site.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	f = newFixture(t)
	f.Translator = translate.New(policy, "test", f.Clock.Now)
	f.World = f.NewWorld()
	page, missing := worldtest.Page(1), worldtest.Page(2)
	page.SourceURL, missing.SourceURL = site.URL+"/harvest", site.URL+"/missing"
	f.ReplaceFindings(f.ann, page, missing)
	return f, reads, page.Title
}

// prepare prepares the action translate_finding of a page.
func (f *fixture) prepare(title string) *world.Dispatch {
	f.T.Helper()
	in := &world.Dispatch{ActionID: f.actionID(f.ann, "translate_finding", title)}
	f.Read(func(tx *store.Tx) error { return f.World.Prepare(tx, f.ann, in) })
	return in
}

// A page is read once, outside of the transaction, and then shown from the workspace. The
// addresses of its pictures never reach a client. Covers S-45 to S-52.
func TestPreviewReadsThePageOnce(t *testing.T) {
	f, reads, title := newSite(t)
	in := f.prepare(title)
	_, err := f.perform(f.ann, world.Dispatch{ActionID: in.ActionID})
	worldtest.WantError(t, "without a page", err, svc.NotFound)
	find := func() (address string) {
		f.Read(func(tx *store.Tx) (err error) {
			address, err = f.World.FindPage(tx, f.ann, in.Preview)
			return err
		})
		return address
	}
	address := find()
	if !strings.HasSuffix(address, "/harvest") {
		t.Fatalf("got the address %q, want that of the page", address)
	}
	if err := f.World.ReadPage(t.Context(), f.ann, in.Preview, address); err != nil {
		t.Fatal(err)
	}
	if _, err := f.perform(f.ann, *in); err != nil {
		t.Fatal(err)
	}
	var text []byte
	f.Read(func(tx *store.Tx) error {
		w, err := f.Surface.Read(tx, f.ann)
		if err != nil {
			return err
		}
		text, err = json.Marshal(w.Runtime())
		return err
	})
	if !strings.Contains(string(text), "/world/pictures/") || strings.Contains(string(text), "lead.jpg") {
		t.Errorf("got %s, want pictures by paths of this server only", text)
	}

	if address := find(); address != "" {
		t.Errorf("translated page: got the address %q, want none", address)
	}
	f.Write(func(tx *store.Tx) error {
		_, _, result, err := f.World.ShowPreview(tx, f.ann, &world.Preview{SurfaceID: in.Preview.SurfaceID})
		if result.Status != "unchanged" || len(result.SurfaceIDs) == 0 {
			t.Errorf("translated page: got %+v, want the unchanged surfaces", result)
		}
		return err
	})
	if *reads != 1 {
		t.Errorf("got %d requests to the site, want 1", *reads)
	}
}

func TestPreviewOfAPageThatCannotBeRead(t *testing.T) {
	f, _, _ := newSite(t)
	in := f.prepare("Page 2")
	err := f.World.ReadPage(t.Context(), f.ann, in.Preview, "http://192.0.2.1/")
	worldtest.WantError(t, "another server", err, svc.SourceNotAllowed)
	err = f.DB.Read(t.Context(), func(tx *store.Tx) error {
		_, err := f.World.FindPage(tx, f.ann, &world.Preview{SurfaceID: "none"})
		return err
	})
	worldtest.WantError(t, "unknown surface", err, svc.NotFound)
	err = f.DB.Read(t.Context(), func(tx *store.Tx) error {
		_, err := f.World.FindPage(tx, f.bea, in.Preview)
		return err
	})
	worldtest.WantError(t, "surface of another member", err, svc.NotFound)
}
