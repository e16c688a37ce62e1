package compat

import (
	"cmp"

	"appliance/store"
	"appliance/svc"
	"appliance/world"
	"appliance/world/action"
	"appliance/world/dataset"
	"appliance/world/record"
)

// translatedURL is where the translated dataset is.
const translatedURL = "/world/translated"

// Translated is the dataset with presentation hints for a screen. Schema:
// service.home.runtime.translated.
type Translated struct {
	Contract     TranslatedContract         `json:"contract"`
	Capabilities dataset.Capabilities       `json:"capabilities"`
	Presentation Presentation               `json:"presentation"`
	Objects      svc.List[TranslatedObject] `json:"objects"`
	Contexts     svc.List[dataset.Context]  `json:"contexts"`
	Actions      svc.List[action.Action]    `json:"actions"`
	Workspace    TranslatedWorkspace        `json:"workspace"`
	Field        dataset.Field              `json:"field"`
	Fallbacks    svc.List[dataset.Fallback] `json:"fallbacks"`
}

// TranslatedContract names the contract, its version and the translator.
type TranslatedContract struct {
	Name       string `json:"name"` // "service.home.runtime"
	Version    int    `json:"version"`
	Translator string `json:"translator"` // "expanded_screen"
}

// Presentation groups the objects.
type Presentation struct {
	Groups svc.List[Group] `json:"groups"`
}

// Group is a list of objects to show together.
type Group struct {
	GroupID   string           `json:"group_id"` // "carry", "field" or "find"
	Title     string           `json:"title"`
	ObjectIDs svc.List[string] `json:"object_ids"` // world_object_ids
}

// TranslatedObject is an object with presentation hints.
type TranslatedObject struct {
	WorldObjectID string                         `json:"world_object_id"`
	ObjectType    string                         `json:"object_type"`
	Source        action.Source                  `json:"source"`
	Title         string                         `json:"title"`
	Summary       string                         `json:"summary"`
	State         any                            `json:"state"`
	Permissions   dataset.Permissions            `json:"permissions"`
	Actions       svc.List[string]               `json:"actions"` // action_ids
	Relationships svc.List[dataset.Relationship] `json:"relationships"`
	Presentation  ObjectPresentation             `json:"presentation"`
}

// ObjectPresentation is the presentation hints of an object.
type ObjectPresentation struct {
	Group    string `json:"group"`    // "carry", "field" or "find"
	Emphasis string `json:"emphasis"` // "normal", or "high" for the focus
	Icon     string `json:"icon"`
}

// TranslatedWorkspace is the workspace of the dataset.
type TranslatedWorkspace struct {
	Focus                 dataset.WorkspaceFocus `json:"focus"`
	Order                 svc.List[string]       `json:"order"`     // world_object_ids
	Placement             svc.Map                `json:"placement"` // world_object_id → Placement
	SelectedMessageThread *record.MessageThread  `json:"selected_message_thread"`
}

// groups are the groups of objects by the areas that they are placed in.
var groups = []struct{ id, title string }{{"carry", "Carry"}, {"field", "Field"}, {"find", "Find"}}

// icons are those of object types.
var icons = map[string]string{
	"message_thread": "message", "social_dm": "message", "calendar_event": "calendar", "task": "task", "event": "event",
	"community": "people", "conversation": "conversation", "profile": "person", "place": "map", "web_resource": "link",
}

// Translate returns the dataset that answers q as it is on a screen, in the shape
// of [Translated], with a thread that is selected or nil.
func Translate(tx *store.Tx, w *world.World, v svc.Viewer, q dataset.Request, selected *record.MessageThread) (dataset.Result, error) {
	q.URL = translatedURL // whoever reads this and chooses something reads this again
	return w.Compose(tx, v, q, func(d dataset.Writer) (dataset.Body, error) { return translated(d, selected) })
}

// translated knows nothing but the dataset, so that it says nothing else.
func translated(d dataset.Writer, selected *record.MessageThread) (dataset.Body, error) {
	members := make(map[string]svc.List[string])
	endings := make(map[ObjectPresentation][]byte)
	objects, err := d.Objects(func(o dataset.ObjectView) (ending []byte, err error) {
		p := presented(o)
		members[p.Group] = append(members[p.Group], o.WorldObjectID)
		if endings[p] == nil {
			endings[p], err = dataset.Suffix(svc.Map{"presentation": p})
		}
		return endings[p], err
	})
	if err != nil {
		return nil, err
	}
	var p Presentation
	for _, g := range groups {
		p.Groups = append(p.Groups, Group{g.id, g.title, members[g.id]})
	}
	w := d.Workspace()
	return dataset.Assemble([]dataset.NamedValue{
		{Name: "contract", Value: TranslatedContract{homeRuntime, 2, "expanded_screen"}},
		{Name: "capabilities", Value: d.Capabilities()},
		{Name: "presentation", Value: p},
		{Name: "objects", Value: objects},
		{Name: "contexts", Value: d.Contexts()},
		{Name: "actions", Value: d.Actions()},
		{Name: "workspace", Value: TranslatedWorkspace{w.Focus, w.Order, w.Placement, selected}},
		{Name: "field", Value: d.Field()},
		{Name: "fallbacks", Value: d.Fallbacks()},
	})
}

// presented returns the hints how an object is shown.
func presented(o dataset.ObjectView) ObjectPresentation {
	p := ObjectPresentation{Group: "carry", Emphasis: "normal", Icon: cmp.Or(icons[o.ObjectType], "object")}
	if o.Area == "field" || o.Area == "find" {
		p.Group = o.Area
	}
	if o.Focused {
		p.Emphasis = "high"
	}
	return p
}
