package dav

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode"

	"appliance/svc"
)

// XML namespaces.
const (
	nsDAV            = "DAV:"
	nsCalDAV         = "urn:ietf:params:xml:ns:caldav"
	nsCalendarServer = "http://calendarserver.org/ns/"
	nsApple          = "http://apple.com/ns/ical/"
	nsXML            = "http://www.w3.org/XML/1998/namespace"
)

func davName(local string) xml.Name { return xml.Name{Space: nsDAV, Local: local} }
func csName(local string) xml.Name  { return xml.Name{Space: nsCalendarServer, Local: local} }
func calName(local string) xml.Name { return xml.Name{Space: nsCalDAV, Local: local} }

// Limits of a request body. The largest body of real clients is a
// calendar-multiget of a whole calendar.
const (
	maxXML      = 2 << 20 // octets
	maxDepth    = 32
	maxElements = 50_000
	maxAttrs    = 32 // per element
)

// element is an element of a request body.
type element struct {
	name     xml.Name
	attrs    []xml.Attr // without namespace declarations
	children []*element
	text     []byte // without the text of children

	parent   *element
	declared []xml.Attr // namespace declarations, as written
	raw      []byte     // the whole element, as written
}

// child returns the first child with that name, nil if there is none.
func (e *element) child(name xml.Name) *element {
	for _, c := range e.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// count returns the number of children with that name.
func (e *element) count(name xml.Name) (n int) {
	for _, c := range e.children {
		if c.name == name {
			n++
		}
	}
	return n
}

// attr returns the value of an attribute without a namespace.
func (e *element) attr(local string) (value string, ok bool) {
	for _, a := range e.attrs {
		if a.Name.Space == "" && a.Name.Local == local {
			return a.Value, true
		}
	}
	return "", false
}

// language returns the xml:lang that applies to the element, "" if there is
// none.
func (e *element) language() string {
	for at := e; at != nil; at = at.parent {
		for _, a := range at.attrs {
			if a.Name == (xml.Name{Space: nsXML, Local: "lang"}) {
				return a.Value
			}
		}
	}
	return ""
}

// value returns the text without surrounding white space.
func (e *element) value() string { return strings.TrimSpace(string(e.text)) }

// readXML parses a document and returns its root, or io.EOF if the document is
// empty. It rejects document type declarations: WebDAV does not need them, and
// entities can expand to large texts.
func readXML(r io.Reader) (*element, error) {
	document, err := io.ReadAll(r)
	if err != nil {
		return nil, xmlError(err)
	}
	document = bytes.TrimPrefix(document, []byte("\ufeff"))
	d := xml.NewDecoder(bytes.NewReader(document))
	p := parser{declared: map[string]bool{"": true, nsXML: true}}
	for {
		from := d.InputOffset()
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = p.add(token, document[from:], int(d.InputOffset()-from))
		}
		if err != nil {
			return nil, xmlError(err)
		}
	}
	if p.root == nil {
		return nil, io.EOF
	}
	return p.root, nil
}

func xmlError(err error) error {
	var long *http.MaxBytesError
	var syntax *xml.SyntaxError
	var svcError *svc.Error
	switch {
	case errors.As(err, &svcError):
		return err
	case errors.As(err, &long):
		return svc.Errorf(svc.BodyTooLarge, "The request body is larger than %d octets.", long.Limit)
	case errors.As(err, &syntax):
		return svc.Errorf(svc.MalformedBody, "The request body is not well-formed XML on line %d: %s.", syntax.Line, syntax.Msg)
	}
	return svc.Errorf(svc.MalformedBody, "The request body is not XML in UTF-8, or is incomplete.").WithCause(err)
}

// parser builds the tree of elements.
type parser struct {
	root     *element
	open     []*element
	elements int
	declared map[string]bool // namespaces that an element declares
}

// add processes a token, which is the first length octets of rest.
func (p *parser) add(token xml.Token, rest []byte, length int) error {
	switch token := token.(type) {
	case xml.StartElement:
		return p.start(token, rest)
	case xml.EndElement:
		e := p.open[len(p.open)-1]
		e.raw = e.raw[:len(e.raw)-len(rest)+length]
		p.open = p.open[:len(p.open)-1]
	case xml.CharData:
		if n := len(p.open); n > 0 {
			p.open[n-1].text = append(p.open[n-1].text, token...)
		} else if strings.TrimFunc(string(token), unicode.IsSpace) != "" {
			return svc.Errorf(svc.MalformedBody, "The request body has text outside the root element.")
		}
	case xml.Directive:
		return svc.Errorf(svc.MalformedBody, "A document type declaration is not allowed.")
	}
	return nil
}

// start opens an element that begins at the start of rest.
func (p *parser) start(token xml.StartElement, rest []byte) error {
	p.elements++
	if p.elements > maxElements || len(p.open) == maxDepth || len(token.Attr) > maxAttrs {
		return svc.Errorf(svc.BodyTooLarge, "The request body has more than %d elements, %d levels of nesting, or %d attributes on one element.",
			maxElements, maxDepth, maxAttrs)
	}
	e := &element{name: token.Name, raw: rest}
	for i, a := range token.Attr {
		for _, b := range token.Attr[:i] {
			if a.Name == b.Name {
				return svc.Errorf(svc.MalformedBody, "The attribute %q occurs twice.", a.Name.Local)
			}
		}
		if a.Name.Space == "xmlns" && (a.Value == "" || a.Name.Local == "xmlns" || a.Name.Local == "xml") {
			return svc.Errorf(svc.MalformedBody, "The prefix %q cannot be bound to the namespace %q.", a.Name.Local, a.Value)
		}
		if a.Name.Space == "xmlns" || a.Name == (xml.Name{Local: "xmlns"}) {
			p.declared[a.Value] = true
			e.declared = append(e.declared, a)
			continue
		}
		e.attrs = append(e.attrs, a)
	}
	if err := p.checkName(e.name); err != nil {
		return err
	}
	for _, a := range e.attrs {
		if err := p.checkName(a.Name); err != nil {
			return err
		}
	}
	switch {
	case len(p.open) > 0:
		parent := p.open[len(p.open)-1]
		e.parent = parent
		parent.children = append(parent.children, e)
	case p.root != nil:
		return svc.Errorf(svc.MalformedBody, "The request body has two root elements.")
	default:
		p.root = e
	}
	p.open = append(p.open, e)
	return nil
}

// checkName rejects names that encoding/xml accepts, but XML namespaces do not:
// names with an undeclared prefix, which encoding/xml returns as the namespace,
// or with a second colon.
func (p *parser) checkName(n xml.Name) error {
	if !p.declared[n.Space] || strings.Contains(n.Local, ":") {
		return svc.Errorf(svc.MalformedBody, "The prefix of the name %q is not declared.", n.Local)
	}
	return nil
}

// xmlChar reports whether r is a Char of XML 1.0 §2.2.
func xmlChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' ||
		r >= 0x20 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= 0x10ffff
}
