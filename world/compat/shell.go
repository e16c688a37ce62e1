package compat

import (
	"slices"

	"appliance/svc"
	"appliance/world/dataset"
	"appliance/world/panel"
)

// docked is what the dock leads to, in its order (B-27).
var docked = []struct {
	id, label, icon string
	essential       bool
	surface         string // that it turns to, "" for none
	content         string // what it opens where there is no such surface
}{
	{"find", "Find", "search", true, "", "/world/panels/find"},
	{"social", "Social", "people", true, "surface_social", "/world/panels/social"},
	{"time", "Calendar", "calendar", true, "surface_calendar", "/world/panels/time"},
	{"messages", "Messages", "message", true, "surface_messages", "/world/panels/messages"},
	{"field", "Field", "map", false, "", ""},
	{"profile", "Profile", "person", false, "surface_profile", "/world/panels/social?view=profile"},
}

// shell is what stands around the surfaces that are in those stacks.
func shell(q dataset.Request, stacks []Stack) Shell {
	s := Shell{Primitives: svc.List[string]{"dock", "workspace", "field"}}
	for _, d := range docked {
		action := panel.PanelAction{ID: "open_" + d.id, Label: d.label, Type: "open_panel", Method: "GET", URL: d.content}
		if d.id == "field" {
			action.Type, action.URL = "open_field", sessionURL+q.Query()
		}
		// Where it is now: a member may have moved it.
		in := slices.IndexFunc(stacks, func(s Stack) bool { return slices.Contains(s.SurfaceOrder, d.surface) })
		if in >= 0 {
			action = panel.PanelAction{
				ID: "focus_" + d.id, Label: d.label, Type: "focus_surface", Method: "POST",
				URL: stacks[in].Commands.FocusSurface, Body: svc.Map{"surface_id": d.surface},
			}
		}
		s.Dock.Items = append(s.Dock.Items, DockItem{d.id, d.label, d.icon, d.essential, action})
	}
	return s
}
