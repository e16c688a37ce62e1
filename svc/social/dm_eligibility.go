package social

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
	"appliance/svc/words"
)

// grounds returns the common ground of a member with each of others.
func (s *Service) grounds(tx *store.Tx, member svc.MemberID, others []svc.MemberID) (map[svc.MemberID]thread.CommonGround, error) {
	w, err := s.viewOf(tx, words.English, member)
	if err != nil {
		return nil, err
	}
	return s.commonGrounds(tx, w, others...)
}

// commonGrounds returns the common ground of the viewer with each of others:
// a circle, else a community, else the latest event that both attend. It omits
// members without common ground, hidden members and the viewer.
func (s *Service) commonGrounds(tx *store.Tx, w view, others ...svc.MemberID) (map[svc.MemberID]thread.CommonGround, error) {
	grounds := make(map[svc.MemberID]thread.CommonGround, len(others))
	var outside []svc.MemberID // members outside all circles
	for _, m := range others {
		switch depth := w.circles.depth(m); {
		case m == w.member || w.hides(m):
		case depth > 0:
			grounds[m] = thread.CommonGround{Kind: thread.GroundCircle, Depth: &depth}
		default:
			outside = append(outside, m)
		}
	}
	if len(outside) == 0 {
		return grounds, nil
	}
	var events []struct {
		Member svc.MemberID `db:"member_id"`
		Event  string       `db:"event_id"`
	}
	err := tx.Select(&events, s.q.CommonEvents, w.args(store.Args{"member": w.member, "others": store.JSONArray(outside)}))
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		grounds[e.Member] = thread.CommonGround{Kind: thread.GroundEvent, ID: &e.Event}
	}
	shared, err := s.sharedCommunities(tx, w, outside...)
	for m, communities := range shared {
		grounds[m] = thread.CommonGround{Kind: thread.GroundCommunity, ID: &communities[0]}
	}
	return grounds, err
}
