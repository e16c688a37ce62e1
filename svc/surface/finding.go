package surface

import (
	"fmt"
	"net/url"

	"appliance/store"
	"appliance/svc"
)

// checkFinding validates a finding.
func checkFinding(f svc.Finding) error {
	err := svc.Join(svc.CheckLine("finding_id", f.FindingID, svc.MaxTitle), svc.CheckLine("source_service", f.SourceService, svc.MaxName),
		svc.CheckLine("title", f.Title, svc.MaxTitle), svc.CheckText("summary", f.Summary, svc.MaxSummary), checkOpaque("service_payload", f.Payload))
	switch f.ObjectType {
	case "html_resource", "place":
	case "":
		err = svc.Join(err, svc.Required("object_type"))
	default:
		err = svc.Join(err, svc.FieldError(svc.InvalidValue, "object_type", "object_type must be html_resource or place."))
	}
	if f.SourceURL != "" || f.ObjectType == "html_resource" {
		err = svc.Join(err, checkWebURL("source_url", f.SourceURL))
	}
	if len(f.Actions) > maxDetails {
		err = svc.Join(err, svc.FieldError(svc.TooLong, "actions", "There may be up to %d actions.", maxDetails))
	}
	for i, a := range f.Actions[:min(len(f.Actions), maxDetails)] {
		err = svc.Join(err, svc.PrefixFields(fmt.Sprintf("actions.%d", i), svc.Join(svc.CheckLine("id", a.ID, svc.MaxName),
			svc.CheckLine("label", a.Label, svc.MaxName), svc.CheckLine("type", a.Type, svc.MaxName))))
	}
	return err
}

// checkWebURL validates an absolute http or https URL.
func checkWebURL(field, address string) error {
	if address == "" {
		return svc.Required(field)
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return svc.FieldError(svc.InvalidValue, field, "%s must be a web address such as https://example.org.", field)
	}
	return svc.CheckLine(field, address, maxURL)
}

// OpenFinding opens the place that a surface's finding describes: it shows the
// place in a map_surface in the carry stack and focuses that surface. A place has
// one map_surface, however often it is found and opened. The finding stays in its
// stack. created reports whether the map_surface is new in the workspace.
func (s *Service) OpenFinding(tx *store.Tx, v svc.Viewer, id string) (w *Workspace, place Surface, created bool, err error) {
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
		one, created, err = s.derivedSurface(tx, v, w, derivedID("map", v.Member(), f.FindingID), func() Surface {
			return Surface{SurfaceType: "map_surface", Content: Content{
				Permissions: Permissions{CanDetach: true, CanPin: true}, RenderingHints: RenderingHints{"full", "interactive"},
			}}
		})
		if err != nil {
			return err
		}
		one.Title = f.Title
		one.ServiceBinding = ServiceBinding{"find", f.ObjectType, f.FindingID}
		one.RuntimeState.Summary, one.RuntimeState.Details, one.RuntimeState.Finding = f.Summary, findingDetails(*f), f
		one.RuntimeState.SurfaceObject = placeObject(one.SurfaceID, *f, latitude, longitude)
		return w.carry(one)
	})
	if err != nil {
		return nil, Surface{}, false, err
	}
	return w, *one, created, nil
}

var errNotOpenable = svc.Errorf(svc.FindingNotOpenable, "Only a place with a location can be opened.")

// placeObject returns the surface_object of a place, which runtimes can show
// without a panel. It has no map image; presentation_status says so.
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
