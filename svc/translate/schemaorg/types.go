package schemaorg

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:generate go run generate.go

// typeTable contains a line "Type:Parent,Parent" for each class of schema.org
// (Apache-2.0), except the counters of interactions and CourseInstance, which are
// subtypes of Event but not shown as events.
//
//go:embed types.txt
var typeTable string

// class is a type of schema.org.
type class struct {
	name    string
	parents []*class
}

// classes returns the types by lower-case name.
var classes = sync.OnceValue(func() map[string]*class {
	known := make(map[string]*class, 1000)
	get := func(name string) *class {
		key := strings.ToLower(name)
		if known[key] == nil {
			known[key] = &class{name: name}
		}
		return known[key]
	}
	for line := range strings.Lines(typeTable) {
		name, parents, _ := strings.Cut(strings.TrimSpace(line), ":")
		c := get(name)
		for parent := range strings.SplitSeq(parents, ",") {
			if parent != "" {
				c.parents = append(c.parents, get(parent))
			}
		}
	}
	return known
})

// findClass returns a type by its name in any case, nil if it is unknown.
func findClass(name string) *class {
	if len(name) > maxName {
		return nil
	}
	return classes()[strings.ToLower(name)]
}

// isA reports whether a class is other or one of its subtypes.
func (c *class) isA(other *class) bool {
	return c == other || slices.ContainsFunc(c.parents, func(p *class) bool { return p.isA(other) })
}

// IsSubtype reports whether a type is another type or one of its subtypes. Both are
// names without a prefix, in any case.
func IsSubtype(name, of string) bool {
	if strings.EqualFold(name, of) {
		return true
	}
	a, b := findClass(name), findClass(of)
	return a != nil && b != nil && a.isA(b)
}
