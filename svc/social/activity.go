package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Activity is an entry of the activity feed. Schema: service.social.activity.
type Activity struct {
	ID        string       `json:"id"`
	Kind      ActivityKind `json:"kind"`
	Actor     MemberRef    `json:"actor"`
	Target    Target       `json:"target"`
	CreatedAt time.Time    `json:"created_at"`
}

// ActivityPage is a page of the activity feed, newest first.
type ActivityPage struct {
	Activity []Activity
	Page     svc.Page
}

// recordActivity adds an entry for the members of an audience.
func (s *Service) recordActivity(tx *store.Tx, kind ActivityKind, actor svc.MemberID, targetType TargetType, target string, a audienceID) error {
	_, err := tx.Exec(s.q.AddActivity, store.Args{
		"id": svc.NewID("act"), "kind": kind, "actor": actor, "target_type": targetType, "target": target,
		"audience": a, "now": store.MillisOf(tx.Now()),
	})
	return err
}

// Activity returns a page of the activity whose actor and target v sees.
func (s *Service) Activity(tx *store.Tx, v svc.Viewer, limit int, cursor string) (ActivityPage, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return ActivityPage{}, err
	}
	rows, page, err := feedPage[ActivityKind](tx, v, s.q.ListActivity, w.args(nil), "social.activity", limit, cursor)
	if err != nil {
		return ActivityPage{}, err
	}
	names, titles, err := feedNames(s, tx, w, rows)
	list := make([]Activity, len(rows))
	for i, r := range rows {
		list[i] = Activity{r.ID, r.Kind, names.ref(r.Actor), Target{r.TargetType, r.TargetID, titles[r.TargetID]}, r.CreatedAt.Timestamp()}
	}
	return ActivityPage{list, page}, err
}
