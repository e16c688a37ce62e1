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

// The routes of Time for whoever has the service key (B-61): the same as
// World's, in terms of events and tasks, and what a dataset is composed of.

// sourcesAnswer is what Time offers to whoever composes a dataset.
type sourcesAnswer struct {
	Service   string        `json:"service"`
	Objects   index.Sources `json:"objects"`
	Truncated bool          `json:"truncated"` // there is more
}

// getTimeSources answers with what is around the present, or in another range
// of time.
func (s *Server) getTimeSources(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in rangeQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		loc, err := s.zone(tx, v, in.Timezone)
		if err != nil {
			return nil, err
		}
		from, to := occurrence.DatasetWindow(tx.Now(), loc)
		if from, to, err = in.within(loc, from, to); err != nil {
			return nil, err
		}
		list, cut, err := s.timeIndex.Sources(tx, v, loc, from, to)
		return sourcesAnswer{"time", list, cut}, err
	})
}

// getEvents lists the instances of appointments in a range of time.
func (s *Server) getEvents(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in objectsQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	in.Type = view.EventType
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.listObjects(tx, v, in, "events") })
}

// getTasks lists tasks, or those of one status.
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
		loc, err := s.zone(tx, v, "")
		if err != nil {
			return nil, err
		}
		page, err := s.timeIndex.Tasks(tx, v, loc, in.Status, in.Limit, in.Cursor)
		return objectPage(page, "tasks"), err
	})
}

// kind is what can be done with entries of one type alone. For it there are
// no others.
type kind struct {
	s          *Server
	objectType string
}

func (s *Server) events() kind { return kind{s, view.EventType} }
func (s *Server) tasks() kind  { return kind{s, view.TaskType} }

func (k kind) create(tx *store.Tx, v svc.Viewer, in calendar.NewObject) (any, error) {
	in.ObjectType = k.objectType
	return k.s.createTimeObject(tx, v, in)
}

func (k kind) get(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return k.s.read(w, r, func(tx *store.Tx) (any, error) {
		o, err := k.find(tx, v, r.PathValue("id"))
		return objectAnswer{Object: record.NewTimeObject(o)}, err
	})
}

func (k kind) update(tx *store.Tx, v svc.Viewer, in objectChange) (any, error) {
	if _, err := k.find(tx, v, in.ID); err != nil {
		return nil, err
	}
	return k.s.updateTimeObject(tx, v, in)
}

func (k kind) delete(tx *store.Tx, v svc.Viewer, in objectDeletion) (any, error) {
	if _, err := k.find(tx, v, in.ID); err != nil {
		return nil, err
	}
	return k.s.deleteTimeObject(tx, v, in)
}

func (k kind) find(tx *store.Tx, v svc.Viewer, id string) (view.Object, error) {
	o, err := k.s.calendar.Object(tx, v, id)
	if err == nil && o.ObjectType != k.objectType {
		err = object.ErrNotFound
	}
	return o, err
}

// pushEvent brings the mirrors of an event to the state that an outside
// authority tells of (B-62).
func (s *Server) pushEvent(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	var in mirror.EventPush
	if err := decode(r, &in); err != nil {
		return err
	}
	var done svc.SyncResult
	err := s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		done, err = s.mirrors.Push(tx, in)
		return err
	})
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, done)
}
