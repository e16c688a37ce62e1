package calendar

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Exported is a calendar with everything in it.
type Exported struct {
	Calendar Calendar         `json:"calendar"`
	Objects  []ExportedObject `json:"objects"`
}

// ExportedObject is one entry as it was stored.
type ExportedObject struct {
	Name string `json:"name"`
	Data string `json:"data"` // iCalendar
}

// Export returns all that a member has here.
func (s *Service) Export(tx *store.Tx, member svc.MemberID) ([]Exported, error) {
	calendars, err := s.calendarsOf(tx, member)
	if err != nil {
		return nil, err
	}
	list := make([]Exported, len(calendars))
	for i, c := range calendars {
		var rows []Resource
		if err := tx.Select(&rows, s.q.All, store.Args{"calendar": c.ID}); err != nil {
			return nil, err
		}
		list[i] = Exported{c, make([]ExportedObject, len(rows))}
		for n, r := range rows {
			list[i].Objects[n] = ExportedObject{r.Segment, string(r.Data)}
		}
	}
	return list, nil
}

// reindexAtOnce is how many series are indexed anew in one transaction.
const reindexAtOnce = 50

// Reindex moves the index of series on with the present, some at a time. It
// goes on after the entry numbered after, and returns where the next call has
// to, 0 if it is done. An hourly job calls it.
func (s *Service) Reindex(tx *store.Tx, after int64) (last int64, err error) {
	var rows []objectRow
	err = tx.Select(&rows, s.q.PartlyIndexed, store.Args{
		"until": store.MillisOf(tx.Now().Add(indexRenew)), "after": after, "limit": reindexAtOnce,
	})
	if err != nil {
		return 0, err
	}
	list := make([]dataRef, len(rows))
	for i, r := range rows {
		list[i] = r.dataRef
	}
	err = s.read(tx, list, func(i int, o *ics.Object) error {
		r, x := rows[i], indexOf(o, tx.Now())
		if _, err := tx.Exec(s.q.Reindex, store.Args{
			"n": r.N, "floating": x.floating, "begins": x.begins, "ends": x.ends, "indexed_from": x.from, "indexed_to": x.to,
		}); err != nil {
			return err
		}
		if _, err := tx.Exec(s.q.ClearOccurrences, store.Args{"n": r.N}); err != nil {
			return err
		}
		return s.putOccurrences(tx, r.CalendarID, r.N, x)
	})
	if err != nil {
		return 0, err
	}
	if len(rows) < reindexAtOnce {
		return 0, nil
	}
	return rows[len(rows)-1].N, nil
}
