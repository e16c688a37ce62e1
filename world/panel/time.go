package panel

import (
	"fmt"
	"net/url"
	"time"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/world/action"
	"appliance/world/dataset"
	"appliance/world/record"
)

// TimePanel is the panel of Time: a day, a week, a month, an agenda or the
// tasks. Local times are in Timezone. Schema: service.time.workspace.
type TimePanel struct {
	Panel
	AnchorDate     string                      `json:"anchor_date"` // 2026-12-01
	Range          Range                       `json:"range"`
	Timezone       string                      `json:"timezone"` // IANA name
	Boundaries     calendar.Boundaries         `json:"boundaries"`
	Calendars      svc.List[record.Calendar]   `json:"calendars"`
	Appointments   svc.List[record.TimeObject] `json:"appointments"` // one per occurrence in the range, in order of time
	Tasks          svc.List[record.TimeObject] `json:"tasks"`        // tasks with a time in the range; in the view tasks, all open tasks and those completed in the range
	Slots          svc.List[index.Slot]        `json:"slots"`        // only of a day or a week
	EditableFields svc.List[EditableField]     `json:"editable_fields"`
	Navigation     Navigation                  `json:"navigation"`
	Fallbacks      svc.List[dataset.Fallback]  `json:"fallbacks"` // reasons for missing objects
}

// Range is a half-open interval of local times.
type Range struct {
	Start string `json:"start"` // 2026-12-01T00:00:00
	End   string `json:"end"`
}

// Navigation links to other dates in the same view.
type Navigation struct {
	Refresh  string  `json:"refresh"`  // the same view
	Previous *string `json:"previous"` // null at the first date
	Next     *string `json:"next"`     // null at the last date
	Today    string  `json:"today"`
}

// EditableField describes the input for a field of a calendar object. The
// state.editable_fields of an object names those that can be changed.
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

// NewTimePanel returns the workspace as World shows it.
func NewTimePanel(w index.Workspace) TimePanel {
	p := TimePanel{
		AnchorDate: w.Anchor.Format(time.DateOnly), Timezone: w.Timezone, Boundaries: w.Boundaries, Slots: w.Slots,
		Range:          Range{w.From.Format(localTime), w.To.Format(localTime)},
		EditableFields: editableFields(w.Calendars),
		Navigation: Navigation{
			Refresh: timeURL(w, w.View, w.Anchor), Previous: turn(w, w.Previous()), Next: turn(w, w.Next()), Today: timeURL(w, w.View, w.Now),
		},
	}
	for _, c := range w.Calendars {
		p.Calendars = append(p.Calendars, record.NewCalendar(c))
	}
	for _, o := range w.Appointments {
		p.Appointments = append(p.Appointments, record.NewTimeObject(o))
	}
	for _, o := range w.Tasks {
		p.Tasks = append(p.Tasks, record.NewTimeObject(o))
	}
	p.Panel = Panel{
		Kind: "time", View: w.View, Title: "Time", Summary: timeSummary(w), Nav: timeNav(w, p.Navigation), Sections: timeSections(w),
		Actions:           svc.Dict[string]{"create_object": action.TimeObjectsURL, "create_calendar": action.CalendarsURL},
		ActionDescriptors: timeForms(w),
	}
	if w.AppointmentsTruncated {
		p.Fallbacks = append(p.Fallbacks, dataset.Truncated("appointments", "There are more calendar events than are shown. Look at fewer days to see more of them."))
	}
	if w.TasksTruncated {
		p.Fallbacks = append(p.Fallbacks, dataset.Truncated("tasks", "There are more tasks than are shown."))
	}
	return p
}

// localTime is what a clock on the wall shows, in JSON.
const localTime = "2006-01-02T15:04:05"

// timeURL is the address of a view of a day, in the time zone of w.
func timeURL(w index.Workspace, view string, day time.Time) string {
	query := url.Values{"view": {view}, "date": {day.Format(time.DateOnly)}, "timezone": {w.Timezone}}
	return action.TimePanelURL + "?" + query.Encode()
}

// turn is the address of the same view of another day, nil if there is none.
func turn(w index.Workspace, day time.Time) *string {
	if !index.InRange(day) {
		return nil
	}
	return new(timeURL(w, w.View, day))
}

func timeNav(w index.Workspace, n Navigation) (nav svc.List[NavItem]) {
	for _, turn := range []struct {
		id, label string
		url       *string
	}{{"previous", "Before", n.Previous}, {"today", "Today", &n.Today}, {"next", "After", n.Next}} {
		item := NavItem{ID: turn.id, Label: turn.label}
		if turn.url != nil {
			item.Action = *turn.url
		}
		nav = append(nav, item)
	}
	for _, view := range action.Options(index.Views...) {
		nav = append(nav, NavItem{view.Value, view.Label, timeURL(w, view.Value, w.Anchor), view.Value == w.View})
	}
	return nav
}

// timeSummary says in a line which time it is and how much is in it.
func timeSummary(w index.Workspace) string {
	tasks := count(len(w.Tasks), w.TasksTruncated, "task")
	last := w.To.AddDate(0, 0, -1)
	var when string
	switch w.View {
	case index.TasksView:
		open, done := sorted(w.Tasks)
		return fmt.Sprintf("%s: %d to do, %d done", tasks, len(open), len(done))
	case index.DayView:
		when = w.From.Format("Monday, 2 January 2006")
	case index.MonthView:
		when = w.From.Format("January 2006")
	default:
		when = w.From.Format("2 January") + " – " + last.Format("2 January 2006")
	}
	return when + " · " + count(len(w.Appointments), w.AppointmentsTruncated, "calendar event") + ", " + tasks
}

// count says how many there are of something.
func count(n int, more bool, what string) string {
	switch {
	case more:
		return fmt.Sprintf("more than %d %ss", n, what)
	case n == 0:
		return "no " + what + "s"
	case n == 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func timeSections(w index.Workspace) svc.List[Section] {
	if w.View != index.TasksView {
		return svc.List[Section]{
			timeSection("Calendar events", "No calendar events in this time.", w.Appointments),
			timeSection("Tasks", "No tasks in this time.", w.Tasks),
		}
	}
	open, done := sorted(w.Tasks)
	return svc.List[Section]{
		timeSection("To do", "Nothing to do.", open),
		timeSection("Done", "No task was done lately.", done),
	}
}

// sorted returns the tasks that are to do, and the others.
func sorted(tasks []view.Object) (open, done []view.Object) {
	for _, o := range tasks {
		if finished(o) {
			done = append(done, o)
		} else {
			open = append(open, o)
		}
	}
	return open, done
}

// timeSection lists the first of the objects, or says that there are none.
func timeSection(title, none string, objects []view.Object) Section {
	s := Section{Title: title}
	switch n := len(objects); {
	case n == 0:
		s.Summary = none
	case n > maxItems:
		s.Summary = fmt.Sprintf("The first %d of %d.", maxItems, n)
		objects = objects[:maxItems]
	}
	for _, o := range objects {
		s.Items = append(s.Items, timeItem(o))
	}
	return s
}

func timeItem(o view.Object) PanelItem {
	st := o.State
	item := PanelItem{ID: o.ID, Title: o.Title, Summary: o.Summary, Metadata: svc.Map{
		"object_type": o.ObjectType, "calendar_id": st.CalendarID, "color": st.Color, "status": st.Status,
	}}
	self := record.NewTimeObject(o).Links.Self
	which, one := svc.Map{}, self // of a series, the one instance
	recurs := st.Occurrence != nil && st.Occurrence.RecurrenceID != nil
	if recurs {
		id := *st.Occurrence.RecurrenceID
		item.ID += "@" + id
		item.Metadata["recurrence_id"] = id
		which = svc.Map{"scope": "this", "recurrence_id": id}
		one += "?" + url.Values{"scope": {"this"}, "recurrence_id": {id}}.Encode()
	}
	add := func(id, label, kind, method, url string, body svc.Map) {
		item.Actions = append(item.Actions, PanelAction{id, label, kind, method, url, body})
	}
	add("open", "Open", "open_time_object", "GET", self, nil)
	if o.ObjectType == view.TaskType && o.Permissions.CanUpdate {
		if finished(o) {
			which["status"] = "needs_action"
			add("reopen", "Not done", "update_time_object", "PATCH", self, which)
		} else {
			which["status"] = "completed"
			add("complete", "Done", "update_time_object", "PATCH", self, which)
		}
	}
	if o.Permissions.CanDelete {
		add("delete", "Delete", "delete_time_object", "DELETE", one, nil)
		if recurs {
			add("delete_all", "Delete all of the series", "delete_time_object", "DELETE", self, nil)
		}
	}
	return item
}

// finished reports whether nothing is left to do of a task.
func finished(o view.Object) bool {
	return o.State.Status == "completed" || o.State.Status == "cancelled"
}

// timeForms are the forms of the panel.
func timeForms(w index.Workspace) svc.List[Descriptor] {
	create := func(id, label, objectType string, controls svc.List[action.Control]) Descriptor {
		controls = append(controls, action.CalendarControl(w.Calendars), action.HiddenControl("object_type", objectType), action.HiddenControl("timezone", w.Timezone))
		return form(id, label, "POST", action.TimeObjectsURL, controls...)
	}
	start := w.Anchor.Format(time.DateOnly) + "T" + w.Boundaries.DayStart + ":00"
	return svc.List[Descriptor]{
		create("create_event", action.NewEvent, view.EventType, action.NewEventControls(start)),
		create("create_task", action.NewTask, view.TaskType, action.NewTaskControls()),
		form("create_calendar", action.NewCalendar, "POST", action.CalendarsURL, action.NewCalendarControls()...),
		form("set_preferences", "Days and weeks", "PATCH", action.TimePreferencesURL,
			action.Control{ID: "day_start", Type: "time", Label: "Days begin", Default: w.Boundaries.DayStart},
			action.Control{ID: "day_end", Type: "time", Label: "Days end", Default: w.Boundaries.DayEnd},
			action.Control{ID: "week_start", Type: "selector", Label: "Weeks begin", Default: w.Boundaries.WeekStart, Options: action.Options(calendar.Weekdays...)},
			action.Control{ID: "slot_minutes", Type: "number", Label: "Minutes of a slot: 5, 10, 15, 20, 30 or 60", Default: w.Boundaries.SlotMinutes}),
	}
}

// editableFields are all that an appointment or a task may have.
func editableFields(calendars []calendar.Calendar) svc.List[EditableField] {
	event, task := svc.List[string]{view.EventType}, svc.List[string]{view.TaskType}
	both := append(event, task...)
	return svc.List[EditableField]{
		{ID: "title", Type: "text", Label: "Title", Required: true, AppliesTo: both, MaxLength: svc.MaxTitle},
		{ID: "start", Type: "datetime", Label: "Starts", Required: true, AppliesTo: event},
		{ID: "end", Type: "datetime", Label: "Ends", AppliesTo: event},
		{ID: "start", Type: "datetime", Label: "Starts", AppliesTo: task},
		{ID: "due", Type: "datetime", Label: "Due", AppliesTo: task},
		{ID: "all_day", Type: "checkbox", Label: "All day", AppliesTo: both},
		{ID: "timezone", Type: "text", Label: "Time zone", AppliesTo: both},
		{ID: "location", Type: "text", Label: "Where", AppliesTo: both, MaxLength: svc.MaxSummary},
		{ID: "description", Type: "textarea", Label: "Notes", AppliesTo: both, MaxLength: svc.MaxBody},
		{ID: "rrule", Type: "text", Label: "Repeats (RRULE)", AppliesTo: both, MaxLength: svc.MaxSummary},
		{ID: "rdates", Type: "datetime", Label: "Also on", Multiple: true, AppliesTo: both},
		{ID: "exdates", Type: "datetime", Label: "But not on", Multiple: true, AppliesTo: both},
		{ID: "alarms", Type: "alarm", Label: "Reminders", Multiple: true, AppliesTo: both},
		{ID: "status", Type: "selector", Label: "Status", AppliesTo: event, Options: action.Options(action.EventStatuses...)},
		{ID: "status", Type: "selector", Label: "Status", AppliesTo: task, Options: action.Options(action.TaskStatuses...)},
		{ID: "transparency", Type: "selector", Label: "Keeps the time busy", AppliesTo: event, Options: svc.List[action.Option]{{Value: "opaque", Label: "Yes"}, {Value: "transparent", Label: "No"}}},
		{ID: "priority", Type: "number", Label: "Priority, 1 first", AppliesTo: task},
		{ID: "percent_complete", Type: "number", Label: "Done, in percent", AppliesTo: task},
		{ID: "completed_at", Type: "datetime", Label: "Done at", AppliesTo: task},
		{ID: "categories", Type: "text", Label: "Categories", Multiple: true, AppliesTo: both, MaxLength: svc.MaxName},
		{ID: "calendar_id", Type: "selector", Label: "Calendar", AppliesTo: both, Options: action.CalendarOptions(calendars)},
		{ID: "color", Type: "text", Label: "Color", AppliesTo: event, MaxLength: 7},
		{ID: "local_visibility", Type: "selector", Label: "Show it", AppliesTo: event, Options: action.Options("visible", "hidden")},
	}
}
