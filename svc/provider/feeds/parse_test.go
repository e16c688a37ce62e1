package feeds

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/provider/contract"
)

// Feeds in the formats that programs write.
const (
	rss20 = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>Harbour &amp; News</title><atom:link rel="self" href="https://news.example/feed"/><link>https://news.example/</link>
<description>All about &lt;b&gt;boats&lt;/b&gt;</description><image><title>Logo</title><url>https://news.example/logo.png</url></image>
<item><title>A &lt;i&gt;ferry&lt;/i&gt; &amp;amp; a tug</title><link>/2026/ferry?a=1&amp;b=2</link><guid isPermaLink="false">tag:1</guid>
 <dc:creator>Ann</dc:creator><category>react</category><category>html</category><pubDate>Mon, 23 Nov 2026 10:00:00 +0100</pubDate>
 <description><![CDATA[<p>The <a href="x">ferry</a> left.</p><script>alert(1)</script>]]></description>
 <enclosure url="https://cdn.example/1.mp3" type="audio/mpeg" length="5"/><media:group><media:thumbnail url="https://cdn.example/1.jpg"/></media:group></item>
<item><title>Older</title><guid>https://news.example/older</guid><author>bea@example.org (Bea)</author><pubDate>Sun, 22 Nov 2026 10:00:00 EST</pubDate>
 <content:encoded>Text only</content:encoded></item>
</channel></rss>`
	rss091 = `<rss version="0.91"><channel><title>Old</title><link>http://old.example/</link><description>d</description>
<item><title>First</title><link>http://old.example/1</link></item><item><title>Second</title><link>http://old.example/2</link></item></channel></rss>`
	rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="http://rdf.example/"><title>RDF</title><link>http://rdf.example/</link><description>d</description></channel>
<item rdf:about="http://rdf.example/1"><title>One</title><link>http://rdf.example/1</link><dc:date>2026-11-20T08:00:00Z</dc:date></item></rdf:RDF>`
	atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">Atom &amp;lt;3</title><subtitle>Sub</subtitle><link rel="self" href="https://a.example/feed"/>
<link href="https://a.example/"/><id>urn:a</id><updated>2026-11-23T00:00:00Z</updated>
<entry><id>urn:1</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Big <em>news</em></div></title><link rel="replies" href="https://a.example/r"/>
 <link rel="alternate" href="https://a.example/1"/><link rel="enclosure" href="v.mp4" type="video/mp4"/><updated>2026-11-23T00:00:00Z</updated>
 <author><name>Cem</name><email>cem@example.org</email></author><category term="css" label="Style"/><source><title>Other</title><id>urn:other</id></source>
 <content type="html">&lt;p&gt;Body&lt;/p&gt;</content></entry></feed>`
	jsonFeed1 = `{"version": "https://jsonfeed.org/version/1.1", "title": "JSON", "home_page_url": "https://j.example/", "items": [
 {"id": 7, "url": "https://j.example/7", "title": 5, "content_text": "Seven", "date_published": "2026-11-23T10:00:00+01:00", "authors": [{"name": "Dee"}],
  "tags": ["react"], "image": "https://j.example/7.png", "attachments": [{"url": "https://j.example/7.pdf", "mime_type": "application/pdf"}]}]}`
)

func parse(t *testing.T, text string) *Document {
	t.Helper()
	d, err := Parse("https://news.example/feed.xml", "", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFormats(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string // the feed, then its articles
	}{
		"RSS 2.0": {rss20, []string{
			"Harbour & News|All about boats|https://news.example/",
			"tag:1|2026-11-23 09:00|A ferry & a tug|The ferry left.|Ann|react, html|https://news.example/2026/ferry?a=1&b=2|https://cdn.example/1.jpg|[{https://cdn.example/1.mp3 audio/mpeg}]",
			"https://news.example/older|2026-11-22 15:00|Older|Text only|Bea||https://news.example/older||[]",
		}},
		"RSS 0.91": {rss091, []string{
			"Old|d|http://old.example/",
			"http://old.example/1|0001-01-01 00:00|First||||http://old.example/1||[]",
			"http://old.example/2|0001-01-01 00:00|Second||||http://old.example/2||[]",
		}},
		"RSS 1.0": {rdf, []string{"RDF|d|http://rdf.example/", "http://rdf.example/1|2026-11-20 08:00|One||||http://rdf.example/1||[]"}},
		"Atom": {atom, []string{
			"Atom <3|Sub|https://a.example/",
			"urn:1|2026-11-23 00:00|Big news|Body|Cem|Style|https://a.example/1||[{https://a.example/v.mp4 video/mp4}]",
		}},
		"JSON Feed": {jsonFeed1, []string{
			"JSON||https://j.example/",
			"7|2026-11-23 09:00|Seven|Seven|Dee|react|https://j.example/7|https://j.example/7.png|[{https://j.example/7.pdf application/pdf}]",
		}},
		"UTF-8 declared as Latin 1": {`<?xml version="1.0" encoding="ISO-8859-1"?><rss><channel><title>Caf` + "\u00e9" + `</title></channel></rss>`, []string{"Caf\u00e9||"}},
		"Latin 1":                   {`<?xml version="1.0" encoding="ISO-8859-1"?><rss><channel><title>Caf` + "\xe9" + `</title></channel></rss>`, []string{"Caf\u00e9||"}},
		"Latin 1 declared as UTF-8": {`<?xml version="1.0" encoding="UTF-8"?><rss><channel><title>Caf` + "\xe9" + `</title></channel></rss>`, []string{"Caf\ufffd||"}},
		"control characters":        {"<rss><channel><title>a\x01b&#2;c&#x1F;\u202ed</title></channel></rss>", []string{"abcd||"}},
		"text after the document":   {"<rss><channel><title>a</title></channel></rss></b>&", []string{"a||"}},
		"entities":                  {"<!DOCTYPE rss [<!ENTITY a 'aaaa'>]><rss><channel><title>&eacute; &a; R&D</title></channel></rss>", []string{"\u00e9 &a; R&D||"}},
		"without titles":            {"<rss><channel><item><description>Only a text</description></item><item><guid>1</guid></item></channel></rss>", []string{"Feed||", "Only a text|0001-01-01 00:00|Only a text|Only a text|||||[]", "1|0001-01-01 00:00|Untitled||||||[]"}},
		"forbidden texts":           {"<rss><channel><title>/world/x</title><item><title>the surface_runtime works</title><guid isPermaLink='false'>html</guid><link>https://x.example/runtime_panel</link></item></channel></rss>", []string{"\u2026||", "html|0001-01-01 00:00|the \u2026 works||||||[]"}},
	} {
		d := parse(t, test.text)
		got := []string{strings.Join([]string{d.Title, d.Description, d.Home}, "|")}
		for _, a := range d.Articles {
			got = append(got, strings.Join([]string{a.ID, a.Published.Format("2006-01-02 15:04"), a.Title, a.Summary, a.Author, a.Categories, a.Link, a.Picture, fmt.Sprint(a.Files)}, "|"))
		}
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

func TestDocumentsThatAreNoFeeds(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "text": "hello", "a page": "<!DOCTYPE html><html><body>hello</body></html>", "other XML": "<svg></svg>", "other JSON": `{"a": 1}`,
		"truncated": rss20[:len(rss20)-200], "truncated JSON": jsonFeed1[:len(jsonFeed1)-20], "nested": "<rss>" + strings.Repeat("<a>", maxDepth) + strings.Repeat("</a>", maxDepth) + "</rss>",
		"an array": `[{"version": "https://jsonfeed.org/version/1"}]`, "a declaration only": `<?xml version="1.0"?>`,
		"an end only": "</rss>",
	} {
		if d, err := Parse("https://news.example/", "", []byte(text)); err == nil {
			t.Errorf("%s: got %+v, want an error", name, d)
		}
	}
}

// Articles without a date count as the newest ones.
func TestNewestArticlesAreKept(t *testing.T) {
	var b strings.Builder
	b.WriteString("<rss><channel>")
	for i := range 10_000 {
		fmt.Fprintf(&b, "<item><guid>%d</guid><pubDate>%s</pubDate></item>", i, time.Unix(int64(i)*1e4, 0).UTC().Format(time.RFC1123Z))
	}
	b.WriteString("<item><guid>undated</guid></item></channel></rss>")
	d := parse(t, b.String())
	if n := len(d.Articles); n != maxArticles || d.Articles[0].ID != "undated" || d.Articles[1].ID != "9999" || d.Articles[n-1].ID != "9901" {
		t.Errorf("got %d articles, %s, %s to %s; want 100, undated, 9999 to 9901", n, d.Articles[0].ID, d.Articles[1].ID, d.Articles[n-1].ID)
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string]string{
		"Mon, 02 Nov 2026 10:00:00 GMT": "2026-11-02T10:00:00Z", "2 Nov 26 10:00 PDT": "2026-11-02T17:00:00Z", "2026-11-02": "2026-11-02T00:00:00Z",
		" Monday,  2 November 2026 10:00:00 +0200 ": "2026-11-02T08:00:00Z", "2026-11-02T10:00:00.5+01:00": "2026-11-02T09:00:00Z", "yesterday": "0001-01-01T00:00:00Z",
	} {
		if got := parseDate(text).Truncate(time.Second).Format(time.RFC3339); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// payloadOf returns the payload of a provider with a feed, which member ms_1 has read.
func payloadOf(t *testing.T, d *Document) []byte {
	t.Helper()
	c := contents{feeds: []Feed{{id: 1, URL: "https://news.example/", Title: d.Title, Description: d.Description, Home: d.Home}}, articles: make(map[int64][]storedArticle)}
	for _, a := range d.Articles {
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		stored := storedArticle{id: hash("1", a.ID), at: a.Published}
		if err := json.Unmarshal(text, &stored.Article); err != nil {
			t.Fatal(err)
		}
		c.articles[1] = append(c.articles[1], stored)
		c.marks = append(c.marks, markRow{stored.id, "ms_1"})
	}
	p, err := c.payload("news")
	if err != nil {
		t.Fatal(err)
	}
	text, err := svc.EncodeJSON(p)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The contract accepts the payload of every document that is a feed.
func FuzzPayloadIsAccepted(f *testing.F) {
	for _, text := range []string{rss20, rss091, rdf, atom, jsonFeed1} {
		f.Add(text)
	}
	f.Add(strings.ReplaceAll(rss20, "ferry", "surface_runtime"))
	f.Add(strings.ReplaceAll(atom, "a.example/1", "user:pw@[::1]:8/runtime_panel <x>"))
	f.Add(strings.ReplaceAll(rss20, "audio/mpeg", "text/css"))
	f.Add(`{"version": "https://jsonfeed.org/version/1", "items": [{"url": "/7", "attachments": [{"url": "/7"}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse("https://news.example/feed.xml", "", []byte(text))
		if err != nil {
			return
		}
		payload := payloadOf(t, d)
		if _, err := contract.ParseSource(payload, "news"); err != nil {
			t.Errorf("got %v, want no error\n%.2000s", err, payload)
		}
	})
}

// A payload has at most the size that the contract permits.
func TestLargePayload(t *testing.T) {
	long := strings.Repeat("\\", 4000)
	var d Document
	for i := range maxArticles {
		a := Article{ID: fmt.Sprint(i), Title: "T", Summary: long[:1000], Link: "https://x.example/" + long[:2000]}
		for j := range 30 {
			a.Files = append(a.Files, Resource{fmt.Sprint("https://x.example/", j, long[:2000]), "audio/mpeg"})
		}
		d.Articles = append(d.Articles, a)
	}
	d.Title = "T"
	if n := len(payloadOf(t, &d)); n > contract.MaxSource || n < contract.MaxSource/4 {
		t.Errorf("got a payload of %d bytes, want up to %d, but not much less", n, contract.MaxSource)
	}
}

// Items beyond the limit, and values that are no items, do not stay in memory. A link to
// a place in the feed itself would publish its address.
func TestHostileItems(t *testing.T) {
	for name, text := range map[string]string{
		"zeros":       `{"version": "https://jsonfeed.org/version/1.1", "items": [` + strings.Repeat("0,", 200_000) + `{"id": "a", "url": "#a"}]}`,
		"empty items": `<rss><channel><title>T</title><item><guid>a</guid><link>#a</link></item>` + strings.Repeat("<item/>", 200_000) + `</channel></rss>`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, err := Parse("https://news.example/feed?secret=1", "", []byte(text))
		runtime.ReadMemStats(&after)
		if err != nil || len(d.Articles) != 1 || d.Articles[0].Link != "" {
			t.Errorf("%s: got %+v, %v, want one article without a link", name, d, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 80<<20 {
			t.Errorf("%s: got %d MiB of allocations, want at most 80", name, got>>20)
		}
	}
}
