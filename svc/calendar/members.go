package calendar

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// MemberCreated creates the default calendar of a new member. Its name is in the language of
// the member.
func (s *Service) MemberCreated(tx *store.Tx, member svc.MemberID, locale string) error {
	name := words.For(locale).Text("Calendar")
	return s.addCalendar(tx, member, svc.NewID("cal"), NewCalendar{Name: name}, true)
}

// ZoneChanged sets the time zone of the calendars of a member that have none of their own.
func (s *Service) ZoneChanged(tx *store.Tx, member svc.MemberID, timezone string) error {
	return s.SetZone(tx, []svc.MemberID{member}, timezone)
}

// SetZone sets the time zone of the calendars of members that have none of their own. If they
// have it already, it writes nothing.
func (s *Service) SetZone(tx *store.Tx, members []svc.MemberID, timezone string) error {
	owners := store.JSONArray(members)
	var found bool
	if err := tx.Get(&found, s.q.HasOtherZone, store.Args{"owners": owners, "timezone": timezone}); err != nil || !found {
		return err
	}
	homeSeq, err := s.objects.NextHomeSeq(tx)
	if err != nil {
		return err
	}
	var changed []string
	if err := tx.Select(&changed, s.q.SetOwnerZone, store.Args{
		"owners": owners, "timezone": timezone, "home_seq": homeSeq, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	return s.objects.TouchReadersOfAll(tx, changed)
}

// MemberDeleted deletes the calendars, the trash and the preferences of a member. It only
// orphans the calendars and the trash, so that it takes little time; Sweep deletes their rows.
func (s *Service) MemberDeleted(tx *store.Tx, member svc.MemberID) error {
	if _, err := s.emptyTrash(tx, member); err != nil {
		return err
	}
	for _, q := range []store.Query{
		s.q.RevokeAccessToOwned, s.q.OrphanCalendars, s.q.RevokeAccessOf,
		s.q.DeletePreferencesOf,
	} {
		if _, err := tx.Exec(q, store.Args{"member": member}); err != nil {
			return err
		}
	}
	return nil
}

// DeleteData deletes at most limit files, properties and tombstones of the calendar home of a
// deleted member and returns their number.
func (s *Service) DeleteData(tx *store.Tx, member svc.MemberID, limit int) (rows int, err error) {
	return tx.ExecUpTo(limit, store.Args{"member": member}, s.q.DeleteFilesOf, s.q.DeletePropertiesOf, s.q.DeleteHomeTombstonesOf)
}

// AccountRecovered deletes the feeds of a member: an intruder may have created
// or seen them.
func (s *Service) AccountRecovered(tx *store.Tx, member svc.MemberID) error {
	_, err := tx.Exec(s.q.DeleteFeedsOf, store.Args{"member": member})
	return err
}
