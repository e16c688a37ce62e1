package action

import (
	"net/http"

	"appliance/svc"
)

// Codes of the actions that World performs at POST /world/actions/{action_id}.
const (
	FocusCode   = "focus"
	EarlierCode = "earlier"
	LaterCode   = "later"
	RemoveCode  = "remove"
	OrderCode   = "order"
	ClearCode   = "clear"
	OpenCode    = "open"
	SaveCode    = "save"

	TranslateCode = "translate"
)

// WorkspaceItem is an object with its state in the workspace.
type WorkspaceItem struct {
	Resource      string // [Namer.Resource] of the object
	Focusable     bool   // whether the object can be focused: the workspace is available
	Placed        bool   // the object is in the workspace
	Before, After string // world_object_ids of its neighbors, "" for none
}

// WorkspaceItems declares the workspace actions on objects.
var WorkspaceItems = Table[WorkspaceItem]{
	ID: func(i WorkspaceItem) string { return i.Resource },
	Entries: []Entry[WorkspaceItem]{
		{Name: FocusCode, Type: "focus_object", Label: "Focus", Allowed: func(i WorkspaceItem) bool { return i.Focusable }},
		{
			Name: EarlierCode, Type: "move_earlier", Label: "Move earlier",
			Allowed: func(i WorkspaceItem) bool { return i.Before != "" },
			Body:    func(i WorkspaceItem) svc.Map { return svc.Map{"before": i.Before} },
		},
		{
			Name: LaterCode, Type: "move_later", Label: "Move later",
			Allowed: func(i WorkspaceItem) bool { return i.After != "" },
			Body:    func(i WorkspaceItem) svc.Map { return svc.Map{"after": i.After} },
		},
		{Name: RemoveCode, Type: "remove_from_workspace", Label: "Let go", Allowed: func(i WorkspaceItem) bool { return i.Placed }},
	},
}

// WorkspaceState is the state of a workspace.
type WorkspaceState struct {
	Order   string // world_object_ids, separated by spaces; "" if there is nothing to reorder
	Focused bool   // whether an object has the focus
}

// Workspaces declares the actions on the whole workspace.
var Workspaces = Table[WorkspaceState]{
	Entries: []Entry[WorkspaceState]{
		{
			Name: OrderCode, Type: "order_workspace", Label: "Reorder what you carry",
			Allowed: func(a WorkspaceState) bool { return a.Order != "" },
			Controls: func(a WorkspaceState) svc.List[Control] {
				return svc.List[Control]{{ID: "order", Type: TextInput, Label: "World object ids in the new order", Required: true, Default: a.Order}}
			},
		},
		{Name: ClearCode, Type: "clear_focus", Label: "Clear focus", Allowed: func(a WorkspaceState) bool { return a.Focused }},
	},
}

// WorkspaceFinding is a finding with its state in the workspace.
type WorkspaceFinding struct {
	svc.Finding
	Resource string // [Namer.Resource] of the object that the finding becomes
	Saved    bool   // the object is in the workspace
	Read     bool   // the page has been translated
}

// Findings declares the actions on findings.
var Findings = Table[WorkspaceFinding]{
	ID: func(c WorkspaceFinding) string { return c.Resource },
	Entries: []Entry[WorkspaceFinding]{
		{Name: OpenCode, Type: "open_finding", Label: "Open", Allowed: WorkspaceFinding.hasLocation},
		{
			Name: TranslateCode, Type: "translate_finding", Label: "Preview",
			Allowed: func(c WorkspaceFinding) bool { return c.isPage() && !c.Read },
		},
		{
			Name: SaveCode, Type: "save_object", Label: "Save",
			Allowed: func(c WorkspaceFinding) bool { return c.isPage() && !c.Saved },
		},
	},
}

// isPage reports whether the finding is a web page.
func (c WorkspaceFinding) isPage() bool { return !c.hasLocation() && c.ObjectType == svc.PageFinding }

func (c WorkspaceFinding) hasLocation() bool {
	_, _, ok := c.Location()
	return ok
}

// DispatchedType returns the type of the action that World performs for a code.
func DispatchedType(code string) string { return dispatchedTypes[code] }

var dispatchedTypes = func() map[string]string {
	types := make(map[string]string)
	addTypes(types, WorkspaceItems)
	addTypes(types, Workspaces)
	addTypes(types, Findings)
	addTypes(types, Places)
	return types
}()

func addTypes[R any](types map[string]string, t Table[R]) {
	for _, e := range t.Entries {
		types[e.Name] = e.Type
	}
}

// FieldChoice returns the action that selects an item of a field control.
func (b Builder) FieldChoice(name, kind, label, url string) Action {
	return b.action("field_"+name, "", Target{Kind: FieldTarget}, Offer{
		Type: kind, Label: label, Method: http.MethodGet, URL: url, Controls: func() svc.List[Control] { return nil },
	})
}
