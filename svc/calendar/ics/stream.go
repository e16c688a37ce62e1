package ics

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
)

// Limits of a Stream.
const (
	maxHead = 4 << 10   // octets of a property that is read while indexing
	maxZone = 256 << 10 // octets of a VTIMEZONE
	maxOpen = 32        // nested components

	// maxComponents limits the components in all VCALENDARs, and so the memory of the
	// index to about 50 MB. A member may store fewer objects.
	maxComponents = 250_000
)

// Stream is an index of a whole calendar as programs export it: any number of
// entries in one VCALENDAR, or in several consecutive ones (RFC 5545 §3.4). It contains no
// text: an [Assembly] reads the components from the source.
type Stream struct {
	CalendarInfo

	source    io.ReaderAt
	calendars []streamCalendar
	zones     map[string][]zoneExtent // by TZID, in the order of the source
	parts     []part                  // in the order of the source, without the VTIMEZONEs
}

// CalendarInfo contains the properties of a calendar as a whole, "" for those that a source
// does not have.
type CalendarInfo struct {
	Name        string // NAME (RFC 7986 §5.1) or X-WR-CALNAME
	Description string // DESCRIPTION (RFC 7986 §5.2) or X-WR-CALDESC
	Color       string // X-APPLE-CALENDAR-COLOR or else COLOR (RFC 7986 §5.9), as #rrggbb
	Timezone    string // X-WR-TIMEZONE, as written
}

// streamCalendar is a VCALENDAR of a Stream.
type streamCalendar struct {
	prodID string
	scale  string // CALSCALE
}

// extent is a range of octets of the source.
type extent struct{ offset, size int64 }

// zoneExtent is a VTIMEZONE.
type zoneExtent struct {
	calendar int // index of its VCALENDAR
	extent
}

// part is a component of a VCALENDAR.
type part struct {
	component, uid string
	problem        string // why the component is incomplete; "" if it is complete
	extent
	line       int // of its BEGIN
	calendar   int // index of its VCALENDAR
	isOverride bool
}

// ReadStream indexes a calendar of any size. If progress is not nil, it is called
// with the number of octets read so far. The error is an [*Error] or comes from
// the source. A component that has no end, as at the end of a truncated text, is reported
// by [Assembly.Entries].
func ReadStream(source io.ReaderAt, size int64, progress func(done, total int64)) (*Stream, error) {
	s := &Stream{source: source, zones: make(map[string][]zoneExtent)}
	r := streamReader{Stream: s, in: bufio.NewReaderSize(io.NewSectionReader(source, 0, size), int(min(size, 64<<10)))}
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
	r.finish()
	if !r.begun {
		return nil, invalidData("The text contains no VCALENDAR.")
	}
	return s, nil
}

// Len returns the number of components, without the VTIMEZONEs. Places in the source where the
// structure is invalid count, too.
func (s *Stream) Len() int { return len(s.parts) }

// streamReader builds a Stream line by line.
type streamReader struct {
	*Stream
	in     *bufio.Reader
	head   []byte // of the current content line
	offset int64  // octets read so far
	line   int    // physical lines read so far
	begun  bool   // whether a VCALENDAR has begun

	components int      // components of VCALENDARs, also incomplete ones
	open       []string // names of the open components, outermost first
	calendar   streamCalendar
	isRecorded bool // whether calendar is the last element of calendars
	hasColor   bool // whether Color is that of Apple

	current part // the open component of the VCALENDAR
}

// next reads one content line. It returns false at the end of the source.
func (r *streamReader) next() (more bool, err error) {
	begin := r.offset
	r.line++
	number := r.line
	r.head = r.head[:0]
	err = r.appendLine()
	for err == nil {
		var peek []byte
		if peek, err = r.in.Peek(1); err != nil || peek[0] != ' ' && peek[0] != '\t' {
			break
		}
		r.line++
		err = r.appendLine()
	}
	if err != nil && err != io.EOF {
		return false, err
	}
	r.readLine(bytes.TrimPrefix(unfold(r.head), []byte("\ufeff")), begin, number)
	if r.components > maxComponents {
		return false, invalidData("Line %d ends component %d; the maximum is %d.", number, r.components, maxComponents)
	}
	return err == nil, nil
}

// appendLine reads a physical line and appends it to head, which it limits to
// maxHead octets.
func (r *streamReader) appendLine() error {
	for {
		text, err := r.in.ReadSlice('\n')
		r.offset += int64(len(text))
		r.head = append(r.head, text[:min(len(text), max(0, maxHead-len(r.head)))]...)
		if err != bufio.ErrBufferFull {
			return err
		}
	}
}

// readLine evaluates the content line that begins at the offset begin.
func (r *streamReader) readLine(text []byte, begin int64, number int) {
	head, value, _ := bytes.Cut(text, []byte{':'})
	name, _, _ := bytes.Cut(head, []byte{';'})
	switch name := upperName(name); {
	case name == "BEGIN":
		r.begin(upperName(bytes.TrimSpace(value)), begin, number)
	case name == "END":
		r.end(upperName(bytes.TrimSpace(value)), begin, number)
	case len(r.open) == 1:
		r.readCalendar(name, value)
	case len(r.open) == 2:
		r.readComponent(name, value)
	}
}

// readCalendar evaluates a property of a VCALENDAR.
func (r *streamReader) readCalendar(name string, value []byte) {
	switch name {
	case "PRODID":
		setFirst(&r.calendar.prodID, value)
	case "CALSCALE":
		setFirst(&r.calendar.scale, value)
	case "NAME", "X-WR-CALNAME":
		setFirst(&r.Name, value)
	case "DESCRIPTION", "X-WR-CALDESC":
		setFirst(&r.Description, value)
	case "X-WR-TIMEZONE":
		setFirst(&r.Timezone, value)
	case "COLOR", "X-APPLE-CALENDAR-COLOR": // a name of CSS is only the nearest one
		isApple := name != "COLOR"
		if color, ok := ParseColor(string(value)); ok && (r.Color == "" || isApple && !r.hasColor) {
			r.Color, r.hasColor = color, isApple
		}
	}
}

// readComponent evaluates a property of a component of a VCALENDAR.
func (r *streamReader) readComponent(name string, value []byte) {
	switch name {
	case "UID", "TZID":
		setFirst(&r.current.uid, value)
	case "RECURRENCE-ID":
		r.current.isOverride = true
	}
}

// setFirst sets *into to a TEXT value unless a value was found before.
func setFirst(into *string, value []byte) {
	if *into == "" {
		*into = unescapeText(string(bytes.TrimSpace(value)))
	}
}

func (r *streamReader) begin(component string, offset int64, number int) {
	switch {
	case component == "VCALENDAR":
		r.close(offset, fmt.Sprintf("Line %d begins a VCALENDAR before the %s has ended.", number, r.current.component))
		r.open = append(r.open, component)
		r.begun, r.calendar, r.isRecorded = true, streamCalendar{}, false
		return
	case len(r.open) == 0:
		r.addProblem(component, offset, number, fmt.Sprintf("The %.40s is outside a VCALENDAR.", component))
		return
	case len(r.open) > 1 && isEntry(component) && isEntry(r.current.component):
		r.cut(offset, fmt.Sprintf("Line %d begins a %s before the %s has ended.", number, component, r.current.component))
	case r.current.problem != "":
		return
	case len(r.open) == maxOpen:
		r.current.problem = fmt.Sprintf("Line %d nests components more than %d deep.", number, maxOpen)
		return
	}
	if len(r.open) == 1 {
		r.current = part{component: component, extent: extent{offset: offset}, line: number}
	}
	r.open = append(r.open, component)
}

// isEntry reports whether components with this name are only in a VCALENDAR, so that one
// that begins in another component shows that the other has no end.
func isEntry(component string) bool {
	return component == "VTIMEZONE" || component != "AVAILABLE" && componentLabels[component] != ""
}

func (r *streamReader) end(component string, offset int64, number int) {
	switch {
	case len(r.open) == 0 && component != "VCALENDAR": // reported at its BEGIN
	case len(r.open) == 0 || len(r.open) == 1 && component != "VCALENDAR":
		r.addProblem("", offset, number, fmt.Sprintf("Line %d ends a %.40s that has not begun.", number, component))
	case len(r.open) == 1:
		r.open = r.open[:0]
	case component == "VCALENDAR":
		r.close(offset, fmt.Sprintf("Line %d ends the VCALENDAR before the %s has ended.", number, r.current.component))
	case component == r.open[1] && (len(r.open) == 2 || r.current.problem != "" || isEntry(component)):
		if len(r.open) > 2 && r.current.problem == "" {
			r.current.problem = fmt.Sprintf("Line %d ends the %s before its %.40s has ended.", number, component, r.open[len(r.open)-1])
		}
		r.addPart(r.offset)
	case r.current.problem != "":
	case component == r.open[len(r.open)-1]:
		r.open = r.open[:len(r.open)-1]
	default:
		r.current.problem = fmt.Sprintf("Line %d ends %.40q, but the open component is %.40q.", number, component, r.open[len(r.open)-1])
	}
}

// close closes the VCALENDAR. An open component of it is incomplete.
func (r *streamReader) close(offset int64, problem string) {
	if len(r.open) > 1 {
		r.cut(offset, problem)
	}
	r.open = r.open[:0]
}

// cut ends an incomplete component of a VCALENDAR before the offset.
func (r *streamReader) cut(offset int64, problem string) {
	if r.current.problem == "" {
		r.current.problem = problem
	}
	r.addPart(offset)
}

// finish evaluates the end of the source.
func (r *streamReader) finish() {
	switch len(r.open) {
	case 0:
	case 1:
		r.addProblem("", r.offset, r.line, "The VCALENDAR has no END line: the text may be truncated, and entries may be missing after this line.")
	default:
		r.cut(r.offset, fmt.Sprintf("The %s has no END line: the text may be truncated, and entries may be missing after it.", r.current.component))
	}
}

// addProblem records a place in the source that is not a part of any component.
func (r *streamReader) addProblem(component string, offset int64, number int, problem string) {
	r.components++
	r.parts = append(r.parts, part{component: component, problem: problem, extent: extent{offset: offset}, line: number, calendar: len(r.calendars) - 1})
}

// addPart ends the component of the VCALENDAR before the offset, and records it.
func (r *streamReader) addPart(offset int64) {
	r.components++
	r.open = r.open[:1]
	p := r.current
	p.size = offset - p.offset
	r.current = part{}
	if !r.isRecorded {
		r.calendars, r.isRecorded = append(r.calendars, r.calendar), true
	}
	r.calendars[len(r.calendars)-1] = r.calendar // some programs write properties after components
	p.calendar = len(r.calendars) - 1
	switch {
	case p.component != "VTIMEZONE" || p.problem != "":
		r.parts = append(r.parts, p)
	case p.size <= maxZone:
		r.zones[p.uid] = append(r.zones[p.uid], zoneExtent{p.calendar, p.extent})
	}
}

// zone returns the VTIMEZONE with a TZID: that of a VCALENDAR, or else the first one of the
// stream.
func (s *Stream) zone(calendar int, tzid string) (extent, bool) {
	list := s.zones[tzid]
	if len(list) == 0 {
		return extent{}, false
	}
	i, found := slices.BinarySearchFunc(list, calendar, func(z zoneExtent, calendar int) int { return z.calendar - calendar })
	if !found {
		i = 0
	}
	return list[i].extent, true
}

// read appends a range of the source to text, and a line ending if it has none.
func (s *Stream) read(text []byte, e extent) ([]byte, error) {
	begin := len(text)
	text = slices.Grow(text, int(e.size)+len("\n"))[:begin+int(e.size)]
	if _, err := s.source.ReadAt(text[begin:], e.offset); err != nil && err != io.EOF {
		return nil, err
	}
	if len(text) > begin && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return text, nil
}
