package calendar

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// The views of a workspace.
const (
	DayView    = "day"
	WeekView   = "week"
	MonthView  = "month"
	AgendaView = "agenda"
	TasksView  = "tasks"
)

// Views are all of them.
var Views = []string{DayView, WeekView, MonthView, AgendaView, TasksView}

// WorkspaceQuery says what a member looks at.
type WorkspaceQuery struct {
	View string // "" for a month
	Date string // 2026-12-01; "" for today
	Zone *time.Location
}

// Workspace is a stretch of a member's time with all that is in it (B-59).
// Local times in it are those of its time zone.
type Workspace struct {
	View       string
	Anchor     time.Time // midnight UTC of the day that was asked for
	From, To   time.Time // midnight UTC of the first day, and of the one after the last
	Timezone   string
	Now        time.Time // in the time zone
	Boundaries Boundaries

	Calendars    []Calendar
	Appointments []Object // each instance, in the order of time
	Tasks        []Object // likewise; in the view of tasks each once, those to do first
	Slots        []Slot   // of a day or a week

	// There are more than are listed here.
	MoreAppointments, MoreTasks bool
}

// Slot is one piece of a day.
type Slot struct {
	Start     string           `json:"start"` // 2026-12-01T09:00:00, in the time zone of the whole
	End       string           `json:"end"`
	Busy      bool             `json:"busy"`
	ObjectIDs svc.List[string] `json:"object_ids"` // what keeps it busy; some of it, if it is much
}

// Bounds of one workspace (B-60).
const (
	maxShown   = 5000 // instances
	maxOfOne   = 1000 // instances of one entry
	maxTasks   = 1000
	maxInSlot  = 20
	doneDays   = 30 // for so long tasks that are done are listed
	agendaDays = 30
)

// Workspace returns what v looks at.
func (s *Service) Workspace(tx *store.Tx, v svc.Viewer, q WorkspaceQuery) (Workspace, error) {
	w, err := newWorkspace(q, tx.Now())
	if err != nil {
		return w, err
	}
	loc := q.Zone
	if w.Boundaries, err = s.Boundaries(tx, v.Member()); err != nil {
		return w, err
	}
	w.span()
	if w.Calendars, err = s.Calendars(tx, v); err != nil {
		return w, err
	}
	if w.View == TasksView {
		err = s.toDo(tx, v, loc, &w)
		return w, err
	}
	from, to := midnightOf(w.From, loc), midnightOf(w.To, loc)
	events := first{count: maxShown + 1, loc: loc, each: maxOfOne}
	if err := s.gather(tx, v, loc, Query{From: from, To: to, ObjectType: EventType}, &events); err != nil {
		return w, err
	}
	tasks := first{count: maxTasks + 1, loc: loc, each: maxOfOne, keep: dated}
	if err := s.gather(tx, v, loc, Query{From: from, To: to, ObjectType: TaskType}, &tasks); err != nil {
		return w, err
	}
	shown := events.list[:min(len(events.list), maxShown)]
	w.Appointments, w.MoreAppointments = objectsOf(shown), events.more || events.full || len(events.list) > maxShown
	w.Tasks, w.MoreTasks = objectsOf(tasks.list[:min(len(tasks.list), maxTasks)]), tasks.more || tasks.full || len(tasks.list) > maxTasks
	if w.View == DayView || w.View == WeekView {
		w.Slots = w.slots(shown, loc)
	}
	return w, nil
}

// newWorkspace reads the query.
func newWorkspace(q WorkspaceQuery, now time.Time) (w Workspace, err error) {
	w = Workspace{View: cmp.Or(q.View, MonthView), Timezone: q.Zone.String(), Now: now.In(q.Zone)}
	if !slices.Contains(Views, w.View) {
		return w, svc.ParameterError("view", "view must be one of %s.", strings.Join(Views, ", "))
	}
	w.Anchor = time.Date(w.Now.Year(), w.Now.Month(), w.Now.Day(), 0, 0, 0, 0, time.UTC)
	if q.Date == "" {
		return w, nil
	}
	if w.Anchor, err = time.Parse(time.DateOnly, q.Date); err != nil || !Reachable(w.Anchor) {
		return w, svc.ParameterError("date", "date must look like 2026-12-01 and be of a year from %d to %d.", firstYear, lastYear)
	}
	return w, nil
}

// The years that a workspace can be of.
const (
	firstYear = 1600
	lastYear  = 8999
)

// Reachable reports whether a workspace can be of that day.
func Reachable(day time.Time) bool { return day.Year() >= firstYear && day.Year() <= lastYear }

// span sets the days that the view is of.
func (w *Workspace) span() {
	day := w.Anchor
	switch w.View {
	case DayView:
		w.From, w.To = day, day.AddDate(0, 0, 1)
	case WeekView:
		start := time.Weekday(slices.Index(Weekdays, w.Boundaries.WeekStart)+1) % 7
		w.From = day.AddDate(0, 0, -int(day.Weekday()-start+7)%7)
		w.To = w.From.AddDate(0, 0, 7)
	case MonthView:
		w.From = day.AddDate(0, 0, 1-day.Day())
		w.To = w.From.AddDate(0, 1, 0)
	case AgendaView:
		w.From, w.To = day, day.AddDate(0, 0, agendaDays)
	case TasksView:
		w.From, w.To = day.AddDate(0, 0, -doneDays), day.AddDate(0, 0, 1)
	}
}

// Previous and Next return the day to ask for to see what is before and after.
func (w *Workspace) Previous() time.Time { return w.turned(-1) }

// Next is like Previous.
func (w *Workspace) Next() time.Time { return w.turned(1) }

func (w *Workspace) turned(n int) time.Time {
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

// midnightOf returns when a day begins in loc: as soon as a clock shows it,
// where none shows midnight.
func midnightOf(day time.Time, loc *time.Location) time.Time {
	return ics.Date(day.Year(), day.Month(), day.Day()).Instant(loc)
}

// dated reports whether an instance has a time. A task that has none is listed
// in the view of tasks alone.
func dated(i ics.Instance) bool { return !i.Start.IsZero() || !i.End.IsZero() }

func objectsOf(list []placed) []Object {
	objects := make([]Object, len(list))
	for i, p := range list {
		objects[i] = p.Object
	}
	return objects
}

// slots cuts the days of the workspace into slots, each day from its midnight
// on: where clocks are changed it has fewer or more. What is cancelled or
// transparent keeps none busy.
func (w *Workspace) slots(list []placed, loc *time.Location) []Slot {
	var begins []time.Time
	for day := w.From; day.Before(w.To); day = day.AddDate(0, 0, 1) {
		end := midnightOf(day.AddDate(0, 0, 1), loc)
		for t := midnightOf(day, loc); t.Before(end); t = t.Add(time.Duration(w.Boundaries.SlotMinutes) * time.Minute) {
			begins = append(begins, t)
		}
	}
	if len(begins) == 0 {
		return nil // Samoa had no 30 December 2011
	}
	ends := append(begins[1:len(begins):len(begins)], midnightOf(w.To, loc))
	made := make([]Slot, len(begins))
	for i := range made {
		made[i] = Slot{Start: begins[i].In(loc).Format(localForm), End: ends[i].In(loc).Format(localForm)}
	}
	for _, p := range list {
		if p.State.Status == "cancelled" || p.State.Transparency == "transparent" || !p.starts.Before(p.ends) {
			continue
		}
		first, _ := slices.BinarySearchFunc(ends, p.starts, func(end, start time.Time) int { return cmp.Or(end.Compare(start), -1) })
		for i := first; i < len(begins) && begins[i].Before(p.ends); i++ {
			made[i].Busy = true
			if ids := &made[i].ObjectIDs; len(*ids) < maxInSlot && !slices.Contains(*ids, p.Object.ID) {
				*ids = append(*ids, p.Object.ID)
			}
		}
	}
	return made
}
