package extract

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"appliance/svc/translate/maintext"
	"appliance/svc/translate/page"
	"appliance/svc/translate/schemaorg"
)

// Limits of texts in bytes, and of lists.
const (
	maxText   = 4096 // a description
	maxLine   = 300  // a name
	maxValues = 12   // values of a property with short values
)

// maxContent limits the JSON of the texts of a content, in bytes. With field names and
// numbers, a content stays below 48 KiB.
const maxContent = 40 << 10

// pageInput is the input of All with the values that several extractors use.
type pageInput struct {
	Input
	site       string            // name of the site, "" if the page does not state it
	businesses []*schemaorg.Node // as businessNodes returns them
}

// reader converts the values of nodes for one part. After maxContent bytes, it
// returns no more texts.
type reader struct {
	*pageInput
	size   int                        // JSON bytes of the texts so far
	images map[string]*maintext.Image // by source, so that each picture of the part is one Image
}

func newReader(in *pageInput) *reader {
	return &reader{pageInput: in, images: make(map[string]*maintext.Image)}
}

// isExhausted reports whether texts have been omitted because of maxContent.
func (r *reader) isExhausted() bool { return r.size > maxContent }

// limitText adds the size of a text to that of the content, and returns the text.
// It returns "" once the content is too large, and for text that matches
// otherScheme.
func (r *reader) limitText(text string) string {
	const field = 24 // a field name with punctuation
	if text == "" || r.isExhausted() || otherScheme.MatchString(text) {
		return ""
	}
	quoted, err := json.Marshal(text)
	if r.size += len(quoted) + field; err != nil || r.isExhausted() {
		return ""
	}
	return text
}

// otherScheme matches URLs with a scheme that programs execute or open.
var otherScheme = regexp.MustCompile(`(?i)^[\s"'(]*(?:javascript|vbscript|livescript|data|blob|file|filesystem|about|view-source|jar)\s*:\s*\S`)

// plain returns text of the page as plain text of at most limit bytes, "" for text that
// matches otherScheme.
func plain(text string, limit int) string {
	if text = page.Text(text, limit); otherScheme.MatchString(text) {
		return ""
	}
	return text
}

// Limits of the values of a property that are read. Without them, the work would exceed
// the length of the page, because a node with many values can be a value of many nodes.
const (
	maxRead  = 64
	maxNodes = 512
)

// valuesOf returns the first values of a property.
func valuesOf(n *schemaorg.Node, property string) []schemaorg.Value {
	values := n.Properties[property]
	return values[:min(len(values), maxRead)]
}

// textsOf is [schemaorg.Node.Texts] for the first values.
func textsOf(n *schemaorg.Node, property string) (list []string) {
	for _, v := range valuesOf(n, property) {
		if text := valueText(v); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// valueText returns the text of a value; of a node, its name, @value or url.
func valueText(v schemaorg.Value) string {
	if v.Node == nil {
		return v.Text
	}
	for _, p := range []string{"name", "@value", "url"} {
		for _, own := range valuesOf(v.Node, p) {
			if own.Text != "" {
				return own.Text
			}
		}
	}
	return ""
}

// textOf is [schemaorg.Node.Text] for the first values.
func textOf(n *schemaorg.Node, properties ...string) string {
	for _, p := range properties {
		for _, v := range valuesOf(n, p) {
			if text := valueText(v); text != "" {
				return text
			}
		}
	}
	return ""
}

// nodesOf is [schemaorg.Node.Nodes] for the first values.
func nodesOf(n *schemaorg.Node, properties ...string) (list []*schemaorg.Node) {
	for _, p := range properties {
		values := n.Properties[p]
		for _, v := range values[:min(len(values), maxNodes)] {
			if v.Node != nil {
				list = append(list, v.Node)
			}
		}
	}
	return list
}

// nodeOf returns the first node of a property, nil if there is none.
func nodeOf(n *schemaorg.Node, property string) *schemaorg.Node {
	for _, v := range valuesOf(n, property) {
		if v.Node != nil {
			return v.Node
		}
	}
	return nil
}

// line returns the first text of the properties as a line.
func (r *reader) line(n *schemaorg.Node, properties ...string) string {
	return r.text(n, maxLine, properties...)
}

// text returns the first text of the properties that is not empty as plain text.
func (r *reader) text(n *schemaorg.Node, limit int, properties ...string) string {
	for _, p := range properties {
		for _, text := range textsOf(n, p) {
			if text = plain(text, limit); text != "" {
				return r.limitText(text)
			}
		}
	}
	return ""
}

// add appends a text to a list of at most maxValues, unless it is in the list.
func (r *reader) add(list []string, text string) []string {
	if text == "" || len(list) >= maxValues || slices.Contains(list, text) {
		return list
	}
	if text = r.limitText(text); text == "" {
		return list
	}
	return append(list, text)
}

// names returns the different names of persons and organizations in properties. A URL
// is not a name.
func (r *reader) names(n *schemaorg.Node, properties ...string) (list []string) {
	for _, p := range properties {
		for _, text := range textsOf(n, p) {
			if text = plain(text, maxLine); !isURL(text) {
				list = r.add(list, text)
			}
		}
	}
	return list
}

// name returns the first of [reader.names].
func (r *reader) name(n *schemaorg.Node, properties ...string) string {
	for _, p := range properties {
		for _, text := range textsOf(n, p) {
			if text = plain(text, maxLine); text != "" && !isURL(text) {
				return r.limitText(text)
			}
		}
	}
	return ""
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "//")
}

// url returns the first value of the properties that is an http or https URL.
func (r *reader) url(n *schemaorg.Node, properties ...string) string {
	for _, p := range properties {
		for _, v := range valuesOf(n, p) {
			reference := v.Text
			if v.Node != nil {
				reference = textOf(v.Node, "url")
				if reference == "" && !strings.Contains(v.Node.ID, "#") { // an id with a fragment is not the URL of a page
					reference = v.Node.ID
				}
			}
			if u := r.resolve(reference); u != "" {
				return r.limitText(u)
			}
		}
	}
	return ""
}

// urls returns the different URLs of a property.
func (r *reader) urls(n *schemaorg.Node, property string) (list []string) {
	for _, text := range textsOf(n, property) {
		if isURL(text) {
			list = r.add(list, r.resolve(text))
		}
	}
	return list
}

// resolve is [page.Page.Resolve] except for references to the page itself.
func (r *reader) resolve(reference string) string {
	if reference = strings.TrimSpace(reference); reference == "" || strings.HasPrefix(reference, "#") {
		return ""
	}
	return r.Page.Resolve(reference)
}

// isPage reports whether an absolute URL is that of the page, regardless of scheme,
// "www." and fragment.
func (r *reader) isPage(address string) bool {
	return pageKey(address) == pageKey(r.Page.URL.String()) || pageKey(address) == pageKey(r.Page.Canonical())
}

// pageKey returns the part of a URL that identifies a page.
func pageKey(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	query := u.Query()
	for name := range query {
		if strings.HasPrefix(name, "utm_") || name == "fbclid" || name == "gclid" {
			query.Del(name)
		}
	}
	path := strings.TrimSuffix(strings.TrimSuffix(u.Path, "index.html"), "/")
	return strings.TrimPrefix(strings.ToLower(u.Host), "www.") + path + "?" + query.Encode()
}

// typeNames returns the types of a node that are valid names.
func typeNames(n *schemaorg.Node) (list []string) {
	for _, t := range n.Types {
		if isTypeName(t) && len(list) < maxValues && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

func isTypeName(name string) bool {
	return name != "" && len(name) <= 64 && strings.IndexFunc(name, func(c rune) bool {
		return (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9')
	}) < 0
}

// enumMember returns the name of a member of an enumeration, as "EventScheduled" of
// "https://schema.org/EventScheduled".
func enumMember(v schemaorg.Value) string {
	text := v.Text
	if v.Node != nil {
		if text = v.Node.ID; text == "" {
			text = textOf(v.Node, "name", "@value", "url")
		}
	}
	text = strings.TrimSpace(text)
	return text[strings.LastIndexAny(text, "/#:")+1:]
}

// positiveInt returns a number of a text such as "1,234" or "640px", 0 if it has none.
func positiveInt(text string) int {
	text = strings.NewReplacer(",", "", ".", "", " ", "", "\u00a0", "").Replace(strings.TrimSuffix(text, ".0"))
	end := strings.IndexFunc(text, func(c rune) bool { return c < '0' || c > '9' })
	if end < 0 {
		end = len(text)
	}
	if end > 9 {
		return 0
	}
	n, _ := strconv.Atoi(text[:end]) // "" gives 0
	return n
}

// textKey returns a text for comparisons: in lower case, without punctuation at its
// ends and with single spaces.
func textKey(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.Trim(text, " .,!?\"'")), " "))
}

// splitList splits a text with commas or semicolons into its parts.
func splitList(text string) (list []string) {
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ';' }) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}
