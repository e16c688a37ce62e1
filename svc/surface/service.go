package surface

import "appliance/store"

// Service is the Surface service. It depends on no other service.
type Service struct {
	// Defaults are the surfaces that every member has. They must not change
	// after the first request.
	Defaults []DefaultSurface

	q queries
}

// New returns the service.
func New() *Service {
	s := &Service{Defaults: DefaultSurfaces()}
	store.Bind("surface", &s.q.workspace, &s.q.session, &s.q.picture, &s.q.export, &s.q.sweep)
	return s
}

// queries are the statements of sql/queries/surface.sql, grouped by the file
// that runs them.
type queries struct {
	workspace workspaceQueries
	session   sessionQueries
	picture   pictureQueries
	export    exportQueries
	sweep     sweepQueries
}
