package dav

import (
	"bytes"
	"encoding/xml"
)

// marshalStandalone writes the element so that it means the same in any document:
// with the namespaces and the language that are declared around it (RFC 4918
// §4.3). Comments and processing instructions are left out.
func (e *element) marshalStandalone() string {
	x := new(writer)
	d := xml.NewDecoder(bytes.NewReader(e.raw))
	around := e.inheritedDeclarations()
	for {
		token, err := d.RawToken()
		if err != nil {
			return string(x.buf) // the end: all of it has been read once
		}
		switch token := token.(type) {
		case xml.StartElement:
			x.raw("<" + qualifiedName(token.Name))
			for _, a := range append(token.Attr, around...) {
				x.raw(" " + qualifiedName(a.Name) + `="`)
				x.escape(a.Value, true)
				x.raw(`"`)
			}
			x.raw(">")
			around = nil
		case xml.EndElement:
			x.raw("</" + qualifiedName(token.Name) + ">")
		case xml.CharData:
			x.text(string(token))
		}
	}
}

// qualifiedName is a name as it is written.
func qualifiedName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// inheritedDeclarations are the declarations that hold in the element because they are
// made around it. Those of the standard prefix xml need not be made.
func (e *element) inheritedDeclarations() (list []xml.Attr) {
	lang := xml.Name{Space: "xml", Local: "lang"}
	made := make(map[xml.Name]bool)
	for at := e; at != nil; at = at.parent {
		here := at.declared
		for _, a := range at.attrs {
			if a.Name == (xml.Name{Space: nsXML, Local: "lang"}) {
				here = append(here[:len(here):len(here)], xml.Attr{Name: lang, Value: a.Value})
			}
		}
		for _, a := range here {
			if !made[a.Name] && at != e {
				list = append(list, a)
			}
			made[a.Name] = true
		}
	}
	return list
}
