package ics

import (
	"bytes"
	"io"
	"slices"
)

// Merger writes calendar object resources into one VCALENDAR, the form that
// calendar programs import and subscribe to.
type Merger struct {
	w     io.Writer
	buf   bytes.Buffer
	zones map[string]bool // TZIDs whose VTIMEZONE was written
}

// NewMerger writes the start of a calendar with the properties of head, a
// VCALENDAR without components.
func NewMerger(w io.Writer, head *Document) (*Merger, error) {
	text := head.Bytes()
	_, err := w.Write(text[:len(text)-len(endOfCalendar)])
	return &Merger{w: w, zones: make(map[string]bool)}, err
}

const endOfCalendar = "END:VCALENDAR\r\n"

// Add writes the components of an object. It omits a VTIMEZONE if an earlier
// object had one with the same TZID.
func (m *Merger) Add(raw []byte) error {
	d, err := ParseDocument(raw)
	if err != nil {
		return err
	}
	return m.AddDocument(d)
}

// AddDocument is Add for text that is parsed.
func (m *Merger) AddDocument(d *Document) error {
	m.buf.Reset()
	for _, b := range d.Calendar.Blocks() {
		if b.Name == "VTIMEZONE" {
			tzid := unescapeText(b.Value("TZID"))
			if m.zones[tzid] {
				continue
			}
			m.zones[tzid] = true
		}
		b.write(&m.buf)
	}
	// RFC 5545 §3.1 requires CRLF; stored objects may have LF.
	for line := range bytes.Lines(m.buf.Bytes()) {
		if !bytes.HasSuffix(line, []byte("\r\n")) {
			line = slices.Concat(bytes.TrimRight(line, "\r\n"), []byte("\r\n"))
		}
		if _, err := m.w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the end of the calendar.
func (m *Merger) Close() error {
	_, err := io.WriteString(m.w, endOfCalendar)
	return err
}
