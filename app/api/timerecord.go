package api

import (
	"errors"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
	"appliance/world/action"
	"appliance/world/record"
)

// calendarRecords returns the records of calendars, with the members who share them. Members
// whom v cannot see are omitted.
func (s *Server) calendarRecords(tx *store.Tx, v svc.Viewer, calendars ...calendar.Calendar) (svc.List[record.Calendar], error) {
	people, err := s.sharingPeople(tx, v, calendars)
	return record.List(calendars, func(c calendar.Calendar) record.Calendar { return record.NewCalendar(c, people) }), err
}

// sharingPeople returns the members who share calendars with v: active members, except
// those on one side of a block.
func (s *Server) sharingPeople(tx *store.Tx, v svc.Viewer, calendars []calendar.Calendar) (map[svc.MemberID]svc.Person, error) {
	var ids []svc.MemberID
	for _, c := range calendars {
		for _, other := range c.Others {
			ids = append(ids, other.Member)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	hidden, err := s.Social.Hidden(tx, v.Member())
	if err != nil {
		return nil, err
	}
	people, err := s.Identity.People(tx, ids)
	for _, m := range hidden {
		delete(people, m)
	}
	return people, err
}

// calendarAnswer returns the response with the calendar c.
func (s *Server) calendarAnswer(tx *store.Tx, v svc.Viewer, c calendar.Calendar, refresh *refreshHint) (calendarResponse, error) {
	list, err := s.calendarRecords(tx, v, c)
	return calendarResponse{list[0], refresh}, err
}

// openRecord returns the record of an entry with the controls of its actions. Whether
// a task is overdue depends on the member's time zone.
func (s *Server) openRecord(tx *store.Tx, v svc.Viewer, o view.Object) (record.TimeObject, error) {
	if o.ObjectType == view.TaskType {
		loc, err := s.location(tx, v, "")
		if err != nil {
			return record.TimeObject{}, err
		}
		if err := s.Calendar.SetOverdue(tx, v, &o, loc); err != nil {
			return record.TimeObject{}, err
		}
	}
	calendars, err := s.Calendar.Calendars(tx, v)
	return record.NewOpenTimeObject(v.Language(), o, calendars), err
}

// objectAnswer returns the response with the entry o.
func (s *Server) objectAnswer(tx *store.Tx, v svc.Viewer, o view.Object, refresh *refreshHint) (objectResponse, error) {
	r, err := s.openRecord(tx, v, o)
	return objectResponse{Object: r, Refresh: refresh}, err
}

// writtenAnswer returns the response with an entry after a write.
func (s *Server) writtenAnswer(tx *store.Tx, v svc.Viewer, w calendar.Written) (objectResponse, error) {
	a, err := s.objectAnswer(tx, v, w.Object, &timeRefresh)
	a.Undo = record.UndoChange(v.Language(), w.Undoable)
	a.RemovedExceptions, a.Notice = w.RemovedExceptions, notice(v.Language(), w)
	return a, err
}

// notice returns what a write did beyond the fields that it set, "" for nothing.
func notice(l words.Language, w calendar.Written) string {
	var sentences []string
	if w.MovedStart {
		first := w.Object.State.Start
		if t := w.Object.State.TaskState; first == nil && t != nil {
			first = t.Due
		}
		sentences = append(sentences, startNotice(l, first.Day()))
	}
	if n := w.RemovedExceptions; n > 0 {
		sentences = append(sentences, l.Textf("{0, plural, one {# exception was removed, because the series no longer has its date.} other {# exceptions were removed, because the series no longer has their dates.}}", n))
	}
	return strings.Join(sentences, " ")
}

// startNotice says that a series begins on another day than the member has entered.
func startNotice(l words.Language, day time.Time) string {
	return l.Textf("The series begins on %s, the first date of its rule.", l.Date(day, "2 January 2006"))
}

// withCurrentObject adds the entry as it is now to a version conflict, with the occurrence
// that the request named or that takes its place. It returns other errors unchanged.
func (s *Server) withCurrentObject(tx *store.Tx, v svc.Viewer, id, recurrenceID string, err error) error {
	return withCurrent(err, func() (any, error) {
		o, err := s.Calendar.OccurrenceNow(tx, v, id, recurrenceID)
		if err != nil {
			return nil, err
		}
		return s.openRecord(tx, v, o)
	})
}

// withCurrentCalendar is withCurrentObject for a calendar.
func (s *Server) withCurrentCalendar(tx *store.Tx, v svc.Viewer, id string, err error) error {
	return withCurrent(err, func() (any, error) {
		c, err := s.Calendar.Calendar(tx, v, id)
		if err != nil {
			return nil, err
		}
		list, err := s.calendarRecords(tx, v, c)
		return list[0], err
	})
}

// withCurrent adds the result of current to a version conflict.
func withCurrent(err error, current func() (any, error)) error {
	var conflict *svc.Error
	if !errors.As(err, &conflict) || conflict.Code != svc.VersionConflict {
		return err
	}
	r, err := current()
	if err != nil {
		return err
	}
	return conflict.WithCurrent(r)
}

// completion returns the task before a change that completes it. It returns nil for other
// changes, and if reopening the task would not undo the change.
func (s *Server) completion(tx *store.Tx, v svc.Viewer, id string, in edit.ObjectChange) (*view.Object, error) {
	if edit.TaskStatus(in.Status.Value) != edit.TaskCompleted || in.Scope == edit.ThisAndFuture {
		return nil, nil
	}
	recurrenceID := singleOccurrence(in)
	o, err := s.Calendar.Occurrence(tx, v, id, recurrenceID)
	switch {
	case err != nil && svc.KindOf(err) != svc.Internal: // the change reports the error
		return nil, nil
	case err != nil:
		return nil, err
	case o.ObjectType != view.TaskType, o.State.IsDone(), in.Scope != edit.This && o.State.Recurrence.Overrides > 0:
		return nil, nil
	}
	return &o, nil
}

// singleOccurrence returns the recurrence id of a change of one occurrence, or of the
// occurrences up to today that begin with it; "" for other changes.
func singleOccurrence(in edit.ObjectChange) string {
	if in.Scope == edit.This || in.Scope == edit.UpToToday {
		return in.RecurrenceID
	}
	return ""
}

// recurrenceOptions are the frequencies and weekdays that the form of a recurrence
// offers.
type recurrenceOptions struct {
	record.Options
	Weekdays svc.List[action.Option] `json:"weekdays"`
}

// listRecurrenceOptions lists the options of a control of the type recurrence.
func (s *Server) listRecurrenceOptions(tx *store.Tx, v svc.Viewer, _ struct{}) (recurrenceOptions, error) {
	b, err := s.Calendar.Boundaries(tx, v.Member())
	frequencies := action.Frequencies(v.Language())
	return recurrenceOptions{record.Options{Options: frequencies, Page: svc.Page{Limit: len(frequencies)}}, action.Weekdays(v.Language(), b.WeekStart)}, err
}
