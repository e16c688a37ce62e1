package extract

import (
	"time"

	"appliance/svc/translate/maintext"
	"appliance/svc/translate/page"
	"appliance/svc/translate/schemaorg"
)

// Input is the page for the extractors.
type Input struct {
	Page  *page.Page
	Graph *schemaorg.Graph
	Text  func() *maintext.Text // the main text; computed at the first call
	Now   time.Time             // decides which events are in the future
}

// Extracted is one surface made from a page.
type Extracted struct {
	Kind        string            `json:"kind"`                  // "business", "article", "hours", "menu", "events", "gallery" or "contact"
	Title       string            `json:"title"`                 // one line of plain text
	Summary     string            `json:"summary"`               // plain text, at most svc.MaxSummary bytes
	Details     [][2]string       `json:"details"`               // pairs of a label and a value, such as {"Telephone", "+49 …"}
	URL         string            `json:"url"`                   // of the object, else of the page
	SchemaTypes []string          `json:"schema_types,omitzero"` // types of the node
	Content     any               `json:"content"`               // *Business, *Article, *Hours, *Menu, *Events, *Gallery or *Contact
	Images      []*maintext.Image `json:"-"`                     // the pictures in Content, the same pointers
	Warnings    []string          `json:"warnings,omitzero"`
}

// All returns the surfaces of a page in the order Business, Article, Hours, Menu,
// Events, Gallery, Contact.
func All(in Input) []Extracted { return nil }
