package dav

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"appliance/svc"
)

func TestXMLThatIsRead(t *testing.T) {
	for name, text := range map[string]string{
		"a byte order mark":      "\ufeff<?xml version=\"1.0\"?><a xmlns=\"DAV:\">x</a>",
		"comments and white":     "\n<!-- a --><a xmlns='DAV:'><!-- b -->x<!-- c --></a>\n<?pi x?>",
		"a prefix":               `<q:a xmlns:q="DAV:">x</q:a>`,
		"character data":         `<a xmlns="DAV:"><![CDATA[x]]></a>`,
		"an attribute of xml":    `<a xmlns="DAV:" xml:lang="de">x</a>`,
		"an encoding":            `<?xml version="1.0" encoding="UTF-8"?><a xmlns="DAV:">x</a>`,
		"as deep as is allowed":  `<a xmlns="DAV:">x` + strings.Repeat("<b>", maxDepth-1) + strings.Repeat("</b>", maxDepth-1) + `</a>`,
		"the prefix declared on": `<a xmlns="DAV:">x<q:b xmlns:q="urn:q" q:c="d"/></a>`,
	} {
		root, err := readXML(strings.NewReader(text))
		if err != nil || root.name != davName("a") || root.value() != "x" {
			t.Errorf("%s: %+v, %v", name, root, err)
		}
	}
}

func TestXMLThatIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"text":                        "hello",
		"an end that is missing":      "<a>",
		"an end of something else":    "<a></b>",
		"two roots":                   "<a/><b/>",
		"text behind the root":        "<a/>x",
		"a prefix without namespace":  "<q:a/>",
		"such an attribute":           `<a q:b="c"/>`,
		"a prefix for no namespace":   `<q:a xmlns:q=""/>`,
		"two colons":                  `<q:a:b xmlns:q="DAV:"/>`,
		"a name that ends in a colon": `<a: xmlns="DAV:"/>`,
		"one level too deep":          strings.Repeat("<a>", maxDepth+1) + strings.Repeat("</a>", maxDepth+1),
		"a document type":             "<!DOCTYPE a><a/>",
		"another encoding":            `<?xml version="1.0" encoding="ISO-8859-1"?><a/>`,
		"a control character":         "<a>\x01</a>",
		"what is not UTF-8":           "<a>\xff</a>",
		"an unknown entity":           "<a>&nbsp;</a>",
	} {
		root, err := readXML(strings.NewReader(text))
		if kind := svc.KindOf(err); root != nil || kind != svc.Malformed && kind != svc.TooLarge {
			t.Errorf("%s: %+v, %v", name, root, err)
		}
	}
}

// What is read can be written and read again, and is the same; and it is
// never deeper or larger than allowed.
func FuzzXML(f *testing.F) {
	f.Add(`<propfind xmlns="DAV:"><prop><x:y xmlns:x="urn:&quot;x&amp;y"/><z xmlns=""/></prop></propfind>`)
	f.Add(`<a xmlns:C="DAV:"><C:b C:c="d&#10;&#13;&lt;" e="f"/>text&#13;]]&gt;<![CDATA[<&]]></a>`)
	f.Add("<a>\u0085\ufffd\t\n</a>")
	f.Add(`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`)
	f.Fuzz(func(t *testing.T, text string) {
		root, err := readXML(strings.NewReader(text))
		if (root == nil) == (err == nil) {
			t.Fatalf("%v, %v", root, err)
		}
		if err != nil {
			return
		}
		if d := depthOf(root); d > maxDepth {
			t.Errorf("%d levels", d)
		}
		var x writer
		x.print(root)
		again, err := readXML(strings.NewReader(string(x.buf)))
		if err != nil || !sameElement(again, root) {
			t.Errorf("%q became %q: %v", text, x.buf, err)
		}
		for _, e := range first(root, 20) {
			alone := e.marshalStandalone()
			got, err := readXML(strings.NewReader("<x:around xmlns:x='urn:x' xmlns:D='DAV:' xml:lang='und'>" + alone + "</x:around>"))
			if err != nil || len(got.children) != 1 || len(got.text) != 0 {
				t.Fatalf("an element of %q stands alone as %q: %v", text, alone, err)
			}
			got.children[0].attrs = slices.DeleteFunc(got.children[0].attrs, func(a xml.Attr) bool {
				return a.Name.Space == nsXML && !slices.Contains(e.attrs, a)
			})
			if !sameElement(got.children[0], e) {
				t.Errorf("an element of %q is another one as %q", text, alone)
			}
		}
	})
}

// first returns n elements at most: e and what is in it.
func first(e *element, n int) []*element {
	list := []*element{e}
	for _, c := range e.children {
		if len(list) < n {
			list = append(list, first(c, n-len(list))...)
		}
	}
	return list
}

// sameElement reports whether two elements say the same.
func sameElement(a, b *element) bool {
	return a.name == b.name && slices.Equal(a.attrs, b.attrs) && string(a.text) == string(b.text) &&
		slices.EqualFunc(a.children, b.children, sameElement)
}

// print writes an element that was read.
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

// Whatever is written, as text, in an attribute, or as the name of a property
// that a client made up, the document stays one, and says what can be said.
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
		if got := root.children[0]; string(got.text) != sayable(text) || got.name.Space != sayable(space) {
			t.Errorf("%q, %q became %q, %q", text, space, got.text, got.name.Space)
		}
	})
}

// sayable is the text with U+FFFD for what XML cannot say.
func sayable(s string) string {
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
