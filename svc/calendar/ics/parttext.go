package ics

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"

	"appliance/svc"
)

// assembledStream is a stream of an [Assembly].
type assembledStream struct {
	*Stream
	name string

	head   []byte // the lines of the VCALENDAR headOf before its components
	headOf int
}

// partRef is a part of a stream.
type partRef struct {
	source *assembledStream
	index  int
}

func (r partRef) part() *part { return &r.source.parts[r.index] }

// partText is a calendar object with a part as its only component.
type partText struct {
	octets []byte
	begin  int // offset of the component
}

// parse reads a part as an entry of its own. The error is that of the source or of the work.
func (r partRef) parse(work svc.Work) (e Entry, t partText, err error) {
	e = newEntry(r)
	if t, err = r.text(); err == nil {
		e.Object, err = ParseCounted(work, t.octets)
	}
	if problem, ok := errors.AsType[*Error](err); ok {
		e.Object, e.Date, e.Title, e.Err = nil, t.date(), t.title(), t.inSource(problem, e.Line)
		return e, t, nil
	}
	return e, t, err
}

// text returns the calendar object with a part as its only component, and the VTIMEZONEs that
// the part refers to. If the part is incomplete or too large, the error is an [*Error].
func (r partRef) text() (t partText, err error) {
	p := r.part()
	if p.problem == "" && p.size > MaxSize {
		return t, newError(CondMaxResourceSize, "The entry has %d octets; the maximum is %d.", p.size, MaxSize)
	}
	t.octets = r.source.headText(p.calendar)
	t.begin = len(t.octets)
	if t.octets, err = r.source.read(t.octets, extent{p.offset, min(p.size, MaxSize)}); err != nil {
		return t, err
	}
	if p.problem != "" {
		return t, invalidData("%s", p.problem)
	}
	if p.uid == "" {
		t.octets = append(t.octets[:t.begin], withDerivedUID(t.octets[t.begin:])...)
	}
	zones, err := r.source.zonesOf(p.calendar, t.octets[t.begin:])
	if err != nil {
		return t, err
	}
	t.octets = slices.Insert(append(t.octets, endOfCalendar...), t.begin, zones...)
	t.begin += len(zones)
	return t, nil
}

// headText returns a copy of the lines of a VCALENDAR before its components, with room for one.
func (s *assembledStream) headText(calendar int) []byte {
	if s.headOf != calendar && calendar >= 0 {
		c := s.calendars[calendar]
		d := NewDocument(cmp.Or(c.prodID, "-//unknown//EN"))
		if c.scale != "" {
			d.Calendar.Add(TextProp("CALSCALE", c.scale))
		}
		s.head, s.headOf = bytes.TrimSuffix(d.Bytes(), []byte(endOfCalendar)), calendar
	}
	return append(make([]byte, 0, 2<<10), s.head...)
}

// zonesOf returns the VTIMEZONEs that the text of a component of a VCALENDAR refers to.
func (s *assembledStream) zonesOf(calendar int, text []byte) (zones []byte, err error) {
	var seen []string
	for tzid := range tzidsIn(text) {
		if slices.Contains(seen, tzid) || len(seen) == maxZones || len(zones) > MaxSize {
			continue
		}
		seen = append(seen, tzid)
		if zone, ok := s.zone(calendar, tzid); ok {
			if zones, err = s.read(zones, zone); err != nil {
				return nil, err
			}
		}
	}
	return zones, nil
}

// joinedText returns the calendar object with these parts as its components.
func joinedText(parts []partRef) ([]byte, error) {
	size := int64(0)
	for _, r := range parts {
		size += r.part().size
	}
	if size > MaxSize {
		return nil, newError(CondMaxResourceSize, "The entry with its changed occurrences has %d octets; the maximum is %d.", size, MaxSize)
	}
	first := parts[0]
	if slices.ContainsFunc(parts, func(r partRef) bool { return r.source != first.source || r.part().calendar != first.part().calendar }) {
		return composedText(parts)
	}
	text := first.source.headText(first.part().calendar)
	begin := len(text)
	var err error
	for _, r := range parts {
		if text, err = r.source.read(text, r.part().extent); err != nil {
			return nil, err
		}
	}
	zones, err := first.source.zonesOf(first.part().calendar, text[begin:])
	if err != nil {
		return nil, err
	}
	return slices.Insert(append(text, endOfCalendar...), begin, zones...), nil
}

// composedText is joinedText for parts of several VCALENDARs, which may have different
// VTIMEZONEs with one TZID.
func composedText(parts []partRef) ([]byte, error) {
	var d *Document
	var c composer
	for i, r := range parts {
		t, err := r.text()
		if err != nil {
			return nil, err
		}
		one, err := ParseDocument(t.octets)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			d, c = one, newComposer(one)
			continue
		}
		c.append(one.Calendar)
	}
	return d.Bytes(), nil
}

// inSource returns a problem of the text with the number of the line in the source, in which
// the component begins at a line.
func (t partText) inSource(problem *Error, begin int) *Error {
	head := bytes.Count(t.octets[:t.begin], []byte{'\n'})
	if problem.line <= head {
		return problem
	}
	return invalidLine(begin+problem.line-head-1, problem.problem)
}

// date returns the RECURRENCE-ID of the component, or else its DTSTART, as 2006-01-02; "" if
// there is none.
func (t partText) date() (date string) {
	for line := range componentLines(t.octets[t.begin:]) {
		if line.depth > 1 || line.name != "RECURRENCE-ID" && (line.name != "DTSTART" || date != "") {
			continue
		}
		if at, ok := parseTime(string(line.value), nil); ok {
			date = at.Clock().Format("2006-01-02")
		}
		if line.name == "RECURRENCE-ID" {
			break
		}
	}
	return date
}

// title returns the SUMMARY of the component, "" if there is none.
func (t partText) title() string {
	for line := range componentLines(t.octets[t.begin:]) {
		if line.depth == 1 && line.name == "SUMMARY" {
			return unescapeText(string(line.value))
		}
	}
	return ""
}

// digest returns a hash of the component without its RECURRENCE-ID, which has several forms.
func (t partText) digest() [sha256.Size]byte {
	sum := sha256.New()
	for line := range componentLines(t.octets[t.begin:]) {
		if line.depth != 1 || line.name != "RECURRENCE-ID" {
			sum.Write(line.text)
			sum.Write([]byte{'\n'})
		}
	}
	return [sha256.Size]byte(sum.Sum(nil))
}

// componentLine is a content line of a component.
type componentLine struct {
	contentLine
	depth int // number of open components, also for BEGIN and END
}

// componentLines yields the content lines at the beginning of a text until its first component
// ends. Invalid lines have no name.
func componentLines(text []byte) iter.Seq[componentLine] {
	return func(yield func(componentLine) bool) {
		depth := 0
		var params []param
		for rest := text; len(rest) > 0; {
			var l componentLine
			l.raw, rest = cutLine(rest)
			l.text, l.params = unfold(l.raw), params[:0]
			if l.parse() != "" {
				l.name = ""
			}
			if l.name == "BEGIN" {
				depth++
			}
			l.depth = depth
			if !yield(l) {
				return
			}
			if l.name == "END" {
				depth--
			}
			if depth == 0 {
				return
			}
			params = l.params
		}
	}
}

// UIDs of entries that have none in their source.
const (
	derivedUID    = "content-"
	derivedOctets = 16
)

// withDerivedUID returns the text of a component with a UID that is derived from its content, so
// that the next import of the same source finds the entry. Properties that many programs set to
// the time of an export do not count.
func withDerivedUID(text []byte) []byte {
	sum := sha256.New()
	var begin []byte
	var rest [][]byte
	for line := range componentLines(text) {
		if begin == nil {
			begin = line.raw
			continue
		}
		if line.depth == 1 && line.name == "UID" {
			continue
		}
		rest = append(rest, line.raw)
		switch line.name {
		case "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE":
		default:
			fmt.Fprintf(sum, "%s\n", line.text)
		}
	}
	uid := derivedUID + hex.EncodeToString(sum.Sum(nil)[:derivedOctets])
	return slices.Concat(begin, []byte("UID:"+uid+lineEnding(begin)), bytes.Join(rest, nil))
}

// tzidsIn yields the TZID parameters in the lines of a text.
func tzidsIn(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		var params []param
		for rest := text; len(rest) > 0; {
			var raw []byte
			raw, rest = cutLine(rest)
			line := contentLine{text: unfold(raw), params: params[:0]}
			if i := bytes.IndexAny(line.text, ";:"); i < 0 || line.text[i] == ':' || line.parse() != "" {
				continue
			}
			for _, p := range line.params {
				if bytes.EqualFold(p.name, []byte("TZID")) && !yield(decodeParam(string(p.value))) {
					return
				}
			}
			params = line.params
		}
	}
}
