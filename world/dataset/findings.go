package dataset

import (
	"errors"

	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world/action"
)

// How many findings a dataset has (B-82), and how many of what they have become:
// with those of the other services it has at most 2,000 objects.
const (
	maxListed   = 20
	maxPromoted = 240
)

// promoted brings in what was found and has become something to keep: what is
// anywhere but among what was found. It returns the ids of those findings.
func (c *composition) promoted(w *surface.Workspace) (map[string]bool, error) {
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

func (c *composition) promotedObject(f svc.Finding) Object {
	s := action.SourceOfFinding(f)
	state := svc.Map{"finding_id": f.FindingID, "location": place(f), "source_url": webAddress(f)}
	for _, key := range []string{"category", "address"} {
		if text := f.Text(key); text != "" {
			state[key] = text
		}
	}
	return Object{
		WorldObjectID: c.names.Object(s), ObjectType: s.ResourceType, Source: s, Title: f.Title, Summary: f.Summary, State: state,
		Permissions: Permissions{CanView: true},
	}
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
func (c *composition) found(w *surface.Workspace, kept map[string]bool) error {
	list, err := w.Select("", surface.OverlayStack)
	if err != nil {
		return err
	}
	ctx := Context{ContextID: "ctx_find", Kind: "find", Label: "Found", Target: action.Workspace}
	for _, one := range list {
		if one.RuntimeState.Finding == nil {
			continue
		}
		if len(c.findings) == maxListed {
			c.fallbacks = append(c.fallbacks, Truncated("findings", "More was found than is shown."))
			break
		}
		f := *one.RuntimeState.Finding
		actions := c.builder.Finding(f, kept[f.FindingID])
		finding := Finding{
			FindingID: f.FindingID, Source: svc.Map{"kind": "service", "service": "find"}, ObjectType: action.SourceOfFinding(f).ResourceType,
			Title: f.Title, Summary: f.Summary, Location: place(f), SourceURL: webAddress(f), ActionIDs: action.IDs(actions),
		}
		if kept[f.FindingID] {
			finding.WorldObjectID = new(c.names.Object(action.SourceOfFinding(f)))
		}
		text, err := compact(finding)
		if err := errors.Join(err, c.act(actions...)); err != nil {
			return err
		}
		c.findings = append(c.findings, text)
		ctx.Items = append(ctx.Items, ContextItem{
			ItemID: f.FindingID, Label: f.Title, Target: action.Target{Kind: "finding", FindingID: f.FindingID}, ActionIDs: finding.ActionIDs,
		})
	}
	return c.context(ctx)
}
