package calendar

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/words"
)

// ImportReport is the outcome of an import.
type ImportReport struct {
	Imported     int                    `json:"imported"`
	Present      int                    `json:"present"` // objects that the calendar already had; they are not changed
	Refused      svc.List[RefusedEntry] `json:"refused"` // at most maxRefused entries
	RefusedCount int                    `json:"refused_count"`
}

// RefusedEntry is an entry that could not be imported.
type RefusedEntry struct {
	Source string `json:"source"` // the file, "" if there is only one
	Line   int    `json:"line"`   // line on which the entry begins, counted from 1; 0 if the source is a single entry
	UID    string `json:"uid"`    // "" if it has none or cannot be read
	Reason string `json:"reason"`
}

// String returns the refusal as one line.
func (r RefusedEntry) String() string {
	line := r.Source
	if r.Line > 0 {
		line += fmt.Sprintf(":%d", r.Line)
	}
	if r.UID != "" {
		line += ": " + r.UID
	}
	return line + ": " + r.Reason
}

// maxRefused limits ImportReport.Refused.
const maxRefused = 1000

// Add adds the outcome of the import of more entries.
func (r *ImportReport) Add(more ImportReport) {
	r.Imported += more.Imported
	r.Present += more.Present
	r.RefusedCount += more.RefusedCount
	r.Refused = append(r.Refused, more.Refused[:min(len(more.Refused), maxRefused-len(r.Refused))]...)
}

// Refuse adds an entry that could not be imported.
func (r *ImportReport) Refuse(e RefusedEntry) {
	r.Add(ImportReport{RefusedCount: 1, Refused: []RefusedEntry{e}})
}

// String returns the report as one line in English.
func (r ImportReport) String() string { return r.In(words.English) }

// In returns the report as one line in the language l.
func (r ImportReport) In(l words.Language) string {
	line := l.Textf("Imported: %d.", r.Imported)
	if r.Present > 0 {
		line += " " + l.Textf("Already present: %d.", r.Present)
	}
	if r.RefusedCount > 0 {
		line += " " + l.Textf("Not imported: %d.", r.RefusedCount)
	}
	return line
}

// ImportEntry is an entry to import.
type ImportEntry struct {
	prepared *object.Prepared // nil if the entry cannot be imported
	refused  RefusedEntry     // location of the entry; Reason is set if it cannot be imported
}

// PrepareEntry parses an entry of a source, so that Import only stores it. It takes the steps of
// parsing from work and returns the error of work.
func PrepareEntry(work svc.Work, source string, e ics.Entry, now time.Time) (in ImportEntry, err error) {
	in.refused = RefusedEntry{Source: source, Line: e.Line, UID: e.UID}
	if _, limited := errors.AsType[*svc.Error](e.Err); limited { // reading the source took too much work
		return in, e.Err
	}
	if e.Err != nil {
		in.refused.Reason = e.Err.Error()
		return in, work.Take(0)
	}
	o, err := ics.ParseCounted(work, e.Text)
	if invalid, ok := errors.AsType[*ics.Error](err); ok {
		in.refused.Reason = invalid.Reason
		return in, nil
	}
	if err != nil {
		return in, err
	}
	in.refused.UID = o.UID
	in.prepared, err = object.PrepareCounted(work, o, now)
	return in, err
}

// Size returns the number of octets that the entry occupies in memory.
func (e ImportEntry) Size() int {
	if e.prepared == nil {
		return 0
	}
	return len(e.prepared.Object.Raw)
}

// Limits of one write of Import.
const (
	maxImportEntries = 20   // take about ten milliseconds
	maxImportRows    = 2000 // indexed occurrences
)

// batchLen returns the number of entries at the beginning of list that one write stores.
func batchLen(list []ImportEntry) int {
	rows := 0
	for i, e := range list[:min(len(list), maxImportEntries)] {
		if e.prepared != nil {
			rows += e.prepared.Occurrences()
		}
		if i > 0 && rows > maxImportRows {
			return i
		}
	}
	return min(len(list), maxImportEntries)
}

// Import stores the first entries of list in a calendar of v, as many as one write may store. It
// returns the remaining entries.
func (s *Service) Import(tx *store.Tx, v svc.Viewer, calendarID string, list []ImportEntry) (report ImportReport, rest []ImportEntry, err error) {
	c, err := s.objects.WritableCalendar(tx, v.Member(), calendarID)
	if err != nil {
		return report, nil, err
	}
	n := batchLen(list)
	var uids []string
	var accepted []*object.Prepared
	for _, e := range list[:n] {
		refused := e.refused
		if e.prepared != nil && !c.Accepts(e.prepared.Object.Component) {
			refused.Reason = c.RefusalText(v.Language(), e.prepared.Object.Component)
		}
		if refused.Reason != "" {
			report.Refuse(refused)
			continue
		}
		uids, accepted = append(uids, e.prepared.Object.UID), append(accepted, e.prepared)
	}
	used, err := s.objects.UsedUIDs(tx, c.ID, uids)
	if err != nil {
		return report, nil, err
	}
	var missing []*object.Prepared
	for _, p := range accepted {
		if slices.Contains(used, p.Object.UID) {
			report.Present++
			continue
		}
		used, missing = append(used, p.Object.UID), append(missing, p)
	}
	report.Imported = len(missing)
	return report, list[n:], s.objects.AddAll(tx, c, missing)
}
