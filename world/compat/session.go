package compat

import (
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/dataset"
	"appliance/world/panel"
	"appliance/world/record"
)

// sessionURL is where the session is.
const sessionURL = "/world/session"

// homeRuntime is the contract of the session and of what is translated.
const homeRuntime = "service.home.runtime"

// Session is all that a runtime of surfaces and stacks needs to begin.
// Schema: service.home.runtime.
type Session struct {
	Service        string                `json:"service"` // "world"
	Contract       dataset.Contract      `json:"contract"`
	RuntimeSession RuntimeSession        `json:"runtime_session"`
	Capabilities   SessionCapabilities   `json:"capabilities"`
	Shell          Shell                 `json:"shell"`
	FieldRuntime   FieldRuntime          `json:"field_runtime"`
	SurfaceRuntime SurfaceRuntime        `json:"surface_runtime"`
	Status         Status                `json:"status"`
	Services       svc.List[HomeService] `json:"services"` // always in the same order
}

// RuntimeSession is whose session it is.
type RuntimeSession struct {
	UserID               svc.MemberID `json:"user_id"`               // is never sent back
	PersistenceAuthority string       `json:"persistence_authority"` // "world"
}

// SessionCapabilities are what the runtime says it can do, and what it finds
// here.
type SessionCapabilities struct {
	Requested svc.List[string] `json:"requested"`
	Provided  svc.List[string] `json:"provided"`
}

// Shell is what stands around surfaces.
type Shell struct {
	Primitives svc.List[string] `json:"primitives"`
	Dock       Dock             `json:"dock"`
}

// Dock leads to what is here, in order.
type Dock struct {
	Items svc.List[DockItem] `json:"items"`
}

// DockItem leads to one thing by a complete request.
type DockItem struct {
	ID        string            `json:"id"`
	Label     string            `json:"label"`
	Icon      string            `json:"icon"`
	Essential bool              `json:"essential"`
	Action    panel.PanelAction `json:"action"`
}

// Status counts the services by the state they are in.
type Status struct {
	Total       int `json:"total"`
	Ready       int `json:"ready"`
	Degraded    int `json:"degraded"`
	Unavailable int `json:"unavailable"`
}

// HomeService describes a service.
type HomeService struct {
	ID                 string                      `json:"id"`
	Label              string                      `json:"label"`
	Icon               string                      `json:"icon"`
	Status             string                      `json:"status"`           // "ready", "degraded" or "unavailable"
	Message            string                      `json:"message"`          // what is to be said of that, "" for nothing
	EntrySurfaceID     *string                     `json:"entry_surface_id"` // null for what has no surface of its own
	ContentSource      string                      `json:"content_source"`   // an address of World
	Presentation       ServicePresentation         `json:"presentation"`
	Objects            ServiceObjects              `json:"objects"`
	Actions            svc.List[panel.PanelAction] `json:"actions"`
	Members            svc.List[svc.Person]        `json:"members,omitzero"` // of identity: whom the member may meet
	Compatibility      bool                        `json:"compatibility,omitzero"`
	CompatibilityScope string                      `json:"compatibility_scope,omitzero"`
}

// ServicePresentation is where a service shows, and a hint how.
type ServicePresentation struct {
	Workspace string `json:"workspace"` // "carry", "field" or "find"
	Renderer  string `json:"renderer"`
}

// ServiceObjects are what a service tells of what it has: Social counts, and
// Messages has threads.
type ServiceObjects struct {
	*social.Counts
	Threads svc.List[record.MessageThread] `json:"threads,omitzero"` // the latest first
}
