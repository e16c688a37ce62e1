package maintext

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// droppedElements contain no text of the page. Forms are not among them: some sites
// put the whole page into one.
var droppedElements = atoms(atom.Script, atom.Style, atom.Template, atom.Svg, atom.Math, atom.Iframe, atom.Frame, atom.Frameset, atom.Object,
	atom.Embed, atom.Applet, atom.Canvas, atom.Video, atom.Audio, atom.Map, atom.Input, atom.Button, atom.Select, atom.Textarea,
	atom.Option, atom.Optgroup, atom.Datalist, atom.Label, atom.Legend, atom.Output, atom.Progress, atom.Meter, atom.Dialog,
	atom.Noembed, atom.Noframes, atom.Link, atom.Meta, atom.Base, atom.Title, atom.Area, atom.Xmp, atom.Plaintext, atom.Param, atom.Source)

func atoms(list ...atom.Atom) map[atom.Atom]bool {
	set := make(map[atom.Atom]bool)
	for _, a := range list {
		set[a] = true
	}
	return set
}

// copyTree copies a tree without droppedElements, hidden elements, comments and
// declarations.
func copyTree(n *html.Node) *html.Node {
	c := copyNode(n)
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch {
		case k.Type == html.TextNode:
			c.AppendChild(copyNode(k))
		case k.Type != html.ElementNode || droppedElements[k.DataAtom] && !isPictureSource(k) || isHidden(k):
		case k.DataAtom == atom.Noscript:
			appendImages(c, k)
		default:
			c.AppendChild(copyTree(k))
		}
	}
	return c
}

func isPictureSource(n *html.Node) bool {
	return n.DataAtom == atom.Source && n.Parent != nil && n.Parent.DataAtom == atom.Picture
}

func copyNode(n *html.Node) *html.Node {
	return &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: append([]html.Attribute(nil), n.Attr...)}
}

// clone returns a deep copy of a tree.
func clone(n *html.Node) *html.Node {
	c := copyNode(n)
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.AppendChild(clone(k))
	}
	return c
}

const maxNoscript = 4 << 10 // bytes

// appendImages appends the images of a noscript element, which pages that load images
// by script repeat there. The text of the element is omitted: it usually asks the reader
// to enable scripts.
func appendImages(to, noscript *html.Node) {
	var source strings.Builder
	for k := noscript.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.TextNode {
			source.WriteString(k.Data)
		}
	}
	if source.Len() > maxNoscript || !strings.Contains(source.String(), "<img") {
		return
	}
	list, err := html.ParseFragment(strings.NewReader(source.String()), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		return
	}
	for _, root := range list {
		visit(root, func(n *html.Node) {
			if n.DataAtom == atom.Img {
				to.AppendChild(copyNode(n))
			}
		})
	}
}

// isHidden reports whether an element is not displayed, or only to screen readers.
func isHidden(n *html.Node) bool {
	if n.DataAtom == atom.Html || n.DataAtom == atom.Body || len(n.Attr) == 0 {
		return false
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden", "aria-modal":
			if a.Val == "true" && n.DataAtom != atom.Img {
				return true
			}
		case "style":
			style := strings.ToLower(strings.ReplaceAll(a.Val, " ", ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		case "class":
			for class := range strings.FieldsSeq(a.Val) {
				if hiddenClasses[class] {
					return true
				}
			}
		}
	}
	return false
}

// pruneRule is the condition under which an element is removed.
type pruneRule int

const (
	keepAlways        pruneRule = iota
	removeUnlessLarge           // keep it if it has more than 40 % of the text
	removeUnlessMost            // keep it if it has more than 90 % of the text
)

// prune removes elements by their rules. An element with much of the text of the tree is
// kept, because it is not navigation, even if its class names say so.
func prune(tree *html.Node, ruleOf func(n *html.Node) pruneRule) {
	total := textLength(tree)
	var visit func(n *html.Node) (length int)
	visit = func(n *html.Node) (length int) {
		for k := n.FirstChild; k != nil; {
			next := k.NextSibling
			if k.Type == html.TextNode {
				length += len(strings.TrimSpace(k.Data))
				k = next
				continue
			}
			own := visit(k)
			v := ruleOf(k)
			if v == removeUnlessLarge && own*5 <= total*2 || v == removeUnlessMost && own*10 <= total*9 {
				n.RemoveChild(k)
			} else {
				length += own
			}
			k = next
		}
		return length
	}
	visit(tree)
}

// clutterRule returns the rule for elements that never belong to a text.
func clutterRule(n *html.Node) pruneRule {
	switch n.DataAtom {
	case atom.Html, atom.Head, atom.Body, atom.Main, atom.H1, atom.Img, atom.Picture, atom.Source, atom.Code, atom.Pre, atom.P:
		return keepAlways
	case atom.Nav, atom.Form:
		return removeUnlessLarge
	}
	role, names := "", ""
	for _, a := range n.Attr {
		switch a.Key {
		case "role":
			role = a.Val
		case "class", "id", "aria-label":
			names += " " + a.Val
		}
	}
	switch role {
	case "navigation", "search", "menu", "menubar", "toolbar", "alert":
		return removeUnlessLarge
	case "dialog", "alertdialog":
		return removeUnlessMost
	}
	return namesRule(names)
}

// frameRule returns the rule for elements around the main element of a page: header,
// footer and sidebars.
func frameRule(n *html.Node) pruneRule {
	switch n.DataAtom {
	case atom.Header:
		if contains(n, atom.H1) {
			return keepAlways
		}
		return removeUnlessLarge
	case atom.Footer, atom.Aside:
		return removeUnlessLarge
	case atom.Html, atom.Head, atom.Body, atom.Main, atom.Article, atom.H1, atom.H2, atom.H3, atom.P, atom.Img:
		return keepAlways
	}
	switch attr(n, "role") {
	case "banner", "contentinfo", "complementary":
		return removeUnlessLarge
	}
	for word := range words(attr(n, "class") + " " + attr(n, "id")) {
		if frameWords[word] {
			return removeUnlessLarge
		}
	}
	return keepAlways
}

// visit calls do for a node and all nodes below it.
func visit(n *html.Node, do func(n *html.Node)) {
	do(n)
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		visit(k, do)
	}
}

// maxSearched limits the nodes that contains visits, because callers search the same
// nodes again at each level.
const maxSearched = 2000

// contains reports whether an element has a descendant with one of the tags.
func contains(n *html.Node, tags ...atom.Atom) bool {
	budget := maxSearched
	var search func(n *html.Node) bool
	search = func(n *html.Node) bool {
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			if budget--; budget < 0 {
				return false
			}
			for _, tag := range tags {
				if k.Type == html.ElementNode && k.DataAtom == tag {
					return true
				}
			}
			if search(k) {
				return true
			}
		}
		return false
	}
	return search(n)
}

// textLength returns the bytes of the text nodes below a node, without white space
// around each.
func textLength(n *html.Node) int { return measure(n).text }

// size describes a tree.
type size struct {
	elements int
	levels   int // sum of the levels of the elements
	text     int // as in textLength
}

func measure(n *html.Node) (s size) {
	var add func(n *html.Node, level int)
	add = func(n *html.Node, level int) {
		switch n.Type {
		case html.ElementNode:
			s.elements++
			s.levels += level
		case html.TextNode:
			s.text += len(strings.TrimSpace(n.Data))
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			add(k, level+1)
		}
	}
	add(n, 0)
	return s
}

// attr returns an attribute of an element, "" if it is absent.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}
