package compat

import (
	"appliance/svc"
	"appliance/world/dataset"
	"appliance/world/panel"
)

// FieldRuntime is the field around a runtime for whoever shows it: Field with
// the actions in place. Schema: service.field.runtime.
type FieldRuntime struct {
	Contract     dataset.Contract       `json:"contract"`
	Origin       *dataset.Location      `json:"origin"` // null if the runtime did not say where it is
	RadiusMeters int                    `json:"radius_meters"`
	FieldWidth   int                    `json:"field_width"` // logical units from one side to the other
	Controls     svc.List[FieldControl] `json:"controls"`
	Objects      svc.List[svc.Map]      `json:"objects"`
	Source       FieldSource            `json:"source"`
}

// FieldControl is something by which a member chooses what they see of the
// field.
type FieldControl struct {
	dataset.FieldChooser
	Items svc.List[FieldItem] `json:"items"`
}

// FieldItem is one choice. Its action reads the session in which it is made,
// or is no longer.
type FieldItem struct {
	dataset.FieldChoice
	Icon   string            `json:"icon,omitzero"`
	Action panel.PanelAction `json:"action"`
}

// FieldSource says where the objects are from. It is diagnostic.
type FieldSource struct {
	Service string `json:"service"`
	Status  string `json:"status"` // "ready", "degraded" or "unavailable"
	Message string `json:"message"`
}

// fieldWidth is how wide the field is for who shows it as something else than
// a map (B-30).
const fieldWidth = 1000

// NewFieldRuntime returns the field of a question, with the state of what the
// objects are from.
func NewFieldRuntime(q dataset.Request, source FieldSource) FieldRuntime {
	f := FieldRuntime{
		Contract: dataset.Contract{Name: "service.field.runtime", Version: 2}, Origin: q.Params.Origin,
		RadiusMeters: q.Params.Radius, FieldWidth: fieldWidth, Source: source,
	}
	for _, c := range q.Choosers() {
		control := FieldControl{FieldChooser: c.FieldChooser}
		for _, choice := range c.Choices {
			item := FieldItem{FieldChoice: choice.FieldChoice, Action: panel.PanelAction{
				ID: choice.Name, Label: choice.Label, Type: choice.Type, Method: "GET", URL: sessionURL + choice.Query,
			}}
			if choice.Value == nil {
				item.Icon = choice.ID
			}
			control.Items = append(control.Items, item)
		}
		f.Controls = append(f.Controls, control)
	}
	return f
}
