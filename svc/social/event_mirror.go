package social

import (
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// syncMirrors updates the mirrors of an event to its stored state, or removes
// them if it is deleted. The host and members with an RSVP have a mirror only
// while they see the event; once the event is over, they keep it. It bumps the
// revision of the event.
func (s *Service) syncMirrors(tx *store.Tx, e eventRow, deleted bool) error {
	sync := svc.EventSync{EventID: e.ID, Deleted: deleted}
	if err := tx.Get(&sync.Revision, s.q.BumpEventRevision, store.Args{"id": e.ID}); err != nil {
		return err
	}
	rsvps, err := s.eventRSVPs(tx, e.ID)
	if err != nil {
		return err
	}
	names, err := s.names(tx, words.English, e.Host) // the mirrors of all members store the same text
	if err != nil {
		return err
	}
	members := []svc.MemberID{e.Host}
	for _, r := range rsvps {
		if r.Member != e.Host {
			members = append(members, r.Member)
		}
	}
	if e.EndsAt > store.MillisOf(tx.Now()) {
		members, err = s.filterAudience(tx, e.Audience, members, e.authorsRequiredVisible()...)
		if err != nil {
			return err
		}
	}
	hidden, err := s.Hidden(tx, e.Host)
	if err != nil {
		return err
	}
	sync.Event = e.syncedEvent(names)
	for _, m := range members {
		role := "guest"
		if m == e.Host {
			role = "host"
		}
		sync.Audience = append(sync.Audience, svc.Attendee{MemberID: m, RSVP: rsvps.byMember(m).Response, Role: role, HostHidden: slices.Contains(hidden, m)})
	}
	_, err = s.calendars.SyncEvent(tx, sync)
	return err
}

// syncedEvent returns the part of the event that its mirrors show.
func (e eventRow) syncedEvent(names names) svc.SyncedEvent {
	return svc.SyncedEvent{
		Title: e.Title, Description: e.Description, Location: e.Location, Latitude: e.Latitude, Longitude: e.Longitude,
		Times: e.times(), Cancelled: e.CancelledAt != nil,
		Host: svc.EventHost{ID: e.Host, DisplayName: names.ref(e.Host).DisplayName},
	}
}

// authorsRequiredVisible returns the authors who must not be hidden from a member who
// sees the event: the host, unless the event belongs to a community.
func (e eventRow) authorsRequiredVisible() []svc.MemberID {
	if e.Visibility == "community" {
		return nil
	}
	return []svc.MemberID{e.Host}
}
