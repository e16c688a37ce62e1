package social

import (
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// syncMirrors updates the mirrors of events to their stored states, increments the revisions of the
// events, and deletes revoked RSVPs to them.
func (s *Service) syncMirrors(tx *store.Tx, events ...eventRow) error {
	if len(events) == 0 {
		return nil
	}
	rsvps, _, err := s.deleteRevokedRSVPs(tx, events)
	if err != nil {
		return err
	}
	return s.syncChanged(tx, events, rsvps)
}

// syncLosses is like syncMirrors, but skips events without deleted RSVPs.
func (s *Service) syncLosses(tx *store.Tx, events []eventRow) error {
	rsvps, deleted, err := s.deleteRevokedRSVPs(tx, events)
	if err != nil || len(deleted) == 0 {
		return err
	}
	return s.syncChanged(tx, slices.DeleteFunc(slices.Clone(events), func(e eventRow) bool {
		return !slices.ContainsFunc(deleted, func(k rsvpKey) bool { return k.Event == e.ID })
	}), rsvps)
}

func (s *Service) syncChanged(tx *store.Tx, events []eventRow, rsvps map[string]rsvps) error {
	revisions, err := s.bumpRevisions(tx, events...)
	if err != nil {
		return err
	}
	for i := range events {
		events[i].Revision = revisions[events[i].ID]
	}
	return s.sendMirrors(tx, events, rsvps)
}

// bumpRevisions increments the revisions of events and returns the new revisions by event id.
func (s *Service) bumpRevisions(tx *store.Tx, events ...eventRow) (map[string]int64, error) {
	var rows []struct {
		Event    string `db:"id"`
		Revision int64  `db:"revision"`
	}
	err := tx.Select(&rows, s.q.BumpEventRevisions, store.Args{"events": eventIDs(events)})
	revisions := make(map[string]int64, len(rows))
	for _, r := range rows {
		revisions[r.Event] = r.Revision
	}
	return revisions, err
}

// sendMirrors hands the states of events, with their revisions and RSVPs, to the calendars.
// The host and members with an RSVP have a mirror only while they see the event; once the event
// is over, they keep it.
func (s *Service) sendMirrors(tx *store.Tx, events []eventRow, rsvps map[string]rsvps) error {
	hosts := make([]svc.MemberID, len(events))
	for i, e := range events {
		hosts[i] = e.Host
	}
	names, err := s.names(tx, words.English, hosts...) // the mirrors of all members store the same text
	if err != nil {
		return err
	}
	sees, err := s.audiences(tx, events, rsvps)
	if err != nil {
		return err
	}
	hidden := make(map[svc.MemberID][]svc.MemberID)
	syncs := make([]svc.EventSync, len(events))
	for i, e := range events {
		if _, known := hidden[e.Host]; !known {
			if hidden[e.Host], err = s.Hidden(tx, e.Host); err != nil {
				return err
			}
		}
		syncs[i] = svc.EventSync{EventID: e.ID, Revision: e.Revision, Event: e.syncedEvent(names)}
		for _, m := range e.attendees(rsvps[e.ID]) {
			if !sees(e, m) {
				continue
			}
			role := svc.GuestRole
			if m == e.Host {
				role = svc.HostRole
			}
			syncs[i].Audience = append(syncs[i].Audience, svc.Attendee{
				MemberID: m, RSVP: rsvps[e.ID].byMember(m).Response, Role: role, HostHidden: slices.Contains(hidden[e.Host], m),
			})
		}
	}
	return s.sendSyncs(tx, syncs...)
}

// attendees returns the host and the members with an RSVP.
func (e eventRow) attendees(list rsvps) []svc.MemberID {
	members := []svc.MemberID{e.Host}
	for _, r := range list {
		if r.Member != e.Host {
			members = append(members, r.Member)
		}
	}
	return members
}

// audiences returns a function that reports whether an attendee of one of the events keeps the
// mirror: the attendee sees the event, or the event is over. Each audience is read once.
func (s *Service) audiences(tx *store.Tx, events []eventRow, lists map[string]rsvps) (sees func(eventRow, svc.MemberID) bool, err error) {
	type audience struct {
		id     audienceID
		author svc.MemberID // must be visible too; 0 for none
	}
	of := func(e eventRow) audience {
		if e.Visibility == EventCommunity {
			return audience{id: e.Audience}
		}
		return audience{e.Audience, e.Host}
	}
	now := store.MillisOf(tx.Now())
	candidates := make(map[audience][]svc.MemberID)
	for _, e := range events {
		if e.EndsAt > now {
			candidates[of(e)] = append(candidates[of(e)], e.attendees(lists[e.ID])...)
		}
	}
	members := make(map[audience]map[svc.MemberID]bool, len(candidates))
	for a, list := range candidates {
		slices.Sort(list)
		var authors []svc.MemberID
		if a.author != 0 {
			authors = append(authors, a.author)
		}
		seeing, err := s.filterAudience(tx, a.id, slices.Compact(list), authors...)
		if err != nil {
			return nil, err
		}
		members[a] = make(map[svc.MemberID]bool, len(seeing))
		for _, m := range seeing {
			members[a][m] = true
		}
	}
	return func(e eventRow, m svc.MemberID) bool { return e.EndsAt <= now || members[of(e)][m] }, nil
}

// sendSyncs updates mirrors. FollowUp updates the mirrors that exceed the limit of one write.
func (s *Service) sendSyncs(tx *store.Tx, syncs ...svc.EventSync) error {
	results, err := s.calendars.SyncEvents(tx, syncs...)
	if err != nil {
		return err
	}
	for i, r := range results {
		if r.Left > 0 {
			if err := s.addFollowUp(tx, followUp{Event: syncs[i].EventID}); err != nil {
				return err
			}
		}
	}
	return nil
}

// syncedEvent returns the part of the event that its mirrors show.
func (e eventRow) syncedEvent(names names) svc.SyncedEvent {
	return svc.SyncedEvent{
		Title: e.Title, Description: e.Description, Location: e.Location, Latitude: e.Latitude, Longitude: e.Longitude,
		Times: e.times(), Cancelled: e.CancelledAt != nil,
		Host: svc.EventHost{ID: e.Host, DisplayName: names.ref(e.Host).DisplayName},
	}
}
