package index

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
)

// Sources are the events and tasks that Time contributes to a dataset.
type Sources struct {
	Appointments svc.List[Source] `json:"appointments"`
	Tasks        svc.List[Source] `json:"tasks"`
}

// Source is an event or a task without URLs. Schema: service.time.object_source.
type Source struct {
	Source            SourceRef         `json:"source"`
	ObjectType        string            `json:"object_type"` // "calendar_event" or "task"
	Title             string            `json:"title"`
	Summary           string            `json:"summary"`
	State             view.State        `json:"state"`
	DomainPermissions view.Permissions  `json:"domain_permissions"`
	DomainActions     svc.List[string]  `json:"domain_actions"` // "open_time_object", "update_time_object", "delete_time_object"
	Relationships     svc.List[svc.Map] `json:"relationships"`  // always empty
}

// SourceRef identifies an object and its service.
type SourceRef struct {
	Service      string `json:"service"`       // "time"
	ResourceType string `json:"resource_type"` // equal to object_type
	ResourceID   string `json:"resource_id"`
}

// newSource returns the source of an object.
func newSource(o view.Object, actions svc.List[string]) Source {
	return Source{
		Source: SourceRef{"time", o.ObjectType, o.ID}, ObjectType: o.ObjectType, Title: o.Title, Summary: o.Summary,
		State: o.State, DomainPermissions: o.Permissions, DomainActions: actions,
	}
}

// Sources returns the objects of v with an occurrence in [from, to), each with
// the occurrence to show, and all open tasks. Floating times are read in loc. actions
// returns the domain_actions of an object, which World declares.
func (x *Index) Sources(
	tx *store.Tx, v svc.Viewer, loc *time.Location, from, to time.Time, actions func(view.Object) svc.List[string],
) (list Sources, truncated bool, err error) {
	if !from.Before(to) {
		return list, false, svc.ParameterError("end", "The end must be after the start.")
	}
	w := window{from, tx.Now(), to, loc}
	if w.now.Before(from) {
		w.now = from
	} else if w.now.After(to) {
		w.now = to
	}
	rows, outOfWork, err := x.upcoming(tx, v, w)
	if err != nil {
		return list, false, err
	}
	truncated = outOfWork || len(rows) > maxUpcoming
	rows = rows[:min(len(rows), maxUpcoming)]
	ids, position := make([]string, len(rows)), make(map[string]int, len(rows))
	for i, r := range rows {
		ids[i], position[r.ID] = r.ID, i
	}
	objects := make([]*view.Object, len(rows))
	outOfWork, err = x.load(tx, v, ids, func(r object.Visible, o *ics.Object) {
		i := occurrence.NextFrom(o, w.from, w.now, w.to, loc)
		obj := view.Summarize(v.Language(), r.Info(), o, view.MainComponent(o, i), i)
		obj.SetOverdue(o, i, tx.Now(), loc)
		objects[position[r.ID]] = &obj
	})
	for _, o := range objects {
		switch {
		case o == nil: // load reached a limit
		case o.ObjectType == view.EventType:
			list.Appointments = append(list.Appointments, newSource(*o, actions(*o)))
		default:
			list.Tasks = append(list.Tasks, newSource(*o, actions(*o)))
		}
	}
	return list, truncated || outOfWork, err
}
