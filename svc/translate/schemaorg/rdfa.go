package schemaorg

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// rdfa reads RDFa Lite: the attributes vocab, prefix, typeof, property and resource.
type rdfa struct {
	*builder
}

// rdfaScope contains the state that elements inherit.
type rdfaScope struct {
	subject  *Node    // node that has the properties; nil if it is unknown or of another vocabulary
	vocab    bool     // names without a prefix are those of schema.org
	prefixes []string // that mean schema.org, with a colon
}

func (b *builder) readRDFa() {
	r := &rdfa{builder: b}
	r.children(b.page.Root, rdfaScope{prefixes: []string{"schema:"}})
}

func (r *rdfa) children(n *html.Node, s rdfaScope) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			r.element(c, s)
		}
	}
}

// element reads an element and its descendants.
func (r *rdfa) element(n *html.Node, s rdfaScope) {
	if vocab, found := attribute(n, "vocab"); found {
		s.vocab = isVocabulary(vocab)
	}
	if prefix, found := attribute(n, "prefix"); found {
		s.prefixes = addPrefixes(s.prefixes, prefix)
	}
	names, _ := attribute(n, "property")
	properties := s.names(names)
	kind, typed := attribute(n, "typeof")
	parent := s.subject
	var values []Value
	switch types := s.names(kind); {
	case typed && len(types) > 0:
		s.subject = r.node(resource(n), "r")
		if s.subject != nil {
			r.describe(s.subject)
			s.subject.addTypes(types...)
			s.subject.independent = s.subject.independent || parent == nil || len(properties) == 0
			values = []Value{{Node: s.subject}}
		}
	case typed: // of another vocabulary
		s.subject = nil
	default:
		id, _ := attribute(n, "resource")
		target := r.ids[absoluteID(r.page, id)]
		if len(properties) > 0 && parent != nil {
			values = r.value(n, id, properties[0])
		} else if len(properties) == 0 && target != nil {
			s.subject = target
		}
	}
	if parent != nil {
		for _, name := range properties {
			parent.Properties[name] = append(parent.Properties[name], values...)
		}
	}
	r.children(n, s)
}

// value returns the value of a property on an element without a type.
func (r *rdfa) value(n *html.Node, id, property string) []Value {
	if id != "" {
		if target := r.node(id, "r"); target != nil {
			return []Value{{Node: target}} // a reference
		}
		return nil
	}
	if content, found := attribute(n, "content"); found {
		return r.text(content)
	}
	if when, found := attribute(n, "datetime"); found {
		return r.text(when)
	}
	return r.elementValue(n, property)
}

// resource returns the identifier of an element with a type.
func resource(n *html.Node) string {
	for _, name := range []string{"resource", "about"} {
		if id, found := attribute(n, name); found {
			return id
		}
	}
	return ""
}

// names returns the names of schema.org in an attribute.
func (s rdfaScope) names(list string) (names []string) {
	for _, name := range fields(list) {
		local, foreign := localName(name)
		for _, prefix := range s.prefixes {
			if rest, found := strings.CutPrefix(name, prefix); found {
				local, foreign = rest, false
			}
		}
		if !foreign && local != "" && len(local) <= maxName && (s.vocab || local != name) {
			names = append(names, local)
		}
	}
	return names
}

// addPrefixes adds the prefixes that an attribute defines for schema.org.
func addPrefixes(prefixes []string, attribute string) []string {
	fields := strings.Fields(attribute)
	for i := 0; i+1 < len(fields); i += 2 {
		if strings.HasSuffix(fields[i], ":") && isVocabulary(fields[i+1]) && len(prefixes) < maxTypes {
			prefixes = append(slices.Clone(prefixes), fields[i])
		}
	}
	return prefixes
}
