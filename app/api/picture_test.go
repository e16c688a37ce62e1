package api_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"appliance/app/apptest"
	"appliance/app/limits"
)

// gardenPage is a page with a picture.
const gardenPage = `<!doctype html><html><head><title>Gardens</title></head><body><article><h1>Gardens</h1>
<p>A garden needs water, light and patience, and care on every day of the year, in the cold as well as in the heat.</p>
<img src="/a.png" width="200" height="100"><p>It also needs a fence, because the animals of the forest like what grows in it.</p></article></body></html>`

var pictureURL = regexp.MustCompile(`/world/pictures/picture_[0-9a-f]+`)

// showFinding puts a found page into the overlay and returns the id of its surface.
func showFinding(ann *apptest.Client, url string) (surface string) {
	return ann.ReplaceOverlay(map[string]any{
		"finding_id": "web:1", "source_service": "web", "object_type": "html_resource", "title": "Gardens", "summary": "",
		"source_url": url, "actions": []any{}, "service_payload": map[string]any{},
	}).Str("surface_runtime.stacks.3.surface_order.0")
}

// A member can read the dataset while a site is slow to send pictures.
func TestFetchOfAPictureDoesNotOccupyARead(t *testing.T) {
	inUse, h := -1, (*apptest.Server)(nil)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/a.png" {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, gardenPage)
			return
		}
		inUse = h.App.HTTP.Reads.InUse()
		if err := png.Encode(w, image.NewGray(image.Rect(0, 0, 200, 100))); err != nil {
			t.Error(err)
		}
	}))
	defer site.Close()
	h = apptest.New(t, apptest.WithServiceKey, apptest.AllowSite(&apptest.Site{URL: site.URL}))
	ann := h.Member("ann")
	a := ann.Preview(showFinding(ann, site.URL+"/gardens"), `{}`).Want(200)
	h.App.HTTP.Reads = limits.NewConcurrency(limits.Capacity{Each: 1})
	ann.Do("GET", pictureURL.FindString(a.Body)).Want(200)
	if inUse != 0 {
		t.Errorf("got %d members with reads during the fetch, want 0", inUse)
	}
}

// A repeated request gets the first response and does not read the page again. Covers
// B-39.
func TestRepeatedPreviewIsReplayed(t *testing.T) {
	site := apptest.NewSite(t)
	site.SetPage("/gardens", gardenPage)
	h := apptest.New(t, apptest.WithServiceKey, apptest.AllowSite(site))
	ann := h.Member("ann")
	id := showFinding(ann, site.URL+"/gardens")
	for range 2 {
		ann.With("Idempotency-Key", "one").Preview(id, `{"refresh": true}`).Want(200).WantValues("", map[string]any{"translation.status": "upgraded"})
	}
	if n := site.Requests("/gardens"); n != 1 {
		t.Errorf("got %d requests for the page, want 1", n)
	}
	ann.With("Idempotency-Key", "one").Preview(id, `{"refresh": false}`).WantError(422, "idempotency_key_reused")
}

// The previews of one member are limited: a further preview waits before its page is fetched.
func TestPagesReadAtOnceAreLimited(t *testing.T) {
	site := apptest.NewSite(t)
	site.SetPage("/gardens", gardenPage)
	h := apptest.New(t, apptest.WithServiceKey, apptest.AllowSite(site))
	ann, bea := h.Member("ann"), h.Member("bea")
	id := showFinding(ann, site.URL+"/gardens")
	h.App.API.SetPreviews(limits.NewConcurrency(limits.Capacity{Each: 1}))
	release, err := h.App.API.Previews().Acquire(t.Context(), ann.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	ann.Preview(id, `{}`).WantError(429, "rate_limited")
	if n := site.Requests("/gardens"); n != 0 {
		t.Errorf("got %d requests for the page, want none", n)
	}
	bea.Preview(showFinding(bea, site.URL+"/gardens"), `{}`).Want(200)
	release()
	ann.Preview(id, `{}`).Want(200)
}

// A second preview of the same surface waits while the page is fetched, and then uses the stored
// translation. Covers S-57.
func TestPreviewsOfOneSurfaceReadThePageOnce(t *testing.T) {
	requests, during := 0, func() {}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		during()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, gardenPage)
	}))
	defer site.Close()
	h := apptest.New(t, apptest.WithServiceKey, apptest.AllowSite(&apptest.Site{URL: site.URL}))
	h.App.API.SetTranslations(limits.NewConcurrency(limits.Capacity{Each: 1})) // without waiting
	ann := h.Member("ann")
	id := showFinding(ann, site.URL+"/gardens")
	preview := ann.Dataset().Action("translate_finding", "Gardens")
	during = func() {
		during = func() {}
		ann.Preview(id, `{}`).WantError(429, "rate_limited")
		ann.SendAction(preview).WantError(429, "rate_limited")
	}
	ann.Preview(id, `{}`).Want(200).WantValues("", map[string]any{"translation.status": "upgraded"})
	ann.Preview(id, `{}`).Want(200).WantValues("", map[string]any{"translation.status": "unchanged"})
	if requests != 1 {
		t.Errorf("got %d requests for the page, want 1", requests)
	}
}

// writeObserver is a client that calls a function when it receives a part of the body.
type writeObserver struct {
	*httptest.ResponseRecorder
	onWrite func()
}

func (w writeObserver) Write(b []byte) (int, error) {
	w.onWrite()
	return w.ResponseRecorder.Write(b)
}

// Pictures are in memory until slow clients have received them, so their number is limited.
func TestPicturesSentAtOnceAreLimited(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 200, 100))); err != nil {
		t.Fatal(err)
	}
	site := apptest.NewSite(t)
	site.SetPage("/gardens", gardenPage)
	site.Set("/a.png", 200, "image/png", file.String())
	h := apptest.New(t, apptest.WithServiceKey, apptest.AllowSite(site))
	ann := h.Member("ann")
	url := pictureURL.FindString(ann.Preview(showFinding(ann, site.URL+"/gardens"), `{}`).Want(200).Body)
	h.App.API.SetSending(limits.NewConcurrency(limits.Capacity{Each: 1}))
	release, err := h.App.API.Sending().Acquire(t.Context(), ann.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	ann.Do("GET", url).WantError(429, "rate_limited")
	release()
	r := httptest.NewRequest("GET", url, nil)
	r.Header.Set("Authorization", "Bearer "+ann.Token)
	sending := -1
	w := writeObserver{httptest.NewRecorder(), func() { sending = h.App.API.Sending().InUse() }}
	h.App.HTTP.ServeHTTP(w, r)
	if w.Code != 200 || sending != 1 || h.App.API.Sending().InUse() != 0 {
		t.Errorf("got status %d, %d members with pictures while one is sent and %d afterwards, want 200, 1 and 0", w.Code, sending, h.App.API.Sending().InUse())
	}
}
