package calendar

import (
	"errors"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
)

// trashAge is the time for which members can restore deleted objects and
// calendars.
const trashAge = 30 * 24 * time.Hour

// CalendarType is the object type of a calendar in the trash.
const CalendarType = "calendar"

// TrashEntry is a deleted object or calendar.
type TrashEntry struct {
	ID           string    `json:"id"`
	ObjectType   string    `json:"object_type"` // "calendar_event", "task", "calendar", or "" for other components
	Title        string    `json:"title"`
	CalendarID   string    `json:"calendar_id"`   // the calendar of the object
	CalendarName string    `json:"calendar_name"` // "" if the calendar was deleted permanently
	DeletedAt    time.Time `json:"deleted_at"`
	ExpiresAt    time.Time `json:"expires_at"` // time of its permanent deletion
}

// TrashPage is a page of the trash, the latest deletion first.
type TrashPage struct {
	Trash svc.List[TrashEntry] `json:"trash"`
	Page  svc.Page             `json:"page"`
}

// trashRow is a row of calendar_trashed. Lists omit the text.
type trashRow struct {
	ID           string       `db:"id"`
	CalendarID   string       `db:"calendar_id"`
	Segment      string       `db:"segment"`
	Component    string       `db:"component"` // "" for a calendar
	Title        string       `db:"title"`
	DeletedAt    store.Millis `db:"deleted_at"`
	Properties   string       `db:"properties"` // JSON
	Data         []byte       `db:"data"`
	CalendarName string       `db:"calendar_name"`
}

// objectTypes are the object types of components.
var objectTypes = map[string]string{"VEVENT": view.EventType, "VTODO": view.TaskType, "": CalendarType}

var errNotInTrash = svc.Errorf(svc.NotFound, "This entry is not in your trash. It was restored or deleted permanently.")

func (r trashRow) entry() TrashEntry {
	t := TrashEntry{
		ID: r.ID, ObjectType: objectTypes[r.Component], Title: r.Title, CalendarID: r.CalendarID, CalendarName: r.CalendarName,
		DeletedAt: r.DeletedAt.Timestamp(), ExpiresAt: r.DeletedAt.Timestamp().Add(trashAge),
	}
	if r.Component == "" {
		t.Title = r.CalendarName
	}
	return t
}

// trashPosition identifies a row in the trash, which is ordered by the time of
// deletion.
type trashPosition struct {
	At store.Millis `json:"a"`
	ID string       `json:"i"`
}

// Trash lists the trash of v.
func (s *Service) Trash(tx *store.Tx, v svc.Viewer, limit int, cursor string) (TrashPage, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "time.trash", v)
	limit, err := svc.PageLimit(limit)
	before := trashPosition{At: occurrence.FarFuture}
	if err := svc.Join(err, cursors.Decode(cursor, &before)); err != nil {
		return TrashPage{}, err
	}
	var rows []trashRow
	if err := tx.Select(&rows, s.q.Trash, store.Args{
		"member": v.Member(), "before": before.At, "before_id": before.ID, "limit": limit + 1,
	}); err != nil {
		return TrashPage{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r trashRow) any { return trashPosition{r.DeletedAt, r.ID} })
	list := make(svc.List[TrashEntry], len(rows))
	for i, r := range rows {
		list[i] = r.entry()
	}
	return TrashPage{list, page}, nil
}

// TrashEntry returns the object or calendar with an id in the trash of v, nil if there
// is none.
func (s *Service) TrashEntry(tx *store.Tx, v svc.Viewer, id string) (*TrashEntry, error) {
	return s.trashEntry(tx, v.Member(), id)
}

func (s *Service) trashEntry(tx *store.Tx, member svc.MemberID, id string) (*TrashEntry, error) {
	var r trashRow
	err := tx.Get(&r, s.q.TrashEntry, store.Args{"member": member, "id": id})
	if store.IsNoRows(err) {
		return nil, nil
	}
	return new(r.entry()), err
}

// Restore restores a calendar with its objects, or an object. It restores an
// object to the calendar calendarID or, if that is "", to its former calendar
// if it still exists, otherwise to the default calendar. It returns either the
// object or the calendar.
func (s *Service) Restore(tx *store.Tx, v svc.Viewer, id, calendarID string) (*view.Object, *Calendar, error) {
	var r trashRow
	err := tx.Get(&r, s.q.Trashed, store.Args{"member": v.Member(), "id": id})
	if store.IsNoRows(err) {
		err = errNotInTrash
	}
	if err != nil {
		return nil, nil, err
	}
	if _, err := tx.Exec(s.q.RemoveFromTrash, store.Args{"member": v.Member(), "id": id}); err != nil {
		return nil, nil, err
	}
	if r.Component == "" {
		c, err := s.restoreCalendar(tx, v, r)
		return nil, &c, err
	}
	o, err := s.restoreObject(tx, v, r, calendarID)
	return &o, nil, err
}

func (s *Service) restoreCalendar(tx *store.Tx, v svc.Viewer, r trashRow) (Calendar, error) {
	segment := r.Segment
	err := s.objects.ClaimSegment(tx, v.Member(), segment)
	if errors.Is(err, object.ErrTaken) {
		segment = r.ID
		err = s.objects.ClaimSegment(tx, v.Member(), segment)
	}
	if err != nil {
		return Calendar{}, err
	}
	if err := s.grantOwner(tx, v.Member(), r.ID, segment, nil); err != nil {
		return Calendar{}, err
	}
	if err := s.objects.BumpHome(tx, r.ID); err != nil {
		return Calendar{}, err
	}
	return s.Calendar(tx, v, r.ID)
}

func (s *Service) restoreObject(tx *store.Tx, v svc.Viewer, r trashRow, calendarID string) (view.Object, error) {
	c, err := s.calendarForRestored(tx, v, r, calendarID)
	if err != nil {
		return view.Object{}, err
	}
	o, err := ics.Parse(r.Data)
	if err != nil {
		return view.Object{}, err
	}
	segment, err := s.objects.FreeSegment(tx, c.ID, r.Segment, r.ID, o.UID)
	if err != nil {
		return view.Object{}, err
	}
	if err := s.objects.Restore(tx, c, r.ID, segment, object.Prepare(o, tx.Now()), r.Properties); err != nil {
		return view.Object{}, err
	}
	return s.Object(tx, v, r.ID)
}

// calendarForRestored returns the calendar to which an object is restored.
func (s *Service) calendarForRestored(tx *store.Tx, v svc.Viewer, r trashRow, calendarID string) (object.Calendar, error) {
	id := calendarID
	if id == "" {
		id = r.CalendarID
	}
	c, err := s.objects.WritableCalendar(tx, v.Member(), id)
	if calendarID == "" && (svc.KindOf(err) == svc.Missing || err == nil && !c.Accepts(r.Component)) {
		c, err = s.objects.WritableCalendar(tx, v.Member(), "")
	}
	if err == nil {
		err = s.objects.CheckAccepts(tx, v.Member(), c, r.Component, "calendar_id")
	}
	return c, err
}

// Purge permanently deletes the object or calendar with an id in the trash of
// v, or the whole trash if id is "", and returns the number of deleted entries.
// Sweep deletes the rows.
func (s *Service) Purge(tx *store.Tx, v svc.Viewer, id string) (purged int, err error) {
	args := store.Args{"member": v.Member(), "id": id}
	calendars, err := tx.Exec(s.q.OrphanTrashedCalendars, args)
	if err != nil {
		return 0, err
	}
	if id == "" {
		objects, err := s.emptyTrash(tx, v.Member())
		return int(calendars) + objects, err
	}
	rows, err := tx.Exec(s.q.RemoveFromTrash, args)
	if err == nil && rows == 0 {
		err = errNotInTrash
	}
	return int(rows), err
}

// emptyTrash removes the reference from the trash to its member, so that Sweep
// deletes it, and returns the number of objects in it.
func (s *Service) emptyTrash(tx *store.Tx, member svc.MemberID) (objects int, err error) {
	err = tx.Get(&objects, s.q.EmptyTrash, store.Args{"member": member})
	if store.IsNoRows(err) {
		err = nil // the member never deleted anything
	}
	return objects, err
}
