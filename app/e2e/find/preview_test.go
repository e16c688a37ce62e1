package find

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg"
	"image/png"
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// restaurant is a page with a restaurant and two events, and with scripts, forms and
// other markup that must not reach a member.
const restaurant = `<!doctype html><html lang="en"><head><title>Café Anna</title><link rel="canonical" href="/anna">
<script>alert(1)</script><style>p{color:red}</style>
<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
 {"@type": "Restaurant", "name": "Café Anna <b>&amp; Sons</b>", "telephone": "+49 30 123", "url": "/anna", "image": ["/a.png", "javascript:alert(1)"],
  "address": {"@type": "PostalAddress", "streetAddress": "Main St 1", "addressLocality": "Berlin"},
  "openingHours": "Mo-Fr 09:00-18:00", "hasMenu": {"@type": "Menu", "hasMenuSection": {"@type": "MenuSection", "name": "Soups",
    "hasMenuItem": {"@type": "MenuItem", "name": "Leek soup", "offers": {"@type": "Offer", "price": "6.50", "priceCurrency": "EUR"}}}}},
 {"@type": "MusicEvent", "name": "Jazz", "startDate": "2099-05-01T20:00:00+02:00", "location": {"@type": "Place", "name": "Garden"}},
 {"@type": "MusicEvent", "name": "Past", "startDate": "2001-05-01T20:00:00+02:00"}
]}</script></head><body onload="alert(1)"><nav>Home</nav><main><h1>Café Anna</h1><p>We cook.</p>
<form action="/x"><input name="q"></form><iframe src="https://example.org/ad"></iframe><img src="data:image/png;base64,xx"></main></body></html>`

// album is a page with a gallery.
const album = `<!doctype html><html><head><title>Album</title><script type="application/ld+json">[
{"@context": "https://schema.org", "@type": "ImageObject", "contentUrl": "/one.png", "caption": "One", "width": 800, "height": 400},
{"@context": "https://schema.org", "@type": "ImageObject", "contentUrl": "/two.png"}]</script></head><body><p>Pictures</p></body></html>`

// article returns a page with a text and without structured data.
func article(text string) string {
	return `<!doctype html><html lang="de"><head><title>Kitchen gardens – Example</title><meta name="description" content="About gardens."></head><body>
<header><nav><a href="/">Home</a></nav></header><div class="cookie-banner"><p>We use cookies. Accept all</p></div><article><h1>Kitchen gardens</h1>` +
		strings.Repeat("<p>"+text+" A garden needs water, light and patience, and care every day.</p>", 8) +
		`</article><footer>Imprint</footer></body></html>`
}

// previews returns a server that may read the pages of a site, and the ids of surfaces
// with findings for its paths.
func previews(t *testing.T, paths ...string) (s *apptest.Server, ann *apptest.Client, site *apptest.Site, ids []string) {
	t.Helper()
	site = apptest.NewSite(t)
	s, ann, places, pages := server(t, apptest.AllowSite(site))
	var urls []string
	for _, p := range paths {
		urls = append(urls, site.URL+p)
	}
	places.Answer(200, "[]")
	pages.Answer(200, apptest.FoundPages(urls...))
	a := ann.Find(everywhere, "ok")
	for _, id := range a.List("surface_runtime.stacks.3.surface_order") {
		ids = append(ids, id.(string))
	}
	return s, ann, site, ids
}

var markup = regexp.MustCompile(`<[a-zA-Z/!]|javascript:|data:|onload|style=|alert\(`)

// Covers S-03, S-45 to S-52, S-58, S-60, S-67, S-68, S-69, S-72, X-12, PT-35 and B-39.
func TestPreviewOfARestaurant(t *testing.T) {
	_, ann, site, ids := previews(t, "/x", "/anna", "/y")
	site.SetPage("/anna", restaurant)
	session := ann.Session()
	url := "/world/surface/surfaces/" + ids[1] + "/translate"
	session.WantValues("surface_runtime.commands", map[string]any{"translate_surface": "/world/surface/surfaces/{surface_id}/translate"})
	if got := apptest.At(session.Surface("surface_runtime.surfaces", ids[1]), "commands.translate_surface"); got != url {
		t.Errorf("command of the surface: got %v, want %s", got, url)
	}
	a := ann.Preview(ids[1], fmt.Sprintf(`{"url": %q}`, site.URL+"/other")).Want(200)
	a.WantSchema("service.surface.arranged", a.At(""))
	a.WantConsistentStacks("surface_runtime")
	a.WantValues("", map[string]any{"status": "ok", "translation.status": "expanded", "surface.surface_id": ids[1], "surface.runtime_state.translation.status": "expanded",
		"surface.runtime_state.finding.service_payload.canonical_url": site.URL + "/anna"})
	var types []string
	order := a.List("surface_runtime.stacks.3.surface_order")
	for _, id := range order {
		types = append(types, fmt.Sprint(apptest.At(a.Surface("surface_runtime.surfaces", id.(string)), "surface_type")))
	}
	want := "finding_surface web_business_surface web_hours_surface web_menu_surface web_events_surface finding_surface"
	if got := strings.Join(types, " "); got != want {
		t.Errorf("overlay: got %s, want %s", got, want)
	}
	for i, want := range []map[string]any{
		1: {"title": "Café Anna & Sons", "surface_object.object_type": "business", "surface_object.content.phones.0": "+49 30 123", "surface_object.content.address.locality": "Berlin"},
		2: {"surface_object.object_type": "hours", "surface_object.content.weekly.mon.0.open": "09:00"},
		3: {"surface_object.object_type": "menu", "surface_object.content.sections.0.items.0.prices.0.amount": "6.50"},
		4: {"surface_object.object_type": "events", "surface_object.content.events.0.name": "Jazz", "surface_object.content.events.1": nil},
	} {
		surface := a.Surface("surface_runtime.surfaces", order[i].(string))
		for path, value := range want {
			if path != "title" {
				path = "runtime_state." + path
			}
			if got := apptest.At(surface, path); fmt.Sprint(got) != fmt.Sprint(value) {
				t.Errorf("surface %d: %s: got %v, want %v", i, path, got, value)
			}
		}
		if i > 0 {
			if got := markup.FindString(strings.ReplaceAll(fmt.Sprint(apptest.At(surface, "runtime_state")), "<nil>", "")); got != "" {
				t.Errorf("surface %d: got %q, want no markup: %v", i, got, apptest.At(surface, "runtime_state"))
			}
		}
	}
	again := ann.Preview(ids[1], `{}`).Want(200)
	again.WantValues("", map[string]any{"translation.status": "unchanged", "surface_runtime.stacks.3.surface_order": order})
	if n := site.Requests("/anna"); n != 1 || site.Requests("/other") != 0 {
		t.Errorf("got %d requests for the page and %d for an address of the client, want 1 and 0", n, site.Requests("/other"))
	}
	ann.Preview(ids[1], `{"refresh": true}`).WantError(429, "rate_limited")
}

// Covers S-56, S-57, S-67, S-68 and PT-14.
func TestPreviewOfAPageWithoutTypedObjects(t *testing.T) {
	s, ann, site, ids := previews(t, "/text")
	site.SetPage("/text", article("First."))
	a := ann.Preview(ids[0], `{}`).Want(200)
	a.WantValues("", map[string]any{
		"translation.status": "upgraded", "surface.surface_id": ids[0], "surface.runtime_state.surface_object.object_type": "resource",
		"surface.runtime_state.source.language": "de", "surface.runtime_state.surface_object.title": "Kitchen gardens",
	})
	text := fmt.Sprint(a.At("surface.runtime_state.surface_object.content.blocks"))
	for word, want := range map[string]bool{"First.": true, "patience": true, "cookies": false, "Imprint": false, "Home": false} {
		if strings.Contains(text, word) != want {
			t.Errorf("got %q in the text: %t, want %t", word, !want, want)
		}
	}
	ann.Preview(ids[0], `{}`).Want(200).WantValues("", map[string]any{"translation.status": "unchanged"})
	site.SetPage("/text", article("Second."))
	s.Clock.Advance(2 * time.Minute)
	a = ann.Preview(ids[0], `{"refresh": true}`).Want(200)
	if text := fmt.Sprint(a.At("surface.runtime_state.surface_object.content.blocks")); !strings.Contains(text, "Second.") || site.Requests("/text") != 2 {
		t.Errorf("after a refresh: got %d requests and %s, want the new text", site.Requests("/text"), text)
	}
}

// The response for a client with the service key has no URLs of World.
func TestPreviewForAService(t *testing.T) {
	_, ann, site, ids := previews(t, "/anna")
	site.SetPage("/anna", restaurant)
	a := ann.AsService().Do("POST", "/runtime/surfaces/"+ids[0]+"/translate", `{}`).Want(200)
	a.WantValues("", map[string]any{"status": "ok", "translation.status": "expanded", "surface.surface_id": ids[0]})
	a.WantConsistentStacks("surface_runtime")
	if n := len(a.List("translation.translated_surface_ids")); n != 4 {
		t.Errorf("got %d surfaces, want 4", n)
	}
	ann.Do("POST", "/runtime/surfaces/"+ids[0]+"/translate", `{}`).Want(404)
}

// If a page cannot be read, only the status and the reason in the surface change. Covers
// S-66 and B-39.
func TestPreviewFailures(t *testing.T) {
	paths := []string{"/missing", "/broken", "/picture", "/large", "/private", "/loop", "/empty"}
	_, ann, site, ids := previews(t, paths...)
	site.Set("/broken", 500, "text/html", "down")
	site.Set("/picture", 200, "image/png", "\x89PNG")
	site.SetPage("/large", strings.Repeat("x", 2<<20+1))
	site.Set("/private", 302, "", "http://10.0.0.1/")
	site.Set("/loop", 302, "", "/loop")
	site.SetPage("/empty", `<html><head><script>document.write("x")</script></head><body></body></html>`)
	for i, want := range []struct {
		status int
		code   string
	}{{424, "source_fetch_failed"}, {424, "source_fetch_failed"}, {422, "source_not_supported"}, {422, "source_not_supported"}, {422, "source_not_allowed"}, {424, "source_fetch_failed"}, {422, "source_not_supported"}} {
		before := ann.Session()
		a := ann.Preview(ids[i], `{}`).WantError(want.status, want.code)
		session := ann.Session()
		surface := session.Surface("surface_runtime.surfaces", ids[i])
		got := apptest.At(surface, "runtime_state.translation")
		if fmt.Sprint(apptest.At(got, "status"), apptest.At(got, "code"), apptest.At(got, "reason")) != fmt.Sprint("failed", want.code, a.At("error.message")) {
			t.Errorf("%s: got %v, want the reason %v", paths[i], got, a.At("error.message"))
		}
		if got := apptest.At(surface, "runtime_state.surface_object"); got != nil || fmt.Sprint(session.At("surface_runtime.stacks")) != fmt.Sprint(before.At("surface_runtime.stacks")) {
			t.Errorf("%s: got %v, want the surface as before", paths[i], got)
		}
	}
}

// A page that could not be read is not fetched again for a minute; the response is that
// of the failed attempt. Covers B-39.
func TestPreviewAfterAFailure(t *testing.T) {
	s, ann, site, ids := previews(t, "/late")
	first := ann.Preview(ids[0], `{}`).WantError(424, "source_fetch_failed")
	site.SetPage("/late", article("First."))
	again := ann.Preview(ids[0], `{}`).WantError(424, "source_fetch_failed")
	if first.Str("error.message") != again.Str("error.message") || site.Requests("/late") != 1 {
		t.Errorf("got %q and %d requests, want %q and 1", again.Str("error.message"), site.Requests("/late"), first.Str("error.message"))
	}
	s.Clock.Advance(time.Minute)
	a := ann.Preview(ids[0], `{}`).Want(200)
	if got := fmt.Sprint(a.At("surface.runtime_state.translation")); got != "map[status:upgraded]" {
		t.Errorf("got %s, want the status without the failure", got)
	}
}

// Without an exception of the operator, pages on this machine are not read. Covers
// S-66 and PT-34.
func TestPreviewReadsPublicPagesOnly(t *testing.T) {
	site := apptest.NewSite(t)
	site.SetPage("/", article(""))
	_, ann, places, pages := server(t)
	places.Answer(200, "[]")
	pages.Answer(200, apptest.FoundPages(site.URL+"/", "http://127.0.0.1/", "http://169.254.169.254/latest/meta-data", "http://[::1]/"))
	a := ann.Find(everywhere, "ok")
	for _, id := range a.List("surface_runtime.stacks.3.surface_order") {
		ann.Preview(id.(string), `{}`).WantError(422, "source_not_allowed")
	}
	if n := site.Requests("/"); n != 0 {
		t.Errorf("got %d requests, want none", n)
	}
}

// Covers W-39, W-40, B-23 and B-96 for pages that were read.
func TestPreviewInTheDataset(t *testing.T) {
	_, ann, site, ids := previews(t, "/anna", "/text")
	site.SetPage("/anna", restaurant)
	site.SetPage("/text", article("First."))
	d := ann.Dataset()
	for i := range ids {
		preview := d.Action("translate_finding", d.Str(fmt.Sprintf("findings.%d.title", i)))
		if preview == nil {
			t.Fatalf("finding %d: got no translate_finding action, want one", i)
		}
		a := ann.SendAction(preview).Want(200)
		a.WantValues("", map[string]any{"status": "completed", "type": "translate_finding"})
	}
	after := ann.Dataset()
	if n := len(after.List("findings")); n != 2 {
		t.Fatalf("got %d findings, want both", n)
	}
	for i, parts := range []string{"[business hours menu events]", "[resource]"} {
		finding := after.At(fmt.Sprintf("findings.%d", i))
		var object any
		for _, o := range after.List("objects") {
			if apptest.At(o, "world_object_id") == apptest.At(finding, "world_object_id") {
				object = o
			}
		}
		var kinds []any
		list, _ := apptest.At(object, "state.parts").([]any)
		for _, p := range list {
			kinds = append(kinds, apptest.At(p, "kind"))
		}
		if fmt.Sprint(kinds) != parts || apptest.At(object, "object_type") != "web_resource" {
			t.Errorf("finding %d: got the object %v with the parts %v, want %s", i, object, kinds, parts)
		}
	}
	for _, a := range after.List("actions") {
		if apptest.At(a, "type") == "focus_object" && apptest.At(a, "target.world_object_id") == after.At("findings.0.world_object_id") {
			ann.SendAction(a).Want(200)
		}
	}
	if got := len(ann.Dataset().List("workspace.order")); got != 1 {
		t.Errorf("after focusing the page: got %d objects in the workspace, want it", got)
	}
}

// The dataset and its translated form explain why a page could not be read, until it has
// been read. Covers W-43 and B-24.
func TestFailedPreviewInTheDataset(t *testing.T) {
	s, ann, site, ids := previews(t, "/late", "/other")
	preview := ann.Dataset().Action("translate_finding", ann.Dataset().Str("findings.0.title"))
	reason := ann.SendAction(preview).WantError(424, "source_fetch_failed").Str("error.message")
	ann.Preview(ids[0], `{}`).WantError(424, "source_fetch_failed")
	read := map[string]func() []any{
		"the dataset": func() []any { return ann.Dataset().List("fallbacks") },
		"the translated output": func() []any {
			return ann.With("X-Service-Runtime", "web/1.0").Do("GET", "/world/translated").Want(200).List("fallbacks")
		},
	}
	ofCommands := func(fallbacks []any) (list []any) {
		for _, f := range fallbacks {
			if apptest.At(f, "scope.kind") == "command" {
				list = append(list, f)
			}
		}
		return list
	}
	for name, fallbacks := range read {
		list := ofCommands(fallbacks())
		if len(list) != 1 {
			t.Fatalf("%s: got the fallbacks %v, want one for the page", name, list)
		}
		for path, want := range map[string]any{"state": "degraded", "scope.action_id": apptest.At(preview, "action_id"), "reason": "source_fetch_failed", "message": reason, "retryable": true} {
			if got := apptest.At(list[0], path); got != want {
				t.Errorf("%s: %s: got %v, want %v", name, path, got, want)
			}
		}
	}
	site.SetPage("/late", article("First."))
	s.Clock.Advance(time.Minute)
	ann.SendAction(preview).Want(200)
	for name, fallbacks := range read {
		if list := ofCommands(fallbacks()); len(list) != 0 {
			t.Errorf("%s: got %v after the page was read, want no fallback", name, list)
		}
	}
}

// Pictures are served by this server, which encodes them again. Covers PT-34 and PT-35 for
// pictures.
func TestPicturesOfAPage(t *testing.T) {
	s, ann, site, ids := previews(t, "/anna")
	site.SetPage("/anna", restaurant)
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 20, 10))); err != nil {
		t.Fatal(err)
	}
	site.Set("/a.png", 200, "image/svg+xml", file.String()+"<script>alert(1)</script>")
	a := ann.Preview(ids[0], `{}`).Want(200)
	var url string
	for _, surface := range a.List("surface_runtime.surfaces") {
		if apptest.At(surface, "surface_type") == "web_business_surface" {
			url = fmt.Sprint(apptest.At(surface, "runtime_state.surface_object.content.images.0.url"))
			if other := apptest.At(surface, "runtime_state.surface_object.content.images.1"); other != nil {
				t.Errorf("got the picture %v, want one only", other)
			}
		}
	}
	if strings.Contains(a.Body, "a.png") || site.Requests("/a.png") != 0 {
		t.Errorf("got %d requests, and the address of the picture in the response: %t, want none before it is seen", site.Requests("/a.png"), strings.Contains(a.Body, "a.png"))
	}
	for range 2 {
		picture := ann.Do("GET", url).Want(200)
		for name, want := range map[string]string{
			"Content-Type": "image/jpeg", "X-Content-Type-Options": "nosniff", "Cache-Control": "private, max-age=86400", "Content-Security-Policy": "default-src 'none'; sandbox",
		} {
			if got := picture.Header.Get(name); got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
		m, _, err := image.Decode(strings.NewReader(picture.Body))
		if err != nil || m.Bounds().Size() != image.Pt(20, 10) || strings.Contains(picture.Body, "script") {
			t.Errorf("got %v, want the picture without the script after it", err)
		}
	}
	if n := site.Requests("/a.png"); n != 1 {
		t.Errorf("got %d requests for the picture, want 1", n)
	}
	s.Member("bea").Do("GET", url).WantError(404, "not_found")
	ann.Do("GET", "/world/pictures/picture_0").WantError(404, "not_found")
}

// Thumbnails of a gallery are served by this server, like its pictures. Covers S-53, PT-34 and
// PT-35 for thumbnails.
func TestThumbnailsOfAGallery(t *testing.T) {
	s, ann, site, ids := previews(t, "/album")
	site.SetPage("/album", album)
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 800, 400))); err != nil {
		t.Fatal(err)
	}
	site.Set("/one.png", 200, "image/png", file.String()+"<script>alert(1)</script>")
	a := ann.Preview(ids[0], `{}`).Want(200)
	pictures := a.Surface("surface_runtime.surfaces", a.Str("translation.translated_surface_ids.0"))
	first := apptest.At(pictures, "runtime_state.surface_object.content.images.0")
	url, thumb := fmt.Sprint(apptest.At(first, "url")), fmt.Sprint(apptest.At(first, "thumb"))
	if got := fmt.Sprint(apptest.At(first, "width"), " ", apptest.At(first, "height")); got != "800 400" {
		t.Errorf("got the size %s, want that of the page", got)
	}
	for url, want := range map[string]image.Point{url: image.Pt(800, 400), thumb: image.Pt(320, 160)} {
		picture := ann.Do("GET", url).Want(200)
		for name, want := range map[string]string{
			"Content-Type": "image/jpeg", "X-Content-Type-Options": "nosniff", "Cache-Control": "private, max-age=86400", "Content-Security-Policy": "default-src 'none'; sandbox",
		} {
			if got := picture.Header.Get(name); got != want {
				t.Errorf("%s: %s: got %q, want %q", url, name, got, want)
			}
		}
		m, _, err := image.Decode(strings.NewReader(picture.Body))
		if err != nil || m.Bounds().Size() != want || strings.Contains(picture.Body, "script") {
			t.Errorf("%s: got %v, want a picture of %v without the script after it", url, err, want)
		}
		ann.With("If-None-Match", picture.Header.Get("ETag")).Do("GET", url).Want(304)
	}
	if n := site.Requests("/one.png"); n != 1 {
		t.Errorf("got %d requests for the picture, want 1", n)
	}
	if etag := ann.Do("GET", url).Header.Get("ETag"); etag == ann.Do("GET", thumb).Header.Get("ETag") {
		t.Errorf("got the ETag %s for both, want different ones", etag)
	}
	s.Member("bea").Do("GET", thumb).WantError(404, "not_found")
	ann.Do("GET", "/world/pictures/picture_0/thumb").WantError(404, "not_found")
	missing := ann.Do("GET", fmt.Sprint(apptest.At(pictures, "runtime_state.surface_object.content.images.1.thumb"))).WantError(424, "source_fetch_failed")
	if got := missing.Header.Get("Cache-Control"); got != "private, max-age=600" {
		t.Errorf("a picture that cannot be fetched: got Cache-Control %q, want private, max-age=600: the site is not asked again before", got)
	}
}

// Covers PT-34 for pictures.
func TestBrokenPictureOfAPage(t *testing.T) {
	_, ann, site, ids := previews(t, "/anna")
	site.SetPage("/anna", restaurant)
	site.Set("/a.png", 302, "", "http://192.168.0.1/a.png")
	a := ann.Preview(ids[0], `{}`).Want(200)
	for _, surface := range a.List("surface_runtime.surfaces") {
		if url := apptest.At(surface, "runtime_state.surface_object.content.images.0.url"); url != nil {
			ann.Do("GET", url.(string)).WantError(424, "source_fetch_failed")
		}
	}
}

// A page that is longer than the limit of a surface is truncated. Covers S-56.
func TestPreviewOfALongPage(t *testing.T) {
	_, ann, site, ids := previews(t, "/long")
	var b strings.Builder
	for i := range 600 {
		fmt.Fprintf(&b, `<p>Line %d says "<b>%s</b>" to a <a href="/%d?%s">neighbour in village %d</a>.</p>`, i, strings.Repeat("&amp;&lt; ", 8), i, strings.Repeat("a", 1000), i)
	}
	site.SetPage("/long", `<!doctype html><html><head><title>Long</title></head><body><article><h1>Long</h1>`+b.String()+`</article></body></html>`)
	a := ann.Preview(ids[0], `{}`).Want(200)
	a.WantValues("surface.runtime_state.surface_object.content", map[string]any{"title": "Long", "truncated": true})
	if blocks := a.List("surface.runtime_state.surface_object.content.blocks"); !strings.Contains(fmt.Sprint(blocks[0]), "Line 0 ") {
		t.Errorf("got %v, want the beginning of the page", blocks[0])
	}
}

// hostileText returns a page in which each text and each URL is hostile. head is appended to its
// head element.
func hostileText(head string) string {
	const x = `&lt;script&gt;alert(1)&lt;/script&gt;&amp;lt;img src=x onerror=alert(1)&amp;gt;&#0;&#27;[31m&#x202e;`
	line := "<p>" + x + " A garden needs water, light and patience, and care every day.</p>"
	return `<!doctype html><html lang="` + x + `"><head><base href="javascript:alert(1)"><title>` + x + ` Gardens</title><link rel="canonical" href="javascript:alert(1)">
<meta property="og:url" content="data:text/html,x"><meta property="og:title" content="Gardens ` + x + `"><meta property="og:site_name" content="` + x + ` Site"><meta property="og:locale" content="` + x + `">
<meta name="author" content="Ada ` + x + `"><meta name="description" content="About ` + x + `"><meta property="article:published_time" content="` + x + `">
<meta property="og:image" content="javascript:alert(1)"><meta property="og:image:alt" content="` + x + `">` + head + `</head><body><article><h1>Gardens ` + x + `</h1><h2>` + x + ` Tools</h2>` + strings.Repeat(line, 4) +
		`<ul><li>` + x + ` Spade, which is what the gardener needs first of all</li><li>Rake ` + x + `</li></ul><table><tr><th>` + x + `A</th><th>B</th></tr><tr><td>1</td><td>` + x + `2</td></tr></table>
<blockquote>` + x + ` A garden is never finished.</blockquote><pre>if a ` + x + ` b</pre><p>Read <a href="javascript:alert(1)">this one</a>, <a href=" data:text/html,x">that one</a>, <a href="https://u:p@example.org/">these ones</a> and <a href="/ok?&quot;&lt;script&gt;">those ones ` + x + `</a>.</p>
<figure><img src="/p.png" width="200" height="200" alt="` + x + `"><figcaption>Picture ` + x + `</figcaption></figure><img src="javascript:alert(1)" width="300" height="300"><img src="//tracker.example/p.png" width="300" height="300">` +
		strings.Repeat(line, 4) + `</article></body></html>`
}

// No response contains markup, control characters, URLs with schemes other than those of the web,
// or URLs of pictures at the site. Covers PT-35.
func TestPreviewOfAHostileText(t *testing.T) {
	_, ann, site, ids := previews(t, "/text", "/article")
	site.SetPage("/text", hostileText(""))
	site.SetPage("/article", hostileText(`<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Article", "headline": "Gardens <b>x</b>", "url": "javascript:alert(1)", "image": "/p.png"}</script>`))
	for _, id := range ids {
		ann.Preview(id, `{}`).Want(200)
	}
	for name, value := range map[string]any{"the session": ann.Session().At(""), "the dataset": ann.Dataset().At(""), "the translated output": ann.With("X-Service-Runtime", "web/1.0").Do("GET", "/world/translated").Want(200).At("")} {
		for path, text := range texts(value, "") {
			if got := hostile.FindString(text); got != "" {
				t.Errorf("%s: %s: got %q in %q, want neither markup nor other schemes", name, path, got, text)
			}
		}
	}
}

// hostile matches text that must not occur in a response.
var hostile = regexp.MustCompile("<[a-zA-Z/!?]|^\\s*(javascript|data):|[\\x00-\\x08\\x0b-\\x1f\\x7f\u202e]|tracker\\.example|p\\.png|u:p@")

// texts returns the strings of a decoded JSON value by path, also the keys.
func texts(value any, path string) map[string]string {
	all := make(map[string]string)
	switch v := value.(type) {
	case string:
		all[path] = v
	case []any:
		for i, item := range v {
			maps.Copy(all, texts(item, fmt.Sprintf("%s.%d", path, i)))
		}
	case map[string]any:
		for key, item := range v {
			all[path+" key "+key] = key
			maps.Copy(all, texts(item, path+"."+key))
		}
	}
	return all
}

// An action that is repeated with its idempotency key does not read the page again, also
// after a search that shows the finding again.
func TestRepeatedPreviewAction(t *testing.T) {
	_, ann, site, _ := previews(t, "/anna")
	site.SetPage("/anna", restaurant)
	d := ann.Dataset()
	preview := d.Action("translate_finding", d.Str("findings.0.title"))
	if preview == nil {
		t.Fatal("got no translate_finding action, want one")
	}
	for range 2 {
		a := ann.With("Idempotency-Key", "k").AsRuntime().Do("POST", fmt.Sprint(apptest.At(preview, "command.url")), `{}`).Want(200)
		a.WantValues("", map[string]any{"status": "completed", "type": "translate_finding"})
		ann.Find(everywhere, "ok")
	}
	if n := site.Requests("/anna"); n != 1 {
		t.Errorf("got %d requests, want 1", n)
	}
}
