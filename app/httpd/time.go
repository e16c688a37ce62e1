package httpd

import (
	"cmp"
	"net/http"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/world"
	"appliance/world/panel"
	"appliance/world/record"
)

func (s *Server) getCalendars(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		calendars, err := s.calendar.Calendars(tx, v)
		if err != nil {
			return nil, err
		}
		list, err := s.calendarRecords(tx, v, calendars...)
		return map[string]any{"calendars": list}, err
	})
}

// calendarResponse is the response of routes about one calendar.
type calendarResponse struct {
	Calendar record.Calendar `json:"calendar"`
	Refresh  *refreshHint    `json:"refresh,omitzero"`
}

func (s *Server) getCalendar(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		c, err := s.calendar.Calendar(tx, v, r.PathValue("id"))
		if err != nil {
			return nil, err
		}
		return s.calendarAnswer(tx, v, c, nil)
	})
}

func (s *Server) createCalendar(tx *store.Tx, v svc.Viewer, in calendar.NewCalendar) (any, error) {
	c, err := s.calendar.CreateCalendar(tx, v, in)
	if err != nil {
		return nil, err
	}
	return s.calendarAnswer(tx, v, c, &timeRefresh)
}

type calendarRequest struct {
	ID      string `json:"-" path:"id"`
	IfMatch string `json:"-" header:"If-Match"`
	calendar.CalendarChange
}

func (s *Server) updateCalendar(tx *store.Tx, v svc.Viewer, in calendarRequest) (any, error) {
	if in.IfMatch != "" {
		in.ETag = in.IfMatch
	}
	c, err := s.calendar.UpdateCalendar(tx, v, in.ID, in.CalendarChange)
	if err != nil {
		return nil, s.withCurrentCalendar(tx, v, in.ID, err)
	}
	return s.calendarAnswer(tx, v, c, &timeRefresh)
}

type calendarDeletion struct {
	ID     string `json:"-" path:"id"`
	MoveTo string `json:"-" query:"move_to"`
}

// deletionOfCalendar returns the handler that deletes a calendar in one or several
// transactions.
func (s *Server) deletionOfCalendar() *writeHandler {
	o := idempotent(s, http.StatusOK, s.deleteCalendar)
	handle := o.handle
	o.handle = func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		defer s.calendar.BeginDeletion()()
		return handle(w, r, v)
	}
	return o
}

func (s *Server) deleteCalendar(tx *store.Tx, v svc.Viewer, in calendarDeletion) (any, error) {
	d, err := s.calendar.DeleteCalendar(tx, v, in.ID, in.MoveTo)
	if err != nil {
		return nil, err
	}
	if d.More || d.Failed != nil {
		return world.Interim{Err: d.Failed}, nil
	}
	return map[string]any{"deleted": true, "moved": d.Moved, "refresh": timeRefresh, "undo": record.UndoTrash(v.Language(), d.Trashed)}, nil
}

// objectResponse is the response of routes about one entry.
type objectResponse struct {
	Object  record.TimeObject `json:"object"`
	Refresh *refreshHint      `json:"refresh,omitzero"`
	Undo    *record.Undo      `json:"undo,omitzero"` // for a change that completed a task
}

// Short implements [world.Shortener]. An entry can be as large as a megabyte.
func (a objectResponse) Short() any {
	short := map[string]any{"object": map[string]string{"id": a.Object.ID}, "refresh": a.Refresh}
	if a.Undo != nil {
		short["undo"] = a.Undo
	}
	return short
}

func (s *Server) getTimeObject(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		ID           string `json:"-" path:"id"`
		RecurrenceID string `json:"-" query:"recurrence_id"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		o, err := s.calendar.Occurrence(tx, v, in.ID, in.RecurrenceID)
		if err != nil {
			return nil, err
		}
		return s.objectAnswer(tx, v, o, nil)
	})
}

func (s *Server) createTimeObject(tx *store.Tx, v svc.Viewer, in calendar.NewObject) (any, error) {
	o, err := s.calendar.Create(tx, v, in)
	if err != nil {
		return nil, err
	}
	return s.objectAnswer(tx, v, o, &timeRefresh)
}

type objectRequest struct {
	ID           string `json:"-" path:"id"`
	QueryScope   string `json:"-" query:"scope"` // like scope and recurrence_id in the body
	QueryRecurID string `json:"-" query:"recurrence_id"`
	IfMatch      string `json:"-" header:"If-Match"`
	edit.ObjectChange

	draft     *calendar.Draft
	completed *view.Object // the task before the change, if it completes the task
}

// prepare implements preparer.
func (in *objectRequest) prepare(s *Server, tx *store.Tx, v svc.Viewer) (err error) {
	in.ETag = cmp.Or(in.IfMatch, in.ETag)
	in.Scope = cmp.Or(in.QueryScope, in.Scope)
	in.RecurrenceID = cmp.Or(in.QueryRecurID, in.RecurrenceID)
	if in.completed, err = s.completion(tx, v, in.ID, in.ObjectChange); err != nil {
		return err
	}
	in.draft, err = s.calendar.Draft(tx, v, in.ID, in.ObjectChange)
	return err
}

func (s *Server) updateTimeObject(tx *store.Tx, v svc.Viewer, in objectRequest) (any, error) {
	o, err := s.calendar.Patch(tx, v, in.ID, in.ObjectChange, in.draft)
	if err != nil {
		return nil, s.withCurrentObject(tx, v, in.ID, in.RecurrenceID, err)
	}
	a, err := s.objectAnswer(tx, v, o, &timeRefresh)
	if in.completed != nil {
		recurrenceID := ""
		if in.Scope == edit.This {
			recurrenceID = in.RecurrenceID
		}
		a.Undo = record.UndoCompletion(v.Language(), *in.completed, recurrenceID)
	}
	return a, err
}

type objectDeletion struct {
	ID           string `json:"-" path:"id"`
	QueryScope   string `json:"-" query:"scope"` // like scope and recurrence_id in the body
	QueryRecurID string `json:"-" query:"recurrence_id"`
	IfMatch      string `json:"-" header:"If-Match"`
	Scope        string `json:"scope"`
	RecurrenceID string `json:"recurrence_id"`
	ETag         string `json:"etag"`

	draft *calendar.Draft
}

func (in *objectDeletion) deletion() edit.Deletion {
	return edit.Deletion{
		Scope: cmp.Or(in.QueryScope, in.Scope), RecurrenceID: cmp.Or(in.QueryRecurID, in.RecurrenceID), ETag: cmp.Or(in.IfMatch, in.ETag),
	}
}

// prepare implements preparer.
func (in *objectDeletion) prepare(s *Server, tx *store.Tx, v svc.Viewer) (err error) {
	in.draft, err = s.calendar.DraftDeletion(tx, v, in.ID, in.deletion())
	return err
}

func (s *Server) deleteTimeObject(tx *store.Tx, v svc.Viewer, in objectDeletion) (any, error) {
	deletion := in.deletion()
	deleted, err := s.calendar.DeleteReversibly(tx, v, in.ID, deletion, in.draft)
	if err != nil {
		return nil, s.withCurrentObject(tx, v, in.ID, deletion.RecurrenceID, err)
	}
	undo := record.UndoTrash(v.Language(), deleted.Trashed)
	if deleted.Occurrence != "" {
		undo = record.UndoExclusion(v.Language(), in.ID, deleted.Occurrence)
	}
	return map[string]any{"deleted": true, "refresh": timeRefresh, "undo": undo}, nil
}

// defaultRange is the length of the range of a list if the query has no end.
const defaultRange = 31 * 24 * time.Hour

// maxRange limits the range of one list.
const maxRange = 3 * 366 * 24 * time.Hour

// rangeQuery selects a range of time.
type rangeQuery struct {
	Start    string `json:"-" query:"start"`
	End      string `json:"-" query:"end"`
	Timezone string `json:"-" query:"timezone"`
}

// bounds returns the range; local times are in loc. A query without start and
// end selects from and to; a query without end selects a range of the same
// length.
func (q rangeQuery) bounds(loc *time.Location, from, to time.Time) (time.Time, time.Time, error) {
	length := to.Sub(from)
	from, err := parseTime("start", q.Start, loc, from)
	if err != nil {
		return from, to, err
	}
	to, err = parseTime("end", q.End, loc, from.Add(length))
	if err == nil && to.Sub(from) > maxRange {
		err = svc.ParameterError("end", "The range is longer than three years. Choose an earlier end.")
	}
	return from, to, err
}

// location returns the time zone with the name, or the time zone of the member
// if the name is "".
func (s *Server) location(tx *store.Tx, v svc.Viewer, name string) (*time.Location, error) {
	if name == "" {
		me, err := s.identity.Me(tx, v)
		return svc.StoredZone(me.Member.Timezone), err
	}
	loc, ok := svc.Zone(name)
	if !ok {
		return nil, svc.ParameterError("timezone", "There is no time zone %.64q.", name)
	}
	return loc, nil
}

// objectsQuery selects occurrences of entries.
type objectsQuery struct {
	rangeQuery
	Calendar string `json:"-" query:"calendar_id"`
	Type     string `json:"-" query:"object_type"`
	Limit    int    `json:"-" query:"limit"`
	Cursor   string `json:"-" query:"cursor"`
}

// getTimeObjects lists the occurrences in a range, by default the month from
// today.
func (s *Server) getTimeObjects(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in objectsQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.listObjects(r, tx, v, in, "objects") })
}

// listObjects returns a response with a page of occurrences under the key.
func (s *Server) listObjects(r *http.Request, tx *store.Tx, v svc.Viewer, in objectsQuery, key string) (any, error) {
	loc, err := s.location(tx, v, in.Timezone)
	if err != nil {
		return nil, err
	}
	from, to, err := in.bounds(loc, tx.Now(), tx.Now().Add(defaultRange))
	if err != nil {
		return nil, err
	}
	page, err := s.timeIndex.Occurrences(tx, v, loc, index.Query{
		From: from, To: to, CalendarID: in.Calendar, ObjectType: in.Type, Limit: in.Limit, Cursor: in.Cursor,
	})
	return objectPage(v, r, page, key), err
}

// objectPage returns the response with a page of occurrences under the key.
func objectPage(v svc.Viewer, r *http.Request, page index.Page, key string) map[string]any {
	list := make([]record.TimeObject, len(page.Objects))
	for i, o := range page.Objects {
		list[i] = record.NewTimeObject(v.Language(), o)
	}
	return map[string]any{key: list, "page": linked(r, page.Page), "fallbacks": record.PageFallbacks(v.Language(), page)}
}

// parseTime parses a parameter that is a date or a time. For "" it returns the
// beginning of the day of fallback.
func parseTime(name, text string, loc *time.Location, fallback time.Time) (time.Time, error) {
	if text == "" {
		fallback = fallback.In(loc)
		return time.Date(fallback.Year(), fallback.Month(), fallback.Day(), 0, 0, 0, 0, loc), nil
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.ParseInLocation(form, text, loc); err == nil && t.Year() >= 1600 && t.Year() < 9000 {
			return t, nil
		}
	}
	return time.Time{}, svc.ParameterError(name, "%s must look like 2026-12-01 or 2026-12-01T09:00:00.", name)
}

// preferencesResponse is the response of routes about the preferences of a
// member.
type preferencesResponse struct {
	Preferences calendar.Boundaries `json:"preferences"`
}

func (s *Server) getTimePreferences(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		b, err := s.calendar.Boundaries(tx, v.Member())
		return preferencesResponse{b}, err
	})
}

func (s *Server) changeTimePreferences(tx *store.Tx, v svc.Viewer, in calendar.BoundariesChange) (any, error) {
	b, err := s.calendar.ChangeBoundaries(tx, v, in)
	return preferencesResponse{b}, err
}

// timePanelQuery selects a view of the panel of Time.
type timePanelQuery struct {
	View     string `json:"-" query:"view"`
	Date     string `json:"-" query:"date"`
	Timezone string `json:"-" query:"timezone"`
	Fields   string `json:"-" query:"fields"`
}

// getTimePanel responds with the panel of Time in the view of the query.
func (s *Server) getTimePanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in timePanelQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	o := panel.TimeOptions{Fields: in.Fields}
	if err := o.Check(); err != nil {
		return err
	}
	return s.respondWithPanel(w, r, v, "time", func(tx *store.Tx) (p panelResult, err error) {
		me, err := s.identity.Me(tx, v)
		if err != nil {
			return p, err
		}
		loc := svc.StoredZone(me.Member.Timezone)
		if in.Timezone != "" {
			if loc, err = s.location(tx, v, in.Timezone); err != nil {
				return p, err
			}
		}
		ws, err := s.timeIndex.Workspace(tx, v, index.WorkspaceQuery{View: in.View, Date: in.Date, Zone: loc})
		if err != nil {
			return p, err
		}
		o.Locale = me.Member.Locale
		if o.People, err = s.sharingPeople(tx, v, ws.Calendars); err != nil {
			return p, err
		}
		due, until, err := s.timeIndex.DueTasks(tx, v, loc)
		if err != nil {
			return p, err
		}
		o.Due = due
		until, err = s.timeIndex.ValidUntil(tx, v, ws, until)
		result := panel.NewTimePanel(ws, o)
		result.SelectSections(panel.ParseSections(r.URL.Query()))
		return panelResult{result, until}, err
	})
}
