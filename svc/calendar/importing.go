package calendar

import (
	"errors"
	"fmt"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Imported is what became of the entries of a calendar that was read in.
type Imported struct {
	Imported     int               `json:"imported"`
	Present      int               `json:"present"` // which the calendar had already: they stay as they were
	Refused      svc.List[Refused] `json:"refused"` // the first thousand
	RefusedCount int               `json:"refused_count"`
}

// Refused is an entry that was not taken.
type Refused struct {
	Source string `json:"source"` // where it was read, "" if that is clear
	Line   int    `json:"line"`   // where it begins there, from 1; 0 if it is all there is
	UID    string `json:"uid"`    // "" if it has none that could be read
	Reason string `json:"reason"`
}

// String says it in a line.
func (r Refused) String() string {
	line := r.Source
	if r.Line > 0 {
		line += fmt.Sprintf(":%d", r.Line)
	}
	if r.UID != "" {
		line += ": " + r.UID
	}
	return line + ": " + r.Reason
}

// maxRefused is how many refusals are told one by one.
const maxRefused = 1000

// Add adds what became of more entries.
func (r *Imported) Add(more Imported) {
	r.Imported += more.Imported
	r.Present += more.Present
	r.RefusedCount += more.RefusedCount
	r.Refused = append(r.Refused, more.Refused[:min(len(more.Refused), maxRefused-len(r.Refused))]...)
}

// String says it in a line.
func (r Imported) String() string {
	line := fmt.Sprintf("Imported: %d.", r.Imported)
	if r.Present > 0 {
		line += fmt.Sprintf(" There already: %d.", r.Present)
	}
	if r.RefusedCount > 0 {
		line += fmt.Sprintf(" Could not be taken: %d.", r.RefusedCount)
	}
	return line
}

// Candidate is an entry that may be imported.
type Candidate struct {
	ics.Entry
	Source string // of several, where it was read

	entry *Entry // nil if it cannot be taken
	why   string
}

// Consider reads an entry, so that [Service.Import] only has to store it.
func Consider(source string, one ics.Entry, now time.Time) Candidate {
	c := Candidate{Entry: one, Source: source}
	o, err := (*ics.Object)(nil), one.Err
	if err == nil {
		o, err = ics.Parse(one.Text)
	}
	var invalid *ics.Error
	switch {
	case errors.As(err, &invalid):
		c.why = invalid.Reason
	case err != nil:
		c.why = err.Error()
	default:
		c.entry, c.UID = Prepare(o, now), o.UID
	}
	c.Text = nil // the entry has it
	return c
}

// Size returns how many octets the candidate holds in memory.
func (c Candidate) Size() int {
	if c.entry == nil {
		return 0
	}
	return len(c.entry.object.Raw)
}

// Import stores entries in a calendar of v's and returns what became of each.
func (s *Service) Import(tx *store.Tx, v svc.Viewer, calendarID string, list []Candidate) (done Imported, err error) {
	c, err := s.writable(tx, v, calendarID)
	if err != nil {
		return done, err
	}
	for _, one := range list {
		why := one.why
		if one.entry != nil && !c.holds(one.entry.object.Component) {
			why = "The calendar does not hold entries of the type " + one.entry.object.Component + "."
		}
		if why != "" {
			done.Add(Imported{RefusedCount: 1, Refused: []Refused{{one.Source, one.Line, one.UID, why}}})
			continue
		}
		there, err := s.withUID(tx, c.ID, one.entry.object.UID)
		if err != nil {
			return done, err
		}
		if there != "" {
			done.Present++
			continue
		}
		if _, err := s.add(tx, c, "", one.entry); err != nil {
			return done, err
		}
		done.Imported++
	}
	return done, nil
}
