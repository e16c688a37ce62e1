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
	"appliance/world/panel"
	"appliance/world/record"
)

func (s *Server) getCalendars(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		calendars, err := s.calendar.Calendars(tx, v)
		list := make([]record.Calendar, len(calendars))
		for i, c := range calendars {
			list[i] = record.NewCalendar(c)
		}
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
		return calendarResponse{Calendar: record.NewCalendar(c)}, err
	})
}

func (s *Server) createCalendar(tx *store.Tx, v svc.Viewer, in calendar.NewCalendar) (any, error) {
	c, err := s.calendar.CreateCalendar(tx, v, in)
	return calendarResponse{record.NewCalendar(c), &timeRefresh}, err
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
	return calendarResponse{record.NewCalendar(c), &timeRefresh}, err
}

type calendarDeletion struct {
	ID     string `json:"-" path:"id"`
	MoveTo string `json:"-" query:"move_to"`
}

func (s *Server) deleteCalendar(tx *store.Tx, v svc.Viewer, in calendarDeletion) (any, error) {
	moved, err := s.calendar.DeleteCalendar(tx, v, in.ID, in.MoveTo)
	return map[string]any{"deleted": true, "moved": moved, "refresh": timeRefresh}, err
}

// objectResponse is the response of routes about one entry.
type objectResponse struct {
	Object  record.TimeObject `json:"object"`
	Refresh *refreshHint      `json:"refresh,omitzero"`
}

// Short implements [world.Shortener]. An entry can be as large as a megabyte.
func (a objectResponse) Short() any {
	return map[string]any{"object": map[string]string{"id": a.Object.ID}, "refresh": a.Refresh}
}

func (s *Server) getTimeObject(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		o, err := s.calendar.Object(tx, v, r.PathValue("id"))
		return objectResponse{Object: record.NewTimeObject(o)}, err
	})
}

func (s *Server) createTimeObject(tx *store.Tx, v svc.Viewer, in calendar.NewObject) (any, error) {
	o, err := s.calendar.Create(tx, v, in)
	return objectResponse{record.NewTimeObject(o), &timeRefresh}, err
}

type objectRequest struct {
	ID           string `json:"-" path:"id"`
	QueryScope   string `json:"-" query:"scope"` // like scope and recurrence_id in the body
	QueryRecurID string `json:"-" query:"recurrence_id"`
	IfMatch      string `json:"-" header:"If-Match"`
	edit.ObjectChange

	draft *calendar.Draft
}

// prepare implements preparer.
func (in *objectRequest) prepare(s *Server, tx *store.Tx, v svc.Viewer) (err error) {
	in.ETag = cmp.Or(in.IfMatch, in.ETag)
	in.Scope = cmp.Or(in.QueryScope, in.Scope)
	in.RecurrenceID = cmp.Or(in.QueryRecurID, in.RecurrenceID)
	in.draft, err = s.calendar.Draft(tx, v, in.ID, in.ObjectChange)
	return err
}

func (s *Server) updateTimeObject(tx *store.Tx, v svc.Viewer, in objectRequest) (any, error) {
	o, err := s.calendar.Patch(tx, v, in.ID, in.ObjectChange, in.draft)
	return objectResponse{record.NewTimeObject(o), &timeRefresh}, err
}

type objectDeletion struct {
	ID           string `json:"-" path:"id"`
	Scope        string `json:"-" query:"scope"`
	RecurrenceID string `json:"-" query:"recurrence_id"`
	IfMatch      string `json:"-" header:"If-Match"`

	draft *calendar.Draft
}

func (in *objectDeletion) deletion() edit.Deletion {
	return edit.Deletion{Scope: in.Scope, RecurrenceID: in.RecurrenceID, ETag: in.IfMatch}
}

// prepare implements preparer.
func (in *objectDeletion) prepare(s *Server, tx *store.Tx, v svc.Viewer) (err error) {
	in.draft, err = s.calendar.DraftDeletion(tx, v, in.ID, in.deletion())
	return err
}

func (s *Server) deleteTimeObject(tx *store.Tx, v svc.Viewer, in objectDeletion) (any, error) {
	err := s.calendar.Delete(tx, v, in.ID, in.deletion(), in.draft)
	return map[string]any{"deleted": true, "refresh": timeRefresh}, err
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
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.listObjects(tx, v, in, "objects") })
}

// listObjects returns a response with a page of occurrences under the key.
func (s *Server) listObjects(tx *store.Tx, v svc.Viewer, in objectsQuery, key string) (any, error) {
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
	return objectPage(page, key), err
}

// objectPage returns the response with a page of occurrences under the key.
func objectPage(page index.Page, key string) map[string]any {
	list := make([]record.TimeObject, len(page.Objects))
	for i, o := range page.Objects {
		list[i] = record.NewTimeObject(o)
	}
	return map[string]any{key: list, "page": page.Page, "fallbacks": record.PageFallbacks(page)}
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
}

// getTimePanel responds with the panel of Time in the view of the query.
func (s *Server) getTimePanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in timePanelQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		loc, err := s.location(tx, v, in.Timezone)
		if err != nil {
			return nil, err
		}
		ws, err := s.timeIndex.Workspace(tx, v, index.WorkspaceQuery{View: in.View, Date: in.Date, Zone: loc})
		return panel.NewTimePanel(ws), err
	})
}
