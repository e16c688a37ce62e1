package compat

import (
	"encoding/json"
	"strings"

	"appliance/svc"
	"appliance/world"
)

// translatedURL is where the translated dataset is.
const translatedURL = "/world/translated"

// Translated is the dataset for runtimes that show it on a screen: the same
// objects, with hints how. Schema: service.home.runtime.translated.
type Translated struct {
	Contract     TranslatedContract         `json:"contract"`
	Capabilities world.Capabilities         `json:"capabilities"`
	Presentation Presentation               `json:"presentation"`
	Objects      svc.List[TranslatedObject] `json:"objects"`
	Contexts     svc.List[world.Context]    `json:"contexts"`
	Actions      svc.List[world.Action]     `json:"actions"`
	Workspace    TranslatedWorkspace        `json:"workspace"`
	Field        world.Field                `json:"field"`
	Fallbacks    svc.List[world.Fallback]   `json:"fallbacks"`
}

// TranslatedContract names the shape, its version and who translated.
type TranslatedContract struct {
	Name       string `json:"name"` // "service.home.runtime"
	Version    int    `json:"version"`
	Translator string `json:"translator"` // "expanded_screen"
}

// Presentation is how the objects are grouped.
type Presentation struct {
	Groups svc.List[Group] `json:"groups"`
}

// Group is objects that are shown together.
type Group struct {
	GroupID   string           `json:"group_id"` // "carry", "field" or "find"
	Title     string           `json:"title"`
	ObjectIDs svc.List[string] `json:"object_ids"` // world_object_ids
}

// TranslatedObject is an object with hints how it is shown.
type TranslatedObject struct {
	WorldObjectID string                       `json:"world_object_id"`
	ObjectType    string                       `json:"object_type"`
	Source        world.Source                 `json:"source"`
	Title         string                       `json:"title"`
	Summary       string                       `json:"summary"`
	State         any                          `json:"state"`
	Permissions   world.Permissions            `json:"permissions"`
	Actions       svc.List[string]             `json:"actions"` // action_ids
	Relationships svc.List[world.Relationship] `json:"relationships"`
	Presentation  ObjectPresentation           `json:"presentation"`
}

// ObjectPresentation are hints how an object is shown.
type ObjectPresentation struct {
	Group    string `json:"group"`    // "carry", "field" or "find"
	Emphasis string `json:"emphasis"` // "normal", or "high" for what the member is at
	Icon     string `json:"icon"`
}

// TranslatedWorkspace is what the member has in front of them.
type TranslatedWorkspace struct {
	Focus                 world.WorkspaceFocus `json:"focus"`
	Order                 svc.List[string]     `json:"order"`     // world_object_ids
	Placement             svc.Map              `json:"placement"` // world_object_id → Placement
	SelectedMessageThread *world.MessageThread `json:"selected_message_thread"`
}

// groups are the groups of objects by the areas that they are placed in.
var groups = []struct{ id, title string }{{"carry", "Carry"}, {"field", "Field"}, {"find", "Find"}}

// icons are those of object types.
var icons = map[string]string{
	"message_thread": "message", "social_dm": "message", "calendar_event": "calendar", "task": "task", "event": "event",
	"community": "people", "conversation": "conversation", "profile": "person", "place": "map", "web_resource": "link",
}

// dataset is a dataset of which the states of objects are passed on as they
// are, to the octet.
type dataset struct {
	world.Dataset
	Objects []stated `json:"objects"`
}

type stated struct {
	world.Object
	State json.RawMessage `json:"state"`
}

// Translate returns what a dataset in JSON is on a screen, with a thread that
// is selected or nil. It knows nothing but the dataset, so that it says nothing
// else.
func Translate(text []byte, selected *world.MessageThread) (Translated, error) {
	var d dataset
	if err := json.Unmarshal(text, &d); err != nil {
		return Translated{}, err
	}
	t := Translated{
		Contract: TranslatedContract{homeRuntime, 2, "expanded_screen"}, Capabilities: d.Capabilities,
		Contexts: d.Contexts, Field: d.Field, Fallbacks: d.Fallbacks,
		Workspace: TranslatedWorkspace{d.Workspace.Focus, d.Workspace.Order, d.Workspace.Placement, selected},
	}
	members := make(map[string]svc.List[string])
	for _, o := range d.Objects {
		one := translated(o)
		group := one.Presentation.Group
		members[group] = append(members[group], o.WorldObjectID)
		t.Objects = append(t.Objects, one)
	}
	for _, g := range groups {
		t.Presentation.Groups = append(t.Presentation.Groups, Group{g.id, g.title, members[g.id]})
	}
	for _, a := range d.Actions {
		// Whoever reads this and chooses something reads this again.
		if query, ok := strings.CutPrefix(a.Command.URL, world.RuntimeURL+"?"); ok {
			a.Command.URL = translatedURL + "?" + query
		}
		t.Actions = append(t.Actions, a)
	}
	return t, nil
}

func translated(o stated) TranslatedObject {
	p := ObjectPresentation{Group: "carry", Emphasis: "normal", Icon: icons[o.ObjectType]}
	if o.Placement.Area == "field" || o.Placement.Area == "find" {
		p.Group = o.Placement.Area
	}
	if o.Focus.Focused {
		p.Emphasis = "high"
	}
	if p.Icon == "" {
		p.Icon = "object"
	}
	return TranslatedObject{
		o.WorldObjectID, o.ObjectType, o.Source, o.Title, o.Summary, o.State, o.Permissions, o.Actions, o.Relationships, p,
	}
}
