package compat

import (
	"cmp"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
	"appliance/world"
	"appliance/world/action"
	"appliance/world/dataset"
	"appliance/world/record"
)

// translatedURL is the path of the translated dataset.
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

// Presentation lists the groups of objects.
type Presentation struct {
	Groups svc.List[Group] `json:"groups"`
}

// Group is a list of objects to show together.
type Group struct {
	GroupID   GroupID          `json:"group_id"`
	Title     string           `json:"title"`
	ObjectIDs svc.List[string] `json:"object_ids"` // world_object_ids
}

// GroupID is the group in which a runtime shows an object or a service.
type GroupID string

const (
	CarryGroup GroupID = "carry"
	FieldGroup GroupID = "field"
	FindGroup  GroupID = "find"
)

// Values implements [svc.Set].
func (GroupID) Values() []string { return svc.Values(CarryGroup, FieldGroup, FindGroup) }

// TranslatedObject is an object with presentation hints.
type TranslatedObject struct {
	dataset.ObjectData
	Actions       svc.List[string]               `json:"actions"` // action_ids
	Relationships svc.List[dataset.Relationship] `json:"relationships"`
	presentation
}

// presentation contains the fields that the object has instead of
// [dataset.ObjectPlace].
type presentation struct {
	Presentation ObjectPresentation `json:"presentation"`
}

// ObjectPresentation is the presentation hints of an object.
type ObjectPresentation struct {
	Group    GroupID  `json:"group"`
	Emphasis Emphasis `json:"emphasis"`
	Icon     string   `json:"icon"`
}

// Emphasis is the emphasis of an object.
type Emphasis string

const (
	NormalEmphasis Emphasis = "normal"
	HighEmphasis   Emphasis = "high" // of the focus
)

// Values implements [svc.Set].
func (Emphasis) Values() []string { return svc.Values(NormalEmphasis, HighEmphasis) }

// TranslatedWorkspace is the workspace section of the translated dataset.
type TranslatedWorkspace struct {
	Focus                 dataset.WorkspaceFocus      `json:"focus"`
	Order                 svc.List[string]            `json:"order"`     // world_object_ids
	Placement             svc.Dict[dataset.Placement] `json:"placement"` // by world_object_id
	SelectedMessageThread *record.MessageThread       `json:"selected_message_thread"`
}

// groups lists the groups of objects, in order, with their titles in English. The ids are
// areas of placements.
var groups = []struct {
	id    GroupID
	title string
}{{CarryGroup, "Carry"}, {FieldGroup, "Around"}, {FindGroup, "Find"}}

// icons contains the icons of object types.
var icons = map[string]string{
	"message_thread": "message", "social_dm": "message", "calendar_event": "calendar", "task": "task", "event": "event",
	"community": "people", "conversation": "conversation", "profile": "person", "place": "map", "web_resource": "link",
}

// Translate returns the dataset of v in the form of [Translated]. selected is the
// selected thread, or nil.
func Translate(tx *store.Tx, w *world.World, v svc.Viewer, q dataset.Request, selected *record.MessageThread) (dataset.Result, error) {
	q.URL = translatedURL // field actions read the translated dataset again
	return w.Compose(tx, v, q, func(d dataset.Writer) (dataset.Body, error) { return encodeTranslated(v.Language(), d, selected) })
}

// encodeTranslated encodes a dataset in the form of [Translated], with titles of groups in the
// language l.
func encodeTranslated(l words.Language, d dataset.Writer, selected *record.MessageThread) (dataset.Body, error) {
	members := make(map[GroupID]svc.List[string])
	var objects dataset.Encoder
	if err := d.EncodeObjects(&objects, func(o dataset.ObjectView) any {
		p := presentationOf(o)
		members[p.Group] = append(members[p.Group], o.WorldObjectID)
		return presentation{p}
	}); err != nil {
		return nil, err
	}
	list, err := objects.Chunks()
	if err != nil {
		return nil, err
	}
	var p Presentation
	for _, g := range groups {
		p.Groups = append(p.Groups, Group{g.id, l.Text(g.title), members[g.id]})
	}
	w := d.Workspace()
	var e dataset.Encoder
	e.Begin()
	e.Field("contract", TranslatedContract{homeRuntime, 2, "expanded_screen"})
	e.Field("capabilities", d.Capabilities())
	e.Field("presentation", p)
	e.WriteEncoded(list...)
	d.EncodeContexts(&e)
	d.EncodeActions(&e)
	e.Field("workspace", TranslatedWorkspace{w.Focus, w.Order, w.Placement, selected})
	e.Field("field", d.Field())
	e.Field("fallbacks", d.Fallbacks())
	e.End()
	e.Newline()
	return e.Chunks()
}

// presentationOf returns the presentation hints of an object.
func presentationOf(o dataset.ObjectView) ObjectPresentation {
	p := ObjectPresentation{Group: CarryGroup, Emphasis: NormalEmphasis, Icon: cmp.Or(icons[o.ObjectType], "object")}
	switch o.Area {
	case dataset.FieldArea:
		p.Group = FieldGroup
	case dataset.FindArea:
		p.Group = FindGroup
	}
	if o.Focused {
		p.Emphasis = HighEmphasis
	}
	return p
}
