package maintext

import (
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"appliance/svc/translate/page"
)

const (
	// maxLevels is the sum of the levels of all elements of the trees that readability
	// gets: it visits the ancestors of each element.
	maxLevels = 400_000
	// maxScoredElements and maxScoredText limit the elements and the bytes of text of these trees.
	maxScoredElements = 15_000
	maxScoredText     = 1 << 20
)

// Find finds the main text of a page.
func Find(p *page.Page) *Text {
	tree := copyTree(p.Root)
	prune(tree, clutterRule)
	b := &builder{page: p}
	node, byline := mainNode(p, tree)
	b.walk(node)
	b.flush()

	t := &Text{Language: p.Language}
	addMeta(t, p, tree, byline)
	b.fill(t)
	t.addLead(p)
	if t.Summary == "" {
		t.Summary = beginning(t.Blocks)
	}
	return t
}

// mainNode returns the element with the main text, and the author that readability
// has found. It changes the tree.
func mainNode(p *page.Page, tree *html.Node) (node *html.Node, byline string) {
	if p.TooDeep {
		return tree, ""
	}
	if s := measure(tree); s.elements <= maxScoredElements && s.levels <= maxLevels && s.text <= maxScoredText {
		node, byline = selectReadable(tree, p.Base)
	}
	if node != nil && isArticle(p) {
		return node, byline
	}
	if l := mainElement(tree); node == nil || textLength(node) < textLength(l)/2 {
		return l, byline
	}
	return node, byline
}

// selectReadable returns the element that readability selects, nil if it selects
// none.
func selectReadable(tree *html.Node, base *url.URL) (node *html.Node, byline string) {
	defer func() {
		if recover() != nil { // the library may panic for unusual trees
			node, byline = nil, ""
		}
	}()
	parser := readability.NewParser()
	parser.DisableJSONLD = true // the scripts are not part of the tree
	parser.KeepClasses = true
	tree = clone(tree)
	visit(tree, func(n *html.Node) {
		if isPhrase[n.DataAtom] {
			n.Attr = nil // class names such as "nextra-code" would make the library drop words
		}
	})
	article, err := parser.ParseAndMutate(tree, base)
	if err != nil || article.Node == nil || textLength(article.Node) == 0 {
		return nil, ""
	}
	visit(article.Node, func(n *html.Node) {
		if n.Type == html.ElementNode {
			n.DataAtom = atom.Lookup([]byte(n.Data)) // the library sets only the name
		}
	})
	return article.Node, article.Byline()
}

// isPhrase lists elements within a sentence (phrasing content).
var isPhrase = atoms(atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Cite, atom.Code, atom.Dfn, atom.Em, atom.I, atom.Kbd, atom.Mark, atom.Q,
	atom.Samp, atom.Small, atom.Strong, atom.Sub, atom.Sup, atom.Var)

// isArticle reports whether the metadata of a page states that it is an article.
func isArticle(p *page.Page) bool {
	if strings.HasPrefix(strings.ToLower(p.Meta["og:type"]), "article") || p.Meta["article:published_time"] != "" {
		return true
	}
	for _, script := range p.Scripts {
		if strings.Contains(script, `Article"`) || strings.Contains(script, `"BlogPosting"`) {
			return true
		}
	}
	return false
}

// mainElement returns the element that the page marks as its main part, else the whole
// tree, without navigation, header and footer. It changes the tree.
func mainElement(tree *html.Node) *html.Node {
	prune(tree, frameRule)
	var main, article *html.Node
	most := 0
	visit(tree, func(n *html.Node) {
		switch {
		case n.DataAtom == atom.Main || attr(n, "role") == "main":
			if main == nil {
				main = n
			}
		case n.DataAtom == atom.Article && article == nil:
			if length := textLength(n); length > most {
				article, most = n, length
			}
		}
	})
	total := textLength(tree)
	switch {
	case main != nil && textLength(main) > total/4:
		return main
	case article != nil && most > total/2:
		return article
	}
	return tree
}
