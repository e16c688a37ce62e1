package panel

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/words"
	"appliance/world/action"
)

// Panel is a ready-made view of a service: titles, items and forms. Services add
// fields for runtimes that support them. Schema: service.world.panel.
type Panel struct {
	Kind              string               `json:"kind"` // the service
	View              string               `json:"view"`
	Title             string               `json:"title"`
	Summary           string               `json:"summary"` // one line
	Nav               svc.List[NavItem]    `json:"nav"`
	Sections          svc.List[Section]    `json:"sections"`
	Actions           svc.Dict[string]     `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
	ActionDescriptors svc.List[Descriptor] `json:"action_descriptors"`
}

// NavItem is a link to another view, or a label if it has no action.
type NavItem struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Action   string `json:"action,omitzero"` // the URL of the view
	Selected bool   `json:"selected"`
	Badge    *Badge `json:"badge"` // null for none
}

// PanelAction is a complete request that performs an action.
type PanelAction struct {
	ID          string                   `json:"id"`
	Label       string                   `json:"label"`
	Confirm     string                   `json:"confirm,omitzero"`     // the consequences, to show before the member confirms; absent if no confirmation is needed
	Destructive bool                     `json:"destructive,omitzero"` // whether the action deletes, ends or revokes something; absent if not
	Type        string                   `json:"type"`
	Method      action.Method            `json:"method"`
	URL         string                   `json:"url"`
	Body        svc.Map                  `json:"body"`
	Scopes      svc.List[action.Option]  `json:"scopes,omitzero"`   // other values of the field scope in the body
	Controls    svc.List[action.Control] `json:"controls,omitzero"` // values that the member can change
}

// Descriptor is a form: a request whose body takes the values of the controls.
type Descriptor struct {
	ID          string                   `json:"id"`
	Label       string                   `json:"label"`
	Confirm     string                   `json:"confirm,omitzero"`     // as for PanelAction, if all controls are hidden
	Destructive bool                     `json:"destructive,omitzero"` // as for PanelAction
	Type        DescriptorType           `json:"type"`
	Method      action.Method            `json:"method"`
	URL         string                   `json:"url"`
	Controls    svc.List[action.Control] `json:"controls"`

	// Encodings are the media types of a body that is a file.
	Encodings svc.List[string] `json:"encodings,omitzero"`
}

// DescriptorType is the type of a [Descriptor].
type DescriptorType string

const (
	SubmitForm DescriptorType = "submit_form"
	OpenPanel  DescriptorType = "open_panel" // a GET that reads a panel
	Invoke     DescriptorType = "invoke"     // a request without controls
)

// Values implements [svc.Set].
func (DescriptorType) Values() []string { return svc.Values(SubmitForm, OpenPanel, Invoke) }

// maxItems limits the items of a section. It does not limit the other lists of a
// panel, such as appointments.
const maxItems = 100

// buttons returns the useful actions on a record that need no input. names
// selects as for [action.Table.Offers].
func buttons[R any](l words.Language, t *action.Table[R], r R, names ...string) (list svc.List[PanelAction]) {
	for _, o := range t.Offers(l, r, names...) {
		if o.Useful && !o.HasForm {
			list = append(list, PanelAction(o.Request()))
		}
	}
	return list
}

// choiceButtons returns one button for each option of an action whose first control
// is a selector, except the current option. name is the name of the action. format is the
// text of a button with the name of the option as its argument, such as "Make %s"; "" for
// the name alone.
func choiceButtons[R any](l words.Language, t *action.Table[R], r R, name, format string) (list svc.List[PanelAction]) {
	for _, o := range t.Offers(l, r, name) {
		selector := o.Controls()[0]
		for _, option := range selector.Options {
			if option.Value == selector.Default {
				continue
			}
			label := option.Label
			if format != "" {
				label = l.Textf(format, inSentence(l, label))
			}
			list = append(list, PanelAction{
				ID: o.Name + "_" + option.Value, Label: label, Type: o.Type, Method: o.Method, URL: o.URL, Body: svc.Map{selector.ID: option.Value},
			})
		}
	}
	return list
}

// forms returns the actions on a record as forms. Fixed fields are hidden
// controls. names selects as for [action.Table.Offers].
func forms[R any](l words.Language, t *action.Table[R], r R, names ...string) (list []Descriptor) {
	for _, o := range t.Offers(l, r, names...) {
		controls := o.Controls()
		for _, name := range slices.Sorted(maps.Keys(o.Body)) {
			controls = append(controls, action.HiddenControl(name, o.Body[name]))
		}
		d := Descriptor{
			ID: o.Name, Label: o.Label, Confirm: o.Confirm, Destructive: o.Destructive, Type: SubmitForm, Method: o.Method, URL: o.URL,
			Controls: controls,
		}
		if len(controls) > 0 && controls[0].Type == action.FileInput {
			d.Encodings = controls[0].Accept
		}
		list = append(list, d)
	}
	return list
}

// inSentence returns a label as it is written within a sentence: in English with a small
// first letter, in German unchanged, because it is a noun.
func inSentence(l words.Language, label string) string {
	if l == words.English {
		return strings.ToLower(label)
	}
	return label
}

// openPanel returns the action that shows another view.
func openPanel(id, label, url string) PanelAction {
	return PanelAction{ID: id, Label: label, Type: "open_panel", Method: http.MethodGet, URL: url}
}
