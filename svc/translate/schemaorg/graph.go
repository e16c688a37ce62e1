package schemaorg

// Graph is the schema.org data of a page.
type Graph struct {
	Nodes    []*Node  // each node once: JSON-LD, then microdata, then RDFa, each in document order; a node before those nested in it
	Warnings []string // in English, for the author of the page, such as a block that cannot be parsed
}

// Node is an entity. Nodes with the same @id are one node.
type Node struct {
	ID         string             // absolute @id, itemid or resource; "" if it has none
	Types      []string           // names without a prefix, in the spelling of schema.org if they are known there
	Properties map[string][]Value // by name without a prefix; values in document order, without duplicates
	Owners     []Owner            // the nodes that have this node as a value, by nesting or by reference

	position    int  // order of the first description, from 1; 0 if the page only refers to the node
	independent bool // described at the top level, not only as a value
}

// Owner is a property whose value is a node.
type Owner struct {
	Property string
	Node     *Node
}

// Value is a text or a node.
type Value struct {
	Text string // JSON numbers and booleans in their JSON form; not yet plain text
	Node *Node  // nil for a text
}

// Is reports whether the node has one of the types or a subtype of one.
func (n *Node) Is(types ...string) bool {
	for _, t := range n.Types {
		for _, want := range types {
			if IsSubtype(t, want) {
				return true
			}
		}
	}
	return false
}

// Text returns the first text value of the first property that has one. For a node
// value, it is the name of the node, else its @value, else its url.
func (n *Node) Text(properties ...string) string {
	for _, p := range properties {
		if list := n.Texts(p); len(list) > 0 {
			return list[0]
		}
	}
	return ""
}

// Texts returns the values of a property that are not empty as texts, nodes as in
// [Node.Text].
func (n *Node) Texts(property string) (list []string) {
	for _, v := range n.Properties[property] {
		text := v.Text
		if v.Node != nil {
			text = v.Node.ownText()
		}
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// ownText returns the name, the @value or the url of a node, "" if it has none.
func (n *Node) ownText() string {
	for _, p := range []string{"name", "@value", "url"} {
		for _, v := range n.Properties[p] {
			if v.Text != "" {
				return v.Text
			}
		}
	}
	return ""
}

// Nodes returns the values of properties that are nodes.
func (n *Node) Nodes(properties ...string) (list []*Node) {
	for _, p := range properties {
		for _, v := range n.Properties[p] {
			if v.Node != nil {
				list = append(list, v.Node)
			}
		}
	}
	return list
}

// Node returns the first value of properties that is a node, nil if there is none.
func (n *Node) Node(properties ...string) *Node {
	if list := n.Nodes(properties...); len(list) > 0 {
		return list[0]
	}
	return nil
}
