package calendar

import (
	"appliance/store"
	"appliance/svc"
)

// Quota is what a member may store, whatever is in the trash included: so much
// that no household needs it, and so little that no member fills the disk.
type Quota struct {
	Calendars int
	Entries   int
	Octets    int64 // of the entries' text
}

var usualQuota = Quota{Calendars: 1000, Entries: 200_000, Octets: 2 << 30}

var errFull = svc.Errorf(svc.QuotaExceeded, "You have stored as much here as a member may. Delete what you do not need, and empty the trash.")

// room refuses an entry of so many octets, in the place of the one numbered n or as a new one if
// that is 0, for which its calendar's owner has no room. What makes an entry
// smaller is never refused.
func (s *Service) room(tx *store.Tx, calendar string, n int64, octets int) error {
	var used struct {
		Entries float64 `db:"entries"`
		Octets  float64 `db:"octets"`
		Size    *int    `db:"size"`
	}
	if err := tx.Get(&used, s.q.Usage, store.Args{"calendar": calendar, "n": n}); err != nil {
		return err
	}
	more, growth := 1, octets
	if used.Size != nil {
		more, growth = 0, growth-*used.Size
	}
	if more > 0 && int(used.Entries)+more > s.Quota.Entries || growth > 0 && int64(used.Octets)+int64(growth) > s.Quota.Octets {
		return errFull
	}
	return nil
}

func (s *Service) roomForCalendar(tx *store.Tx, owner svc.MemberID) error {
	var n int
	err := tx.Get(&n, s.q.CountOwned, store.Args{"member": owner})
	if err == nil && n >= s.Quota.Calendars {
		err = errFull
	}
	return err
}
