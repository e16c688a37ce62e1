package transfer

import (
	"context"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
)

// Limits of the entries that are in memory at once.
const (
	batchEntries = 100
	batchBytes   = 512 << 10 // parsing needs up to 25 times as much memory
)

// Importer stores entries in calendars of a member, in batches. Batches stored
// before an interruption remain, and repeating the import adds the rest.
type Importer struct {
	db       *store.DB
	calendar *calendar.Service
	viewer   svc.Viewer

	report calendar.ImportReport
}

// NewImporter returns an Importer that stores entries in calendars of v.
func NewImporter(db *store.DB, s *calendar.Service, v svc.Viewer) *Importer {
	return &Importer{db: db, calendar: s, viewer: v}
}

// Report returns the entries that were stored or refused so far, in the language of the member.
func (i *Importer) Report() calendar.ImportReport { return i.report.In(i.viewer.Language()) }

// Add adds the entries of a stream to those of a calendar. source names the stream, for the report.
func (i *Importer) Add(a *ics.Assembly, source string, s *ics.Stream) {
	a.Add(source, s)
	i.report.Entries += s.Len()
}

// Import stores the entries in the calendar with an id. progress may be nil.
func (i *Importer) Import(ctx context.Context, calendarID string, a *ics.Assembly, progress func(done, total int64)) error {
	work := svc.WorkOf(ctx)
	var batch []calendar.ImportEntry
	octets, done := 0, int64(0)
	for e := range a.Entries(work) {
		in, err := calendar.PrepareEntry(work, e, i.db.Now())
		if err != nil {
			return err
		}
		batch = append(batch, in)
		if octets += in.Size(); len(batch) < batchEntries && octets < batchBytes {
			continue
		}
		if err := i.store(ctx, calendarID, batch); err != nil {
			return err
		}
		if done += int64(len(batch)); progress != nil {
			progress(min(done, a.Len()), a.Len())
		}
		batch, octets = batch[:0], 0
	}
	if err := i.store(ctx, calendarID, batch); err != nil {
		return err
	}
	if progress != nil {
		progress(a.Len(), a.Len())
	}
	return nil
}

// store stores a batch of entries.
func (i *Importer) store(ctx context.Context, calendarID string, list []calendar.ImportEntry) error {
	for len(list) > 0 {
		var done calendar.ImportResult
		err := i.db.Write(ctx, func(tx *store.Tx) (err error) {
			done, err = i.calendar.Import(tx, i.viewer, calendarID, list)
			return err
		})
		if err != nil {
			return err
		}
		i.report.Add(done.Report)
		list = done.Rest
		if len(done.Unresolved) == 0 {
			continue
		}
		err = i.db.Read(ctx, func(tx *store.Tx) error {
			return i.calendar.ResolveImport(tx, i.viewer, calendarID, done.Unresolved)
		})
		if err != nil {
			return err
		}
		list = append(done.Unresolved, list...)
	}
	return nil
}
