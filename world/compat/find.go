package compat

import "appliance/svc/find"

// FindResponse is the response to a search. Schema: service.find.response.
type FindResponse struct {
	find.Outcome
	SurfaceRuntime SurfaceRuntime `json:"surface_runtime"` // with the findings in the overlay; unchanged unless the status is "ok"
}

// Short implements [world.Shortener]. It omits the surfaces; the response to a replay
// contains the current ones.
func (r FindResponse) Short() any { return r.Outcome }
