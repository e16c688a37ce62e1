package schemaorg

import (
	"strings"

	"golang.org/x/net/html"
)

// maxVisits limits the elements that are visited because of itemref, per element of
// the page.
const maxVisits = 4

// microdata reads the items of a page.
type microdata struct {
	*builder
	items  map[*html.Node]*Node
	ids    map[string]*html.Node // first element with each id
	visits int                   // elements that may still be visited
}

// readMicrodata adds the items of the page. All items are created before their
// properties are read, so that cycles of items are possible.
func (b *builder) readMicrodata() {
	m := &microdata{builder: b, items: make(map[*html.Node]*Node), ids: make(map[string]*html.Node)}
	var order []*html.Node
	for n := range b.page.Root.Descendants() {
		m.visits += maxVisits
		if n.Type != html.ElementNode {
			continue
		}
		if id, found := attribute(n, "id"); found && m.ids[id] == nil {
			m.ids[id] = n
		}
		if _, found := attribute(n, "itemscope"); !found {
			continue
		}
		if item := m.item(n); item != nil {
			m.items[n] = item
			order = append(order, n)
		}
	}
	for _, n := range order {
		m.properties(n)
	}
}

// item creates the node of an element with itemscope.
func (m *microdata) item(n *html.Node) *Node {
	id, _ := attribute(n, "itemid")
	kind, _ := attribute(n, "itemtype")
	if kind == "" {
		id = ""
	}
	item := m.node(id, "m")
	if item == nil {
		return nil
	}
	m.describe(item)
	item.addTypes(strings.Fields(kind)...)
	if _, nested := attribute(n, "itemprop"); !nested {
		item.independent = true
	}
	return item
}

// properties reads the properties of an item, which are descendants of its element
// or of the elements that it refers to.
func (m *microdata) properties(root *html.Node) {
	item := m.items[root]
	m.children(item, root)
	refs, _ := attribute(root, "itemref")
	seen := make(map[*html.Node]bool)
	for _, id := range strings.Fields(refs) {
		if n := m.ids[id]; n != nil && n != root && !seen[n] {
			seen[n] = true
			m.element(item, n)
		}
	}
}

func (m *microdata) children(item *Node, n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			m.element(item, c)
		}
	}
}

// element adds the properties of an element and of its descendants, except those of
// other items.
func (m *microdata) element(item *Node, n *html.Node) {
	if m.visits--; m.visits < 0 {
		m.warn("The page uses itemref too often. The rest was ignored.")
		return
	}
	other := m.items[n]
	_, scope := attribute(n, "itemscope")
	if names, found := attribute(n, "itemprop"); found && item != nil {
		var values []Value
		for _, name := range fields(names) {
			if name = propertyName(name); name == "" {
				continue
			}
			if values == nil && other != nil && other != item {
				values = []Value{{Node: other}}
			} else if values == nil && !scope {
				values = m.elementValue(n, name)
			}
			item.Properties[name] = append(item.Properties[name], values...)
		}
	}
	if !scope {
		m.children(item, n)
	}
}
