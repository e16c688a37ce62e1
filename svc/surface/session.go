package surface

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// sessionQueries record when a member focused a surface.
type sessionQueries struct {
	OpenSession     store.Query `sql:"open-session"`
	SuspendSessions store.Query `sql:"suspend-sessions"`
	CloseSessions   store.Query `sql:"close-sessions"`
	Sessions        store.Query `sql:"sessions"`
	LastFocused     store.Query `sql:"last-focused"`
}

// Session is the time from the first focus of a surface until the surface leaves its
// last stack. It is active while a stack has the surface in focus, and suspended
// otherwise. Runtimes cannot read sessions.
type Session struct {
	ID           string       `json:"surface_session_id"`
	SurfaceID    string       `json:"surface_id"`
	State        SessionState `json:"state"`
	OpenedAt     time.Time    `json:"opened_at"`
	LastActiveAt time.Time    `json:"last_active_at"`
	ClosedAt     *time.Time   `json:"closed_at"` // null unless the session is closed
}

// SessionState is the state of a [Session].
type SessionState string

const (
	SessionActive    SessionState = "active"
	SessionSuspended SessionState = "suspended"
	SessionClosed    SessionState = "closed"
)

// Values implements [svc.Set].
func (SessionState) Values() []string {
	return svc.Values(SessionActive, SessionSuspended, SessionClosed)
}

// maxSessions limits the detail of a surface to its latest sessions.
const maxSessions = 20

// updateSessions opens a session for the surface that the change of w focused,
// suspends the sessions of surfaces out of focus, and closes those of surfaces
// in no stack.
func (s *Service) updateSessions(tx *store.Tx, member svc.MemberID, w *Workspace) error {
	var focused, stacked []string
	for _, stack := range w.Stacks {
		stacked = append(stacked, stack.SurfaceOrder...)
		if stack.FocusedSurfaceID != nil {
			focused = append(focused, *stack.FocusedSurfaceID)
		}
	}
	now := store.MillisOf(tx.Now())
	if w.newFocus != "" {
		args := store.Args{"id": svc.NewID("ss"), "member": member, "surface": w.newFocus, "now": now}
		if _, err := tx.Exec(s.q.session.OpenSession, args); err != nil {
			return err
		}
	}
	args := store.Args{"member": member, "focused": store.JSONArray(focused), "now": now}
	if _, err := tx.Exec(s.q.session.SuspendSessions, args); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.session.CloseSessions, store.Args{"member": member, "stacked": store.JSONArray(stacked), "now": now})
	return err
}

// sessions returns the latest sessions of a surface, the latest first.
func (s *Service) sessions(tx *store.Tx, member svc.MemberID, surface string) ([]Session, error) {
	var rows []struct {
		ID           string        `db:"id"`
		SurfaceID    string        `db:"surface_id"`
		State        SessionState  `db:"state"`
		OpenedAt     store.Millis  `db:"opened_at"`
		LastActiveAt store.Millis  `db:"last_active_at"`
		ClosedAt     *store.Millis `db:"closed_at"`
	}
	err := tx.Select(&rows, s.q.session.Sessions, store.Args{"member": member, "surface": surface, "limit": maxSessions})
	list := make([]Session, len(rows))
	for i, r := range rows {
		list[i] = Session{r.ID, r.SurfaceID, r.State, r.OpenedAt.Timestamp(), r.LastActiveAt.Timestamp(), store.OptionalTimestamp(r.ClosedAt)}
	}
	return list, err
}

// LastFocused returns when a member last had each surface in focus, by surface
// id. Surfaces in no stack and surfaces that were never focused are missing.
func (s *Service) LastFocused(tx *store.Tx, v svc.Viewer) (map[string]time.Time, error) {
	var rows []struct {
		SurfaceID    string       `db:"surface_id"`
		LastActiveAt store.Millis `db:"last_active_at"`
	}
	if err := tx.Select(&rows, s.q.session.LastFocused, store.Args{"member": v.Member()}); err != nil {
		return nil, err
	}
	last := make(map[string]time.Time, len(rows))
	for _, r := range rows {
		last[r.SurfaceID] = r.LastActiveAt.Timestamp()
	}
	return last, nil
}
