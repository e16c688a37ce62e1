package api

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/world"
	"appliance/world/action"
	"appliance/world/record"
)

// calendarOperations declares the operations on calendars.
func (s *Server) calendarOperations() []declaration {
	return []declaration{
		operation[struct{}, calendarList]{
			Request: "GET /world/calendars", ServicePath: "/calendars", Service: "time",
			Summary: "List the calendars",
			Do:      s.listCalendars,
		},
		operation[calendar.NewCalendar, calendarResponse]{
			Action: action.Time.Endpoint("create_calendar"), ServicePath: "/calendars", Service: "time",
			Summary: "Create a calendar", Status: http.StatusCreated, Errors: conflictErrors,
			Do: s.createCalendar,
		},
		operation[idRequest, calendarResponse]{
			Action: action.Calendars.Endpoint("open"), ServicePath: "/calendars/{id}", Service: "time",
			Summary: "Read a calendar",
			Do:      s.readCalendar,
		},
		operation[calendarRequest, calendarResponse]{
			Action: action.Calendars.Endpoint("update"), ServicePath: "/calendars/{id}", Service: "time",
			Summary: "Change a calendar", Errors: conflictErrors,
			Do: s.updateCalendar,
		},
		operation[calendarDeletion, calendarDeleted]{
			Action: action.Calendars.Endpoint("delete"), ServicePath: "/calendars/{id}", Service: "time",
			Summary: "Delete a calendar",
			Begin:   s.Calendar.BeginDeletion, Do: s.deleteCalendar,
		},
	}
}

type calendarList = struct {
	Calendars svc.List[record.Calendar] `json:"calendars"`
}

func (s *Server) listCalendars(tx *store.Tx, v svc.Viewer, _ struct{}) (out calendarList, err error) {
	calendars, err := s.Calendar.Calendars(tx, v)
	if err != nil {
		return out, err
	}
	out.Calendars, err = s.calendarRecords(tx, v, calendars...)
	return out, err
}

// calendarResponse is the response of operations on one calendar.
type calendarResponse struct {
	Calendar record.Calendar `json:"calendar"`
	Refresh  *refreshHint    `json:"refresh,omitzero"`
}

func (s *Server) createCalendar(tx *store.Tx, v svc.Viewer, in calendar.NewCalendar) (calendarResponse, error) {
	c, err := s.Calendar.CreateCalendar(tx, v, in)
	if err != nil {
		return calendarResponse{}, err
	}
	return s.calendarAnswer(tx, v, c, &timeRefresh)
}

func (s *Server) readCalendar(tx *store.Tx, v svc.Viewer, in idRequest) (calendarResponse, error) {
	c, err := s.Calendar.Calendar(tx, v, in.ID)
	if err != nil {
		return calendarResponse{}, err
	}
	return s.calendarAnswer(tx, v, c, nil)
}

type calendarRequest struct {
	ID      string `json:"-" path:"id"`
	IfMatch string `json:"-" header:"If-Match"`
	calendar.CalendarChange
}

func (s *Server) updateCalendar(tx *store.Tx, v svc.Viewer, in calendarRequest) (calendarResponse, error) {
	if in.IfMatch != "" {
		in.ETag = in.IfMatch
	}
	c, err := s.Calendar.UpdateCalendar(tx, v, in.ID, in.CalendarChange)
	if err != nil {
		return calendarResponse{}, s.withCurrentCalendar(tx, v, in.ID, err)
	}
	return s.calendarAnswer(tx, v, c, &timeRefresh)
}

type calendarDeletion struct {
	ID     string `json:"-" path:"id"`
	MoveTo string `json:"-" query:"move_to"`
}

type calendarDeleted = struct {
	Deleted bool         `json:"deleted"`
	Moved   int          `json:"moved"` // number of entries moved to the other calendar
	Refresh refreshHint  `json:"refresh"`
	Undo    *record.Undo `json:"undo"`
}

// deleteCalendar deletes a calendar in one or several transactions.
func (s *Server) deleteCalendar(tx *store.Tx, v svc.Viewer, in calendarDeletion) (calendarDeleted, error) {
	d, err := s.Calendar.DeleteCalendar(tx, v, in.ID, in.MoveTo)
	if err == nil && (d.More || d.Failed != nil) {
		err = world.Interim{Err: d.Failed}
	}
	return calendarDeleted{true, d.Moved, timeRefresh, record.UndoTrash(v.Language(), d.Trashed)}, err
}
