package page_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"appliance/svc/translate/page"

	"golang.org/x/net/html"
)

const address = "https://example.org/dir/page.html"

// parse parses a page that must be accepted.
func parse(t testing.TB, contentType, body string) *page.Page {
	t.Helper()
	p, err := page.Parse(address, contentType, []byte(body))
	if err != nil {
		t.Fatalf("Parse(%.200q): got %v, want no error", body, err)
	}
	return p
}

// visibleText returns the text nodes of a tree.
func visibleText(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// Covers S-45 for character encodings.
func TestParseDetectsTheEncoding(t *testing.T) {
	latin := "<title>Caf\xe9</title>"
	utf := "<title>Café</title>"
	for _, c := range []struct{ name, contentType, body, want string }{
		{"valid UTF-8 wins over the header", "text/html; charset=iso-8859-1", utf, "Café"},
		{"valid UTF-8 wins over a meta element", "text/html", `<meta charset="windows-1252">` + utf, "Café"},
		{"header", "text/html; charset=iso-8859-1", latin, "Café"},
		{"header wins over a meta element", "text/html; charset=iso-8859-2", "<meta charset=windows-1252><title>\xb1</title>", "ą"},
		{"meta element", "text/html", `<meta charset="iso-8859-2"><title>` + "\xb1</title>", "ą"},
		{"meta element with http-equiv", "text/html", `<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><title>` + "\xc1</title>", "а"},
		{"late meta element", "text/html", "<!--" + strings.Repeat("-", 2000) + "--><meta name=x content=y><meta charset=iso-8859-2><title>\xb1</title>", "ą"},
		{"XML declaration", "application/xhtml+xml", `<?xml version="1.0" encoding="iso-8859-2"?><html><title>` + "\xb1</title></html>", "ą"},
		{"no declaration", "text/html", latin, "Café"},
		{"byte order mark", "text/html; charset=iso-8859-1", "\ufeff" + utf, "Café"},
		{"UTF-16 with a byte order mark", "text/html", "\xff\xfe<\x00t\x00i\x00t\x00l\x00e\x00>\x00\xe9\x00<\x00/\x00t\x00i\x00t\x00l\x00e\x00>\x00", "é"},
		{"UTF-16 in the header", "text/html; charset=utf-16le", "<\x00t\x00i\x00t\x00l\x00e\x00>\x00\xe9\x00<\x00/\x00t\x00i\x00t\x00l\x00e\x00>\x00", "é"},
		{"Shift JIS", "text/html; charset=shift_jis", "<title>\x93\xfa\x96{</title>", "日本"},
		{"ISO-2022-JP is valid UTF-8", "text/html; charset=iso-2022-jp", "<title>\x1b$BF|K\\\x1b(B</title>", "日本"},
		{"UTF-8 with one invalid byte", "text/html; charset=iso-8859-1", "<title>é</title>" + strings.Repeat("ü", 40) + "\xff", "é"},
		{"UTF-8 that is truncated", "text/html", "<title>é</title>" + strings.Repeat("日", 40) + "\xe6\x97", "é"},
		{"unknown label", "text/html; charset=nonsense", utf, "Café"},
	} {
		if got := parse(t, c.contentType, c.body).Title; got != c.want {
			t.Errorf("%s: got the title %q, want %q", c.name, got, c.want)
		}
	}
}

// Covers S-45 for media types.
func TestParseAcceptsHTMLOnly(t *testing.T) {
	document := "<!DOCTYPE html><title>x</title>"
	for _, c := range []struct {
		contentType, body string
		want              error
	}{
		{"text/html", document, nil},
		{"TEXT/HTML;charset=utf-8;", document, nil},
		{"application/xhtml+xml", document, nil},
		{"", document, nil},
		{"", "\ufeff  " + document, nil},
		{"", "<?xml version='1.0'?><html xmlns='x'><title>x</title></html>", nil},
		{"text/html", "Only words.", nil},
		{"", "Only words.", page.ErrNotHTML},
		{"", `{"a": 1}`, page.ErrNotHTML},
		{"text/plain", document, page.ErrNotHTML},
		{"application/json", document, page.ErrNotHTML},
		{"image/svg+xml", document, page.ErrNotHTML},
		{"text/html", "%PDF-1.7 x", page.ErrNotHTML},
		{"text/html", "\x89PNG\r\n\x1a\n", page.ErrNotHTML},
		{"text/html", "", page.ErrEmpty},
		{"text/html", "<html><body> <script>1</script></body></html>", page.ErrEmpty},
	} {
		if _, err := page.Parse(address, c.contentType, []byte(c.body)); !errors.Is(err, c.want) {
			t.Errorf("Parse(%q, %q): got %v, want %v", c.contentType, c.body, err, c.want)
		}
	}
}

func TestParseReadsTheHead(t *testing.T) {
	p := parse(t, "text/html", `<!DOCTYPE html><html LANG="pt_br"><head>
		<svg><title>Icon</title></svg><title> A &amp;amp; B
		</title><title>Second</title>
		<base href="/base/"><base href="/ignored/">
		<link rel="alternate CANONICAL" href="/page#top">
		<meta name="Description" content="One"><meta name=description content="Two"><meta property="og:title" content="Three"><meta name=empty content=" ">
		<script type="application/ld+json">{"a": "&amp;"}</script>
		<script type=" Application/LD+JSON ; charset=utf-8">[2]</script>
		<script type="application/json">no</script><script>no</script>
		<!-- <script type="application/ld+json">no</script> --><noscript><script type="application/ld+json">no</script></noscript>
		</head><body>Text<script type=application/ld+json></script></body></html>`)
	if got, want := p.Title, "A & B"; got != want {
		t.Errorf("title: got %q, want %q", got, want)
	}
	if got, want := p.Language, "pt-BR"; got != want {
		t.Errorf("language: got %q, want %q", got, want)
	}
	if got, want := p.Resolve("x.html"), "https://example.org/base/x.html"; got != want {
		t.Errorf("base: got %q, want %q", got, want)
	}
	if got, want := p.Canonical(), "https://example.org/page"; got != want {
		t.Errorf("canonical: got %q, want %q", got, want)
	}
	if got, want := fmt.Sprint(p.Meta), "map[description:One og:title:Three]"; got != want {
		t.Errorf("meta: got %s, want %s", got, want)
	}
	if got, want := p.Scripts, []string{`{"a": "&amp;"}`, "[2]"}; !slices.Equal(got, want) {
		t.Errorf("scripts: got %q, want %q", got, want)
	}
	if p.TooDeep {
		t.Error("TooDeep: got true, want false")
	}
}

func TestLanguageIsAValidTag(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`<html lang="de">x`, "de"},
		{`<html xml:lang="EN-us">x`, "en-US"},
		{`<html lang="zh-hant-tw">x`, "zh-Hant-TW"},
		{`<html lang="x<b>y">x`, ""},
		{`<html lang=""><meta http-equiv="Content-Language" content="fr, en">x`, "fr"},
		{`<meta property="og:locale" content="nl_NL">x`, "nl-NL"},
		{`x`, ""},
	} {
		if got := parse(t, "text/html", c.body).Language; got != c.want {
			t.Errorf("%s: got %q, want %q", c.body, got, c.want)
		}
	}
}

func TestCanonicalHasTheHostOfThePage(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`<link rel=canonical href="https://evil.example/x">x`, address},
		{`<link rel=canonical href="javascript:alert(1)">x`, address},
		{`<meta property="og:url" content="https://example.org/og">x`, "https://example.org/og"},
		{`<base href="https://cdn.example/"><link rel=canonical href="/x">x`, address},
		{`x`, address},
	} {
		if got := parse(t, "text/html", c.body).Canonical(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.body, got, c.want)
		}
	}
}

func TestDeepNestingKeepsHeadAndText(t *testing.T) {
	deep := "<html lang=de><title>Deep</title><base href=/base/><meta name=a content=b><h2>Heading</h2>" +
		strings.Repeat("<div>", 3000) + `<script type="application/ld+json">{}</script><p>First <b>bold</b></p><ul><li>Item</ul>` +
		`<style>p{}</style><img src=a.png alt=A>` + strings.Repeat("</div>", 3000) + "Last"
	p := parse(t, "text/html", deep)
	if !p.TooDeep || p.Title != "Deep" || p.Language != "de" || p.Meta["a"] != "b" || len(p.Scripts) != 1 || p.Resolve("x") != "https://example.org/base/x" {
		t.Errorf("got %+v, want the head of the page", p)
	}
	var got []string
	for n := range p.Root.Descendants() {
		if n.Type == html.ElementNode && (n.FirstChild == nil || n.FirstChild.Type == html.TextNode) {
			got = append(got, n.Data+" "+visibleText(n))
		}
	}
	if want := []string{"head ", "h2 Heading", "p First bold", "li Item", "img ", "p Last"}; !slices.Equal(got, want) {
		t.Errorf("got the elements %q, want %q", got, want)
	}
}

// 20 KB of unclosed formatting elements would become 300 MB in html.Parse.
func TestParseNeedsLittleMemoryForFormattingElements(t *testing.T) {
	var bold strings.Builder
	for i := range 250 {
		fmt.Fprintf(&bold, "<b id=%d>", i)
	}
	ends := strings.Repeat("</b>", 250)
	for name, body := range map[string]string{
		"not closed":                bold.String() + strings.Repeat("<p>x", 4000),
		"closed in a table cell":    "<p>" + bold.String() + "</p><table><td>" + ends + "</table>" + strings.Repeat("<p>x", 4000),
		"closed after a table cell": "<p>" + bold.String() + "</p><table><td></td></table><table><td><table></td>" + ends + "</table></table>" + strings.Repeat("<p>x", 4000),
		"closed in the wrong order": strings.Repeat("<b><i><u><div><div><div><div>x</b></i></u>", 1000),
		"cells":                     strings.Repeat("<table><td><a href=1><b id=1><i id=2>x", 300),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p := parse(t, "text/html", body)
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 60 {
			t.Errorf("%s: got %d MB, want at most 60", name, got)
		}
		if got := visibleText(p.Root); got == "" && strings.Contains(body, "x") {
			t.Errorf("%s: got no text, want the text of the page", name)
		}
	}
}

func TestOrdinaryFormattingKeepsTheTree(t *testing.T) {
	body := strings.Repeat(`<font size=2><p>One <b>two</b> <a href="/x">three</a> <code class=k>four</code><table><tr><td><font color=red>five<td><b>six</table></font>`, 300)
	if p := parse(t, "text/html", body); p.TooDeep {
		t.Error("TooDeep: got true, want false")
	}
}

func TestControlCharactersDoNotHidePartsOfAPage(t *testing.T) {
	p := parse(t, "text/html", "<ti\x00tle>A\x00B\x07</title>\x00<p>T\x01ext</p><script type='application/ld+json'>{\x00}</script>")
	if p.Title != "AB" || len(p.Scripts) != 1 || p.Scripts[0] != "{}" {
		t.Errorf("got title %q, scripts %q, want AB and {}", p.Title, p.Scripts)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "<title>x</title>", "<base href='//a'><link rel=canonical href=//b>x", "<p>" + strings.Repeat("<b id=1>", 30), "\xff\xfe<\x00", "<svg><title>x</svg><script type=application/ld+json>"} {
		f.Add("text/html", []byte(s))
		f.Add("text/html; charset=iso-2022-jp", []byte(strings.Repeat(s, 50)))
	}
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		p, err := page.Parse(address, contentType, body)
		if err != nil {
			return
		}
		nodes := 0
		for range p.Root.Descendants() {
			nodes++
		}
		if most := 20*len(body) + 200_000; nodes > most {
			t.Errorf("got %d nodes of %d bytes, want at most %d", nodes, len(body), most)
		}
		for _, u := range []string{p.Canonical(), p.Base.String()} {
			checkURL(t, u)
		}
		checkText(t, p.Title, 512)
		if strings.ContainsAny(p.Language, "<> ") {
			t.Errorf("got the language %q, want a tag", p.Language)
		}
		again, err := page.Parse(address, contentType, body)
		if err != nil || again.Title != p.Title || !bytes.Equal([]byte(visibleText(again.Root)), []byte(visibleText(p.Root))) {
			t.Errorf("got another page from the same bytes, %v", err)
		}
	})
}
