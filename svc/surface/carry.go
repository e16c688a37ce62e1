package surface

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// BringRequest opens an object of another service in the carry stack.
type BringRequest struct {
	Binding ServiceBinding // identifies the object
	Title   string
	Summary string        // shown if no panel shows the object
	Source  ContentSource // the panel that shows it; empty if there is none
}

// surfaceTypes maps resource types to the types of the surfaces that show them.
// Other resources are shown in a document_surface.
var surfaceTypes = map[string]string{
	"conversation": "conversation_surface", "community": "community_surface", "event": "event_surface", "profile": "profile_surface",
	"calendar_event": "calendar_surface", "task": "calendar_surface",
}

// Bring opens an object in the carry stack and focuses it. It uses the surface
// that is bound to the object, or creates one.
func (s *Service) Bring(tx *store.Tx, v svc.Viewer, in BringRequest) (*Workspace, error) {
	id := derivedID("object", v.Member(), in.Binding.ServiceID+"|"+in.Binding.ResourceType+"|"+in.Binding.ResourceID)
	return s.change(tx, v, nil, func(w *Workspace) error {
		for _, one := range w.Surfaces {
			if one.ServiceBinding == in.Binding && one.SurfaceID != id {
				return w.carry(one)
			}
		}
		one, _, err := s.derivedSurface(tx, v, w, id, func() Surface {
			surfaceType := surfaceTypes[in.Binding.ResourceType]
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
		return w.carry(one)
	})
}

// Carry moves a surface to the carry stack, unless it is there, and focuses it.
func (s *Service) Carry(tx *store.Tx, v svc.Viewer, id string) (*Workspace, error) {
	return s.change(tx, v, nil, func(w *Workspace) error {
		one := w.surface(id)
		if one == nil {
			return errNoSurface
		}
		return w.carry(one)
	})
}

// RemoveFromCarry removes surfaces from the carry stack. Findings stay in the
// overlay. Surfaces that are in no stack afterwards are deleted after
// [UnstackedRetention].
func (s *Service) RemoveFromCarry(tx *store.Tx, v svc.Viewer, ids ...string) (*Workspace, error) {
	return s.change(tx, v, nil, func(w *Workspace) error {
		removed := func(id string) bool { return slices.Contains(ids, id) }
		w.setOrder(CarryStack, slices.DeleteFunc(slices.Clone(w.stack(CarryStack).SurfaceOrder), removed))
		for _, id := range ids {
			if one := w.surface(id); one != nil && w.isStacked(id) {
				one.Placement.Mode = "detached"
				w.markSurface(one)
			}
		}
		return nil
	})
}

// carry moves a surface to the carry stack, unless it is there, and focuses it.
func (w *Workspace) carry(one *Surface) error {
	if !slices.Contains(w.stack(CarryStack).SurfaceOrder, one.SurfaceID) {
		if err := w.place(one, "stacked", InStack(CarryStack), "placement"); err != nil {
			return err
		}
	}
	w.markSurface(one)
	w.stack(CarryStack).FocusedSurfaceID = &one.SurfaceID
	w.newFocus = one.SurfaceID
	w.markStack(CarryStack)
	return w.checkLimit()
}

// InStack returns a position in a stack.
func InStack(stack string) Position {
	return Position{StackID: stack, fields: svc.Map{"stack_id": stack}}
}

// derivedSurface returns the surface with a derived id: from the workspace, from
// the stored surfaces in no stack, or a new one from init that is in no stack
// yet. added reports whether the surface was not in the workspace before.
func (s *Service) derivedSurface(tx *store.Tx, v svc.Viewer, w *Workspace, id string, init func() Surface) (one *Surface, added bool, err error) {
	if one = w.surface(id); one != nil {
		return one, false, nil
	}
	stored, err := s.surfacesByID(tx, v.Member(), id)
	if err != nil {
		return nil, false, err
	}
	if one = stored[id]; one != nil {
		w.insert(one)
		return one, true, nil
	}
	fresh := init()
	fresh.SurfaceID, fresh.Placement = id, Placement{"stacked", svc.Map{"stack_id": CarryStack}}
	return w.create(fresh), true, nil
}

// derivedID returns the id of the member's surface for an object. It is always
// the same, so that an object opened again has the surface it had before.
func derivedID(kind string, member svc.MemberID, object string) string {
	h := sha256.Sum256(fmt.Appendf(nil, "%d|%s", member, object))
	return "surface_" + kind + "_" + hex.EncodeToString(h[:8])
}
