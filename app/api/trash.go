package api

import (
	"appliance/store"
	"appliance/svc"
	"appliance/world/action"
	"appliance/world/record"
)

// trashOperations declares the operations on the trash of the calendars.
func (s *Server) trashOperations() []declaration {
	return []declaration{
		operation[svc.PageQuery, trashPage]{
			Request: "GET /world/time/trash", Service: "time",
			Summary: "List the deleted entries and calendars",
			Do:      s.listTrash,
		},
		operation[purgeRequest, trashPurged]{
			Action: action.TrashBin.Endpoint("empty_trash"), Service: "time",
			Summary: "Delete everything in the trash for good",
			Do:      s.purgeTrash,
		},
		operation[purgeRequest, trashPurged]{
			Action: action.Trash.Endpoint("delete"), Service: "time",
			Summary: "Delete an entry or a calendar for good",
			Do:      s.purgeTrash,
		},
		operation[restoreRequest, restoreResponse]{
			Action: action.Trash.Endpoint("restore"), Service: "time",
			Summary: "Restore an entry or a calendar", Errors: conflictErrors,
			Do: s.restoreTrashed,
		},
	}
}

type trashPage = struct {
	Trash svc.List[record.TrashEntry] `json:"trash"`
	Page  svc.Page                    `json:"page"`
}

func (s *Server) listTrash(tx *store.Tx, v svc.Viewer, in svc.PageQuery) (trashPage, error) {
	page, err := s.Calendar.Trash(tx, v, in.Limit, in.Cursor)
	return trashPage{record.List(page.Trash, record.NewTrashEntry), page.Page}, err
}

type purgeRequest struct {
	ID string `json:"-" path:"id"` // "" for the whole trash
}

type trashPurged = struct {
	Deleted int `json:"deleted"`
}

func (s *Server) purgeTrash(tx *store.Tx, v svc.Viewer, in purgeRequest) (trashPurged, error) {
	n, err := s.Calendar.Purge(tx, v, in.ID)
	tx.AfterCommit(s.SweepCalendars)
	return trashPurged{n}, err
}

type restoreRequest struct {
	ID         string `json:"-" path:"id"`
	CalendarID string `json:"calendar_id"` // "" for the calendar that it was deleted from
}

// restoreResponse is the response to a restored entry or calendar.
type restoreResponse struct {
	Object   *record.TimeObject `json:"object"`
	Calendar *record.Calendar   `json:"calendar"`
	Refresh  refreshHint        `json:"refresh"`
}

func (s *Server) restoreTrashed(tx *store.Tx, v svc.Viewer, in restoreRequest) (restoreResponse, error) {
	restored := restoreResponse{Refresh: timeRefresh}
	o, c, err := s.Calendar.Restore(tx, v, in.ID, in.CalendarID)
	if err != nil {
		return restored, err
	}
	if o != nil {
		r, err := s.openRecord(tx, v, *o)
		if err != nil {
			return restored, err
		}
		restored.Object = &r
	}
	if c != nil {
		list, err := s.calendarRecords(tx, v, *c)
		if err != nil {
			return restored, err
		}
		restored.Calendar = &list[0]
	}
	return restored, nil
}
