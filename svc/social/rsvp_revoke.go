package social

import (
	"slices"

	"appliance/store"
	"appliance/svc"
)

// rsvpKey identifies an RSVP.
type rsvpKey struct {
	Event  string       `db:"event_id"`
	Member svc.MemberID `db:"member_id"`
}

// rsvpKeyList returns keys as pairs for json_each.
func rsvpKeyList(keys []rsvpKey) string {
	pairs := make([][2]any, len(keys))
	for i, k := range keys {
		pairs[i] = [2]any{k.Event, k.Member}
	}
	return store.JSONArray(pairs)
}

// revokeRSVPs deletes the RSVPs that query selects and the mirrors of their
// members, who no longer see the events.
func (s *Service) revokeRSVPs(tx *store.Tx, query store.Query, args store.Args) error {
	var keys []rsvpKey
	args["now"] = store.MillisOf(tx.Now())
	if err := tx.Select(&keys, query, args); err != nil {
		return err
	}
	return s.deleteRSVPs(tx, keys)
}

// revokeCommunityRSVPs revokes the RSVPs of a member to the events of a
// community that the member leaves.
func (s *Service) revokeCommunityRSVPs(tx *store.Tx, community string, member svc.MemberID) error {
	return s.revokeRSVPs(tx, s.q.CommunityRSVPs, store.Args{"community": community, "member": member})
}

// revokeLostRSVPs bumps the circle revision after circles may have shrunk, and
// revokes RSVPs to circle events of members who are no longer in the circle.
func (s *Service) revokeLostRSVPs(tx *store.Tx) error {
	if err := s.bumpCircleRevision(tx); err != nil {
		return err
	}
	var rows []struct {
		rsvpKey
		Host  svc.MemberID `db:"host_id"`
		Depth int          `db:"depth"`
	}
	if err := tx.Select(&rows, s.q.CircleRSVPs, store.Args{"now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	var lost []rsvpKey
	for _, r := range rows {
		c, err := s.circles(tx, r.Host) // cached: computed once per host
		if err != nil {
			return err
		}
		if depth := c.depth(r.Member); depth == 0 || depth > r.Depth {
			lost = append(lost, r.rsvpKey)
		}
	}
	return s.deleteRSVPs(tx, lost)
}

// deleteRSVPs deletes RSVPs and updates the mirrors of their events.
func (s *Service) deleteRSVPs(tx *store.Tx, keys []rsvpKey) error {
	if len(keys) == 0 {
		return nil
	}
	if _, err := tx.Exec(s.q.DeleteRSVPs, store.Args{"keys": rsvpKeyList(keys)}); err != nil {
		return err
	}
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = k.Event
	}
	slices.Sort(ids)
	events, err := s.eventsByID(tx, slices.Compact(ids))
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := s.touchAudience(tx, svc.RSVPChanged, e.Audience); err != nil {
			return err
		}
		if err := s.syncMirrors(tx, e, false); err != nil {
			return err
		}
	}
	return nil
}
