package calendar

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// The two types of entries.
const (
	EventType = "calendar_event" // a VEVENT
	TaskType  = "task"           // a VTODO
)

// Object is an appointment or a task as people see it. Schema:
// service.time.object.
type Object struct {
	ID          string      `json:"id"`
	ObjectType  string      `json:"object_type"` // EventType or TaskType
	Title       string      `json:"title"`
	Summary     string      `json:"summary"` // when, where, in which calendar
	State       State       `json:"state"`
	Permissions Permissions `json:"permissions"`
}

// Permissions is what the viewer may do with an object.
type Permissions struct {
	CanView   bool `json:"can_view"`
	CanUpdate bool `json:"can_update"`
	CanDelete bool `json:"can_delete"`
}

// State is everything about an object that a runtime may show.
type State struct {
	ID           string `json:"id"`
	UID          string `json:"uid"`
	CalendarID   string `json:"calendar_id"`
	CalendarName string `json:"calendar_name"`
	Color        string `json:"color"` // #rrggbb
	ETag         string `json:"etag"`

	Start       *Moment          `json:"start"` // null for a task without one
	AllDay      bool             `json:"all_day"`
	Timezone    *string          `json:"timezone"` // of the start; null for days and floating times
	Location    string           `json:"location"`
	Description string           `json:"description"`
	Status      string           `json:"status"`
	Recurrence  Recurrence       `json:"recurrence"`
	Occurrence  *Occurrence      `json:"occurrence"` // the one this is about
	Alarms      svc.List[Alarm]  `json:"alarms"`
	Categories  svc.List[string] `json:"categories"`

	*EventState // of an appointment
	*TaskState  // of a task

	SourceService    *string          `json:"source_service"` // whose mirror it is
	SourceObjectType *string          `json:"source_object_type"`
	SourceObjectID   *string          `json:"source_object_id"`
	EditableFields   svc.List[string] `json:"editable_fields"`
	LocalVisibility  string           `json:"local_visibility"` // "visible" or "hidden"
	Cut              svc.List[string] `json:"cut"`              // fields of which a list shows only the beginning
	CreatedAt        string           `json:"created_at"`
	UpdatedAt        string           `json:"updated_at"`
}

// EventState is what only appointments have.
type EventState struct {
	End          Moment `json:"end"`          // of days, the day after the last one
	Transparency string `json:"transparency"` // "opaque" or "transparent"
}

// TaskState is what only tasks have.
type TaskState struct {
	Due             *Moment `json:"due"`
	CompletedAt     *string `json:"completed_at"`
	Priority        int     `json:"priority"`         // 1 highest to 9 lowest, 0 none
	PercentComplete int     `json:"percent_complete"` // 0 to 100
}

// Moment is a day, or a time of day: what the clock shows, and where it hangs.
type Moment struct {
	Date     *string `json:"date"`      // 2026-12-01; null for a time of day
	DateTime *string `json:"date_time"` // 2026-12-01T09:00:00; null for a day
	Timezone *string `json:"timezone"`  // null for a day, and for a time wherever one is
	UTC      *string `json:"utc"`       // the instant, where there is one
}

// Recurrence is how an object repeats.
type Recurrence struct {
	IsRecurring bool             `json:"is_recurring"`
	RRule       *string          `json:"rrule"` // RFC 5545 §3.3.10
	RDates      svc.List[string] `json:"rdates"`
	ExDates     svc.List[string] `json:"exdates"`
	Overrides   int              `json:"overrides"` // instances that differ
}

// Occurrence is one instance of an object.
type Occurrence struct {
	RecurrenceID *string `json:"recurrence_id"` // null if the object does not recur
	Start        *Moment `json:"start"`
	End          *Moment `json:"end"`
}

// Alarm is a reminder. Devices ring it; this server does not.
type Alarm struct {
	Trigger string `json:"trigger"` // a duration such as -PT15M, or an instant
	Related string `json:"related"` // what a duration counts from: "start" or "end"
	Action  string `json:"action"`  // "display", "audio", …
}

// eventFields and taskFields are what a member can change about an object.
var (
	commonFields = []string{"title", "description", "location", "start", "timezone", "all_day", "status", "rrule", "rdates", "exdates", "alarms", "categories", "calendar_id"}
	eventFields  = append(slices.Clone(commonFields), "end", "transparency")
	taskFields   = append(slices.Clone(commonFields), "due", "completed_at", "priority", "percent_complete")
	mirrorFields = []string{"calendar_id", "color", "local_visibility", "alarms"}
)

// viewed is an entry with the calendar it is in, as its viewer reads it.
type viewed struct {
	objectRow
	Calendar string  `db:"calendar_name"`
	Color    string  `db:"color"`
	OwnColor *string `db:"own_color"`
	Zone     string  `db:"calendar_timezone"`
	Role     string  `db:"role"`
}

// series makes the contract of an entry as a whole; its occurrence is the next
// one after now.
func (r viewed) series(o *ics.Object, now time.Time, loc *time.Location) Object {
	c := o.Components()[0]
	return r.about(r.object(o, c), next(o, now, loc), c)
}

// instance makes the contract of one instance of an entry.
func (r viewed) instance(o *ics.Object, i ics.Instance) Object {
	return r.about(r.object(o, i.Component), &i, i.Component)
}

// about completes what was made of c with the instance that it is about.
func (r viewed) about(obj Object, i *ics.Instance, c *ics.Component) Object {
	if i != nil {
		obj.State.Occurrence = occurrenceOf(*i)
	}
	obj.Summary = summary(beginning(i, firstTime(c, "DTSTART")), nil, obj.State.Location, r.Calendar)
	return obj
}

// object makes the contract of what c says.
func (r viewed) object(o *ics.Object, c *ics.Component) Object {
	obj := Object{
		ID: r.ID, ObjectType: EventType, Title: c.Text("SUMMARY"),
		Permissions: Permissions{CanView: true, CanUpdate: r.Role != "read", CanDelete: r.Role != "read" && r.Source == nil},
	}
	start := firstTime(c, "DTSTART")
	obj.State = State{
		ID: r.ID, UID: o.UID, CalendarID: r.CalendarID, CalendarName: r.Calendar, Color: r.Color, ETag: r.ETag,
		Start: momentOrNil(start), AllDay: start.IsDate(), Timezone: zoneName(start),
		Location: c.Text("LOCATION"), Description: c.Text("DESCRIPTION"), Status: statusOf(c),
		Recurrence: recurrence(o), Alarms: alarms(c), Categories: c.List("CATEGORIES"),
		SourceService: r.Source, SourceObjectType: r.SourceType, SourceObjectID: r.SourceID,
		LocalVisibility: "visible", CreatedAt: stamp(r.CreatedAt.Time()), UpdatedAt: stamp(r.UpdatedAt.Time()),
	}
	if r.OwnColor != nil {
		obj.State.Color = *r.OwnColor
	}
	if r.Hidden {
		obj.State.LocalVisibility = "hidden"
	}
	if o.Component == "VTODO" {
		obj.ObjectType = TaskType
		obj.State.TaskState = taskStateOf(c)
		obj.State.AllDay = start.IsDate() || start.IsZero() && c.Time("DUE").IsDate()
	} else {
		obj.State.EventState = eventStateOf(c)
	}
	obj.State.EditableFields = r.editable(obj.ObjectType)
	return obj
}

func (r viewed) editable(objectType string) []string {
	switch {
	case r.Role == "read":
		return nil
	case r.Source != nil:
		return mirrorFields
	case objectType == TaskType:
		return taskFields
	}
	return eventFields
}

// next returns the instance of an object that its viewer wants to hear of: the
// one that a dataset would show; else the next that will be, else the last that
// was; nil if there is none at all.
func next(o *ics.Object, now time.Time, loc *time.Location) *ics.Instance {
	const far = 800 * 24 * time.Hour
	from, to := datasetWindow(now, loc)
	if i := nextWithin(o, from, now, to, loc); i != nil {
		return i
	}
	if i := nextWithin(o, from.Add(-far), now, to.Add(far), loc); i != nil {
		return i
	}
	return nextWithin(o, time.Time{}, now, time.Time{}, loc)
}

// nextWithin returns the first instance in the range that is not over by now,
// else the last one.
func nextWithin(o *ics.Object, from, now, to time.Time, loc *time.Location) *ics.Instance {
	if list, _ := o.Instances(now, to, loc, maxIndexed); len(list) > 0 {
		return &list[0]
	}
	var last *ics.Instance
	for i := range o.InstancesSeq(from, now, loc) {
		if last == nil || i.From >= last.From {
			last = &i
		}
	}
	return last
}

func firstTime(c *ics.Component, names ...string) (t ics.Time) {
	for _, name := range names {
		if t = c.Time(name); !t.IsZero() {
			return t
		}
	}
	return t
}

func moment(t ics.Time) Moment {
	var m Moment
	if t.IsDate() {
		m.Date = new(t.Clock().Format(time.DateOnly))
		return m
	}
	m.DateTime = new(t.Clock().Format(localForm))
	m.Timezone = zoneName(t)
	if m.Timezone != nil {
		m.UTC = new(stamp(t.Instant(nil)))
	}
	return m
}

// localForm is what a clock on the wall shows, in JSON.
const localForm = "2006-01-02T15:04:05"

func momentOrNil(t ics.Time) *Moment {
	if t.IsZero() {
		return nil
	}
	return new(moment(t))
}

func zoneName(t ics.Time) *string {
	if floating(t) || t.IsZero() {
		return nil
	}
	return new(t.Zone().Name())
}

// local prints a time as the writes of this service take it.
func local(t ics.Time) string {
	if t.IsDate() {
		return t.Clock().Format(time.DateOnly)
	}
	return t.Clock().Format(localForm)
}

func recurrence(o *ics.Object) Recurrence {
	r := Recurrence{IsRecurring: o.Recurs(), Overrides: len(o.Overrides)}
	if o.Master == nil {
		return r
	}
	if rule := o.Master.Rule(); rule != nil {
		r.RRule = new(rule.String())
	}
	for _, t := range o.Master.RDates() {
		r.RDates = append(r.RDates, local(t))
	}
	for _, t := range o.Master.ExDates() {
		r.ExDates = append(r.ExDates, local(t))
	}
	return r
}

func occurrenceOf(i ics.Instance) *Occurrence {
	o := &Occurrence{Start: momentOrNil(i.Start), End: momentOrNil(i.End)}
	if !i.RecurrenceID.IsZero() {
		o.RecurrenceID = new(local(i.RecurrenceID))
	}
	return o
}

func alarms(c *ics.Component) svc.List[Alarm] {
	var list svc.List[Alarm]
	for _, a := range c.Alarms() {
		alarm := Alarm{Trigger: a.Offset.String(), Related: "start", Action: strings.ToLower(a.Action)}
		if !a.At.IsZero() {
			alarm.Trigger = stamp(a.At.Instant(nil))
		}
		if a.RelatedToEnd {
			alarm.Related = "end"
		}
		list = append(list, alarm)
	}
	return list
}

// statusOf returns the status in the words of this service (B-58).
func statusOf(c *ics.Component) string {
	status := strings.ReplaceAll(strings.ToLower(c.Text("STATUS")), "-", "_")
	switch {
	case c.Kind() != "VTODO":
		return cmp.Or(status, "confirmed")
	case status == "" && !c.Time("COMPLETED").IsZero():
		return "completed"
	}
	return cmp.Or(status, "needs_action")
}

func eventStateOf(c *ics.Component) *EventState {
	return &EventState{End: moment(eventEnd(c)), Transparency: cmp.Or(strings.ToLower(c.Text("TRANSP")), "opaque")}
}

// eventEnd returns when an appointment ends (RFC 5545 §3.6.1).
func eventEnd(c *ics.Component) ics.Time {
	start := c.Time("DTSTART")
	end := firstTime(c, "DTEND")
	if d, ok := c.Duration("DURATION"); ok && end.IsZero() {
		end = start.Add(d)
	}
	switch {
	case !end.IsZero():
		return end
	case start.IsDate():
		return start.Add(ics.Duration{Days: 1})
	}
	return start
}

func taskStateOf(c *ics.Component) *TaskState {
	t := new(TaskState)
	due := c.Time("DUE")
	if d, ok := c.Duration("DURATION"); ok && due.IsZero() && !c.Time("DTSTART").IsZero() {
		due = c.Time("DTSTART").Add(d)
	}
	t.Due = momentOrNil(due)
	if done := c.Time("COMPLETED"); !done.IsZero() {
		t.CompletedAt = new(stamp(done.Instant(nil)))
	}
	t.Priority, _ = c.Int("PRIORITY")
	t.PercentComplete, _ = c.Int("PERCENT-COMPLETE")
	t.Priority, t.PercentComplete = min(max(t.Priority, 0), 9), min(max(t.PercentComplete, 0), 100)
	return t
}

// beginning returns the time by which people speak of an instance: its start,
// else its end; that of the series if there is none.
func beginning(i *ics.Instance, series ics.Time) ics.Time {
	switch {
	case i == nil:
		return series
	case i.Start.IsZero():
		return i.End
	}
	return i.Start
}

// summary is one line about an object: when, as a clock in loc shows it or the
// entry's own, where, and in which calendar.
func summary(when ics.Time, loc *time.Location, place, calendar string) string {
	var parts []string
	clock := when.Clock()
	if loc != nil && !when.IsDate() && !floating(when) {
		clock = when.Instant(nil).In(loc)
	}
	switch {
	case when.IsZero():
	case when.IsDate():
		parts = append(parts, clock.Format("Mon 2 Jan"))
	default:
		parts = append(parts, clock.Format("Mon 2 Jan 15:04"))
	}
	if place != "" {
		line, _, _ := strings.Cut(place, "\n")
		parts = append(parts, line)
	}
	return strings.Join(append(parts, calendar), " · ")
}

var errNoObject = svc.Errorf(svc.NotFound, "There is no such entry.")
