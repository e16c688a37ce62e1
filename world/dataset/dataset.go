package dataset

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/maps"
	"appliance/svc/maps/mapdata"
	"appliance/world/action"
)

// Contract names a contract and its version.
type Contract struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// File returns the path of the contract's schema in assets.
func (c Contract) File() string { return fmt.Sprintf("schema/%s.%d.json", c.Name, c.Version) }

// Dataset contains all data that a member can see and all actions that the member
// can perform, at one time. Lists are never absent; Fallbacks explains why a list is
// empty. Schema: service.runtime.dataset.
type Dataset struct {
	Contract     Contract                `json:"contract"`
	Member       Member                  `json:"member"`
	Capabilities DatasetCapabilities     `json:"capabilities"`
	Workspace    Workspace               `json:"workspace"`
	Objects      svc.List[Object]        `json:"objects"`
	Contexts     svc.List[Context]       `json:"contexts"`
	Actions      svc.List[action.Action] `json:"actions"`
	Field        Field                   `json:"field"`
	Findings     svc.List[Finding]       `json:"findings"`
	Fallbacks    svc.List[Fallback]      `json:"fallbacks"`
	Sources      svc.List[Provenance]    `json:"sources"`
	Delta        *Delta                  `json:"delta,omitzero"` // only if objects, contexts, actions and findings contain only changes
}

// Member is the member whose dataset this is. It contains no credentials.
type Member struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	Email       string       `json:"email"`
	Username    string       `json:"username"`
	svc.ZoneInUse
	Locale    string           `json:"locale"`
	Formats   *string          `json:"formats"` // BCP 47 tag of the formats of dates and numbers; null for those of the locale
	WeekStart calendar.Weekday `json:"week_start"`
	svc.Appearance
	IsOperator bool `json:"is_operator"`
}

// Capabilities lists the capabilities that the runtime declared, and those that
// the server applied.
type Capabilities struct {
	Runtime     RuntimeID             `json:"runtime"`
	Declared    svc.List[string]      `json:"declared"`
	Applied     svc.List[string]      `json:"applied"`
	Unsupported svc.List[Unsupported] `json:"unsupported"`
	Stream      StreamLink            `json:"stream"`
}

// DatasetCapabilities are the capabilities with the requests for later datasets.
type DatasetCapabilities struct {
	Capabilities
	Changes ChangesOffer `json:"changes"`
}

// StreamLink is the offer of the stream of changes (server-sent events).
type StreamLink struct {
	URL string `json:"url"` // accepts GET, and needs no X-Service-Runtime
}

// Stream is the stream of this server.
var Stream = StreamLink{action.StreamURL}

// RuntimeID is the name and the version of the runtime.
type RuntimeID struct {
	ID      string `json:"id"`
	Version string `json:"version"` // "" if not given
}

// Unsupported is a declared capability that the server does not support.
type Unsupported struct {
	Capability string `json:"capability"`
	Reason     string `json:"reason"` // "unknown"
}

// Workspace describes the objects that the member has placed in the workspace.
type Workspace struct {
	WorkingSet            svc.List[string]    `json:"working_set"` // world_object_ids
	Focus                 WorkspaceFocus      `json:"focus"`
	Order                 svc.List[string]    `json:"order"`
	Placement             svc.Dict[Placement] `json:"placement"` // by world_object_id
	Continuity            Continuity          `json:"continuity"`
	SelectedMessageThread *string             `json:"selected_message_thread"` // world_object_id of the focus, if it is a thread
}

// WorkspaceFocus is the focused object of the workspace, if there is one.
type WorkspaceFocus struct {
	WorldObjectID *string `json:"world_object_id"`
}

// Continuity describes the history of the workspace.
type Continuity struct {
	Revision  int64   `json:"revision"`
	UpdatedAt *string `json:"updated_at"` // RFC 3339, null before the first write
	Resumed   bool    `json:"resumed"`    // whether the member has changed the workspace before
}

// Object is an object that a runtime can present. Schema: in
// service.runtime.dataset.
type Object struct {
	ObjectData
	Actions       svc.List[string]       `json:"actions"` // action_ids
	Relationships svc.List[Relationship] `json:"relationships"`
	ObjectPlace
}

// ObjectData contains the fields of an object that depend on nothing else in the
// dataset.
type ObjectData struct {
	WorldObjectID string        `json:"world_object_id"`
	ObjectType    string        `json:"object_type"`
	Source        action.Source `json:"source"`
	Title         string        `json:"title"`
	Summary       string        `json:"summary"`
	State         any           `json:"state"`
	Permissions   Permissions   `json:"permissions"`
}

// ObjectPlace contains the fields of an object that depend on the workspace.
type ObjectPlace struct {
	Placement Placement `json:"placement"`
	Focus     Focus     `json:"focus"`
}

// Permissions are the rights of the member to an object.
type Permissions struct {
	CanView           bool `json:"can_view"`
	CanUpdate         bool `json:"can_update"`
	CanDelete         bool `json:"can_delete"`
	CanReply          bool `json:"can_reply"`
	CanAddParticipant bool `json:"can_add_participant"`
	CanShare          bool `json:"can_share"`
}

// Relationship is a relationship to another object.
type Relationship struct {
	Type   string        `json:"type"`
	Target action.Target `json:"target"`
}

// Placement is the area of an object and its position there.
type Placement struct {
	Area     Area `json:"area"`
	Position *int `json:"position"`
}

// Area is the area of an object.
type Area string

const (
	CarryArea Area = "carry" // the workspace
	FieldArea Area = "field"
	FindArea  Area = "find"
	NoArea    Area = "none"
)

// Values implements [svc.Set].
func (Area) Values() []string { return svc.Values(CarryArea, FieldArea, FindArea, NoArea) }

// Focus states whether an object can be focused, and whether it is focused.
type Focus struct {
	Focusable     bool    `json:"focusable"`
	Focused       bool    `json:"focused"`
	LastFocusedAt *string `json:"last_focused_at"` // RFC 3339; null if it was never focused or is not in the workspace
}

// Context is a list of related items and actions.
type Context struct {
	ContextID string                `json:"context_id"`
	Kind      string                `json:"kind"`
	Label     string                `json:"label"`
	Target    action.Target         `json:"target"`
	Items     svc.List[ContextItem] `json:"items"`
	ActionIDs svc.List[string]      `json:"action_ids"`
}

// ContextItem is an item of a context.
type ContextItem struct {
	ItemID    string           `json:"item_id"`
	Label     string           `json:"label"`
	Target    action.Target    `json:"target"`
	Selected  bool             `json:"selected"`
	ActionIDs svc.List[string] `json:"action_ids"`
}

// Field describes the surroundings of the runtime's position.
type Field struct {
	Origin       *Location              `json:"origin"` // null if the request has no position
	RadiusMeters int                    `json:"radius_meters"`
	Controls     svc.List[FieldControl] `json:"controls"`
	Objects      svc.List[FieldObject]  `json:"objects"` // the nearest first
}

// FieldObject is a place of the field.
type FieldObject struct {
	WorldObjectID string        `json:"world_object_id"` // of the object that the place becomes when it is opened
	ObjectType    string        `json:"object_type"`     // "place"
	Title         string        `json:"title"`
	Summary       string        `json:"summary"`
	Category      string        `json:"category"`
	Location      FieldLocation `json:"location"`
	maps.Opening
	ActionIDs   svc.List[string]    `json:"action_ids"`
	Attribution mapdata.Attribution `json:"attribution"`
}

// FieldControl is a filter of the field.
type FieldControl struct {
	FieldChooser
	Items svc.List[FieldItem] `json:"items"`
}

// FieldChooser describes a control of the field.
type FieldChooser struct {
	ID      string `json:"id"`   // "categories" or "radius"
	Type    string `json:"type"` // "toggle_group": any of the items; "selector": one of them
	Label   string `json:"label"`
	Summary string `json:"summary"` // describes the selected items
}

// FieldItem is one choice of a filter.
type FieldItem struct {
	FieldChoice
	ActionID string `json:"action_id"` // the action that reads the dataset with the choice toggled
}

// FieldChoice describes one choice of a control.
type FieldChoice struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Value    *int   `json:"value,omitzero"` // radius in metres; only for choices of a radius
	Selected bool   `json:"selected"`
}

// Location is a position in degrees (WGS 84).
type Location struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// Finding is a search result. It remains in the findings after the member has opened
// or saved it as an object.
type Finding struct {
	FindingID     string           `json:"finding_id"`
	Source        svc.Map          `json:"source"`
	ObjectType    FindingType      `json:"object_type"`
	Title         string           `json:"title"`
	Summary       string           `json:"summary"`
	Location      *Location        `json:"location"`
	SourceURL     *string          `json:"source_url"`
	WorldObjectID *string          `json:"world_object_id"` // the object that was created from the finding, or null
	ActionIDs     svc.List[string] `json:"action_ids"`

	SourceService string                      `json:"source_service"` // the provider that found it
	Actions       svc.List[svc.FindingAction] `json:"actions"`        // what can be done with it; action_ids has the requests
	Payload       svc.Map                     `json:"service_payload"`
}

// FindingType is the object_type of a [Finding].
type FindingType string

const (
	PlaceFinding FindingType = "place"
	PageFinding  FindingType = "web_resource"
)

// Values implements [svc.Set].
func (FindingType) Values() []string { return svc.Values(PlaceFinding, PageFinding) }

// Fallback explains missing or incomplete data.
type Fallback struct {
	FallbackID string           `json:"fallback_id"`
	State      FallbackState    `json:"state"`
	Scope      Scope            `json:"scope"`
	Reason     string           `json:"reason"`
	Message    string           `json:"message"`
	Retryable  bool             `json:"retryable"`
	ActionIDs  svc.List[string] `json:"action_ids"`
}

// FallbackState is the state of the data that a [Fallback] is about.
type FallbackState string

const (
	FallbackUnavailable FallbackState = "unavailable"
	FallbackUnsupported FallbackState = "unsupported"
	FallbackDenied      FallbackState = "denied"
	FallbackEmpty       FallbackState = "empty"
	FallbackDegraded    FallbackState = "degraded"
)

// Values implements [svc.Set].
func (FallbackState) Values() []string {
	return svc.Values(FallbackUnavailable, FallbackUnsupported, FallbackDenied, FallbackEmpty, FallbackDegraded)
}

// Scope is the part of the dataset that a fallback is about. One field besides
// Kind is set.
type Scope struct {
	Kind       ScopeKind `json:"kind"`
	Section    string    `json:"section,omitzero"`
	Service    string    `json:"service,omitzero"`
	ActionID   string    `json:"action_id,omitzero"`
	Capability string    `json:"capability,omitzero"`
}

// ScopeKind is the kind of a [Scope].
type ScopeKind string

const (
	SectionScope    ScopeKind = "section"
	ServiceScope    ScopeKind = "service"
	ObjectScope     ScopeKind = "object"
	FieldScope      ScopeKind = "field"
	CommandScope    ScopeKind = "command"
	CapabilityScope ScopeKind = "capability"
	PermissionScope ScopeKind = "permission"
)

// Values implements [svc.Set].
func (ScopeKind) Values() []string {
	return svc.Values(
		SectionScope, ServiceScope, ObjectScope, FieldScope, CommandScope, CapabilityScope, PermissionScope,
	)
}

// Provenance describes a service that contributes to the dataset, for
// diagnostics.
type Provenance struct {
	SourceID    string            `json:"source_id"`
	Kind        action.SourceKind `json:"kind"`
	Status      svc.ServiceState  `json:"status"`
	Contract    *Contract         `json:"contract"`
	ObjectCount int               `json:"object_count"`
	ReadAt      string            `json:"read_at"` // RFC 3339
	AgeSeconds  int               `json:"age_seconds"`
}
