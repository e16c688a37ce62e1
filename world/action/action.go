package action

import (
	"net/http"

	"appliance/svc"
	"appliance/svc/provider/contract"
)

// Action is an operation that a member can perform. A runtime sends Command
// unchanged, with the values of Controls added to its body.
//
// The fields that name the object come first: gzip encodes them as one reference to
// the previous action on the same object.
type Action struct {
	ActionID     string                `json:"action_id"`
	Target       Target                `json:"target"`
	Command      Command               `json:"command"`
	Type         string                `json:"type"`
	Label        string                `json:"label"`
	Confirm      string                `json:"confirm,omitzero"`     // the consequences, to show before the member confirms; absent if no confirmation is needed
	Destructive  bool                  `json:"destructive,omitzero"` // whether the action deletes, ends or revokes something; absent if not
	Method       Method                `json:"method"`
	Controls     svc.List[Control]     `json:"controls"`
	Availability contract.Availability `json:"availability"`
	Fallback     *string               `json:"fallback"` // fallback_id; null if the action is enabled
}

// Command is the request that performs an action.
type Command struct {
	URL       string           `json:"url"` // always below /world/
	Method    Method           `json:"method"`
	Encodings svc.List[string] `json:"encodings"` // media types of the body; those of a picture mean that the body is the file
	Body      svc.Map          `json:"body"`      // fixed fields, sent unchanged
}

// Control is one value that the member enters.
type Control struct {
	ID        string           `json:"id"`
	Type      ControlType      `json:"type"`
	Label     string           `json:"label"`
	Required  bool             `json:"required"`
	Default   any              `json:"default"`
	Multiple  bool             `json:"multiple,omitzero"` // the value is a list
	MaxLength int              `json:"max_length,omitzero"`
	Options   svc.List[Option] `json:"options,omitzero"`

	// OptionsURL is the URL of options, if there are too many or the same for many
	// controls. With GET, the parameter q selects those that contain a text; schema:
	// service.world.options. With POST, it searches for the field query.
	OptionsURL    string `json:"options_url,omitzero"`
	OptionsMethod Method `json:"options_method,omitzero"` // POST; absent for GET

	Accept   svc.List[string] `json:"accept,omitzero"`    // media types of a file
	MaxBytes int              `json:"max_bytes,omitzero"` // limit of the size of a file
}

// Option is one choice of a selector.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Name  bool   `json:"-"` // whether the label is a name, which is not translated
}

// Target is the subject of a context, an action or a relationship.
type Target struct {
	Kind          TargetKind `json:"kind"`
	WorldObjectID string     `json:"world_object_id,omitzero"`
	FindingID     string     `json:"finding_id,omitzero"`
}

// TargetKind is the kind of a [Target].
type TargetKind string

const (
	ObjectTarget    TargetKind = "object"
	WorkspaceTarget TargetKind = "workspace"
	FieldTarget     TargetKind = "field"
	FindingTarget   TargetKind = "finding"
	MemberTarget    TargetKind = "member"
	NoTarget        TargetKind = "none"
)

// Values implements [svc.Set].
func (TargetKind) Values() []string {
	return svc.Values(ObjectTarget, WorkspaceTarget, FieldTarget, FindingTarget, MemberTarget, NoTarget)
}

// Method is the method of a request (RFC 9110 §9). Package net/http has the constants.
type Method string

// Values implements [svc.Set].
func (Method) Values() []string {
	return []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
}

// Workspace is the target of actions that concern no object.
var Workspace = Target{Kind: WorkspaceTarget}

// Object returns the target for the object with that world_object_id.
func Object(id string) Target { return Target{Kind: ObjectTarget, WorldObjectID: id} }

// IDs returns the action_ids of the actions.
func IDs(actions []Action) svc.List[string] {
	ids := make(svc.List[string], len(actions))
	for i, a := range actions {
		ids[i] = a.ActionID
	}
	return ids
}
