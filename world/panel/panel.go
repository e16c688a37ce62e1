package panel

import (
	"appliance/svc"
	"appliance/world/action"
)

// Panel is a ready-made view of a service: titles, items and forms. Services
// add fields for runtimes that know them. Schema: service.world.panel.
type Panel struct {
	Kind              string               `json:"kind"` // the service
	View              string               `json:"view"`
	Title             string               `json:"title"`
	Summary           string               `json:"summary"` // one line
	Nav               svc.List[NavItem]    `json:"nav"`
	Sections          svc.List[Section]    `json:"sections"`
	Actions           svc.Dict[string]     `json:"actions"` // URLs by name; open_… accept GET, all others POST
	ActionDescriptors svc.List[Descriptor] `json:"action_descriptors"`
}

// NavItem is a link to another view, or a label if it has no action.
type NavItem struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Action   string `json:"action,omitzero"` // the URL of the view
	Selected bool   `json:"selected"`
}

// Section is a group of items. If there are none, the summary says why.
type Section struct {
	Title   string              `json:"title"`
	Summary string              `json:"summary"`
	Items   svc.List[PanelItem] `json:"items"`
}

// PanelItem is an item of a section.
type PanelItem struct {
	ID       string                `json:"id"` // unique within the section
	Title    string                `json:"title"`
	Summary  string                `json:"summary"`
	Metadata svc.Map               `json:"metadata"`
	Actions  svc.List[PanelAction] `json:"actions"`
}

// PanelAction is a complete request that performs an action.
type PanelAction struct {
	ID     string  `json:"id"`
	Label  string  `json:"label"`
	Type   string  `json:"type"`
	Method string  `json:"method"`
	URL    string  `json:"url"`
	Body   svc.Map `json:"body"`
}

// Descriptor is a form: a request whose body takes the values of the controls.
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
