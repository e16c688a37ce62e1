package compat

import (
	"net/http"
	"slices"

	"appliance/svc"
	"appliance/world/action"
	"appliance/world/panel"
)

// dockItems lists the items of the dock, in order. Labels are in English.
var dockItems = []struct {
	id, label, icon string
	essential       bool
	surface         string // surface that the item focuses, "" for none
	content         string // panel that the item opens if no stack contains the surface
	partOf          string // item that opens the same screen, "" for none
}{
	{"find", "Find", "search", true, "", action.FindPanelURL, ""},
	{"social", "Social", "people", true, "surface_social", action.SocialPanelURL, ""},
	{"time", "Calendar", "calendar", true, "surface_calendar", action.TimePanelURL, ""},
	{"messages", "Messages", "message", true, "surface_messages", action.MessagesPanelURL, ""},
	{"field", "Around", "map", false, "", "", "find"},
	{"profile", "Profile", "person", false, "surface_profile", action.SocialPanelURL + "?view=profile", ""},
}

// newShell returns the shell. An item focuses its surface in the stack that contains it,
// because a member can move surfaces.
func (b *builder) newShell() Shell {
	s := Shell{Primitives: svc.List[string]{"dock", "workspace", "field"}, Today: action.TodayPanelURL, Server: b.Server}
	for _, d := range dockItems {
		label := b.viewer.Language().Text(d.label)
		open := panel.PanelAction{ID: "open_" + d.id, Label: label, Type: "open_panel", Method: http.MethodGet, URL: d.content}
		if d.id == "field" {
			open.Type, open.URL = "open_field", sessionURL+b.request.Query()
		}
		stacks := b.SurfaceRuntime.Stacks
		i := slices.IndexFunc(stacks, func(s Stack) bool { return slices.Contains(s.SurfaceOrder, d.surface) })
		if i >= 0 {
			open = panel.PanelAction{
				ID: "focus_" + d.id, Label: label, Type: "focus_surface", Method: http.MethodPost,
				URL: stacks[i].Commands.FocusSurface, Body: svc.Map{"surface_id": d.surface},
			}
		}
		s.Dock.Items = append(s.Dock.Items, DockItem{d.id, label, d.icon, d.essential, b.badges.Of(d.id), d.partOf, open})
	}
	for _, o := range action.Accounts.Offers(b.viewer.Language(), action.Account{}, "sign_out") {
		s.Actions = append(s.Actions, panel.PanelAction(o.Request()))
	}
	return s
}
