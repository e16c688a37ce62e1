package object

import (
	"appliance/store"
	"appliance/svc"
)

// Presence is an object with a UID, in a calendar or in the trash.
type Presence struct {
	Ref
	UID          string `db:"uid"`
	ID           string `db:"id"`
	CalendarID   string `db:"calendar_id"`   // in the trash: the former one
	CalendarName string `db:"calendar_name"` // "" in the trash
	Segment      string `db:"segment"`
	Component    string `db:"component"`
	ETag         string `db:"etag"` // "" in the trash
	IsMirror     bool   `db:"mirror"`
	IsTrashed    bool   `db:"trashed"`
	Taken        bool   `db:"taken"`  // in the trash: another object is at the segment
	Weight       int    `db:"weight"` // number of rows that belong to the object
}

// freeSegment returns a free segment for an object of the trash.
func (p Presence) freeSegment() string {
	if p.Taken {
		return p.ID + ".ics"
	}
	return p.Segment
}

// Presences returns the objects with UIDs in the calendars of a member, and in the trash of the
// owner of a calendar.
func (s *Store) Presences(tx *store.Tx, member svc.MemberID, c Calendar, uids []string) (list []Presence, err error) {
	err = tx.Select(&list, s.q.Presences, store.Args{"member": member, "owner": c.Owner, "calendar": c.ID, "uids": store.JSONArray(uids)})
	return list, err
}

// TrashedObject is the content of an object in the trash.
type TrashedObject struct {
	Properties string `db:"properties"` // dead properties, as a JSON array of objects
	Data       []byte `db:"data"`
}

// EachTrashed calls visit with each object of the trash, in the order of list.
func (s *Store) EachTrashed(tx *store.Tx, list []Ref, visit func(i int, o TrashedObject) error) error {
	return EachRow(tx, s.q.TrashedObjects, list, visit)
}
