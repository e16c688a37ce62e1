package dataset

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/svc/words"
	"appliance/world/action"
)

const (
	maxFindings      = 20  // limit of findings in a dataset
	maxSavedFindings = 240 // limit of saved findings in a dataset
)

// promotions are the findings of a workspace that have become objects, by
// finding_id.
type promotions struct {
	objects map[string]bool                // the object is in the dataset
	placed  map[string]bool                // the object is in a stack other than the overlay
	read    map[string]bool                // the page has been translated
	failed  map[string]surface.Translation // the page could not be read
}

// promotedFinding is a finding that has become an object.
type promotedFinding struct {
	svc.Finding
	Page  *surface.PageSource // nil unless the page has been translated
	Parts []objectPart
}

// objectPart is an object that a page describes.
type objectPart struct {
	Kind    string             `json:"kind"` // for example "business" or "article"
	Title   string             `json:"title"`
	Summary string             `json:"summary"`
	Details svc.List[[]string] `json:"details"`
}

// addPromoted adds the objects that findings have become: the findings in all stacks
// except the overlay, and the pages that have been translated.
func (b *builder) addPromoted(r *result, w *surface.Workspace) (p promotions, err error) {
	p = promotions{make(map[string]bool), make(map[string]bool), make(map[string]bool), make(map[string]surface.Translation)}
	findings := make(map[string]promotedFinding)
	var list []svc.Version
	add := func(f promotedFinding) {
		if p.objects[f.FindingID] {
			return
		}
		p.objects[f.FindingID] = true
		place, expires := b.services.Maps.Present(b.viewer.Language(), f.Finding, b.tx.Now())
		r.expire(expires)
		f.Finding = place
		findings[f.FindingID] = f
		list = append(list, svc.Version{ID: f.FindingID, Version: findingVersion(f)})
	}
	for _, s := range w.Surfaces {
		if t, f := s.RuntimeState.Translation, s.RuntimeState.Finding; t != nil && t.Code != "" && f != nil {
			p.failed[f.FindingID] = *t
		}
		if parts := w.TranslationOf(s); len(parts) > 0 {
			p.read[s.RuntimeState.Finding.FindingID] = true
			add(promotedFinding{*s.RuntimeState.Finding, s.RuntimeState.Source, objectParts(parts)})
		}
	}
	for _, stack := range w.Stacks {
		if stack.StackID == surface.OverlayStack {
			continue
		}
		surfaces, err := w.Select("", stack.StackID)
		if err != nil {
			return p, err
		}
		for _, s := range surfaces {
			if f := w.FindingOf(&s); f != nil {
				p.placed[f.FindingID] = true
				add(promotedFinding{Finding: *f})
			}
		}
	}
	load := func(ids []string) (found []promotedFinding, err error) {
		for _, id := range ids {
			found = append(found, findings[id])
		}
		return found, nil
	}
	shown := list[:min(len(list), maxSavedFindings)]
	truncated, err := addObjects(b, r, shown, "", load, func(f promotedFinding) string { return f.FindingID }, b.encodePromoted)
	if err != nil {
		return p, err
	}
	if truncated || len(shown) < len(list) {
		r.fallbacks = append(r.fallbacks, truncatedServiceFallback(b.viewer.Language(), workspaceService))
	}
	for _, v := range list[len(r.objects):] {
		delete(p.objects, v.ID)
	}
	return p, nil
}

// objectParts returns the objects that the surfaces of a translated page show.
func objectParts(surfaces []*surface.Surface) (parts []objectPart) {
	for _, s := range surfaces {
		kind, _ := s.RuntimeState.SurfaceObject["object_type"].(string)
		parts = append(parts, objectPart{kind, s.Title, s.RuntimeState.Summary, s.RuntimeState.Details})
	}
	return parts
}

// findingVersion returns the version of a promoted finding: a hash of the fields that
// its object shows.
func findingVersion(f promotedFinding) string {
	h := sha256.New()
	for _, key := range stateKeys {
		if v := f.Payload[key]; v != nil {
			fmt.Fprintf(h, "%s %s ", key, store.JSON(v))
		}
	}
	latitude, longitude, located := f.Location()
	fmt.Fprintf(h, "%q %q %q %q %v %v %v", f.ObjectType, f.Title, f.Summary, f.SourceURL, latitude, longitude, located)
	if f.Page != nil {
		fmt.Fprintf(h, " %s %s", store.JSON(f.Page), store.JSON(f.Parts))
	}
	return string(h.Sum(nil)[:16])
}

// stateKeys are the fields of the payload that the object of a finding shows.
var stateKeys = []string{"category", "address", "opening_hours", "open_now", "next_change", "timezone", "attribution", "canonical_url"}

// encodePromoted encodes the object that the finding f has become.
func (b *builder) encodePromoted(f promotedFinding) (*object, error) {
	source := action.SourceOfFinding(f.Finding)
	state := svc.Map{"finding_id": f.FindingID, "location": locationOf(f.Finding), "source_url": urlOf(f.Finding)}
	for _, key := range stateKeys {
		if v := f.Payload[key]; v != nil && v != "" {
			state[key] = v
		}
	}
	if f.Page != nil {
		state["source"], state["parts"] = f.Page, f.Parts
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

// previewFallbacks returns a fallback that explains in the language l why the page of a
// finding could not be read, for the action that reads it; nil if that is not among the
// actions.
func previewFallbacks(l words.Language, actions []action.Action, t surface.Translation) []Fallback {
	i := slices.IndexFunc(actions, func(a action.Action) bool { return a.Type == action.DispatchedType(action.TranslateCode) })
	if i < 0 {
		return nil
	}
	scope := Scope{Kind: CommandScope, ActionID: actions[i].ActionID}
	return []Fallback{newFallback(FallbackDegraded, scope, t.Code, l.Stored(t.Reason), t.Code == svc.SourceFetchFailed.Name)}
}

// addFindings adds the findings in the overlay, including those of which the overlay
// shows the translation.
func (b *builder) addFindings(r *workspaceResult, w *surface.Workspace, p promotions) (err error) {
	var findings []Finding
	for _, found := range w.Findings() {
		if len(findings) == maxFindings {
			r.fallbacks = append(r.fallbacks, TruncatedFallback("findings", b.viewer.Language().Text("There are more search results than are shown.")))
			break
		}
		f, expires := b.services.Maps.Present(b.viewer.Language(), found, b.tx.Now())
		r.expire(expires)
		source := action.SourceOfFinding(f)
		target := action.Target{Kind: action.FindingTarget, FindingID: f.FindingID}
		actions := action.Findings.Actions(b.actionBuilder, target, action.WorkspaceFinding{
			Finding: f, Resource: b.actionBuilder.Resource(source), Saved: p.placed[f.FindingID], Read: p.read[f.FindingID],
		})
		finding := Finding{
			FindingID: f.FindingID, Source: svc.Map{"kind": action.ServiceSource, "service": "find"}, ObjectType: FindingType(source.ResourceType),
			Title: f.Title, Summary: f.Summary, Location: locationOf(f), SourceURL: urlOf(f), ActionIDs: action.IDs(actions),
			SourceService: f.SourceService, Actions: canonicalActions(f), Payload: canonicalPayload(f),
		}
		if p.objects[f.FindingID] {
			finding.WorldObjectID = new(b.actionBuilder.ObjectID(source))
		}
		if err := r.addActions(actions...); err != nil {
			return err
		}
		if t, failed := p.failed[f.FindingID]; failed {
			r.fallbacks = append(r.fallbacks, previewFallbacks(b.viewer.Language(), actions, t)...)
		}
		findings = append(findings, finding)
		r.findingItems = append(r.findingItems, ContextItem{
			ItemID: f.FindingID, Label: f.Title, Target: target, ActionIDs: finding.ActionIDs,
		})
	}
	r.findings, err = encodeRecords(findings, func(f Finding) string { return f.FindingID })
	return err
}
