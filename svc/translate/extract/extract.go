package extract

import (
	"fmt"
	"time"

	"appliance/svc"
	"appliance/svc/translate/maintext"
	"appliance/svc/translate/page"
	"appliance/svc/translate/schemaorg"
)

// Input is a parsed page with its structured data and main text.
type Input struct {
	Page  *page.Page
	Graph *schemaorg.Graph
	Text  *maintext.Text // the main text
	Now   time.Time      // events that end earlier are omitted
}

// Extracted is a part of a translated page: an object that the page describes or, from
// package translate, the page itself.
type Extracted struct {
	Kind        string            `json:"kind"`                  // "business", "article", "hours", "menu", "events", "gallery" or "contact"; package translate adds "resource"
	Title       string            `json:"title"`                 // one line of plain text
	Summary     string            `json:"summary"`               // plain text, at most svc.MaxSummary bytes
	Details     [][2]string       `json:"details"`               // pairs of a label and a value, such as {"Telephone", "+49 …"}
	URL         string            `json:"url"`                   // of the object, else of the page
	SchemaTypes []string          `json:"schema_types,omitzero"` // types of the nodes
	Content     any               `json:"content"`               // *Business, *Article, *Hours, *Menu, *Events, *Gallery or *Contact; *translate.Resource
	Images      []*maintext.Image `json:"-"`                     // the pictures in Content, the same pointers
	Warnings    []string          `json:"warnings,omitzero"`
}

// maxParts is the maximum number of parts of a page.
const maxParts = 20

// extractors are the functions that [All] calls, in the order of their parts. Each
// returns at most [maxParts].
var extractors = []func(*pageInput) []Extracted{businesses, articles, openingHours, menus, events, gallery, contacts}

// All returns the parts of a page in the order Business, Article, Hours, Menu,
// Events, Gallery, Contact, and parts of one kind in the order of the page. If
// there are more than [maxParts], it omits parts of the most frequent kinds.
func All(in Input) []Extracted {
	s := &pageInput{Input: in}
	s.site = siteName(s)
	s.businesses = businessNodes(s)
	found := make([][]Extracted, len(extractors))
	for i, extract := range extractors {
		found[i] = extract(s)
	}
	perKind := maxParts
	for ; perKind > 1 && count(found, perKind) > maxParts; perKind-- {
	}
	var all []Extracted
	for _, list := range found {
		if n := len(list); n > perKind {
			list = list[:perKind]
			last := &list[perKind-1]
			last.Warnings = append(last.Warnings, fmt.Sprintf("The page describes more objects of the kind %s; the first %d are shown.", last.Kind, perKind))
		}
		all = append(all, list...)
	}
	return all
}

// count returns the number of parts with at most perKind of each kind.
func count(found [][]Extracted, perKind int) (n int) {
	for _, list := range found {
		n += min(len(list), perKind)
	}
	return n
}

// finish sets the fields of a part that all kinds have in common. n is nil if the
// part is made from several nodes.
func (r *reader) finish(e Extracted, n *schemaorg.Node) Extracted {
	e.URL = r.Page.Canonical()
	if n != nil {
		e.SchemaTypes = typeNames(n)
		if u := r.url(n, "url"); u != "" {
			e.URL = u
		}
	}
	e.Title = svc.SingleLine(plain(e.Title, maxLine), svc.MaxTitle)
	e.Summary = plain(e.Summary, svc.MaxSummary)
	for i := range e.Details {
		e.Details[i][1] = plain(e.Details[i][1], maxLine)
	}
	if r.isExhausted() {
		e.Warnings = append(e.Warnings, "The page describes more than can be shown. The rest has been omitted.")
	}
	return e
}

// details returns the pairs that have a value.
func details(pairs ...[2]string) (list [][2]string) {
	for _, p := range pairs {
		if p[1] != "" {
			list = append(list, p)
		}
	}
	return list
}

// joinTitle returns "Menu – Trattoria", or the label alone if there is no name.
func joinTitle(label, name string) string {
	if name == "" {
		return label
	}
	return label + " – " + name
}

// plural returns the singular for 1, else the plural.
func plural(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}
