package action

import (
	"net/url"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
)

// TimeObject is a calendar entry, or one occurrence of a series.
type TimeObject struct {
	view.Object
	Calendars svc.List[Option] // calendars to which the entry can be moved
}

// Requests that several entries share.
const (
	changeObject = "PATCH /world/time/objects/{id}"
	deleteObject = "DELETE /world/time/objects/{id}"
)

// TimeObjects declares the actions on calendar entries.
var TimeObjects = Table[TimeObject]{
	Kind: "time",
	ID:   func(o TimeObject) string { return o.ID },
	Entries: []Entry[TimeObject]{
		{Name: "open", Type: "open_time_object", Label: "Open", Request: "GET /world/time/objects/{id}"},
		{
			Name: "complete", Type: "update_time_object", Label: "Mark as done", Request: changeObject, Query: TimeObject.occurrenceQuery,
			Allowed: func(o TimeObject) bool { return o.canComplete() && !o.State.IsDone() },
			Fixed:   svc.Map{"status": "completed"}, Body: TimeObject.occurrenceBody,
		},
		{
			Name: "complete_up_to_today", Type: "update_time_object", Label: "Mark all up to today as done", Request: changeObject,
			Query:   func(o TimeObject) string { return o.scopeQuery(edit.UpToToday) },
			Allowed: func(o TimeObject) bool { return o.canComplete() && o.State.OthersDue },
			Fixed:   svc.Map{"status": "completed"},
			Body:    func(o TimeObject) svc.Map { return svc.Map{"scope": edit.UpToToday, "recurrence_id": o.recurrenceID()} },
		},
		{
			Name: "reopen", Type: "update_time_object", Label: "Mark as not done", Request: changeObject, Query: TimeObject.occurrenceQuery,
			Allowed: func(o TimeObject) bool { return o.canComplete() && o.State.IsDone() },
			Fixed:   svc.Map{"status": "needs_action"}, Body: TimeObject.occurrenceBody,
		},
		{
			Name: "update", Type: "update_time_object", Label: "Edit", Request: changeObject, Query: TimeObject.recurrenceQuery,
			Allowed: func(o TimeObject) bool { return o.Permissions.CanUpdate },
			Body:    TimeObject.versionBody, Scopes: TimeObject.scopes, Controls: TimeObject.controls,
		},
		{
			Name: "move", Type: "move_time_object", Label: "Move", Request: changeObject, Query: TimeObject.recurrenceQuery,
			Allowed: TimeObject.canMove,
			Body:    TimeObject.versionBody, Scopes: TimeObject.scopes, Controls: TimeObject.moveControls,
		},
		{
			Name: "delete_occurrence", Type: "delete_time_object", Label: "Delete occurrence", Request: deleteObject, Query: TimeObject.occurrenceQuery, Alias: "delete",
			Allowed: func(o TimeObject) bool { return o.Permissions.CanDelete && o.recurrenceID() != "" }, Destructive: true,
		},
		{
			Name: "delete_future", Type: "delete_time_object", Label: "Delete this and later", Request: deleteObject, Alias: "delete",
			Query:   func(o TimeObject) string { return o.scopeQuery(edit.ThisAndFuture) },
			Allowed: func(o TimeObject) bool { return o.Permissions.CanDelete && o.canSplit() }, Confirm: irreversibleWarning, Destructive: true,
		},
		{
			Name: "delete", Type: "delete_time_object", Request: deleteObject,
			LabelOf: func(o TimeObject) words.Text {
				if o.recurrenceID() != "" {
					return words.Textf("Delete series")
				}
				return words.Textf("Delete")
			},
			Allowed: func(o TimeObject) bool { return o.Permissions.CanDelete }, Destructive: true,
		},
	},
}

// TimeObjectActions returns the domain_actions of the source of a calendar entry: the
// contract names these three.
func TimeObjectActions(o view.Object) svc.List[string] {
	return TimeObjects.DomainActions(TimeObject{Object: o}, "open", "update", "delete")
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
func (o TimeObject) occurrenceQuery() string { return o.scopeQuery(edit.This) }

// scopeQuery returns the query that selects the occurrence with a scope, or with the
// scope of the body if scope is "". It returns "" for the whole entry.
func (o TimeObject) scopeQuery(scope edit.Scope) string {
	id := o.recurrenceID()
	if id == "" {
		return ""
	}
	query := url.Values{"recurrence_id": {id}}
	if scope != "" {
		query.Set("scope", string(scope))
	}
	return "?" + query.Encode()
}

// recurrenceQuery returns the query that selects the occurrence with the scope of the
// body.
func (o TimeObject) recurrenceQuery() string { return o.scopeQuery("") }

// versionBody returns the fields that name the version of the entry and the
// occurrence.
func (o TimeObject) versionBody() svc.Map {
	body := svc.Map{"etag": o.State.ETag}
	if id := o.recurrenceID(); id != "" {
		body["recurrence_id"] = id
	}
	return body
}

// occurrenceBody returns the fields that name the occurrence; nil for the whole entry.
func (o TimeObject) occurrenceBody() svc.Map {
	if id := o.recurrenceID(); id != "" {
		return svc.Map{"scope": edit.This, "recurrence_id": id}
	}
	return nil
}

// scopes returns the parts of a series to which a change of the occurrence can
// apply; none for an entry that does not recur. The member's settings for a mirror
// apply to all of it.
func (o TimeObject) scopes() svc.List[Option] {
	switch {
	case o.recurrenceID() == "" || o.isMirror():
		return nil
	case !o.canSplit():
		return svc.List[Option]{option(edit.This, "Only this one"), option(edit.All, "All")}
	}
	return svc.List[Option]{option(edit.This, "Only this one"), option(edit.ThisAndFuture, "This and all later ones"), option(edit.All, "All")}
}

// canSplit reports whether the occurrence belongs to a series, and not only to a set
// of overrides, which have no rule that can end.
func (o TimeObject) canSplit() bool {
	return o.recurrenceID() != "" && (o.State.Recurrence.RRule != nil || len(o.State.Recurrence.RDates) > 0)
}

func (o TimeObject) isMirror() bool { return o.State.SourceService != nil }

// canMove reports whether the viewer may change the times of the entry, if it has
// any.
func (o TimeObject) canMove() bool {
	start, end := o.times()
	return o.Permissions.CanUpdate && !o.isMirror() && (start != "" || end != "")
}

// canComplete reports whether the viewer may complete and reopen the entry.
func (o TimeObject) canComplete() bool {
	return o.ObjectType == view.TaskType && o.Permissions.CanUpdate
}

// NewTimeObjects contains the data of the actions of Time that concern no entry.
type NewTimeObjects struct {
	Calendars   []calendar.Calendar
	Start       string               // proposed start of an event; "" for none
	Timezone    string               // proposed time zone of the times that the member enters
	Preferences *calendar.Boundaries // nil in the dataset
}

// Time declares the actions of Time that concern no entry.
var Time = Table[NewTimeObjects]{
	Kind: "time",
	Entries: []Entry[NewTimeObjects]{
		{
			Name: "create_event", Type: "create_time_object", Label: "New calendar event", Request: "POST /world/time/objects",
			Body: func(NewTimeObjects) svc.Map { return svc.Map{"object_type": view.EventType} },
			Controls: func(n NewTimeObjects) svc.List[Control] {
				return svc.List[Control]{
					titleControl(""), dateTimeControl("start", "Starts", true, n.Start), dateTimeControl("end", "Ends", false, ""),
					checkboxControl("all_day", "All day", false), zoneControl(n.Timezone), endZoneControl(), locationControl(""), notesControl(""), recurrenceControl(""),
					{ID: "alarm_minutes", Type: DurationInput, Label: "Reminder (minutes before)"}, n.calendarControl(view.EventType), classControl(),
				}
			},
		},
		{
			Name: "create_task", Type: "create_time_object", Label: "New task", Request: "POST /world/time/objects",
			Body: func(NewTimeObjects) svc.Map { return svc.Map{"object_type": view.TaskType} },
			Controls: func(n NewTimeObjects) svc.List[Control] {
				return svc.List[Control]{
					titleControl(""), dateTimeControl("due", "Due", false, ""), zoneControl(n.Timezone), priorityControl(), notesControl(""), recurrenceControl(""), n.calendarControl(view.TaskType), classControl(),
				}
			},
		},
		{
			Name: "create_calendar", Type: "create_calendar", Label: "New calendar", Request: "POST /world/calendars",
			Controls: func(n NewTimeObjects) svc.List[Control] {
				return calendarControls(calendar.Calendar{Color: calendar.NextColor(colorsOf(n.Calendars))})
			},
		},
		{
			Name: "set_preferences", Type: "update_time_preferences", Label: "Edit days and weeks", Request: "PATCH /world/time/preferences", Alias: "update",
			Allowed: func(n NewTimeObjects) bool { return n.Preferences != nil },
			Controls: func(n NewTimeObjects) svc.List[Control] {
				p := n.Preferences
				return svc.List[Control]{
					{ID: "day_start", Type: TimeInput, Label: "Day starts", Default: p.DayStart}, {ID: "day_end", Type: TimeInput, Label: "Day ends", Default: p.DayEnd},
					{ID: "week_start", Type: SelectorInput, Label: "Week starts", Default: string(p.WeekStart), Options: Options(p.WeekStart.Values()...)},
					{ID: "slot_minutes", Type: NumberInput, Label: "Minutes per slot (5, 10, 15, 20, 30 or 60)", Default: p.SlotMinutes},
				}
			},
		},
	},
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
	return Control{ID: "calendar_id", Type: SelectorInput, Label: "Calendar", Default: preselected, Options: CalendarOptions(n.Calendars, objectType)}
}

// CalendarOptions returns an option for each calendar in which the member can store
// objects of a type.
func CalendarOptions(calendars []calendar.Calendar, objectType string) (options svc.List[Option]) {
	component := view.Component(objectType)
	for _, c := range calendars {
		if !c.ReadOnly && c.Accepts(component) {
			options = append(options, Option{Value: c.ID, Label: c.Name, Name: true})
		}
	}
	return options
}
