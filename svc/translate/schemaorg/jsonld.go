package schemaorg

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// readScript reads a JSON-LD block. Blocks are numbered from 1.
func (b *builder) readScript(number int, script string) {
	if strings.TrimSpace(script) == "" {
		return
	}
	text, complete := repair(script)
	var document any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if text == "" || decoder.Decode(&document) != nil {
		b.warn("JSON-LD block %d is not valid JSON and was ignored.", number)
		return
	}
	if !complete {
		b.warn("JSON-LD block %d contains text after its end, which was ignored.", number)
	}
	w := &walker{builder: b, scope: strconv.Itoa(number)}
	w.top(document, 0)
}

// walker adds the nodes of a JSON-LD block. It does not load contexts: all terms are
// those of schema.org. Properties are visited in alphabetical order, so that the
// graph does not depend on the order of keys.
type walker struct {
	*builder
	scope    string   // of blank nodes
	prefixes []string // that contexts define for schema.org, with a colon
}

// isTooDeep reports whether values at a depth are ignored, and adds a warning if
// so.
func (w *walker) isTooDeep(depth int) bool {
	if depth > maxDepth {
		w.warn("Data nested in more than %d levels was ignored.", maxDepth)
	}
	return depth > maxDepth
}

// top adds the nodes of a value at the top level or in @graph.
func (w *walker) top(v any, depth int) {
	if w.isTooDeep(depth) {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			w.top(item, depth+1)
		}
	case map[string]any:
		if n := w.object(v, depth); n != nil {
			n.independent = true
		}
	}
}

// object adds the node of an object, and the nodes of its @graph. It returns nil if
// the object has neither a type nor properties.
func (w *walker) object(m map[string]any, depth int) *Node {
	w.context(m["@context"], 0)
	keys := slices.Sorted(maps.Keys(m))
	n := w.ownNode(m, keys, depth)
	for _, key := range keys {
		switch key {
		case "@graph", "@included":
			w.top(m[key], depth+1)
		case "@reverse":
			if reverse, ok := m[key].(map[string]any); ok {
				for _, property := range slices.Sorted(maps.Keys(reverse)) {
					w.top(reverse[property], depth+1)
				}
			}
		}
	}
	return n
}

// ownNode adds the node of an object, without those of its @graph.
func (w *walker) ownNode(m map[string]any, keys []string, depth int) *Node {
	kind := firstValue(m, "@type", "type")
	isProperty := func(key string) bool { return key != "" && key[0] != '@' && key != "id" && key != "type" }
	if kind == nil && !slices.ContainsFunc(keys, isProperty) {
		return nil
	}
	n := w.node(w.id(m), w.scope)
	if n == nil {
		return nil
	}
	w.describe(n)
	n.addTypes(w.types(kind)...)
	for _, key := range keys {
		name := propertyName(w.term(key))
		if !isProperty(name) {
			continue
		}
		if values := w.values(m[key], depth+1); len(values) > 0 {
			n.Properties[name] = append(n.Properties[name], values...)
		}
	}
	return n
}

// values returns the values of a property.
func (w *walker) values(v any, depth int) []Value {
	if w.isTooDeep(depth) {
		return nil
	}
	switch v := v.(type) {
	case string:
		return w.text(v)
	case json.Number:
		return w.text(v.String())
	case bool:
		return w.text(strconv.FormatBool(v))
	case []any:
		var list []Value
		for _, item := range v {
			if len(list) >= maxValues {
				w.warn("A property has more than %d values. The rest was ignored.", maxValues)
				break
			}
			list = append(list, w.values(item, depth+1)...)
		}
		return list
	case map[string]any:
		for _, key := range []string{"@value", "@list", "@set"} {
			if inner, found := v[key]; found {
				return w.values(inner, depth+1)
			}
		}
		n := w.object(v, depth)
		if id := w.id(v); n == nil && id != "" {
			n = w.node(id, w.scope) // a reference
		}
		if n != nil {
			return []Value{{Node: n}}
		}
	}
	return nil
}

// context reads the prefixes that a context defines for schema.org.
func (w *walker) context(v any, depth int) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if depth < maxDepth {
				w.context(item, depth+1)
			}
		}
	case map[string]any:
		for _, prefix := range slices.Sorted(maps.Keys(v)) {
			address, ok := v[prefix].(string)
			if ok && isVocabulary(address) && prefix != "" && prefix[0] != '@' && !contains(w.prefixes, prefix+":") && len(w.prefixes) < maxTypes {
				w.prefixes = append(w.prefixes, prefix+":")
			}
		}
	}
}

// term returns a name without a prefix of the context.
func (w *walker) term(name string) string {
	for _, prefix := range w.prefixes {
		if local, found := strings.CutPrefix(name, prefix); found {
			return local
		}
	}
	return name
}

// types returns the texts of a @type.
func (w *walker) types(v any) (list []string) {
	switch v := v.(type) {
	case string:
		for name := range strings.SplitSeq(v, ",") {
			list = append(list, w.term(strings.TrimSpace(name)))
		}
	case []any:
		for _, item := range v {
			if name, ok := item.(string); ok {
				list = append(list, w.term(strings.TrimSpace(name)))
			}
		}
	}
	return list
}

func (w *walker) id(m map[string]any) string {
	id, _ := firstValue(m, "@id", "id").(string)
	return id
}

// firstValue returns the value of the first key that is present.
func firstValue(m map[string]any, keys ...string) any {
	for _, key := range keys {
		if v, found := m[key]; found {
			return v
		}
	}
	return nil
}
