package transfer

import (
	"context"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
)

// Limits of one import transaction, because other writers wait until it ends.
const (
	batchEntries = 200
	batchBytes   = 1 << 20 // parsing needs up to 25 times as much memory
)

// Importer stores entries in calendars of a member, in batches. Batches stored
// before an interruption remain, and repeating the import adds the rest.
type Importer struct {
	db       *store.DB
	calendar *calendar.Service
	viewer   svc.Viewer

	target string // id of the calendar
	batch  []calendar.ImportEntry
	bytes  int
	report calendar.ImportReport
}

// NewImporter returns an Importer that stores entries in the calendar of v with the
// id target.
func NewImporter(db *store.DB, s *calendar.Service, v svc.Viewer, target string) *Importer {
	return &Importer{db: db, calendar: s, viewer: v, target: target}
}

// Report returns the entries that were stored or refused so far.
func (i *Importer) Report() calendar.ImportReport { return i.report }

// add adds one entry to the batch, and stores the batch if it is full. source names
// its file, for the report.
func (i *Importer) add(ctx context.Context, source string, e ics.Entry) error {
	c, err := calendar.PrepareEntry(svc.WorkOf(ctx), source, e, i.db.Now())
	if err != nil {
		return err
	}
	i.batch = append(i.batch, c)
	i.bytes += c.Size()
	if len(i.batch) < batchEntries && i.bytes < batchBytes {
		return nil
	}
	return i.Flush(ctx)
}

// refuse records in the report that nothing in a source can be imported.
func (i *Importer) refuse(source, reason string) {
	i.report.Add(calendar.ImportReport{RefusedCount: 1, Refused: []calendar.RefusedEntry{{Source: source, Reason: reason}}})
}

// Flush stores the current batch. It must be called at the end of an import.
func (i *Importer) Flush(ctx context.Context) error {
	for rest := i.batch; len(rest) > 0; {
		var done calendar.ImportReport
		var next []calendar.ImportEntry
		err := i.db.Write(ctx, func(tx *store.Tx) (err error) {
			done, next, err = i.calendar.Import(tx, i.viewer, i.target, rest)
			return err
		})
		if err != nil {
			return err
		}
		i.report.Add(done)
		rest = next
	}
	i.batch, i.bytes = i.batch[:0], 0
	return nil
}

// switchTo stores the current batch and selects the calendar for the following
// entries.
func (i *Importer) switchTo(ctx context.Context, target string) error {
	if target == i.target {
		return nil
	}
	err := i.Flush(ctx)
	i.target = target
	return err
}

// AddAll adds all entries of a stream.
func (i *Importer) AddAll(ctx context.Context, source string, c *ics.Stream) error {
	for e := range c.Entries() {
		if err := i.add(ctx, source, e); err != nil {
			return err
		}
	}
	return nil
}
