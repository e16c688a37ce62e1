package schemaorg

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// attribute returns the value of an attribute.
func attribute(n *html.Node, name string) (value string, found bool) {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

// fields returns the names in an attribute, at most 16.
func fields(names string) []string {
	list := strings.Fields(names[:min(len(names), maxTypes*maxName)])
	return list[:min(len(list), maxTypes)]
}

// isInert reports whether the content of an element is not displayed.
func isInert(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Noembed, atom.Noframes, atom.Textarea:
		return true
	}
	return false
}

// elementText returns the text of an element, with a line break for each br element
// and around blocks.
func (b *builder) elementText(n *html.Node) string {
	var text strings.Builder
	most := min(maxText, maxTexts-b.texts) + 1
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		for c := n.FirstChild; c != nil && text.Len() < most; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				text.WriteString(c.Data[:min(len(c.Data), most-text.Len())])
			case c.Type == html.ElementNode && !isInert(c):
				visit(c)
				if endsLine(c.DataAtom) {
					text.WriteByte('\n')
				}
			}
		}
	}
	visit(n)
	if b.texts += text.Len(); b.texts > maxTexts {
		b.warn("Texts of more than %d MiB were ignored.", maxTexts>>20)
	}
	return strings.ToValidUTF8(text.String(), "")
}

// endsLine reports whether an element ends a line.
func endsLine(tag atom.Atom) bool {
	switch tag {
	case atom.Br, atom.P, atom.Div, atom.Li, atom.Tr, atom.Dt, atom.Dd, atom.Blockquote, atom.Pre, atom.Section, atom.Article,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Table, atom.Figure, atom.Figcaption:
		return true
	}
	return false
}

// textProperties lists properties whose value is the text of a link and not its
// URL.
var textProperties = map[string]bool{"name": true, "headline": true, "author": true, "telephone": true, "email": true, "jobTitle": true, "keywords": true, "articleSection": true}

// elementValue returns the value of a property of an element, as the HTML standard
// defines it for microdata. A content attribute is accepted on all elements.
func (b *builder) elementValue(n *html.Node, property string) []Value {
	if content, found := attribute(n, "content"); found {
		return b.text(content)
	}
	switch n.DataAtom {
	case atom.A, atom.Area, atom.Link:
		if text := b.elementText(n); textProperties[property] && strings.TrimSpace(text) != "" {
			return b.text(text)
		}
		return b.url(n, "href")
	case atom.Img, atom.Audio, atom.Embed, atom.Iframe, atom.Source, atom.Track, atom.Video:
		return b.url(n, "src", "data-src", "data-lazy-src")
	case atom.Object:
		return b.url(n, "data")
	case atom.Data, atom.Meter:
		value, _ := attribute(n, "value")
		return b.text(value)
	case atom.Time:
		if value, found := attribute(n, "datetime"); found {
			return b.text(value)
		}
	case atom.Meta:
		return nil
	}
	return b.text(b.elementText(n))
}

// url returns the first attribute that is a URL: http and https URLs are absolute,
// mailto and tel remain as they are, others are ignored.
func (b *builder) url(n *html.Node, names ...string) []Value {
	for _, name := range names {
		ref, _ := attribute(n, name)
		if resolved := b.page.Resolve(ref); resolved != "" {
			return b.text(resolved)
		}
		scheme, _, _ := strings.Cut(ref, ":")
		if scheme = strings.ToLower(strings.TrimSpace(scheme)); (scheme == "tel" || scheme == "mailto") && len(ref) <= maxID {
			return b.text(ref)
		}
	}
	return nil
}
