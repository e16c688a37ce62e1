package social

import (
	"appliance/store"
	"appliance/svc"
)

// Target is what something is about.
type Target struct {
	Type  string `json:"type"` // "community", "conversation", "event", "invitation" or "dm"
	ID    string `json:"id"`
	Title string `json:"title"`
}

// record adds to the activity what an actor did to a target, for those who may
// see it.
func (s *Service) record(tx *store.Tx, kind string, actor svc.MemberID, targetType, target string, a audience) error {
	_, err := tx.Exec(s.q.AddActivity, store.Args{
		"id": svc.NewID("act"), "kind": kind, "actor": actor, "target_type": targetType, "target": target,
		"audience": a, "now": store.MillisOf(tx.Now()),
	})
	return err
}
