package social

import (
	"appliance/store"
	"appliance/svc"
)

// CommonGround is the relation that allows two members to write DMs to each other.
// Of several relations it is the closest one.
type CommonGround struct {
	Kind  GroundKind `json:"kind"`
	ID    *string    `json:"id"`    // id of the community or the event, null for a circle
	Depth *int       `json:"depth"` // 1 to 3 for a circle, null for other kinds
}

// Reasons why a member cannot write in a DM. The first is the same for a hidden and
// a former member, so that it does not reveal a block.
const (
	recipientUnavailable = "This member cannot receive messages at the moment."
	noCommonGround       = "You share no circle, community or event with this member. Use Messages instead."
)

// commonGrounds returns the common ground of the viewer with each of others:
// a circle, else a community, else the latest event that both attend. It omits
// members without common ground, hidden members and the viewer.
func (s *Service) commonGrounds(tx *store.Tx, w view, others ...svc.MemberID) (map[svc.MemberID]CommonGround, error) {
	grounds := make(map[svc.MemberID]CommonGround, len(others))
	var outside []svc.MemberID // members outside all circles
	for _, m := range others {
		switch depth := w.circles.depth(m); {
		case m == w.member || w.hides(m):
		case depth > 0:
			grounds[m] = CommonGround{Kind: GroundCircle, Depth: &depth}
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
		grounds[e.Member] = CommonGround{Kind: GroundEvent, ID: &e.Event}
	}
	shared, err := s.sharedCommunities(tx, w, outside...)
	for m, communities := range shared {
		grounds[m] = CommonGround{Kind: GroundCommunity, ID: &communities[0]}
	}
	return grounds, err
}

// checkCommonGround returns an error if the viewer cannot write DMs to other.
func (s *Service) checkCommonGround(tx *store.Tx, w view, other svc.MemberID) error {
	grounds, err := s.commonGrounds(tx, w, other)
	if err != nil {
		return err
	}
	if _, ok := grounds[other]; !ok {
		return svc.Errorf(svc.NoCommonGround, noCommonGround)
	}
	return nil
}
