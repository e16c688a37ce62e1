package dav

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"appliance/svc"
)

func TestReadXML(t *testing.T) {
	for name, text := range map[string]string{
		"a byte order mark":                "\ufeff<?xml version=\"1.0\"?><a xmlns=\"DAV:\">x</a>",
		"comments and white space":         "\n<!-- a --><a xmlns='DAV:'><!-- b -->x<!-- c --></a>\n<?pi x?>",
		"a prefix":                         `<q:a xmlns:q="DAV:">x</q:a>`,
		"character data":                   `<a xmlns="DAV:"><![CDATA[x]]></a>`,
		"an xml:lang attribute":            `<a xmlns="DAV:" xml:lang="de">x</a>`,
		"an encoding":                      `<?xml version="1.0" encoding="UTF-8"?><a xmlns="DAV:">x</a>`,
		"the maximum depth":                `<a xmlns="DAV:">x` + strings.Repeat("<b>", maxDepth-1) + strings.Repeat("</b>", maxDepth-1) + `</a>`,
		"a prefix declared on its element": `<a xmlns="DAV:">x<q:b xmlns:q="urn:q" q:c="d"/></a>`,
	} {
		root, err := readXML(strings.NewReader(text))
		if err != nil || root.name != davName("a") || root.value() != "x" {
			t.Errorf("%s: got %+v, %v", name, root, err)
		}
	}
}

func TestReadXMLRejectsInvalidDocuments(t *testing.T) {
	for name, text := range map[string]string{
		"text":                                   "hello",
		"a missing end tag":                      "<a>",
		"an end tag of another element":          "<a></b>",
		"two roots":                              "<a/><b/>",
		"text after the root":                    "<a/>x",
		"an undeclared prefix":                   "<q:a/>",
		"an attribute with an undeclared prefix": `<a q:b="c"/>`,
		"a prefix for the empty namespace":       `<q:a xmlns:q=""/>`,
		"two colons":                             `<q:a:b xmlns:q="DAV:"/>`,
		"a name that ends in a colon":            `<a: xmlns="DAV:"/>`,
		"a level beyond the maximum depth":       strings.Repeat("<a>", maxDepth+1) + strings.Repeat("</a>", maxDepth+1),
		"a document type":                        "<!DOCTYPE a><a/>",
		"another encoding":                       `<?xml version="1.0" encoding="ISO-8859-1"?><a/>`,
		"a control character":                    "<a>\x01</a>",
		"invalid UTF-8":                          "<a>\xff</a>",
		"an unknown entity":                      "<a>&nbsp;</a>",
	} {
		root, err := readXML(strings.NewReader(text))
		if kind := svc.KindOf(err); root != nil || kind != svc.Malformed && kind != svc.TooLarge {
			t.Errorf("%s: got %+v, %v", name, root, err)
		}
	}
}

// A document that is accepted is within the limits, and is the same when it is
// written and parsed again. Each of its elements is the same when it is written
// standalone.
func FuzzXML(f *testing.F) {
	f.Add(`<propfind xmlns="DAV:"><prop><x:y xmlns:x="urn:&quot;x&amp;y"/><z xmlns=""/></prop></propfind>`)
	f.Add(`<a xmlns:C="DAV:"><C:b C:c="d&#10;&#13;&lt;" e="f"/>text&#13;]]&gt;<![CDATA[<&]]></a>`)
	f.Add("<a>\u0085\ufffd\t\n</a>")
	f.Add(`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`)
	f.Fuzz(func(t *testing.T, text string) {
		root, err := readXML(strings.NewReader(text))
		if (root == nil) == (err == nil) {
			t.Fatalf("got %v and %v, want exactly one", root, err)
		}
		if err != nil {
			return
		}
		if d := depthOf(root); d > maxDepth {
			t.Errorf("got %d levels, want at most %d", d, maxDepth)
		}
		var x writer
		x.print(root)
		again, err := readXML(strings.NewReader(string(x.buf)))
		if err != nil || !sameElement(again, root) {
			t.Errorf("%q written as %q: got %v, %v", text, x.buf, again, err)
		}
		for _, e := range firstElements(root, 20) {
			alone := e.marshalStandalone()
			got, err := readXML(strings.NewReader("<x:around xmlns:x='urn:x' xmlns:D='DAV:' xml:lang='und'>" + alone + "</x:around>"))
			if err != nil || len(got.children) != 1 || len(got.text) != 0 {
				t.Fatalf("%q: element written as %q: %v", text, alone, err)
			}
			got.children[0].attrs = slices.DeleteFunc(got.children[0].attrs, func(a xml.Attr) bool {
				return a.Name.Space == nsXML && !slices.Contains(e.attrs, a)
			})
			if !sameElement(got.children[0], e) {
				t.Errorf("%q: element written as %q: got another element", text, alone)
			}
		}
	})
}

// firstElements returns at most n elements: e and its first descendants.
func firstElements(e *element, n int) []*element {
	list := []*element{e}
	for _, c := range e.children {
		if len(list) < n {
			list = append(list, firstElements(c, n-len(list))...)
		}
	}
	return list
}

// sameElement reports whether two elements are equal.
func sameElement(a, b *element) bool {
	return a.name == b.name && slices.Equal(a.attrs, b.attrs) && string(a.text) == string(b.text) &&
		slices.EqualFunc(a.children, b.children, sameElement)
}

// print writes a parsed element.
func (x *writer) print(e *element) {
	x.tag("<", e.name, "")
	for i, a := range e.attrs {
		x.raw(" ")
		switch a.Name.Space {
		case "":
		case nsXML:
			x.raw("xml:")
		default:
			prefix := "p" + strings.Repeat("q", i)
			x.raw("xmlns:" + prefix + `="`)
			x.escape(a.Name.Space, true)
			x.raw(`" ` + prefix + ":")
		}
		x.raw(a.Name.Local + `="`)
		x.escape(a.Value, true)
		x.raw(`"`)
	}
	if p := prefixOf(e.name.Space); p != "" && p != foreignPrefix {
		x.raw(namespaces)
	}
	x.raw(">")
	x.text(string(e.text))
	for _, c := range e.children {
		x.print(c)
	}
	x.end(e.name)
}

func depthOf(e *element) int {
	deepest := 0
	for _, c := range e.children {
		deepest = max(deepest, depthOf(c))
	}
	return deepest + 1
}

// For any text and any namespace of a property, the document is well-formed and
// contains them, except for characters that XML cannot represent.
func FuzzWriter(f *testing.F) {
	f.Add("a\r\n<&>]]>\"'\t\x00\x0b\ufffe\xff\ud7ff", "urn:\n\"x\"")
	f.Fuzz(func(t *testing.T, text, space string) {
		x := new(writer)
		x.root(davName("a"))
		x.element(xml.Name{Space: space, Local: "b"}, text)
		x.end(davName("a"))
		root, err := readXML(strings.NewReader(string(x.buf)))
		if err != nil || len(root.children) != 1 {
			t.Fatalf("%v in %q", err, x.buf)
		}
		if got := root.children[0]; string(got.text) != replaceUnrepresentable(text) || got.name.Space != replaceUnrepresentable(space) {
			t.Errorf("got %q, %q; want %q, %q", got.text, got.name.Space, replaceUnrepresentable(text), replaceUnrepresentable(space))
		}
	})
}

// replaceUnrepresentable replaces characters that XML cannot represent by U+FFFD.
func replaceUnrepresentable(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !xmlChar(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
}
