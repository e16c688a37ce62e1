package world

import (
	"cmp"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/surface"
)

// Things are what surfaces show, by the services that have them and by
// resource_id: what those that the member sees are called by now. A surface
// itself keeps what its thing was called when its member turned to it. A
// service that cannot tell is not there.
type Things map[string]map[string]string

// Things returns what the surfaces of v show.
func (w *World) Things(tx *store.Tx, v svc.Viewer, surfaces []surface.Surface) Things {
	ids := make(map[string][]surface.ServiceBinding)
	for _, s := range surfaces {
		if source, ok := sourceOf(s.ServiceBinding); ok {
			ids[source.Service] = append(ids[source.Service], s.ServiceBinding)
		}
	}
	t := make(Things)
	for _, service := range []string{"messages", "social", "time"} {
		if len(ids[service]) == 0 || w.unit(service).State() == "unavailable" {
			continue
		}
		_ = Attempt(tx, w.unit(service), func() (err error) { // which the unit tells of
			titles, err := w.titles(tx, v, service, ids[service])
			if err == nil {
				t[service] = titles
			}
			return err
		})
	}
	return t
}

// titles returns what those of the things of a service are called that v sees.
func (w *World) titles(tx *store.Tx, v svc.Viewer, service string, list []surface.ServiceBinding) (map[string]string, error) {
	ids := make([]string, len(list))
	for i, b := range list {
		ids[i] = b.ResourceID
	}
	titles := make(map[string]string, len(list))
	switch service {
	case "messages":
		threads, err := w.services.Messages.ThreadsByID(tx, v, ids)
		for _, thread := range threads {
			titles[thread.ID] = thread.Title
		}
		return titles, err
	case "time":
		return w.services.Calendar.Titles(tx, v, ids)
	}
	refs := make([]social.SourceRef, len(list))
	for i, b := range list {
		refs[i] = social.SourceRef{Service: service, ResourceType: b.ResourceType, ResourceID: b.ResourceID}
	}
	named, err := w.services.Social.Titles(tx, v, refs)
	for ref, title := range named {
		titles[ref.ResourceID] = title
	}
	return titles, err
}

// Present returns a surface as its member is to see it. What they do not see
// any more has no content: its address leads nowhere.
func (t Things) Present(s surface.Surface) surface.Surface {
	titles, known := t[s.ServiceBinding.ServiceID]
	if _, ok := sourceOf(s.ServiceBinding); !ok || !known {
		return s
	}
	if title, seen := titles[s.ServiceBinding.ResourceID]; seen {
		s.Title = surfaceTitle(title)
	} else {
		s.ContentSource = surface.ContentSource{}
	}
	return s
}

// surfaceTitle is the title of a surface that shows something called so.
func surfaceTitle(title string) string {
	return cmp.Or(svc.SingleLine(title, svc.MaxTitle), "Untitled")
}
