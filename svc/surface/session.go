package surface

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Session is that a member has turned to a surface (B-35). Runtimes are told
// nothing of it.
type Session struct {
	ID           string     `json:"surface_session_id"`
	SurfaceID    string     `json:"surface_id"`
	State        string     `json:"state"` // "active", "suspended" or "closed"
	OpenedAt     time.Time  `json:"opened_at"`
	LastActiveAt time.Time  `json:"last_active_at"`
	ClosedAt     *time.Time `json:"closed_at"` // null unless closed
}

// maxSessions is how many sessions are told of a surface: the latest.
const maxSessions = 20

// settle brings the sessions of a member to what their stacks are turned to:
// one begins with a surface that was just turned to, rests while no stack is
// turned to it, and ends when it is in none.
func (s *Service) settle(tx *store.Tx, member svc.MemberID, w *Workspace) error {
	var focused, stacked svc.List[string]
	for _, one := range w.Stacks {
		stacked = append(stacked, one.SurfaceOrder...)
		if one.FocusedSurfaceID != nil {
			focused = append(focused, *one.FocusedSurfaceID)
		}
	}
	now := store.MillisOf(tx.Now())
	if w.opened != "" {
		args := store.Args{"id": svc.NewID("ss"), "member": member, "surface": w.opened, "now": now}
		if _, err := tx.Exec(s.q.OpenSession, args); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(s.q.SuspendSessions, store.Args{"member": member, "focused": store.JSONArray(focused), "now": now}); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.CloseSessions, store.Args{"member": member, "stacked": store.JSONArray(stacked), "now": now})
	return err
}

// sessions returns the latest sessions of a surface.
func (s *Service) sessions(tx *store.Tx, member svc.MemberID, surface string) ([]Session, error) {
	var rows []struct {
		ID           string        `db:"id"`
		SurfaceID    string        `db:"surface_id"`
		State        string        `db:"state"`
		OpenedAt     store.Millis  `db:"opened_at"`
		LastActiveAt store.Millis  `db:"last_active_at"`
		ClosedAt     *store.Millis `db:"closed_at"`
	}
	err := tx.Select(&rows, s.q.Sessions, store.Args{"member": member, "surface": surface, "limit": maxSessions})
	list := make([]Session, len(rows))
	for i, r := range rows {
		list[i] = Session{r.ID, r.SurfaceID, r.State, r.OpenedAt.Timestamp(), r.LastActiveAt.Timestamp(), nil}
		if r.ClosedAt != nil {
			list[i].ClosedAt = new(r.ClosedAt.Timestamp())
		}
	}
	return list, err
}

// LastFocused returns when a member was last turned to each of the surfaces in
// their stacks, by id; those to which they never were are not in it.
func (s *Service) LastFocused(tx *store.Tx, v svc.Viewer) (map[string]time.Time, error) {
	var rows []struct {
		SurfaceID    string       `db:"surface_id"`
		LastActiveAt store.Millis `db:"last_active_at"`
	}
	if err := tx.Select(&rows, s.q.Attention, store.Args{"member": v.Member()}); err != nil {
		return nil, err
	}
	last := make(map[string]time.Time, len(rows))
	for _, r := range rows {
		last[r.SurfaceID] = r.LastActiveAt.Timestamp()
	}
	return last, nil
}
