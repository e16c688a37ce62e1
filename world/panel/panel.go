package panel

import (
	"appliance/svc"
	"appliance/world/action"
)

// Panel is what one service has to show at the moment, ready for a runtime
// that knows nothing of the service: it renders titles, items and forms. It is
// transient. What a service adds for runtimes that do know it stands beside
// these fields. Schema: service.world.panel.
type Panel struct {
	Kind              string               `json:"kind"` // the service
	View              string               `json:"view"`
	Title             string               `json:"title"`
	Summary           string               `json:"summary"` // one line
	Nav               svc.List[NavItem]    `json:"nav"`
	Sections          svc.List[Section]    `json:"sections"`
	Actions           svc.Dict[string]     `json:"actions"` // addresses by name: those of open_… are for GET, all others for POST
	ActionDescriptors svc.List[Descriptor] `json:"action_descriptors"`
}

// NavItem leads to another view of the panel. One without an action is a label.
type NavItem struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Action   string `json:"action,omitzero"` // the address of the other view
	Selected bool   `json:"selected"`
}

// Section is a group of items. One without items says why in its summary.
type Section struct {
	Title   string              `json:"title"`
	Summary string              `json:"summary"`
	Items   svc.List[PanelItem] `json:"items"`
}

// PanelItem is one thing in a section.
type PanelItem struct {
	ID       string                `json:"id"` // unlike all others of the section
	Title    string                `json:"title"`
	Summary  string                `json:"summary"`
	Metadata svc.Map               `json:"metadata"`
	Actions  svc.List[PanelAction] `json:"actions"`
}

// PanelAction is something that can be done at once: a complete request.
type PanelAction struct {
	ID     string  `json:"id"`
	Label  string  `json:"label"`
	Type   string  `json:"type"`
	Method string  `json:"method"`
	URL    string  `json:"url"`
	Body   svc.Map `json:"body"`
}

// Descriptor is something that takes values: a form, sent to an address with
// the values of its controls.
type Descriptor struct {
	ID       string                   `json:"id"`
	Label    string                   `json:"label"`
	Type     string                   `json:"type"` // "submit_form"
	Method   string                   `json:"method"`
	URL      string                   `json:"url"`
	Controls svc.List[action.Control] `json:"controls"`
}

// maxItems is how many items a section shows: it is for reading. All there is
// stands beside the sections.
const maxItems = 100

// form is a descriptor of a form.
func form(id, label, method, url string, controls ...action.Control) Descriptor {
	return Descriptor{ID: id, Label: label, Type: "submit_form", Method: method, URL: url, Controls: controls}
}
