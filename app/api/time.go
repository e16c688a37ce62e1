package api

import (
	"cmp"
	"net/http"
	"time"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/world/action"
	"appliance/world/dataset"
	"appliance/world/panel"
	"appliance/world/record"
)

// timeOperations declares the operations on entries, on the preferences of the calendar
// and on the panel of Time.
func (s *Server) timeOperations() []declaration {
	return []declaration{
		operation[objectsQuery, objectPage]{
			Request: "GET /world/time/objects", Service: "time",
			Summary: "List the occurrences of entries in a range", Errors: notFoundErrors,
			Do: s.listTimeObjects,
		},
		operation[calendar.NewObject, objectResponse]{
			Action: action.Time.Endpoint("create_event"), ServicePath: "/runtime/objects", Service: "time",
			Summary: "Create an event or a task", Status: http.StatusCreated, Errors: notFoundErrors,
			Do: s.createTimeObject,
		},
		operation[occurrenceQuery, objectResponse]{
			Action: action.TimeObjects.Endpoint("open"), Service: "time",
			Summary: "Read an entry",
			Do:      s.readTimeObject,
		},
		operation[objectRequest, objectResponse]{
			Action: action.TimeObjects.Endpoint("update"), ServicePath: "/runtime/objects/{id}", Service: "time",
			Summary: "Change an entry, or occurrences of a series", Errors: conflictErrors,
			Do: s.updateTimeObject,
		},
		operation[objectDeletion, objectDeleted]{
			Action: action.TimeObjects.Endpoint("delete"), ServicePath: "/runtime/objects/{id}", Service: "time",
			Summary: "Delete an entry, or occurrences of a series", Errors: conflictErrors,
			Do: s.deleteTimeObject,
		},
		operation[struct{}, preferencesResponse]{
			Request: "GET /world/time/preferences", Service: "time",
			Summary: "Read the preferences of the calendar",
			Do:      s.readTimePreferences,
		},
		operation[calendar.BoundariesChange, preferencesResponse]{
			Action: action.Time.Endpoint("set_preferences"), Service: "time",
			Summary: "Change the preferences of the calendar",
			Do:      s.changeTimePreferences,
		},
		operation[struct{}, recurrenceOptions]{
			Request: "GET /world/options/recurrence", Service: "time",
			Summary: "List the frequencies and weekdays of a recurrence",
			Do:      s.listRecurrenceOptions,
		},
		operation[timePanelQuery, panel.TimePanel]{
			Request: "GET " + action.TimePanelURL, ServicePath: "/runtime/panel/time", Service: "time",
			Summary: "Read the panel of a day, week, month, agenda or the tasks", Params: panelParameters, ETag: true,
			Serve: s.getTimePanel,
		},
	}
}

// objectResponse is the response of operations on one entry.
type objectResponse struct {
	Object  record.TimeObject `json:"object"`
	Refresh *refreshHint      `json:"refresh,omitzero"`
	Undo    *record.Undo      `json:"undo,omitzero"` // for a change that completed a task, or of the times of a series

	RemovedExceptions int    `json:"removed_exceptions,omitzero"` // deleted and changed occurrences that a changed series no longer has
	Notice            string `json:"notice,omitzero"`             // sentences about what a write did beyond the fields that it set
}

// Short implements [world.Shortener]. An entry can be as large as a megabyte.
func (a objectResponse) Short() any {
	short := map[string]any{"object": map[string]string{"id": a.Object.ID}, "refresh": a.Refresh}
	if a.Undo != nil {
		short["undo"] = a.Undo
	}
	if a.Notice != "" {
		short["removed_exceptions"], short["notice"] = a.RemovedExceptions, a.Notice
	}
	return short
}

// occurrenceQuery selects an entry, or an occurrence of a series.
type occurrenceQuery struct {
	ID           string `json:"-" path:"id"`
	RecurrenceID string `json:"-" query:"recurrence_id"`
}

func (s *Server) readTimeObject(tx *store.Tx, v svc.Viewer, in occurrenceQuery) (objectResponse, error) {
	o, err := s.Calendar.Occurrence(tx, v, in.ID, in.RecurrenceID)
	if err != nil {
		return objectResponse{}, err
	}
	return s.objectAnswer(tx, v, o, nil)
}

func (s *Server) createTimeObject(tx *store.Tx, v svc.Viewer, in calendar.NewObject) (objectResponse, error) {
	w, err := s.Calendar.Create(tx, v, in)
	if err != nil {
		return objectResponse{}, err
	}
	return s.writtenAnswer(tx, v, w)
}

type objectRequest struct {
	ID           string     `json:"-" path:"id"`
	QueryScope   edit.Scope `json:"-" query:"scope"` // like scope and recurrence_id in the body
	QueryRecurID string     `json:"-" query:"recurrence_id"`
	IfMatch      string     `json:"-" header:"If-Match"`
	edit.ObjectChange

	draft         *calendar.Draft
	completedTask *view.Object // the task before the change, if it completes the task
}

// prepare implements preparer.
func (in *objectRequest) prepare(s *Server, tx *store.Tx, v svc.Viewer) (err error) {
	in.ETag = cmp.Or(in.IfMatch, in.ETag)
	in.Scope = cmp.Or(in.QueryScope, in.Scope)
	in.RecurrenceID = cmp.Or(in.QueryRecurID, in.RecurrenceID)
	if in.completedTask, err = s.completion(tx, v, in.ID, in.ObjectChange); err != nil {
		return err
	}
	in.draft, err = s.Calendar.Draft(tx, v, in.ID, in.ObjectChange)
	return err
}

func (s *Server) updateTimeObject(tx *store.Tx, v svc.Viewer, in objectRequest) (objectResponse, error) {
	w, err := s.Calendar.Patch(tx, v, in.ID, in.ObjectChange, in.draft)
	if err != nil {
		return objectResponse{}, s.withCurrentObject(tx, v, in.ID, in.RecurrenceID, err)
	}
	a, err := s.writtenAnswer(tx, v, w)
	if in.completedTask != nil {
		a.Undo = record.UndoCompletion(v.Language(), *in.completedTask, in.Scope, singleOccurrence(in.ObjectChange))
	}
	return a, err
}

type objectDeletion struct {
	ID           string     `json:"-" path:"id"`
	QueryScope   edit.Scope `json:"-" query:"scope"` // like scope and recurrence_id in the body
	QueryRecurID string     `json:"-" query:"recurrence_id"`
	IfMatch      string     `json:"-" header:"If-Match"`
	Scope        edit.Scope `json:"scope"`
	RecurrenceID string     `json:"recurrence_id"`
	ETag         string     `json:"etag"`

	draft *calendar.Draft
}

func (in *objectDeletion) deletion() edit.Deletion {
	return edit.Deletion{
		Scope: cmp.Or(in.QueryScope, in.Scope), RecurrenceID: cmp.Or(in.QueryRecurID, in.RecurrenceID), ETag: cmp.Or(in.IfMatch, in.ETag),
	}
}

// prepare implements preparer.
func (in *objectDeletion) prepare(s *Server, tx *store.Tx, v svc.Viewer) (err error) {
	in.draft, err = s.Calendar.DraftDeletion(tx, v, in.ID, in.deletion())
	return err
}

type objectDeleted = struct {
	Deleted bool         `json:"deleted"`
	Refresh refreshHint  `json:"refresh"`
	Undo    *record.Undo `json:"undo"`
}

func (s *Server) deleteTimeObject(tx *store.Tx, v svc.Viewer, in objectDeletion) (objectDeleted, error) {
	deletion := in.deletion()
	deleted, err := s.Calendar.DeleteReversibly(tx, v, in.ID, deletion, in.draft)
	if err != nil {
		return objectDeleted{}, s.withCurrentObject(tx, v, in.ID, deletion.RecurrenceID, err)
	}
	undo := record.UndoTrash(v.Language(), deleted.Trashed)
	if deleted.Occurrence != "" {
		undo = record.UndoExclusion(v.Language(), in.ID, deleted.Occurrence)
	}
	return objectDeleted{true, timeRefresh, undo}, nil
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

// zone returns the time zone with the name, with the request as its source. If the name is "" or
// that of the member's time zone, it returns the time zone of the member.
func (s *Server) zone(tx *store.Tx, v svc.Viewer, name string) (svc.ZoneInUse, error) {
	me, err := s.Identity.Me(tx, v)
	if err != nil || name == "" || name == me.Member.Zone.Timezone {
		return me.Member.Zone, err
	}
	loc, ok := svc.Zone(name)
	if !ok {
		return svc.ZoneInUse{}, svc.ParameterError("timezone", "There is no time zone %.64q.", name)
	}
	return svc.ZoneInUse{Timezone: loc.String(), Source: svc.ZoneOfRequest}, nil
}

// location returns the location of zone.
func (s *Server) location(tx *store.Tx, v svc.Viewer, name string) (*time.Location, error) {
	z, err := s.zone(tx, v, name)
	return z.Location(), err
}

// objectsQuery selects occurrences of entries.
type objectsQuery struct {
	rangeQuery
	Calendar string `json:"-" query:"calendar_id"`
	Type     string `json:"-" query:"object_type"`
	svc.PageQuery
}

type objectPage = struct {
	Fallbacks svc.List[dataset.Fallback]  `json:"fallbacks"`
	Objects   svc.List[record.TimeObject] `json:"objects"`
	Page      svc.Page                    `json:"page"`
}

// newObjectPage returns the response with a page of occurrences.
func newObjectPage(v svc.Viewer, page index.Page) objectPage {
	list := record.List(page.Objects, func(o view.Object) record.TimeObject { return record.NewTimeObject(v.Language(), o) })
	return objectPage{record.PageFallbacks(v.Language(), page), list, page.Page}
}

// listTimeObjects lists the occurrences in a range, by default the month from
// today.
func (s *Server) listTimeObjects(tx *store.Tx, v svc.Viewer, in objectsQuery) (out objectPage, err error) {
	loc, err := s.location(tx, v, in.Timezone)
	if err != nil {
		return out, err
	}
	from, to, err := in.bounds(loc, tx.Now(), tx.Now().Add(defaultRange))
	if err != nil {
		return out, err
	}
	page, err := s.TimeIndex.Occurrences(tx, v, loc, index.Query{
		From: from, To: to, Range: in.Start + "/" + in.End, CalendarID: in.Calendar, ObjectType: in.Type, Limit: in.Limit, Cursor: in.Cursor,
	})
	return newObjectPage(v, page), err
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
	return time.Time{}, svc.ParameterError(name, "%s must look like 2026-12-01 or 2026-12-01T09:00:00.", svc.FieldLabel(name))
}

// preferencesResponse is the response of operations on the preferences of a member.
type preferencesResponse struct {
	Preferences calendar.Boundaries `json:"preferences"`
}

func (s *Server) readTimePreferences(tx *store.Tx, v svc.Viewer, _ struct{}) (preferencesResponse, error) {
	b, err := s.Calendar.Boundaries(tx, v.Member())
	return preferencesResponse{b}, err
}

func (s *Server) changeTimePreferences(tx *store.Tx, v svc.Viewer, in calendar.BoundariesChange) (preferencesResponse, error) {
	b, err := s.Calendar.ChangeBoundaries(tx, v, in)
	return preferencesResponse{b}, err
}

// timePanelQuery selects a view of the panel of Time.
type timePanelQuery struct {
	View     index.View `json:"-" query:"view"`
	Date     string     `json:"-" query:"date"`
	Timezone string     `json:"-" query:"timezone"`
	Fields   string     `json:"-" query:"fields"`
}

// getTimePanel responds with the panel of Time in the view of the query.
func (s *Server) getTimePanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in timePanelQuery
	if err := httpd.Decode(r, &in); err != nil {
		return err
	}
	o := panel.TimeOptions{Fields: in.Fields}
	if err := o.Check(); err != nil {
		return err
	}
	return s.respondWithPanel(w, r, v, "time", func(tx *store.Tx) (p panelResult, err error) {
		me, err := s.Identity.Me(tx, v)
		if err != nil {
			return p, err
		}
		zone, err := s.zone(tx, v, in.Timezone)
		if err != nil {
			return p, err
		}
		loc := zone.Location()
		ws, err := s.TimeIndex.Workspace(tx, v, index.WorkspaceQuery{View: in.View, Date: in.Date, Zone: loc})
		if err != nil {
			return p, err
		}
		o.Language, o.Locale, o.Zone = v.Language(), me.Member.Locale, zone.Source
		if o.People, err = s.sharingPeople(tx, v, ws.Calendars); err != nil {
			return p, err
		}
		due, until, err := s.TimeIndex.DueTasks(tx, v, loc)
		if err != nil {
			return p, err
		}
		o.Due = due
		until, err = s.TimeIndex.ValidUntil(tx, v, ws, until)
		result := panel.NewTimePanel(ws, o)
		result.SelectSections(panel.ParseSections(r.URL.Query()))
		return panelResult{result, until}, err
	})
}
