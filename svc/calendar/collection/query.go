package collection

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
)

// matchRow is a resource that the occurrence index found. If Certain is false,
// its text must be evaluated to decide whether it overlaps the range.
type matchRow struct {
	Resource
	Certain bool `db:"certain"`
}

// MatchingResources returns the object resources of a calendar that match a
// filter. It also returns the resources that were not evaluated because of the
// limits of a request. Floating times are read in zone, or in the time zone of
// the calendar if zone is nil.
func (s *Service) MatchingResources(tx *store.Tx, v svc.Viewer, calendar string, f ics.Filter, zone *time.Location) ([]Resource, error) {
	c, err := s.objects.CalendarAt(tx, v.Member(), calendar)
	if err != nil {
		return nil, err
	}
	if zone == nil {
		zone = c.Location()
	}
	component, from, to, exact := f.Window()
	var rows []matchRow
	if from.IsZero() && to.IsZero() {
		err = tx.Select(&rows, s.q.ResourcesOfComponent, store.Args{"calendar": c.ID, "component": component})
	} else {
		r := occurrence.NewRange(from, to, zone)
		err = tx.Select(&rows, s.q.ResourcesInRange, store.Args{
			"calendar": c.ID, "component": component, "bands": store.JSONArray(r.Bands(tx.Now())), "from": r.From, "to": r.To,
		})
	}
	if err != nil {
		return nil, err
	}
	list := make([]Resource, 0, len(rows))
	var uncertain []Resource
	var refs []object.Ref
	for _, r := range rows {
		if exact && r.Certain {
			list = append(list, r.Resource)
		} else {
			uncertain, refs = append(uncertain, r.Resource), append(refs, object.Ref{N: r.N, Size: r.Size})
		}
	}
	visited, _, err := s.objects.EachWithin(tx, refs, func(i int, o *ics.Object) error {
		if f.Match(o, zone) {
			list = append(list, uncertain[i])
		}
		return nil
	})
	return append(list, uncertain[visited:]...), err
}
