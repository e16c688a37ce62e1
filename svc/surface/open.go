package surface

import (
	"appliance/store"
	"appliance/svc"
)

// OpenFinding opens the place that a surface shows the finding of: in a map, in the
// center, which is turned to it (B-39). There is one map of a place, however
// often it is found and opened; the finding stays where it is. opened says that
// the map is new.
func (s *Service) OpenFinding(tx *store.Tx, v svc.Viewer, id string) (w *Workspace, place Surface, opened bool, err error) {
	var one *Surface
	w, err = s.change(tx, v, nil, func(w *Workspace) error {
		from := w.surface(id)
		if from == nil {
			return errNoSurface
		}
		f := from.RuntimeState.Finding
		if f == nil {
			return errNotOpenable
		}
		latitude, longitude, ok := f.Location()
		if !ok {
			return errNotOpenable
		}
		var err error
		one, opened, err = s.derived(tx, v, w, derivedID("map", v.Member(), f.FindingID), func() Surface {
			return Surface{SurfaceType: "map_surface", Content: Content{
				Permissions: Permissions{CanDetach: true, CanPin: true}, RenderingHints: RenderingHints{"full", "interactive"},
			}}
		})
		if err != nil {
			return err
		}
		one.Title = f.Title
		one.ServiceBinding = ServiceBinding{"find", f.ObjectType, f.FindingID}
		one.RuntimeState.Summary, one.RuntimeState.Details, one.RuntimeState.Finding = f.Summary, details(*f), f
		one.RuntimeState.SurfaceObject = placeObject(one.SurfaceID, *f, latitude, longitude)
		return w.turnTo(one)
	})
	if err != nil {
		return nil, Surface{}, false, err
	}
	return w, *one, opened, nil
}

var errNotOpenable = svc.Errorf(svc.FindingNotOpenable, "This is not a place that is known to be somewhere, and cannot be opened.")

// placeObject is a place as runtimes show it by themselves. It has no picture
// of a map: presentation_status says so.
func placeObject(id string, f svc.Finding, latitude, longitude float64) svc.Map {
	object := svc.Map{
		"surface_object_id": "object_" + id, "source_finding_id": f.FindingID, "object_type": "place", "title": f.Title, "summary": f.Summary,
		"branding": svc.Map{}, "actions": svc.List[svc.Map]{}, "runtime_hints": svc.Map{"presentation_status": "unavailable"},
		"content": svc.Map{
			"location": svc.Map{"latitude": latitude, "longitude": longitude}, "category": f.Text("category"), "address": f.Text("address"),
		},
	}
	if f.SourceURL != "" {
		object["primary_url"] = f.SourceURL
	}
	return object
}
