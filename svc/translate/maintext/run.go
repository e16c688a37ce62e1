package maintext

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"appliance/svc/translate/page"
)

const (
	maxRun   = 32 << 10 // bytes of HTML text that one block is made of
	maxLabel = 200      // bytes of the text of a link

	// maxVisited limits the nodes that are visited by all calls of collectInto, because
	// the nodes of nested lists and tables are visited at several levels.
	maxVisited = 2_000_000
)

// lineBreak separates lines in a run: a br element, or the start or end of a block. Line
// breaks of the source are white space.
const lineBreak = "\v"

// run is text with the links and images in it.
type run struct {
	text   strings.Builder
	links  []Block
	images []*Image
	linked int // bytes of text in links
}

// write appends text of at most maxRun bytes.
func (r *run) write(text string, inLink bool) {
	if r.text.Len() > maxRun {
		return
	}
	text = text[:min(len(text), maxRun)]
	r.text.WriteString(text)
	if inLink {
		r.linked += len(strings.TrimSpace(text))
	}
}

// addLink adds the link of an a element, unless its URL or label is unusable.
func (r *run) addLink(p *page.Page, a *html.Node, label string) {
	href := strings.TrimSpace(attr(a, "href"))
	if href == "" || strings.HasPrefix(href, "#") {
		return
	}
	if address, text := p.Resolve(href), page.Text(label, maxLabel); address != "" && text != "" {
		r.links = append(r.links, Block{Type: "link", Text: text, URL: address})
	}
}

// collectInto appends the text below an element. Block elements separate lines. Elements
// with a tag in skip are left out.
func (b *builder) collectInto(r *run, n *html.Node, inLink bool, skip ...atom.Atom) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if b.visited++; b.visited > maxVisited {
			b.cut = true
			return
		}
		switch {
		case k.Type == html.TextNode:
			r.write(k.Data, inLink)
		case k.Type != html.ElementNode || droppedElements[k.DataAtom] || k.DataAtom == atom.Noscript || isOneOf(k, skip):
		case k.DataAtom == atom.Br:
			r.write(lineBreak, false)
		case k.DataAtom == atom.Img || k.Data == "amp-img":
			if i := newImage(b.page, k); i != nil {
				r.images = append(r.images, i)
			}
		case k.DataAtom == atom.A:
			start := r.text.Len()
			b.collectInto(r, k, true, skip...)
			r.addLink(b.page, k, r.text.String()[start:])
		case isBlock[k.DataAtom]:
			r.write(lineBreak, false)
			b.collectInto(r, k, inLink, skip...)
			r.write(lineBreak, false)
		default:
			b.collectInto(r, k, inLink, skip...)
		}
	}
}

func isOneOf(n *html.Node, tags []atom.Atom) bool {
	for _, tag := range tags {
		if n.DataAtom == tag {
			return true
		}
	}
	return false
}

// isBlock lists the elements that end a paragraph.
var isBlock = atoms(atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Center, atom.Dd, atom.Details, atom.Dialog,
	atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2,
	atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Li, atom.Main, atom.Menu, atom.Nav,
	atom.Ol, atom.P, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr,
	atom.Ul, atom.Caption, atom.Search)
