package schemaorg

import (
	"maps"
	"slices"
	"strings"

	"appliance/svc/translate/page"
)

// maxCandidates limits the nodes with one name that are compared.
const maxCandidates = 32

// identifyingProperties lists the properties whose values are compared to find the same
// object in two syntaxes.
var identifyingProperties = []string{"url", "name", "headline"}

// merge merges the nodes of a further syntax, which begin at index first, into those
// before. Each of the earlier nodes is merged with at most one node, in their order,
// because lists contain several nodes with one name.
func (b *builder) merge(first int) {
	m := &merger{byKey: make(map[string][]*Node), matched: make(map[*Node]bool)}
	for _, n := range b.nodes[:first] {
		for _, key := range keys(n) {
			m.byKey[key] = append(m.byKey[key], n)
		}
	}
	replaced := make(map[*Node]*Node)
	for _, n := range b.nodes[first:] {
		if target := m.find(n); target != nil {
			m.matched[target] = true
			replaced[n] = target
			target.addMissing(n)
		}
	}
	if len(replaced) > 0 {
		b.replace(replaced)
	}
}

// merger finds nodes that describe the same object in several syntaxes.
type merger struct {
	byKey   map[string][]*Node
	matched map[*Node]bool
}

// find returns the node that describes the same object, nil if there is none.
func (m *merger) find(n *Node) *Node {
	for _, key := range keys(n) {
		candidates := m.byKey[key]
		for len(candidates) > 0 && m.matched[candidates[0]] {
			candidates = candidates[1:]
		}
		m.byKey[key] = candidates
		for _, c := range candidates[:min(len(candidates), maxCandidates)] {
			if !m.matched[c] && c.hasSameKind(n) && !c.contradicts(n) {
				return c
			}
		}
	}
	return nil
}

// keys returns the texts by which merger finds a node.
func keys(n *Node) (list []string) {
	if len(n.Types) == 0 {
		return nil
	}
	for _, property := range identifyingProperties {
		for _, v := range n.Properties[property] {
			if text := strings.ToLower(page.Text(v.Text, 256)); text != "" {
				kind := "name "
				if property == "url" {
					kind, text = "url ", strings.TrimSuffix(text, "/")
				}
				list = append(list, kind+text)
				break
			}
		}
	}
	return list
}

// hasSameKind reports whether two nodes have the same type, or one a subtype of
// one of the other.
func (n *Node) hasSameKind(other *Node) bool {
	for _, a := range n.Types {
		for _, b := range other.Types {
			if a == b || a != "Thing" && b != "Thing" && (IsSubtype(a, b) || IsSubtype(b, a)) {
				return true
			}
		}
	}
	return false
}

// contradicts reports whether two nodes have different identifiers or start on
// different days.
func (n *Node) contradicts(other *Node) bool {
	day := func(n *Node) string {
		for _, v := range n.Properties["startDate"] {
			return v.Text[:min(len(v.Text), len("2006-01-02"))]
		}
		return ""
	}
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	return differ(n.ID, other.ID) || differ(day(n), day(other))
}

// replace replaces merged nodes, the keys of the map, by the nodes into which they were
// merged.
func (b *builder) replace(replaced map[*Node]*Node) {
	b.nodes = slices.DeleteFunc(b.nodes, func(n *Node) bool { return replaced[n] != nil })
	for id, n := range b.ids {
		if target := replaced[n]; target != nil {
			b.ids[id] = target
		}
	}
	for _, n := range b.nodes {
		for _, values := range n.Properties {
			for i, v := range values {
				if target := replaced[v.Node]; target != nil {
					values[i].Node = target
				}
			}
		}
	}
}

// addMissing adds the types of another node, and the properties that n does not have.
func (n *Node) addMissing(other *Node) {
	n.addTypes(other.Types...)
	if n.ID == "" {
		n.ID = other.ID
	}
	n.independent = n.independent || other.independent
	for _, name := range slices.Sorted(maps.Keys(other.Properties)) {
		if len(n.Properties[name]) == 0 {
			n.Properties[name] = other.Properties[name]
		}
	}
}
