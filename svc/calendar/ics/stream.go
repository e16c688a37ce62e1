package ics

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// Limits of a whole calendar. Of its entries, none is in memory but the one
// that is looked at.
const (
	maxHead        = 4 << 10   // octets of a line that says something of a component or the calendar
	maxZone        = 256 << 10 // octets of a VTIMEZONE
	maxStoredZones = 1000
	maxOpen        = 32 // components within components
)

// Stream is a whole calendar as programs export them, with any number of
// entries in one VCALENDAR, or in several one after the other.
type Stream struct {
	Name  string // as programs call it (RFC 7986 §5.1, or X-WR-CALNAME)
	Color string // as it is written (RFC 7986 §5.9, or X-APPLE-CALENDAR-COLOR)

	source  io.ReaderAt
	prodID  string
	scale   string // CALSCALE
	zones   map[string]extent
	entries []*entryParts
	byUID   map[[2]string]*entryParts
}

// entryParts is where the components of one entry are.
type entryParts struct {
	kind, uid string
	line      int // of the first one
	parts     []extent
}

// extent is a piece of the source.
type extent struct{ at, size int64 }

// Entry is one entry of a collection, for [Parse] to judge.
type Entry struct {
	Component string // VEVENT, …
	UID       string // "" if it has none
	Line      int    // where it begins
	Text      []byte // a calendar object resource, with the VTIMEZONEs that it needs
	Err       error  // why there is no Text
}

// ReadStream looks through a whole calendar of any size. progress, unless
// it is nil, hears how far it is. An error is an [*Error] or comes from the
// source.
func ReadStream(source io.ReaderAt, size int64, progress func(done, total int64)) (*Stream, error) {
	c := &Stream{source: source, zones: make(map[string]extent), byUID: make(map[[2]string]*entryParts)}
	r := streamReader{Stream: c, in: bufio.NewReaderSize(io.NewSectionReader(source, 0, size), 64<<10)}
	for next := int64(0); ; {
		more, err := r.next()
		if err != nil {
			return nil, err
		}
		if progress != nil && (r.at >= next || !more) {
			progress(r.at, size)
			next = r.at + 1<<20
		}
		if !more {
			break
		}
	}
	switch {
	case len(r.open) > 0:
		return nil, invalidData("%s is not closed; the text may have been cut off.", r.open[len(r.open)-1])
	case !r.begun:
		return nil, invalidData("There is no VCALENDAR in the text.")
	}
	return c, nil
}

// streamReader reads line by line.
type streamReader struct {
	*Stream
	in    *bufio.Reader
	at    int64 // octets that were read
	line  int   // lines
	begun bool
	open  []string

	// The component of the calendar that is open.
	start int64
	first int // line
	id    string
}

// next reads one content line, with its folds.
func (r *streamReader) next() (more bool, err error) {
	begin := r.at
	r.line++
	number := r.line
	head, err := r.appendLine(nil)
	for err == nil {
		var peek []byte
		if peek, err = r.in.Peek(1); err != nil || peek[0] != ' ' && peek[0] != '\t' {
			break
		}
		r.line++
		head, err = r.appendLine(head)
	}
	if err != nil && err != io.EOF {
		return false, err
	}
	text := bytes.TrimPrefix(unfold(head), []byte("\ufeff"))
	if problem := r.readLine(text, begin, number); problem != "" {
		return false, invalidData("Line %d %s.", number, problem)
	}
	return err == nil, nil
}

// appendLine appends a line of the text to head, as far as there is room.
func (r *streamReader) appendLine(head []byte) ([]byte, error) {
	for {
		part, err := r.in.ReadSlice('\n')
		r.at += int64(len(part))
		head = append(head, part[:min(len(part), max(0, maxHead-len(head)))]...)
		if err != bufio.ErrBufferFull {
			return head, err
		}
	}
}

// readLine notes what a content line says of where things are.
func (r *streamReader) readLine(text []byte, begin int64, number int) (problem string) {
	head, value, _ := bytes.Cut(text, []byte{':'})
	name, _, _ := bytes.Cut(head, []byte{';'})
	word := strings.ToUpper(string(bytes.TrimSpace(value)))
	switch strings.ToUpper(string(name)) {
	case "BEGIN":
		return r.begin(word, begin, number)
	case "END":
		return r.end(word)
	case "UID", "TZID":
		if len(r.open) == 2 && r.id == "" {
			r.id = unescapeText(string(value))
		}
	case "PRODID":
		if len(r.open) == 1 && r.prodID == "" {
			r.prodID = unescapeText(string(value))
		}
	case "CALSCALE":
		if len(r.open) == 1 && r.scale == "" {
			r.scale = unescapeText(string(value))
		}
	case "NAME", "X-WR-CALNAME":
		if len(r.open) == 1 && r.Name == "" {
			r.Name = unescapeText(string(value))
		}
	case "COLOR", "X-APPLE-CALENDAR-COLOR":
		if len(r.open) == 1 && r.Color == "" {
			r.Color = string(value)
		}
	}
	return ""
}

func (r *streamReader) begin(word string, begin int64, number int) (problem string) {
	switch {
	case len(r.open) == 0 && word != "VCALENDAR":
		return "begins something other than a VCALENDAR"
	case len(r.open) == maxOpen:
		return fmt.Sprintf("nests components more than %d deep", maxOpen)
	}
	if len(r.open) == 1 {
		r.start, r.first, r.id = begin, number, ""
	}
	r.begun = true
	r.open = append(r.open, word)
	return ""
}

func (r *streamReader) end(word string) (problem string) {
	if len(r.open) == 0 || r.open[len(r.open)-1] != word {
		return fmt.Sprintf("ends %.40q, which is not open", word)
	}
	r.open = r.open[:len(r.open)-1]
	if len(r.open) != 1 {
		return ""
	}
	part := extent{r.start, r.at - r.start}
	if word == "VTIMEZONE" {
		if part.size <= maxZone && len(r.zones) < maxStoredZones {
			r.zones[r.id] = part
		}
		return ""
	}
	key := [2]string{word, r.id}
	g := r.byUID[key]
	if g == nil || r.id == "" { // who has no UID stands alone
		g = &entryParts{kind: word, uid: r.id, line: r.first}
		r.byUID[key] = g
		r.entries = append(r.entries, g)
	}
	g.parts = append(g.parts, part)
	return ""
}

// Entries yields the entries in the order of the text. Components with one UID
// are one entry, wherever they stand.
func (c *Stream) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, g := range c.entries {
			one := Entry{Component: g.kind, UID: g.uid, Line: g.line}
			one.Text, one.Err = c.entryText(g)
			if !yield(one) {
				return
			}
		}
	}
}

// entryText makes a calendar object resource of an entry.
func (c *Stream) entryText(g *entryParts) ([]byte, error) {
	var size int64
	for _, p := range g.parts {
		size += p.size
	}
	if size > MaxSize {
		return nil, &Error{CondMaxResourceSize, fmt.Sprintf("It has %d octets; %d is the most that is accepted.", size, MaxSize)}
	}
	d := NewDocument(cmp.Or(c.prodID, "-//unknown//EN"))
	if c.scale != "" {
		d.Calendar.Add(TextProp("CALSCALE", c.scale))
	}
	text := d.Bytes()
	end := len("END:VCALENDAR\r\n")
	text = text[:len(text)-end]
	head := len(text)
	for _, p := range g.parts {
		var err error
		if text, err = c.appendExtent(text, p); err != nil {
			return nil, err
		}
	}
	text = append(text, "END:VCALENDAR\r\n"...)
	parts, err := ParseDocument(text)
	var bad *Error
	if errors.As(err, &bad) { // whoever parses it is told
		return text, nil
	}
	var zones []byte
	explained := make(map[string]bool)
	for tzid := range parts.Calendar.tzids() {
		if zone, ok := c.zones[tzid]; ok && !explained[tzid] {
			explained[tzid] = true
			if zones, err = c.appendExtent(zones, zone); err != nil {
				return nil, err
			}
		}
	}
	return slices.Insert(text, head, zones...), nil
}

// appendExtent appends a piece of the source to text.
func (c *Stream) appendExtent(text []byte, p extent) ([]byte, error) {
	begin := len(text)
	text = append(text, make([]byte, p.size)...)
	if _, err := c.source.ReadAt(text[begin:], p.at); err != nil && err != io.EOF {
		return nil, err
	}
	if text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return text, nil
}

// tzids yields the TZIDs that the lines of b name.
func (b *Block) tzids() iter.Seq[string] {
	const param = ";TZID="
	return func(yield func(string) bool) {
		for _, it := range b.items {
			if it.block != nil {
				for tzid := range it.block.tzids() {
					if !yield(tzid) {
						return
					}
				}
			}
			text := unfold(it.raw)
			if i := bytes.Index(text, []byte(param)); i >= 0 {
				begin, end, _ := paramValue(text, i+len(param))
				if end >= 0 && !yield(decodeParam(string(text[begin:end]))) {
					return
				}
			}
		}
	}
}
