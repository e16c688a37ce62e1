package calendar

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// TrashTime is how long what a member deleted can be had back.
const TrashTime = 30 * 24 * time.Hour

// CalendarType is the object type of a calendar in the trash.
const CalendarType = "calendar"

// Trashed is something that its member deleted.
type Trashed struct {
	ID           string `json:"id"`
	ObjectType   string `json:"object_type"` // "calendar_event", "task", "calendar", or "" for what only programs know
	Title        string `json:"title"`
	CalendarID   string `json:"calendar_id"`   // where it was
	CalendarName string `json:"calendar_name"` // "" if that is gone for good
	DeletedAt    string `json:"deleted_at"`
	ExpiresAt    string `json:"expires_at"` // when it will be gone for good
}

// TrashPage is a page of the trash, what was deleted last first.
type TrashPage struct {
	Trash svc.List[Trashed] `json:"trash"`
	Page  svc.Page          `json:"page"`
}

// trashRow is a row of calendar_trash. In lists it has no text.
type trashRow struct {
	ID           string       `db:"id"`
	CalendarID   string       `db:"calendar_id"`
	Segment      string       `db:"segment"`
	Component    string       `db:"component"`
	Title        string       `db:"title"`
	DeletedAt    store.Millis `db:"deleted_at"`
	Properties   string       `db:"properties"` // as JSON
	Data         []byte       `db:"data"`
	CalendarName string       `db:"calendar_name"`
}

// objectTypes are the components that have a name in World.
var objectTypes = map[string]string{"VEVENT": EventType, "VTODO": TaskType, "": CalendarType}

func (r trashRow) trashed() Trashed {
	t := Trashed{
		ID: r.ID, ObjectType: objectTypes[r.Component], Title: r.Title, CalendarID: r.CalendarID, CalendarName: r.CalendarName,
		DeletedAt: stamp(r.DeletedAt.Time()), ExpiresAt: stamp(r.DeletedAt.Time().Add(TrashTime)),
	}
	if r.Component == "" {
		t.Title = r.CalendarName
	}
	return t
}

// trashPlace is where something stands in the list.
type trashPlace struct {
	At store.Millis `json:"a"`
	ID string       `json:"i"`
}

// Trash lists what v deleted in the last 30 days.
func (s *Service) Trash(tx *store.Tx, v svc.Viewer, limit int, cursor string) (TrashPage, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "time.trash", v)
	limit, err := svc.PageLimit(limit)
	before := trashPlace{At: farFuture}
	if err := svc.Join(err, cursors.Decode(cursor, &before)); err != nil {
		return TrashPage{}, err
	}
	var rows []trashRow
	if err := tx.Select(&rows, s.q.Trash, store.Args{
		"member": v.Member(), "before": before.At, "before_id": before.ID, "limit": limit + 1,
	}); err != nil {
		return TrashPage{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r trashRow) any { return trashPlace{r.DeletedAt, r.ID} })
	list := make(svc.List[Trashed], len(rows))
	for i, r := range rows {
		list[i] = r.trashed()
	}
	return TrashPage{list, page}, nil
}

// Restore brings back what v deleted: a calendar with all that was in it, or
// an entry, into its calendar if calendarID is "" and that still exists, else
// into the default one. It returns which of the two it was, as it is now.
func (s *Service) Restore(tx *store.Tx, v svc.Viewer, id, calendarID string) (*Object, *Calendar, error) {
	var row trashRow
	err := tx.Get(&row, s.q.Trashed, store.Args{"member": v.Member(), "id": id})
	if store.IsNoRows(err) {
		err = errNotTrashed
	}
	if err != nil {
		return nil, nil, err
	}
	if _, err := tx.Exec(s.q.Untrash, store.Args{"member": v.Member(), "id": id}); err != nil {
		return nil, nil, err
	}
	if row.Component == "" {
		c, err := s.restoreCalendar(tx, v, row)
		return nil, &c, err
	}
	o, err := s.restoreEntry(tx, v, row, calendarID)
	return &o, nil, err
}

func (s *Service) restoreCalendar(tx *store.Tx, v svc.Viewer, row trashRow) (Calendar, error) {
	stamp, err := s.arrive(tx, v.Member(), row.Segment)
	if svc.KindOf(err) == svc.Conflict {
		row.Segment = row.ID // something else has taken its place
		stamp, err = s.arrive(tx, v.Member(), row.Segment)
	}
	if err != nil {
		return Calendar{}, err
	}
	position, err := s.endOfList(tx, v.Member())
	if err != nil {
		return Calendar{}, err
	}
	if _, err := tx.Exec(s.q.Grant, store.Args{
		"member": v.Member(), "calendar": row.ID, "role": "owner", "segment": row.Segment, "position": position,
	}); err != nil {
		return Calendar{}, err
	}
	if _, err := tx.Exec(s.q.StampCalendar, store.Args{"calendar": row.ID, "stamp": stamp}); err != nil {
		return Calendar{}, err
	}
	tx.Touch(svc.TimeTopic, int64(v.Member()))
	return s.Calendar(tx, v, row.ID)
}

func (s *Service) restoreEntry(tx *store.Tx, v svc.Viewer, row trashRow, calendarID string) (Object, error) {
	to := calendarID
	if to == "" {
		to = row.CalendarID
	}
	c, err := s.writable(tx, v, to)
	if calendarID == "" && (svc.KindOf(err) == svc.Missing || err == nil && !c.holds(row.Component)) {
		c, err = s.writable(tx, v, "")
	}
	if err != nil {
		return Object{}, err
	}
	if !c.holds(row.Component) {
		return Object{}, errHoldsNot
	}
	o, err := ics.Parse(row.Data)
	if err != nil {
		return Object{}, err
	}
	segment, err := s.freePlace(tx, c.ID, row.Segment, row.ID, o.UID)
	if err != nil {
		return Object{}, err
	}
	n, err := s.addAs(tx, c, row.ID, segment, Prepare(o, tx.Now()))
	if err != nil {
		return Object{}, err
	}
	if _, err := tx.Exec(s.q.RestoreProperties, store.Args{"object": n, "list": row.Properties}); err != nil {
		return Object{}, err
	}
	return s.Object(tx, v, row.ID)
}

// Forget gives up for good what v has in the trash: one thing, or all of it if
// id is "". It is gone for everybody at once; its rows go with [Service.Sweep].
func (s *Service) Forget(tx *store.Tx, v svc.Viewer, id string) (forgotten int, err error) {
	args := store.Args{"member": v.Member(), "id": id}
	calendars, err := tx.Exec(s.q.AbandonTrashed, args)
	if err != nil {
		return 0, err
	}
	if id == "" {
		entries, err := s.emptyBin(tx, v.Member())
		return int(calendars) + entries, err
	}
	rows, err := tx.Exec(s.q.Untrash, args)
	if err == nil && rows == 0 {
		err = errNotTrashed
	}
	return int(rows), err
}

// emptyBin takes the bin from its member with all that is in it, and returns
// how many entries those are.
func (s *Service) emptyBin(tx *store.Tx, member svc.MemberID) (entries int, err error) {
	err = tx.Get(&entries, s.q.EmptyBin, store.Args{"member": member})
	if store.IsNoRows(err) {
		err = nil // nothing was ever deleted
	}
	return entries, err
}

var errNotTrashed = svc.Errorf(svc.NotFound, "That is not in your trash.")
