package object

import (
	"errors"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// Move gives an object another segment, in the same calendar or in another one.
// The segment must be free.
func (s *Store) Move(tx *store.Tx, r Row, to Calendar, segment string) error {
	removed, err := s.BumpSync(tx, r.CalendarID, 1)
	if err != nil {
		return err
	}
	seq, err := s.BumpSync(tx, to.ID, 1)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.MoveObject, store.Args{
		"n": r.N, "calendar": to.ID, "segment": segment, "seq": seq, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	if err := s.addTombstone(tx, r.CalendarID, r.Segment, removed); err != nil {
		return err
	}
	if err := s.moveIndex(tx, to.ID, seq-1); err != nil {
		return err
	}
	return errors.Join(s.TouchReaders(tx, r.CalendarID), s.TouchReaders(tx, to.ID))
}

// Limits of one write that moves or copies objects (B-130).
const (
	maxMovedRows    = 1800    // also limits the objects, whose weight is at least 9
	maxCopiedRows   = 2200    // also limits the objects, whose weight is at least 3
	maxCopiedOctets = 2 << 20 // of the text of the copied objects
	maxMoved        = maxMovedRows / 9
)

// MoveBatch is a batch of objects of a calendar that one write moves to another calendar.
type MoveBatch struct {
	More bool // whether the calendar has more objects to move

	from, to Calendar
	objects  []movingObject
}

// movingObject is an object of [MoveBatch].
type movingObject struct {
	N         int64  `db:"n"`
	Component string `db:"component"`
	Weight    int    `db:"weight"`
	Taken     bool   `db:"taken"` // an object with its UID is in the other calendar
}

// ErrMoveConflict is returned if an object with the UID of an object to move is in the
// other calendar.
var ErrMoveConflict = svc.FieldError(svc.AlreadyExists, "move_to", "Some of the entries are already in that calendar. Choose another calendar.")

// NextMoveBatch returns the next objects of a calendar, or with onlyMirrors its next mirrors, to
// move to another calendar. It returns ErrMoveConflict if one of them cannot be moved.
func (s *Store) NextMoveBatch(tx *store.Tx, from, to Calendar, onlyMirrors bool) (m MoveBatch, err error) {
	q := s.q.ObjectsToMove
	if onlyMirrors {
		q = s.q.MirrorsToMove
	}
	m.from, m.to = from, to
	if err := tx.Select(&m.objects, q, store.Args{"from": from.ID, "to": to.ID, "limit": maxMoved + 1}); err != nil {
		return m, err
	}
	weight := 0
	for i, o := range m.objects {
		if weight += o.Weight; i > 0 && weight > maxMovedRows {
			m.objects, m.More = m.objects[:i], true
			break
		}
		if o.Taken {
			return m, ErrMoveConflict
		}
	}
	return m, nil
}

// Components returns the components of the objects.
func (m MoveBatch) Components() (list []string) {
	for _, o := range m.objects {
		if !slices.Contains(list, o.Component) {
			list = append(list, o.Component)
		}
	}
	return list
}

// MaxChecked limits the objects of a calendar that are examined before the first of them moves. The
// other objects are examined when they move.
const MaxChecked = 5000

// CheckUIDs returns ErrMoveConflict if the UID of one of the first MaxChecked objects of a calendar
// is in use in another calendar. With onlyMirrors, it examines only the mirrors among them.
func (s *Store) CheckUIDs(tx *store.Tx, from, to string, onlyMirrors bool) error {
	var taken bool
	err := tx.Get(&taken, s.q.IsUIDTaken, store.Args{"from": from, "to": to, "only_mirrors": onlyMirrors, "limit": MaxChecked})
	if err == nil && taken {
		err = ErrMoveConflict
	}
	return err
}

// MoveObjects moves a batch of objects, adds tombstones for them and returns their number.
func (s *Store) MoveObjects(tx *store.Tx, m MoveBatch) (moved int, err error) {
	moved = len(m.objects)
	if moved == 0 {
		return 0, nil
	}
	keys := make([]int64, moved)
	for i, o := range m.objects {
		keys[i] = o.N
	}
	removed, err := s.BumpSync(tx, m.from.ID, moved)
	if err != nil {
		return 0, err
	}
	added, err := s.BumpSync(tx, m.to.ID, moved)
	if err != nil {
		return 0, err
	}
	list, now := store.JSONArray(keys), store.MillisOf(tx.Now())
	if _, err := tx.Exec(s.q.AddTombstonesOfMoving, store.Args{"from": m.from.ID, "list": list, "seq": removed - int64(moved), "now": now}); err != nil {
		return 0, err
	}
	seq := added - int64(moved)
	if _, err := tx.Exec(s.q.MoveObjects, store.Args{"to": m.to.ID, "list": list, "seq": seq, "now": now}); err != nil {
		return 0, err
	}
	if err := s.moveIndex(tx, m.to.ID, seq); err != nil {
		return 0, err
	}
	return moved, errors.Join(s.TouchReaders(tx, m.from.ID), s.TouchReaders(tx, m.to.ID))
}

// moveIndex updates the occurrences and tombstones of the objects that have been moved to a
// calendar: the objects with a change number greater than after.
func (s *Store) moveIndex(tx *store.Tx, calendarID string, after int64) error {
	args := store.Args{"calendar": calendarID, "after": after}
	if _, err := tx.Exec(s.q.MoveOccurrences, args); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.DeleteTombstonesOfMoved, args)
	return err
}

// Copy stores a copy of an object at a free segment.
func (s *Store) Copy(tx *store.Tx, from Ref, to Calendar, segment string) error {
	if err := s.checkQuota(tx, to.ID, 0, from.Size); err != nil {
		return err
	}
	seq, err := s.BumpSync(tx, to.ID, 1)
	if err != nil {
		return err
	}
	var n int64
	if err := tx.Get(&n, s.q.CopyObject, store.Args{
		"id": svc.NewID("tob"), "calendar": to.ID, "segment": segment, "seq": seq, "from": from.N, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	args := store.Args{"from": from.N, "to": n}
	if _, err := tx.Exec(s.q.CopyData, args); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.CopyProperties, args); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.CopyOccurrences, store.Args{"from": from.N, "to": n, "calendar": to.ID}); err != nil {
		return err
	}
	if err := s.deleteTombstone(tx, to.ID, segment); err != nil {
		return err
	}
	return s.TouchReaders(tx, to.ID)
}

// CopySource is an object to copy.
type CopySource struct {
	Ref
	Weight int `db:"weight"`
}

// CopySources returns the objects of a calendar that are not hidden, at most limit.
func (s *Store) CopySources(tx *store.Tx, calendarID string, limit int) (list []CopySource, err error) {
	err = tx.Select(&list, s.q.ObjectsToCopy, store.Args{"calendar": calendarID, "limit": limit})
	return list, err
}

// CopyNext stores copies of the first objects of list, which is not empty, in a staged calendar, at
// the same segments. It copies as many objects as one write may copy and returns their number.
func (s *Store) CopyNext(tx *store.Tx, list []CopySource, to string) (copied int, err error) {
	octets, weight, rows := 0, 0, make([][2]any, 0, len(list))
	for i, o := range list {
		octets, weight = octets+o.Size, weight+o.Weight
		if i > 0 && (weight > maxCopiedRows || octets > maxCopiedOctets) {
			break
		}
		rows = append(rows, [2]any{o.N, svc.NewID("tob")})
	}
	seq, err := s.BumpSync(tx, to, len(rows))
	if err != nil {
		return 0, err
	}
	args := store.Args{"rows": store.JSONArray(rows)}
	if _, err := tx.Exec(s.q.CopyObjects, store.Args{
		"calendar": to, "rows": args["rows"], "seq": seq - int64(len(rows)), "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return 0, err
	}
	for _, q := range []store.Query{s.q.CopyDataOfAll, s.q.CopyPropertiesOfAll} {
		if _, err := tx.Exec(q, args); err != nil {
			return 0, err
		}
	}
	_, err = tx.Exec(s.q.CopyOccurrencesOfAll, store.Args{"calendar": to, "rows": args["rows"]})
	return len(rows), err
}

// FreeSegment returns a free segment of a calendar for an object that is not in it: segment or, if
// that is in use, a segment that is derived from id.
func (s *Store) FreeSegment(tx *store.Tx, calendarID, segment, id, uid string) (string, error) {
	if other, err := s.SegmentOfUID(tx, calendarID, uid); err != nil {
		return "", err
	} else if other != "" {
		return "", svc.FieldError(svc.AlreadyExists, "calendar_id", "This entry is already in that calendar. Choose another calendar.")
	}
	_, found, err := s.At(tx, calendarID, segment)
	if found {
		segment = id + ".ics"
	}
	return segment, err
}
