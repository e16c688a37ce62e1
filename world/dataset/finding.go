package dataset

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world/action"
)

const (
	maxFindings = 20  // limit of findings in a dataset
	maxSaved    = 240 // limit of saved findings in a dataset
)

// addSaved adds the objects that findings have become: the findings in all stacks
// except the overlay. It returns their finding_ids.
func (b *builder) addSaved(r *result, w *surface.Workspace) (saved map[string]bool, err error) {
	saved = make(map[string]bool)
	findings := make(map[string]svc.Finding)
	var list []svc.Version
	for _, stack := range w.Stacks {
		if stack.StackID == surface.OverlayStack {
			continue
		}
		surfaces, err := w.Select("", stack.StackID)
		if err != nil {
			return nil, err
		}
		for _, s := range surfaces {
			f := s.RuntimeState.Finding
			if f == nil || saved[f.FindingID] {
				continue
			}
			saved[f.FindingID] = true
			place, expires := b.services.Maps.WithOpening(*f, b.tx.Now())
			r.expire(expires)
			findings[f.FindingID] = place
			list = append(list, svc.Version{ID: f.FindingID, Version: findingVersion(place)})
		}
	}
	load := func(ids []string) (found []svc.Finding, err error) {
		for _, id := range ids {
			found = append(found, findings[id])
		}
		return found, nil
	}
	shown := list[:min(len(list), maxSaved)]
	truncated, err := addObjects(b, r, shown, "", load, func(f svc.Finding) string { return f.FindingID }, b.encodeSaved)
	if truncated || len(shown) < len(list) {
		r.fallbacks = append(r.fallbacks, truncatedService(workspaceService))
	}
	for _, v := range list[len(r.objects):] {
		delete(saved, v.ID)
	}
	return saved, err
}

// findingVersion returns the version of a saved finding: a hash of the fields that
// its object shows.
func findingVersion(f svc.Finding) string {
	h := sha256.New()
	for _, key := range stateKeys {
		if v := f.Payload[key]; v != nil {
			fmt.Fprintf(h, "%s %s ", key, store.JSON(v))
		}
	}
	latitude, longitude, located := f.Location()
	fmt.Fprintf(h, "%q %q %q %q %v %v %v", f.ObjectType, f.Title, f.Summary, f.SourceURL, latitude, longitude, located)
	return string(h.Sum(nil)[:16])
}

// stateKeys are the fields of the payload that the object of a place shows.
var stateKeys = []string{"category", "address", "opening_hours", "open_now", "next_change", "timezone", "attribution"}

// encodeSaved encodes the object that the finding f has become.
func (b *builder) encodeSaved(f svc.Finding) (*object, error) {
	source := action.SourceOfFinding(f)
	state := svc.Map{"finding_id": f.FindingID, "location": locationOf(f), "source_url": urlOf(f)}
	for _, key := range stateKeys {
		if v := f.Payload[key]; v != nil && v != "" {
			state[key] = v
		}
	}
	return b.encodeObject(ObjectData{
		WorldObjectID: b.actionBuilder.ObjectID(source), ObjectType: source.ResourceType, Source: source, Title: f.Title, Summary: f.Summary,
		State: state, Permissions: Permissions{CanView: true},
	}, nil, nil)
}

// locationOf returns the position of a place, nil for other findings.
func locationOf(f svc.Finding) *Location {
	if latitude, longitude, ok := f.Location(); ok {
		return &Location{latitude, longitude}
	}
	return nil
}

// urlOf returns the web address of a finding, nil if it has none.
func urlOf(f svc.Finding) *string {
	if f.SourceURL == "" {
		return nil
	}
	return &f.SourceURL
}

// addFindings adds the findings in the overlay. saved contains the finding_ids of
// the findings that are also objects.
func (b *builder) addFindings(r *result, w *surface.Workspace, saved map[string]bool) error {
	surfaces, err := w.Select("", surface.OverlayStack)
	if err != nil {
		return err
	}
	for _, s := range surfaces {
		if s.RuntimeState.Finding == nil {
			continue
		}
		if len(r.findings) == maxFindings {
			r.fallbacks = append(r.fallbacks, Truncated("findings", "There are more search results than are shown."))
			break
		}
		f, expires := b.services.Maps.WithOpening(*s.RuntimeState.Finding, b.tx.Now())
		r.expire(expires)
		source := action.SourceOfFinding(f)
		target := action.Target{Kind: "finding", FindingID: f.FindingID}
		actions := action.Findings.Actions(b.actionBuilder, target, action.WorkspaceFinding{
			Finding: f, Resource: b.actionBuilder.Resource(source), Saved: saved[f.FindingID],
		})
		finding := Finding{
			FindingID: f.FindingID, Source: svc.Map{"kind": "service", "service": "find"}, ObjectType: source.ResourceType,
			Title: f.Title, Summary: f.Summary, Location: locationOf(f), SourceURL: urlOf(f), ActionIDs: action.IDs(actions),
			SourceService: f.SourceService, Actions: canonicalActions(f), Payload: canonicalPayload(f),
		}
		if saved[f.FindingID] {
			finding.WorldObjectID = new(b.actionBuilder.ObjectID(source))
		}
		text, err := encode(finding)
		if err := errors.Join(err, r.addActions(actions...)); err != nil {
			return err
		}
		r.findings = append(r.findings, text)
		r.items = append(r.items, ContextItem{
			ItemID: f.FindingID, Label: f.Title, Target: target, ActionIDs: finding.ActionIDs,
		})
	}
	return nil
}
