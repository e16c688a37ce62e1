package action

import (
	"slices"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/view"
)

// Labels of the actions that create entries and calendars.
const (
	NewEvent    = "New calendar event"
	NewTask     = "New task"
	NewCalendar = "New calendar"
)

// TimeObject returns the actions on a calendar entry. calendars are those into
// which it can be moved.
func (b Builder) TimeObject(target Target, o view.Object, calendars svc.List[Option]) []Action {
	self := TimeObjectsURL + "/" + o.ID
	actions := []Action{b.action("time_open", o.ID, Action{
		Type: "open_time_object", Label: "Open", Target: target, Command: Command{URL: self, Method: "GET"},
	})}
	if o.Permissions.CanUpdate {
		actions = append(actions, b.action("time_update", o.ID, Action{
			Type: "update_time_object", Label: "Change", Target: target, Command: Command{URL: self, Method: "PATCH"},
			Controls: changeControls(o, calendars),
		}))
	}
	if o.Permissions.CanDelete {
		actions = append(actions, b.action("time_delete", o.ID, Action{
			Type: "delete_time_object", Label: "Delete", Target: target, Command: Command{URL: self, Method: "DELETE"},
		}))
	}
	return actions
}

// Time returns the actions of Time that concern no entry.
func (b Builder) Time(calendars []calendar.Calendar) []Action {
	create := func(code, label, objectType string, controls svc.List[Control]) Action {
		return b.action(code, "", Action{
			Type: "create_time_object", Label: label, Target: Workspace,
			Command:  Command{URL: TimeObjectsURL, Method: "POST", Body: svc.Map{"object_type": objectType}},
			Controls: append(controls, CalendarControl(calendars)),
		})
	}
	return []Action{
		create("time_create_event", NewEvent, view.EventType, NewEventControls("")),
		create("time_create_task", NewTask, view.TaskType, NewTaskControls()),
		b.action("calendar_create", "", Action{
			Type: "create_calendar", Label: NewCalendar, Target: Workspace,
			Command:  Command{URL: CalendarsURL, Method: "POST"},
			Controls: NewCalendarControls(),
		}),
	}
}

// CalendarOptions returns the calendars that the member can write to.
func CalendarOptions(calendars []calendar.Calendar) (options svc.List[Option]) {
	for _, c := range calendars {
		if !c.ReadOnly {
			options = append(options, Option{c.ID, c.Name})
		}
	}
	return options
}

// NewEventControls are the values of a new calendar event, except its calendar.
func NewEventControls(start string) svc.List[Control] {
	return svc.List[Control]{
		TitleControl(""), DateTimeControl("start", "Starts", true, start), DateTimeControl("end", "Ends", false, ""), CheckboxControl("all_day", "All day", false),
		location(""), description(""), RepeatControl(""), {ID: "alarm_minutes", Type: "number", Label: "Remind, minutes before"},
	}
}

// NewTaskControls are the values of a new task, except its calendar.
func NewTaskControls() svc.List[Control] {
	return svc.List[Control]{TitleControl(""), DateTimeControl("due", "Due", false, ""), priority(0), description(""), RepeatControl("")}
}

// NewCalendarControls are the values of a new calendar.
func NewCalendarControls() svc.List[Control] {
	return svc.List[Control]{
		TextControl("name", "Name", svc.MaxName, ""),
		OptionalControl("color", "Color", 7, "#3b82f6"),
	}
}

// CalendarControl selects the calendar of a new entry: the default calendar,
// unless the member chooses another.
func CalendarControl(calendars []calendar.Calendar) Control {
	first := ""
	for _, cal := range calendars {
		if cal.IsDefault {
			first = cal.ID
		}
	}
	return Control{ID: "calendar_id", Type: "selector", Label: "Calendar", Default: first, Options: CalendarOptions(calendars)}
}

// changeControls are the values of an entry that the member can change.
func changeControls(o view.Object, calendars svc.List[Option]) svc.List[Control] {
	st := o.State
	var controls svc.List[Control]
	if st.SourceService == nil {
		controls = append(controls, TitleControl(o.Title))
		if st.EventState != nil {
			controls = append(controls, DateTimeControl("start", "Starts", true, moment(st.Start)), DateTimeControl("end", "Ends", false, moment(&st.End)))
		} else {
			controls = append(controls, DateTimeControl("start", "Starts", false, moment(st.Start)), DateTimeControl("due", "Due", false, moment(st.Due)))
		}
		rule := ""
		if st.Recurrence.RRule != nil {
			rule = *st.Recurrence.RRule
		}
		controls = append(controls, CheckboxControl("all_day", "All day", st.AllDay), location(st.Location), description(st.Description), RepeatControl(rule))
		if st.EventState != nil {
			controls = append(controls, status(st.Status, EventStatuses))
		} else {
			controls = append(controls, status(st.Status, TaskStatuses), priority(st.Priority))
		}
	}
	// A client that sent a truncated value back would overwrite the rest.
	controls = slices.DeleteFunc(controls, func(c Control) bool { return slices.Contains(st.Truncated, c.ID) })
	return append(controls, Control{ID: "calendar_id", Type: "selector", Label: "Calendar", Default: st.CalendarID, Options: calendars})
}

// moment formats a time as the writes of Time accept it.
func moment(m *view.Moment) string {
	switch {
	case m == nil:
		return ""
	case m.Date != nil:
		return *m.Date
	}
	return *m.DateTime
}

func location(now string) Control { return OptionalControl("location", "Where", svc.MaxSummary, now) }

func description(now string) Control { return AreaControl("description", "Notes", svc.MaxBody, now) }

func priority(now int) Control {
	return Control{ID: "priority", Type: "number", Label: "Priority, 1 first", Default: now}
}

// EventStatuses and TaskStatuses are the values of the field status.
var (
	EventStatuses = []string{"tentative", "confirmed", "cancelled"}
	TaskStatuses  = []string{"needs_action", "in_process", "completed", "cancelled"}
)

func status(now string, values []string) Control {
	return Control{ID: "status", Type: "selector", Label: "Status", Default: now, Options: Options(values...)}
}
