package calendar

import (
	"appliance/store"
	"appliance/svc"
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
