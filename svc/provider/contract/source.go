package contract

import "appliance/svc"

// Source is the payload with which a provider publishes all its records. Schema:
// service.world.provider_source.
type Source struct {
	Contract      Contract              `json:"contract"`
	Provider      Provider              `json:"provider"`
	Objects       Section[Object]       `json:"objects"`
	Relationships Section[Relationship] `json:"relationships"`
	Actions       Section[Action]       `json:"actions"`
	Collections   Section[Collection]   `json:"collections"`
	Resources     Section[Resource]     `json:"resources"`
	Extensions    Section[Extension]    `json:"extensions"`
}

// Section is a list of records.
type Section[T any] struct {
	Name    string      `json:"name"`
	Version int         `json:"version"`
	Items   svc.List[T] `json:"items"`
}

// Provider describes the provider of a payload.
type Provider struct {
	ID          string  `json:"id"`
	Label       string  `json:"label"`
	Version     string  `json:"version,omitzero"`
	GeneratedAt string  `json:"generated_at,omitzero"` // RFC 3339
	Metadata    svc.Map `json:"metadata,omitzero"`
}

// Object is a record that members can see.
type Object struct {
	Source      Ref              `json:"source"`
	Type        string           `json:"type"`
	Title       string           `json:"title"`
	Summary     string           `json:"summary"`
	Visibility  Visibility       `json:"visibility"`
	Permissions svc.Dict[bool]   `json:"permissions"`
	Actions     svc.List[string] `json:"actions"`   // ids of actions
	Resources   svc.List[string] `json:"resources"` // ids of resources
	Metadata    svc.Map          `json:"metadata"`
}

// Relationship is a relationship between two records, which may belong to different
// providers.
type Relationship struct {
	ID       string  `json:"id"`
	Type     string  `json:"type"`
	Source   Ref     `json:"source"`
	Target   Ref     `json:"target"`
	Metadata svc.Map `json:"metadata,omitzero"`
}

// Availability states whether the member can perform an action.
type Availability string

const (
	Enabled     Availability = "enabled"
	Disabled    Availability = "disabled"
	Denied      Availability = "denied"
	Unavailable Availability = "unavailable"
)

// Values implements [svc.Set].
func (Availability) Values() []string { return svc.Values(Enabled, Disabled, Denied, Unavailable) }

// Action is an operation that the provider performs on an object.
type Action struct {
	ID           string       `json:"id"`
	Type         string       `json:"type"`
	Label        string       `json:"label"`
	TargetSource Ref          `json:"target_source"`
	Availability Availability `json:"availability"`
	Input        Input        `json:"input"`
	Operation    *Operation   `json:"command,omitzero"` // without it, the action cannot be performed
}

// Operation is the request to a provider when a member performs an action.
type Operation struct {
	Provider  string  `json:"provider,omitzero"`
	Operation string  `json:"operation,omitzero"`
	Metadata  svc.Map `json:"metadata,omitzero"`
}

// Control is a value that the member enters.
type Control struct {
	ID        string           `json:"id"`
	Type      string           `json:"type"` // text, textarea, selector, checkbox, date, datetime, time, number or hidden
	Label     string           `json:"label"`
	Required  bool             `json:"required,omitzero"`
	Default   any              `json:"default,omitzero"` // string, number or boolean
	MaxLength int              `json:"max_length,omitzero"`
	Options   svc.List[Option] `json:"options,omitzero"`
}

// Option is one choice of a selector.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// Collection is an ordered list of objects.
type Collection struct {
	ID         string        `json:"id"`
	Type       string        `json:"type"`
	Title      string        `json:"title"`
	Summary    string        `json:"summary"`
	Ordering   Ordering      `json:"ordering"`
	Pagination Pagination    `json:"pagination"`
	Items      svc.List[Ref] `json:"items"`
	Metadata   svc.Map       `json:"metadata"`
}

// Ordering describes the order of the items of a collection.
type Ordering struct {
	By        string `json:"by,omitzero"`
	Direction string `json:"direction,omitzero"` // "asc" or "desc"
}

// Pagination describes the part of a collection that its items are.
type Pagination struct {
	Mode  string `json:"mode,omitzero"` // "none"
	Total int    `json:"total,omitzero"`
}

// Resource is data at an address of the web, which the runtime may load.
type Resource struct {
	ID        string  `json:"id"`
	Kind      string  `json:"kind"` // for example "thumbnail" or "document"
	MediaType string  `json:"media_type"`
	Href      string  `json:"href"` // http or https
	Label     string  `json:"label"`
	Cache     Cache   `json:"cache"`
	Metadata  svc.Map `json:"metadata"`
}

// Cache states how long a resource stays the same.
type Cache struct {
	MaxAgeSeconds int `json:"max_age_seconds,omitzero"`
}

// Extension is data that runtimes do not get.
type Extension struct {
	ID        string  `json:"id"`
	Namespace string  `json:"namespace"`
	Name      string  `json:"name"`
	Target    *Ref    `json:"target,omitzero"`
	Data      svc.Map `json:"data"`
}
