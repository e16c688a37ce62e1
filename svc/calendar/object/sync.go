package object

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// A calendar keeps its latest tombstones. After every pruneEvery changes, it
// deletes up to pruneBatch tombstones that exceed the number or the age.
const (
	maxTombstones = 10_000
	tombstoneAge  = 90 * 24 * time.Hour
	pruneEvery    = 256
	pruneBatch    = 300
)

// BumpSync increments the seq of a calendar by the number of changes to its
// objects and returns it.
func (s *Store) BumpSync(tx *store.Tx, calendarID string, changes int) (seq int64, err error) {
	homeSeq, err := s.NextHomeSeq(tx)
	if err != nil {
		return 0, err
	}
	err = tx.Get(&seq, s.q.BumpSync, store.Args{"calendar": calendarID, "changes": changes, "home_seq": homeSeq})
	if err == nil && seq/pruneEvery != (seq-int64(changes))/pruneEvery {
		err = s.pruneTombstones(tx, calendarID)
	}
	return seq, err
}

// NextHomeSeq increments and returns the home seq, the number of the last
// change to a calendar home.
func (s *Store) NextHomeSeq(tx *store.Tx) (homeSeq int64, err error) {
	err = tx.Get(&homeSeq, s.q.NextHomeSeq, nil)
	return homeSeq, err
}

// BumpHome gives a calendar a new home seq, for a change to the calendar that
// is not a change to its objects.
func (s *Store) BumpHome(tx *store.Tx, calendarID string) error {
	homeSeq, err := s.NextHomeSeq(tx)
	if err == nil {
		_, err = tx.Exec(s.q.SetCalendarHomeSeq, store.Args{"calendar": calendarID, "home_seq": homeSeq})
	}
	return err
}

// AddHomeTombstone records that a segment of a calendar home is no longer in use.
func (s *Store) AddHomeTombstone(tx *store.Tx, member svc.MemberID, segment string) error {
	homeSeq, err := s.NextHomeSeq(tx)
	if err == nil {
		_, err = tx.Exec(s.q.AddHomeTombstone, store.Args{"member": member, "segment": segment, "home_seq": homeSeq})
	}
	return err
}

// TouchReaders invalidates the datasets of all members who have access to a
// calendar.
func (s *Store) TouchReaders(tx *store.Tx, calendarID string) error {
	var members []int64
	if err := tx.Select(&members, s.q.Readers, store.Args{"calendar": calendarID}); err != nil {
		return err
	}
	tx.Touch(svc.CalendarUpdated, members...)
	return nil
}

// TouchReadersOfAll invalidates the datasets of all members who have access to one of the
// calendars.
func (s *Store) TouchReadersOfAll(tx *store.Tx, calendars []string) error {
	var readers []int64
	if err := tx.Select(&readers, s.q.ReadersOfAll, store.Args{"calendars": store.JSONArray(calendars)}); err != nil {
		return err
	}
	tx.Touch(svc.CalendarUpdated, readers...)
	return nil
}

func (s *Store) addTombstone(tx *store.Tx, calendarID, segment string, seq int64) error {
	_, err := tx.Exec(s.q.AddTombstone, store.Args{"calendar": calendarID, "segment": segment, "seq": seq, "now": store.MillisOf(tx.Now())})
	return err
}

func (s *Store) deleteTombstone(tx *store.Tx, calendarID, segment string) error {
	_, err := tx.Exec(s.q.DeleteTombstone, store.Args{"calendar": calendarID, "segment": segment})
	return err
}

func (s *Store) pruneTombstones(tx *store.Tx, calendarID string) error {
	var seq int64
	err := tx.Get(&seq, s.q.PrunableSeq, store.Args{
		"calendar": calendarID, "keep": maxTombstones, "limit": pruneBatch, "before": store.MillisOf(tx.Now().Add(-tombstoneAge)),
	})
	if err != nil || seq == 0 {
		return err
	}
	args := store.Args{"calendar": calendarID, "seq": seq}
	if _, err := tx.Exec(s.q.PruneTombstones, args); err != nil {
		return err
	}
	_, err = tx.Exec(s.q.SetPrunedSeq, args)
	return err
}
