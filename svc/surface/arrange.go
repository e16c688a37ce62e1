package surface

import (
	"fmt"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// FocusRequest changes the focused surface of a stack.
type FocusRequest struct {
	SurfaceID        svc.Optional[string] `json:"surface_id"` // null for no focus
	ExpectedRevision *int64               `json:"expected_revision"`
}

// Focus changes the focused surface of a stack.
func (s *Service) Focus(tx *store.Tx, v svc.Viewer, stack string, in FocusRequest) (*Workspace, error) {
	return s.updateWorkspace(tx, v, in.ExpectedRevision, func(w *Workspace) error {
		target, err := w.Stack(stack)
		switch {
		case err != nil:
			return err
		case in.SurfaceID.Null:
			target.FocusedSurfaceID = nil
		case in.SurfaceID.Value == "":
			return svc.Required("surface_id")
		case !slices.Contains(target.SurfaceOrder, in.SurfaceID.Value):
			return svc.FieldError(svc.SurfaceNotInStack, "surface_id", "This surface is not in the stack.")
		default:
			target.FocusedSurfaceID = &in.SurfaceID.Value
			w.newFocus = in.SurfaceID.Value
		}
		w.markStack(stack)
		return nil
	})
}

// ReorderRequest changes the order of a stack.
type ReorderRequest struct {
	SurfaceOrder     *[]string `json:"surface_order"` // surfaces that it omits follow in their present order
	ExpectedRevision *int64    `json:"expected_revision"`
}

// Reorder changes the order of a stack. It never removes a surface from it.
func (s *Service) Reorder(tx *store.Tx, v svc.Viewer, stack string, in ReorderRequest) (*Workspace, error) {
	return s.updateWorkspace(tx, v, in.ExpectedRevision, func(w *Workspace) error {
		target, err := w.Stack(stack)
		if err != nil {
			return err
		}
		if in.SurfaceOrder == nil {
			return svc.Required("surface_order")
		}
		order, listed := slices.Clone(*in.SurfaceOrder), make(map[string]bool)
		for i, id := range order {
			field := fmt.Sprintf("surface_order.%d", i)
			if !slices.Contains(target.SurfaceOrder, id) {
				return svc.FieldError(svc.SurfaceNotInStack, field, "This surface is not in the stack.")
			}
			if listed[id] {
				return svc.FieldError(svc.InvalidValue, field, "This surface is listed twice.")
			}
			listed[id] = true
		}
		for _, id := range target.SurfaceOrder {
			if !listed[id] {
				order = append(order, id)
			}
		}
		w.setOrder(stack, order)
		return nil
	})
}

// PlaceRequest changes the placement of a surface.
type PlaceRequest struct {
	Mode             Mode     `json:"placement_mode"`
	Placement        Position `json:"placement"`
	ExpectedRevision *int64   `json:"expected_revision"`
}

// Place changes the placement of a surface. In the modes stacked and docked, a
// stack_id in the position moves the surface to that stack.
func (s *Service) Place(tx *store.Tx, v svc.Viewer, id string, in PlaceRequest) (*Workspace, Surface, error) {
	var placed *Surface
	w, err := s.updateWorkspace(tx, v, in.ExpectedRevision, func(w *Workspace) error {
		if placed = w.surface(id); placed == nil {
			return errNoSurface
		}
		if err := svc.CheckChosen("placement_mode", in.Mode); err != nil {
			return err
		}
		return w.setPlacement(placed, in.Mode, in.Placement, "placement")
	})
	if err != nil {
		return nil, Surface{}, err
	}
	return w, *placed, nil
}

// RemoveRequest takes a surface out of its stack.
type RemoveRequest struct {
	ExpectedRevision *int64 `json:"expected_revision"`
}

// Remove takes a surface out of all stacks except the overlay. It is deleted after
// [UnstackedRetention], unless it is opened again.
func (s *Service) Remove(tx *store.Tx, v svc.Viewer, id string, in RemoveRequest) (*Workspace, error) {
	return s.updateWorkspace(tx, v, in.ExpectedRevision, func(w *Workspace) error {
		switch {
		case w.surface(id) == nil:
			return errNoSurface
		case w.isDefault(id):
			return svc.Errorf(svc.PermissionDenied, "Every member has this surface. It can be moved, but not removed.")
		case !w.isRemovable(id):
			return svc.Errorf(svc.SurfaceNotInStack, "This surface is in no stack from which it can be removed.")
		}
		for _, stack := range w.Stacks {
			if stack.StackID != OverlayStack {
				w.removeFromStack(stack.StackID, id)
			}
		}
		w.markDetached(id)
		return nil
	})
}

// removeFromStack removes surfaces from a stack.
func (w *Workspace) removeFromStack(stack string, ids ...string) {
	order := w.stack(stack).SurfaceOrder
	if slices.ContainsFunc(order, func(id string) bool { return slices.Contains(ids, id) }) {
		w.setOrder(stack, slices.DeleteFunc(slices.Clone(order), func(id string) bool { return slices.Contains(ids, id) }))
	}
}

// markDetached sets the placement mode of surfaces that remain in a stack.
func (w *Workspace) markDetached(ids ...string) {
	for _, id := range ids {
		if surface := w.surface(id); surface != nil && w.isStacked(id) {
			surface.Placement.Mode = Detached
			w.markSurface(surface)
		}
	}
}

// isRemovable reports whether a member can remove a surface: it is not a default, and is in
// a stack other than the overlay, which the next search replaces.
func (w *Workspace) isRemovable(id string) bool {
	return !w.isDefault(id) && slices.ContainsFunc(w.Stacks, func(s *Stack) bool { return s.StackID != OverlayStack && slices.Contains(s.SurfaceOrder, id) })
}

var (
	errNoSurface = svc.Errorf(svc.NotFound, "This surface does not exist.")
	errNoStack   = svc.Errorf(svc.NotFound, "This stack does not exist.")
)

// setPlacement changes the placement of a surface. field is the name of p in the
// request.
func (w *Workspace) setPlacement(surface *Surface, mode Mode, p Position, field string) error {
	if err := surface.Permissions.checkPlacementMode(mode); err != nil {
		return err
	}
	metadata, err := p.apply(surface.Placement.Metadata, field)
	if err != nil {
		return err
	}
	if p.StackID != "" {
		if w.stack(p.StackID) == nil {
			return svc.FieldError(svc.InvalidValue, field+".stack_id", "This stack does not exist.")
		}
		if mode == Stacked || mode == Docked {
			if err := w.moveTo(p.StackID, surface, field); err != nil {
				return err
			}
		}
	}
	surface.Placement = Placement{mode, metadata}
	w.markSurface(surface)
	return nil
}

// moveTo moves a surface from its stacks to another one. A surface that is in
// the overlay stays there as well, and only findings can be moved to the overlay.
func (w *Workspace) moveTo(stack string, surface *Surface, field string) error {
	if stack == OverlayStack && !isFromFinding(surface.SurfaceType) {
		return svc.FieldError(svc.InvalidValue, field+".stack_id", "Only findings can be placed in this stack.")
	}
	for _, other := range w.Stacks {
		i := slices.Index(other.SurfaceOrder, surface.SurfaceID)
		if i >= 0 && other.StackID != stack && other.StackID != OverlayStack {
			w.setOrder(other.StackID, slices.Delete(slices.Clone(other.SurfaceOrder), i, i+1))
		}
	}
	if !slices.Contains(w.stack(stack).SurfaceOrder, surface.SurfaceID) {
		w.appendTo(stack, surface.SurfaceID)
	}
	return nil
}
