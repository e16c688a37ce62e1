package action

import (
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
)

// TimeField declares the control of one field of calendar entries. The form of an
// entry and the editable_fields of the panel are derived from the same declarations.
type TimeField struct {
	Control
	AppliesTo svc.List[string] // object types

	value func(TimeObject) any
}

var (
	events         = svc.List[string]{view.EventType}
	tasks          = svc.List[string]{view.TaskType}
	eventsAndTasks = svc.List[string]{view.EventType, view.TaskType}
)

// timeFields declares all fields, in the order of forms.
var timeFields = []TimeField{
	{titleControl(""), eventsAndTasks, func(o TimeObject) any { return o.Title }},
	{dateTimeControl("start", "Starts", true, ""), events, TimeObject.start},
	{dateTimeControl("end", "Ends", false, ""), events, TimeObject.end},
	{dateTimeControl("start", "Starts", false, ""), tasks, TimeObject.start},
	{dateTimeControl("due", "Due", false, ""), tasks, TimeObject.end},
	{zoneControl(""), eventsAndTasks, func(o TimeObject) any { return valueOf(o.State.Timezone) }},
	{endZoneControl(), events, TimeObject.endTimezone},
	{dueZoneControl(), tasks, TimeObject.endTimezone},
	{checkboxControl("all_day", "All day", false), eventsAndTasks, func(o TimeObject) any { return o.State.AllDay }},
	{locationControl(""), eventsAndTasks, func(o TimeObject) any { return o.State.Location }},
	{notesControl(""), eventsAndTasks, func(o TimeObject) any { return o.State.Description }},
	{recurrenceControl(""), eventsAndTasks, func(o TimeObject) any { return valueOf(o.State.Recurrence.RRule) }},
	{listControl("rdates", DateTimeInput, "Additional dates"), eventsAndTasks, func(o TimeObject) any { return o.State.Recurrence.RDates }},
	{listControl("exdates", DateTimeInput, "Excluded dates"), eventsAndTasks, func(o TimeObject) any { return o.State.Recurrence.ExDates }},
	{listControl("alarms", AlarmInput, "Reminders"), eventsAndTasks, func(o TimeObject) any { return o.State.Alarms }},
	{selector("status", "Status", Options(edit.EventStatus("").Values()...)), events, func(o TimeObject) any { return o.State.Status }},
	{selector("status", "Status", Options(edit.TaskStatus("").Values()...)), tasks, func(o TimeObject) any { return o.State.Status }},
	{classControl(), eventsAndTasks, func(o TimeObject) any { return o.State.Class }},
	{selector("transparency", "Show as", svc.List[Option]{option(edit.Opaque, "Busy"), option(edit.Transparent, "Free")}), events, func(o TimeObject) any { return o.State.Transparency }},
	{priorityControl(), tasks, func(o TimeObject) any { return o.State.Priority }},
	{Control{ID: "percent_complete", Type: NumberInput, Label: "Progress in percent"}, tasks, func(o TimeObject) any { return o.State.PercentComplete }},
	{dateTimeControl("completed_at", "Completed at", false, ""), tasks, TimeObject.completedAt},
	{categoriesControl(), eventsAndTasks, func(o TimeObject) any { return o.State.Categories }},
	{selector("calendar_id", "Calendar", nil), events, func(o TimeObject) any { return o.State.CalendarID }},
	{selector("calendar_id", "Calendar", nil), tasks, func(o TimeObject) any { return o.State.CalendarID }},
	{colorControl("color", "Color", ""), events, func(o TimeObject) any { return o.State.Color }},
	{selector("local_visibility", "Visibility", Options(view.LocalVisibility("").Values()...)), events, func(o TimeObject) any { return string(o.State.LocalVisibility) }},
}

// TimeFields returns all fields with labels in the language l, and with the calendars to
// which the member can move an entry.
func TimeFields(l words.Language, calendars []calendar.Calendar) []TimeField {
	list := slices.Clone(timeFields)
	for i, f := range list {
		if f.ID == "calendar_id" {
			list[i].Options = CalendarOptions(calendars, f.AppliesTo[0])
		}
		list[i].Control = translateControls(l, svc.List[Control]{list[i].Control})[0]
	}
	return list
}

// controls returns the controls of the fields that the member can change, with their
// values. It omits truncated fields: the form would overwrite their remainder.
func (o TimeObject) controls() (controls svc.List[Control]) {
	for _, f := range timeFields {
		st := o.State
		if !slices.Contains(f.AppliesTo, o.ObjectType) || !slices.Contains(st.EditableFields, f.ID) || slices.Contains(st.Truncated, f.ID) {
			continue
		}
		c := f.Control
		c.Default = f.value(o)
		if c.ID == "calendar_id" {
			if c.Options = o.Calendars; len(c.Options) == 0 {
				continue
			}
		}
		controls = append(controls, c)
	}
	return controls
}

// moveControls returns the controls of the times of the entry.
func (o TimeObject) moveControls() (controls svc.List[Control]) {
	for _, c := range o.controls() {
		switch c.ID {
		case "start", "end", "due":
			if c.Default == "" {
				continue
			}
			if c.Required = true; o.State.AllDay {
				c.Type = DateInput
			}
			controls = append(controls, c)
		case "timezone", "end_timezone":
			if !o.State.AllDay {
				controls = append(controls, c)
			}
		}
	}
	return controls
}

// moments returns the start and the end of the occurrence, or those of an entry that
// does not recur, nil for none.
func (o TimeObject) moments() (start, end *view.Moment) {
	st := o.State
	switch {
	case o.recurrenceID() != "":
		return st.Occurrence.Start, st.Occurrence.End
	case st.EventState != nil:
		return st.Start, &st.End
	case st.TaskState != nil:
		return st.Start, st.Due
	}
	return st.Start, nil
}

// times returns the start and the end like moments, as texts, "" for none.
func (o TimeObject) times() (start, end string) {
	from, to := o.moments()
	return from.Text(), to.Text()
}

func (o TimeObject) start() any {
	start, _ := o.times()
	return start
}

func (o TimeObject) end() any {
	_, end := o.times()
	return end
}

func (o TimeObject) endTimezone() any { return view.EndTimezone(o.moments()) }

func (o TimeObject) completedAt() any {
	if o.State.CompletedAt == nil {
		return ""
	}
	return o.State.CompletedAt.Format(time.RFC3339)
}

func valueOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// selector returns a control that offers options, without a default.
func selector(id, label string, options svc.List[Option]) Control {
	return Control{ID: id, Type: SelectorInput, Label: label, Options: options}
}

// listControl returns a control for a list of values.
func listControl(id string, controlType ControlType, label string) Control {
	return Control{ID: id, Type: controlType, Label: label, Multiple: true}
}

// classControl returns the control for what others see of an entry.
func classControl() Control {
	c := selector("class", "In shared calendars", svc.List[Option]{
		option(edit.Public, "Others see the whole entry."),
		option(edit.Confidential, "Others see only that you are busy."),
		option(edit.Private, "Others do not see this entry."),
	})
	c.Default = string(edit.Public)
	return c
}

func categoriesControl() Control {
	c := listControl("categories", TextInput, "Categories")
	c.MaxLength = svc.MaxName
	return c
}

// endZoneControl returns the control for the time zone of the end of an event. It is empty
// if that is the one of the start.
func endZoneControl() Control {
	c := zoneControl("")
	c.ID, c.Label = "end_timezone", "Time zone of the end"
	return c
}

// dueZoneControl is like endZoneControl, for the due time of a task.
func dueZoneControl() Control {
	c := endZoneControl()
	c.Label = "Time zone of the due time"
	return c
}

func notesControl(value string) Control {
	return areaControl("description", "Notes", svc.MaxBody, value)
}

func priorityControl() Control {
	return Control{ID: "priority", Type: NumberInput, Label: "Priority (1 is the highest)", Default: 0}
}
