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
