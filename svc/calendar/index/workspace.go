package index

import (
	"cmp"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
)

// View is a view of a workspace.
type View string

const (
	DayView    View = "day"
	WeekView   View = "week"
	MonthView  View = "month"
	AgendaView View = "agenda"
	TasksView  View = "tasks"
)

// Values implements [svc.Set].
func (View) Values() []string { return svc.Values(DayView, WeekView, MonthView, AgendaView, TasksView) }

// WorkspaceQuery selects a view and a day.
type WorkspaceQuery struct {
	View View   // "" for a month
	Date string // 2026-12-01; "" for today
	Zone *time.Location
}

// Workspace is a view of a member's calendars. Its local times are those of its
// time zone.
type Workspace struct {
	View     View
	Anchor   time.Time // midnight UTC of the selected day
	From, To time.Time // midnight UTC of the first day, and of the day after the last one

	// GridFrom and GridTo are the days that the lists below cover: the six weeks that
	// contain a month, and otherwise the days from From to To.
	GridFrom, GridTo time.Time

	Timezone   string
	Now        time.Time // in the time zone of the workspace
	Boundaries calendar.Boundaries

	Calendars    []calendar.Calendar
	Appointments []view.Object // one for each occurrence, in the order of time
	Tasks        []view.Object // one for each occurrence; in the tasks view one for each task, open ones first
	Slots        []Slot        // empty unless the view is a day or a week

	AppointmentsInRange, TasksInRange     []view.Object // the items that overlap the days from From to To; not in the tasks view
	AppointmentsTruncated, TasksTruncated bool          // occurrences or tasks are missing because of a limit
}

// Limits of a workspace.
const (
	maxAppointments = 5000
	maxPerObject    = 1000 // occurrences of one object
	maxTasks        = 1000
	completedDays   = 30 // maximum age in days of the completed tasks that the tasks view shows
	agendaDays      = 30
	gridDays        = 6 * 7
)

// ValidUntil returns the time before which a workspace of v does not change without a write. This
// is until, the end of the day or an earlier time, unless one of its tasks becomes overdue or, in
// the tasks view, another occurrence becomes the next one before that.
func (x *Index) ValidUntil(tx *store.Tx, v svc.Viewer, w Workspace, until time.Time) (time.Time, error) {
	if w.View == TasksView {
		upcoming, err := x.Upcoming(tx, v, w.Now.Location())
		if err != nil {
			return until, err
		}
		if upcoming.Until.Before(until) {
			until = upcoming.Until
		}
	}
	for _, task := range w.Tasks {
		if at := task.State.DueChangesAt; !at.IsZero() && at.Before(until) {
			until = at
		}
	}
	return until, nil
}

// Workspace returns a view of the calendars of v.
func (x *Index) Workspace(tx *store.Tx, v svc.Viewer, q WorkspaceQuery) (Workspace, error) {
	w, err := newWorkspace(q, tx.Now())
	if err != nil {
		return w, err
	}
	if w.Boundaries, err = x.calendars.Boundaries(tx, v.Member()); err != nil {
		return w, err
	}
	w.setRange()
	if w.Calendars, err = x.calendars.Calendars(tx, v); err != nil {
		return w, err
	}
	if w.View == TasksView {
		err = x.fillTasks(tx, v, q.Zone, &w)
	} else {
		err = x.fillOccurrences(tx, v, q.Zone, &w)
	}
	return w, err
}

// fillOccurrences sets the appointments, tasks and slots of a time range.
func (x *Index) fillOccurrences(tx *store.Tx, v svc.Viewer, loc *time.Location, w *Workspace) error {
	q := Query{From: startOfDay(w.GridFrom, loc), To: startOfDay(w.GridTo, loc), ObjectType: view.EventType}
	events := collector{limit: maxAppointments + 1, loc: loc, perObject: maxPerObject}
	if err := x.collect(tx, v, loc, q, &events); err != nil {
		return err
	}
	q.ObjectType = view.TaskType
	tasks := collector{limit: maxTasks + 1, loc: loc, perObject: maxPerObject, keep: hasDate}
	if err := x.collect(tx, v, loc, q, &tasks); err != nil {
		return err
	}
	shown, shownTasks := events.list[:min(len(events.list), maxAppointments)], tasks.list[:min(len(tasks.list), maxTasks)]
	w.Appointments, w.AppointmentsTruncated = objectsOf(shown), events.truncated(maxAppointments)
	w.Tasks, w.TasksTruncated = objectsOf(shownTasks), tasks.truncated(maxTasks)
	from, to := startOfDay(w.From, loc), startOfDay(w.To, loc)
	w.AppointmentsInRange, w.TasksInRange = objectsOf(itemsWithin(shown, from, to)), objectsOf(itemsWithin(shownTasks, from, to))
	if w.View == DayView || w.View == WeekView {
		w.Slots = w.slots(shown, loc)
	}
	return nil
}

// itemsWithin returns the occurrences that overlap [from, to), or that have no duration and are in
// it.
func itemsWithin(list []listItem, from, to time.Time) (overlapping []listItem) {
	for _, o := range list {
		if o.From < to.UnixMilli() && (o.to > from.UnixMilli() || o.From >= from.UnixMilli()) {
			overlapping = append(overlapping, o)
		}
	}
	return overlapping
}

// fillTasks sets the tasks of the tasks view.
func (x *Index) fillTasks(tx *store.Tx, v svc.Viewer, loc *time.Location, w *Workspace) error {
	list, truncated, err := x.listTasks(tx, v, loc, taskQuery{since: startOfDay(w.From, loc), until: startOfDay(w.To, loc), limit: maxTasks + 1})
	if err != nil {
		return err
	}
	w.TasksTruncated = truncated || len(list) > maxTasks
	list = list[:min(len(list), maxTasks)]
	slices.SortStableFunc(list, compareTasks)
	for _, t := range list {
		w.Tasks = append(w.Tasks, t.object)
	}
	return nil
}

// newWorkspace returns a workspace with the view and the day of a query.
func newWorkspace(q WorkspaceQuery, now time.Time) (w Workspace, err error) {
	w = Workspace{View: cmp.Or(q.View, MonthView), Timezone: q.Zone.String(), Now: now.In(q.Zone)}
	w.Anchor = time.Date(w.Now.Year(), w.Now.Month(), w.Now.Day(), 0, 0, 0, 0, time.UTC)
	if q.Date == "" {
		return w, nil
	}
	if w.Anchor, err = time.Parse(time.DateOnly, q.Date); err != nil || !HasWorkspace(w.Anchor) {
		return w, svc.ParameterError("date", "The date must look like 2026-12-01, with a year from %d to %d.", minYear, maxYear)
	}
	return w, nil
}

// The first and the last year that a workspace can show.
const (
	minYear = 1600
	maxYear = 8999
)

// HasWorkspace reports whether a day is in the years that workspaces can show.
func HasWorkspace(day time.Time) bool { return day.Year() >= minYear && day.Year() <= maxYear }

// setRange sets the days of the view.
func (w *Workspace) setRange() {
	day := w.Anchor
	switch w.View {
	case DayView:
		w.From, w.To = day, day.AddDate(0, 0, 1)
	case WeekView:
		w.From = w.weekOf(day)
		w.To = w.From.AddDate(0, 0, 7)
	case MonthView:
		w.From = day.AddDate(0, 0, 1-day.Day())
		w.To = w.From.AddDate(0, 1, 0)
	case AgendaView:
		w.From, w.To = day, day.AddDate(0, 0, agendaDays)
	case TasksView:
		w.From, w.To = day.AddDate(0, 0, -completedDays), day.AddDate(0, 0, 1)
	}
	if w.GridFrom, w.GridTo = w.From, w.To; w.View == MonthView {
		w.GridFrom = w.weekOf(w.From)
		w.GridTo = w.GridFrom.AddDate(0, 0, gridDays)
	}
}

// weekOf returns the first day of the week of a day.
func (w *Workspace) weekOf(day time.Time) time.Time {
	start := time.Weekday(slices.Index(w.Boundaries.WeekStart.Values(), string(w.Boundaries.WeekStart))+1) % 7
	return day.AddDate(0, 0, -int(day.Weekday()-start+7)%7)
}

// Previous returns the day of the workspace before this one.
func (w *Workspace) Previous() time.Time { return w.step(-1) }

// Next returns the day of the workspace after this one.
func (w *Workspace) Next() time.Time { return w.step(1) }

func (w *Workspace) step(n int) time.Time {
	switch w.View {
	case DayView:
		return w.Anchor.AddDate(0, 0, n)
	case WeekView:
		return w.Anchor.AddDate(0, 0, 7*n)
	case MonthView:
		return w.From.AddDate(0, n, 0)
	}
	return w.Anchor.AddDate(0, 0, agendaDays*n)
}

// startOfDay returns the time at which a day begins in loc: midnight or, if the
// clocks skip midnight, the first time of that day.
func startOfDay(day time.Time, loc *time.Location) time.Time {
	return ics.Date(day.Year(), day.Month(), day.Day()).Instant(loc)
}
