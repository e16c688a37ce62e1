package calendar

import (
	"appliance/store"
	"appliance/svc"
)

// Exported is one entry as it was stored.
type Exported struct {
	Name string `json:"name"`
	Data string `json:"data"` // iCalendar
}

// Export shows all that a member has here, each calendar before what is in it.
// Little of it is in memory at once.
func (s *Service) Export(tx *store.Tx, member svc.MemberID, calendar func(Calendar) error, entry func(Exported) error) error {
	calendars, err := s.calendarsOf(tx, member)
	if err != nil {
		return err
	}
	for _, c := range calendars {
		if err := calendar(c); err != nil {
			return err
		}
		var rows []objectRow
		if err := tx.Select(&rows, s.q.All, store.Args{"calendar": c.ID}); err != nil {
			return err
		}
		list := make([]dataRef, len(rows))
		for i, r := range rows {
			list[i] = r.dataRef
		}
		err := s.each(tx, list, func(i int, raw []byte) error { return entry(Exported{rows[i].Segment, string(raw)}) })
		if err != nil {
			return err
		}
	}
	return nil
}
