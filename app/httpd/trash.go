package httpd

import (
	"context"
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/world/record"
)

// restoreResponse is the response to a restored entry or calendar.
type restoreResponse struct {
	Object   *record.TimeObject `json:"object"`
	Calendar *record.Calendar   `json:"calendar"`
	Refresh  refreshHint        `json:"refresh"`
}

func (s *Server) getTrash(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in pageQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		page, err := s.calendar.Trash(tx, v, in.Limit, in.Cursor)
		list := make([]record.TrashEntry, len(page.Trash))
		for i, t := range page.Trash {
			list[i] = record.NewTrashEntry(t)
		}
		return map[string]any{"trash": list, "page": linked(r, page.Page)}, err
	})
}

type restoreRequest struct {
	ID         string `json:"-" path:"id"`
	CalendarID string `json:"calendar_id"` // "" for the calendar that it was deleted from
}

func (s *Server) restoreTrashed(tx *store.Tx, v svc.Viewer, in restoreRequest) (any, error) {
	o, c, err := s.calendar.Restore(tx, v, in.ID, in.CalendarID)
	if err != nil {
		return nil, err
	}
	restored := restoreResponse{Refresh: timeRefresh}
	if o != nil {
		r, err := s.openRecord(tx, v, *o)
		if err != nil {
			return nil, err
		}
		restored.Object = &r
	}
	if c != nil {
		list, err := s.calendarRecords(tx, v, *c)
		if err != nil {
			return nil, err
		}
		restored.Calendar = &list[0]
	}
	return restored, nil
}

type purgeRequest struct {
	ID string `json:"-" path:"id"` // "" for the whole trash
}

func (s *Server) purgeTrash(tx *store.Tx, v svc.Viewer, in purgeRequest) (any, error) {
	n, err := s.calendar.Purge(tx, v, in.ID)
	tx.AfterCommit(s.sweepCalendars)
	return map[string]any{"deleted": n}, err
}

func (s *Server) getCalendarFeed(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		f, err := s.calendar.Feed(tx, v, r.PathValue("id"))
		return map[string]any{"feed": f}, err
	})
}

// postCalendarFeed creates a feed. It is not idempotent, because the database
// would store the response with the secret link.
func (s *Server) postCalendarFeed(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	f, err := s.createFeed(r.Context(), v, r.PathValue("id"))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, map[string]any{"feed": f})
}

func (s *Server) createFeed(ctx context.Context, v svc.Viewer, calendarID string) (f calendar.Feed, err error) {
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		f, err = s.calendar.CreateFeed(tx, v, calendarID)
		return err
	})
	return f, err
}

func (s *Server) deleteFeed(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	err := s.db.Write(r.Context(), func(tx *store.Tx) error { return s.calendar.DeleteFeed(tx, v, r.PathValue("id")) })
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]any{"deleted": true})
}
