package schemaorg_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/svc/translate/page"
	"appliance/svc/translate/schemaorg"
)

const address = "https://example.org/dir/page.html"

// parse reads the graph of a page.
func parse(t testing.TB, body string) *schemaorg.Graph {
	t.Helper()
	p, err := page.Parse(address, "text/html", []byte("<title>Title</title>"+body))
	if err != nil {
		t.Fatalf("Parse(%.200q): got %v, want no error", body, err)
	}
	return schemaorg.Parse(p)
}

// script returns a JSON-LD block.
func script(json string) string {
	return `<script type="application/ld+json">` + json + "</script>"
}

// nameOf returns the first name of a node that is a text.
func nameOf(n *schemaorg.Node) string {
	for _, v := range n.Properties["name"] {
		if v.Text != "" {
			return v.Text
		}
	}
	return ""
}

// describe returns a graph as text: each node with its properties, where a node
// value is the types and the name of the node in brackets.
func describe(g *schemaorg.Graph) string {
	var nodes []string
	for _, n := range g.Nodes {
		parts := []string{strings.Join(n.Types, ",")}
		if n.ID != "" {
			parts = append(parts, n.ID)
		}
		for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
			var values []string
			for _, v := range n.Properties[name] {
				if v.Node == nil {
					values = append(values, v.Text)
				} else {
					values = append(values, strings.TrimSpace("["+strings.Join(v.Node.Types, ",")+" "+nameOf(v.Node))+"]")
				}
			}
			parts = append(parts, name+"="+strings.Join(values, "|"))
		}
		nodes = append(nodes, strings.Join(parts, " "))
	}
	return strings.Join(nodes, "; ")
}

// Covers S-45 for structured data.
func TestParseReadsJSONLD(t *testing.T) {
	for _, c := range []struct{ name, json, want string }{
		{"object", `{"@context":"https://schema.org","@type":"Bakery","name":"A"}`, "Bakery name=A"},
		{"no context", `{"@type":"Bakery","name":"A"}`, "Bakery name=A"},
		{"array", `[{"@type":"Bakery","name":"A"},[{"@type":"Person","name":"B"}]]`, "Bakery name=A; Person name=B"},
		{"graph", `{"@context":"https://schema.org","@graph":[{"@type":"Bakery","name":"A"},{"@type":"Person","name":"B"}]}`, "Bakery name=A; Person name=B"},
		{"graph beside properties", `{"@type":"WebPage","name":"P","@graph":{"@type":"Person","name":"B"}}`, "WebPage name=P; Person name=B"},
		{"several types", `{"@type":["Restaurant","Hotel","restaurant"]}`, "Restaurant,Hotel"},
		{"types in one text", `{"@type":"Restaurant, Hotel"}`, "Restaurant,Hotel"},
		{"prefixes and case", `{"@type":["schema:Restaurant","HTTP://schema.org/hotel","https://www.schema.org/imageObject","//schema.org/Place"],"schema:name":"A","http://schema.org/url":"u"}`, "Restaurant,Hotel,ImageObject,Place name=A url=u"},
		{"prefix of the context", `{"@context":["x",{"s":"http://schema.org/","o":"http://other.example/"}],"@type":"s:Hotel","s:name":"A","o:name":"B"}`, "Hotel name=A"},
		{"type of another vocabulary", `{"@type":"http://other.example/Thing","name":"A"}`, "http://other.example/Thing name=A"},
		{"aliases", `{"type":"Hotel","id":"#h","name":"A"}`, "Hotel https://example.org/dir/page.html#h name=A"},
		{"scalars", `{"@type":"Offer","a":12.50,"b":true,"c":null,"d":" ","e":[1,"2",[3]],"f":1e400}`, "Offer a=12.50 b=true e=1|2|3 f=1e400"},
		{"duplicate values", `{"@type":"Offer","a":["x","x","y"]}`, "Offer a=x|y"},
		{"value objects", `{"@type":"Hotel","a":{"@value":"x","@language":"en"},"b":{"@list":["y",{"@value":1}]},"c":{"@set":["z"]}}`, "Hotel a=x b=y|1 c=z"},
		{"nested", `{"@type":"Hotel","address":{"@type":"PostalAddress","addressCountry":{"@type":"Country","name":"PT"}},"geo":{"latitude":1}}`, "Hotel address=[PostalAddress] geo=[]; PostalAddress addressCountry=[Country PT]; Country name=PT;  latitude=1"},
		{"reference", `{"@graph":[{"@type":"Article","author":{"@id":"#a"}},{"@type":"Person","@id":"#a","name":"B"}]}`, "Article author=[Person B]; Person https://example.org/dir/page.html#a name=B"},
		{"reference to a later node", `[{"@type":"Article","author":{"@id":"#a"}},{"@type":"Hotel"},{"@type":"Person","@id":"#a"}]`, "Article author=[Person]; Hotel; Person https://example.org/dir/page.html#a"},
		{"two spellings of a property", `{"@type":"Hotel","schema:a":2,"a":1,"schema:b":2,"b":1,"schema:c":2,"c":1,"schema:d":2,"d":1}`, "Hotel a=1|2 b=1|2 c=1|2 d=1|2"},
		{"reference to nothing", `{"@type":"Article","image":{"@id":"/a.jpg"},"x":{"@id":"_:b"}}`, "Article image=https://example.org/a.jpg"},
		{"reference in a cycle", `{"@graph":[{"@type":"A","@id":"#a","name":"A","x":{"@id":"#b"}},{"@type":"B","@id":"#b","name":"B","x":[{"@id":"#a"},{"@id":"#b"}]}]}`,
			"A https://example.org/dir/page.html#a name=A x=[B B]; B https://example.org/dir/page.html#b name=B x=[A A]|[B B]"},
		{"one node in two places", `[{"@type":"Person","@id":"urn:x:1","name":"A"},{"@type":"Article","author":{"@type":"Author","@id":"urn:x:1","name":["A","B"]}}]`, "Person,Author urn:x:1 name=A|B; Article author=[Person,Author A]"},
		{"blank nodes", `[{"@id":"_:a","@type":"Person","name":"A"},{"@type":"Article","author":{"@id":"_:a"}}]`, "Person name=A; Article author=[Person A]"},
		{"reverse", `{"@type":"Person","name":"A","@reverse":{"author":{"@type":"Article","name":"B"}}}`, "Person name=A; Article name=B"},
		{"empty", `{}`, ""},
		{"scalar", `"text"`, ""},
	} {
		g := parse(t, script(c.json))
		if got := describe(g); got != c.want || len(g.Warnings) > 0 {
			t.Errorf("%s: got %s, warnings %q\nwant %s", c.name, got, g.Warnings, c.want)
		}
	}
}

func TestBlankNodesBelongToTheirBlock(t *testing.T) {
	g := parse(t, script(`{"@id":"_:a","@type":"Person","name":"A"}`)+script(`{"@id":"_:a","@type":"Person","name":"B"}`))
	if got, want := describe(g), "Person name=A; Person name=B"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMalformedBlockDoesNotAffectOthers(t *testing.T) {
	g := parse(t, script(`{"@type":"A"}`)+script(`{"name": unquoted}`)+script(" ")+script(`{"@type":"B"} garbage`)+script(`{"@type":"C"}`))
	if got, want := describe(g), "A; B; C"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want := []string{"JSON-LD block 2 is not valid JSON and was ignored.", "JSON-LD block 4 contains text after its end, which was ignored."}
	if !slices.Equal(g.Warnings, want) {
		t.Errorf("got the warnings %q, want %q", g.Warnings, want)
	}
}

func TestOwnersNameThePropertyAndTheNode(t *testing.T) {
	g := parse(t, script(`{"@graph":[{"@type":"Article","name":"A","publisher":{"@id":"#o"},"author":{"@type":"Person","worksFor":{"@id":"#o"}}},{"@type":"Organization","@id":"#o"}]}`))
	var got []string
	for _, n := range g.Nodes {
		for _, o := range n.Owners {
			got = append(got, fmt.Sprintf("%s is %s of %s", n.Types[0], o.Property, o.Node.Types[0]))
		}
	}
	want := []string{"Person is author of Article", "Organization is publisher of Article", "Organization is worksFor of Person"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Covers S-45 for microdata.
func TestParseReadsMicrodata(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"values by element", `<div itemscope itemtype="http://schema.org/Event"><h1 itemprop="name">A <b>b</b></h1><meta itemprop=m content=" c "><a itemprop=url href="x">t</a>
			<img itemprop=image src=i.png><time itemprop=startDate datetime=2030-01-01>soon</time><time itemprop=endDate>2030-01-02</time><data itemprop=d value=1>one</data>
			<span itemprop=price content=2>two</span><object itemprop=o data=o.bin></object><img itemprop=lazy src="data:image/gif;x" data-src=l.png><a itemprop=telephone href="tel:+1">1</a><a itemprop=t2 href="tel:+2"></a><a itemprop=bad href="javascript:x">z</a></div>`,
			"Event d=1 endDate=2030-01-02 image=https://example.org/dir/i.png lazy=https://example.org/dir/l.png m=c name=A b o=https://example.org/dir/o.bin price=2 startDate=2030-01-01 t2=tel:+2 telephone=1 url=https://example.org/dir/x"},
		{"nested", `<div itemscope itemtype="https://schema.org/hotel"><div itemprop="address location" itemscope itemtype="http://schema.org/PostalAddress"><i itemprop=streetAddress>S</i></div></div>`,
			"Hotel address=[PostalAddress] location=[PostalAddress]; PostalAddress streetAddress=S"},
		{"item that is not a property", `<div itemscope itemtype="http://schema.org/Hotel"><p><span itemscope itemtype="http://schema.org/Person"><i itemprop=name>P</i></span><i itemprop=name>H</i></div>`, "Hotel name=H; Person name=P"},
		{"itemref", `<div itemscope itemtype="http://schema.org/Hotel" itemref="a b missing a"></div><p id=a><i itemprop=name>H</i></p><p id=b itemprop=telephone>1</p>`, "Hotel name=H telephone=1"},
		{"itemref in a cycle", `<div id=a itemscope itemtype="http://schema.org/Hotel" itemref=b><i itemprop=name>H</i></div><p id=b><span itemprop=x itemscope itemref="a b"><i itemprop=name>X</i></span></p>`, "Hotel name=H x=[ X];  name=X"},
		{"itemid", `<div itemscope itemtype="http://schema.org/Hotel" itemid="#h"></div>`, "Hotel https://example.org/dir/page.html#h"},
		{"types", `<div itemscope itemtype="http://schema.org/Hotel http://schema.org/Restaurant"></div>`, "Hotel,Restaurant"},
		{"lines", `<div itemscope itemtype="http://schema.org/PostalAddress"><p itemprop=streetAddress>A 1<br>B<script>x</script></p></div>`, "PostalAddress streetAddress=A 1\nB"},
		{"property without an item", `<i itemprop=name>H</i>x`, ""},
	} {
		if got := describe(parse(t, c.html)); got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Covers S-45 for RDFa Lite.
func TestParseReadsRDFaLite(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"vocab", `<div vocab="https://schema.org/" typeof="Article"><h1 property="headline name">A</h1><meta property=x content=c><a property=url href=u>t</a><time property=datePublished datetime=2030>then</time>
			<div property=author typeof=Person><i property=name>B</i></div></div>`, "Article author=[Person B] datePublished=2030 headline=A name=A url=https://example.org/dir/u x=c; Person name=B"},
		{"prefix", `<div prefix="og: http://ogp.me/ns# s: http://schema.org/" typeof="s:Article"><i property="s:name">A</i><i property="og:title">T</i><i property="schema:url">u</i><i property=name>N</i></div>`, "Article name=A url=u"},
		{"default prefix", `<div typeof="schema:Article" about="/a"><i property="schema:name">A</i></div>`, "Article https://example.org/a name=A"},
		{"resource", `<div vocab="http://schema.org" typeof="Article"><i property=author resource="#p">by</i></div><div vocab="http://schema.org/" resource="#p" typeof=Person><i property=name>B</i></div>`,
			"Article author=[Person B]; Person https://example.org/dir/page.html#p name=B"},
		{"another vocabulary", `<div vocab="http://xmlns.com/foaf/0.1/" typeof="Person"><i property=name>B</i></div><meta property="og:title" content=x>x`, ""},
		{"another vocabulary inside", `<div vocab="http://schema.org/" typeof="Article"><div vocab="http://xmlns.com/foaf/0.1/" typeof="Person"><i property="schema:name">B</i></div><i property=name>A</i></div>`, "Article name=A"},
	} {
		if got := describe(parse(t, c.html)); got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestSyntaxesAreMerged(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"same name", script(`{"@type":"Hotel","name":"A &amp; B","telephone":"1"}`) +
			`<div itemscope itemtype="http://schema.org/Hotel"><i itemprop=name>a &amp; b</i><i itemprop=telephone>2</i><i itemprop=priceRange>3</i></div>`, "Hotel name=A &amp; B priceRange=3 telephone=1"},
		{"same URL and a subtype", script(`{"@type":"NewsArticle","url":"https://example.org/a/"}`) +
			`<div itemscope itemtype="http://schema.org/Article"><a itemprop=url href="/a"></a><i itemprop=headline>H</i></div>`, "NewsArticle,Article headline=H url=https://example.org/a/"},
		{"same headline", script(`{"@type":"Article","headline":"H","publisher":{"@type":"Organization","name":"O"}}`) +
			`<div itemscope itemtype="http://schema.org/Article"><i itemprop=headline>H</i><div itemprop=publisher itemscope itemtype="http://schema.org/Organization"><i itemprop=name>Other</i></div></div>`,
			"Article headline=H publisher=[Organization O]; Organization name=O"},
		{"three syntaxes", script(`{"@type":"Hotel","name":"A"}`) + `<div itemscope itemtype="http://schema.org/Hotel"><i itemprop=name>A</i></div><div vocab="http://schema.org/" typeof="Hotel"><i property=name>A</i></div>`, "Hotel name=A"},
		{"identifier", script(`{"@type":"Hotel","@id":"#h","name":"A"}`) + `<div itemscope itemtype="http://schema.org/Hotel" itemid="#h"><i itemprop=telephone>1</i></div>`, "Hotel https://example.org/dir/page.html#h name=A telephone=1"},
		{"other name", script(`{"@type":"Hotel","name":"A"}`) + `<div itemscope itemtype="http://schema.org/Hotel"><i itemprop=name>B</i></div>`, "Hotel name=A; Hotel name=B"},
		{"other type", script(`{"@type":"Hotel","name":"A"}`) + `<div itemscope itemtype="http://schema.org/Person"><i itemprop=name>A</i></div>`, "Hotel name=A; Person name=A"},
		{"same syntax", script(`[{"@type":"Hotel","name":"A"},{"@type":"Hotel","name":"A"}]`), "Hotel name=A; Hotel name=A"},
		{"events of one name", script(`[{"@type":"Event","name":"A","startDate":"2030-01-01"},{"@type":"Event","name":"A","startDate":"2030-01-02"}]`) +
			`<div itemscope itemtype="http://schema.org/Event"><i itemprop=name>A</i><meta itemprop=startDate content="2030-01-02T10:00"><i itemprop=url>2</i></div>` +
			`<div itemscope itemtype="http://schema.org/Event"><i itemprop=name>A</i><meta itemprop=startDate content="2030-01-02T20:00"></div>` +
			`<div itemscope itemtype="http://schema.org/Event"><i itemprop=name>A</i><meta itemprop=startDate content="2030-01-03"></div>`,
			"Event name=A startDate=2030-01-01; Event name=A startDate=2030-01-02 url=2; Event name=A startDate=2030-01-02T20:00; Event name=A startDate=2030-01-03"},
	} {
		if got := describe(parse(t, c.html)); got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestLimitsAreWarnings(t *testing.T) {
	nested := func(open, end string, levels int) string {
		return strings.Repeat(open, levels) + strings.Repeat(end, levels)
	}
	for _, c := range []struct{ name, html, warning string }{
		{"nodes", script("[" + strings.Repeat(`{"@type":"Thing"},`, 20_000) + `{"@type":"Thing"}]`), "20000 things"},
		{"values", script(`{"@type":"Offer","a":[` + strings.Repeat("1,", 20_000) + `2]}`), "20000 values"},
		{"items", strings.Repeat("<p itemscope>", 20_001), "20000 things"},
		{"levels", script(nested(`{"a":`, "}", 200) + ""), "not valid JSON"},
		{"levels of objects", script(strings.Repeat(`{"@type":"A","a":`, 200) + "1" + strings.Repeat("}", 200)), "64 levels"},
		{"levels of arrays", script(`{"@type":"A","a":` + nested("[", "]", 5000) + "}"), "64 levels"},
		{"text", script(`{"@type":"A","name":"` + strings.Repeat("ü", 40<<10) + `"}`), "64 KiB"},
		{"texts", strings.Repeat("<div itemscope><p itemprop=a>", 1) + strings.Repeat("<div itemprop=b>", 400) + strings.Repeat("text ", 8000), "8 MiB"},
		{"itemref", "<p itemscope itemref=a></p>" + strings.Repeat("<p itemscope itemref=a></p>", 2000) + "<div id=a>" + strings.Repeat("<i></i>", 2000) + "</div>x", "itemref"},
	} {
		g := parse(t, c.html)
		if got := strings.Join(g.Warnings, " "); !strings.Contains(got, c.warning) {
			t.Errorf("%s: got the warnings %q, want one with %q", c.name, got, c.warning)
		}
		if got := len(g.Nodes); got > 20_000 {
			t.Errorf("%s: got %d nodes, want at most 20000", c.name, got)
		}
		for _, n := range g.Nodes {
			if got := len(nameOf(n)); got > 64<<10 {
				t.Errorf("%s: got a text of %d bytes, want at most 65536", c.name, got)
			}
		}
	}
}
