package page

import (
	"net/url"

	"golang.org/x/net/html"
)

// Page is a parsed HTML document.
type Page struct {
	URL      *url.URL          // of the response, after redirects
	Base     *url.URL          // against which references are resolved: the base element's URL, or URL
	Root     *html.Node        // the document; if TooDeep is set, a flat one without the original nesting
	TooDeep  bool              // the document exceeds the nesting limit of package html
	Language string            // BCP 47 tag from the html element, a meta element or the header; "" if unknown
	Title    string            // of the title element, as plain text
	Meta     map[string]string // content of meta elements by lower-case name or property; the first of each name
	Scripts  []string          // text of the application/ld+json scripts, in document order, unescaped as HTML requires only
}

// Parse parses the body of a response. address is the URL after redirects,
// contentType the Content-Type header, "" if there was none. It returns an error if
// the body is not HTML or XHTML, or has no text.
func Parse(address, contentType string, body []byte) (*Page, error) { return nil, nil }

// Resolve returns a reference of the page as an absolute http or https URL without
// user name and password, of at most 2048 bytes; "" if it is no such URL.
func (p *Page) Resolve(reference string) string { return "" }

// Canonical returns the canonical URL that the page states, if it has the same host,
// else the URL of the page.
func (p *Page) Canonical() string { return "" }
