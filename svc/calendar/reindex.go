package calendar

import (
	"iter"
	"time"

	"appliance/store"
	"appliance/svc/calendar/ics"
)

// Indexing entries anew takes three steps, so that nobody waits for more than
// the last: they are read, expanded in no transaction at all, and written.
const (
	reindexAtOnce = 50         // entries that are read
	reindexRows   = maxIndexed // instances that are written, as many as storing one entry may take
)

// Batch is some entries that are to be indexed anew.
type Batch struct {
	Last int64 // the next batch is what comes after this; 0: there is none

	rows []objectRow
	data [][]byte
}

// Reindexed is an entry with its new index.
type Reindexed struct {
	row   objectRow
	entry *Entry
}

// PartlyIndexed returns the first series numbered after that one whose index
// ends too soon. An hourly job moves it on with the present.
func (s *Service) PartlyIndexed(tx *store.Tx, after int64) (Batch, error) {
	return s.batch(tx, s.q.PartlyIndexed, store.Args{"until": store.MillisOf(tx.Now().Add(indexRenew)), "after": after})
}

// AllEntries returns the first entries numbered after that one, whoever has
// them.
func (s *Service) AllEntries(tx *store.Tx, after int64) (Batch, error) {
	return s.batch(tx, s.q.Entries, store.Args{"after": after})
}

func (s *Service) batch(tx *store.Tx, which store.Query, args store.Args) (b Batch, err error) {
	args["limit"] = reindexAtOnce
	if err := tx.Select(&b.rows, which, args); err != nil || len(b.rows) == 0 {
		return b, err
	}
	more := len(b.rows) == reindexAtOnce
	var numbers []int64
	octets := 0
	for i, r := range b.rows {
		if octets += r.Size; octets > portion && i > 0 {
			b.rows, more = b.rows[:i], true
			break
		}
		numbers = append(numbers, r.N)
	}
	if more {
		b.Last = numbers[len(numbers)-1]
	}
	b.data, err = numbered[[]byte](tx, s.q.Data, numbers...)
	return b, err
}

// Expand makes all that columns say of the entries anew from their octets, as
// of now, in portions for one write each. What cannot be read stays as it is.
func (b Batch) Expand(now time.Time) iter.Seq[[]Reindexed] {
	return func(yield func([]Reindexed) bool) {
		var list []Reindexed
		rows := 0
		for i, row := range b.rows {
			o, err := ics.Parse(b.data[i])
			if err != nil {
				continue
			}
			e := Prepare(o, now)
			if n := len(e.index.occurrences); list == nil || rows+n <= reindexRows {
				list, rows = append(list, Reindexed{row, e}), rows+n
				continue
			}
			if !yield(list) {
				return
			}
			list, rows = []Reindexed{{row, e}}, len(e.index.occurrences)
		}
		if list != nil {
			yield(list)
		}
	}
}

// Reindex writes new indexes. An entry that has been changed since it was read
// has had a new one with that.
func (s *Service) Reindex(tx *store.Tx, list []Reindexed) error {
	for _, one := range list {
		args := one.entry.args(tx, 0) // the calendar has not changed
		args["n"], args["was"] = one.row.N, one.row.ETag
		for _, name := range []string{"uid", "seq", "now"} {
			delete(args, name)
		}
		var calendar string
		err := tx.Get(&calendar, s.q.Reindex, args)
		if store.IsNoRows(err) {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(s.q.ClearOccurrences, store.Args{"n": one.row.N}); err != nil {
			return err
		}
		if err := s.putOccurrences(tx, calendar, one.row.N, one.entry.index); err != nil {
			return err
		}
	}
	return nil
}
