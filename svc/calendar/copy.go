package calendar

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/object"
)

// Limits of a copied calendar. They bound the time of the request.
const (
	maxCopiedObjects = 10_000
	maxCopiedOctets  = 32 << 20
)

var errCopyTooLarge = svc.Errorf(svc.QuotaExceeded, "This calendar is too large to copy: a copy can have at most %d entries and %d MiB.", maxCopiedObjects, maxCopiedOctets>>20)

// MoveCalendar moves a calendar that v owns to another segment of the calendar home. The segment
// must be free.
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

// Copy is an incomplete copy of a calendar. The new calendar is staged: it has neither an owner nor
// members with access. Its creator must either publish or abandon it.
type Copy struct {
	ID string // of the new calendar

	from     string
	position int
}

// StageCopy begins the copy of a calendar that v has access to. It copies no objects.
func (s *Service) StageCopy(tx *store.Tx, v svc.Viewer, id string) (copied Copy, err error) {
	c, err := s.objects.Calendar(tx, v.Member(), id)
	if err == nil {
		err = s.objects.CheckCalendarQuota(tx, v.Member())
	}
	if err != nil {
		return copied, err
	}
	copied = Copy{svc.NewID("cal"), id, c.Position}
	if _, err := tx.Exec(s.q.StageCopy, store.Args{"from": id, "to": copied.ID, "now": store.MillisOf(tx.Now())}); err != nil {
		return copied, err
	}
	_, err = tx.Exec(s.q.CopyCalendarProperties, store.Args{"from": id, "to": copied.ID})
	return copied, err
}

// CopyObjects returns the objects to copy: all that are not hidden. It returns an error if they
// exceed the limits.
func (s *Service) CopyObjects(tx *store.Tx, v svc.Viewer, c Copy) ([]object.CopySource, error) {
	list, err := s.objects.CopySources(tx, c.from, maxCopiedObjects+1)
	if err != nil {
		return nil, err
	}
	octets := 0
	for _, o := range list {
		octets += o.Size
	}
	if len(list) > maxCopiedObjects || octets > maxCopiedOctets {
		return nil, errCopyTooLarge
	}
	return list, s.checkCopyQuota(tx, v, len(list), octets)
}

func (s *Service) checkCopyQuota(tx *store.Tx, v svc.Viewer, objects, octets int) error {
	home, err := s.objects.DefaultCalendar(tx, v.Member())
	if err != nil {
		return err
	}
	return s.objects.CheckCopyQuota(tx, home.ID, objects, octets)
}

// CopyNext copies the first objects of list and returns their number. A copied mirror is an
// ordinary object.
func (s *Service) CopyNext(tx *store.Tx, c Copy, list []object.CopySource) (copied int, err error) {
	return s.objects.CopyNext(tx, list, c.ID)
}

// PublishCopy makes a copy a calendar of v at a free segment of the calendar home.
func (s *Service) PublishCopy(tx *store.Tx, v svc.Viewer, c Copy, segment string) error {
	if _, err := s.objects.Calendar(tx, v.Member(), c.from); err != nil { // deleted meanwhile
		return err
	}
	if err := s.objects.CheckCalendarQuota(tx, v.Member()); err != nil {
		return err
	}
	var size struct {
		Objects int `db:"objects"`
		Octets  int `db:"octets"`
	}
	if err := tx.Get(&size, s.q.CopySize, store.Args{"id": c.ID}); err != nil {
		return err
	}
	if err := s.checkCopyQuota(tx, v, size.Objects, size.Octets); err != nil {
		return err
	}
	if err := s.objects.ClaimSegment(tx, v.Member(), segment); err != nil {
		return err
	}
	homeSeq, err := s.objects.NextHomeSeq(tx)
	if err != nil {
		return err
	}
	timezone, err := s.memberZone(tx, v.Member())
	if err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.PublishCopy, store.Args{
		"id": c.ID, "owner": v.Member(), "timezone": timezone, "home_seq": homeSeq, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	if err := s.grantOwner(tx, v.Member(), c.ID, segment, &c.position); err != nil {
		return err
	}
	return s.objects.TouchReaders(tx, c.ID)
}

// AbandonCopy discards an incomplete copy: [Service.SweepOrphans] deletes its rows.
func (s *Service) AbandonCopy(tx *store.Tx, c Copy) error {
	_, err := tx.Exec(s.q.AbandonCopy, store.Args{"id": c.ID})
	return err
}

// AbandonCopies discards all incomplete copies. The server calls it at startup, because a process
// that was stopped can have left some.
func (s *Service) AbandonCopies(tx *store.Tx) error {
	_, err := tx.Exec(s.q.AbandonCopy, store.Args{"id": ""})
	return err
}
