package panel

import (
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
	AnchorDate string `json:"anchor_date"` // 2026-12-01
	Range      Range  `json:"range"`
	GridRange  Range  `json:"grid_range"` // of the lists: six weeks that contain the month, otherwise the range
	svc.ZoneInUse
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
	WeekendDays    svc.List[calendar.Weekday] `json:"weekend_days"`
	WeekNumberRule calendar.WeekRule          `json:"week_number_rule"` // week 1 is that with 1 January (first_day), or that of ISO 8601 (first_four_days)
}

// TimeOptions contains the data of a panel of Time that is not in its workspace.
type TimeOptions struct {
	Fields   string                      // lists to include, separated by commas; "" for all
	Zone     svc.ZoneSource              // source of the time zone
	Language words.Language              // of the texts
	Locale   string                      // of the member, for the week
	People   map[svc.MemberID]svc.Person // members that the viewer sees, among those who share calendars
	Due      int                         // tasks that are due, see [index.Index.DueTasks]
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
			return svc.ParameterError("fields", "Name parts of the panel among %s, separated by commas.", strings.Join(TimeLists, ", "))
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
	week, l := calendar.WeekOf(o.Locale), o.Language
	p := TimePanel{
		AnchorDate: w.Anchor.Format(time.DateOnly), ZoneInUse: svc.ZoneInUse{Timezone: w.Timezone, Source: o.Zone}, Boundaries: Boundaries{w.Boundaries, week.WeekendDays, week.WeekNumberRule},
		Range:     Range{w.From.Format(localTime), w.To.Format(localTime)},
		GridRange: Range{w.GridFrom.Format(localTime), w.GridTo.Format(localTime)},
		Navigation: Navigation{
			Refresh: o.url(w, w.View, w.Anchor), Previous: o.dayURL(w, w.Previous()), Next: o.dayURL(w, w.Next()), Today: o.url(w, w.View, w.Now),
		},
	}
	p.Panel = Panel{
		Kind: "time", View: string(w.View), Title: l.Text("Calendar"), Summary: timeSummary(l, w), Nav: o.nav(w, p.Navigation), Actions: action.Time.URLs(general),
	}
	p.Actions["create_object"] = action.TimeObjectsURL // the request of create_event and create_task
	o.addLists(&p, w)
	if o.includes("action_descriptors") {
		p.ActionDescriptors = forms(l, &action.Time, general)
	}
	if w.AppointmentsTruncated {
		p.Fallbacks = append(p.Fallbacks, dataset.TruncatedFallback("appointments", l.Text("Not all calendar events are shown. Choose a shorter range to see the others.")))
	}
	if w.TasksTruncated {
		p.Fallbacks = append(p.Fallbacks, dataset.TruncatedFallback("tasks", l.Text("Not all tasks are shown.")))
	}
	return p
}

// addLists adds the included lists to the panel.
func (o TimeOptions) addLists(p *TimePanel, w index.Workspace) {
	l := o.Language
	if o.includes("sections") {
		p.Sections = timeSections(l, w)
	}
	if o.includes("calendars") {
		for _, c := range w.Calendars {
			p.Calendars = append(p.Calendars, record.NewCalendar(c, o.People))
		}
	}
	if o.includes("appointments") {
		p.Appointments = timeObjects(l, w.Appointments)
	}
	if o.includes("tasks") {
		p.Tasks = timeObjects(l, w.Tasks)
	}
	if o.includes("slots") {
		p.Slots = w.Slots
	}
	if o.includes("editable_fields") {
		p.EditableFields = editableFields(l, w.Calendars)
	}
}

func timeObjects(l words.Language, objects []view.Object) svc.List[record.TimeObject] {
	list := make(svc.List[record.TimeObject], len(objects))
	for i, o := range objects {
		list[i] = record.NewTimeObject(l, o)
	}
	return list
}

// localTime is the layout of a local time in JSON.
const localTime = "2006-01-02T15:04:05"

// url returns the URL of a view of a day, in the time zone of w, with the same lists.
func (o TimeOptions) url(w index.Workspace, view index.View, day time.Time) string {
	query := url.Values{"view": {string(view)}, "date": {day.Format(time.DateOnly)}, "timezone": {w.Timezone}}
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
	l := o.Language
	for _, link := range []struct {
		id, label string
		url       *string
	}{{"previous", l.Text("Previous"), n.Previous}, {"today", l.Text("Today"), &n.Today}, {"next", l.Text("Next"), n.Next}} {
		item := NavItem{ID: link.id, Label: link.label}
		if link.url != nil {
			item.Action = *link.url
		}
		nav = append(nav, item)
	}
	for _, view := range action.Options(w.View.Values()...) {
		item := NavItem{ID: view.Value, Label: l.Text(view.Label), Action: o.url(w, index.View(view.Value), w.Anchor), Selected: view.Value == string(w.View)}
		if view.Value == string(index.TasksView) {
			item.Badge = NewBadge(o.Due, Due)
		}
		nav = append(nav, item)
	}
	return nav
}

// timeSummary formats the range and the number of entries in it.
func timeSummary(l words.Language, w index.Workspace) string {
	last := w.To.AddDate(0, 0, -1)
	var span string
	switch w.View {
	case index.TasksView:
		open, finished := splitTasks(w.Tasks)
		return l.Textf("%s: %d to do, %d done", countTasks(l, len(w.Tasks), w.TasksTruncated), len(open), len(finished))
	case index.DayView:
		span = l.Date(w.From, "Monday, 2 January 2006")
	case index.MonthView:
		span = l.Date(w.From, "January 2006")
	default:
		span = l.Date(w.From, "2 January") + " – " + l.Date(last, "2 January 2006")
	}
	return span + " · " + countEvents(l, len(w.AppointmentsInRange), w.AppointmentsTruncated) + ", " + countTasks(l, len(w.TasksInRange), w.TasksTruncated)
}

// countEvents formats a number of calendar events. truncated means that there are more
// than n.
func countEvents(l words.Language, n int, truncated bool) string {
	if truncated {
		return l.Textf("more than %d calendar events", n)
	}
	return l.Textf("{0, plural, =0 {no calendar events} one {# calendar event} other {# calendar events}}", n)
}

// countTasks is countEvents for tasks.
func countTasks(l words.Language, n int, truncated bool) string {
	if truncated {
		return l.Textf("more than %d tasks", n)
	}
	return l.Textf("{0, plural, =0 {no tasks} one {# task} other {# tasks}}", n)
}

// timeSections returns the sections: lists of the range, without the other days of the
// grid.
func timeSections(l words.Language, w index.Workspace) svc.List[Section] {
	events, tasks := action.CalendarOptions(w.Calendars, view.EventType), action.CalendarOptions(w.Calendars, view.TaskType)
	if w.View != index.TasksView {
		return svc.List[Section]{
			timeSection(l, "events", l.Text("Calendar events"), l.Text("No calendar events in this range."), w.AppointmentsInRange, events),
			timeSection(l, "tasks", l.Text("Tasks"), l.Text("No tasks in this range."), w.TasksInRange, tasks),
		}
	}
	open, finished := splitTasks(w.Tasks)
	return svc.List[Section]{
		timeSection(l, "to_do", l.Text("To do"), l.Text("No open tasks."), open, tasks),
		timeSection(l, "done", l.Text("Done"), l.Text("No recently completed tasks."), finished, tasks),
	}
}

// splitTasks returns the open and the finished tasks.
func splitTasks(tasks []view.Object) (open, finished []view.Object) {
	for _, o := range tasks {
		if o.State.IsDone() {
			finished = append(finished, o)
		} else {
			open = append(open, o)
		}
	}
	return open, finished
}

// timeSection lists the first objects, which can be moved to calendars. title and empty,
// its summary if there are none, are in the language l.
func timeSection(l words.Language, id, title, empty string, objects []view.Object, calendars svc.List[action.Option]) Section {
	s := newSection(id, title, empty, items(objects[:min(len(objects), maxItems)], func(o view.Object) PanelItem { return timeItem(l, o, calendars) }))
	if n := len(objects); n > maxItems {
		s.truncate(l, n)
	}
	return s
}

// timeItem returns the item of an occurrence, with the same actions and controls as
// in the dataset, except that the form of update stands for move too. calendars are the
// calendars to which it can be moved.
func timeItem(l words.Language, o view.Object, calendars svc.List[action.Option]) PanelItem {
	st := o.State
	item := PanelItem{ID: o.ID, Title: o.Title, Summary: o.Summary, Metadata: svc.Map{
		"object_type": o.ObjectType, "calendar_id": st.CalendarID, "color": st.Color, "status": st.Status,
		"start": st.Start, "end": endOf(st), "location": st.Location, "calendar_name": st.CalendarName, // the parts of the summary
	}}
	if st.Occurrence != nil {
		item.Metadata["start"], item.Metadata["end"] = st.Occurrence.Start, st.Occurrence.End
	}
	if st.Occurrence != nil && st.Occurrence.RecurrenceID != nil {
		id := *st.Occurrence.RecurrenceID
		item.ID += "@" + id
		item.Metadata["recurrence_id"] = id
	}
	if st.TaskState != nil {
		item.Metadata["is_overdue"] = st.IsOverdue
	}
	for _, q := range action.TimeObjects.Requests(l, action.TimeObject{Object: o, Calendars: calendars}, true) {
		if q.ID != "move" { // only for runtimes that draw the times, which show the appointments
			item.Actions = append(item.Actions, PanelAction(q))
		}
	}
	return item
}

// endOf returns the end of an event, or the due time of a task; nil for none.
func endOf(st view.State) *view.Moment {
	switch {
	case st.EventState != nil:
		return &st.End
	case st.TaskState != nil:
		return st.Due
	}
	return nil
}
