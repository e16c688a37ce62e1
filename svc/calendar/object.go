package calendar

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/view"
)

// NewObject is an event or a task to create.
type NewObject struct {
	ObjectType string `json:"object_type"`
	edit.Change
}

// Written is an object after a write.
type Written struct {
	Object view.Object
	edit.Outcome
	Undoable *Undoable // nil unless the write can be undone
}

// Object returns an event or a task of v.
func (s *Service) Object(tx *store.Tx, v svc.Viewer, id string) (view.Object, error) {
	r, o, err := s.objects.Open(tx, v.Member(), id)
	if err != nil {
		return view.Object{}, err
	}
	return view.Series(v.Language(), r.Info(), o, tx.Now(), svc.StoredZone(r.CalendarTimezone)), nil
}

// Occurrence returns an event or a task of v with one of its occurrences, or with the
// occurrence that Object selects if recurrenceID is "". An occurrence that left its series
// when it was completed is an object of its own.
func (s *Service) Occurrence(tx *store.Tx, v svc.Viewer, id, recurrenceID string) (view.Object, error) {
	if recurrenceID == "" {
		return s.Object(tx, v, id)
	}
	r, o, err := s.objects.Open(tx, v.Member(), id)
	if err != nil {
		return view.Object{}, err
	}
	i, err := edit.FindOccurrence(o, recurrenceID, svc.StoredZone(r.CalendarTimezone))
	if err != nil {
		if detached, failed := s.detached(tx, r.CalendarID, o, recurrenceID); failed != nil || detached != nil {
			if failed != nil {
				return view.Object{}, failed
			}
			return s.Object(tx, v, detached.ID)
		}
		return view.Object{}, err
	}
	return view.Render(v.Language(), r.Info(), o, i.Component, &i), nil
}

// SetOverdue sets whether a task of v, or the occurrence that obj represents, is overdue.
// Dates and floating times are read in loc.
func (s *Service) SetOverdue(tx *store.Tx, v svc.Viewer, obj *view.Object, loc *time.Location) error {
	if obj.State.Occurrence == nil || obj.State.Occurrence.RecurrenceID == nil {
		obj.SetOverdue(nil, nil, tx.Now(), loc)
		return nil
	}
	_, o, err := s.objects.Open(tx, v.Member(), obj.ID)
	if err != nil {
		return err
	}
	i, err := edit.FindOccurrence(o, *obj.State.Occurrence.RecurrenceID, loc)
	if err != nil {
		return err
	}
	obj.SetOverdue(o, &i, tx.Now(), loc)
	return nil
}

// OccurrenceNow is like Occurrence for a recurrence id that an earlier version of a series
// had: it returns the occurrence that takes its place if the series has moved, or the series
// without an occurrence if there is none.
func (s *Service) OccurrenceNow(tx *store.Tx, v svc.Viewer, id, recurrenceID string) (view.Object, error) {
	present, err := s.Occurrence(tx, v, id, recurrenceID)
	if err == nil {
		return present, nil
	}
	r, o, err := s.objects.Open(tx, v.Member(), id)
	if err != nil {
		return view.Object{}, err
	}
	loc := svc.StoredZone(r.CalendarTimezone)
	if !o.Recurs() {
		return view.Series(v.Language(), r.Info(), o, tx.Now(), loc), nil
	}
	if i, found := edit.FindMoved(o, recurrenceID, loc); found {
		return view.Render(v.Language(), r.Info(), o, i.Component, &i), nil
	}
	return view.Render(v.Language(), r.Info(), o, o.Components()[0], nil), nil
}

// Titles returns the titles of objects by their ids. It omits objects that v
// cannot see.
func (s *Service) Titles(tx *store.Tx, v svc.Viewer, ids []string) (map[string]string, error) {
	var rows []struct {
		ID    string `db:"id"`
		Title string `db:"title"`
	}
	err := tx.Select(&rows, s.q.Titles, store.Args{"member": v.Member(), "ids": store.JSONArray(ids)})
	titles := make(map[string]string, len(rows))
	for _, r := range rows {
		titles[r.ID] = r.Title
	}
	return titles, err
}

// Create creates an event or a task in a calendar of v.
func (s *Service) Create(tx *store.Tx, v svc.Viewer, in NewObject) (w Written, err error) {
	component := view.Component(in.ObjectType)
	switch {
	case in.ObjectType == "":
		return w, svc.Join(svc.Required("object_type"), in.CheckTitle(true))
	case component == "":
		return w, svc.FieldError(svc.InvalidValue, "object_type", "Choose a calendar event or a task.")
	}
	c, err := s.objects.WritableCalendar(tx, v.Member(), in.CalendarID.Value)
	if err != nil {
		return w, err
	}
	if err := s.objects.CheckAccepts(tx, v.Member(), c, component, "calendar_id"); err != nil {
		return w, err
	}
	zone, _ := ics.LoadZone(c.Timezone)
	r, err := edit.New(component, in.Change, zone, tx.Now())
	if err != nil {
		return w, err
	}
	p, err := object.PrepareCounted(svc.WorkOf(tx.Context()), r.Object, tx.Now())
	if err != nil {
		return w, err
	}
	id, err := s.objects.Add(tx, c, "", p)
	if err != nil {
		return w, err
	}
	w.Outcome = r.Outcome
	w.Object, err = s.Object(tx, v, id)
	return w, err
}
