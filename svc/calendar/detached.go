package calendar

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
)

// detached returns the task that an occurrence of the series o in a calendar became when
// it was completed, nil if there is none.
func (s *Service) detached(tx *store.Tx, calendarID string, o *ics.Object, recurrenceID string) (*object.TaskRow, error) {
	uid := edit.DetachedUID(o, recurrenceID)
	if uid == "" {
		return nil, nil
	}
	return s.objects.TaskOfUID(tx, calendarID, uid)
}

// rewind computes a change that returns the object of an occurrence to its series o. It
// computes nothing if the change or the series does not allow it: the change then applies
// to the object.
func (d *Draft) rewind(tx *store.Tx, o *ics.Object, in edit.ObjectChange, detached *object.TaskRow) error {
	if err := d.check(in.ETag); err != nil {
		return err
	}
	if !in.Reopens() || detached.Open {
		return nil
	}
	r, ok, err := in.Rewind(o, tx.Now())
	if ok {
		d.returned = &detached.Row
		return d.prepare(tx, r, err)
	}
	return err
}

// storeDetached stores the object of an occurrence that left its series, and returns its
// id. It replaces the object of the same occurrence that was completed before.
func (s *Service) storeDetached(tx *store.Tx, v svc.Viewer, d *Draft) (id string, err error) {
	c, err := s.objects.WritableCalendar(tx, v.Member(), d.base.CalendarID)
	if err != nil {
		return "", err
	}
	r, err := s.objects.TaskOfUID(tx, c.ID, d.detached.Object.UID)
	switch {
	case err != nil:
		return "", err
	case r == nil:
		return s.objects.Add(tx, c, "", d.detached)
	}
	return r.ID, s.objects.Replace(tx, c.ID, r.N, d.detached)
}
