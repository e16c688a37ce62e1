package api

import (
	"net/http"
	"slices"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
	"appliance/world/action"
	"appliance/world/dataset"
	"appliance/world/record"
)

// producerOperations declares the operations of Time that only clients with the service key
// can use: entries of one type, and the objects for a dataset.
func (s *Server) producerOperations() []declaration {
	return slices.Concat([]declaration{
		operation[rangeQuery, timeSources]{
			Request: "GET /objects", Access: httpd.OnBehalf, Service: "time",
			Do: s.readTimeSources,
		},
		operation[objectsQuery, eventPage]{
			Request: "GET /events", Access: httpd.OnBehalf, Service: "time",
			Do: s.listEvents,
		},
		operation[tasksQuery, taskPage]{
			Request: "GET /tasks", Access: httpd.OnBehalf, Service: "time",
			Do: s.listTasks,
		},
		operation[mirror.EventPush, svc.SyncResult]{
			Request: "POST /integrations/social/events", Access: httpd.ServiceKey, Service: "time",
			Handle: s.pushEvent,
		},
	}, typeOperations{s, view.EventType}.declare("/events"), typeOperations{s, view.TaskType}.declare("/tasks"))
}

// timeSources are the objects of Time for another service that composes a
// dataset.
type timeSources struct {
	Service   string        `json:"service"`
	Objects   index.Sources `json:"objects"`
	Truncated bool          `json:"truncated"`
}

// readTimeSources returns the occurrences around the present, or in the range of the query.
func (s *Server) readTimeSources(tx *store.Tx, v svc.Viewer, in rangeQuery) (out timeSources, err error) {
	loc, err := s.location(tx, v, in.Timezone)
	if err != nil {
		return out, err
	}
	from, to := occurrence.DatasetWindow(tx.Now(), loc)
	if from, to, err = in.bounds(loc, from, to); err != nil {
		return out, err
	}
	list, truncated, err := s.TimeIndex.Sources(tx, v, loc, from, to, action.TimeObjectActions)
	return timeSources{"time", list, truncated}, err
}

// eventPage is objectPage with the key events.
type eventPage = struct {
	Fallbacks svc.List[dataset.Fallback]  `json:"fallbacks"`
	Objects   svc.List[record.TimeObject] `json:"events"`
	Page      svc.Page                    `json:"page"`
}

// listEvents lists the occurrences of VEVENT entries in a range.
func (s *Server) listEvents(tx *store.Tx, v svc.Viewer, in objectsQuery) (eventPage, error) {
	in.Type = view.EventType
	page, err := s.listTimeObjects(tx, v, in)
	return eventPage(page), err
}

type tasksQuery struct {
	Status edit.TaskStatus `json:"-" query:"status"`
	svc.PageQuery
}

// taskPage is objectPage with the key tasks.
type taskPage = struct {
	Fallbacks svc.List[dataset.Fallback]  `json:"fallbacks"`
	Objects   svc.List[record.TimeObject] `json:"tasks"`
	Page      svc.Page                    `json:"page"`
}

// listTasks lists tasks, optionally of one status.
func (s *Server) listTasks(tx *store.Tx, v svc.Viewer, in tasksQuery) (out taskPage, err error) {
	loc, err := s.location(tx, v, "")
	if err != nil {
		return out, err
	}
	page, err := s.TimeIndex.Tasks(tx, v, loc, in.Status, in.Limit, in.Cursor)
	return taskPage(newObjectPage(v, page)), err
}

// typeOperations are the operations on entries of one type. They report entries of other
// types as not found.
type typeOperations struct {
	s          *Server
	objectType string
}

// declare declares the operations. path is that of the list.
func (k typeOperations) declare(path string) []declaration {
	return []declaration{
		operation[calendar.NewObject, objectResponse]{
			Request: "POST " + path, Access: httpd.OnBehalf, Service: "time", Status: http.StatusCreated,
			Do: k.create,
		},
		operation[idRequest, objectResponse]{
			Request: "GET " + path + "/{id}", Access: httpd.OnBehalf, Service: "time",
			Do: k.read,
		},
		operation[objectRequest, objectResponse]{
			Request: "PATCH " + path + "/{id}", Access: httpd.OnBehalf, Service: "time",
			Do: k.update,
		},
		operation[objectDeletion, objectDeleted]{
			Request: "DELETE " + path + "/{id}", Access: httpd.OnBehalf, Service: "time",
			Do: k.delete,
		},
	}
}

func (k typeOperations) create(tx *store.Tx, v svc.Viewer, in calendar.NewObject) (objectResponse, error) {
	in.ObjectType = k.objectType
	return k.s.createTimeObject(tx, v, in)
}

func (k typeOperations) read(tx *store.Tx, v svc.Viewer, in idRequest) (objectResponse, error) {
	o, err := k.find(tx, v, in.ID)
	return objectResponse{Object: record.NewTimeObject(v.Language(), o)}, err
}

func (k typeOperations) update(tx *store.Tx, v svc.Viewer, in objectRequest) (objectResponse, error) {
	if _, err := k.find(tx, v, in.ID); err != nil {
		return objectResponse{}, err
	}
	return k.s.updateTimeObject(tx, v, in)
}

func (k typeOperations) delete(tx *store.Tx, v svc.Viewer, in objectDeletion) (objectDeleted, error) {
	if _, err := k.find(tx, v, in.ID); err != nil {
		return objectDeleted{}, err
	}
	return k.s.deleteTimeObject(tx, v, in)
}

func (k typeOperations) find(tx *store.Tx, v svc.Viewer, id string) (view.Object, error) {
	o, err := k.s.Calendar.Object(tx, v, id)
	if err == nil && o.ObjectType != k.objectType {
		err = object.ErrNotFound
	}
	return o, err
}

// pushEvent updates the mirrors of an event to the state that another service
// sends, in several writes if there are many. A push that was interrupted can be repeated.
func (s *Server) pushEvent(_ http.ResponseWriter, r *http.Request, _ svc.Viewer, in mirror.EventPush) (done svc.SyncResult, err error) {
	var total svc.MirrorChanges
	for {
		err := s.DB.Write(r.Context(), func(tx *store.Tx) (err error) {
			done, err = s.Mirrors.Push(tx, in)
			return err
		})
		if err != nil {
			return done, err
		}
		total = total.Plus(done.Mirrors)
		if done.Left == 0 {
			done.Mirrors = total
			return done, nil
		}
	}
}
