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
	Slots          svc.List[index.Slot]        `json:"slots"`        // only in the views day and week
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
	Refresh  string  `json:"refresh"`  // URL of the same view at the same date
	Previous *string `json:"previous"` // null at the first date
	Next     *string `json:"next"`     // null at the last date
	Today    string  `json:"today"`
}

// NewTimePanel returns the panel of a view.
func NewTimePanel(w index.Workspace) TimePanel {
	general := action.NewTimeObjects{
		Calendars: w.Calendars, Timezone: w.Timezone, Preferences: &w.Boundaries,
		Start: w.Anchor.Format(time.DateOnly) + "T" + w.Boundaries.DayStart + ":00",
	}
	p := TimePanel{
		AnchorDate: w.Anchor.Format(time.DateOnly), Timezone: w.Timezone, Boundaries: w.Boundaries, Slots: w.Slots,
		Range:          Range{w.From.Format(localTime), w.To.Format(localTime)},
		EditableFields: editableFields(w.Calendars),
		Navigation: Navigation{
			Refresh: timeURL(w, w.View, w.Anchor), Previous: dayURL(w, w.Previous()), Next: dayURL(w, w.Next()), Today: timeURL(w, w.View, w.Now),
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
		Kind: "time", View: w.View, Title: "Calendar", Summary: timeSummary(w), Nav: timeNav(w, p.Navigation), Sections: timeSections(w),
		Actions: action.Time.URLs(general), ActionDescriptors: forms(&action.Time, general),
	}
	p.Actions["create_object"] = action.TimeObjectsURL // the request of create_event and create_task
	if w.AppointmentsTruncated {
		p.Fallbacks = append(p.Fallbacks, dataset.Truncated("appointments", "Not all calendar events are shown. Choose a shorter range to see the others."))
	}
	if w.TasksTruncated {
		p.Fallbacks = append(p.Fallbacks, dataset.Truncated("tasks", "Not all tasks are shown."))
	}
	return p
}

// localTime is the layout of a local time in JSON.
const localTime = "2006-01-02T15:04:05"

// timeURL returns the URL of a view of a day, in the time zone of w.
func timeURL(w index.Workspace, view string, day time.Time) string {
	query := url.Values{"view": {view}, "date": {day.Format(time.DateOnly)}, "timezone": {w.Timezone}}
	return action.TimePanelURL + "?" + query.Encode()
}

// dayURL returns the URL of the same view of another day, nil if the day is out
// of range.
func dayURL(w index.Workspace, day time.Time) *string {
	if !index.HasWorkspace(day) {
		return nil
	}
	return new(timeURL(w, w.View, day))
}

func timeNav(w index.Workspace, n Navigation) (nav svc.List[NavItem]) {
	for _, link := range []struct {
		id, label string
		url       *string
	}{{"previous", "Previous", n.Previous}, {"today", "Today", &n.Today}, {"next", "Next", n.Next}} {
		item := NavItem{ID: link.id, Label: link.label}
		if link.url != nil {
			item.Action = *link.url
		}
		nav = append(nav, item)
	}
	for _, view := range action.Options(index.Views...) {
		item := NavItem{ID: view.Value, Label: view.Label, Action: timeURL(w, view.Value, w.Anchor), Selected: view.Value == w.View}
		if view.Value == index.TasksView {
			item.Badge = NewBadge(w.Due, Due)
		}
		nav = append(nav, item)
	}
	return nav
}

// timeSummary formats the range and the number of entries in it.
func timeSummary(w index.Workspace) string {
	tasks := formatTruncatedCount(len(w.Tasks), w.TasksTruncated, "task")
	last := w.To.AddDate(0, 0, -1)
	var span string
	switch w.View {
	case index.TasksView:
		open, finished := splitTasks(w.Tasks)
		return fmt.Sprintf("%s: %d to do, %d done", tasks, len(open), len(finished))
	case index.DayView:
		span = w.From.Format("Monday, 2 January 2006")
	case index.MonthView:
		span = w.From.Format("January 2006")
	default:
		span = w.From.Format("2 January") + " – " + last.Format("2 January 2006")
	}
	return span + " · " + formatTruncatedCount(len(w.Appointments), w.AppointmentsTruncated, "calendar event") + ", " + tasks
}

// formatTruncatedCount formats a number with a noun. truncated means that there
// are more than n.
func formatTruncatedCount(n int, truncated bool, one string) string {
	if truncated {
		return fmt.Sprintf("more than %d %ss", n, one)
	}
	return formatCount(n, one, one+"s")
}

func timeSections(w index.Workspace) svc.List[Section] {
	if w.View != index.TasksView {
		return svc.List[Section]{
			timeSection("Calendar events", "No calendar events in this range.", w.Appointments),
			timeSection("Tasks", "No tasks in this range.", w.Tasks),
		}
	}
	open, finished := splitTasks(w.Tasks)
	return svc.List[Section]{
		timeSection("To do", "No open tasks.", open),
		timeSection("Done", "No recently completed tasks.", finished),
	}
}

// splitTasks returns the open and the finished tasks.
func splitTasks(tasks []view.Object) (open, finished []view.Object) {
	for _, o := range tasks {
		if action.Finished(o) {
			finished = append(finished, o)
		} else {
			open = append(open, o)
		}
	}
	return open, finished
}

// timeSection lists the first objects. empty is its summary if there are none.
func timeSection(title, empty string, objects []view.Object) Section {
	s := Section{Title: title}
	switch n := len(objects); {
	case n == 0:
		s.Summary = empty
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
	if st.Occurrence != nil && st.Occurrence.RecurrenceID != nil {
		id := *st.Occurrence.RecurrenceID
		item.ID += "@" + id
		item.Metadata["recurrence_id"] = id
	}
	item.Actions = buttons(&action.TimeObjects, action.TimeObject{Object: o})
	return item
}
