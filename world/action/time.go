package action

import (
	"net/url"
	"slices"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/view"
)

// TimeObject is a calendar entry, or one occurrence of a series.
type TimeObject struct {
	view.Object
	Calendars svc.List[Option] // calendars to which the entry can be moved
}

// TimeObjects declares the actions on calendar entries.
var TimeObjects = Table[TimeObject]{
	Kind: "time",
	ID:   func(o TimeObject) string { return o.ID },
	URL:  func(o TimeObject) string { return TimeObjectsURL + "/" + o.ID },
	Entries: []Entry[TimeObject]{
		{Name: "open", Type: "open_time_object", Label: "Open", Method: "GET"},
		{
			Name: "complete", Type: "update_time_object", Label: "Mark as done", Method: "PATCH", PathOf: TimeObject.occurrenceQuery,
			Allowed: func(o TimeObject) bool { return o.canComplete() && !Finished(o.Object) },
			Body:    func(TimeObject) svc.Map { return svc.Map{"status": "completed"} },
		},
		{
			Name: "reopen", Type: "update_time_object", Label: "Mark as not done", Method: "PATCH", PathOf: TimeObject.occurrenceQuery,
			Allowed: func(o TimeObject) bool { return o.canComplete() && Finished(o.Object) },
			Body:    func(TimeObject) svc.Map { return svc.Map{"status": "needs_action"} },
		},
		{
			Name: "update", Type: "update_time_object", Label: "Edit", Method: "PATCH",
			Allowed:  func(o TimeObject) bool { return o.Permissions.CanUpdate },
			Controls: TimeObject.controls,
		},
		{
			Name: "delete_occurrence", Type: "delete_time_object", Label: "Delete occurrence", Method: "DELETE", PathOf: TimeObject.occurrenceQuery, Alias: "delete",
			Allowed: func(o TimeObject) bool { return o.Permissions.CanDelete && o.recurrenceID() != "" },
		},
		{
			Name: "delete", Type: "delete_time_object", Method: "DELETE",
			LabelOf: func(o TimeObject) string {
				if o.recurrenceID() != "" {
					return "Delete series"
				}
				return "Delete"
			},
			Allowed: func(o TimeObject) bool { return o.Permissions.CanDelete },
		},
	},
}

// recurrenceID returns the RECURRENCE-ID of an occurrence of a series, "" for
// other entries.
func (o TimeObject) recurrenceID() string {
	if o.State.Occurrence == nil || o.State.Occurrence.RecurrenceID == nil {
		return ""
	}
	return *o.State.Occurrence.RecurrenceID
}

// occurrenceQuery returns the query that selects the occurrence, "" for the whole
// entry.
func (o TimeObject) occurrenceQuery() string {
	id := o.recurrenceID()
	if id == "" {
		return ""
	}
	return "?" + url.Values{"scope": {"this"}, "recurrence_id": {id}}.Encode()
}

// canComplete reports whether the viewer may complete and reopen the entry.
func (o TimeObject) canComplete() bool {
	return o.ObjectType == view.TaskType && o.Permissions.CanUpdate
}

// Finished reports whether a task is completed or cancelled.
func Finished(o view.Object) bool {
	return view.Finished(o.State.Status)
}

// controls returns the controls of the fields that the member can change. It omits
// truncated fields: the form would overwrite their remainder.
func (o TimeObject) controls() svc.List[Control] {
	st := o.State
	var controls svc.List[Control]
	if st.SourceService == nil { // the calendar is the only field of a mirror that can be changed
		controls = append(controls, titleControl(o.Title))
		if st.EventState != nil {
			controls = append(controls, dateTimeControl("start", "Starts", true, formatMoment(st.Start)), dateTimeControl("end", "Ends", false, formatMoment(&st.End)))
		} else {
			controls = append(controls, dateTimeControl("start", "Starts", false, formatMoment(st.Start)), dateTimeControl("due", "Due", false, formatMoment(st.Due)))
		}
		rule := ""
		if st.Recurrence.RRule != nil {
			rule = *st.Recurrence.RRule
		}
		controls = append(controls, checkboxControl("all_day", "All day", st.AllDay), locationControl(st.Location), notesControl(st.Description), rruleControl(rule))
		if st.EventState != nil {
			controls = append(controls, statusControl(st.Status, EventStatuses))
		} else {
			controls = append(controls, statusControl(st.Status, TaskStatuses), priorityControl(st.Priority))
		}
	}
	controls = slices.DeleteFunc(controls, func(c Control) bool { return slices.Contains(st.Truncated, c.ID) })
	return append(controls, Control{ID: "calendar_id", Type: "selector", Label: "Calendar", Default: st.CalendarID, Options: o.Calendars})
}

// formatMoment formats a time in the form that requests to Time accept.
func formatMoment(m *view.Moment) string {
	switch {
	case m == nil:
		return ""
	case m.Date != nil:
		return *m.Date
	}
	return *m.DateTime
}

// Statuses of calendar events and tasks.
var (
	EventStatuses = []string{"tentative", "confirmed", "cancelled"}
	TaskStatuses  = []string{"needs_action", "in_process", "completed", "cancelled"}
)

func statusControl(value string, values []string) Control {
	return Control{ID: "status", Type: "selector", Label: "Status", Default: value, Options: Options(values...)}
}

func locationControl(value string) Control {
	return textControl("location", "Location", svc.MaxSummary, value)
}

func notesControl(value string) Control {
	return areaControl("description", "Notes", svc.MaxBody, value)
}

func priorityControl(value int) Control {
	return Control{ID: "priority", Type: "number", Label: "Priority (1 is the highest)", Default: value}
}

// NewTimeObjects contains the data of the actions of Time that concern no entry.
type NewTimeObjects struct {
	Calendars   []calendar.Calendar
	Start       string               // proposed start of an event; "" for none
	Timezone    string               // time zone of the times that the member enters; "" for the member's time zone
	Preferences *calendar.Boundaries // nil in the dataset
}

// Time declares the actions of Time that concern no entry.
var Time = Table[NewTimeObjects]{
	Kind: "time",
	Entries: []Entry[NewTimeObjects]{
		{
			Name: "create_event", Type: "create_time_object", Label: "New calendar event", Method: "POST", Path: TimeObjectsURL,
			Body: func(n NewTimeObjects) svc.Map { return n.body(view.EventType) },
			Controls: func(n NewTimeObjects) svc.List[Control] {
				return svc.List[Control]{
					titleControl(""), dateTimeControl("start", "Starts", true, n.Start), dateTimeControl("end", "Ends", false, ""),
					checkboxControl("all_day", "All day", false), locationControl(""), notesControl(""), rruleControl(""),
					{ID: "alarm_minutes", Type: "number", Label: "Reminder (minutes before)"}, n.calendarControl(view.EventType),
				}
			},
		},
		{
			Name: "create_task", Type: "create_time_object", Label: "New task", Method: "POST", Path: TimeObjectsURL,
			Body: func(n NewTimeObjects) svc.Map { return n.body(view.TaskType) },
			Controls: func(n NewTimeObjects) svc.List[Control] {
				return svc.List[Control]{
					titleControl(""), dateTimeControl("due", "Due", false, ""), priorityControl(0), notesControl(""), rruleControl(""), n.calendarControl(view.TaskType),
				}
			},
		},
		{
			Name: "create_calendar", Type: "create_calendar", Label: "New calendar", Method: "POST", Path: CalendarsURL,
			Controls: func(NewTimeObjects) svc.List[Control] {
				return calendarControls(calendar.Calendar{Color: "#3b82f6"})
			},
		},
		{
			Name: "set_preferences", Type: "update_time_preferences", Label: "Edit days and weeks", Method: "PATCH", Path: TimePreferencesURL, Alias: "update",
			Allowed: func(n NewTimeObjects) bool { return n.Preferences != nil },
			Controls: func(n NewTimeObjects) svc.List[Control] {
				p := n.Preferences
				return svc.List[Control]{
					{ID: "day_start", Type: "time", Label: "Day starts", Default: p.DayStart}, {ID: "day_end", Type: "time", Label: "Day ends", Default: p.DayEnd},
					{ID: "week_start", Type: "selector", Label: "Week starts", Default: p.WeekStart, Options: Options(calendar.Weekdays...)},
					{ID: "slot_minutes", Type: "number", Label: "Minutes per slot (5, 10, 15, 20, 30 or 60)", Default: p.SlotMinutes},
				}
			},
		},
	},
}

func (n NewTimeObjects) body(objectType string) svc.Map {
	body := svc.Map{"object_type": objectType}
	if n.Timezone != "" {
		body["timezone"] = n.Timezone
	}
	return body
}

// calendarControl returns the control that selects the calendar of a new object of a
// type.
func (n NewTimeObjects) calendarControl(objectType string) Control {
	preselected := ""
	for _, c := range n.Calendars {
		if c.IsDefault {
			preselected = c.ID
		}
	}
	return Control{ID: "calendar_id", Type: "selector", Label: "Calendar", Default: preselected, Options: CalendarOptions(n.Calendars, objectType)}
}

// CalendarOptions returns an option for each calendar in which the member can store
// objects of a type.
func CalendarOptions(calendars []calendar.Calendar, objectType string) (options svc.List[Option]) {
	component := view.Component(objectType)
	for _, c := range calendars {
		if !c.ReadOnly && c.Accepts(component) {
			options = append(options, Option{c.ID, c.Name})
		}
	}
	return options
}
