package object

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
)

// Row is a row of calendar_object.
type Row struct {
	Ref
	ID         string       `db:"id"`
	CalendarID string       `db:"calendar_id"`
	Segment    string       `db:"segment"`
	UID        string       `db:"uid"`
	Component  string       `db:"component"`
	ETag       string       `db:"etag"`
	Hidden     bool         `db:"hidden"`
	Source     *string      `db:"source_service"` // nil unless the object is a mirror
	SourceType *string      `db:"source_object_type"`
	SourceID   *string      `db:"source_object_id"`
	CreatedAt  store.Millis `db:"created_at"`
	UpdatedAt  store.Millis `db:"updated_at"`
}

// IsMirror reports whether the object is a mirror.
func (r Row) IsMirror() bool { return r.Source != nil }

// Visible is an object that a member can see, with columns of its calendar and
// the role of the member.
type Visible struct {
	Row
	CalendarName     string  `db:"calendar_name"`
	CalendarColor    string  `db:"calendar_color"`
	CalendarTimezone string  `db:"calendar_timezone"`
	Color            *string `db:"color"` // nil for the color of the calendar
	Role             Role    `db:"role"`
}

// IsWritable reports whether the member may change the object.
func (v Visible) IsWritable() bool { return v.Role != Reader }

// Info returns the attributes that rendering the object needs in addition to
// its text.
func (v Visible) Info() view.Info {
	info := view.Info{
		ID: v.ID, ETag: v.ETag, CalendarID: v.CalendarID, CalendarName: v.CalendarName, Color: v.CalendarColor,
		ReadOnly: !v.IsWritable(), Hidden: v.Hidden, CreatedAt: v.CreatedAt.Timestamp(), UpdatedAt: v.UpdatedAt.Timestamp(),
	}
	if v.Color != nil {
		info.Color = *v.Color
	}
	if v.IsMirror() {
		info.Source = &view.Source{Service: *v.Source, ObjectType: *v.SourceType, ObjectID: *v.SourceID}
	}
	return info
}

var (
	// ErrNotFound is returned for an object that does not exist or that the
	// member cannot see.
	ErrNotFound = svc.Errorf(svc.NotFound, "This calendar entry does not exist, or it was deleted.")

	// ErrMirror is returned for a deletion of a mirror.
	ErrMirror = svc.Errorf(svc.SocialOwnedField, "This entry belongs to a Social event. Decline the event, or hide the entry.")
)

// Visible returns the object with an id, without its text.
func (s *Store) Visible(tx *store.Tx, member svc.MemberID, id string) (v Visible, err error) {
	err = tx.Get(&v, s.q.VisibleObject, store.Args{"member": member, "id": id})
	if store.IsNoRows(err) {
		err = ErrNotFound
	}
	return v, err
}

// Open returns the object with an id, which must be visible to the member, and parses its text.
func (s *Store) Open(tx *store.Tx, member svc.MemberID, id string) (v Visible, o *ics.Object, err error) {
	if v, err = s.Visible(tx, member, id); err == nil {
		o, err = s.Parse(tx, v.Ref)
	}
	return v, o, err
}

// At returns the object at a segment of a calendar, if there is one.
func (s *Store) At(tx *store.Tx, calendarID, segment string) (r Row, found bool, err error) {
	err = tx.Get(&r, s.q.ObjectAt, store.Args{"calendar": calendarID, "segment": segment})
	if store.IsNoRows(err) {
		return r, false, nil
	}
	return r, err == nil, err
}

// ShownAt returns the object at a segment of a calendar. A hidden object is not
// found.
func (s *Store) ShownAt(tx *store.Tx, calendarID, segment string) (Row, error) {
	r, found, err := s.At(tx, calendarID, segment)
	if err == nil && (!found || r.Hidden) {
		err = ErrNotFound
	}
	return r, err
}

// TaskRow is the row of a task.
type TaskRow struct {
	Row
	Open bool `db:"open"` // an occurrence is neither completed nor cancelled
}

// TaskOfUID returns the task of a calendar with a UID, nil if there is none.
func (s *Store) TaskOfUID(tx *store.Tx, calendarID, uid string) (*TaskRow, error) {
	var r TaskRow
	err := tx.Get(&r, s.q.TaskOfUID, store.Args{"calendar": calendarID, "uid": uid})
	if store.IsNoRows(err) {
		return nil, nil
	}
	return &r, err
}

// SegmentOfUID returns the segment of the object with a UID, "" if there is
// none.
func (s *Store) SegmentOfUID(tx *store.Tx, calendarID, uid string) (segment string, err error) {
	err = tx.Get(&segment, s.q.SegmentOfUID, store.Args{"calendar": calendarID, "uid": uid})
	if store.IsNoRows(err) {
		return "", nil
	}
	return segment, err
}
