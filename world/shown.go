package world

import (
	"cmp"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/svc/words"
	"appliance/world/action"
)

// Presented is the current data of the objects that surfaces show. Surfaces do not store
// it, because it changes without a write of the member.
type Presented struct {
	Objects ShownObjects
	Layers  []maps.Layer // of the maps that surfaces show, see [World.MapLayers]
	Badges  Badges
	Expires time.Time // when it changes without a write; zero for never

	language words.Language
}

// Present returns the current data for the surfaces of v, and adds to each surface of a
// place whether the place is open. It sets the texts of the server in the surfaces to those
// in the language of v.
func (w *World) Present(tx *store.Tx, v svc.Viewer, surfaces []surface.Surface) Presented {
	p := Presented{Objects: w.ShownObjects(tx, v, surfaces), Layers: w.MapLayers(tx, v.Language(), surfaces), Expires: w.AddOpenings(tx.Now(), surfaces)}
	p.language = v.Language()
	setLanguage(p.language, surfaces)
	p.Badges = w.Badges(tx, v)
	p.Expires = earlierTime(p.Expires, p.Badges.Expires)
	return p
}

// earlierTime returns the earlier of two times. The zero time is later than all others.
func earlierTime(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// ShownObjects maps services and resource ids to the objects that surfaces show. Objects
// that the member cannot see and services that cannot be read are absent. A surface
// itself stores the title that its object had when the member focused it.
type ShownObjects map[string]map[string]ShownObject

// ShownObject is an object that a surface shows.
type ShownObject struct {
	Title  string
	Unread int64 // messages or replies that the member has not read
}

// ShownObjects returns the objects that the surfaces of v show.
func (w *World) ShownObjects(tx *store.Tx, v svc.Viewer, surfaces []surface.Surface) ShownObjects {
	bindings := make(map[string][]surface.ServiceBinding)
	for _, s := range surfaces {
		if source, ok := action.SourceOf(s.ServiceBinding); ok {
			bindings[source.Service] = append(bindings[source.Service], s.ServiceBinding)
		}
	}
	shown := make(ShownObjects)
	for _, service := range []string{"messages", "social", "time", action.ProviderService} {
		hosted := w.hostOf(service)
		if len(bindings[service]) == 0 || hosted.State() == svc.StateUnavailable {
			continue
		}
		// The hosted service logs the error.
		_ = svc.Attempt(tx.Context(), hosted, func() (err error) {
			objects, err := w.shownObjects(tx, v, service, bindings[service])
			if err == nil {
				shown[service] = objects
			}
			return err
		})
	}
	return shown
}

// hostOf returns the hosted service of the objects of a service. Find acquires those of
// providers.
func (w *World) hostOf(service string) svc.HostedService {
	if service == action.ProviderService {
		service = "find"
	}
	return w.hosted(service)
}

// shownObjects returns the listed objects of a service that v can see.
func (w *World) shownObjects(tx *store.Tx, v svc.Viewer, service string, list []surface.ServiceBinding) (map[string]ShownObject, error) {
	ids := make([]string, len(list))
	for i, b := range list {
		ids[i] = b.ResourceID
	}
	objects := make(map[string]ShownObject, len(list))
	switch service {
	case "messages":
		threads, err := w.services.Messages.ByID(tx, v, ids...)
		for _, t := range threads {
			objects[t.ID] = ShownObject{t.Title, t.UnreadCount}
		}
		return objects, err
	case "time":
		titles, err := w.services.Calendar.Titles(tx, v, ids)
		for id, title := range titles {
			objects[id] = ShownObject{Title: title}
		}
		return objects, err
	case action.ProviderService:
		published, err := w.providerObjects(tx, v, ids)
		for _, o := range published {
			objects[o.Key] = ShownObject{Title: o.Title}
		}
		return objects, err
	}
	refs := make([]social.SourceRef, len(list))
	for i, b := range list {
		refs[i] = social.SourceRef{Service: service, ResourceType: b.ResourceType, ResourceID: b.ResourceID}
	}
	headings, err := w.services.Social.Headings(tx, v, refs)
	for ref, h := range headings {
		objects[ref.ResourceID] = ShownObject(h)
	}
	return objects, err
}

// Apply returns a surface with the current title of its object in the language l. If the
// member can no longer see the object, the surface has no binding and no content source.
func (o ShownObjects) Apply(l words.Language, s surface.Surface) surface.Surface {
	objects, known := o[s.ServiceBinding.ServiceID]
	if _, ok := action.SourceOf(s.ServiceBinding); !ok || !known {
		return s
	}
	if object, visible := objects[s.ServiceBinding.ResourceID]; visible {
		s.Title = surfaceTitle(l, object.Title)
	} else {
		s.ContentSource, s.ServiceBinding = surface.ContentSource{}, surface.ServiceBinding{}
	}
	return s
}

// surfaceTitle returns the title of a surface that shows an object, in the language l if the
// object has none.
func surfaceTitle(l words.Language, title string) string {
	return cmp.Or(svc.SingleLine(title, svc.MaxTitle), l.Text("Untitled"))
}

// Apply is [ShownObjects.Apply] in the language of the member.
func (p Presented) Apply(s surface.Surface) surface.Surface { return p.Objects.Apply(p.language, s) }
