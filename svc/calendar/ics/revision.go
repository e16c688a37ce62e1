package ics

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"appliance/svc"
)

// revision contains the values that order the revisions of one component.
type revision struct {
	sequence        int
	stamp, modified int64 // DTSTAMP and LAST-MODIFIED as Unix times; minWall if absent
}

func compareRevisions(a, b revision) int {
	return cmp.Or(cmp.Compare(a.sequence, b.sequence), cmp.Compare(a.stamp, b.stamp), cmp.Compare(a.modified, b.modified))
}

func (c *Component) revision() revision {
	sequence, _ := c.Int("SEQUENCE")
	return revision{sequence, c.unixOf("DTSTAMP"), c.unixOf("LAST-MODIFIED")}
}

// unixOf returns the Unix time of a property, minWall if it is absent or invalid.
func (c *Component) unixOf(name string) int64 {
	t := c.Time(name)
	if t.IsZero() {
		return minWall
	}
	return t.unix(nil)
}

// recurrenceKey identifies an instance of an entry. The zero recurrenceKey is the series.
type recurrenceKey struct {
	wall int64
	form timeForm
	tzid string // of a RECURRENCE-ID without its series
}

// ErrContradiction is the error of an entry that has other content than one with the same
// UID, date and revision.
var ErrContradiction = invalidObject("Another entry with this UID and date has other content, and neither of the two is newer.")

// candidate is a part of an entry, with the values that decide between it and other revisions.
type candidate struct {
	index    int // among the parts
	instance recurrenceKey
	revision revision
	digest   [sha256.Size]byte // of the content
	date     string
	title    string
}

// compareCandidates orders candidates by instance, the one to keep first.
func compareCandidates(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.instance.wall, b.instance.wall), cmp.Compare(a.instance.form, b.instance.form), cmp.Compare(a.instance.tzid, b.instance.tzid),
		compareRevisions(b.revision, a.revision), slices.Compare(b.digest[:], a.digest[:]))
}

// revisions selects the revisions of the components of an entry.
type revisions struct {
	work    svc.Work
	parts   []partRef
	series  *Object // the revision of the series to keep; nil if there is none
	master  candidate
	list    []candidate
	refused []Entry
}

// selectRevisions returns the latest revision of each component, in the order of parts, and the
// parts that are refused: those that cannot be read, and those that have other content than the
// kept one although neither is later.
func selectRevisions(work svc.Work, parts []partRef) (kept []partRef, refused []Entry, err error) {
	r := revisions{work: work, parts: parts}
	for _, isOverride := range []bool{false, true} { // a RECURRENCE-ID is compared in the form of the series
		for i, p := range parts {
			if p.part().isOverride == isOverride {
				if err := r.read(i); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	slices.SortStableFunc(r.list, compareCandidates)
	var indexes []int
	var latest candidate
	for i, c := range r.list {
		if i == 0 || c.instance != latest.instance {
			indexes, latest = append(indexes, c.index), c
		} else if c.revision == latest.revision && c.digest != latest.digest {
			e := newEntry(parts[c.index])
			e.Date, e.Title, e.Err = c.date, c.title, ErrContradiction
			r.refused = append(r.refused, e)
		}
	}
	slices.Sort(indexes)
	for _, i := range indexes {
		kept = append(kept, parts[i])
	}
	return kept, r.refused, nil
}

// read reads a part as a candidate or refuses it. The error is that of the source or of the work.
func (r *revisions) read(index int) error {
	e, t, err := r.parts[index].parse(r.work)
	if err != nil {
		return err
	}
	if e.Err != nil {
		r.refused = append(r.refused, e)
		return nil
	}
	c, series := e.Object.Components()[0], r.series
	if series == nil {
		series = e.Object
	}
	found := candidate{index, c.keyIn(series), c.revision(), t.digest(), t.date(), t.title()}
	if c == e.Object.Master && (r.series == nil || compareCandidates(found, r.master) < 0) {
		r.series, r.master = e.Object, found
	}
	r.list = append(r.list, found)
	return nil
}
