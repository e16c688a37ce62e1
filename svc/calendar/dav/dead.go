package dav

import (
	"bytes"
	"encoding/xml"
)

// marshalStandalone returns the XML of the element with the namespace
// declarations and the xml:lang that it inherits, so that it has the same
// meaning in any document (RFC 4918 §4.3). It omits comments and processing
// instructions.
func (e *element) marshalStandalone() string {
	x := new(writer)
	d := xml.NewDecoder(bytes.NewReader(e.raw))
	inherited := e.inheritedDeclarations()
	for {
		token, err := d.RawToken()
		if err != nil {
			return string(x.buf) // the only error is io.EOF, because readXML has parsed the element before
		}
		switch token := token.(type) {
		case xml.StartElement:
			x.raw("<" + qualifiedName(token.Name))
			for _, a := range append(token.Attr, inherited...) {
				x.raw(" " + qualifiedName(a.Name) + `="`)
				x.escape(a.Value, true)
				x.raw(`"`)
			}
			x.raw(">")
			inherited = nil
		case xml.EndElement:
			x.raw("</" + qualifiedName(token.Name) + ">")
		case xml.CharData:
			x.text(string(token))
		}
	}
}

// qualifiedName returns a name as it is written in XML, with its prefix.
func qualifiedName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// inheritedDeclarations returns the namespace declarations and the xml:lang
// that the element inherits from its ancestors. The prefix xml needs no
// declaration.
func (e *element) inheritedDeclarations() (list []xml.Attr) {
	lang := xml.Name{Space: "xml", Local: "lang"}
	seen := make(map[xml.Name]bool)
	for at := e; at != nil; at = at.parent {
		declared := at.declared
		for _, a := range at.attrs {
			if a.Name == (xml.Name{Space: nsXML, Local: "lang"}) {
				declared = append(declared[:len(declared):len(declared)], xml.Attr{Name: lang, Value: a.Value})
			}
		}
		for _, a := range declared {
			if !seen[a.Name] && at != e {
				list = append(list, a)
			}
			seen[a.Name] = true
		}
	}
	return list
}
