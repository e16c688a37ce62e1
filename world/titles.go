package world

import (
	"cmp"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/world/action"
)

// Titles maps services and resource ids to the current titles of the objects that
// surfaces show. Objects that the member cannot see and services that cannot be read
// are absent. A surface itself stores the title that its object had when the member
// focused it.
type Titles map[string]map[string]string

// Titles returns the titles of the objects that the surfaces of v show.
func (w *World) Titles(tx *store.Tx, v svc.Viewer, surfaces []surface.Surface) Titles {
	bindings := make(map[string][]surface.ServiceBinding)
	for _, s := range surfaces {
		if source, ok := action.SourceOf(s.ServiceBinding); ok {
			bindings[source.Service] = append(bindings[source.Service], s.ServiceBinding)
		}
	}
	t := make(Titles)
	for _, service := range []string{"messages", "social", "time", action.ProviderService} {
		hosted := w.hostOf(service)
		if len(bindings[service]) == 0 || hosted.State() == "unavailable" {
			continue
		}
		// The hosted service logs the error.
		_ = svc.Attempt(tx.Context(), hosted, func() (err error) {
			titles, err := w.titles(tx, v, service, bindings[service])
			if err == nil {
				t[service] = titles
			}
			return err
		})
	}
	return t
}

// hostOf returns the hosted service of the objects of a service. Find acquires those of
// providers.
func (w *World) hostOf(service string) svc.HostedService {
	if service == action.ProviderService {
		service = "find"
	}
	return w.hosted(service)
}

// titles returns the titles of the listed objects of a service that v can see.
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
	case action.ProviderService:
		objects, err := w.providerObjects(tx, v, ids)
		for _, o := range objects {
			titles[o.Key] = o.Title
		}
		return titles, err
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

// Apply returns a surface with the current title of its object. If the member
// can no longer see the object, the surface has no binding and no content source.
func (t Titles) Apply(s surface.Surface) surface.Surface {
	titles, known := t[s.ServiceBinding.ServiceID]
	if _, ok := action.SourceOf(s.ServiceBinding); !ok || !known {
		return s
	}
	if title, visible := titles[s.ServiceBinding.ResourceID]; visible {
		s.Title = surfaceTitle(title)
	} else {
		s.ContentSource, s.ServiceBinding = surface.ContentSource{}, surface.ServiceBinding{}
	}
	return s
}

// surfaceTitle returns the title of a surface that shows an object.
func surfaceTitle(title string) string {
	return cmp.Or(svc.SingleLine(title, svc.MaxTitle), "Untitled")
}
