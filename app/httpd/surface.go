package httpd

import (
	"encoding/json"
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/compat"
)

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

func (s *Server) focus(tx *store.Tx, v svc.Viewer, in focusRequest) (any, error) {
	w, err := s.surface.Focus(tx, v, in.Stack, in.FocusRequest)
	return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok"}, w, err)
}

func (s *Server) reorder(tx *store.Tx, v svc.Viewer, in reorderRequest) (any, error) {
	w, err := s.surface.Reorder(tx, v, in.Stack, in.ReorderRequest)
	return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok"}, w, err)
}

func (s *Server) place(tx *store.Tx, v svc.Viewer, in placeRequest) (any, error) {
	w, placed, err := s.surface.Place(tx, v, in.Surface, in.PlaceRequest)
	return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok", SurfaceID: placed.SurfaceID}, w, err)
}

func (s *Server) remove(tx *store.Tx, v svc.Viewer, in removeRequest) (any, error) {
	w, err := s.surface.Remove(tx, v, in.Surface, in.RemoveRequest)
	return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok"}, w, err)
}

func (s *Server) open(tx *store.Tx, v svc.Viewer, in openRequest) (any, error) {
	w, place, created, err := s.surface.OpenFinding(tx, v, in.Surface)
	return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok", SurfaceID: place.SurfaceID, Created: &created}, w, err)
}

// surfaceResult returns the response to a write: its result and the new state of
// the surfaces.
func (s *Server) surfaceResult(tx *store.Tx, v svc.Viewer, result compat.ShortCommandResponse, w *surface.Workspace, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return result.WithSurfaces(s.surfaceRuntime(tx, v, w)), nil
}

// surfaceRuntime returns a workspace as World presents it.
func (s *Server) surfaceRuntime(tx *store.Tx, v svc.Viewer, w *surface.Workspace) compat.SurfaceRuntime {
	r := w.Runtime()
	return compat.NewSurfaceRuntime(r, s.world.Present(tx, v, r.Surfaces))
}

// idempotentArrangement returns a write to surfaces.
func idempotentArrangement[In any](s *Server, write func(*store.Tx, svc.Viewer, In) (any, error)) *writeHandler {
	return idempotentWithReplay(s, http.StatusOK, write, s.replayArrangement)
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
	w, err := s.surface.Read(tx, v)
	return s.surfaceResult(tx, v, first.ShortCommandResponse, w, err)
}

// The following functions do the same writes for clients with the service key.
// Their responses contain no URLs of World.

func (s *Server) focusForService(tx *store.Tx, v svc.Viewer, in focusRequest) (any, error) {
	return serviceRuntime(s.surface.Focus(tx, v, in.Stack, in.FocusRequest))
}

func (s *Server) reorderForService(tx *store.Tx, v svc.Viewer, in reorderRequest) (any, error) {
	return serviceRuntime(s.surface.Reorder(tx, v, in.Stack, in.ReorderRequest))
}

func (s *Server) placeForService(tx *store.Tx, v svc.Viewer, in placeRequest) (any, error) {
	w, placed, err := s.surface.Place(tx, v, in.Surface, in.PlaceRequest)
	if err != nil {
		return nil, err
	}
	return serviceSurfaceResponse{Status: "ok", Surface: &placed, Runtime: w.Runtime()}, nil
}

func (s *Server) removeForService(tx *store.Tx, v svc.Viewer, in removeRequest) (any, error) {
	return serviceRuntime(s.surface.Remove(tx, v, in.Surface, in.RemoveRequest))
}

func (s *Server) openForService(tx *store.Tx, v svc.Viewer, in openRequest) (any, error) {
	w, place, created, err := s.surface.OpenFinding(tx, v, in.Surface)
	if err != nil {
		return nil, err
	}
	return serviceSurfaceResponse{Status: "ok", Surface: &place, Created: &created, Runtime: w.Runtime()}, nil
}

func serviceRuntime(w *surface.Workspace, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return serviceSurfaceResponse{Status: "ok", Runtime: w.Runtime()}, nil
}

// readWorkspace responds with the result of show for the workspace of a member.
// Afterwards it stores default surfaces that are not stored yet; the response is
// the same.
func (s *Server) readWorkspace(w http.ResponseWriter, r *http.Request, v svc.Viewer, show func(*surface.Workspace) (any, error)) error {
	var answer any
	incomplete := false
	err := s.db.Read(r.Context(), func(tx *store.Tx) error {
		all, err := s.surface.Read(tx, v)
		if err != nil {
			return err
		}
		incomplete = all.Unsaved
		answer, err = show(all)
		return err
	})
	if err != nil {
		return err
	}
	if incomplete {
		if err := s.db.Write(r.Context(), func(tx *store.Tx) error { return s.surface.SaveDefaults(tx, v) }); err != nil {
			return err
		}
	}
	return writeJSON(w, http.StatusOK, answer)
}

func (s *Server) getSurfaceRuntime(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.readWorkspace(w, r, v, func(all *surface.Workspace) (any, error) { return all.Runtime(), nil })
}

func (s *Server) getRuntimeSurfaces(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.readWorkspace(w, r, v, func(all *surface.Workspace) (any, error) {
		return map[string]any{"surfaces": all.Runtime().Surfaces}, nil
	})
}

func (s *Server) getStacks(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.readWorkspace(w, r, v, func(all *surface.Workspace) (any, error) {
		runtime := all.Runtime()
		return map[string]any{"stacks": runtime.Stacks, "viewports": runtime.Viewports}, nil
	})
}

func (s *Server) getStack(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.readWorkspace(w, r, v, func(all *surface.Workspace) (any, error) {
		stack, err := all.Stack(r.PathValue("stack_key"))
		return map[string]any{"stack": stack}, err
	})
}

func (s *Server) getSurfaces(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Type  string `json:"-" query:"type"`
		Stack string `json:"-" query:"stack"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.readWorkspace(w, r, v, func(all *surface.Workspace) (any, error) {
		list, err := all.Select(in.Type, in.Stack)
		return map[string]any{"surfaces": list}, err
	})
}

func (s *Server) getSurface(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.surface.Surface(tx, v, r.PathValue("id")) })
}

// surfaceResponse is the response to putting a surface.
type surfaceResponse struct {
	Surface surface.Surface `json:"surface"`
	added   bool
}

// Status implements [world.Statuser].
func (a surfaceResponse) Status() int {
	if a.added {
		return http.StatusCreated
	}
	return http.StatusOK
}

func (s *Server) putSurface(tx *store.Tx, v svc.Viewer, in surface.PutRequest) (any, error) {
	stored, added, err := s.surface.Put(tx, v, in)
	return surfaceResponse{stored, added}, err
}

// replaceOverlay replaces the findings in the overlay stack, all or none. After a
// failure the client may retry.
func (s *Server) replaceOverlay(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	err := idempotent(s, http.StatusOK, func(tx *store.Tx, v svc.Viewer, in surface.OverlayRequest) (any, error) {
		return serviceRuntime(s.surface.ReplaceOverlay(tx, v, in))
	}).handle(w, r, v)
	if err != nil {
		return overlayError(err)
	}
	return nil
}
