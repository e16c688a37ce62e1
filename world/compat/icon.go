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
var surfaceIcons = map[surface.Type]string{
	surface.WebType: "link", surface.MapType: "map", surface.CalendarType: "calendar", surface.ConversationType: "conversation",
	surface.CommunityType: "people", surface.EventType: "event", surface.FindingType: "link", surface.ProfileType: "person",
	surface.WebBusinessType: "shops", surface.WebHoursType: "clock", surface.WebMenuType: "menu", surface.WebEventsType: "event",
	surface.WebGalleryType: "gallery", surface.WebArticleType: "article", surface.WebContactType: "phone",
}

// surfaceIcon returns the icon of a surface: that of its object, of its panel, of its
// finding, or of its type.
func surfaceIcon(s surface.Surface) string {
	b := s.ServiceBinding
	icon := cmp.Or(icons[b.ResourceType], resourceIcons[b.ResourceType])
	if b.ResourceType == "panel" && s.SurfaceType != surface.ProfileType {
		icon = serviceIcons[b.ServiceID]
	}
	if f := s.RuntimeState.Finding; f != nil && s.SurfaceType == surface.FindingType {
		if _, _, hasLocation := f.Location(); hasLocation {
			icon = icons["place"]
		}
	}
	return cmp.Or(icon, surfaceIcons[s.SurfaceType], "object")
}
