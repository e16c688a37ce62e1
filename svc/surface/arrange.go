package surface

import (
	"fmt"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// FocusRequest turns a stack to one of its surfaces.
type FocusRequest struct {
	SurfaceID        svc.Optional[string] `json:"surface_id"` // null: to none
	ExpectedRevision *int64               `json:"expected_revision"`
}

// Focus turns a stack to one of its surfaces (B-38).
func (s *Service) Focus(tx *store.Tx, v svc.Viewer, stack string, in FocusRequest) (*Workspace, error) {
	return s.change(tx, v, in.ExpectedRevision, func(w *Workspace) error {
		one, err := w.Stack(stack)
		switch {
		case err != nil:
			return err
		case in.SurfaceID.Null:
			one.FocusedSurfaceID = nil
		case in.SurfaceID.Value == "":
			return svc.Required("surface_id")
		case !slices.Contains(one.SurfaceOrder, in.SurfaceID.Value):
			return svc.FieldError(svc.SurfaceNotInStack, "surface_id", "This surface is not in the stack.")
		default:
			one.FocusedSurfaceID = &in.SurfaceID.Value
			w.opened = in.SurfaceID.Value
		}
		w.changeStack(stack)
		return nil
	})
}

// ReorderRequest puts the surfaces of a stack in another order.
type ReorderRequest struct {
	SurfaceOrder     *[]string `json:"surface_order"` // what it does not name follows, in the order in which it is
	ExpectedRevision *int64    `json:"expected_revision"`
}

// Reorder puts the surfaces of a stack in another order. None is lost by it.
func (s *Service) Reorder(tx *store.Tx, v svc.Viewer, stack string, in ReorderRequest) (*Workspace, error) {
	return s.change(tx, v, in.ExpectedRevision, func(w *Workspace) error {
		one, err := w.Stack(stack)
		if err != nil {
			return err
		}
		if in.SurfaceOrder == nil {
			return svc.Required("surface_order")
		}
		order, seen := slices.Clone(*in.SurfaceOrder), make(map[string]bool)
		for i, id := range order {
			field := fmt.Sprintf("surface_order.%d", i)
			if !slices.Contains(one.SurfaceOrder, id) {
				return svc.FieldError(svc.SurfaceNotInStack, field, "This surface is not in the stack.")
			}
			if seen[id] {
				return svc.FieldError(svc.InvalidValue, field, "This surface is there twice.")
			}
			seen[id] = true
		}
		for _, id := range one.SurfaceOrder {
			if !seen[id] {
				order = append(order, id)
			}
		}
		w.order(stack, order)
		return nil
	})
}

// PlaceRequest puts a surface somewhere.
type PlaceRequest struct {
	Mode             string   `json:"placement_mode"`
	Placement        Position `json:"placement"`
	ExpectedRevision *int64   `json:"expected_revision"`
}

// Place puts a surface somewhere: into a mode, and in the modes stacked and
// docked into a stack, if one is named (B-38).
func (s *Service) Place(tx *store.Tx, v svc.Viewer, id string, in PlaceRequest) (*Workspace, Surface, error) {
	var placed *Surface
	w, err := s.change(tx, v, in.ExpectedRevision, func(w *Workspace) error {
		if placed = w.surface(id); placed == nil {
			return errNoSurface
		}
		if err := checkMode("placement_mode", in.Mode); err != nil {
			return err
		}
		return w.place(placed, in.Mode, in.Placement, "placement")
	})
	if err != nil {
		return nil, Surface{}, err
	}
	return w, *placed, nil
}

var errNoSurface = svc.Errorf(svc.NotFound, "There is no such surface.")

// place changes where a surface is. field is what p is called in the request.
func (w *Workspace) place(one *Surface, mode string, p Position, field string) error {
	if err := one.Permissions.permit(mode); err != nil {
		return err
	}
	metadata, err := p.onto(one.Placement.Metadata, field)
	if err != nil {
		return err
	}
	if p.StackID != "" {
		if w.stack(p.StackID) == nil {
			return svc.FieldError(svc.InvalidValue, field+".stack_id", "There is no such stack.")
		}
		if mode == "stacked" || mode == "docked" {
			if err := w.moveTo(p.StackID, one, field); err != nil {
				return err
			}
		}
	}
	one.Placement = Placement{mode, metadata}
	w.change(one)
	return nil
}

// moveTo moves a surface into a stack, and out of the others but for the
// overlay: that has what was found, and nothing else.
func (w *Workspace) moveTo(stack string, one *Surface, field string) error {
	if stack == OverlayStack && !found(one.SurfaceType) {
		return svc.FieldError(svc.InvalidValue, field+".stack_id", "Only what was found is in this stack.")
	}
	for _, other := range w.Stacks {
		i := slices.Index(other.SurfaceOrder, one.SurfaceID)
		if i >= 0 && other.StackID != stack && other.StackID != OverlayStack {
			w.order(other.StackID, slices.Delete(slices.Clone(other.SurfaceOrder), i, i+1))
		}
	}
	if !slices.Contains(w.stack(stack).SurfaceOrder, one.SurfaceID) {
		w.appendTo(stack, one.SurfaceID)
	}
	return nil
}
