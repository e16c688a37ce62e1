package object

import (
	"errors"

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

// MoveAll moves all objects of a calendar, or only its mirrors, to another one
// and returns their number.
func (s *Store) MoveAll(tx *store.Tx, from string, to Calendar, onlyMirrors bool) (moved int, err error) {
	rows, err := tx.Exec(s.q.MoveObjects, store.Args{
		"from": from, "to": to.ID, "seq": to.Seq, "only_mirrors": onlyMirrors, "now": store.MillisOf(tx.Now()),
	})
	if store.IsConstraint(err) {
		return 0, svc.FieldError(svc.AlreadyExists, "move_to", "Some of the entries are already in that calendar. Choose another calendar.")
	}
	if err != nil || rows == 0 {
		return 0, err
	}
	if _, err := s.BumpSync(tx, to.ID, int(rows)); err != nil {
		return 0, err
	}
	if err := s.moveIndex(tx, to.ID, to.Seq); err != nil {
		return 0, err
	}
	return int(rows), s.TouchReaders(tx, to.ID)
}

// moveIndex updates the occurrences and tombstones of the objects that have
// been moved to a calendar. They are those whose change number is greater than
// after.
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

// CopyAll stores copies of objects of the calendar from in an empty calendar, at
// the same segments.
func (s *Store) CopyAll(tx *store.Tx, from string, list []Ref, to string) error {
	if len(list) == 0 {
		return nil
	}
	octets, rows := 0, make([][2]any, len(list))
	for i, o := range list {
		octets += o.Size
		rows[i] = [2]any{o.N, svc.NewID("tob")}
	}
	if err := s.checkBulkQuota(tx, to, 0, len(list), octets); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.CopyObjects, store.Args{"calendar": to, "rows": store.JSONArray(rows), "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	for _, q := range []store.Query{s.q.CopyDataOfAll, s.q.CopyPropertiesOfAll, s.q.CopyOccurrencesOfAll} {
		if _, err := tx.Exec(q, store.Args{"from": from, "to": to}); err != nil {
			return err
		}
	}
	if _, err := s.BumpSync(tx, to, len(list)); err != nil {
		return err
	}
	return s.TouchReaders(tx, to)
}

// FreeSegment returns a free segment of a calendar for an object that is not in
// it: segment, or one that is derived from its id.
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
