package social

import (
	"appliance/store"
	"appliance/svc"
)

// CommonGround is why two members may write to one another within social life: the
// closest thing that they have in common (B-74).
type CommonGround struct {
	Kind  string  `json:"kind"`  // "circle", "community" or "event"
	ID    *string `json:"id"`    // of the community or the event, else null
	Depth *int    `json:"depth"` // circle: 1 to 3, else null
}

// ties returns why the viewer may write to each of others. Those to whom they
// may not are left out, and nothing tells which of them there is a block with.
func (s *Service) ties(tx *store.Tx, w view, others ...svc.MemberID) (map[svc.MemberID]CommonGround, error) {
	ties := make(map[svc.MemberID]CommonGround, len(others))
	var far []svc.MemberID
	for _, m := range others {
		switch depth := w.circles.depth(m); {
		case m == w.member || w.hides(m):
		case depth > 0:
			ties[m] = CommonGround{Kind: "circle", Depth: &depth}
		default:
			far = append(far, m)
		}
	}
	if len(far) == 0 {
		return ties, nil
	}
	var events []struct {
		Member svc.MemberID `db:"member_id"`
		Event  string       `db:"event_id"`
	}
	err := tx.Select(&events, s.q.CommonEvents, w.args(store.Args{"member": w.member, "others": jsonList(far)}))
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		ties[e.Member] = CommonGround{Kind: "event", ID: &e.Event}
	}
	shared, err := s.shared(tx, w, far...)
	for m, communities := range shared {
		ties[m] = CommonGround{Kind: "community", ID: &communities[0]}
	}
	return ties, err
}
