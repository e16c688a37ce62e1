package index

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
)

// Index lists calendar objects by time. It has no state of its own.
type Index struct {
	calendars *calendar.Service
	objects   *object.Store
	email     func(*store.Tx, svc.MemberID) (string, error)
	q         queries
}

// New returns an Index of objects. email returns the e-mail address of a member, in
// lower case.
func New(calendars *calendar.Service, objects *object.Store, email func(*store.Tx, svc.MemberID) (string, error)) *Index {
	x := &Index{calendars: calendars, objects: objects, email: email}
	store.Bind("calendar_index", &x.q)
	return x
}

// queries are the statements of sql/queries/calendar_index.sql.
type queries struct {
	ObjectsByID    store.Query `sql:"objects-by-id"`
	ObjectsInRange store.Query `sql:"objects-in-range"` // list.go
	Upcoming       store.Query `sql:"upcoming"`         // upcoming.go
	Tasks          store.Query `sql:"tasks"`            // tasks.go
	DueTasks       store.Query `sql:"due-tasks"`        // due.go

	// freebusy.go
	BusyInBand      store.Query `sql:"busy-in-band"`
	BusyByText      store.Query `sql:"busy-by-text"`
	BusyBeyondIndex store.Query `sql:"busy-beyond-index"`
}

// Load returns the summarized objects with these ids, in any order. It omits
// objects that v cannot see. Floating times are read in loc. truncated reports
// whether objects are missing because of the limits of a request.
func (x *Index) Load(tx *store.Tx, v svc.Viewer, loc *time.Location, ids []string) (list []view.Object, truncated bool, err error) {
	list = make([]view.Object, 0, len(ids))
	truncated, err = x.load(tx, v, ids, func(r object.Visible, o *ics.Object) {
		next := occurrence.Next(o, tx.Now(), loc)
		obj := view.Summarize(v.Language(), r.Info(), o, view.MainComponent(o, next), next)
		obj.SetOverdue(o, next, tx.Now(), loc)
		list = append(list, obj)
	})
	return list, truncated, err
}

// load calls visit with each of the objects that v can see.
func (x *Index) load(tx *store.Tx, v svc.Viewer, ids []string, visit func(object.Visible, *ics.Object)) (truncated bool, err error) {
	var rows []object.Visible
	if err := tx.Select(&rows, x.q.ObjectsByID, store.Args{"member": v.Member(), "ids": store.JSONArray(ids)}); err != nil {
		return false, err
	}
	_, truncated, err = x.objects.EachWithin(tx, refs(rows), func(i int, o *ics.Object) error {
		visit(rows[i], o)
		return nil
	})
	return truncated, err
}

func refs(rows []object.Visible) []object.Ref {
	list := make([]object.Ref, len(rows))
	for i, r := range rows {
		list[i] = r.Ref
	}
	return list
}
