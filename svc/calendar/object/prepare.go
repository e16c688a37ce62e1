package object

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
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

	title       string
	index       occurrence.Index
	open        bool
	completedAt *store.Millis
}

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
		p.open, p.completedAt = taskProgress(o)
	}
	return p
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

// taskProgress reports whether a component of a task is open. If none is,
// completedAt is the time at which the last one was completed.
func taskProgress(o *ics.Object) (open bool, completedAt *store.Millis) {
	for _, c := range o.Components() {
		completed, status := c.Time("COMPLETED"), strings.ToUpper(c.Text("STATUS"))
		switch {
		case status == "CANCELLED":
		case status != "COMPLETED" && completed.IsZero():
			open = true
		case !completed.IsZero():
			at := store.MillisOf(completed.Instant(nil))
			if completedAt == nil || at > *completedAt {
				completedAt = &at
			}
		}
	}
	return open, completedAt
}

// args returns the columns that follow from the text.
func (p *Prepared) args() store.Args {
	return store.Args{
		"component": p.Object.Component, "title": p.title, "etag": p.ETag, "size": len(p.Object.Raw),
		"floating": p.index.Floating, "first_start": p.index.FirstStart, "last_end": p.index.LastEnd,
		"indexed_from": p.index.From, "indexed_to": p.index.To, "open": p.open, "completed_at": p.completedAt,
	}
}
