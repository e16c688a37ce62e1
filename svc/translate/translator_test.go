package translate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/outbound"
)

var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func newTranslator() *Translator {
	return New(outbound.Policy{}, "test", func() time.Time { return now })
}

// articlePage returns a page of about size bytes: an article with pictures, among
// navigation and scripts.
func articlePage(size int) []byte {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><title>Harvest | Gazette</title><meta property="og:image" content="/lead.jpg">
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "Harvest", "author": {"@type": "Person", "name": "Ada"},
"image": ["/lead.jpg", "/two.jpg"], "publisher": {"@type": "Organization", "name": "Gazette", "logo": {"@type": "ImageObject", "url": "/logo.png"}}}</script></head><body>
<nav><ul>` + strings.Repeat(`<li><a href="/x">Section</a></li>`, 50) + `</ul></nav><article><h1>Harvest</h1>`)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `<p class="text-%d">The villages on the hill bring in the grapes, <em>number %d</em>, and a <a href="/n/%d">neighbour</a> helps. %s</p>`,
			i, i, i, strings.Repeat("They work until the evening, and they never hurry. ", 3))
		if i%20 == 0 {
			fmt.Fprintf(&b, `<figure><img src="/p%d.jpg" alt="A cart" width="800" height="600"><figcaption>A cart</figcaption></figure><script>track(%d)</script>`, i, i)
		}
	}
	b.WriteString(`</article><footer><p>Imprint</p></footer></body></html>`)
	return []byte(b.String())
}

// The Images of a part contain each picture of its content, so that all addresses can be
// replaced.
func TestAllPicturesAreListed(t *testing.T) {
	for name, html := range map[string][]byte{
		"an article": articlePage(20_000), "a resource": []byte(strings.ReplaceAll(string(articlePage(20_000)), "ld+json", "x")),
	} {
		r, err := newTranslator().Translate("https://gazette.example/harvest", "text/html", html)
		if err != nil {
			t.Fatal(err)
		}
		pictures := 0
		for _, part := range r.Parts {
			for _, image := range part.Images {
				image.URL = "/picture"
			}
			text, err := json.Marshal(part.Content)
			if err != nil {
				t.Fatal(err)
			}
			pictures += strings.Count(string(text), `"url":"/picture"`)
			for _, source := range []string{".jpg", ".png"} {
				if strings.Contains(string(text), source) {
					t.Errorf("%s: %s: got the address of a picture in %.2000s, want none", name, part.Kind, text)
				}
			}
			if n := strings.Count(string(text), `"image":{`) + strings.Count(string(text), `"caption"`); n == 0 {
				t.Errorf("%s: %s: got no picture in %.500s, want some", name, part.Kind, text)
			}
			if strings.Contains(string(text), `"image":{}`) || strings.Contains(string(text), `"image":{"caption"`) {
				t.Errorf("%s: %s: got a picture without a URL in %.2000s, want it listed", name, part.Kind, text)
			}
		}
		if pictures < 2 {
			t.Errorf("%s: got %d pictures, want several", name, pictures)
		}
	}
}

func TestPagesThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		contentType, body string
	}{
		"a picture":                {"image/png", "\x89PNG\r\n"},
		"nothing":                  {"text/html", ""},
		"JSON":                     {"application/json", `{"a": 1}`},
		"a page made by a script":  {"text/html", `<html><head><script>document.write("x")</script></head><body></body></html>`},
		"a page without any words": {"text/html", `<html><body><div></div></body></html>`},
	} {
		_, err := newTranslator().Translate("https://example.org/", c.contentType, []byte(c.body))
		if e, ok := errors.AsType[*svc.Error](err); !ok || e.Code != svc.SourceNotSupported {
			t.Errorf("%s: got %v, want %s", name, err, svc.SourceNotSupported.Name)
		}
	}
}

// BenchmarkTranslate translates a page of 200 KB.
func BenchmarkTranslate(b *testing.B) {
	t, html := newTranslator(), articlePage(200_000)
	b.SetBytes(int64(len(html)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := t.Translate("https://gazette.example/harvest", "text/html", html); err != nil {
			b.Fatal(err)
		}
	}
}
