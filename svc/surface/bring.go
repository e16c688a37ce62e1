package surface

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// BringRequest is something of another service's that a member wants before them.
type BringRequest struct {
	Binding ServiceBinding // what it is
	Title   string
	Summary string        // of what no panel shows
	Source  ContentSource // where it is shown; empty if nowhere
}

// brought are the types of surfaces by the types of resources that they show.
// All others are documents.
var brought = map[string]string{
	"conversation": "conversation_surface", "community": "community_surface", "event": "event_surface", "profile": "profile_surface",
	"calendar_event": "calendar_surface", "task": "calendar_surface",
}

// Bring puts something into the center and turns to it: in the surface that is
// bound to it already, or in a new one.
func (s *Service) Bring(tx *store.Tx, v svc.Viewer, in BringRequest) (*Workspace, error) {
	id := derivedID("object", v.Member(), in.Binding.ServiceID+"|"+in.Binding.ResourceType+"|"+in.Binding.ResourceID)
	return s.change(tx, v, nil, func(w *Workspace) error {
		for _, one := range w.Surfaces {
			if one.ServiceBinding == in.Binding && one.SurfaceID != id {
				return w.turnTo(one)
			}
		}
		one, _, err := s.derived(tx, v, w, id, func() Surface {
			surfaceType := brought[in.Binding.ResourceType]
			if surfaceType == "" {
				surfaceType = "document_surface"
			}
			return Surface{SurfaceType: surfaceType, Content: Content{
				Permissions: Permissions{CanDetach: true, CanPin: true}, RenderingHints: RenderingHints{"full", "interactive"},
			}}
		})
		if err != nil {
			return err
		}
		one.Title, one.ServiceBinding, one.ContentSource = in.Title, in.Binding, in.Source
		one.RuntimeState.Summary = in.Summary
		if err := one.check(); err != nil {
			return err
		}
		return w.turnTo(one)
	})
}

// Carry puts a surface into the center and turns to it.
func (s *Service) Carry(tx *store.Tx, v svc.Viewer, id string) (*Workspace, error) {
	return s.change(tx, v, nil, func(w *Workspace) error {
		one := w.surface(id)
		if one == nil {
			return errNoSurface
		}
		return w.turnTo(one)
	})
}

// derived returns the surface whose id follows from what it shows: the one that
// is there, the one that has left its stack, or else a new one, which is in no
// stack yet. added says that it is before the member only now.
func (s *Service) derived(tx *store.Tx, v svc.Viewer, w *Workspace, id string, make func() Surface) (one *Surface, added bool, err error) {
	if one = w.surface(id); one != nil {
		return one, false, nil
	}
	left, err := s.left(tx, v.Member(), id)
	if err != nil {
		return nil, false, err
	}
	if one = left[id]; one != nil {
		w.show(one)
		return one, true, nil
	}
	made := make()
	made.SurfaceID, made.Placement = id, Placement{"stacked", svc.Map{"stack_id": CarryStack}}
	return w.add(made), true, nil
}

// turnTo puts a surface into the center, unless it is there, and turns to it.
func (w *Workspace) turnTo(one *Surface) error {
	if !slices.Contains(w.stack(CarryStack).SurfaceOrder, one.SurfaceID) {
		if err := w.place(one, "stacked", InStack(CarryStack), "placement"); err != nil {
			return err
		}
	}
	w.change(one)
	w.stack(CarryStack).FocusedSurfaceID = &one.SurfaceID
	w.opened = one.SurfaceID
	w.changeStack(CarryStack)
	return w.bounded()
}

// RemoveFromCarry takes surfaces out of the center. What was found stays among what
// was found; what is in no stack then is thrown away after a while.
func (s *Service) RemoveFromCarry(tx *store.Tx, v svc.Viewer, ids ...string) (*Workspace, error) {
	return s.change(tx, v, nil, func(w *Workspace) error {
		w.order(CarryStack, slices.DeleteFunc(slices.Clone(w.stack(CarryStack).SurfaceOrder), func(id string) bool { return slices.Contains(ids, id) }))
		for _, id := range ids {
			if one := w.surface(id); one != nil && w.stacked(id) {
				one.Placement.Mode = "detached"
				w.change(one)
			}
		}
		return nil
	})
}

// InStack is a position in a stack.
func InStack(stack string) Position {
	return Position{StackID: stack, given: svc.Map{"stack_id": stack}}
}

// derivedID is the id of the surface of something: the same each time, so that
// it is where it was.
func derivedID(kind string, member svc.MemberID, of string) string {
	h := sha256.Sum256(fmt.Appendf(nil, "%d|%s", member, of))
	return "surface_" + kind + "_" + hex.EncodeToString(h[:8])
}
