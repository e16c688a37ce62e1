package httpd

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
	"appliance/world/record"
)

// The handlers in this file serve the routes of Time that only clients with the
// service key can use: entries of one type (events, tasks), and the objects for
// a dataset.

// timeSources are the objects of Time for another service that composes a
// dataset.
type timeSources struct {
	Service   string        `json:"service"`
	Objects   index.Sources `json:"objects"`
	Truncated bool          `json:"truncated"`
}

// getTimeSources responds with the occurrences around the present, or in the
// range of the query.
func (s *Server) getTimeSources(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in rangeQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		loc, err := s.location(tx, v, in.Timezone)
		if err != nil {
			return nil, err
		}
		from, to := occurrence.DatasetWindow(tx.Now(), loc)
		if from, to, err = in.bounds(loc, from, to); err != nil {
			return nil, err
		}
		list, truncated, err := s.timeIndex.Sources(tx, v, loc, from, to)
		return timeSources{"time", list, truncated}, err
	})
}

// getEvents lists the occurrences of VEVENT entries in a range.
func (s *Server) getEvents(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in objectsQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	in.Type = view.EventType
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.listObjects(r, tx, v, in, "events") })
}

// getTasks lists tasks, optionally of one status.
func (s *Server) getTasks(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Status string `json:"-" query:"status"`
		Limit  int    `json:"-" query:"limit"`
		Cursor string `json:"-" query:"cursor"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		loc, err := s.location(tx, v, "")
		if err != nil {
			return nil, err
		}
		page, err := s.timeIndex.Tasks(tx, v, loc, in.Status, in.Limit, in.Cursor)
		return objectPage(v, r, page, "tasks"), err
	})
}

// typeRoutes are the routes for entries of one type. They report entries of other
// types as not found.
type typeRoutes struct {
	s          *Server
	objectType string
}

func (s *Server) events() typeRoutes { return typeRoutes{s, view.EventType} }
func (s *Server) tasks() typeRoutes  { return typeRoutes{s, view.TaskType} }

func (k typeRoutes) create(tx *store.Tx, v svc.Viewer, in calendar.NewObject) (any, error) {
	in.ObjectType = k.objectType
	return k.s.createTimeObject(tx, v, in)
}

func (k typeRoutes) get(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return k.s.read(w, r, func(tx *store.Tx) (any, error) {
		o, err := k.find(tx, v, r.PathValue("id"))
		return objectResponse{Object: record.NewTimeObject(v.Language(), o)}, err
	})
}

func (k typeRoutes) update(tx *store.Tx, v svc.Viewer, in objectRequest) (any, error) {
	if _, err := k.find(tx, v, in.ID); err != nil {
		return nil, err
	}
	return k.s.updateTimeObject(tx, v, in)
}

func (k typeRoutes) delete(tx *store.Tx, v svc.Viewer, in objectDeletion) (any, error) {
	if _, err := k.find(tx, v, in.ID); err != nil {
		return nil, err
	}
	return k.s.deleteTimeObject(tx, v, in)
}

func (k typeRoutes) find(tx *store.Tx, v svc.Viewer, id string) (view.Object, error) {
	o, err := k.s.calendar.Object(tx, v, id)
	if err == nil && o.ObjectType != k.objectType {
		err = object.ErrNotFound
	}
	return o, err
}

// pushEvent updates the mirrors of an event to the state that another service
// sends, in several writes if there are many. A push that was interrupted can be repeated.
func (s *Server) pushEvent(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	var in mirror.EventPush
	if err := decode(r, &in); err != nil {
		return err
	}
	var total svc.MirrorChanges
	for {
		var done svc.SyncResult
		err := s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
			done, err = s.mirrors.Push(tx, in)
			return err
		})
		if err != nil {
			return err
		}
		total = total.Plus(done.Mirrors)
		if done.Left == 0 {
			done.Mirrors = total
			return writeJSON(w, http.StatusOK, done)
		}
	}
}
