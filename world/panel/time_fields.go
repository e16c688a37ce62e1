package panel

import (
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/words"
	"appliance/world/action"
)

// EditableField describes the input for a field of a calendar object. The
// state.editable_fields of an object lists the fields that can be changed.
type EditableField struct {
	ID        string                  `json:"id"`
	Type      action.ControlType      `json:"type"`
	Label     string                  `json:"label"`
	Required  bool                    `json:"required"`
	Multiple  bool                    `json:"multiple"` // the value is a list
	AppliesTo svc.List[string]        `json:"applies_to"`
	MaxLength int                     `json:"max_length,omitzero"`
	Options   svc.List[action.Option] `json:"options,omitzero"`

	// The following fields are those of a control.
	OptionsURL    string        `json:"options_url,omitzero"`
	OptionsMethod action.Method `json:"options_method,omitzero"`
}

// editableFields returns the fields that an event or a task can have, with labels in the
// language l.
func editableFields(l words.Language, calendars []calendar.Calendar) (list svc.List[EditableField]) {
	for _, f := range action.TimeFields(l, calendars) {
		list = append(list, EditableField{
			ID: f.ID, Type: f.Type, Label: f.Label, Required: f.Required, Multiple: f.Multiple, AppliesTo: f.AppliesTo, MaxLength: f.MaxLength,
			Options: f.Options, OptionsURL: f.OptionsURL, OptionsMethod: f.OptionsMethod,
		})
	}
	return list
}
