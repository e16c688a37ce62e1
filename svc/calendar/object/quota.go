package object

import (
	"appliance/store"
	"appliance/svc"
)

// Quota limits the calendars and objects of a member, trash included. The
// defaults are far above the needs of one person. Package storage limits the
// size.
type Quota struct {
	Calendars int
	Objects   int
}

var defaultQuota = Quota{Calendars: 1000, Objects: 200_000}

// checkQuota returns an error unless the owner of a calendar may store an
// object of size octets, in place of the object n or as a new one if n is 0. A
// replacement that is not larger is always allowed.
func (s *Store) checkQuota(tx *store.Tx, calendarID string, n int64, size int) error {
	return s.checkBulkQuota(tx, calendarID, n, 1, size)
}

// checkBulkQuota returns an error unless the owner of a calendar may store this
// number of objects and octets, in place of the object n unless it is 0.
func (s *Store) checkBulkQuota(tx *store.Tx, calendarID string, n int64, objects, octets int) error {
	var used struct {
		Owner   svc.MemberID `db:"owner_id"`
		Objects float64      `db:"objects"`
		Size    *int         `db:"size"`
	}
	if err := tx.Get(&used, s.q.Usage, store.Args{"calendar": calendarID, "n": n}); err != nil {
		return err
	}
	if used.Size != nil {
		octets -= *used.Size
	} else if int(used.Objects)+objects > s.Quota.Objects {
		return svc.Errorf(svc.QuotaExceeded, "You cannot have more than %d calendar entries. Delete entries that you do not need, and empty the trash.", s.Quota.Objects)
	}
	return s.storage.Check(tx, used.Owner, int64(octets))
}

// CheckCopyQuota returns an error unless the owner of a calendar may store this
// number of additional objects and octets.
func (s *Store) CheckCopyQuota(tx *store.Tx, calendarID string, objects, octets int) error {
	return s.checkBulkQuota(tx, calendarID, 0, objects, octets)
}

// CheckCalendarQuota returns an error unless a member may have one more calendar.
func (s *Store) CheckCalendarQuota(tx *store.Tx, member svc.MemberID) error {
	var n int
	err := tx.Get(&n, s.q.CountCalendars, store.Args{"member": member})
	if err == nil && n >= s.Quota.Calendars {
		err = svc.Errorf(svc.QuotaExceeded, "You cannot have more than %d calendars. Delete calendars that you do not need, and empty the trash.", s.Quota.Calendars)
	}
	return err
}
