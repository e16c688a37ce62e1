package surface

import (
	"cmp"
	"slices"

	"appliance/svc"
)

// DefaultSurface is a surface that every member has.
type DefaultSurface struct {
	Stack   string
	Surface Surface
}

// DefaultSurfaces are those surfaces, in the order in which they are appended to
// their stacks (B-36). What is stored of them for a member stays as it is: to
// change what all members have of one takes a migration.
func DefaultSurfaces() []DefaultSurface {
	return []DefaultSurface{
		standard(CarryStack, "surface_social", "dashboard_surface", "Social", "social", "social", "/world/panels/social", "full"),
		standard(CarryStack, "surface_calendar", "calendar_surface", "Calendar", "time", "time", "/world/panels/time", "full"),
		standard(CarryStack, "surface_messages", "dashboard_surface", "Messages", "messages", "messages", "/world/panels/messages", "full"),
		standard(LeftStack, "surface_profile", "profile_surface", "Profile", "social", "profile", "/world/panels/social?view=profile", "rail"),
		messagesRail(),
	}
}

func messagesRail() DefaultSurface {
	d := standard(RightStack, "surface_messages_rail", "service_nav_panel", "Threads", "messages", "messages_rail", "/world/panels/messages/rail", "rail")
	d.Surface.Placement.Metadata["matches_surface_id"] = "surface_messages"
	return d
}

func standard(stack, id, surfaceType, title, service, panel, url, size string) DefaultSurface {
	return DefaultSurface{stack, Surface{
		SurfaceID: id, SurfaceType: surfaceType, Title: title,
		Content: Content{
			ServiceBinding: ServiceBinding{service, "panel", panel},
			ContentSource:  ContentSource{"runtime_panel", url},
			Permissions:    Permissions{CanDetach: true, CanPin: true},
			RenderingHints: RenderingHints{size, "interactive"},
		},
		Placement: Placement{"stacked", svc.Map{"stack_id": stack}},
	}}
}

// complete adds what every member has and w has not, and takes out of orders
// and focus what is not there. It clears nothing else, moves nothing, and is
// what w is seen as, stored or not.
func (w *Workspace) complete(defaults []DefaultSurface) {
	made := make(map[string]bool) // stacks that were not there
	for _, s := range stacks {
		if w.stack(s.StackID) == nil {
			w.Stacks = append(w.Stacks, &s)
			made[s.StackID] = true
			w.changeStack(s.StackID)
		}
	}
	slices.SortFunc(w.Stacks, func(a, b *Stack) int { return cmp.Compare(a.NumericID, b.NumericID) })
	for _, d := range defaults {
		if w.surface(d.Surface.SurfaceID) == nil {
			w.add(d.Surface)
		}
		if !w.stacked(d.Surface.SurfaceID) {
			w.appendTo(d.Stack, d.Surface.SurfaceID)
		}
	}
	for _, s := range w.Surfaces {
		if w.stacked(s.SurfaceID) || found(s.SurfaceType) {
			continue
		}
		stack, _ := s.Placement.Metadata["stack_id"].(string)
		if stack == OverlayStack || w.stack(stack) == nil {
			stack = CarryStack
		}
		w.appendTo(stack, s.SurfaceID)
	}
	for _, s := range w.Stacks {
		if made[s.StackID] && len(s.SurfaceOrder) > 0 {
			s.FocusedSurfaceID = new(s.SurfaceOrder[0])
		}
	}
	w.Unsaved = w.changed()
}
