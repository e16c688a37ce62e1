package object

import (
	"iter"
	"time"

	"appliance/store"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/occurrence"
)

// Recomputing columns takes three steps, so that writes are short: a batch is
// read, prepared outside of any transaction, and written in portions.
const (
	reindexBatch  = 50                 // objects that are read at once
	reindexWrites = 18                 // objects that are written at once, with three statements each
	reindexRows   = occurrence.MaxRows // occurrences that are written at once
)

// Batch is a batch of objects to recompute.
type Batch struct {
	Last int64 // the key after which the next batch begins; 0 if there is none

	rows   []Row
	texts  [][]byte
	stored []storedIndex // of the rows; nil if all objects of the batch are recomputed
}

// ReindexedObject is an object with its recomputed columns.
type ReindexedObject struct {
	row      Row
	prepared *Prepared
}

// PartlyIndexed returns the next batch of series whose occurrence index ends
// too early. The batch begins after the key after.
func (s *Store) PartlyIndexed(tx *store.Tx, after int64) (Batch, error) {
	return s.batch(tx, s.q.PartlyIndexed, store.Args{"until": store.MillisOf(tx.Now().Add(occurrence.MinAhead)), "after": after})
}

// AllObjects returns the next batch of the objects of all members. The batch
// begins after the key after.
func (s *Store) AllObjects(tx *store.Tx, after int64) (Batch, error) {
	return s.batch(tx, s.q.AllObjects, store.Args{"after": after})
}

func (s *Store) batch(tx *store.Tx, q store.Query, args store.Args) (b Batch, err error) {
	args["limit"] = reindexBatch
	if err := tx.Select(&b.rows, q, args); err != nil {
		return b, err
	}
	_, err = s.load(tx, &b)
	return b, err
}

// load reads the texts of the rows. If they are too large, it removes the last rows. It returns
// the keys of the others.
func (s *Store) load(tx *store.Tx, b *Batch) (keys []int64, err error) {
	if len(b.rows) == 0 {
		return nil, nil
	}
	more := len(b.rows) == reindexBatch
	octets := 0
	for i, r := range b.rows {
		if octets += r.Size; octets > batchOctets && i > 0 {
			b.rows, more = b.rows[:i], true
			break
		}
		keys = append(keys, r.N)
	}
	if more {
		b.Last = keys[len(keys)-1]
	}
	b.texts, err = s.Data(tx, keys)
	return keys, err
}

// Prepare recomputes the columns of the objects as of now and yields portions
// for one write each. It skips objects that cannot be parsed, and those of
// [Store.ZoneBatch] whose occurrences are the stored ones.
func (b Batch) Prepare(now time.Time) iter.Seq[[]ReindexedObject] {
	return func(yield func([]ReindexedObject) bool) {
		var list []ReindexedObject
		rows := 0
		for i, row := range b.rows {
			o, err := ics.Parse(b.texts[i])
			if err != nil || b.stored != nil && !b.stored[i].differs(o) {
				continue
			}
			p := Prepare(o, now)
			if n := len(p.index.Rows); list != nil && rows+n > reindexRows || len(list) == reindexWrites {
				if !yield(list) {
					return
				}
				list, rows = nil, 0
			}
			list, rows = append(list, ReindexedObject{row, p}), rows+len(p.index.Rows)
		}
		if list != nil {
			yield(list)
		}
	}
}

// Reindex stores recomputed columns. It skips objects that have changed since
// they were read.
func (s *Store) Reindex(tx *store.Tx, list []ReindexedObject) error {
	_, err := s.reindex(tx, list)
	return err
}

// reindex is Reindex. It returns the calendars of the objects.
func (s *Store) reindex(tx *store.Tx, list []ReindexedObject) (calendars []string, err error) {
	for _, r := range list {
		args := r.prepared.args()
		args["n"], args["was"] = r.row.N, r.row.ETag
		var calendarID string
		err := tx.Get(&calendarID, s.q.ReindexObject, args)
		if store.IsNoRows(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		calendars = append(calendars, calendarID)
		if err := s.replaceOccurrences(tx, calendarID, r.row.N, r.prepared); err != nil {
			return nil, err
		}
	}
	return calendars, nil
}
