package surface

import (
	"maps"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/words"
)

// NeutralTitle returns the English title that is stored for objects of a resource type whose title
// is the name of another member, "" for other types. The name itself is not stored, because it must
// become invisible after a block or the deletion of the account.
func NeutralTitle(resourceType string) string { return neutralTitles[resourceType] }

var neutralTitles = map[string]string{"thread": "Message thread", "social_dm": "Direct message", "profile": "Profile"}

// defaultTitles are the English titles of the surfaces that every member has.
var defaultTitles = func() map[string]string {
	titles := make(map[string]string)
	for _, d := range DefaultSurfaces() {
		titles[d.Surface.SurfaceID] = d.Surface.Title
	}
	return titles
}()

// findingLabels are the labels of the details of a finding in English.
var findingLabels = []string{"Source", "Address"}

// partLabels are the labels at the beginning of the titles of parts of pages in English: "Menu", or
// "Menu – Trattoria" with the name that the page has.
var partLabels = map[Type]string{
	WebContactType: "Contact", WebEventsType: "Events", WebGalleryType: "Pictures", WebHoursType: "Opening hours", WebMenuType: "Menu",
}

// withPartLabel returns a part of a page with another label in its titles.
func (s Surface) withPartLabel(from, to string) Surface {
	replace := func(title string) string {
		if rest, ok := strings.CutPrefix(title, from); ok && (rest == "" || strings.HasPrefix(rest, " – ")) {
			return to + rest
		}
		return title
	}
	s.Title = replace(s.Title)
	if title, ok := s.RuntimeState.SurfaceObject["title"].(string); ok {
		s.RuntimeState.SurfaceObject = maps.Clone(s.RuntimeState.SurfaceObject)
		s.RuntimeState.SurfaceObject["title"] = replace(title)
	}
	return s
}

// InLanguage returns a stored surface with the texts of the server in the language l: titles that
// are not names, labels of details, and labels of actions. Surfaces are stored with English texts.
func (s Surface) InLanguage(l words.Language) Surface {
	if l == words.English {
		return s
	}
	if defaultTitles[s.SurfaceID] == s.Title || s.ServiceBinding.ServiceID != "find" && s.Title == neutralTitles[s.ServiceBinding.ResourceType] {
		s.Title = l.Text(s.Title)
	}
	if label := partLabels[s.SurfaceType]; label != "" && s.RuntimeState.Source != nil {
		s = s.withPartLabel(label, l.Text(label))
	}
	if s.RuntimeState.Finding != nil && s.RuntimeState.Source == nil {
		s.RuntimeState.Details = slices.Clone(s.RuntimeState.Details)
		for i, d := range s.RuntimeState.Details {
			if len(d) == 2 && slices.Contains(findingLabels, d[0]) {
				s.RuntimeState.Details[i] = []string{l.Text(d[0]), d[1]}
			}
		}
	}
	if s.RuntimeState.Source != nil && s.RuntimeState.SurfaceObject != nil {
		s.RuntimeState.SurfaceObject = maps.Clone(s.RuntimeState.SurfaceObject)
		s.RuntimeState.SurfaceObject["actions"] = pageActions(l)
	}
	return s
}

// pageActions returns the actions of the surface_object of a part of a page, with labels
// in the language l.
func pageActions(l words.Language) svc.List[svc.Map] {
	return svc.List[svc.Map]{
		{"id": "save", "label": l.Text("Save"), "type": "save_object"}, {"id": "share", "label": l.Text("Share"), "type": "share_object"},
	}
}
