package extract

import (
	"time"

	"appliance/svc/translate/maintext"
	"appliance/svc/translate/page"
	"appliance/svc/translate/schemaorg"
)

// Input is what the extractors read.
type Input struct {
	Page  *page.Page
	Graph *schemaorg.Graph
	Text  func() *maintext.Text // the main text; computed at the first call
	Now   time.Time             // decides which events are in the future
}

// Extracted is one surface made from a page.
type Extracted struct {
	Kind        string      // "business", "article", "hours", "menu", "events", "gallery" or "contact"
	Title       string      // one line of plain text
	Summary     string      // plain text, at most svc.MaxSummary bytes
	Details     [][2]string // pairs of a label and a value, such as {"Telephone", "+49 …"}
	URL         string      // of the object, else of the page
	SchemaTypes []string    // types of the node
	Content     any         // *Business, *Article, *Hours, *Menu, *Events, *Gallery or *Contact
	Images      []*maintext.Image
	Warnings    []string
}

// All returns the surfaces of a page in the order Business, Article, Hours, Menu,
// Events, Gallery, Contact.
func All(in Input) []Extracted { return nil }
