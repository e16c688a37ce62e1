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

// surfaceTypeOf maps a resource type to the type of the surface that shows the
// resource. Other resources are shown in a document_surface.
var surfaceTypeOf = map[string]Type{
	"conversation": ConversationType, "community": CommunityType, "event": EventType, "profile": ProfileType,
	"calendar_event": CalendarType, "task": CalendarType,
}

// Bring opens an object in the carry stack and focuses it. It uses the surface
// that is bound to the object, or creates one.
func (s *Service) Bring(tx *store.Tx, v svc.Viewer, in BringRequest) (*Workspace, error) {
	id := derivedID("object", v.Member(), in.Binding.ServiceID+"|"+in.Binding.ResourceType+"|"+in.Binding.ResourceID)
	return s.updateWorkspace(tx, v, nil, func(w *Workspace) error {
		for _, surface := range w.Surfaces {
			if surface.ServiceBinding == in.Binding && surface.SurfaceID != id {
				return w.carry(surface)
			}
		}
		surface, _, err := s.derivedSurface(tx, v, w, id, func() Surface {
			surfaceType := surfaceTypeOf[in.Binding.ResourceType]
			if surfaceType == "" {
				surfaceType = DocumentType
			}
			return Surface{SurfaceType: surfaceType, Content: Content{
				Permissions: Permissions{CanDetach: true, CanPin: true}, RenderingHints: RenderingHints{"full", "interactive"},
			}}
		})
		if err != nil {
			return err
		}
		surface.Title, surface.ServiceBinding, surface.ContentSource = in.Title, in.Binding, in.Source
		surface.RuntimeState.Summary = in.Summary
		if err := surface.check(); err != nil {
			return err
		}
		return w.carry(surface)
	})
}

// Carry moves a surface to the carry stack, unless it is there, and focuses it.
func (s *Service) Carry(tx *store.Tx, v svc.Viewer, id string) (*Workspace, error) {
	return s.updateWorkspace(tx, v, nil, func(w *Workspace) error {
		surface := w.surface(id)
		if surface == nil {
			return errNoSurface
		}
		return w.carry(surface)
	})
}

// RemoveFromCarry removes surfaces from the carry stack. Findings stay in the
// overlay. Surfaces that are in no stack afterwards are deleted after
// [UnstackedRetention].
func (s *Service) RemoveFromCarry(tx *store.Tx, v svc.Viewer, ids ...string) (*Workspace, error) {
	return s.updateWorkspace(tx, v, nil, func(w *Workspace) error {
		w.removeFromStack(CarryStack, ids...)
		w.markDetached(ids...)
		return nil
	})
}

// carry moves a surface to the carry stack, unless it is there, and focuses it.
func (w *Workspace) carry(surface *Surface) error {
	if !slices.Contains(w.stack(CarryStack).SurfaceOrder, surface.SurfaceID) {
		if err := w.setPlacement(surface, Stacked, InStack(CarryStack), "placement"); err != nil {
			return err
		}
	}
	w.markSurface(surface)
	w.stack(CarryStack).FocusedSurfaceID = &surface.SurfaceID
	w.newFocus = surface.SurfaceID
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
func (s *Service) derivedSurface(tx *store.Tx, v svc.Viewer, w *Workspace, id string, init func() Surface) (surface *Surface, added bool, err error) {
	if surface = w.surface(id); surface != nil {
		return surface, false, nil
	}
	stored, err := s.surfacesByID(tx, v.Member(), id)
	if err != nil {
		return nil, false, err
	}
	if surface = stored[id]; surface != nil {
		w.insert(surface)
		return surface, true, nil
	}
	newSurface := init()
	newSurface.SurfaceID, newSurface.Placement = id, Placement{Stacked, svc.Map{"stack_id": CarryStack}}
	return w.create(newSurface), true, nil
}

// derivedID returns the id of the member's surface for an object. It is a function of its
// arguments, so that an object that is opened again gets its previous surface.
func derivedID(kind string, member svc.MemberID, object string) string {
	h := sha256.Sum256(fmt.Appendf(nil, "%d|%s", member, object))
	return "surface_" + kind + "_" + hex.EncodeToString(h[:8])
}
