package ics

import (
	"bytes"
	"io"
	"slices"
)

// Merger writes calendar object resources as one calendar, the way programs
// import and subscribe to them.
type Merger struct {
	w     io.Writer
	buf   bytes.Buffer
	zones map[string]bool // what has been explained, by TZID
}

// NewMerger begins a calendar with the lines of head, a VCALENDAR without
// components.
func NewMerger(w io.Writer, head *Document) (*Merger, error) {
	text := head.Bytes()
	_, err := w.Write(text[:len(text)-len(lastLine)])
	return &Merger{w: w, zones: make(map[string]bool)}, err
}

const lastLine = "END:VCALENDAR\r\n"

// Add writes everything that is in an object, its VTIMEZONEs if no object
// before it had ones of that name.
func (m *Merger) Add(raw []byte) error {
	d, err := ParseDocument(raw)
	if err != nil {
		return err
	}
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
	// RFC 5545 §3.1 wants CRLF; what was PUT may have had none.
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

// Close ends the calendar.
func (m *Merger) Close() error {
	_, err := io.WriteString(m.w, lastLine)
	return err
}
