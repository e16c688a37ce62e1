package calendar

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Sources are the appointments and tasks that Time offers to whoever composes
// a dataset.
type Sources struct {
	Appointments svc.List[Source] `json:"appointments"`
	Tasks        svc.List[Source] `json:"tasks"`
}

// Source is an entry as its producer tells of it: what it is and what may be
// done with it, without any address. Schema: service.time.object_source.
type Source struct {
	Source            SourceRef         `json:"source"`
	ObjectType        string            `json:"object_type"` // EventType or TaskType
	Title             string            `json:"title"`
	Summary           string            `json:"summary"`
	State             State             `json:"state"`
	DomainPermissions Permissions       `json:"domain_permissions"`
	DomainActions     svc.List[string]  `json:"domain_actions"` // "open_time_object", "update_time_object", "delete_time_object"
	Relationships     svc.List[svc.Map] `json:"relationships"`  // none: Time ties no entry to another
}

// SourceRef names an entry and who holds it.
type SourceRef struct {
	Service      string `json:"service"`       // "time"
	ResourceType string `json:"resource_type"` // as the object_type
	ResourceID   string `json:"resource_id"`
}

// NewSource returns the object as its producer tells of it.
func NewSource(o Object) Source {
	actions := svc.List[string]{"open_time_object"}
	if o.Permissions.CanUpdate {
		actions = append(actions, "update_time_object")
	}
	if o.Permissions.CanDelete {
		actions = append(actions, "delete_time_object")
	}
	return Source{
		Source: SourceRef{"time", o.ObjectType, o.ID}, ObjectType: o.ObjectType, Title: o.Title, Summary: o.Summary,
		State: o.State, DomainPermissions: o.Permissions, DomainActions: actions,
	}
}

// SourceWindow is the range of time that [Service.Sources] is about for
// whoever names none.
func SourceWindow(now time.Time, loc *time.Location) (from, to time.Time) {
	return datasetWindow(now, loc)
}

// Sources returns what v has in a range of time, each entry once with the
// instance to speak of, and the tasks that are still to do (B-61). cut is true
// if there is more. Floating times are read in loc.
func (s *Service) Sources(tx *store.Tx, v svc.Viewer, loc *time.Location, from, to time.Time) (list Sources, cut bool, err error) {
	if !from.Before(to) {
		return list, false, svc.ParameterError("end", "end must be after start.")
	}
	w := window{from, tx.Now(), to, loc}
	if w.now.Before(from) {
		w.now = from
	} else if w.now.After(to) {
		w.now = to
	}
	rows, err := s.upcoming(tx, v, w)
	if err != nil {
		return list, false, err
	}
	if cut = len(rows) > maxUpcoming; cut {
		rows = rows[:maxUpcoming]
	}
	ids, place := make([]string, len(rows)), make(map[string]int, len(rows))
	for i, r := range rows {
		ids[i], place[r.ID] = r.ID, i
	}
	objects := make([]*Object, len(rows))
	err = s.load(tx, v, ids, func(r viewed, o *ics.Object) {
		i := nextWithin(o, w.from, w.now, w.to, loc)
		if i == nil {
			i = next(o, tx.Now(), loc)
		}
		objects[place[r.ID]] = new(r.object(o, o.Components()[0], i))
	})
	for _, o := range objects {
		switch {
		case o == nil:
		case o.ObjectType == EventType:
			list.Appointments = append(list.Appointments, NewSource(*o))
		default:
			list.Tasks = append(list.Tasks, NewSource(*o))
		}
	}
	return list, cut, err
}
