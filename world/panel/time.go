package panel

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
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
	GridRange      Range                       `json:"grid_range"` // of the lists: six weeks that contain the month, otherwise the range
	Timezone       string                      `json:"timezone"`   // IANA name
	Boundaries     Boundaries                  `json:"boundaries"`
	Calendars      svc.List[record.Calendar]   `json:"calendars"`
	Appointments   svc.List[record.TimeObject] `json:"appointments"` // one per occurrence in the grid_range, in order of time
	Tasks          svc.List[record.TimeObject] `json:"tasks"`        // tasks with a time in the grid_range; in the view tasks, all open tasks and those completed in the range
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

// Boundaries are the member's preferences for views, with the week of the member's
// locale.
type Boundaries struct {
	calendar.Boundaries
	WeekendDays    svc.List[string] `json:"weekend_days"`     // "saturday", "sunday"
	WeekNumberRule string           `json:"week_number_rule"` // week 1 is the "first_day" week with 1 January, or the "first_four_days" week of ISO 8601
}

// TimeOptions contains the data of a panel of Time that is not in its workspace.
type TimeOptions struct {
	Fields string                      // lists to include, separated by commas; "" for all
	Locale string                      // of the member
	People map[svc.MemberID]svc.Person // members whom the viewer can see, among those who share calendars
}

// TimeLists are the lists of the panel that a request can select.
var TimeLists = []string{"sections", "calendars", "appointments", "tasks", "slots", "editable_fields", "action_descriptors"}

// includes reports whether the panel contains a list.
func (o TimeOptions) includes(list string) bool {
	return o.Fields == "" || slices.Contains(strings.Split(o.Fields, ","), list)
}

// Check returns an error unless the options name lists of the panel.
func (o TimeOptions) Check() error {
	for name := range strings.SplitSeq(o.Fields, ",") {
		if o.Fields != "" && !slices.Contains(TimeLists, name) {
			return svc.ParameterError("fields", "fields must contain names among %s, separated by commas.", strings.Join(TimeLists, ", "))
		}
	}
	return nil
}

// NewTimePanel returns the panel of a view. Lists that the options do not include are
// empty.
func NewTimePanel(w index.Workspace, o TimeOptions) TimePanel {
	general := action.NewTimeObjects{
		Calendars: w.Calendars, Timezone: w.Timezone, Preferences: &w.Boundaries,
		Start: w.Anchor.Format(time.DateOnly) + "T" + w.Boundaries.DayStart + ":00",
	}
	week := calendar.WeekOf(o.Locale)
	p := TimePanel{
		AnchorDate: w.Anchor.Format(time.DateOnly), Timezone: w.Timezone, Boundaries: Boundaries{w.Boundaries, week.WeekendDays, week.WeekNumberRule},
		Range:     Range{w.From.Format(localTime), w.To.Format(localTime)},
		GridRange: Range{w.GridFrom.Format(localTime), w.GridTo.Format(localTime)},
		Navigation: Navigation{
			Refresh: o.url(w, w.View, w.Anchor), Previous: o.dayURL(w, w.Previous()), Next: o.dayURL(w, w.Next()), Today: o.url(w, w.View, w.Now),
		},
	}
	p.Panel = Panel{
		Kind: "time", View: w.View, Title: "Calendar", Summary: timeSummary(w), Nav: o.nav(w, p.Navigation), Actions: action.Time.URLs(general),
	}
	p.Actions["create_object"] = action.TimeObjectsURL // the request of create_event and create_task
	o.addLists(&p, w)
	if o.includes("action_descriptors") {
		p.ActionDescriptors = forms(words.English, &action.Time, general)
	}
	if w.AppointmentsTruncated {
		p.Fallbacks = append(p.Fallbacks, dataset.Truncated("appointments", "Not all calendar events are shown. Choose a shorter range to see the others."))
	}
	if w.TasksTruncated {
		p.Fallbacks = append(p.Fallbacks, dataset.Truncated("tasks", "Not all tasks are shown."))
	}
	return p
}

// addLists adds the included lists to the panel.
func (o TimeOptions) addLists(p *TimePanel, w index.Workspace) {
	if o.includes("sections") {
		p.Sections = timeSections(w)
	}
	if o.includes("calendars") {
		for _, c := range w.Calendars {
			p.Calendars = append(p.Calendars, record.NewCalendar(c, o.People))
		}
	}
	if o.includes("appointments") {
		p.Appointments = timeObjects(w.Appointments)
	}
	if o.includes("tasks") {
		p.Tasks = timeObjects(w.Tasks)
	}
	if o.includes("slots") {
		p.Slots = w.Slots
	}
	if o.includes("editable_fields") {
		p.EditableFields = editableFields(w.Calendars)
	}
}

func timeObjects(objects []view.Object) svc.List[record.TimeObject] {
	list := make(svc.List[record.TimeObject], len(objects))
	for i, o := range objects {
		list[i] = record.NewTimeObject(words.English, o)
	}
	return list
}

// localTime is the layout of a local time in JSON.
const localTime = "2006-01-02T15:04:05"

// url returns the URL of a view of a day, in the time zone of w, with the same lists.
func (o TimeOptions) url(w index.Workspace, view string, day time.Time) string {
	query := url.Values{"view": {view}, "date": {day.Format(time.DateOnly)}, "timezone": {w.Timezone}}
	if o.Fields != "" {
		query.Set("fields", o.Fields)
	}
	return action.TimePanelURL + "?" + query.Encode()
}

// dayURL returns the URL of the same view of another day, nil if the day is out
// of range.
func (o TimeOptions) dayURL(w index.Workspace, day time.Time) *string {
	if !index.HasWorkspace(day) {
		return nil
	}
	return new(o.url(w, w.View, day))
}

func (o TimeOptions) nav(w index.Workspace, n Navigation) (nav svc.List[NavItem]) {
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
		item := NavItem{ID: view.Value, Label: view.Label, Action: o.url(w, view.Value, w.Anchor), Selected: view.Value == w.View}
		if view.Value == index.TasksView {
			item.Badge = NewBadge(w.Due, Due)
		}
		nav = append(nav, item)
	}
	return nav
}

// timeSummary formats the range and the number of entries in it.
func timeSummary(w index.Workspace) string {
	last := w.To.AddDate(0, 0, -1)
	var span string
	switch w.View {
	case index.TasksView:
		open, finished := splitTasks(w.Tasks)
		return fmt.Sprintf("%s: %d to do, %d done", formatTruncatedCount(len(w.Tasks), w.TasksTruncated, "task"), len(open), len(finished))
	case index.DayView:
		span = w.From.Format("Monday, 2 January 2006")
	case index.MonthView:
		span = w.From.Format("January 2006")
	default:
		span = w.From.Format("2 January") + " – " + last.Format("2 January 2006")
	}
	return span + " · " + formatTruncatedCount(len(w.AppointmentsInRange), w.AppointmentsTruncated, "calendar event") + ", " +
		formatTruncatedCount(len(w.TasksInRange), w.TasksTruncated, "task")
}

// formatTruncatedCount formats a number with a noun. truncated means that there
// are more than n.
func formatTruncatedCount(n int, truncated bool, one string) string {
	if truncated {
		return fmt.Sprintf("more than %d %ss", n, one)
	}
	return formatCount(n, one, one+"s")
}

// timeSections returns the sections: lists of the range, without the other days of the
// grid.
func timeSections(w index.Workspace) svc.List[Section] {
	events, tasks := action.CalendarOptions(w.Calendars, view.EventType), action.CalendarOptions(w.Calendars, view.TaskType)
	if w.View != index.TasksView {
		return svc.List[Section]{
			timeSection("events", "Calendar events", "No calendar events in this range.", w.AppointmentsInRange, events),
			timeSection("tasks", "Tasks", "No tasks in this range.", w.TasksInRange, tasks),
		}
	}
	open, finished := splitTasks(w.Tasks)
	return svc.List[Section]{
		timeSection("to_do", "To do", "No open tasks.", open, tasks),
		timeSection("done", "Done", "No recently completed tasks.", finished, tasks),
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

// timeSection lists the first objects, which can be moved to calendars. empty is its
// summary if there are none.
func timeSection(id, title, empty string, objects []view.Object, calendars svc.List[action.Option]) Section {
	s := Section{ID: id, Title: title}
	switch n := len(objects); {
	case n == 0:
		s.Summary = empty
	case n > maxItems:
		s.Summary = fmt.Sprintf("The first %d of %d.", maxItems, n)
		objects = objects[:maxItems]
	}
	for _, o := range objects {
		s.Items = append(s.Items, timeItem(o, calendars))
	}
	return s
}

// timeItem returns the item of an occurrence, with the same actions and controls as
// in the dataset, except that the form of update stands for move too. calendars are the
// calendars to which it can be moved.
func timeItem(o view.Object, calendars svc.List[action.Option]) PanelItem {
	st := o.State
	item := PanelItem{ID: o.ID, Title: o.Title, Summary: o.Summary, Metadata: svc.Map{
		"object_type": o.ObjectType, "calendar_id": st.CalendarID, "color": st.Color, "status": st.Status,
	}}
	if st.Occurrence != nil && st.Occurrence.RecurrenceID != nil {
		id := *st.Occurrence.RecurrenceID
		item.ID += "@" + id
		item.Metadata["recurrence_id"] = id
	}
	if st.TaskState != nil {
		item.Metadata["is_overdue"] = st.IsOverdue
	}
	for _, q := range action.TimeObjects.Requests(words.English, action.TimeObject{Object: o, Calendars: calendars}, true) {
		if q.ID != "move" { // only for runtimes that draw the times, which show the appointments
			item.Actions = append(item.Actions, PanelAction(q))
		}
	}
	return item
}
