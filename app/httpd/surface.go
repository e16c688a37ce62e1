package httpd

import (
	"encoding/json"
	"net/http"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world/compat"
)

// arranged is the answer to another service that has changed how a member's
// surfaces are arranged.
type arranged struct {
	Status  string           `json:"status"`           // "ok"
	Surface *surface.Surface `json:"surface,omitzero"` // what was placed or opened
	Created *bool            `json:"created,omitzero"` // whether what was opened is new
	Runtime surface.Runtime  `json:"surface_runtime"`
}

// Short implements [world.Shortener]: that it was done. How everything is arranged
// by now is to be read.
func (arranged) Short() any { return map[string]string{"status": "ok"} }

// The writes of members, by their bodies and paths.
type (
	focusing struct {
		Stack string `json:"-" path:"stack_key"`
		surface.FocusRequest
	}
	reordering struct {
		Stack string `json:"-" path:"stack_key"`
		surface.ReorderRequest
	}
	placing struct {
		Surface string `json:"-" path:"surface_id"`
		surface.PlaceRequest
	}
	opening struct {
		Surface string `json:"-" path:"surface_id"`
	}
)

func (s *Server) focus(tx *store.Tx, v svc.Viewer, in focusing) (any, error) {
	w, err := s.surface.Focus(tx, v, in.Stack, in.FocusRequest)
	return s.afterwards(tx, v, compat.Brief{Status: "ok"}, w, err)
}

func (s *Server) reorder(tx *store.Tx, v svc.Viewer, in reordering) (any, error) {
	w, err := s.surface.Reorder(tx, v, in.Stack, in.ReorderRequest)
	return s.afterwards(tx, v, compat.Brief{Status: "ok"}, w, err)
}

func (s *Server) place(tx *store.Tx, v svc.Viewer, in placing) (any, error) {
	w, placed, err := s.surface.Place(tx, v, in.Surface, in.PlaceRequest)
	return s.afterwards(tx, v, compat.Brief{Status: "ok", SurfaceID: placed.SurfaceID}, w, err)
}

func (s *Server) open(tx *store.Tx, v svc.Viewer, in opening) (any, error) {
	w, place, created, err := s.surface.OpenFinding(tx, v, in.Surface)
	return s.afterwards(tx, v, compat.Brief{Status: "ok", SurfaceID: place.SurfaceID, Created: &created}, w, err)
}

// afterwards answers what was done with all that v has before them then.
func (s *Server) afterwards(tx *store.Tx, v svc.Viewer, done compat.Brief, w *surface.Workspace, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	r := w.Runtime()
	return done.With(compat.NewSurfaceRuntime(r, s.world.Titles(tx, v, r.Surfaces))), nil
}

// arranging makes a handler of a member's write.
func arranging[In any](s *Server, write func(*store.Tx, svc.Viewer, In) (any, error)) handler {
	return relayedAgain(s, http.StatusOK, write, s.arrangedAgain)
}

// arrangedAgain answers whoever repeats a write whose answer was too long to be
// kept: a runtime goes on with what it gets, so it gets everything as it is now
// (B-38).
func (s *Server) arrangedAgain(tx *store.Tx, v svc.Viewer, kept []byte) (any, error) {
	var was struct {
		compat.Brief
		Runtime json.RawMessage `json:"surface_runtime"`
	}
	if err := json.Unmarshal(kept, &was); err != nil || was.Runtime != nil {
		return nil, err
	}
	w, err := s.surface.Read(tx, v)
	return s.afterwards(tx, v, was.Brief, w, err)
}

// The same for whoever has the service key: without the addresses of World.

func (s *Server) focusAlone(tx *store.Tx, v svc.Viewer, in focusing) (any, error) {
	return ownRuntime(s.surface.Focus(tx, v, in.Stack, in.FocusRequest))
}

func (s *Server) reorderAlone(tx *store.Tx, v svc.Viewer, in reordering) (any, error) {
	return ownRuntime(s.surface.Reorder(tx, v, in.Stack, in.ReorderRequest))
}

func (s *Server) placeAlone(tx *store.Tx, v svc.Viewer, in placing) (any, error) {
	w, placed, err := s.surface.Place(tx, v, in.Surface, in.PlaceRequest)
	if err != nil {
		return nil, err
	}
	return arranged{Status: "ok", Surface: &placed, Runtime: w.Runtime()}, nil
}

func (s *Server) openAlone(tx *store.Tx, v svc.Viewer, in opening) (any, error) {
	w, place, created, err := s.surface.OpenFinding(tx, v, in.Surface)
	if err != nil {
		return nil, err
	}
	return arranged{"ok", &place, &created, w.Runtime()}, nil
}

func ownRuntime(w *surface.Workspace, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return arranged{Status: "ok", Runtime: w.Runtime()}, nil
}

// workspace answers with what show makes of a member's workspace. What is not
// stored of it is stored then; the answer is the same.
func (s *Server) workspace(w http.ResponseWriter, r *http.Request, v svc.Viewer, show func(*surface.Workspace) (any, error)) error {
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
	return reply(w, http.StatusOK, answer)
}

func (s *Server) getSurfaceRuntime(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.workspace(w, r, v, func(all *surface.Workspace) (any, error) { return all.Runtime(), nil })
}

func (s *Server) getRuntimeSurfaces(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.workspace(w, r, v, func(all *surface.Workspace) (any, error) {
		return map[string]any{"surfaces": all.Runtime().Surfaces}, nil
	})
}

func (s *Server) getStacks(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.workspace(w, r, v, func(all *surface.Workspace) (any, error) {
		one := all.Runtime()
		return map[string]any{"stacks": one.Stacks, "viewports": one.Viewports}, nil
	})
}

func (s *Server) getStack(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.workspace(w, r, v, func(all *surface.Workspace) (any, error) {
		one, err := all.Stack(r.PathValue("stack_key"))
		return map[string]any{"stack": one}, err
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
	return s.workspace(w, r, v, func(all *surface.Workspace) (any, error) {
		list, err := all.Select(in.Type, in.Stack)
		return map[string]any{"surfaces": list}, err
	})
}

func (s *Server) getSurface(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.surface.Surface(tx, v, r.PathValue("id")) })
}

// surfaceAnswer is a surface that was added or changed.
type surfaceAnswer struct {
	Surface surface.Surface `json:"surface"`
	added   bool
}

// Status implements [world.Statuser].
func (a surfaceAnswer) Status() int {
	if a.added {
		return http.StatusCreated
	}
	return http.StatusOK
}

func (s *Server) putSurface(tx *store.Tx, v svc.Viewer, in surface.PutRequest) (any, error) {
	one, added, err := s.surface.Put(tx, v, in)
	return surfaceAnswer{one, added}, err
}

// replaceOverlay replaces what was found. Whatever keeps that from being
// stored whole, the overlay is as it was, and it may be tried again (S-44).
func (s *Server) replaceOverlay(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	err := relayed(s, http.StatusOK, func(tx *store.Tx, v svc.Viewer, in surface.OverlayRequest) (any, error) {
		return ownRuntime(s.surface.ReplaceOverlay(tx, v, in))
	})(w, r, v)
	if err == nil || svc.KindOf(err) != svc.Internal {
		return err
	}
	failed := svc.Errorf(svc.OverlayNotPersisted, "What was found could not be kept; what was there before still is. Try again.").WithCause(err)
	failed.RetryAfter = 5 * time.Second
	return failed
}
