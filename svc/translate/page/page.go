package page

import (
	"bytes"
	"errors"
	"net/url"

	"golang.org/x/net/html"
)

// Errors of [Parse].
var (
	ErrNotHTML = errors.New("the document is not HTML")
	ErrEmpty   = errors.New("the document contains no text")
)

// maxTitle is the limit of a title in bytes.
const maxTitle = 512

// Page is a parsed HTML document.
type Page struct {
	URL      *url.URL          // of the response, after redirects
	Base     *url.URL          // against which references are resolved: the base element's URL, or URL
	Root     *html.Node        // the document; if TooDeep is set, a flat one without the original nesting
	TooDeep  bool              // the document has more than the 512 levels of package html, or so many unclosed formatting elements that parsing it needs too much memory
	Language string            // BCP 47 tag from the html element or a meta element; "" if unknown
	Title    string            // of the title element, as plain text
	Meta     map[string]string // content of meta elements by lower-case name or property; the first of each name
	Scripts  []string          // text of the application/ld+json scripts, in document order; entities are not decoded

	canonical string // URL that the page states, "" if there is none
}

// Parse parses the body of a response. address is the URL after redirects, ""
// if it is unknown; contentType is the Content-Type header, "" if there was none. It
// returns [ErrNotHTML] if the body is neither HTML nor XHTML, and [ErrEmpty] if it has
// no text.
func Parse(address, contentType string, body []byte) (*Page, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if !isHTML(contentType, body) {
		return nil, ErrNotHTML
	}
	body = bytes.ReplaceAll(Decode(contentType, body), []byte{0}, nil)
	if contentType == "" && !looksLikeHTML(body) {
		return nil, ErrNotHTML
	}
	p := &Page{URL: base, Base: base, Meta: make(map[string]string)}
	s := scan(body)
	if !s.hasText {
		return nil, ErrEmpty
	}
	p.addHead(s)
	if !s.tooManyNodes {
		if p.Root, err = html.Parse(bytes.NewReader(body)); err == nil {
			return p, nil
		}
	}
	p.Root, p.TooDeep = flatTree(body), true
	return p, nil
}

// addHead sets the fields that the scan has read.
func (p *Page) addHead(s *scanner) {
	if s.base != "" {
		if u, err := url.Parse(p.Resolve(s.base)); err == nil && u.Host != "" {
			p.Base = u
		}
	}
	p.Title = Text(s.title, maxTitle)
	p.Scripts = s.scripts
	p.Meta = s.meta
	for _, tag := range []string{s.language, s.meta["content-language"], s.meta["og:locale"]} {
		if p.Language == "" {
			p.Language = languageTag(tag)
		}
	}
	for _, ref := range []string{s.canonical, s.meta["og:url"]} {
		u, err := url.Parse(p.Resolve(ref))
		if p.canonical == "" && err == nil && u.Host != "" && (u.Host == p.URL.Host || p.URL.Host == "") {
			u.Fragment, u.RawFragment = "", ""
			p.canonical = u.String()
		}
	}
}

// Canonical returns the canonical URL that the page states, if it has the same host,
// else the URL of the page.
func (p *Page) Canonical() string {
	if p.canonical != "" {
		return p.canonical
	}
	u := *p.URL
	u.Fragment, u.RawFragment = "", ""
	return p.Resolve(u.String())
}
