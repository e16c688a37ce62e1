package ics

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// Limits of a Stream. At most one entry is in memory at a time.
const (
	maxHead        = 4 << 10   // octets of a property that is read while indexing
	maxZone        = 256 << 10 // octets of a VTIMEZONE
	maxStoredZones = 1000
	maxOpen        = 32 // nested components

	// maxComponents limits the components in all VCALENDARs, and so the memory of the
	// index to about 50 MB. A member may store fewer objects.
	maxComponents = 250_000
)

// Stream is an index of a whole calendar as programs export it: any number of
// entries in one VCALENDAR, or in several consecutive ones (RFC 5545 §3.4).
type Stream struct {
	Name  string // NAME (RFC 7986 §5.1) or X-WR-CALNAME
	Color string // COLOR (RFC 7986 §5.9) or X-APPLE-CALENDAR-COLOR, as written

	source  io.ReaderAt
	prodID  string
	scale   string            // CALSCALE
	zones   map[string]extent // the first VTIMEZONE of each TZID, for entries whose VCALENDAR has none
	entries []*entryParts
	byUID   map[[2]string]*entryParts // by component name and UID
}

// entryParts is the location of the components of one entry.
type entryParts struct {
	component, uid string
	line           int // of the first component
	parts          []extent
	zones          *calendarZones // of the VCALENDAR of the first component
}

// calendarZones are the VTIMEZONEs of one VCALENDAR. The next one may have others with
// the same TZIDs.
type calendarZones struct {
	tzids   []string
	extents []extent
}

// find returns the first VTIMEZONE of a TZID.
func (z *calendarZones) find(tzid string) (extent, bool) {
	i := slices.Index(z.tzids, tzid)
	if i < 0 {
		return extent{}, false
	}
	return z.extents[i], true
}

// extent is a range of octets of the source.
type extent struct{ offset, size int64 }

// Entry is a calendar object of a Stream. Its text is not validated; [Parse]
// does that.
type Entry struct {
	Component string // name, such as VEVENT
	UID       string // "" if it has none
	Line      int    // number of its first line
	Text      []byte // a calendar object resource, with the VTIMEZONEs that it refers to
	Err       error  // why Text is nil
}

// ReadStream indexes a calendar of any size. If progress is not nil, it is called
// with the number of octets read so far. The error is an [*Error] or comes from
// the source.
func ReadStream(source io.ReaderAt, size int64, progress func(done, total int64)) (*Stream, error) {
	s := &Stream{source: source, zones: make(map[string]extent), byUID: make(map[[2]string]*entryParts)}
	r := streamReader{Stream: s, in: bufio.NewReaderSize(io.NewSectionReader(source, 0, size), 64<<10)}
	for next := int64(0); ; {
		more, err := r.next()
		if err != nil {
			return nil, err
		}
		if progress != nil && (r.offset >= next || !more) {
			progress(r.offset, size)
			next = r.offset + 1<<20
		}
		if !more {
			break
		}
	}
	switch {
	case len(r.open) > 0:
		return nil, invalidData("%s has no END line; the text may be truncated.", r.open[len(r.open)-1])
	case !r.begun:
		return nil, invalidData("The text contains no VCALENDAR.")
	}
	return s, nil
}

// streamReader builds a Stream line by line.
type streamReader struct {
	*Stream
	in     *bufio.Reader
	offset int64 // octets read so far
	line   int   // physical lines read so far
	begun  bool

	components int      // completed components of VCALENDARs
	open       []string // names of the open components, outermost first

	zones *calendarZones // of the open VCALENDAR

	// The open component of the VCALENDAR.
	start     int64  // offset of its BEGIN
	firstLine int    // line of its BEGIN
	id        string // its UID or TZID
}

// next reads one content line. It returns false at the end of the source.
func (r *streamReader) next() (more bool, err error) {
	begin := r.offset
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

// appendLine reads a physical line and appends it to head, which it limits to
// maxHead octets.
func (r *streamReader) appendLine(head []byte) ([]byte, error) {
	for {
		part, err := r.in.ReadSlice('\n')
		r.offset += int64(len(part))
		head = append(head, part[:min(len(part), max(0, maxHead-len(head)))]...)
		if err != bufio.ErrBufferFull {
			return head, err
		}
	}
}

// readLine evaluates the content line that begins at the offset begin. It returns
// the problem of an invalid line, "" for a valid one.
func (r *streamReader) readLine(text []byte, begin int64, number int) (problem string) {
	head, value, _ := bytes.Cut(text, []byte{':'})
	name, _, _ := bytes.Cut(head, []byte{';'})
	switch strings.ToUpper(string(name)) {
	case "BEGIN":
		return r.begin(strings.ToUpper(string(bytes.TrimSpace(value))), begin, number)
	case "END":
		return r.end(strings.ToUpper(string(bytes.TrimSpace(value))))
	case "UID", "TZID":
		r.setFirst(&r.id, 2, unescapeText(string(value)))
	case "PRODID":
		r.setFirst(&r.prodID, 1, unescapeText(string(value)))
	case "CALSCALE":
		r.setFirst(&r.scale, 1, unescapeText(string(value)))
	case "NAME", "X-WR-CALNAME":
		r.setFirst(&r.Name, 1, unescapeText(string(value)))
	case "COLOR", "X-APPLE-CALENDAR-COLOR":
		r.setFirst(&r.Color, 1, string(value))
	}
	return ""
}

// setFirst sets *into to value if *into is empty and the current line is at
// that depth of nesting.
func (r *streamReader) setFirst(into *string, depth int, value string) {
	if len(r.open) == depth && *into == "" {
		*into = value
	}
}

func (r *streamReader) begin(component string, offset int64, number int) (problem string) {
	switch {
	case len(r.open) == 0 && component != "VCALENDAR":
		return "begins a component other than VCALENDAR"
	case len(r.open) == maxOpen:
		return fmt.Sprintf("nests components more than %d deep", maxOpen)
	}
	switch len(r.open) {
	case 0:
		r.zones = new(calendarZones)
	case 1:
		r.start, r.firstLine, r.id = offset, number, ""
	}
	r.begun = true
	r.open = append(r.open, component)
	return ""
}

func (r *streamReader) end(component string) (problem string) {
	if len(r.open) == 0 || r.open[len(r.open)-1] != component {
		return fmt.Sprintf("ends %.40q, which is not the open component", component)
	}
	r.open = r.open[:len(r.open)-1]
	if len(r.open) == 1 {
		if r.components++; r.components > maxComponents {
			return fmt.Sprintf("ends component %d; the maximum is %d", r.components, maxComponents)
		}
		r.addPart(component, extent{r.start, r.offset - r.start})
	}
	return ""
}

// addPart records a component of a VCALENDAR as a time zone or as a part of an
// entry.
func (r *streamReader) addPart(component string, part extent) {
	if component == "VTIMEZONE" {
		r.addZone(part)
		return
	}
	key := [2]string{component, r.id}
	e := r.byUID[key]
	if e == nil || r.id == "" { // components without UID are entries of their own
		e = &entryParts{component: component, uid: r.id, line: r.firstLine, zones: r.zones}
		r.byUID[key] = e
		r.entries = append(r.entries, e)
	}
	e.parts = append(e.parts, part)
}

// addZone records a VTIMEZONE of the open VCALENDAR.
func (r *streamReader) addZone(part extent) {
	if part.size > maxZone {
		return
	}
	if z := r.zones; len(z.tzids) < maxStoredZones {
		z.tzids, z.extents = append(z.tzids, r.id), append(z.extents, part)
	}
	if _, present := r.Stream.zones[r.id]; !present && len(r.Stream.zones) < maxStoredZones {
		r.Stream.zones[r.id] = part
	}
}

// Entries yields the entries in the order of their first components. Components
// with one name and UID form one entry, even if they are not adjacent.
func (s *Stream) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, e := range s.entries {
			one := Entry{Component: e.component, UID: e.uid, Line: e.line}
			one.Text, one.Err = s.entryText(e)
			if !yield(one) {
				return
			}
		}
	}
}

// entryText returns the calendar object resource of an entry.
func (s *Stream) entryText(e *entryParts) ([]byte, error) {
	var size int64
	for _, p := range e.parts {
		size += p.size
	}
	if size > MaxSize {
		return nil, &Error{CondMaxResourceSize, fmt.Sprintf("The entry has %d octets; the maximum is %d.", size, MaxSize)}
	}
	d := NewDocument(cmp.Or(s.prodID, "-//unknown//EN"))
	if s.scale != "" {
		d.Calendar.Add(TextProp("CALSCALE", s.scale))
	}
	text := bytes.TrimSuffix(d.Bytes(), []byte(endOfCalendar))
	head := len(text)
	for _, p := range e.parts {
		var err error
		if text, err = s.appendExtent(text, p); err != nil {
			return nil, err
		}
	}
	text = append(text, endOfCalendar...)
	zones, err := s.zonesFor(text, e.zones)
	if err != nil {
		return nil, err
	}
	return slices.Insert(text, head, zones...), nil
}

// zonesFor returns the text of the VTIMEZONEs that an object refers to, those of its
// VCALENDAR first, nil if the object is invalid.
func (s *Stream) zonesFor(text []byte, own *calendarZones) (zones []byte, err error) {
	d, err := ParseDocument(text)
	if err != nil {
		return nil, nil // reported when the caller parses the text
	}
	for _, tzid := range d.Calendar.tzids() {
		zone, ok := own.find(tzid)
		if !ok {
			zone, ok = s.zones[tzid]
		}
		if ok {
			if zones, err = s.appendExtent(zones, zone); err != nil {
				return nil, err
			}
		}
	}
	return zones, nil
}

// appendExtent appends a part of the source to text.
func (s *Stream) appendExtent(text []byte, p extent) ([]byte, error) {
	begin := len(text)
	text = append(text, make([]byte, p.size)...)
	if _, err := s.source.ReadAt(text[begin:], p.offset); err != nil && err != io.EOF {
		return nil, err
	}
	if text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return text, nil
}
