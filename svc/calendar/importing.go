package calendar

import (
	"errors"
	"fmt"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
)

// ImportReport is the outcome of an import.
type ImportReport struct {
	Imported     int                `json:"imported"`
	Present      int                `json:"present"` // objects that the calendar already had; they stay as they were
	Refused      svc.List[Rejected] `json:"refused"` // up to a limit
	RefusedCount int                `json:"refused_count"`
}

// Rejected is an entry that could not be imported.
type Rejected struct {
	Source string `json:"source"` // the file, "" if there is only one
	Line   int    `json:"line"`   // on which the entry begins, from 1; 0 if the source is a single entry
	UID    string `json:"uid"`    // "" if it has none or cannot be read
	Reason string `json:"reason"`
}

// String returns the rejection as one line.
func (r Rejected) String() string {
	line := r.Source
	if r.Line > 0 {
		line += fmt.Sprintf(":%d", r.Line)
	}
	if r.UID != "" {
		line += ": " + r.UID
	}
	return line + ": " + r.Reason
}

// maxRejected limits ImportReport.Refused.
const maxRejected = 1000

// Add adds the outcome of more entries.
func (r *ImportReport) Add(more ImportReport) {
	r.Imported += more.Imported
	r.Present += more.Present
	r.RefusedCount += more.RefusedCount
	r.Refused = append(r.Refused, more.Refused[:min(len(more.Refused), maxRejected-len(r.Refused))]...)
}

// Reject adds an entry that could not be imported.
func (r *ImportReport) Reject(e Rejected) {
	r.Add(ImportReport{RefusedCount: 1, Refused: []Rejected{e}})
}

// String returns the report as one line.
func (r ImportReport) String() string {
	line := fmt.Sprintf("Imported: %d.", r.Imported)
	if r.Present > 0 {
		line += fmt.Sprintf(" Already present: %d.", r.Present)
	}
	if r.RefusedCount > 0 {
		line += fmt.Sprintf(" Not imported: %d.", r.RefusedCount)
	}
	return line
}

// ImportEntry is an entry to import.
type ImportEntry struct {
	prepared *object.Prepared // nil if the entry cannot be imported
	rejected Rejected         // where the entry is; with a Reason if it cannot be imported
}

// PrepareEntry parses an entry of a source, so that Import only stores it.
func PrepareEntry(source string, e ics.Entry, now time.Time) ImportEntry {
	in := ImportEntry{rejected: Rejected{Source: source, Line: e.Line, UID: e.UID}}
	o, err := (*ics.Object)(nil), e.Err
	if err == nil {
		o, err = ics.Parse(e.Text)
	}
	var invalid *ics.Error
	switch {
	case errors.As(err, &invalid):
		in.rejected.Reason = invalid.Reason
	case err != nil:
		in.rejected.Reason = err.Error()
	default:
		in.prepared = object.Prepare(o, now)
		in.rejected.UID = o.UID
	}
	return in
}

// Size returns how many octets the entry holds in memory.
func (e ImportEntry) Size() int {
	if e.prepared == nil {
		return 0
	}
	return len(e.prepared.Object.Raw)
}

// Import stores entries in a calendar of v.
func (s *Service) Import(tx *store.Tx, v svc.Viewer, calendarID string, list []ImportEntry) (report ImportReport, err error) {
	c, err := s.objects.WritableCalendar(tx, v.Member(), calendarID)
	if err != nil {
		return report, err
	}
	for _, e := range list {
		rejected := e.rejected
		if e.prepared != nil && !c.Accepts(e.prepared.Object.Component) {
			rejected.Reason = "The calendar does not accept entries of the type " + e.prepared.Object.Component + "."
		}
		if rejected.Reason != "" {
			report.Reject(rejected)
			continue
		}
		existing, err := s.objects.SegmentOfUID(tx, c.ID, e.prepared.Object.UID)
		if err != nil {
			return report, err
		}
		if existing != "" {
			report.Present++
			continue
		}
		if _, err := s.objects.Add(tx, c, "", e.prepared); err != nil {
			return report, err
		}
		report.Imported++
	}
	return report, nil
}
