package calendar

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/object"
)

// Limits of a copied calendar. A copy is one write, which delays all others: at
// these limits by about a second.
const (
	maxCopiedObjects = 10_000
	maxCopiedOctets  = 32 << 20
)

var errCopyTooLarge = svc.Errorf(svc.QuotaExceeded, "This calendar is too large to copy: a copy can have at most %d entries and %d MiB.", maxCopiedObjects, maxCopiedOctets>>20)

// MoveCalendar gives a calendar that v owns another segment of the calendar home,
// which must be free.
func (s *Service) MoveCalendar(tx *store.Tx, v svc.Viewer, id, segment string) error {
	c, err := s.objects.Calendar(tx, v.Member(), id)
	switch {
	case err != nil:
		return err
	case c.Owner != v.Member():
		return svc.Errorf(svc.PermissionDenied, "Only the owner can move this calendar.")
	}
	if err := s.objects.ClaimSegment(tx, v.Member(), segment); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.SetSegment, store.Args{"member": v.Member(), "calendar": id, "segment": segment}); err != nil {
		return err
	}
	if err := s.objects.AddHomeTombstone(tx, v.Member(), c.Segment); err != nil {
		return err
	}
	tx.Touch(svc.CalendarArranged, int64(v.Member()))
	return s.objects.BumpHome(tx, id)
}

// CopyCalendar copies a calendar that v has access to, as a new calendar of v at
// a free segment of the calendar home. Unless shallow, it copies the objects that
// are not hidden; a copied mirror is an ordinary object.
func (s *Service) CopyCalendar(tx *store.Tx, v svc.Viewer, id, segment string, shallow bool) error {
	c, err := s.objects.Calendar(tx, v.Member(), id)
	if err == nil {
		err = s.objects.CheckCalendarQuota(tx, v.Member())
	}
	if err == nil {
		err = s.objects.ClaimSegment(tx, v.Member(), segment)
	}
	if err != nil {
		return err
	}
	homeSeq, err := s.objects.NextHomeSeq(tx)
	if err != nil {
		return err
	}
	to := svc.NewID("cal")
	if _, err := tx.Exec(s.q.CopyCalendar, store.Args{
		"from": id, "to": to, "owner": v.Member(), "home_seq": homeSeq, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.CopyCalendarProperties, store.Args{"from": id, "to": to}); err != nil {
		return err
	}
	if err := s.grantOwner(tx, v.Member(), to, segment, &c.Position); err != nil || shallow {
		return err
	}
	return s.copyObjects(tx, id, to)
}

// copyObjects copies the objects of a calendar that are not hidden to an empty
// calendar.
func (s *Service) copyObjects(tx *store.Tx, from, to string) error {
	var list []object.Ref
	if err := tx.Select(&list, s.q.ShownObjects, store.Args{"calendar": from}); err != nil {
		return err
	}
	octets := 0
	for _, o := range list {
		octets += o.Size
	}
	if len(list) > maxCopiedObjects || octets > maxCopiedOctets {
		return errCopyTooLarge
	}
	return s.objects.CopyAll(tx, from, list, to)
}
