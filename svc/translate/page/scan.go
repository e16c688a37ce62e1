package page

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// scanner reads the metadata of a document from its tokens, whose number does not depend
// on the nesting.
type scanner struct {
	title, language, base, canonical string
	meta                             map[string]string
	scripts                          []string
	hasText                          bool
	tooManyNodes                     bool // html.Parse would create many more nodes than the document has tags

	titled  bool      // a title element has been read
	foreign int       // depth of svg and math elements
	raw     atom.Atom // the element whose content the tokenizer returns as one text, or 0
	ldJSON  bool      // raw is a JSON-LD script
	format  formatting
}

// scan reads the tokens of a document.
func scan(body []byte) *scanner {
	s := &scanner{meta: make(map[string]string)}
	s.format.reset()
	z := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			s.hasText = s.hasText || s.title != "" || len(s.scripts) > 0
			s.tooManyNodes = s.format.cost > maxExtraNodes
			return s
		case html.TextToken:
			s.text(z)
		case html.StartTagToken:
			s.startTag(z, false)
		case html.SelfClosingTagToken:
			s.startTag(z, true)
		case html.EndTagToken:
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			if (tag == atom.Svg || tag == atom.Math) && s.foreign > 0 {
				s.foreign--
			}
			s.format.end(tag)
			s.raw = 0
		}
	}
}

func (s *scanner) text(z *html.Tokenizer) {
	switch {
	case s.ldJSON:
		s.scripts = append(s.scripts, string(z.Text()))
		s.ldJSON = false
	case s.raw == atom.Title && !s.titled && s.foreign == 0:
		s.title = string(z.Text())
		s.titled = strings.TrimSpace(s.title) != ""
	case s.raw == 0:
		blank := len(bytes.TrimSpace(z.Raw())) == 0
		s.hasText = s.hasText || !blank
		if !blank {
			s.format.node()
		}
	}
}

// startTag reads a start tag.
func (s *scanner) startTag(z *html.Tokenizer, selfClosing bool) {
	s.format.node()
	name, more := z.TagName()
	tag := atom.Lookup(name)
	s.raw, s.ldJSON = 0, false
	switch tag {
	case atom.Svg, atom.Math:
		if !selfClosing {
			s.foreign++
		}
	case atom.Title, atom.Style, atom.Noscript, atom.Iframe, atom.Noembed, atom.Noframes, atom.Xmp, atom.Textarea:
		s.raw = tag
	case atom.Script:
		s.raw = tag
		kind := attributes(z, more)["type"]
		s.ldJSON = hasPrefixFold(strings.TrimSpace(kind), "application/ld+json")
	case atom.Html:
		if a := attributes(z, more); s.language == "" {
			s.language = firstOf(a["lang"], a["xml:lang"])
		}
	case atom.Base:
		if s.base == "" {
			s.base = attributes(z, more)["href"]
		}
	case atom.Link:
		if a := attributes(z, more); s.canonical == "" && containsFold(strings.Fields(a["rel"]), "canonical") {
			s.canonical = a["href"]
		}
	case atom.Meta:
		a := attributes(z, more)
		name := strings.ToLower(strings.TrimSpace(firstOf(a["property"], a["name"], a["http-equiv"])))
		if _, known := s.meta[name]; name != "" && !known && strings.TrimSpace(a["content"]) != "" {
			s.meta[name] = a["content"]
		}
	default:
		s.format.start(tag, z.Raw()[:min(len(z.Raw()), maxFormattingTag)])
	}
}

// attributes returns the attributes of a start tag; the first of each name.
func attributes(z *html.Tokenizer, more bool) map[string]string {
	list := make(map[string]string)
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if _, known := list[string(key)]; !known {
			list[string(key)] = string(value)
		}
	}
	return list
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func containsFold(list []string, s string) bool {
	for _, v := range list {
		if strings.EqualFold(v, s) {
			return true
		}
	}
	return false
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
