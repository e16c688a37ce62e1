package object

import (
	"crypto/sha256"
	"encoding/base32"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
)

// Prepared is an object with all columns that follow from its text. Computing
// them may take a tenth of a second and needs no transaction.
type Prepared struct {
	Object *ics.Object
	ETag   string

	title        string
	index        occurrence.Index
	task         taskColumns
	zoneConflict *string
}

// taskColumns are the columns of a task.
type taskColumns struct {
	open        bool          // an occurrence is neither completed nor cancelled
	openStart   *store.Millis // of the first open occurrence, as in the occurrence index
	openDue     *store.Millis // when it is due; nil if it has no due time
	completedAt *store.Millis // when the last occurrence was completed, if none is open
}

// Title returns the title of the object, "" if it has none.
func (p *Prepared) Title() string { return p.title }

// Occurrences returns the number of indexed occurrences.
func (p *Prepared) Occurrences() int { return len(p.index.Rows) }

// Prepare computes the columns of an object, with the occurrence index as of
// now.
func Prepare(o *ics.Object, now time.Time) *Prepared {
	p := &Prepared{
		Object: o, ETag: ETag(o.Raw), index: occurrence.NewIndex(o, now),
		title: view.Truncate(o.Components()[0].Text("SUMMARY"), svc.MaxTitle),
	}
	if o.Component == "VTODO" {
		p.task = taskColumnsOf(o, now)
	}
	p.zoneConflict = zoneConflict(o)
	return p
}

// zoneConflict returns the value of the column zone_conflict.
func zoneConflict(o *ics.Object) *string {
	if name := o.ConflictingZone(); name != "" {
		return &name
	}
	return nil
}

// PrepareCounted is like [Prepare], but takes the steps from work.
func PrepareCounted(work svc.Work, o *ics.Object, now time.Time) (*Prepared, error) {
	p := Prepare(o, now)
	return p, work.Take(p.index.Steps)
}

// etagEncoding is the encoding of ETags: base 32 is shorter than hexadecimal, also
// after compression.
var etagEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// ETag returns the ETag of a text, with quotes.
func ETag(text []byte) string {
	sum := sha256.Sum256(text)
	return `"` + etagEncoding.EncodeToString(sum[:16]) + `"`
}

// taskColumnsOf returns the columns of a task as of now.
func taskColumnsOf(o *ics.Object, now time.Time) (t taskColumns) {
	if first, found := o.FirstOpen(now, nil); found {
		t.open, t.openStart = true, new(occurrence.Clamp(first.From))
		if !first.End.IsZero() {
			t.openDue = new(store.MillisOf(first.EndsAt))
		}
		return t
	}
	for _, c := range o.Components() {
		completed := c.Time("COMPLETED")
		if completed.IsZero() {
			completed = c.Time("LAST-MODIFIED") // some clients only set STATUS or PERCENT-COMPLETE
		}
		if completed.IsZero() || c.Progress() != ics.Completed {
			continue
		}
		if at := store.MillisOf(completed.Instant(nil)); t.completedAt == nil || at > *t.completedAt {
			t.completedAt = &at
		}
	}
	return t
}

// args returns the columns that follow from the text.
func (p *Prepared) args() store.Args {
	return store.Args{
		"component": p.Object.Component, "title": p.title, "etag": p.ETag, "size": len(p.Object.Raw),
		"floating": p.index.Floating, "first_start": p.index.FirstStart, "last_end": p.index.LastEnd,
		"indexed_from": p.index.From, "indexed_to": p.index.To,
		"open": p.task.open, "open_start": p.task.openStart, "open_due": p.task.openDue, "completed_at": p.task.completedAt,
		"zone_conflict": p.zoneConflict,
	}
}
