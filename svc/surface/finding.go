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
		svc.CheckTitle("title", f.Title, svc.MaxTitle), svc.CheckText("summary", f.Summary, svc.MaxSummary), checkOpaque("service_payload", f.Payload))
	err = svc.Join(err, svc.CheckChosen("object_type", f.ObjectType))
	if f.SourceURL != "" || f.ObjectType == svc.PageFinding {
		err = svc.Join(err, checkWebURL("source_url", f.SourceURL))
	}
	if len(f.Actions) > maxDetails {
		err = svc.Join(err, svc.FieldError(svc.TooLong, "actions", "There may be up to %d actions.", maxDetails))
	}
	for i, a := range f.Actions[:min(len(f.Actions), maxDetails)] {
		err = svc.Join(err, svc.PrefixFields(fmt.Sprintf("actions.%d", i), svc.Join(svc.CheckLine("id", a.ID, svc.MaxName),
			svc.CheckTitle("label", a.Label, svc.MaxName), svc.CheckLine("type", a.Type, svc.MaxName))))
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
		return svc.FieldError(svc.InvalidValue, field, "%s must be a web address such as https://example.org.", svc.FieldLabel(field))
	}
	return svc.CheckLine(field, address, maxURL)
}

// OpenFinding shows the place that a surface's finding describes in a map_surface in
// the carry stack, and focuses that surface. If the same place is found or opened
// again, its map_surface is reused. The finding stays in its stack. created reports
// whether the map_surface is new in the workspace.
func (s *Service) OpenFinding(tx *store.Tx, v svc.Viewer, id string) (w *Workspace, place Surface, created bool, err error) {
	var surface *Surface
	w, err = s.updateWorkspace(tx, v, nil, func(w *Workspace) error {
		from := w.surface(id)
		if from == nil {
			return errNoSurface
		}
		if from.RuntimeState.Finding == nil {
			return errNotOpenable
		}
		var err error
		surface, created, err = s.openPlace(tx, v, w, *from.RuntimeState.Finding)
		return err
	})
	if err != nil {
		return nil, Surface{}, false, err
	}
	return w, *surface, created, nil
}

// OpenPlace shows a place as [Service.OpenFinding] does. f describes the place. It need not be the
// finding of a surface.
func (s *Service) OpenPlace(tx *store.Tx, v svc.Viewer, f svc.Finding) (w *Workspace, place Surface, created bool, err error) {
	if err := checkFinding(f); err != nil {
		return nil, Surface{}, false, err
	}
	var surface *Surface
	w, err = s.updateWorkspace(tx, v, nil, func(w *Workspace) (err error) {
		surface, created, err = s.openPlace(tx, v, w, f)
		return err
	})
	if err != nil {
		return nil, Surface{}, false, err
	}
	return w, *surface, created, nil
}

// openPlace shows a place in its map_surface and focuses the surface.
func (s *Service) openPlace(tx *store.Tx, v svc.Viewer, w *Workspace, f svc.Finding) (surface *Surface, created bool, err error) {
	latitude, longitude, ok := f.Location()
	if !ok {
		return nil, false, errNotOpenable
	}
	surface, created, err = s.derivedSurface(tx, v, w, derivedID("map", v.Member(), f.FindingID), func() Surface {
		return Surface{SurfaceType: MapType, Content: Content{
			Permissions: Permissions{CanDetach: true, CanPin: true}, RenderingHints: RenderingHints{"full", "interactive"},
		}}
	})
	if err != nil {
		return nil, false, err
	}
	surface.Title = f.Title
	surface.ServiceBinding = ServiceBinding{"find", string(f.ObjectType), f.FindingID}
	surface.RuntimeState.Summary, surface.RuntimeState.Details, surface.RuntimeState.Finding = f.Summary, findingDetails(f), &f
	surface.RuntimeState.SurfaceObject = placeObject(surface.SurfaceID, f, latitude, longitude)
	return surface, created, w.carry(surface)
}

var errNotOpenable = svc.Errorf(svc.FindingNotOpenable, "Only a place with a location can be opened.")

// placeObject returns the surface_object of a place, which runtimes can show
// without a panel. World adds the map and then changes presentation_status.
func placeObject(id string, f svc.Finding, latitude, longitude float64) svc.Map {
	content := svc.Map{"location": svc.Map{"latitude": latitude, "longitude": longitude}, "category": f.Text("category"), "address": f.Text("address")}
	for _, key := range []string{"kind", "telephone", "opening_hours", "attribution"} {
		if value := f.Payload[key]; value != nil {
			content[key] = value
		}
	}
	object := svc.Map{
		"surface_object_id": "object_" + id, "source_finding_id": f.FindingID, "object_type": "place", "title": f.Title, "summary": f.Summary,
		"branding": svc.Map{}, "actions": svc.List[svc.Map]{}, "runtime_hints": svc.Map{"presentation_status": "unavailable"}, "content": content,
	}
	if f.SourceURL != "" {
		object["primary_url"] = f.SourceURL
	}
	return object
}
