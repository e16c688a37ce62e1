package maintext

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"appliance/svc/translate/page"
)

const address = "https://www.example.org/2026/harvest"

func parse(t testing.TB, source string) *page.Page {
	t.Helper()
	p, err := page.Parse(address, "text/html; charset=utf-8", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func find(t testing.TB, source string) *Text {
	t.Helper()
	return Find(parse(t, source))
}

// show returns a line for each block.
func show(blocks []Block) (lines []string) {
	for _, b := range blocks {
		switch b.Type {
		case "list":
			lines = append(lines, fmt.Sprintf("list %v %q", b.Ordered, b.Items))
		case "table":
			lines = append(lines, fmt.Sprintf("table %v %q %q", b.Header, b.Text, b.Rows))
		case "image":
			lines = append(lines, fmt.Sprintf("image %s %q %q %dx%d", b.Image.Source, b.Image.Caption, b.Image.Credit, b.Image.Width, b.Image.Height))
		case "link":
			lines = append(lines, "link "+b.Text+" "+b.URL)
		case "heading":
			lines = append(lines, fmt.Sprintf("h%d %s", b.Level, b.Text))
		default:
			lines = append(lines, b.Type+" "+b.Text)
		}
	}
	return lines
}

func wantBlocks(t *testing.T, source string, want ...string) *Text {
	t.Helper()
	text := find(t, source)
	if got := show(text.Blocks); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return text
}

// sentence returns the n-th sentence of an article.
func sentence(n int) string {
	return fmt.Sprintf("In the %dth week the pickers, who had come from three villages, carried the baskets down the slope, and the press ran until the evening.", n)
}

// sentences returns paragraphs of one sentence each.
func sentences(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		b.WriteString("<p>" + sentence(i) + "</p>\n")
	}
	return b.String()
}

var article = `<!DOCTYPE html><html lang="en"><head><title>The long harvest | Hill Gazette</title>
<meta property="og:site_name" content="Hill Gazette"><meta property="og:type" content="article">
<meta property="og:image" content="/lead.jpg"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="800">
<meta name="author" content="By Ada Bell"><meta property="article:published_time" content="2026-10-02T08:00:00+02:00">
<meta name="description" content="How three villages bring in &lt;b&gt;the grapes&lt;/b&gt;."></head>
<body class="has-cookie-banner">
<div id="cookieBanner" role="dialog"><p>We use cookies to improve your visit.</p><button>Accept all</button></div>
<a class="skip-link" href="#main">Skip to content</a>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/wine">Wine</a></li><li><a href="/shop">Shop</a></li></ul></nav></header>
<main id="main"><ol class="crumbs"><li><a href="/">Home</a></li><li><a href="/wine">Wine</a></li></ol>
<article><h1>The long harvest</h1>
<div class="share-buttons"><ul><li><a href="https://facebook.com/x">Facebook</a></li><li><a href="https://x.com/x">X</a></li></ul></div>
<p>Share this article</p>
` + sentences(1, 4) + `<h2>The <em>press</em></h2>` + sentences(4, 6) + `
<figure><picture><source srcset="/press-400.webp 400w, /press-1200.webp 1200w, /press-4000.webp 4000w" type="image/webp">
<img src="data:image/gif;base64,R0lGOD" alt="x" width="1200" height="800"></picture>
<figcaption>The press at night. <span class="credit">Photo: C. Dell</span></figcaption></figure>
<img src="/placeholder.gif" data-src="/lazy.jpg" alt="A lazy picture"><noscript><img src="/lazy.jpg"></noscript>
<blockquote><p>Never so much<br>rain.</p><p>Said the miller.</p></blockquote>
<ul><li>White: <b>12</b> tons<ul><li>Riesling</li><li>Silvaner</li></ul></li><li>Red: 5 tons</li></ul>
<ol><li>Wash</li><li>Press</li></ol>
<table><caption>Yield</caption><thead><tr><th>Village</th><th>Tons</th></tr></thead><tbody><tr><td>Upper</td><td>7</td></tr><tr><td>Lower</td></tr></tbody></table>
<pre><code>if a &lt;b {
	press()
}</code></pre>
<dl><dt>Must</dt><dd>Juice before fermentation</dd><dt>Marc</dt><dd>What remains</dd></dl>
<p>Read <a href="/method#top">about the method</a> or <a href="javascript:alert(1)">run</a> it, with <code>go press</code>.</p>
<p><a href="https://other.example/rules">The rules of the harvest</a></p>
` + sentences(6, 9) + `
<div class="newsletter"><p>Subscribe to our newsletter</p><form><input name="mail"><button>Go</button></form></div>
<h3>Related articles</h3><ul><li><a href="/a">The short harvest</a></li><li><a href="/b">The cellar in winter</a></li></ul>
</article>
<section id="comments"><h3>2 comments</h3><p>First! A great text about harvests, thank you very much for it.</p></section></main>
<aside><p>Most read stories of the week on this site.</p></aside>
<footer><p>© 2026 Hill Gazette. All rights reserved. <a href="/privacy">Privacy</a></p></footer>
<script>document.write("<p>script</p>")</script></body></html>`

func TestArticleBecomesBlocks(t *testing.T) {
	text := wantBlocks(t, article,
		"paragraph "+sentence(1), "paragraph "+sentence(2), "paragraph "+sentence(3), "h2 The press", "paragraph "+sentence(4), "paragraph "+sentence(5),
		`image https://www.example.org/press-1200.webp "The press at night." "Photo: C. Dell" 1200x800`,
		`image https://www.example.org/lazy.jpg "A lazy picture" "" 0x0`,
		"quote Never so much\nrain.\nSaid the miller.",
		`list false ["White: 12 tons" "– Riesling" "– Silvaner" "Red: 5 tons"]`,
		`list true ["Wash" "Press"]`,
		`table true "Yield" [["Village" "Tons"] ["Upper" "7"] ["Lower" ""]]`,
		"code if a < b {\n\tpress()\n}",
		`list false ["Must: Juice before fermentation" "Marc: What remains"]`,
		"paragraph Read about the method or run it, with go press.",
		"link The rules of the harvest https://other.example/rules",
		"paragraph "+sentence(6), "paragraph "+sentence(7), "paragraph "+sentence(8))
	links := []Block{
		{Type: "link", Text: "about the method", URL: "https://www.example.org/method#top"},
		{Type: "link", Text: "The rules of the harvest", URL: "https://other.example/rules"},
	}
	if got, want := fmt.Sprint(text.Links), fmt.Sprint(links); got != want {
		t.Errorf("got links %s, want %s", got, want)
	}
	got := []any{text.Title, text.SiteName, text.Byline, text.Published, text.Language, text.Summary, text.Truncated, len(text.Images), text.Images[0].Source, text.Images[0].Width}
	want := []any{"The long harvest", "Hill Gazette", "Ada Bell", "2026-10-02T06:00:00Z", "en", "How three villages bring in the grapes.", false, 3, "https://www.example.org/lead.jpg", 1200}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if text.Words < 200 || text.Words > 260 {
		t.Errorf("got %d words, want about 230", text.Words)
	}
}

// Two br elements end a paragraph.
func TestEmptyLinesSeparateParagraphs(t *testing.T) {
	var body strings.Builder
	var want []string
	for i := range 6 {
		body.WriteString(sentence(i) + "<br>\n<br>\n")
		want = append(want, "paragraph "+sentence(i))
	}
	body.WriteString("One line<br>\nand another.")
	want = append(want, "paragraph One line and another.")
	wantBlocks(t, "<html><body><h1>x</h1><div id=text>"+body.String()+"</div></body></html>", want...)
}

// Consent banners, controls and related links are recognized by their text.
func TestNoiseIsRemoved(t *testing.T) {
	for _, noise := range []string{
		"<p>We and our partners use cookies to store data on your device.</p>",
		"<p>Wir verwenden Cookies, um diese Website zu verbessern.</p>",
		"<p>Nous utilisons des cookies pour mesurer la fréquentation du site.</p>",
		"<p>Utilizamos cookies propias y de terceros.</p>",
		"<p>Questo sito utilizza i cookie per migliorare i servizi.</p>",
		"<p>Alle akzeptieren</p>", "<p>Tout accepter</p>", "<p>Manage preferences</p>", "<p>Continuer sans accepter</p>",
		"<p>Auf Facebook teilen</p>", "<p>Partager sur Twitter</p>", "<p>Condividi su WhatsApp</p>", "<p>Tweet</p>",
		`<ul><li><a href="/f">Facebook</a></li><li><a href="/t">Twitter</a></li><li><a href="/l">LinkedIn</a></li></ul>`,
		`<p><a href="/x">Read more: the cellar in winter</a></p>`, `<p><a href="/x">Lesen Sie auch: der Keller</a></p>`, `<p><a href="/x">Lire aussi : la cave</a></p>`,
		`<p><a href="/">Home</a> › <a href="/wine">Wine</a> › Harvest</p>`,
		`<h3>You may also like</h3><ul><li><a href="/a">A cellar</a></li><li><a href="/b">Another cellar</a></li></ul>`,
		"<p>Advertisement</p>", "<p>Zum Inhalt springen</p>", "<p>Back to top</p>",
		"<div hidden><p>A hidden text with many words, which are not seen.</p></div>",
		"<p class=sr-only>Only for screen readers, not for the others.</p>",
		"<noscript>Please enable JavaScript in your browser.</noscript>",
	} {
		for _, source := range []string{
			`<meta property="og:type" content="article"><body><article>` + noise + sentences(0, 6) + noise + "</article>",
			"<body><main><h1>Cellar</h1>" + noise + sentences(0, 3) + noise + sentences(3, 6) + noise + "</main>",
		} {
			text := find(t, source)
			if got := show(text.Blocks); len(text.Blocks) != 6 || len(text.Links) != 0 {
				t.Errorf("%s: got blocks\n%s\nand links %v, want the six paragraphs", noise, strings.Join(got, "\n"), text.Links)
			}
		}
	}
}

// Elements outside of the text are recognized by tag, class, id, role and style.
func TestElementsAreRemovedByTagAndAttributes(t *testing.T) {
	const unwanted = "The grocer of the village sells apples, pears and plums from his own garden, all through the autumn."
	for _, tag := range []string{
		`div class="cookieNotice"`, `div id=onetrust-banner`, `section class="box newsletter_box"`, `div class=SocialShare`, `div class="related-posts"`,
		`div role=dialog`, `nav`, `form`, `div class=site-footer`, `aside`, `div aria-hidden=true`, `div style="display: none"`, `div aria-label=Breadcrumb`,
	} {
		name, _, _ := strings.Cut(tag, " ")
		for _, start := range []string{"<main>", `<meta property="og:type" content="article"><main><article>`} {
			got := show(find(t, start+sentences(0, 4)+"<"+tag+"><p>"+unwanted+"</p></"+name+">"+sentences(4, 8)).Blocks)
			if text := strings.Join(got, "\n"); strings.Contains(text, "grocer") || !strings.Contains(text, sentence(7)) {
				t.Errorf("%s %s: got\n%s\nwant only the eight paragraphs", start, tag, text)
			}
		}
	}
}

// Text about cookies, sharing and navigation is not mistaken for controls.
func TestTextAboutCookiesAndSharingIsKept(t *testing.T) {
	for _, text := range []string{
		"Bake the cookies for twelve minutes, let them cool on a rack, and share them with the neighbours in the afternoon.",
		"Facebook and Twitter lost users in the third quarter, while newsletters won readers in all the regions of the survey.",
		"The home of the family stands above the river, next to the menu board of the old inn, which is closed in winter.",
	} {
		got := find(t, "<body><main>"+sentences(0, 2)+"<p>"+text+"</p>"+sentences(2, 4)+"</main>")
		if len(got.Blocks) != 5 || got.Blocks[2].Text != text {
			t.Errorf("got %q, want a block %q", show(got.Blocks), text)
		}
	}
}

// All sections of a page with little text in each are kept; readability would select
// one.
func TestPageThatIsNoArticleKeepsItsMainElement(t *testing.T) {
	var body strings.Builder
	for i := range 12 {
		fmt.Fprintf(&body, `<section><div><h2>Service %d</h2></div><div><span>From %d euros an hour</span></div><ul><li>By day</li><li>By night</li></ul></section>`, i, 10+i)
	}
	text := find(t, `<body><header><p>The sign of the house</p></header><nav><a href="/">Start</a></nav><main><div class="prose">`+sentences(0, 4)+
		`</div>`+body.String()+`</main><footer><p>Opening hours of the shop at the market</p></footer>`)
	all := strings.Join(show(text.Blocks), "\n")
	for i := range 12 {
		if want := fmt.Sprintf("Service %d", i); !strings.Contains(all, want) {
			t.Errorf("got no %q in\n%s", want, all)
		}
	}
	for _, unwanted := range []string{"sign of the house", "Start", "Opening hours"} {
		if strings.Contains(all, unwanted) {
			t.Errorf("got %q in\n%s", unwanted, all)
		}
	}
}

// A layout table and a form around the page do not hide its text.
func TestTextInLayoutElementsIsFound(t *testing.T) {
	want := []string{"paragraph " + sentence(1), "paragraph " + sentence(2), "paragraph " + sentence(3)}
	for _, source := range []string{
		"<body><table><tr><td>" + sentences(1, 4) + "</td></tr></table>",
		"<body><form action=/x><input name=q><div>" + sentences(1, 4) + "</div></form>",
		`<body><table role=presentation><tr><td></td><td><table><tr><td>` + sentences(1, 4) + "</td></tr></table></td></tr></table>",
		`<body><div class="social-page share">` + sentences(1, 4) + "</div>",
	} {
		wantBlocks(t, source, want...)
	}
}

func TestTooDeepPageKeepsItsText(t *testing.T) {
	text := find(t, "<body>"+strings.Repeat("<div>", 600)+sentences(0, 3)+"<h2>End</h2><ul><li>one</li></ul><p>Accept all</p>"+sentences(3, 4))
	if got := strings.Join(show(text.Blocks), "\n"); !strings.Contains(got, sentence(2)) || !strings.Contains(got, "h2 End") || strings.Contains(got, "Accept") {
		t.Errorf("got %s, want the text", got)
	}
}

func TestTitleHasNoSiteName(t *testing.T) {
	for _, c := range []struct{ title, site, body, want string }{
		{"Harvest | Hill Gazette", "Hill Gazette", "", "Harvest"},
		{"Hill Gazette: Harvest", "", "", "Hill Gazette: Harvest"},
		{"Harvest - example.org", "", "", "Harvest"},
		{"Example – Harvest", "", "", "Harvest"},
		{"Harvest - a diary - Example", "", "", "Harvest - a diary"},
		{"The long harvest · Press · Wine", "", "<h1>The long harvest</h1>", "The long harvest"},
		{"", "", "<h1>The harvest</h1>", "The harvest"},
		{"Example", "Example", "", "Example"},
	} {
		source := "<head><title>" + c.title + `</title><meta property="og:site_name" content="` + c.site + `"></head><body>` + c.body + sentences(0, 2)
		if got := find(t, source).Title; got != c.want {
			t.Errorf("%q of %q: got title %q, want %q", c.title, c.site, got, c.want)
		}
	}
}

func TestPublishedIsNormalized(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-04T05:06:07Z": "2026-03-04T05:06:07Z", "2026-03-04T05:06:07.123+01:00": "2026-03-04T04:06:07Z", "2026-03-04": "2026-03-04",
		"2026-03-04 05:06": "2026-03-04", "4 March 2026": "2026-03-04", "Wed, 04 Mar 2026 05:06:07 GMT": "2026-03-04T05:06:07Z",
		"04.03.2026": "2026-03-04", "yesterday": "", "2026-13-44": "", "<b>": "",
	} {
		if got := find(t, `<meta name="date" content="`+html.EscapeString(text)+`"><body>`+sentences(0, 2)).Published; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// A text beyond the limits is truncated.
func TestTextIsLimited(t *testing.T) {
	for name, body := range map[string]string{
		"paragraphs": sentences(0, 1000),
		"items":      "<ul>" + strings.Repeat("<li>A short item of the list</li>", 5000) + "</ul>" + sentences(0, 3),
		"rows":       "<table>" + strings.Repeat("<tr><td>a1</td><td>b2</td></tr>", 5000) + "</table>" + sentences(0, 3),
		"columns":    "<table>" + strings.Repeat("<tr>"+strings.Repeat("<td>cell</td>", 100)+"</tr>", 3) + "</table>" + sentences(0, 3),
	} {
		text := find(t, `<meta property="og:type" content="article"><body><article>`+body+"</article>")
		if !text.Truncated || len(text.Blocks) == 0 {
			t.Errorf("%s: got %d blocks, truncated %v, want a truncated text", name, len(text.Blocks), text.Truncated)
		}
		checkLimits(t, text)
	}
}

func checkLimits(t *testing.T, text *Text) {
	t.Helper()
	size := 0
	for _, b := range text.Blocks {
		size += textSize(b)
		if len(b.Items) > maxItems || len(b.Rows) > maxRows || len(b.Text) > maxParagraph {
			t.Errorf("got a block with %d items, %d rows, %d bytes, want less", len(b.Items), len(b.Rows), len(b.Text))
		}
	}
	if size > maxText || len(text.Blocks) > maxBlocks || len(text.Images) > maxImages || len(text.Links) > maxLinks {
		t.Errorf("got %d bytes, %d blocks, %d images, %d links, want at most %d, %d, %d, %d",
			size, len(text.Blocks), len(text.Images), len(text.Links), maxText, maxBlocks, maxImages, maxLinks)
	}
}

var tagLike = regexp.MustCompile(`<[A-Za-z/!?]`)

// checkSafe checks the property PT-35 for all strings of a text.
func checkSafe(t *testing.T, text *Text) {
	t.Helper()
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	scan(t, "", value)
}

func scan(t *testing.T, key string, value any) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		for k, e := range v {
			scan(t, k, e)
		}
	case []any:
		for _, e := range v {
			scan(t, key, e)
		}
	case string:
		if at := tagLike.FindStringIndex(v); at != nil {
			t.Errorf("%s: got a tag in %q", key, v[at[0]:min(len(v), at[0]+80)])
		}
		if (key == "url" || key == "source") && !strings.HasPrefix(v, "https://") && !strings.HasPrefix(v, "http://") {
			t.Errorf("got URL %q, want http or https", v)
		}
	}
}

// Covers PT-35 for the main text.
func TestTextContainsNoMarkup(t *testing.T) {
	hostile := `<p onclick="x()">&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt;img src=x onerror=y&amp;gt; <a href=" JaVaScRiPt:x ">a long label</a></p>
<a href="data:text/html,x">data</a><a href="vbscript:x">v</a><a href="//evil.example/x">relative scheme</a><img src="javascript:x" alt="<script>">
<img src="/a.jpg" alt="&lt;b onmouseover=x&gt;"><svg><script>x</script><text>svg</text></svg><math><mtext><img src=x></mtext></math><iframe src=x>i</iframe>
<object data=x>o</object><template><p>t</p></template><textarea></p><p>x</textarea><pre>&lt;script&gt;x&lt;/script&gt;</pre>
<table><tr><th>&lt;td&gt;<td>&amp;lt;/td&amp;gt;</tr><tr><td>1<td>2</tr></table><ul><li>&lt;li&gt;<li>b</ul><dl><dt>&lt;!--<dd>--&gt;</dl>
<blockquote>&lt;q&gt;</blockquote><figure><img src="/b.jpg"><figcaption>&lt;i&gt;</figcaption></figure><h2>&lt;h2&gt; x</h2><style>p{}</style>`
	for _, source := range []string{
		"<body><main>" + hostile + sentences(0, 4) + hostile,
		`<meta property="og:type" content="article"><title>&lt;b&gt;x</title><meta name=author content="&amp;lt;i&amp;gt;"><meta property="og:image" content="javascript:x"><body><article>` + sentences(0, 3) + hostile + "</article>",
		strings.Repeat("<div>", 600) + hostile + sentences(0, 2), article,
	} {
		checkSafe(t, find(t, source))
	}
	for _, word := range []string{"alert", "svg", "onclick", "p{}"} {
		if got := fmt.Sprint(show(find(t, "<body><main>"+hostile+sentences(0, 4)).Blocks)); word != "alert" && strings.Contains(got, word) {
			t.Errorf("got %q in %s", word, got)
		}
	}
}

// Package world replaces the addresses of Images, so each picture of a block is among
// them, also on a page with many pictures and a lead image.
func TestImagesContainThePicturesOfAllBlocks(t *testing.T) {
	var b strings.Builder
	for i := range 2 * maxImages {
		fmt.Fprintf(&b, `<p>The villages on the hill bring in the grapes, and neighbour %d helps.</p><img src="/%d.jpg" width="800" height="600">`, i, i)
	}
	text := find(t, `<html><head><meta property="og:image" content="/lead.jpg"></head><body><article>`+b.String()+`</article></body></html>`)
	listed := make(map[*Image]bool)
	for _, image := range text.Images {
		listed[image] = true
	}
	shown := 0
	for _, block := range text.Blocks {
		if block.Image != nil {
			shown++
			if !listed[block.Image] {
				t.Errorf("got no image %s, want it in Images", block.Image.Source)
			}
		}
	}
	if shown != maxImages || len(text.Images) != maxImages+1 || !strings.HasSuffix(text.Images[0].Source, "/lead.jpg") {
		t.Errorf("got %d pictures in blocks and %d images from %s, want %d and the lead image before them", shown, len(text.Images), text.Images[0].Source, maxImages)
	}
}

func TestFindDoesNotChangeThePage(t *testing.T) {
	p := parse(t, article)
	var before, after strings.Builder
	if err := html.Render(&before, p.Root); err != nil {
		t.Fatal(err)
	}
	first := Find(p)
	if err := html.Render(&after, p.Root); err != nil {
		t.Fatal(err)
	}
	if before.String() != after.String() {
		t.Error("got a changed tree, want the same")
	}
	if second := Find(p); fmt.Sprint(show(first.Blocks)) != fmt.Sprint(show(second.Blocks)) {
		t.Error("got another text at the second call, want the same")
	}
}

func FuzzFind(f *testing.F) {
	f.Add(article)
	f.Add("<table><tr><td><ul><li><dl><dt>a<dd><figure><img srcset=', ,a 1w,b'><figcaption>")
	f.Add("<p>a<br><br>b<a href=x><h2>c</h2></a><pre>&lt;b</pre><blockquote>q</blockquote>")
	f.Add(strings.Repeat("<b><div><a href=/x>", 50) + "text")
	f.Fuzz(func(t *testing.T, source string) {
		p, err := page.Parse(address, "text/html", []byte(source))
		if err != nil {
			return
		}
		text := Find(p)
		checkSafe(t, text)
		checkLimits(t, text)
	})
}
