package calendar

import (
	"appliance/store"
	"appliance/svc"
)

// Place is where an entry is: a name in a calendar of a member's home. Without
// a name it is the calendar, and without a calendar the home.
type Place struct{ Calendar, Segment string }

// path is the path below the home.
func (p Place) path() string {
	if p.Segment == "" {
		return p.Calendar
	}
	return p.Calendar + "/" + p.Segment
}

var errOccupiedEntry = svc.Errorf(svc.VersionConflict, "There is something at this address already.")

// CopyTo copies an entry of v's to another place, or moves it there, when it
// stays the entry that it is. ok is asked about its ETag. What stands in that
// place goes into the trash if that is allowed and it has the same UID.
func (s *Service) CopyTo(tx *store.Tx, v svc.Viewer, from, to Place, move, replace bool, ok func(etag string) error) (created bool, err error) {
	source, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": from.Calendar})
	if err != nil {
		return false, err
	}
	row, found, err := s.at(tx, source.ID, from.Segment)
	if err == nil && (!found || row.Hidden) {
		err = errNoObject
	}
	if err == nil {
		err = ok(row.ETag)
	}
	if err != nil {
		return false, err
	}
	target, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": to.Calendar})
	switch {
	case svc.KindOf(err) == svc.Missing:
		return false, ErrNoCollection
	case err != nil:
		return false, err
	case !target.writable() || move && !source.writable():
		return false, errReadOnly
	case !target.holds(row.Component):
		return false, &WrongComponent{row.Component}
	}
	old, occupied, err := s.at(tx, target.ID, to.Segment)
	switch {
	case err != nil:
		return false, err
	case occupied && !replace:
		return false, errOccupiedEntry
	case occupied && old.Source != nil:
		return false, errMirror
	case occupied && old.UID != row.UID:
		return false, &UIDConflict{to.Segment}
	}
	if other, err := s.withUID(tx, target.ID, row.UID); err != nil {
		return false, err
	} else if other != "" && other != to.Segment && !(move && target.ID == source.ID) {
		return false, &UIDConflict{other}
	}
	if occupied {
		if err := s.trash(tx, target.ID, old.N); err != nil {
			return false, err
		}
	}
	if move {
		return !occupied, s.relocate(tx, row, target, to.Segment)
	}
	return !occupied, s.duplicate(tx, row.dataRef, target, to.Segment)
}

// duplicate stores a copy of an entry under a name that is free.
func (s *Service) duplicate(tx *store.Tx, from dataRef, target calendarRow, segment string) error {
	if err := s.room(tx, target.ID, 0, from.Size); err != nil {
		return err
	}
	seq, err := s.nextSeq(tx, target.ID, 1)
	if err != nil {
		return err
	}
	var n int64
	if err := tx.Get(&n, s.q.CopyObject, store.Args{
		"id": svc.NewID("tob"), "calendar": target.ID, "segment": segment, "seq": seq, "from": from.N, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	args := store.Args{"from": from.N, "to": n}
	if _, err := tx.Exec(s.q.CopyData, args); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.CopyObjectProperties, args); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.CopyOccurrences, store.Args{"from": from.N, "to": n, "calendar": target.ID}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.Unbury, store.Args{"calendar": target.ID, "segment": segment}); err != nil {
		return err
	}
	return s.touchReaders(tx, target.ID)
}
