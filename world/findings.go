package world

import (
	"errors"

	"appliance/svc"
	"appliance/svc/surface"
)

// How many findings a dataset has (B-82), and how many of what they have become:
// with those of the other services it has at most 2,000 objects.
const (
	maxListed   = 20
	maxPromoted = 240
)

// promoted brings in what was found and has become something to keep: what is
// anywhere but among what was found. It returns the ids of those findings.
func (c *composer) promoted(w *surface.Workspace) (map[string]bool, error) {
	kept := make(map[string]bool)
	for _, stack := range w.Stacks {
		if stack.StackID == surface.OverlayStack {
			continue
		}
		list, err := w.Select("", stack.StackID)
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			f := one.RuntimeState.Finding
			if f == nil || kept[f.FindingID] {
				continue
			}
			if len(c.entries) == maxPromoted {
				c.fallback("degraded", Scope{Kind: "service", Service: workspaceService}, "truncated", "There is more in the workspace than is shown.", false)
				return kept, nil
			}
			kept[f.FindingID] = true
			e, err := c.encodeEntry(c.promotedObject(*f), nil)
			if err != nil {
				return nil, err
			}
			c.entries = append(c.entries, e)
		}
	}
	return kept, nil
}

func (c *composer) promotedObject(f svc.Finding) Object {
	s := foundAt(f)
	state := svc.Map{"finding_id": f.FindingID, "location": place(f), "source_url": webAddress(f)}
	for _, key := range []string{"category", "address"} {
		if text := f.Text(key); text != "" {
			state[key] = text
		}
	}
	return Object{
		WorldObjectID: c.names.object(s), ObjectType: s.ResourceType, Source: s, Title: f.Title, Summary: f.Summary, State: state,
		Permissions: Permissions{CanView: true},
	}
}

// foundAt is the source of what a finding becomes.
func foundAt(f svc.Finding) Source {
	s, _ := sourceOf(surface.ServiceBinding{ServiceID: "find", ResourceType: f.ObjectType, ResourceID: f.FindingID})
	return s
}

func place(f svc.Finding) *Location {
	if latitude, longitude, ok := f.Location(); ok {
		return &Location{latitude, longitude}
	}
	return nil
}

func webAddress(f svc.Finding) *string {
	if f.SourceURL == "" {
		return nil
	}
	return &f.SourceURL
}

// found brings in what was found, and says of each what it has become.
func (c *composer) found(w *surface.Workspace, kept map[string]bool) error {
	list, err := w.Select("", surface.OverlayStack)
	if err != nil {
		return err
	}
	ctx := Context{ContextID: "ctx_find", Kind: "find", Label: "Found", Target: Target{Kind: "workspace"}}
	for _, one := range list {
		if one.RuntimeState.Finding == nil {
			continue
		}
		if len(c.findings) == maxListed {
			c.fallbacks = append(c.fallbacks, truncated("findings", "More was found than is shown."))
			break
		}
		f := *one.RuntimeState.Finding
		actions := c.aboutFinding(f, kept[f.FindingID])
		finding := Finding{
			FindingID: f.FindingID, Source: svc.Map{"kind": "service", "service": "find"}, ObjectType: foundAt(f).ResourceType,
			Title: f.Title, Summary: f.Summary, Location: place(f), SourceURL: webAddress(f), ActionIDs: actionIDs(actions),
		}
		if kept[f.FindingID] {
			finding.WorldObjectID = new(c.names.object(foundAt(f)))
		}
		text, err := compact(finding)
		if err := errors.Join(err, c.act(actions...)); err != nil {
			return err
		}
		c.findings = append(c.findings, text)
		ctx.Items = append(ctx.Items, ContextItem{
			ItemID: f.FindingID, Label: f.Title, Target: Target{Kind: "finding", FindingID: f.FindingID}, ActionIDs: finding.ActionIDs,
		})
	}
	return c.context(ctx)
}

// aboutFinding is what can be done with a finding.
func (c *composer) aboutFinding(f svc.Finding, kept bool) []Action {
	target := Target{Kind: "finding", FindingID: f.FindingID}
	switch _, _, somewhere := f.Location(); {
	case somewhere:
		return []Action{c.dispatched("open", foundAt(f), "Open", target, nil)}
	case f.ObjectType == "html_resource" && !kept:
		return []Action{c.dispatched("save", foundAt(f), "Save", target, nil)}
	}
	return nil
}
