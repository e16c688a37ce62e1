package app

import (
	"context"
	"net/http"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/world"
)

func (s *server) getCalendars(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		calendars, err := s.calendar.Calendars(tx, v)
		list := make([]world.Calendar, len(calendars))
		for i, c := range calendars {
			list[i] = world.NewCalendar(c)
		}
		return map[string]any{"calendars": list}, err
	})
}

// calendarAnswer is the answer to whatever is about one calendar.
type calendarAnswer struct {
	Calendar world.Calendar `json:"calendar"`
	Refresh  *refresh       `json:"refresh,omitzero"`
}

func (s *server) getCalendar(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		c, err := s.calendar.Calendar(tx, v, r.PathValue("id"))
		return calendarAnswer{Calendar: world.NewCalendar(c)}, err
	})
}

func (s *server) createCalendar(tx *store.Tx, v svc.Viewer, in calendar.NewCalendar) (any, error) {
	c, err := s.calendar.CreateCalendar(tx, v, in)
	return calendarAnswer{world.NewCalendar(c), &timeRefresh}, err
}

type calendarChange struct {
	ID      string `json:"-" path:"id"`
	IfMatch string `json:"-" header:"If-Match"`
	calendar.CalendarChange
}

func (s *server) updateCalendar(tx *store.Tx, v svc.Viewer, in calendarChange) (any, error) {
	if in.IfMatch != "" {
		in.ETag = in.IfMatch
	}
	c, err := s.calendar.UpdateCalendar(tx, v, in.ID, in.CalendarChange)
	return calendarAnswer{world.NewCalendar(c), &timeRefresh}, err
}

type calendarDeletion struct {
	ID     string `json:"-" path:"id"`
	MoveTo string `json:"-" query:"move_to"`
}

func (s *server) deleteCalendar(tx *store.Tx, v svc.Viewer, in calendarDeletion) (any, error) {
	moved, err := s.calendar.DeleteCalendar(tx, v, in.ID, in.MoveTo)
	return map[string]any{"deleted": true, "moved": moved, "refresh": timeRefresh}, err
}

// objectAnswer is the answer to whatever is about one entry.
type objectAnswer struct {
	Object  world.TimeObject `json:"object"`
	Refresh *refresh         `json:"refresh,omitzero"`
}

// Short implements [world.Long]: an entry may be a megabyte.
func (a objectAnswer) Short() any {
	return map[string]any{"object": map[string]string{"id": a.Object.ID}, "refresh": a.Refresh}
}

func (s *server) getTimeObject(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		o, err := s.calendar.Object(tx, v, r.PathValue("id"))
		return objectAnswer{Object: world.NewTimeObject(o)}, err
	})
}

func (s *server) createTimeObject(tx *store.Tx, v svc.Viewer, in calendar.NewObject) (any, error) {
	o, err := s.calendar.Create(tx, v, in)
	return objectAnswer{world.NewTimeObject(o), &timeRefresh}, err
}

type objectChange struct {
	ID      string `json:"-" path:"id"`
	IfMatch string `json:"-" header:"If-Match"`
	calendar.ObjectChange
}

func (s *server) updateTimeObject(tx *store.Tx, v svc.Viewer, in objectChange) (any, error) {
	if in.IfMatch != "" {
		in.ETag = in.IfMatch
	}
	o, err := s.calendar.Patch(tx, v, in.ID, in.ObjectChange)
	return objectAnswer{world.NewTimeObject(o), &timeRefresh}, err
}

type objectDeletion struct {
	ID           string `json:"-" path:"id"`
	Scope        string `json:"-" query:"scope"`
	RecurrenceID string `json:"-" query:"recurrence_id"`
	IfMatch      string `json:"-" header:"If-Match"`
}

func (s *server) deleteTimeObject(tx *store.Tx, v svc.Viewer, in objectDeletion) (any, error) {
	err := s.calendar.Delete(tx, v, in.ID, calendar.Deletion{Scope: in.Scope, RecurrenceID: in.RecurrenceID, ETag: in.IfMatch})
	return map[string]any{"deleted": true, "refresh": timeRefresh}, err
}

// usualRange is what a list of entries spans that names no end.
const usualRange = 31 * 24 * time.Hour

// maxRange bounds what one list may span.
const maxRange = 3 * 366 * 24 * time.Hour

// getTimeObjects lists the instances in a range of time, from today for a
// month unless the query says otherwise.
func (s *server) getTimeObjects(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Start    string `json:"-" query:"start"`
		End      string `json:"-" query:"end"`
		Timezone string `json:"-" query:"timezone"`
		Calendar string `json:"-" query:"calendar_id"`
		Type     string `json:"-" query:"object_type"`
		Limit    int    `json:"-" query:"limit"`
		Cursor   string `json:"-" query:"cursor"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		me, err := s.identity.Me(tx, v)
		if err != nil {
			return nil, err
		}
		if in.Timezone == "" {
			in.Timezone = me.Member.Timezone
		}
		loc, ok := svc.Zone(in.Timezone)
		if !ok {
			return nil, svc.ParameterError("timezone", "There is no time zone %q.", in.Timezone)
		}
		q := calendar.Query{CalendarID: in.Calendar, ObjectType: in.Type, Limit: in.Limit, Cursor: in.Cursor}
		if q.From, err = moment("start", in.Start, loc, tx.Now().In(loc)); err != nil {
			return nil, err
		}
		if q.To, err = moment("end", in.End, loc, q.From.Add(usualRange)); err != nil {
			return nil, err
		}
		if q.To.Sub(q.From) > maxRange {
			return nil, svc.ParameterError("end", "Ask for three years at most.")
		}
		page, err := s.calendar.Between(tx, v, loc, q)
		if err != nil {
			return nil, err
		}
		return world.NewTimePage(page), nil
	})
}

// moment reads a parameter that is a day or a time; without it, it is the
// beginning of the usual day.
func moment(name, text string, loc *time.Location, usual time.Time) (time.Time, error) {
	if text == "" {
		usual = usual.In(loc)
		return time.Date(usual.Year(), usual.Month(), usual.Day(), 0, 0, 0, 0, loc), nil
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.ParseInLocation(form, text, loc); err == nil && t.Year() >= 1600 && t.Year() < 9000 {
			return t, nil
		}
	}
	return time.Time{}, svc.ParameterError(name, "%s must look like 2026-12-01 or 2026-12-01T09:00:00.", name)
}

// trashAnswer is the answer to whatever brings something back.
type trashAnswer struct {
	Object   *world.TimeObject `json:"object"`
	Calendar *world.Calendar   `json:"calendar"`
	Refresh  refresh           `json:"refresh"`
}

func (s *server) getTrash(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Limit  int    `json:"-" query:"limit"`
		Cursor string `json:"-" query:"cursor"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		page, err := s.calendar.Trash(tx, v, in.Limit, in.Cursor)
		list := make([]world.Trashed, len(page.Trash))
		for i, t := range page.Trash {
			list[i] = world.NewTrashed(t)
		}
		return map[string]any{"trash": list, "page": page.Page}, err
	})
}

type trashRestore struct {
	ID         string `json:"-" path:"id"`
	CalendarID string `json:"calendar_id"` // "" for where it was
}

func (s *server) restoreTrashed(tx *store.Tx, v svc.Viewer, in trashRestore) (any, error) {
	o, c, err := s.calendar.Restore(tx, v, in.ID, in.CalendarID)
	if err != nil {
		return nil, err
	}
	answer := trashAnswer{Refresh: timeRefresh}
	if o != nil {
		answer.Object = new(world.NewTimeObject(*o))
	}
	if c != nil {
		answer.Calendar = new(world.NewCalendar(*c))
	}
	return answer, nil
}

type trashDeletion struct {
	ID string `json:"-" path:"id"` // "" for everything
}

func (s *server) emptyTrash(tx *store.Tx, v svc.Viewer, in trashDeletion) (any, error) {
	n, err := s.calendar.Forget(tx, v, in.ID)
	return map[string]any{"deleted": n}, err
}

func (s *server) getCalendarFeed(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		f, err := s.calendar.Feed(tx, v, r.PathValue("id"))
		return map[string]any{"feed": f}, err
	})
}

// makeFeed is not relayed: what a repeated request is answered with is kept in
// the database, where no secret belongs.
func (s *server) makeFeed(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	f, err := s.newFeed(r.Context(), v, r.PathValue("id"))
	if err != nil {
		return err
	}
	return reply(w, http.StatusCreated, map[string]any{"feed": f})
}

func (s *server) newFeed(ctx context.Context, v svc.Viewer, calendarID string) (f calendar.Feed, err error) {
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		f, err = s.calendar.MakeFeed(tx, v, calendarID)
		return err
	})
	return f, err
}

func (s *server) deleteFeed(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	err := s.db.Write(r.Context(), func(tx *store.Tx) error { return s.calendar.RevokeFeed(tx, v, r.PathValue("id")) })
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, map[string]any{"deleted": true})
}
