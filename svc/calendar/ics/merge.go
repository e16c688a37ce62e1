package ics

import (
	"bytes"
	"io"
	"slices"

	"appliance/svc"
)

// Merger writes calendar object resources into one VCALENDAR, the form that
// calendar programs import and subscribe to. Each TZID in it has one VTIMEZONE.
type Merger struct {
	w     io.Writer
	buf   bytes.Buffer
	zones *zoneWriter
}

// NewMerger writes the start of a calendar with the properties of head, a
// VCALENDAR without components. first is the year of the earliest time in the
// objects.
func NewMerger(w io.Writer, head *Document, first int) (*Merger, error) {
	text := head.Bytes()
	_, err := w.Write(text[:len(text)-len(endOfCalendar)])
	return &Merger{w: w, zones: newZoneWriter(first)}, err
}

const endOfCalendar = "END:VCALENDAR\r\n"

// Add writes the components of an object, after the VTIMEZONEs that they need and
// that no earlier object has needed. It takes the work of evaluating those of the
// object from work. redaction is nil if the reader may see everything.
func (m *Merger) Add(work svc.Work, raw []byte, redaction *Redaction) error {
	d, err := ParseDocument(raw)
	if err != nil || redaction != nil && !d.Redact(*redaction) {
		return err
	}
	m.buf.Reset()
	if len(d.Calendar.tzids()) > 0 {
		o, problem := decode(raw, objectLimits)
		if problem != nil {
			return problem
		}
		if err := work.Take(o.zoneSteps); err != nil {
			return err
		}
		for _, b := range m.zones.add(d, o.zones) {
			b.write(&m.buf)
		}
	}
	for _, b := range d.Calendar.Blocks() {
		if b.Name != "VTIMEZONE" { // of an object that needs none
			b.write(&m.buf)
		}
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
