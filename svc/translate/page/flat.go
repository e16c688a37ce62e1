package page

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// flatTree returns a document whose body contains the text of each block as one
// element: headings, list items, quotes and code keep their names, other blocks are
// paragraphs. Content that browsers do not display is absent.
func flatTree(body []byte) *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	f := &flattener{body: element("body")}
	document := element("html")
	document.AppendChild(element("head"))
	document.AppendChild(f.body)
	root.AppendChild(document)
	z := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			f.flush()
			return root
		case html.TextToken:
			if !f.hidden {
				f.text.Write(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			f.startTag(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			f.hidden = false
			if tag := atom.Lookup(name); !inlineElements[tag.String()] {
				f.flush()
				f.block = atom.P
			}
		}
	}
}

// flattener appends the text of each block to body.
type flattener struct {
	body   *html.Node
	text   strings.Builder // of the current block
	block  atom.Atom       // its element
	hidden bool            // in an element that is not displayed
}

func (f *flattener) startTag(z *html.Tokenizer) {
	name, more := z.TagName()
	tag := atom.Lookup(name)
	f.hidden = false
	switch tag {
	case atom.Script, atom.Style, atom.Title, atom.Noscript, atom.Iframe, atom.Noembed, atom.Noframes, atom.Xmp, atom.Textarea:
		f.hidden = true
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Li, atom.Blockquote, atom.Pre:
		f.flush()
		f.block = tag
	case atom.Img:
		if a := attributes(z, more); a["src"] != "" {
			f.flush()
			img := element("img")
			img.Attr = []html.Attribute{{Key: "src", Val: a["src"]}, {Key: "alt", Val: a["alt"]}}
			f.body.AppendChild(img)
		}
	default:
		if !inlineElements[string(name)] {
			f.flush()
			f.block = atom.P
		}
	}
}

// flush appends the current block, unless it is empty.
func (f *flattener) flush() {
	if text := f.text.String(); strings.TrimSpace(text) != "" {
		if f.block == 0 {
			f.block = atom.P
		}
		block := element(f.block.String())
		block.AppendChild(&html.Node{Type: html.TextNode, Data: text})
		f.body.AppendChild(block)
	}
	f.text.Reset()
}

func element(name string) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
}
