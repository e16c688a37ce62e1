package social

import (
	"slices"

	"appliance/store"
	"appliance/svc"
)

// syncMirrors updates the mirrors of an event to its stored state, or removes
// them if it is deleted. It bumps the revision of the event.
func (s *Service) syncMirrors(tx *store.Tx, e eventRow, deleted bool) error {
	sync := svc.EventSync{EventID: e.ID, Deleted: deleted}
	if err := tx.Get(&sync.Revision, s.q.BumpEventRevision, store.Args{"id": e.ID}); err != nil {
		return err
	}
	rsvps, err := s.eventRSVPs(tx, e.ID)
	if err != nil {
		return err
	}
	names, err := s.names(tx, e.Host)
	if err != nil {
		return err
	}
	canSee, err := s.eventVisibility(tx, e)
	if err != nil {
		return err
	}
	sync.Event = e.synced(names)
	if canSee(e.Host) {
		sync.Audience = append(sync.Audience, svc.Attendee{MemberID: e.Host, RSVP: rsvps.of(e.Host).Response, Role: "host"})
	}
	for _, r := range rsvps {
		if r.Member != e.Host && canSee(r.Member) {
			sync.Audience = append(sync.Audience, svc.Attendee{MemberID: r.Member, RSVP: r.Response, Role: "guest"})
		}
	}
	_, err = s.calendars.SyncEvent(tx, sync)
	return err
}

// synced returns the part of the event that its mirrors show.
func (e eventRow) synced(names names) svc.SyncedEvent {
	return svc.SyncedEvent{
		Title: e.Title, Description: e.Description, Location: e.Location, Latitude: e.Latitude, Longitude: e.Longitude,
		Times: e.times(), Cancelled: e.CancelledAt != nil,
		Host: svc.EventHost{ID: e.Host, DisplayName: names.ref(e.Host).DisplayName},
	}
}

// eventVisibility returns a function that reports whether a member, the host or
// one with an RSVP, still sees the event. The mirrors of all others must not
// change any more.
func (s *Service) eventVisibility(tx *store.Tx, e eventRow) (canSee func(svc.MemberID) bool, err error) {
	var members, hidden []svc.MemberID
	c := new(circles)
	switch e.Visibility {
	case "community", "invited":
		err = tx.Select(&members, s.q.AudienceMembers, store.Args{"audience": e.Audience})
	case "circle":
		c, err = s.circles(tx, e.Host)
	}
	if err == nil && e.Visibility != "community" {
		hidden, err = s.Hidden(tx, e.Host)
	}
	inAudience := make(map[svc.MemberID]bool, len(members))
	for _, m := range members {
		inAudience[m] = true
	}
	return func(m svc.MemberID) bool {
		if slices.Contains(hidden, m) {
			return false
		}
		switch e.Visibility {
		case "community", "invited":
			return inAudience[m]
		case "circle":
			depth := c.depth(m)
			return m == e.Host || depth > 0 && depth <= *e.Depth
		}
		return true
	}, err
}
