package action

import "appliance/svc"

// Codes of the actions of the workspace. World performs them at
// POST /world/actions/{action_id}.
const (
	FocusCode   = "focus"
	EarlierCode = "earlier"
	LaterCode   = "later"
	RemoveCode  = "remove"
	OrderCode   = "order"
	ClearCode   = "clear"
	OpenCode    = "open"
	SaveCode    = "save"
)

// WorkspaceTypes are the types of the workspace actions, by code.
var WorkspaceTypes = map[string]string{
	FocusCode: "focus_object", EarlierCode: "move_earlier", LaterCode: "move_later", RemoveCode: "remove_from_workspace",
	OrderCode: "order_workspace", ClearCode: "clear_focus", OpenCode: "open_finding", SaveCode: "save_object",
}

// dispatched returns a workspace action on a source, the zero Source for none.
func (b Builder) dispatched(code string, s Source, label string, target Target, body svc.Map, controls ...Control) Action {
	resource := b.Resource(s)
	return b.action(code, resource, Action{
		Type: WorkspaceTypes[code], Label: label, Target: target, Controls: controls,
		Command: Command{URL: ActionsURL + b.Action(code, resource, b.Member), Method: "POST", Body: body},
	})
}

// Focus is the action that brings an object into the workspace and focuses it:
// none if the workspace is switched off.
func (b Builder) Focus(s Source, id string) []Action {
	if !b.Workspace {
		return nil
	}
	return []Action{b.dispatched(FocusCode, s, "Focus", Object(id), nil)}
}

// WorkspaceItem returns the actions on an object of the workspace between two
// others, whose world_object_ids are before and after, "" for none.
func (b Builder) WorkspaceItem(s Source, id, before, after string) (actions []Action) {
	target := Object(id)
	if before != "" {
		actions = append(actions, b.dispatched(EarlierCode, s, "Move earlier", target, svc.Map{"before": before}))
	}
	if after != "" {
		actions = append(actions, b.dispatched(LaterCode, s, "Move later", target, svc.Map{"after": after}))
	}
	return append(actions, b.Remove(s, target))
}

// Remove is the action that takes an object out of the workspace. The dataset
// has it also for objects that the member can no longer see.
func (b Builder) Remove(s Source, target Target) Action {
	return b.dispatched(RemoveCode, s, "Take out of the workspace", target, nil)
}

// Order is the action that orders the workspace; now is its order.
func (b Builder) Order(now string) Action {
	return b.dispatched(OrderCode, Source{}, "Order the workspace", Workspace, nil, Control{
		ID: "order", Type: "text", Label: "World object ids, in order", Required: true, Default: now,
	})
}

// Clear is the action that leaves no object focused.
func (b Builder) Clear() Action {
	return b.dispatched(ClearCode, Source{}, "Focus nothing", Workspace, nil)
}

// Finding returns the action on a finding. saved reports whether the finding is
// an object of the workspace already.
func (b Builder) Finding(f svc.Finding, saved bool) []Action {
	target := Target{Kind: "finding", FindingID: f.FindingID}
	switch _, _, located := f.Location(); {
	case located:
		return []Action{b.dispatched(OpenCode, SourceOfFinding(f), "Open", target, nil)}
	case f.ObjectType == "html_resource" && !saved:
		return []Action{b.dispatched(SaveCode, SourceOfFinding(f), "Save", target, nil)}
	}
	return nil
}
