package surface

import (
	"cmp"
	"slices"

	"appliance/svc"
)

// DefaultSurface is a surface that every member has.
type DefaultSurface struct {
	Stack   string // the stack to which it is appended
	Surface Surface
}

// DefaultSurfaces returns the surfaces that every member has, in the order in
// which they are appended to their stacks. Stored surfaces keep their content: to
// change a default for existing members, write a migration.
func DefaultSurfaces() []DefaultSurface {
	return []DefaultSurface{
		panelSurface(CarryStack, "surface_social", DashboardType, "Social", "social", "social", "/world/panels/social", "full"),
		panelSurface(CarryStack, "surface_calendar", CalendarType, "Calendar", "time", "time", "/world/panels/time", "full"),
		panelSurface(CarryStack, "surface_messages", DashboardType, "Messages", "messages", "messages", "/world/panels/messages", "full"),
		panelSurface(LeftStack, "surface_profile", ProfileType, "Profile", "social", "profile", "/world/panels/social?view=profile", "rail"),
		messagesRail(),
	}
}

func messagesRail() DefaultSurface {
	d := panelSurface(RightStack, "surface_messages_rail", NavPanelType, "Threads", "messages", "messages_rail", "/world/panels/messages/rail", "rail")
	d.Surface.Placement.Metadata["matches_surface_id"] = "surface_messages"
	return d
}

// panelSurface returns a surface that shows a panel.
func panelSurface(stack, id string, surfaceType Type, title, service, panel, url, size string) DefaultSurface {
	return DefaultSurface{stack, Surface{
		SurfaceID: id, SurfaceType: surfaceType, Title: title,
		Content: Content{
			ServiceBinding: ServiceBinding{service, "panel", panel},
			ContentSource:  ContentSource{RuntimePanel, url},
			Permissions:    Permissions{CanDetach: true, CanPin: true},
			RenderingHints: RenderingHints{size, "interactive"},
		},
		Placement: Placement{Stacked, svc.Map{"stack_id": stack}},
	}}
}

// isDefault reports whether every member has a surface.
func (w *Workspace) isDefault(id string) bool {
	return slices.ContainsFunc(w.defaults, func(d DefaultSurface) bool { return d.Surface.SurfaceID == id })
}

// addDefaults adds missing default stacks and surfaces, and appends every surface
// that is in no stack, except findings, to the stack that its placement names. It
// neither moves nor removes surfaces that are in a stack.
func (w *Workspace) addDefaults(defaults []DefaultSurface) {
	w.defaults = defaults
	added := make(map[string]bool) // ids of stacks
	for _, s := range defaultStacks {
		if w.stack(s.StackID) == nil {
			w.Stacks = append(w.Stacks, &s)
			added[s.StackID] = true
			w.markStack(s.StackID)
		}
	}
	slices.SortFunc(w.Stacks, func(a, b *Stack) int { return cmp.Compare(a.NumericID, b.NumericID) })
	for _, d := range defaults {
		if w.surface(d.Surface.SurfaceID) == nil {
			w.create(d.Surface)
		}
		if !w.isStacked(d.Surface.SurfaceID) {
			w.appendTo(d.Stack, d.Surface.SurfaceID)
		}
	}
	for _, s := range w.Surfaces {
		if w.isStacked(s.SurfaceID) || isFromFinding(s.SurfaceType) {
			continue
		}
		stack, _ := s.Placement.Metadata["stack_id"].(string)
		if stack == OverlayStack || w.stack(stack) == nil {
			stack = CarryStack
		}
		w.appendTo(stack, s.SurfaceID)
	}
	for _, s := range w.Stacks {
		if added[s.StackID] && len(s.SurfaceOrder) > 0 {
			s.FocusedSurfaceID = new(s.SurfaceOrder[0])
		}
	}
	w.Unsaved = w.hasChanges()
}
