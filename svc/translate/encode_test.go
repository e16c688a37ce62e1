package translate

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"appliance/svc/translate/extract"
)

// longPage returns a page whose text has many more bytes as JSON than as text: short
// paragraphs of a character that JSON escapes, long links, and pictures with long
// captions. head is added to its head.
func longPage(head, text string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><head><title>Long</title>%s</head><body><article><h1>Long</h1>`, head)
	for i := range 900 {
		fmt.Fprintf(&b, `<p>Paragraph %d %s and a <a href="/%d?%s">neighbour of the village %d</a>.</p>`, i, text, i, strings.Repeat("a", 1500), i)
		if i%20 == 0 {
			fmt.Fprintf(&b, `<figure><img src="/p%d.jpg" width="800" height="600"><figcaption>Picture %d %s</figcaption></figure>`, i, i, strings.Repeat("&amp;", 400))
		}
	}
	b.WriteString(`</article></body></html>`)
	return []byte(b.String())
}

// The end of a long page is omitted. Covers S-56.
func TestLongTextIsCutToTheLimit(t *testing.T) {
	const limit = 56 << 10
	article := `<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Article", "headline": "Long"}</script>`
	for name, page := range map[string][]byte{
		"short paragraphs": longPage("", "with few words"), "quotes": longPage("", strings.Repeat(`"`, 60)),
		"markup": longPage("", strings.Repeat(`&lt; &gt; &amp; `, 20)), "emoji": longPage("", strings.Repeat("😀", 30)), "article": longPage(article, strings.Repeat("&amp;", 60)),
	} {
		r, err := newTranslator().Translate("https://long.example/", "text/html", page)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if before, _ := json.Marshal(r.Parts[0].Content); len(before) <= limit {
			t.Errorf("%s: got %d bytes, want a test with more than %d", name, len(before), limit)
		}
		text, err := Encode(&r.Parts[0], limit)
		if err != nil || len(text) > limit {
			t.Errorf("%s: got %d bytes, %v, want at most %d", name, len(text), err, limit)
		}
		if !strings.Contains(string(text), "Paragraph 0 ") {
			t.Errorf("%s: got %.300s, want the first paragraph", name, text)
		}
		switch c := r.Parts[0].Content.(type) {
		case *Resource:
			if !c.Truncated {
				t.Errorf("%s: got truncated false, want true", name)
			}
		case *extract.Article:
			if len(r.Parts[0].Warnings) == 0 {
				t.Errorf("%s: got no warning, want one", name)
			}
		}
	}
}

// Covers S-56.
func TestShortTextIsNotCut(t *testing.T) {
	r, err := newTranslator().Translate("https://gazette.example/harvest", "text/html", articlePage(20_000))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := json.Marshal(r.Parts[0].Content)
	if got, err := Encode(&r.Parts[0], len(want)); err != nil || string(got) != string(want) {
		t.Errorf("got %.200s, %v, want the whole content", got, err)
	}
}
