package surface

import (
	"slices"
	"time"

	"appliance/svc"
)

// Workspace contains the surfaces and stacks of a member.
type Workspace struct {
	Continuity
	Surfaces []*Surface // in the order of NumericID; see dropUnstacked for surfaces in no stack
	Stacks   []*Stack

	// Unsaved reports that the workspace has defaults that are not stored. See
	// [Service.SaveDefaults].
	Unsaved bool

	lastNumericID   int64               // the highest NumericID ever assigned
	defaults        []DefaultSurface    // set by addDefaults
	newFocus        string              // id of the surface that the current change focused; empty for none
	surfaces        map[string]*Surface // the items of Surfaces by id
	changedSurfaces map[string]bool     // ids of surfaces to save
	changedStacks   map[string]bool     // ids of stacks to save
}

func newWorkspace() *Workspace {
	return &Workspace{surfaces: make(map[string]*Surface), changedSurfaces: make(map[string]bool), changedStacks: make(map[string]bool)}
}

// Continuity identifies a state of a workspace.
type Continuity struct {
	Revision  int64      // number of changes
	UpdatedAt *time.Time // time of the latest change; nil if there was none
}

// Runtime is a workspace as runtimes read it, without the command URLs, which
// world adds. Schema: service.surface.workspace.
type Runtime struct {
	Contract  Contract           `json:"contract"`
	Revision  int64              `json:"revision"` // increases with every change; send it as expected_revision
	Surfaces  svc.List[Surface]  `json:"surfaces"`
	Stacks    svc.List[Stack]    `json:"stacks"`
	Viewports svc.List[Viewport] `json:"viewports"`

	removable map[string]bool // by surface id
}

// IsRemovable reports whether the member can remove a surface from its stack.
func (r Runtime) IsRemovable(id string) bool { return r.removable[id] }

// Contract names a contract and its version.
type Contract struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// Runtime returns the workspace as runtimes read it.
func (w *Workspace) Runtime() Runtime {
	r := Runtime{
		Contract: Contract{"service.surface.runtime", 1}, Revision: w.Revision, Viewports: viewports(), removable: make(map[string]bool),
	}
	for _, s := range w.Surfaces {
		r.Surfaces = append(r.Surfaces, *s)
		r.removable[s.SurfaceID] = w.isRemovable(s.SurfaceID)
	}
	for _, s := range w.Stacks {
		r.Stacks = append(r.Stacks, *s)
	}
	return r
}

// Select returns the surfaces of a type that are in a stack, in the order of the
// stack. An empty type selects all types. An empty stack selects all surfaces, by
// NumericID.
func (w *Workspace) Select(surfaceType Type, stack string) (list svc.List[Surface], err error) {
	candidates := w.Surfaces
	if stack != "" {
		selected := w.stack(stack)
		if selected == nil {
			return nil, svc.ParameterError("stack", "This stack does not exist.")
		}
		candidates = nil
		for _, id := range selected.SurfaceOrder {
			candidates = append(candidates, w.surface(id))
		}
	}
	for _, s := range candidates {
		if surfaceType == "" || s.SurfaceType == surfaceType {
			list = append(list, *s)
		}
	}
	return list, nil
}

// Stack returns a stack of the workspace.
func (w *Workspace) Stack(id string) (*Stack, error) {
	if s := w.stack(id); s != nil {
		return s, nil
	}
	return nil, errNoStack
}

// stack returns a stack, or nil.
func (w *Workspace) stack(id string) *Stack {
	for _, s := range w.Stacks {
		if s.StackID == id {
			return s
		}
	}
	return nil
}

// surface returns a surface, or nil.
func (w *Workspace) surface(id string) *Surface { return w.surfaces[id] }

// isStacked reports whether a surface is in a stack.
func (w *Workspace) isStacked(id string) bool {
	return slices.ContainsFunc(w.Stacks, func(s *Stack) bool { return slices.Contains(s.SurfaceOrder, id) })
}

func (w *Workspace) markStack(id string)    { w.changedStacks[id] = true }
func (w *Workspace) markSurface(s *Surface) { w.changedSurfaces[s.SurfaceID] = true }
func (w *Workspace) hasChanges() bool       { return len(w.changedStacks)+len(w.changedSurfaces) > 0 }

func (w *Workspace) appendTo(stack, id string) {
	w.setOrder(stack, append(slices.Clone(w.stack(stack).SurfaceOrder), id))
}

// setOrder changes the surfaces of a stack. The stack loses its focus if the
// focused surface is not among them.
func (w *Workspace) setOrder(stack string, ids []string) {
	s := w.stack(stack)
	s.SurfaceOrder = ids
	if s.FocusedSurfaceID != nil && !slices.Contains(ids, *s.FocusedSurfaceID) {
		s.FocusedSurfaceID = nil
	}
	w.markStack(stack)
}

// create assigns the next NumericID to a new surface and inserts it.
func (w *Workspace) create(s Surface) *Surface {
	w.lastNumericID++
	s.NumericID = w.lastNumericID
	w.insert(&s)
	w.markSurface(&s)
	return &s
}

// insert adds a surface to the workspace, but to no stack.
func (w *Workspace) insert(s *Surface) {
	w.Surfaces = append(w.Surfaces, s)
	w.surfaces[s.SurfaceID] = s
}

// checkLimit returns an error if the workspace has too many surfaces.
func (w *Workspace) checkLimit() error {
	if len(w.Surfaces) > maxSurfaces {
		return svc.Errorf(svc.QuotaExceeded, "You may have up to %d surfaces. Remove one first.", maxSurfaces)
	}
	return nil
}

// dropUnstacked removes the surfaces that are in no stack, and returns their
// ids. It keeps the source of a translation whose result is in a stack.
func (w *Workspace) dropUnstacked() (dropped []string) {
	keep := make(map[string]bool)
	for _, s := range w.Surfaces {
		if w.isStacked(s.SurfaceID) {
			keep[s.SurfaceID] = true
			if t := s.RuntimeState.Translation; t != nil {
				keep[t.SourceSurfaceID] = true
			}
		}
	}
	w.Surfaces = slices.DeleteFunc(w.Surfaces, func(s *Surface) bool {
		if !keep[s.SurfaceID] {
			dropped = append(dropped, s.SurfaceID)
			delete(w.surfaces, s.SurfaceID)
		}
		return !keep[s.SurfaceID]
	})
	return dropped
}
