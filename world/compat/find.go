package compat

import "appliance/svc/find"

// FindResponse is the response to a search. Schema: service.find.response.
type FindResponse struct {
	find.Outcome
	SurfaceRuntime SurfaceRuntime `json:"surface_runtime"` // with the findings in the overlay; unchanged unless the status is "ok"
}

// Short implements [world.Shortener]. It omits the surfaces, which a repeated request
// gets in their state then.
func (r FindResponse) Short() any { return r.Outcome }
