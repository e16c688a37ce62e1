package schemaorg

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"appliance/svc/translate/page"
)

// Limits of a graph.
const (
	maxNodes    = 20_000
	maxDepth    = 64       // levels of nested values
	maxText     = 64 << 10 // bytes of a text value
	maxTexts    = 8 << 20  // bytes of the text values of elements
	maxTypes    = 16       // types of a node, and properties of an element
	maxValues   = 20_000   // values of a property in one place
	maxID       = 2048     // bytes of an identifier
	maxWarnings = 20
)

// Parse reads the schema.org data of a page.
//
// Nodes are merged if they have the same @id. A node of microdata or RDFa Lite is also
// merged with a node of another syntax that has the same name or URL, and the same
// type or a subtype; it then adds only properties that the other node does not have.
//
// A reference to a node that the page does not describe is a text with its @id. At
// most 20,000 nodes are read, of at most 64 levels, with at most 20,000 values of a
// property; longer texts are cut at 64 KiB. Beyond these limits, there is a warning.
func Parse(p *page.Page) *Graph {
	b := &builder{page: p, ids: make(map[string]*Node), graph: &Graph{}}
	for i, script := range p.Scripts {
		b.readScript(i+1, script)
	}
	if p.Root != nil && !p.TooDeep {
		for _, read := range []func(){b.readMicrodata, b.readRDFa} {
			first := len(b.nodes)
			read()
			b.merge(first)
		}
	}
	b.finish()
	return b.graph
}

// builder collects nodes.
type builder struct {
	page  *page.Page
	graph *Graph
	nodes []*Node          // in the order of creation
	last  int              // position of the last described node
	ids   map[string]*Node // by absolute identifier, or by block and blank node identifier
	texts int              // bytes of text values of elements
}

func (b *builder) warn(format string, args ...any) {
	warning := fmt.Sprintf(format, args...)
	if len(b.graph.Warnings) < maxWarnings && !contains(b.graph.Warnings, warning) {
		b.graph.Warnings = append(b.graph.Warnings, warning)
	}
}

// node returns the node with an identifier, or a new one without an identifier; nil
// if there are too many. scope distinguishes the blank nodes of blocks.
func (b *builder) node(id, scope string) *Node {
	key := absoluteID(b.page, id)
	n := &Node{ID: key, Properties: make(map[string][]Value)}
	if id = strings.TrimSpace(id); isBlank(id) && len(id) <= maxID {
		key = scope + id
	}
	if known := b.ids[key]; known != nil {
		return known
	}
	if len(b.nodes) >= maxNodes {
		b.warn("The page describes more than %d things. The rest was ignored.", maxNodes)
		return nil
	}
	b.nodes = append(b.nodes, n)
	if key != "" {
		b.ids[key] = n
	}
	return n
}

// describe records that the page describes a node, and does not only refer to it.
func (b *builder) describe(n *Node) {
	if n.position == 0 {
		b.last++
		n.position = b.last
	}
}

// text returns a text as a value, none if it is blank.
func (b *builder) text(s string) []Value {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	if len(s) > maxText {
		b.warn("A text is longer than %d KiB and was cut.", maxText>>10)
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	return []Value{{Text: s}}
}

// finish resolves references, removes duplicate values and unreachable nodes, and
// fills owners.
func (b *builder) finish() {
	for _, n := range b.nodes {
		for name, values := range n.Properties {
			if values = cleanValues(values); len(values) > 0 {
				n.Properties[name] = values
			} else {
				delete(n.Properties, name)
			}
		}
	}
	slices.SortFunc(b.nodes, func(x, y *Node) int { return cmp.Compare(x.position, y.position) })
	b.graph.Nodes = reachableNodes(b.nodes)
	for _, n := range b.graph.Nodes {
		for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
			for _, v := range n.Properties[name] {
				if v.Node != nil {
					v.Node.Owners = append(v.Node.Owners, Owner{name, n})
				}
			}
		}
	}
}

// cleanValues returns values without duplicates and without references to nodes
// that are not described.
func cleanValues(values []Value) []Value {
	seen := make(map[Value]bool, len(values))
	list := values[:0]
	for _, v := range values {
		if v.Node != nil && v.Node.position == 0 {
			v = Value{Text: v.Node.ID}
		}
		if v != (Value{}) && !seen[v] {
			seen[v] = true
			list = append(list, v)
		}
	}
	return list
}

// reachableNodes returns the independent nodes in their order, each followed by the
// dependent nodes in its properties. It leaves out dependent nodes that no property
// contains any more, because the merge of two nodes has dropped the value.
func reachableNodes(nodes []*Node) []*Node {
	var list []*Node
	seen := make(map[*Node]bool, len(nodes))
	for _, root := range nodes {
		if !root.independent || root.position == 0 {
			continue
		}
		for stack := []*Node{root}; len(stack) > 0; {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[n] {
				continue
			}
			seen[n] = true
			list = append(list, n)
			start := len(stack)
			for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
				for _, v := range n.Properties[name] {
					if v.Node != nil && !v.Node.independent && !seen[v.Node] {
						stack = append(stack, v.Node)
					}
				}
			}
			slices.Reverse(stack[start:])
		}
	}
	return list
}
