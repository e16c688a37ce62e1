package calendar

import (
	"appliance/store"
	"appliance/svc/calendar/ics"
)

// reindexAtOnce is how many entries are indexed anew in one transaction.
const reindexAtOnce = 50

// Reindex moves the index of series on with the present, some at a time. It
// goes on after the entry numbered after, and returns where the next call has
// to, 0 if it is done. An hourly job calls it.
func (s *Service) Reindex(tx *store.Tx, after int64) (last int64, err error) {
	last, _, err = s.reindex(tx, s.q.PartlyIndexed, store.Args{
		"until": store.MillisOf(tx.Now().Add(indexRenew)), "after": after, "limit": reindexAtOnce,
	})
	return last, err
}

// Rebuild makes all that columns say of entries anew from their octets, some
// at a time, as Reindex goes on. done is how many they were.
func (s *Service) Rebuild(tx *store.Tx, after int64) (last int64, done int, err error) {
	return s.reindex(tx, s.q.Entries, store.Args{"after": after, "limit": reindexAtOnce})
}

// reindex indexes the entries of a query anew.
func (s *Service) reindex(tx *store.Tx, which store.Query, args store.Args) (last int64, done int, err error) {
	var rows []objectRow
	if err := tx.Select(&rows, which, args); err != nil {
		return 0, 0, err
	}
	list := make([]dataRef, len(rows))
	for i, r := range rows {
		list[i] = r.dataRef
	}
	err = s.read(tx, list, func(i int, o *ics.Object) error {
		r, e := rows[i], Prepare(o, tx.Now())
		args := e.args(tx, 0) // the calendar has not changed
		args["n"] = r.N
		for _, name := range []string{"uid", "seq", "now"} {
			delete(args, name)
		}
		if _, err := tx.Exec(s.q.Reindex, args); err != nil {
			return err
		}
		if _, err := tx.Exec(s.q.ClearOccurrences, store.Args{"n": r.N}); err != nil {
			return err
		}
		return s.putOccurrences(tx, r.CalendarID, r.N, e.index)
	})
	if err != nil || len(rows) < reindexAtOnce {
		return 0, len(rows), err
	}
	return rows[len(rows)-1].N, len(rows), nil
}
