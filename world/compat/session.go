package compat

import (
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/world/dataset"
	"appliance/world/panel"
	"appliance/world/record"
)

// sessionURL is the path of the session.
const sessionURL = "/world/session"

// homeRuntime is the name of the contracts of the session and of the translated
// dataset.
const homeRuntime = "service.home.runtime"

// Session contains all data that a runtime with surfaces and stacks needs to
// start. Schema: service.home.runtime.
type Session struct {
	Service        string                `json:"service"` // "world"
	Contract       dataset.Contract      `json:"contract"`
	RuntimeSession RuntimeSession        `json:"runtime_session"`
	Capabilities   SessionCapabilities   `json:"capabilities"`
	Shell          Shell                 `json:"shell"`
	FieldRuntime   FieldRuntime          `json:"field_runtime"`
	SurfaceRuntime SurfaceRuntime        `json:"surface_runtime"`
	Status         Status                `json:"status"`
	Services       svc.List[HomeService] `json:"services"` // always in the same order; operator only for operators
}

// RuntimeSession identifies the member of the session.
type RuntimeSession struct {
	UserID               svc.MemberID `json:"user_id"`               // for display; requests never contain it
	PersistenceAuthority string       `json:"persistence_authority"` // "world"
}

// SessionCapabilities are the capabilities that the runtime declares and those
// that the server provides.
type SessionCapabilities struct {
	Requested svc.List[string] `json:"requested"`
	Provided  svc.List[string] `json:"provided"`

	// BasePath is the path of base-url, such as "/home", or "". Every path that
	// the server publishes is relative to base-url: the URL of a path is the
	// origin of the server, then base_path, then the path.
	BasePath string `json:"base_path"`

	// Stream reports changes of the member's data, so that a runtime need not poll.
	Stream dataset.StreamLink `json:"stream"`
}

// Shell is the frame around the surfaces.
type Shell struct {
	Primitives svc.List[string]            `json:"primitives"`
	Dock       Dock                        `json:"dock"`
	Today      string                      `json:"today"` // URL of the panel of today
	Server     ServerInfo                  `json:"server"`
	Actions    svc.List[panel.PanelAction] `json:"actions"` // on the session itself, such as sign_out
}

// ServerInfo describes the server.
type ServerInfo struct {
	Name         string                      `json:"name"`         // host name in the address of the server
	Timezone     string                      `json:"timezone"`     // IANA name, the default of new members
	Locale       string                      `json:"locale"`       // BCP 47 tag, the default of new members
	Version      string                      `json:"version"`      // of the program
	Registration identity.RegistrationPolicy `json:"registration"` // who may register
}

// Dock lists the entry points of the services.
type Dock struct {
	Items svc.List[DockItem] `json:"items"`
}

// DockItem is an entry point. Its action is a complete request.
type DockItem struct {
	ID        string            `json:"id"`
	Label     string            `json:"label"`
	Icon      string            `json:"icon"`
	Essential bool              `json:"essential"`
	Badge     *panel.Badge      `json:"badge"`            // null for none
	PartOf    string            `json:"part_of,omitzero"` // id of the item that opens the same screen; a runtime may show that one alone
	Action    panel.PanelAction `json:"action"`
}

// Status counts the services in each state.
type Status struct {
	Total       int `json:"total"`
	Ready       int `json:"ready"`
	Degraded    int `json:"degraded"`
	Unavailable int `json:"unavailable"`
}

// HomeService is a service of the server, installed or not.
type HomeService struct {
	ID                 string                      `json:"id"`
	Label              string                      `json:"label"`
	Icon               string                      `json:"icon"`
	Status             svc.ServiceState            `json:"status"`
	Message            string                      `json:"message"`          // the reason, if the service is not ready; else ""
	EntrySurfaceID     *string                     `json:"entry_surface_id"` // null if the service has no surface
	ContentSource      string                      `json:"content_source"`   // a path below /world/
	Presentation       ServicePresentation         `json:"presentation"`
	Objects            ServiceObjects              `json:"objects"`
	Actions            svc.List[panel.PanelAction] `json:"actions"`
	Members            svc.List[svc.Person]        `json:"members,omitzero"` // members that the viewer can see; only for identity
	Compatibility      bool                        `json:"compatibility,omitzero"`
	CompatibilityScope string                      `json:"compatibility_scope,omitzero"`
}

// ServicePresentation contains hints about where and how a runtime shows a
// service.
type ServicePresentation struct {
	Workspace GroupID `json:"workspace"`
	Renderer  string  `json:"renderer"`
}

// ServiceObjects contains the counts of Social or the threads of Messages. A service
// that cannot be read has zeros and empty lists; the status and the message of the
// service say why.
type ServiceObjects struct {
	*social.Counts
	Threads svc.List[record.MessageThread] `json:"threads,omitzero"` // the latest first
}
