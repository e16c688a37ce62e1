package api

import (
	"encoding/json"
	"net/http"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/compat"
)

// surfaceOperations declares the operations on surfaces and stacks.
func (s *Server) surfaceOperations() []declaration {
	return []declaration{
		operation[focusRequest, compat.CommandResponse]{
			Request: "POST /world/surface/stacks/{stack_key}/focus", Service: "surface",
			Summary: "Focus a surface of a stack", Errors: arrangementErrors,
			Do: s.focus, Replay: s.replayArrangement,
		},
		operation[reorderRequest, compat.CommandResponse]{
			Request: "POST /world/surface/stacks/{stack_key}/reorder", Service: "surface",
			Summary: "Reorder a stack", Errors: arrangementErrors,
			Do: s.reorder, Replay: s.replayArrangement,
		},
		operation[placeRequest, compat.CommandResponse]{
			Request: "POST /world/surface/surfaces/{surface_id}/placement", Service: "surface",
			Summary: "Place a surface", Errors: arrangementErrors,
			Do: s.place, Replay: s.replayArrangement,
		},
		operation[removeRequest, compat.CommandResponse]{
			Request: "POST /world/surface/surfaces/{surface_id}/remove", Service: "surface",
			Summary: "Take a surface out of its stack", Errors: arrangementErrors,
			Do: s.remove, Replay: s.replayArrangement,
		},
		operation[openRequest, compat.CommandResponse]{
			Request: "POST /world/surface/surfaces/{surface_id}/open", Service: "surface",
			Summary: "Open a found place on a map",
			Do:      s.open, Replay: s.replayArrangement,
		},
		operation[translateRequest, compat.CommandResponse]{
			Request: "POST /world/surface/surfaces/{surface_id}/translate", ServicePath: "/runtime/surfaces/{surface_id}/translate", Service: "surface",
			Summary: "Read a found web page", Once: true, Errors: []int{http.StatusFailedDependency},
			Serve: s.translate, ServeForService: s.translateForService,
		},
	}
}

var arrangementErrors = []int{http.StatusPreconditionFailed}

// surfaceServiceOperations declares the operations for clients with the service key. The
// responses contain no URLs of World.
func (s *Server) surfaceServiceOperations() []declaration {
	return []declaration{
		operation[struct{}, surface.Runtime]{
			Request: "GET /runtime", Access: httpd.OnBehalf, Service: "surface",
			Handle: s.readSurfaceRuntime,
		},
		operation[struct{}, surfaceList]{
			Request: "GET /runtime/surfaces", Access: httpd.OnBehalf, Service: "surface",
			Handle: s.listRuntimeSurfaces,
		},
		operation[struct{}, stackList]{
			Request: "GET /runtime/stacks", Access: httpd.OnBehalf, Service: "surface",
			Handle: s.listStacks,
		},
		operation[stackRequest, stackResponse]{
			Request: "GET /runtime/stacks/{stack_key}", Access: httpd.OnBehalf, Service: "surface",
			Handle: s.readStack,
		},
		operation[focusRequest, serviceSurfaceResponse]{
			Request: "POST /runtime/stacks/{stack_key}/focus", Access: httpd.OnBehalf, Service: "surface",
			Do: s.focusForService,
		},
		operation[reorderRequest, serviceSurfaceResponse]{
			Request: "POST /runtime/stacks/{stack_key}/reorder", Access: httpd.OnBehalf, Service: "surface",
			Do: s.reorderForService,
		},
		operation[placeRequest, serviceSurfaceResponse]{
			Request: "POST /runtime/surfaces/{surface_id}/placement", Access: httpd.OnBehalf, Service: "surface",
			Do: s.placeForService,
		},
		operation[removeRequest, serviceSurfaceResponse]{
			Request: "POST /runtime/surfaces/{surface_id}/remove", Access: httpd.OnBehalf, Service: "surface",
			Do: s.removeForService,
		},
		operation[openRequest, serviceSurfaceResponse]{
			Request: "POST /runtime/surfaces/{surface_id}/open", Access: httpd.OnBehalf, Service: "surface",
			Do: s.openForService,
		},
		operation[surfacesQuery, surfaceList]{
			Request: "GET /surfaces", Access: httpd.OnBehalf, Service: "surface",
			Handle: s.listSurfaces,
		},
		operation[surface.PutRequest, surfaceResponse]{
			Request: "POST /surfaces", Access: httpd.OnBehalf, Service: "surface",
			Do: s.putSurface,
		},
		operation[idRequest, surface.Detail]{
			Request: "GET /surface/{id}", Access: httpd.OnBehalf, Service: "surface",
			Do: s.readSurface,
		},
		operation[surface.OverlayRequest, serviceSurfaceResponse]{
			Request: "POST /surfaces/overlay", Access: httpd.OnBehalf, Service: "surface",
			Serve: s.replaceOverlay, Once: true,
		},
	}
}

// serviceSurfaceResponse is the response to another service that has changed the
// surfaces of a member.
type serviceSurfaceResponse struct {
	Status  string           `json:"status"`           // "ok"
	Surface *surface.Surface `json:"surface,omitzero"` // the placed, opened or translated surface
	Created *bool            `json:"created,omitzero"` // whether the opened surface is new
	Runtime surface.Runtime  `json:"surface_runtime"`

	Translation *world.PreviewResult `json:"translation,omitzero"`
}

// Short implements [world.Shortener]. It omits the state, which the client can read.
func (serviceSurfaceResponse) Short() any { return map[string]string{"status": "ok"} }

// Requests of the writes to surfaces.
type (
	focusRequest struct {
		Stack string `json:"-" path:"stack_key"`
		surface.FocusRequest
	}
	reorderRequest struct {
		Stack string `json:"-" path:"stack_key"`
		surface.ReorderRequest
	}
	placeRequest struct {
		Surface string `json:"-" path:"surface_id"`
		surface.PlaceRequest
	}
	openRequest struct {
		Surface string `json:"-" path:"surface_id"`
	}
	removeRequest struct {
		Surface string `json:"-" path:"surface_id"`
		surface.RemoveRequest
	}
)

func (s *Server) focus(tx *store.Tx, v svc.Viewer, in focusRequest) (compat.CommandResponse, error) {
	w, err := s.Surface.Focus(tx, v, in.Stack, in.FocusRequest)
	return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok"}, w, err)
}

func (s *Server) reorder(tx *store.Tx, v svc.Viewer, in reorderRequest) (compat.CommandResponse, error) {
	w, err := s.Surface.Reorder(tx, v, in.Stack, in.ReorderRequest)
	return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok"}, w, err)
}

func (s *Server) place(tx *store.Tx, v svc.Viewer, in placeRequest) (compat.CommandResponse, error) {
	w, placed, err := s.Surface.Place(tx, v, in.Surface, in.PlaceRequest)
	return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok", SurfaceID: placed.SurfaceID}, w, err)
}

func (s *Server) remove(tx *store.Tx, v svc.Viewer, in removeRequest) (compat.CommandResponse, error) {
	w, err := s.Surface.Remove(tx, v, in.Surface, in.RemoveRequest)
	return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok"}, w, err)
}

func (s *Server) open(tx *store.Tx, v svc.Viewer, in openRequest) (compat.CommandResponse, error) {
	w, place, created, err := s.Surface.OpenFinding(tx, v, in.Surface)
	return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok", SurfaceID: place.SurfaceID, Created: &created}, w, err)
}

// surfaceResult returns the response to a write: its result and the new state of
// the surfaces.
func (s *Server) surfaceResult(tx *store.Tx, v svc.Viewer, result compat.ShortCommandResponse, w *surface.Workspace, err error) (out compat.CommandResponse, _ error) {
	if err != nil {
		return out, err
	}
	return result.WithSurfaces(s.surfaceRuntime(tx, v, w)), nil
}

// surfaceRuntime returns a workspace as World presents it.
func (s *Server) surfaceRuntime(tx *store.Tx, v svc.Viewer, w *surface.Workspace) compat.SurfaceRuntime {
	r := w.Runtime()
	return compat.NewSurfaceRuntime(r, s.World.Present(tx, v, r.Surfaces))
}

// replayArrangement returns the response to a repeated write whose response was
// too long to be stored: the result of the write and the current state of the
// surfaces, with which the runtime continues.
func (s *Server) replayArrangement(tx *store.Tx, v svc.Viewer, stored []byte) (any, error) {
	var first struct {
		compat.ShortCommandResponse
		Runtime json.RawMessage `json:"surface_runtime"`
	}
	if err := json.Unmarshal(stored, &first); err != nil || first.Runtime != nil {
		return nil, err
	}
	w, err := s.Surface.Read(tx, v)
	return s.surfaceResult(tx, v, first.ShortCommandResponse, w, err)
}

// The following functions do the same writes for clients with the service key.

func (s *Server) focusForService(tx *store.Tx, v svc.Viewer, in focusRequest) (serviceSurfaceResponse, error) {
	return serviceRuntime(s.Surface.Focus(tx, v, in.Stack, in.FocusRequest))
}

func (s *Server) reorderForService(tx *store.Tx, v svc.Viewer, in reorderRequest) (serviceSurfaceResponse, error) {
	return serviceRuntime(s.Surface.Reorder(tx, v, in.Stack, in.ReorderRequest))
}

func (s *Server) placeForService(tx *store.Tx, v svc.Viewer, in placeRequest) (serviceSurfaceResponse, error) {
	w, placed, err := s.Surface.Place(tx, v, in.Surface, in.PlaceRequest)
	out, err := serviceRuntime(w, err)
	out.Surface = &placed
	return out, err
}

func (s *Server) removeForService(tx *store.Tx, v svc.Viewer, in removeRequest) (serviceSurfaceResponse, error) {
	return serviceRuntime(s.Surface.Remove(tx, v, in.Surface, in.RemoveRequest))
}

func (s *Server) openForService(tx *store.Tx, v svc.Viewer, in openRequest) (serviceSurfaceResponse, error) {
	w, place, created, err := s.Surface.OpenFinding(tx, v, in.Surface)
	out, err := serviceRuntime(w, err)
	out.Surface, out.Created = &place, &created
	return out, err
}

func serviceRuntime(w *surface.Workspace, err error) (out serviceSurfaceResponse, _ error) {
	if err != nil {
		return out, err
	}
	return serviceSurfaceResponse{Status: "ok", Runtime: w.Runtime()}, nil
}

// readWorkspace returns the result of show for the workspace of a member. Then it stores
// the default surfaces that are not stored yet, which do not change the result.
func readWorkspace[T any](s *Server, r *http.Request, v svc.Viewer, show func(*surface.Workspace) (T, error)) (out T, err error) {
	incomplete := false
	err = s.DB.Read(r.Context(), func(tx *store.Tx) error {
		all, err := s.Surface.Read(tx, v)
		if err != nil {
			return err
		}
		incomplete = all.Unsaved
		out, err = show(all)
		return err
	})
	if err == nil && incomplete {
		err = s.DB.Write(r.Context(), func(tx *store.Tx) error { return s.Surface.SaveDefaults(tx, v) })
	}
	return out, err
}

func (s *Server) readSurfaceRuntime(_ http.ResponseWriter, r *http.Request, v svc.Viewer, _ struct{}) (surface.Runtime, error) {
	return readWorkspace(s, r, v, func(all *surface.Workspace) (surface.Runtime, error) { return all.Runtime(), nil })
}

type surfaceList struct {
	Surfaces svc.List[surface.Surface] `json:"surfaces"`
}

func (s *Server) listRuntimeSurfaces(_ http.ResponseWriter, r *http.Request, v svc.Viewer, _ struct{}) (surfaceList, error) {
	return readWorkspace(s, r, v, func(all *surface.Workspace) (surfaceList, error) { return surfaceList{all.Runtime().Surfaces}, nil })
}

type stackList struct {
	Stacks    svc.List[surface.Stack]    `json:"stacks"`
	Viewports svc.List[surface.Viewport] `json:"viewports"`
}

func (s *Server) listStacks(_ http.ResponseWriter, r *http.Request, v svc.Viewer, _ struct{}) (stackList, error) {
	return readWorkspace(s, r, v, func(all *surface.Workspace) (stackList, error) {
		runtime := all.Runtime()
		return stackList{runtime.Stacks, runtime.Viewports}, nil
	})
}

type stackRequest struct {
	Stack string `json:"-" path:"stack_key"`
}

type stackResponse struct {
	Stack *surface.Stack `json:"stack"`
}

func (s *Server) readStack(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in stackRequest) (stackResponse, error) {
	return readWorkspace(s, r, v, func(all *surface.Workspace) (stackResponse, error) {
		stack, err := all.Stack(in.Stack)
		return stackResponse{stack}, err
	})
}

// surfacesQuery selects the surfaces of a type that are in a stack.
type surfacesQuery struct {
	Type  surface.Type `json:"-" query:"type"`
	Stack string       `json:"-" query:"stack"`
}

func (s *Server) listSurfaces(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in surfacesQuery) (surfaceList, error) {
	return readWorkspace(s, r, v, func(all *surface.Workspace) (surfaceList, error) {
		list, err := all.Select(in.Type, in.Stack)
		return surfaceList{list}, err
	})
}

func (s *Server) readSurface(tx *store.Tx, v svc.Viewer, in idRequest) (surface.Detail, error) {
	return s.Surface.Surface(tx, v, in.ID)
}

// surfaceResponse is the response to putting a surface.
type surfaceResponse struct {
	Surface surface.Surface `json:"surface"`
	isNew   bool
}

// Status implements [world.Statuser].
func (a surfaceResponse) Status() int {
	if a.isNew {
		return http.StatusCreated
	}
	return http.StatusOK
}

func (s *Server) putSurface(tx *store.Tx, v svc.Viewer, in surface.PutRequest) (surfaceResponse, error) {
	stored, added, err := s.Surface.Put(tx, v, in)
	return surfaceResponse{stored, added}, err
}

// replaceOverlay replaces the findings in the overlay stack, all or none. After a
// failure the client may retry.
func (s *Server) replaceOverlay(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in surface.OverlayRequest
	body, err := httpd.DecodeBody(r, &in, nil)
	if err != nil {
		return overlayError(err)
	}
	replace := func(tx *store.Tx) (any, error) { return serviceRuntime(s.Surface.ReplaceOverlay(tx, v, in)) }
	written, err := s.doOnce(r, v, body, http.StatusOK, replace, nil)
	if err != nil {
		return overlayError(err)
	}
	return httpd.WriteBody(w, written.Status, written.Body)
}
