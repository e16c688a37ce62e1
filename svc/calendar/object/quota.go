package object

import (
	"appliance/store"
	"appliance/svc"
)

// Quota limits the storage of a member, trash included. The default is far above
// the needs of a person, and prevents one member from filling the disk.
type Quota struct {
	Calendars int
	Objects   int
	Octets    int64 // of the text of all objects
}

var defaultQuota = Quota{Calendars: 1000, Objects: 200_000, Octets: 2 << 30}

var errOverQuota = svc.Errorf(svc.QuotaExceeded, "Your calendar storage is full. Delete entries that you do not need, and empty the trash.")

// checkQuota checks that the owner of a calendar may store an object of a size,
// in place of the object n or as a new one if n is 0. A replacement that is not
// larger is always allowed.
func (s *Store) checkQuota(tx *store.Tx, calendarID string, n int64, size int) error {
	var used struct {
		Objects float64 `db:"objects"`
		Octets  float64 `db:"octets"`
		Size    *int    `db:"size"`
	}
	if err := tx.Get(&used, s.q.Usage, store.Args{"calendar": calendarID, "n": n}); err != nil {
		return err
	}
	if used.Size != nil {
		size -= *used.Size
	} else if int(used.Objects) >= s.Quota.Objects {
		return errOverQuota
	}
	if size > 0 && int64(used.Octets)+int64(size) > s.Quota.Octets {
		return errOverQuota
	}
	return nil
}

// CheckCalendarQuota checks that a member may have one more calendar.
func (s *Store) CheckCalendarQuota(tx *store.Tx, member svc.MemberID) error {
	var n int
	err := tx.Get(&n, s.q.CountCalendars, store.Args{"member": member})
	if err == nil && n >= s.Quota.Calendars {
		err = errOverQuota
	}
	return err
}
