package dataset

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world/action"
)

const (
	maxFindings = 20  // limit of findings in a dataset
	maxSaved    = 240 // limit of objects that findings have become
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
			findings[f.FindingID] = *f
			list = append(list, svc.Version{ID: f.FindingID, Version: findingVersion(*f)})
		}
	}
	load := func(ids []string) (found []svc.Finding, err error) {
		for _, id := range ids {
			found = append(found, findings[id])
		}
		return found, nil
	}
	shown := list[:min(len(list), maxSaved)]
	truncated, err := addObjects(b, r, shown, "", load, func(f svc.Finding) string { return f.FindingID }, b.saved)
	if truncated || len(shown) < len(list) {
		r.fallbacks = append(r.fallbacks, tooMany(workspaceService))
	}
	for _, v := range list[len(r.objects):] {
		delete(saved, v.ID)
	}
	return saved, err
}

// findingVersion returns the version of the object that a finding has become.
func findingVersion(f svc.Finding) string {
	h := sha256.New()
	latitude, longitude, located := f.Location()
	fmt.Fprintf(h, "%q %q %q %q %q %q %v %v %v", f.ObjectType, f.Title, f.Summary, f.SourceURL, f.Text("category"), f.Text("address"), latitude, longitude, located)
	return string(h.Sum(nil)[:16])
}

// saved encodes the object that the finding f has become.
func (b *builder) saved(f svc.Finding) (*object, error) {
	source := action.SourceOfFinding(f)
	state := svc.Map{"finding_id": f.FindingID, "location": locationOf(f), "source_url": urlOf(f)}
	for _, key := range []string{"category", "address"} {
		if text := f.Text(key); text != "" {
			state[key] = text
		}
	}
	return b.encodeObject(ObjectData{
		WorldObjectID: b.actionsOf.Object(source), ObjectType: source.ResourceType, Source: source, Title: f.Title, Summary: f.Summary,
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
// those that are objects, too.
func (b *builder) addFindings(r *result, w *surface.Workspace, saved map[string]bool) error {
	surfaces, err := w.Select("", surface.OverlayStack)
	if err != nil {
		return err
	}
	ctx := Context{ContextID: "ctx_find", Kind: "find", Label: "Found", Target: action.Workspace}
	for _, s := range surfaces {
		if s.RuntimeState.Finding == nil {
			continue
		}
		if len(r.findings) == maxFindings {
			r.fallbacks = append(r.fallbacks, Truncated("findings", "There are more search results than are shown."))
			break
		}
		f := *s.RuntimeState.Finding
		source := action.SourceOfFinding(f)
		target := action.Target{Kind: "finding", FindingID: f.FindingID}
		actions := action.Findings.Actions(b.actionsOf, target, action.Candidate{
			Finding: f, Resource: b.actionsOf.Resource(source), Saved: saved[f.FindingID],
		})
		finding := Finding{
			FindingID: f.FindingID, Source: svc.Map{"kind": "service", "service": "find"}, ObjectType: source.ResourceType,
			Title: f.Title, Summary: f.Summary, Location: locationOf(f), SourceURL: urlOf(f), ActionIDs: action.IDs(actions),
		}
		if saved[f.FindingID] {
			finding.WorldObjectID = new(b.actionsOf.Object(source))
		}
		text, err := encode(finding)
		if err := errors.Join(err, r.addActions(actions...)); err != nil {
			return err
		}
		r.findings = append(r.findings, text)
		ctx.Items = append(ctx.Items, ContextItem{
			ItemID: f.FindingID, Label: f.Title, Target: target, ActionIDs: finding.ActionIDs,
		})
	}
	return r.addContext(ctx)
}
