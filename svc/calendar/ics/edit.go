package ics

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-ical"
)

// Document is iCalendar text as a tree of its lines, for changing some of them.
// Every line that is not changed keeps its octets, with its own line ending and
// its own folds.
type Document struct {
	Calendar *Block // the VCALENDAR

	components    []*Block // the components in it as they were read
	before, after []byte   // blank lines around it
}

// Block is a component in a document: the lines from its BEGIN to its END.
type Block struct {
	Name string

	begin, end []byte
	items      []item
	newline    string // what new lines end with
}

// item is a line, or a component, inside a block.
type item struct {
	name  string // of the property; "" for a blank line and for a component
	raw   []byte
	block *Block
}

// line returns the parts of a line, which has been read before, or printed.
func (it *item) line() contentLine {
	l := contentLine{text: unfold(it.raw)}
	l.parse()
	return l
}

// NewDocument returns an empty VCALENDAR that names who made it (RFC 5545
// §3.7.3).
func NewDocument(prodID string) *Document {
	d := &Document{Calendar: newBlock("VCALENDAR", "\r\n")}
	d.Calendar.Add(ical.Prop{Name: "VERSION", Value: "2.0"})
	d.Calendar.Add(TextProp("PRODID", prodID))
	return d
}

// ParseDocument reads iCalendar text. It asks less of it than [Parse]: the lines
// must be well formed and the components closed.
func ParseDocument(raw []byte) (*Document, error) { return readDocument(raw, objectLimits) }

func readDocument(raw []byte, limit limits) (*Document, error) {
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

// Edit returns the lines of the object, to make another object of them.
func (o *Object) Edit() *Document {
	d, err := ParseDocument(o.Raw)
	if err != nil {
		panic(err) // Parse has read the same octets
	}
	return d
}

// Block returns the lines of c, a component of the object that d was made from,
// whatever has been added or removed since.
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

// writeOpen writes all of it but its end.
func (b *Block) writeOpen(buf *bytes.Buffer) {
	buf.Write(b.begin)
	for _, it := range b.items {
		if it.block != nil {
			it.block.write(buf)
		}
		buf.Write(it.raw)
	}
}

// size returns how many octets the component has.
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

// lineEnding returns what a line ends with: a lone line feed if it does, else
// what RFC 5545 wants.
func lineEnding(raw []byte) string {
	if bytes.HasSuffix(raw, []byte("\n")) && !bytes.HasSuffix(raw, []byte("\r\n")) {
		return "\n"
	}
	return "\r\n"
}

// Value returns the first value of a property as it is written, "" if it is
// absent.
func (b *Block) Value(name string) string {
	i := b.find(name)
	if i < 0 {
		return ""
	}
	return string(b.items[i].line().value)
}

func (b *Block) find(name string) int {
	name = strings.ToUpper(name)
	return slices.IndexFunc(b.items, func(it item) bool { return it.block == nil && it.name == name })
}

// Set makes p the only property of its name. It takes the place of the first
// one that was there.
func (b *Block) Set(p ical.Prop) {
	i := b.find(p.Name)
	if i < 0 {
		b.Add(p)
		return
	}
	it := b.newItem(p)
	b.items[i] = it
	rest := slices.DeleteFunc(b.items[i+1:], func(other item) bool { return other.block == nil && other.name == it.name })
	b.items = b.items[:i+1+len(rest)]
}

// Add adds p after the properties that are there.
func (b *Block) Add(p ical.Prop) {
	b.items = slices.Insert(b.items, b.firstBlockIndex(), b.newItem(p))
}

// firstBlockIndex returns where in the items the components begin.
func (b *Block) firstBlockIndex() int {
	i := slices.IndexFunc(b.items, func(it item) bool { return it.block != nil })
	if i < 0 {
		return len(b.items)
	}
	return i
}

// Remove takes out all properties of the names.
func (b *Block) Remove(names ...string) {
	b.items = slices.DeleteFunc(b.items, func(it item) bool {
		return it.block == nil && it.name != "" && slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, it.name) })
	})
}

func (b *Block) newItem(p ical.Prop) item {
	return item{name: strings.ToUpper(p.Name), raw: formatLine(p, b.newline)}
}

// Blocks returns the components inside b of the names, or all.
func (b *Block) Blocks(names ...string) []*Block {
	var list []*Block
	for _, it := range b.items {
		if it.block != nil && (len(names) == 0 || slices.Contains(names, it.block.Name)) {
			list = append(list, it.block)
		}
	}
	return list
}

// NewBlock adds an empty component and returns it.
func (b *Block) NewBlock(name string) *Block {
	child := newBlock(name, b.newline)
	b.AppendBlock(child)
	return child
}

// AppendBlock adds a component after those that are there.
func (b *Block) AppendBlock(child *Block) { b.items = append(b.items, item{block: child}) }

// RemoveBlocks takes out the components children.
func (b *Block) RemoveBlocks(children ...*Block) {
	out := make(map[*Block]bool, len(children))
	for _, child := range children {
		out[child] = true
	}
	b.items = slices.DeleteFunc(b.items, func(it item) bool { return out[it.block] })
}

// Clone returns a copy that shares no line with b.
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

// RefoldUTF8 returns the text with the lines folded anew that a client folded inside
// a UTF-8 sequence, so that the octets can travel in XML. There are hardly ever
// any; then it returns raw itself.
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
