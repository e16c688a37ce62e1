package maintext

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"appliance/svc/translate/page"
)

// list appends a list. If its items contain blocks, it is only used for layout, and
// these blocks are appended instead.
func (b *builder) list(n *html.Node) {
	b.flush()
	if contains(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Table, atom.Pre, atom.Blockquote, atom.Figure, atom.Dl, atom.Article) {
		b.walk(n)
		b.flush()
		return
	}
	block, r, cut := Block{Type: "list", Ordered: n.DataAtom == atom.Ol}, &run{}, b.cut
	b.items(n, "", &block, r)
	if slices.ContainsFunc(block.Items, func(item string) bool { return len(item) > maxItem/2 }) && contains(n, atom.P, atom.Div, atom.Br) {
		b.cut = cut
		b.walk(n)
		b.flush()
		return
	}
	if len(block.Items) > 0 {
		b.add(block, r)
	}
	b.addImages(r)
}

// items appends the items of a list. Those of nested lists begin with a dash for each
// level.
func (b *builder) items(list *html.Node, prefix string, block *Block, r *run) {
	for li := list.FirstChild; li != nil; li = li.NextSibling {
		if li.Type != html.ElementNode {
			continue
		}
		if isList[li.DataAtom] { // not valid, but common
			b.items(li, prefix+"– ", block, r)
			continue
		}
		own := b.collect(li, atom.Ul, atom.Ol)
		text := page.Text(own.text.String(), maxItem)
		inner := prefix
		if r.images = append(r.images, own.images...); hasText(text) {
			if len(block.Items) == maxItems {
				b.cut = true
				return
			}
			block.Items = append(block.Items, prefix+text)
			r.links = append(r.links, own.links...)
			r.linked += own.linked
			inner += "– "
		}
		if len(prefix) < maxIndent {
			b.nestedItems(li, inner, block, r)
		}
	}
}

// maxIndent limits the dashes before an item, in bytes.
const maxIndent = 4 * len("– ")

var isList = atoms(atom.Ul, atom.Ol, atom.Menu, atom.Dir)

// nestedItems appends the items of the lists in an item.
func (b *builder) nestedItems(n *html.Node, prefix string, block *Block, r *run) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch {
		case k.Type != html.ElementNode:
		case isList[k.DataAtom]:
			b.items(k, prefix, block, r)
		default:
			b.nestedItems(k, prefix, block, r)
		}
	}
}

// definitions appends a definition list as a list of "term: definition".
func (b *builder) definitions(n *html.Node) {
	b.flush()
	if contains(n, atom.H2, atom.H3, atom.Table, atom.Pre, atom.Figure, atom.Dl) {
		b.walk(n)
		b.flush()
		return
	}
	block, r, term, used := Block{Type: "list"}, &run{}, "", true
	appendItem := func(text string) {
		if text == "" {
			return
		}
		if len(block.Items) == maxItems {
			b.cut = true
			return
		}
		block.Items = append(block.Items, text)
	}
	visit(n, func(k *html.Node) {
		if k.DataAtom != atom.Dt && k.DataAtom != atom.Dd {
			return
		}
		own := b.collect(k)
		text := page.Text(own.text.String(), maxItem/2)
		r.links, r.images, r.linked = append(r.links, own.links...), append(r.images, own.images...), r.linked+own.linked
		switch {
		case !hasText(text):
		case k.DataAtom == atom.Dt:
			if !used {
				appendItem(term)
			}
			term, used = strings.TrimRight(text, " :"), false
		case term != "":
			appendItem(term + ": " + text)
			used = true
		default:
			appendItem(text)
		}
	})
	if !used {
		appendItem(term)
	}
	if len(block.Items) > 0 {
		b.add(block, r)
	}
	b.addImages(r)
}

// table appends a table. For a table that is only used for layout, it appends the
// content.
func (b *builder) table(n *html.Node) {
	b.flush()
	if role := attr(n, "role"); role == "presentation" || role == "none" ||
		contains(n, atom.Table, atom.H1, atom.H2, atom.H3, atom.Pre, atom.Blockquote, atom.Figure) {
		b.walk(n)
		b.flush()
		return
	}
	block, r := Block{Type: "table"}, &run{}
	columns, headings, longest, cut := 0, 0, 0, b.cut
	eachRow(n, func(k *html.Node) {
		switch {
		case k.DataAtom == atom.Caption:
			block.Text = page.Text(b.collect(k).text.String(), maxCaption)
			return
		case len(block.Rows) == maxRows:
			b.cut = true
			return
		}
		row, head := b.row(k, r)
		if len(row) == 0 {
			return
		}
		if len(block.Rows) == 0 {
			headings = head
			block.Header = head == len(row)
		}
		columns = max(columns, len(row))
		for _, cell := range row {
			longest = max(longest, len(cell))
		}
		block.Rows = append(block.Rows, row)
	})
	if columns < 2 || longest > maxCell*3/4 || len(block.Rows) < 2 && headings == 0 && longest > maxCell/4 {
		b.cut = cut
		b.walk(n)
		b.flush()
		return
	}
	for i, row := range block.Rows {
		for len(row) < columns {
			row = append(row, "")
		}
		block.Rows[i] = row
	}
	b.add(block, r)
	b.addImages(r)
}

// eachRow calls do for the rows and the caption of a table.
func eachRow(table *html.Node, do func(n *html.Node)) {
	for k := table.FirstChild; k != nil; k = k.NextSibling {
		switch k.DataAtom {
		case atom.Tr, atom.Caption:
			do(k)
		case atom.Thead, atom.Tbody, atom.Tfoot:
			eachRow(k, do)
		}
	}
}

// row returns the cells of a row, nil if none has text, and the number of heading
// cells.
func (b *builder) row(tr *html.Node, r *run) (cells []string, headings int) {
	filled := false
	for k := tr.FirstChild; k != nil; k = k.NextSibling {
		if k.DataAtom != atom.Td && k.DataAtom != atom.Th {
			continue
		}
		if len(cells) == maxColumns {
			b.cut = true
			break
		}
		own := b.collect(k)
		text := page.Text(own.text.String(), maxCell)
		filled = filled || hasText(text)
		cells = append(cells, text)
		if k.DataAtom == atom.Th {
			headings++
		}
		r.links, r.images, r.linked = append(r.links, own.links...), append(r.images, own.images...), r.linked+own.linked
	}
	if !filled {
		return nil, 0
	}
	return cells, headings
}
