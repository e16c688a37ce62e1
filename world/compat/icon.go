package compat

import (
	"cmp"

	"appliance/svc/social"
	"appliance/svc/surface"
)

// serviceIcons contains the icons of the panels of services.
var serviceIcons = map[string]string{"social": "people", "time": "calendar", "messages": "message", "find": "search", "identity": "person"}

// resourceIcons contains the icons of resource types that are no object types.
var resourceIcons = map[string]string{"thread": "message", social.DMType: "message"}

// surfaceIcons contains the icons of surface types without a more precise icon.
var surfaceIcons = map[string]string{
	"web_surface": "link", surface.MapType: "map", "calendar_surface": "calendar", "conversation_surface": "conversation",
	"community_surface": "people", "event_surface": "event", surface.FindingType: "link", "profile_surface": "person",
	"web_business_surface": "shops", "web_hours_surface": "clock", "web_menu_surface": "menu", "web_events_surface": "event",
	"web_gallery_surface": "gallery", "web_article_surface": "article", "web_contact_surface": "phone",
}

// surfaceIcon returns the icon of a surface: that of its object, of its panel, of its
// finding, or of its type.
func surfaceIcon(s surface.Surface) string {
	b := s.ServiceBinding
	icon := cmp.Or(icons[b.ResourceType], resourceIcons[b.ResourceType])
	if b.ResourceType == "panel" && s.SurfaceType != "profile_surface" {
		icon = serviceIcons[b.ServiceID]
	}
	if f := s.RuntimeState.Finding; f != nil && s.SurfaceType == surface.FindingType {
		if _, _, hasLocation := f.Location(); hasLocation {
			icon = icons["place"]
		}
	}
	return cmp.Or(icon, surfaceIcons[s.SurfaceType], "object")
}
