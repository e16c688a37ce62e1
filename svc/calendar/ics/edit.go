package ics

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-ical"
)

// Document is iCalendar text as an editable tree of lines. A line that is not
// edited keeps its octets, including its line ending and folds.
type Document struct {
	Calendar *Block // the VCALENDAR

	components    []*Block // the components of the VCALENDAR as they were parsed
	before, after []byte   // blank lines around the VCALENDAR
}

// Block is a component of a Document: the lines from its BEGIN to its END.
type Block struct {
	Name string

	begin, end []byte
	items      []item
	newline    string // line ending of new lines
}

// item is a line or a component in a Block.
type item struct {
	name  string // of the property; "" for a blank line or a component
	raw   []byte
	block *Block
}

// line parses the line, which is well-formed: it was parsed before or formatted
// here.
func (it *item) line() contentLine {
	l := contentLine{text: unfold(it.raw)}
	l.parse()
	return l
}

// NewDocument returns an empty VCALENDAR with the PRODID (RFC 5545 §3.7.3).
func NewDocument(prodID string) *Document {
	d := &Document{Calendar: newBlock("VCALENDAR", "\r\n")}
	d.Calendar.Add(ical.Prop{Name: "VERSION", Value: "2.0"})
	d.Calendar.Add(TextProp("PRODID", prodID))
	return d
}

// ParseDocument parses iCalendar text. Unlike [Parse], it only requires
// well-formed lines and properly nested components.
func ParseDocument(raw []byte) (*Document, error) { return parseDocument(raw, objectLimits) }

func parseDocument(raw []byte, limit limits) (*Document, error) {
	d := new(Document)
	var open []*Block
	err := scan(raw, limit, func(line contentLine) {
		switch line.name {
		case "BEGIN":
			b := &Block{Name: line.component, begin: line.raw, newline: lineEnding(line.raw)}
			if len(open) == 0 {
				d.Calendar = b
			} else {
				open[len(open)-1].AppendBlock(b)
			}
			open = append(open, b)
		case "END":
			open[len(open)-1].end = line.raw
			open = open[:len(open)-1]
		default:
			switch {
			case len(open) > 0:
				b := open[len(open)-1]
				b.items = append(b.items, item{name: line.name, raw: line.raw})
			case d.Calendar == nil:
				d.before = append(d.before, line.raw...)
			default:
				d.after = append(d.after, line.raw...)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	d.components = d.Calendar.Blocks()
	return d, nil
}

// Edit returns a Document with the lines of the object.
func (o *Object) Edit() *Document {
	d, err := ParseDocument(o.Raw)
	if err != nil {
		panic(err) // Parse accepted the same octets
	}
	return d
}

// Block returns the lines of c, a component of the object for which
// [Object.Edit] returned d. It also finds them after components have been added
// or removed.
func (d *Document) Block(c *Component) *Block { return d.components[c.index] }

// Bytes returns the text.
func (d *Document) Bytes() []byte {
	var buf bytes.Buffer
	buf.Grow(len(d.before) + d.Calendar.size() + len(d.after))
	buf.Write(d.before)
	d.Calendar.write(&buf)
	buf.Write(d.after)
	return buf.Bytes()
}

func (b *Block) write(buf *bytes.Buffer) {
	b.writeOpen(buf)
	buf.Write(b.end)
}

// writeOpen writes everything but the END line.
func (b *Block) writeOpen(buf *bytes.Buffer) {
	buf.Write(b.begin)
	for _, it := range b.items {
		if it.block != nil {
			it.block.write(buf)
		}
		buf.Write(it.raw)
	}
}

// size returns the length of the text in octets.
func (b *Block) size() int {
	n := len(b.begin) + len(b.end)
	for _, it := range b.items {
		n += len(it.raw)
		if it.block != nil {
			n += it.block.size()
		}
	}
	return n
}

func newBlock(name, newline string) *Block {
	return &Block{
		Name:    name,
		begin:   []byte("BEGIN:" + name + newline),
		end:     []byte("END:" + name + newline),
		newline: newline,
	}
}

// lineEnding returns "\n" if the line ends with a lone line feed, otherwise
// "\r\n" (RFC 5545 §3.1).
func lineEnding(raw []byte) string {
	if bytes.HasSuffix(raw, []byte("\n")) && !bytes.HasSuffix(raw, []byte("\r\n")) {
		return "\n"
	}
	return "\r\n"
}

// Value returns the value of the first property with that name, still escaped;
// "" if there is none.
func (b *Block) Value(name string) string {
	i, ok := b.find(name)
	if !ok {
		return ""
	}
	return string(b.items[i].line().value)
}

// Text is like Value, but returns the decoded value of a TEXT property.
func (b *Block) Text(name string) string { return unescapeText(b.Value(name)) }

// find returns the index of the first property with that name.
func (b *Block) find(name string) (i int, ok bool) {
	name = strings.ToUpper(name)
	i = slices.IndexFunc(b.items, func(it item) bool { return it.block == nil && it.name == name })
	return i, i >= 0
}

// Set replaces all properties with the name of p by p, at the position of the
// first one.
func (b *Block) Set(p ical.Prop) {
	i, ok := b.find(p.Name)
	if !ok {
		b.Add(p)
		return
	}
	it := b.newItem(p)
	b.items[i] = it
	rest := slices.DeleteFunc(b.items[i+1:], func(other item) bool { return other.block == nil && other.name == it.name })
	b.items = b.items[:i+1+len(rest)]
}

// SetParam sets a parameter of the first property with a name, and keeps its value and
// its other parameters. It does nothing if there is no such property, or if the
// parameter has that value.
func (b *Block) SetParam(property, name, value string) {
	i, ok := b.find(property)
	if !ok {
		return
	}
	line := b.items[i].line()
	p := ical.Prop{Name: line.name, Params: ical.Params{}, Value: string(line.value)}
	for _, param := range line.params {
		p.Params.Add(upperName(param.name), decodeParam(string(param.value)))
	}
	if !strings.EqualFold(p.Params.Get(name), value) {
		p.Params.Set(name, value)
		b.items[i] = b.newItem(p)
	}
}

// Add adds p after the existing properties.
func (b *Block) Add(p ical.Prop) {
	b.items = slices.Insert(b.items, b.firstBlockIndex(), b.newItem(p))
}

// firstBlockIndex returns the index of the first component in the items, or
// their number if there is none.
func (b *Block) firstBlockIndex() int {
	i := slices.IndexFunc(b.items, func(it item) bool { return it.block != nil })
	if i < 0 {
		return len(b.items)
	}
	return i
}

// Remove removes all properties with these names.
func (b *Block) Remove(names ...string) {
	b.items = slices.DeleteFunc(b.items, func(it item) bool {
		return it.block == nil && it.name != "" && slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, it.name) })
	})
}

// RemoveFunc removes all properties for which remove returns true.
func (b *Block) RemoveFunc(remove func(p ical.Prop) bool) {
	b.items = slices.DeleteFunc(b.items, func(it item) bool {
		if it.block != nil || it.name == "" {
			return false
		}
		line := it.line()
		return remove(line.prop())
	})
}

func (b *Block) newItem(p ical.Prop) item {
	return item{name: strings.ToUpper(p.Name), raw: formatLine(p, b.newline)}
}

// Blocks returns the direct subcomponents with these names, or all if no name
// is given.
func (b *Block) Blocks(names ...string) []*Block {
	var list []*Block
	for _, it := range b.items {
		if it.block != nil && (len(names) == 0 || slices.Contains(names, it.block.Name)) {
			list = append(list, it.block)
		}
	}
	return list
}

// NewBlock adds an empty subcomponent and returns it.
func (b *Block) NewBlock(name string) *Block {
	child := newBlock(name, b.newline)
	b.AppendBlock(child)
	return child
}

// AppendBlock adds a subcomponent after the existing ones.
func (b *Block) AppendBlock(child *Block) { b.items = append(b.items, item{block: child}) }

// RemoveBlocks removes these subcomponents.
func (b *Block) RemoveBlocks(children ...*Block) {
	out := make(map[*Block]bool, len(children))
	for _, child := range children {
		out[child] = true
	}
	b.items = slices.DeleteFunc(b.items, func(it item) bool { return out[it.block] })
}

// Clone returns a deep copy.
func (b *Block) Clone() *Block {
	c := *b
	c.items = slices.Clone(b.items)
	for i, it := range c.items {
		if it.block != nil {
			c.items[i].block = it.block.Clone()
		}
	}
	return &c
}

// RefoldUTF8 returns the text with new folds in those lines that a client
// folded inside a UTF-8 sequence, so that it is valid UTF-8 and can be part of
// an XML document. If there are none, it returns raw itself.
func RefoldUTF8(raw []byte) []byte {
	if utf8.Valid(raw) {
		return raw
	}
	out := make([]byte, 0, len(raw)+len(raw)/20)
	for rest := raw; len(rest) > 0; {
		var line []byte
		if line, rest = cutLine(rest); !utf8.Valid(line) {
			line = fold(string(unfold(line)), lineEnding(line))
		}
		out = append(out, line...)
	}
	return out
}
