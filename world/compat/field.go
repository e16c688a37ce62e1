package compat

import (
	"appliance/svc"
	"appliance/world/dataset"
	"appliance/world/panel"
)

// FieldRuntime is the field of the dataset with the actions inside its
// controls. Schema: service.field.runtime.
type FieldRuntime struct {
	Contract     dataset.Contract       `json:"contract"`
	Origin       *dataset.Location      `json:"origin"` // null if the request has no position
	RadiusMeters int                    `json:"radius_meters"`
	FieldWidth   int                    `json:"field_width"` // in logical units
	Controls     svc.List[FieldControl] `json:"controls"`
	Objects      svc.List[svc.Map]      `json:"objects"`
	Source       FieldSource            `json:"source"`
}

// FieldControl is a filter of the field.
type FieldControl struct {
	dataset.FieldChooser
	Items svc.List[FieldItem] `json:"items"`
}

// FieldItem is one choice of a filter. Its action reads the session with the
// choice toggled.
type FieldItem struct {
	dataset.FieldChoice
	Icon   string            `json:"icon,omitzero"`
	Action panel.PanelAction `json:"action"`
}

// FieldSource is the service that provides the objects. It is diagnostic.
type FieldSource struct {
	Service string `json:"service"`
	Status  string `json:"status"` // "ready", "degraded" or "unavailable"
	Message string `json:"message"`
}

// fieldWidth is the width of the field for runtimes that do not show a map, in
// logical units.
const fieldWidth = 1000

// NewFieldRuntime returns the field of a request. source is the service that
// provides its objects.
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
