package httpd_test

import (
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
		inUse = h.App.HTTP.Reads().InUse()
		if err := png.Encode(w, image.NewGray(image.Rect(0, 0, 200, 100))); err != nil {
			t.Error(err)
		}
	}))
	defer site.Close()
	h = apptest.New(t, apptest.WithServiceKey, apptest.AllowSite(&apptest.Site{URL: site.URL}))
	ann := h.Member("ann")
	a := ann.Preview(showFinding(ann, site.URL+"/gardens"), `{}`).Want(200)
	h.App.HTTP.SetReads(limits.NewConcurrency(limits.Capacity{Each: 1}))
	ann.Do("GET", pictureURL.FindString(a.Body)).Want(200)
	if inUse != 0 {
		t.Errorf("got %d members with reads during the fetch, want 0", inUse)
	}
}
