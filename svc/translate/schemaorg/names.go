package schemaorg

import (
	"net/url"
	"strings"

	"appliance/svc/translate/page"
)

// maxName is the limit of the name of a type or a property in bytes.
const maxName = 128

// vocabularies are the spellings of the vocabulary's address after the scheme.
var vocabularies = []string{"schema.org/", "www.schema.org/", "schema.org#"}

// localName returns a name without the prefix "schema:" or the address of
// schema.org. Names of other vocabularies remain as they are; foreign is set.
func localName(name string) (local string, foreign bool) {
	name = strings.TrimSpace(name)
	lower := strings.ToLower(name[:min(len(name), 32)])
	for _, scheme := range []string{"https://", "http://", "//", ""} {
		if !strings.HasPrefix(lower, scheme) {
			continue
		}
		for _, v := range vocabularies {
			if strings.HasPrefix(lower[len(scheme):], v) {
				return strings.Trim(name[len(scheme)+len(v):], "/#"), false
			}
		}
	}
	if strings.HasPrefix(lower, "schema:") {
		return name[len("schema:"):], false
	}
	return name, strings.ContainsAny(name, ":/")
}

// isVocabulary reports whether an address is that of schema.org.
func isVocabulary(address string) bool {
	local, foreign := localName(strings.TrimRight(strings.TrimSpace(address), "/#") + "/")
	return local == "" && !foreign
}

// typeName returns the name of a type as schema.org spells it, other names as plain
// text.
func typeName(name string) string {
	local, _ := localName(name)
	if c := findClass(local); c != nil {
		return c.name
	}
	return page.Text(local, maxName)
}

// propertyName returns the name of a property, "" if it is too long or of another
// vocabulary.
func propertyName(name string) string {
	local, foreign := localName(name)
	if foreign || len(local) > maxName {
		return ""
	}
	return local
}

// addTypes adds types that the node does not have.
func (n *Node) addTypes(names ...string) {
	for _, name := range names {
		name = typeName(name)
		if name != "" && len(n.Types) < maxTypes && !contains(n.Types, name) {
			n.Types = append(n.Types, name)
		}
	}
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// absoluteID returns an identifier resolved against the base URL of the page, "" for a
// blank node and for an invalid identifier.
func absoluteID(p *page.Page, id string) string {
	id = strings.TrimSpace(id)
	if id == "" || len(id) > maxID || isBlank(id) {
		return ""
	}
	if resolved := p.Resolve(id); resolved != "" {
		return resolved
	}
	if u, err := url.Parse(id); err != nil || u.Scheme == "http" || u.Scheme == "https" {
		return ""
	}
	return page.Text(id, maxID)
}

func isBlank(id string) bool { return strings.HasPrefix(id, "_:") }
