package panel

import (
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/view"
	"appliance/world/action"
)

// EditableField describes the input for a field of a calendar object. The
// state.editable_fields of an object lists the fields that can be changed.
type EditableField struct {
	ID        string                  `json:"id"`
	Type      string                  `json:"type"` // a control type, or "alarm": trigger, related and action
	Label     string                  `json:"label"`
	Required  bool                    `json:"required"`
	Multiple  bool                    `json:"multiple"` // the value is a list
	AppliesTo svc.List[string]        `json:"applies_to"`
	MaxLength int                     `json:"max_length,omitzero"`
	Options   svc.List[action.Option] `json:"options,omitzero"`
}

// editableFields returns the fields that an event or a task can have.
func editableFields(calendars []calendar.Calendar) svc.List[EditableField] {
	event, task := svc.List[string]{view.EventType}, svc.List[string]{view.TaskType}
	eventsAndTasks := append(event, task...)
	return svc.List[EditableField]{
		{ID: "title", Type: "text", Label: "Title", Required: true, AppliesTo: eventsAndTasks, MaxLength: svc.MaxTitle},
		{ID: "start", Type: "datetime", Label: "Starts", Required: true, AppliesTo: event},
		{ID: "end", Type: "datetime", Label: "Ends", AppliesTo: event},
		{ID: "start", Type: "datetime", Label: "Starts", AppliesTo: task},
		{ID: "due", Type: "datetime", Label: "Due", AppliesTo: task},
		{ID: "all_day", Type: "checkbox", Label: "All day", AppliesTo: eventsAndTasks},
		{ID: "timezone", Type: "text", Label: "Time zone", AppliesTo: eventsAndTasks},
		{ID: "location", Type: "text", Label: "Location", AppliesTo: eventsAndTasks, MaxLength: svc.MaxSummary},
		{ID: "description", Type: "textarea", Label: "Notes", AppliesTo: eventsAndTasks, MaxLength: svc.MaxBody},
		{ID: "rrule", Type: "text", Label: "Repeat rule (RRULE)", AppliesTo: eventsAndTasks, MaxLength: svc.MaxSummary},
		{ID: "rdates", Type: "datetime", Label: "Additional dates", Multiple: true, AppliesTo: eventsAndTasks},
		{ID: "exdates", Type: "datetime", Label: "Excluded dates", Multiple: true, AppliesTo: eventsAndTasks},
		{ID: "alarms", Type: "alarm", Label: "Reminders", Multiple: true, AppliesTo: eventsAndTasks},
		{ID: "status", Type: "selector", Label: "Status", AppliesTo: event, Options: action.Options(action.EventStatuses...)},
		{ID: "status", Type: "selector", Label: "Status", AppliesTo: task, Options: action.Options(action.TaskStatuses...)},
		{ID: "transparency", Type: "selector", Label: "Show as", AppliesTo: event, Options: svc.List[action.Option]{{Value: "opaque", Label: "Busy"}, {Value: "transparent", Label: "Free"}}},
		{ID: "priority", Type: "number", Label: "Priority (1 is the highest)", AppliesTo: task},
		{ID: "percent_complete", Type: "number", Label: "Progress in percent", AppliesTo: task},
		{ID: "completed_at", Type: "datetime", Label: "Completed at", AppliesTo: task},
		{ID: "categories", Type: "text", Label: "Categories", Multiple: true, AppliesTo: eventsAndTasks, MaxLength: svc.MaxName},
		{ID: "calendar_id", Type: "selector", Label: "Calendar", AppliesTo: event, Options: action.CalendarOptions(calendars, view.EventType)},
		{ID: "calendar_id", Type: "selector", Label: "Calendar", AppliesTo: task, Options: action.CalendarOptions(calendars, view.TaskType)},
		{ID: "color", Type: "text", Label: "Color", AppliesTo: event, MaxLength: 7},
		{ID: "local_visibility", Type: "selector", Label: "Visibility", AppliesTo: event, Options: action.Options("visible", "hidden")},
	}
}
