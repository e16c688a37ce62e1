package compat

import (
	"slices"

	"appliance/svc"
	"appliance/world/action"
	"appliance/world/dataset"
	"appliance/world/panel"
)

// dockItems lists the items of the dock, in order.
var dockItems = []struct {
	id, label, icon string
	essential       bool
	surface         string // surface that the item focuses, "" for none
	content         string // panel that the item opens if no stack contains the surface
}{
	{"find", "Find", "search", true, "", "/world/panels/find"},
	{"social", "Social", "people", true, "surface_social", "/world/panels/social"},
	{"time", "Calendar", "calendar", true, "surface_calendar", "/world/panels/time"},
	{"messages", "Messages", "message", true, "surface_messages", "/world/panels/messages"},
	{"field", "Field", "map", false, "", ""},
	{"profile", "Profile", "person", false, "surface_profile", "/world/panels/social?view=profile"},
}

// newShell returns the shell for a member with the given stacks. An item focuses its
// surface in the stack that contains it, because a member can move surfaces.
func newShell(q dataset.Request, stacks []Stack) Shell {
	s := Shell{Primitives: svc.List[string]{"dock", "workspace", "field"}, Today: action.TodayPanelURL}
	for _, d := range dockItems {
		open := panel.PanelAction{ID: "open_" + d.id, Label: d.label, Type: "open_panel", Method: "GET", URL: d.content}
		if d.id == "field" {
			open.Type, open.URL = "open_field", sessionURL+q.Query()
		}
		i := slices.IndexFunc(stacks, func(s Stack) bool { return slices.Contains(s.SurfaceOrder, d.surface) })
		if i >= 0 {
			open = panel.PanelAction{
				ID: "focus_" + d.id, Label: d.label, Type: "focus_surface", Method: "POST",
				URL: stacks[i].Commands.FocusSurface, Body: svc.Map{"surface_id": d.surface},
			}
		}
		s.Dock.Items = append(s.Dock.Items, DockItem{d.id, d.label, d.icon, d.essential, open})
	}
	return s
}
