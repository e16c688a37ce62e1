package feeds

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
)

// maxDepth limits the nesting of elements.
const maxDepth = 100

// maxField limits the bytes that are read of a text, because a payload contains much
// less of it.
const maxField = 64 << 10

// Parts of documents that package xml rejects, although many feeds have them.
var (
	xmlDeclaration = regexp.MustCompile(`^<\?xml\s[^>]*>`) // names the encoding before [page.Decode]
	controlEscape  = regexp.MustCompile(`(?i)&#(0*([0-8]|1[124-9]|2\d|3[01])|x0*([0-8bcef]|1[0-9a-f]));`)
)

// parseXML parses RSS 0.9 to 2.0 and Atom 0.3 and 1.0. The text is UTF-8.
func parseXML(text []byte) (*source, error) {
	text = xmlDeclaration.ReplaceAll(text, nil)
	text = bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, text)
	d := xml.NewDecoder(bytes.NewReader(controlEscape.ReplaceAll(text, nil)))
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	p := xmlParser{source: new(source)}
	for {
		token, err := d.Token()
		if err != nil {
			return nil, cmp.Or(p.notFeed(), err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			err = p.start(t)
		case xml.EndElement:
			p.end()
		case xml.CharData:
			p.text(t)
		}
		if err != nil || p.depth <= 0 && p.root != "" {
			return p.source, err
		}
	}
}

// xmlParser reads the child elements of a feed and of its items. A field is the text of
// such an element, including the text of all elements inside it.
type xmlParser struct {
	source *source
	root   string
	depth  int

	feedDepth int   // depth of the element with the title of the feed; 0 outside of it
	item      *item // nil outside of items
	itemDepth int
	surplus   item // an item beyond the limit, which is not kept

	field      *xml.StartElement // nil outside of fields
	fieldDepth int
	value      strings.Builder
	ignored    int // depth of an element inside of the field that does not belong to it
}

// notFeed returns an error if the document has no element.
func (p *xmlParser) notFeed() error {
	if p.root == "" {
		return errNotFeed
	}
	return nil
}

func (p *xmlParser) start(e xml.StartElement) error {
	e.Name.Local = strings.ToLower(e.Name.Local)
	name := e.Name.Local
	if p.depth++; p.depth > maxDepth {
		return errTooDeep
	}
	if p.depth == 1 {
		if p.root = name; !slices.Contains([]string{"rss", "rdf", "feed", "channel"}, name) {
			return errNotFeed
		}
	}
	if p.item != nil && isMedia(e.Name.Space) {
		p.item.addMedia(e)
	}
	switch {
	case p.field != nil:
		p.value.WriteByte(' ')
		if p.ignored == 0 && p.field.Name.Local == "author" && (name == "email" || name == "uri" || name == "url") {
			p.ignored = p.depth
		}
	case p.item == nil && (name == "item" || name == "entry"):
		p.surplus = item{}
		p.item, p.itemDepth = &p.surplus, p.depth
		if len(p.source.items) < maxItems {
			p.source.items = append(p.source.items, item{})
			p.item = &p.source.items[len(p.source.items)-1]
		}
	case p.item == nil && (name == "channel" || name == "feed"):
		p.feedDepth = p.depth
	case p.item != nil && p.depth == p.itemDepth+1, p.item == nil && p.feedDepth > 0 && p.depth == p.feedDepth+1:
		p.field, p.fieldDepth = &e, p.depth
		p.value.Reset()
	}
	return nil
}

func (p *xmlParser) text(text []byte) {
	if p.field != nil && p.ignored == 0 && p.value.Len() < maxField {
		p.value.Write(text)
	}
}

func (p *xmlParser) end() {
	switch p.depth {
	case p.ignored:
		p.ignored = 0
	case p.fieldDepth:
		if p.field != nil {
			p.endField(*p.field, strings.TrimSpace(p.value.String()))
		}
		p.field, p.fieldDepth = nil, 0
	case p.itemDepth:
		p.item, p.itemDepth = nil, 0
	case p.feedDepth:
		p.feedDepth = 0
	}
	p.depth--
}

// endField sets a field of the item or, outside of items, of the feed.
func (p *xmlParser) endField(e xml.StartElement, value string) {
	if isMedia(e.Name.Space) { // see addMedia
		return
	}
	if p.item != nil {
		p.item.set(e, value)
		return
	}
	switch s := p.source; e.Name.Local {
	case "title":
		set(&s.title, value)
	case "description", "subtitle", "tagline":
		set(&s.description, value)
	case "link":
		if rel := attribute(e, "rel"); rel == "" || rel == "alternate" {
			set(&s.home, cmp.Or(attribute(e, "href"), value))
		}
	}
}

// set sets a field that has no value yet.
func set(field *string, value string) { *field = cmp.Or(*field, value) }

// set sets the field of an item that an element describes.
func (it *item) set(e xml.StartElement, value string) {
	switch e.Name.Local {
	case "guid", "id", "identifier":
		set(&it.id, value)
		if e.Name.Local == "guid" && attribute(e, "ispermalink") != "false" && strings.HasPrefix(value, "http") {
			set(&it.link, value)
		}
	case "title":
		set(&it.title, value)
	case "description", "summary", "subtitle":
		set(&it.summary, value)
	case "content", "encoded", "body":
		set(&it.content, value)
	case "author", "creator":
		set(&it.author, authorName(value))
	case "pubdate", "published", "issued", "date":
		set(&it.date, value)
	case "updated", "modified":
		set(&it.updated, value)
	case "category", "subject":
		it.categories = append(it.categories, cmp.Or(attribute(e, "label"), value, attribute(e, "term")))
	case "enclosure":
		it.files = append(it.files, Resource{attribute(e, "url"), attribute(e, "type")})
	case "image":
		set(&it.picture, attribute(e, "href"))
	case "link":
		it.setLink(e, value)
	}
}

// setLink sets the link of an item. The element link of Atom has attributes, that of RSS
// has text.
func (it *item) setLink(e xml.StartElement, value string) {
	href := attribute(e, "href")
	switch attribute(e, "rel") {
	case "enclosure":
		it.files = append(it.files, Resource{href, attribute(e, "type")})
	case "", "alternate":
		if href == "" && e.Name.Space == "" || e.Name.Space != atomSpace {
			it.link = cmp.Or(value, href, it.link)
		} else {
			it.link = cmp.Or(it.link, href)
		}
	}
}

const atomSpace = "http://www.w3.org/2005/Atom"

// authorName returns the name of an author in RSS: "a@example.org (Ann)" or "Ann". It
// returns no address.
func authorName(text string) string {
	if _, name, ok := strings.Cut(text, "("); ok && strings.Contains(text, "@") {
		text = strings.TrimSuffix(strings.TrimSpace(name), ")")
	}
	if strings.Contains(text, "@") {
		return ""
	}
	return text
}

// isMedia reports whether a namespace is that of Media RSS.
func isMedia(space string) bool {
	return space == "media" || strings.HasPrefix(space, "http://search.yahoo.com/mrss")
}

// addMedia adds the picture or the file of an element of Media RSS.
func (it *item) addMedia(e xml.StartElement) {
	address, kind := attribute(e, "url"), attribute(e, "type")
	switch {
	case address == "":
	case e.Name.Local == "thumbnail", e.Name.Local == "content" && (attribute(e, "medium") == "image" || strings.HasPrefix(kind, "image/")):
		set(&it.picture, address)
	case e.Name.Local == "content":
		it.files = append(it.files, Resource{address, kind})
	}
}

// attribute returns the value of an attribute, "" if it is absent.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if strings.EqualFold(a.Name.Local, name) {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}
