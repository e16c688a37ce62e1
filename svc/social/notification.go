package social

import (
	"appliance/store"
	"appliance/svc"
)

// note is something that members should know of.
type note struct {
	kind       string // as in the schema
	actor      svc.MemberID
	targetType string
	target     string
	audience   audience // of the target; 0 if it is the member's anyway, such as an invitation
}

// notify tells members of something, but for whoever did it.
func (s *Service) notify(tx *store.Tx, n note, members ...svc.MemberID) error {
	var rows [][2]any
	for _, m := range members {
		if m != n.actor {
			rows = append(rows, [2]any{svc.NewID("ntf"), m})
			tx.Touch(int64(m))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	var a *audience
	if n.audience != 0 {
		a = &n.audience
	}
	_, err := tx.Exec(s.q.AddNotifications, store.Args{
		"rows": store.JSON(rows), "kind": n.kind, "actor": n.actor, "target_type": n.targetType, "target": n.target,
		"audience": a, "now": store.MillisOf(tx.Now()),
	})
	return err
}
