package maintext

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"appliance/svc/translate/page"
)

// Limits of a text.
const (
	maxText      = 48 << 10 // bytes of all blocks
	maxBlocks    = 1000
	maxParagraph = 8 << 10 // bytes; also of a quote
	maxHeading   = 300     // bytes
	maxCode      = 8 << 10 // bytes
	maxItems     = 200
	maxItem      = 1000 // bytes
	maxRows      = 100
	maxColumns   = 12
	maxCell      = 400 // bytes
	maxCaption   = 500 // bytes
	maxImages    = 40  // in blocks
	maxLinks     = 100
	maxRawBlocks = 4 * maxBlocks // blocks before the filter
	maxRawText   = 2 * maxText   // bytes of text in them
)

// builder turns elements into blocks.
type builder struct {
	page      *page.Page
	rawBlocks []rawBlock
	pending   run // text since the last block
	flushes   int // calls of flush
	inLink    bool
	built     int  // bytes of text in rawBlocks
	visited   int  // nodes visited by collectInto
	cut       bool // blocks have been left out
}

// rawBlock is a block before the filter, with the data by which the filter recognizes
// navigation.
type rawBlock struct {
	Block
	links  []Block
	linked int // bytes of text in links
	length int // bytes of text
}

// walk appends the blocks below an element.
func (b *builder) walk(n *html.Node) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			b.pending.write(k.Data, b.inLink)
		case html.ElementNode:
			b.element(k)
		}
	}
}

// isFull reports whether further blocks would be left out.
func (b *builder) isFull() bool { return len(b.rawBlocks) >= maxRawBlocks || b.built >= maxRawText }

func (b *builder) element(n *html.Node) {
	if b.isFull() {
		b.cut = true
		return
	}
	if droppedElements[n.DataAtom] || n.DataAtom == atom.Noscript {
		return
	}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		b.heading(n)
	case atom.Br:
		b.pending.write(lineBreak, false)
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		b.list(n)
	case atom.Dl:
		b.definitions(n)
	case atom.Table:
		b.table(n)
	case atom.Blockquote:
		b.quote(n)
	case atom.Pre:
		b.code(n)
	case atom.Figure:
		b.figure(n)
	case atom.Picture:
		b.picture(n)
	case atom.Img:
		b.image(n)
	case atom.A:
		b.link(n)
	default:
		if n.Data == "amp-img" {
			b.image(n)
			return
		}
		if isBlock[n.DataAtom] {
			b.flush()
		}
		b.walk(n)
		if isBlock[n.DataAtom] {
			b.flush()
		}
	}
}

// add appends a block with the links and images of its text.
func (b *builder) add(block Block, r *run) {
	if b.isFull() {
		b.cut = true
		return
	}
	p := rawBlock{Block: block, length: textSize(block)}
	b.built += p.length
	if r != nil {
		p.links, p.linked = r.links, r.linked
	}
	b.rawBlocks = append(b.rawBlocks, p)
}

// addImages appends a block for each image of a text.
func (b *builder) addImages(r *run) {
	for _, i := range r.images {
		b.add(Block{Type: "image", Text: i.Caption, Image: i}, nil)
	}
}

// flush appends the pending text as paragraphs. Empty lines separate them.
func (b *builder) flush() {
	b.flushes++
	r := b.pending
	if r.text.Len() == 0 && len(r.images) == 0 {
		return
	}
	b.pending = run{}
	var texts []string
	for _, part := range splitParagraphs(r.text.String()) {
		if text := page.Text(part, maxParagraph); hasText(text) {
			texts = append(texts, text)
			b.cut = b.cut || len(part) > maxParagraph && len(text) > maxParagraph*9/10
		}
	}
	for i, text := range texts {
		block, own := Block{Type: "paragraph", Text: text}, &run{}
		if len(texts) == 1 && len(r.links) == 1 && r.links[0].Text == text {
			block = r.links[0]
		}
		if len(texts) == 1 {
			own = &r
		} else if i == 0 {
			own.links = r.links
		}
		if r.linked*10 >= r.text.Len()*9 && len(texts) > 1 {
			own.linked = len(text)
		}
		b.add(block, own)
	}
	b.addImages(&r)
}

// splitParagraphs splits a text at two or more line breaks.
func splitParagraphs(text string) (parts []string) {
	if !strings.Contains(text, lineBreak) {
		return []string{text}
	}
	start := 0
	lines := strings.Split(text, lineBreak)
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			parts = append(parts, strings.Join(lines[start:i], " "))
			start = i + 1
		}
	}
	return append(parts, strings.Join(lines[start:], " "))
}

// hasText reports whether a text has a letter or a digit.
func hasText(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// collect returns the text below an element, see collectInto.
func (b *builder) collect(n *html.Node, skip ...atom.Atom) *run {
	r := &run{}
	b.collectInto(r, n, b.inLink, skip...)
	return r
}

func (b *builder) heading(n *html.Node) {
	b.flush()
	r := b.collect(n)
	if text := page.Text(r.text.String(), maxHeading); hasText(text) {
		b.add(Block{Type: "heading", Text: text, Level: max(2, int(n.Data[1]-'0'))}, r)
	}
	b.addImages(r)
}

func (b *builder) quote(n *html.Node) {
	if contains(n, atom.Table, atom.Pre, atom.Ul, atom.Ol, atom.H2, atom.H3) {
		b.flush()
		b.walk(n)
		b.flush()
		return
	}
	b.flush()
	r := b.collect(n)
	var lines []string
	rest := maxParagraph
	for part := range strings.SplitSeq(r.text.String(), lineBreak) {
		if line := page.Text(part, rest); line != "" {
			lines = append(lines, line)
			rest = max(0, rest-len(line)-1)
		}
	}
	if text := strings.Join(lines, "\n"); hasText(text) {
		b.add(Block{Type: "quote", Text: text}, r)
	}
	b.addImages(r)
}

func (b *builder) code(n *html.Node) {
	b.flush()
	r := b.collect(n)
	if text := page.Code(strings.ReplaceAll(r.text.String(), lineBreak, "\n"), maxCode); text != "" {
		b.add(Block{Type: "code", Text: text}, nil)
	}
}

// link appends a link, which may contain blocks.
func (b *builder) link(n *html.Node) {
	flushes, start, outer := b.flushes, b.pending.text.Len(), b.inLink
	b.inLink = true
	b.walk(n)
	b.inLink = outer
	if b.flushes == flushes {
		b.pending.addLink(b.page, n, b.pending.text.String()[start:])
		return
	}
	r := &run{}
	b.collectInto(r, n, true)
	b.pending.addLink(b.page, n, r.text.String())
	if last := len(b.rawBlocks) - 1; last >= 0 { // the link belongs to the block before
		b.rawBlocks[last].links = append(b.rawBlocks[last].links, b.pending.links...)
		b.pending.links = nil
	}
}

// textSize returns the length of the text of a block in bytes.
func textSize(b Block) int {
	size := len(b.Text)
	for _, item := range b.Items {
		size += len(item)
	}
	for _, row := range b.Rows {
		for _, cell := range row {
			size += len(cell)
		}
	}
	if b.Image != nil && b.Text == "" {
		size += len(b.Image.Caption)
	}
	return size
}
