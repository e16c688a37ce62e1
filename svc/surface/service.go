package surface

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Service is the Surface service. It needs nothing of the others: what a
// surface shows is theirs, and it only says where to ask.
type Service struct {
	// Defaults are what every member has. They are set before the first
	// request.
	Defaults []DefaultSurface

	q queries
}

// New returns the service.
func New() *Service {
	s := &Service{Defaults: DefaultSurfaces()}
	store.Bind("surface", &s.q)
	return s
}

// queries are the statements of sql/queries/surface.sql.
type queries struct {
	Workspace    store.Query `sql:"workspace"`
	PutWorkspace store.Query `sql:"put-workspace"`
	Stacks       store.Query `sql:"stacks"`
	PutStacks    store.Query `sql:"put-stacks"`
	Surfaces     store.Query `sql:"surfaces"`
	SurfacesByID store.Query `sql:"surfaces-by-id"`
	PutSurfaces  store.Query `sql:"put-surfaces"`
	LetGo        store.Query `sql:"let-go"`
	DropSurplus  store.Query `sql:"drop-surplus"`
	DropLeft     store.Query `sql:"drop-left"`

	OpenSession     store.Query `sql:"open-session"`
	SuspendSessions store.Query `sql:"suspend-sessions"`
	CloseSessions   store.Query `sql:"close-sessions"`
	Sessions        store.Query `sql:"sessions"`
	Attention       store.Query `sql:"attention"`
	DropSessions    store.Query `sql:"drop-sessions"`

	ExportSurfaces  store.Query `sql:"export-surfaces"`
	ForgetSurfaces  store.Query `sql:"forget-surfaces"`
	ForgetStacks    store.Query `sql:"forget-stacks"`
	ForgetWorkspace store.Query `sql:"forget-workspace"`
}

// MemberDeleted throws away all that a member had before them.
func (s *Service) MemberDeleted(tx *store.Tx, member svc.MemberID) error {
	for _, q := range []store.Query{s.q.ForgetSurfaces, s.q.ForgetStacks, s.q.ForgetWorkspace} {
		if _, err := tx.Exec(q, store.Args{"member": member}); err != nil {
			return err
		}
	}
	return nil
}

// UnstackedRetention is how long a surface is kept that is in no stack any more (B-40),
// and what is known of a session that is closed.
const UnstackedRetention = 30 * 24 * time.Hour

// sweepAtOnce is how many rows one write deletes of each.
const sweepAtOnce = 500

// Sweep throws away some of what was kept long enough. It reports whether
// there may be more.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	for _, q := range []store.Query{s.q.DropLeft, s.q.DropSessions} {
		n, err := tx.Exec(q, store.Args{"before": store.MillisOf(tx.Now().Add(-UnstackedRetention)), "limit": sweepAtOnce})
		if err != nil {
			return false, err
		}
		more = more || n == sweepAtOnce
	}
	return more, nil
}
