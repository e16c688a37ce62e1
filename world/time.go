package world

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/calendar"
)

// TimeObject is an appointment or a task with the addresses where it can be
// changed. Schema: service.time.object.
type TimeObject struct {
	calendar.Object
	Links   Links            `json:"links"`
	Actions svc.Dict[string] `json:"actions"`
}

// Links are addresses of something itself.
type Links struct {
	Self string `json:"self"`
}

// NewTimeObject returns the object as World shows it.
func NewTimeObject(o calendar.Object) TimeObject {
	self := objectsURL + "/" + o.ID
	return TimeObject{o, Links{self}, svc.Dict[string]{"update": self, "delete": self}}
}

// Calendar is a calendar with the addresses where it can be changed. Schema:
// service.time.calendar.
type Calendar struct {
	calendar.Calendar
	Links   Links            `json:"links"`
	Actions svc.Dict[string] `json:"actions"`
}

// NewCalendar returns the calendar as World shows it.
func NewCalendar(c calendar.Calendar) Calendar {
	self := calendarsURL + "/" + c.ID
	return Calendar{c, Links{self}, svc.Dict[string]{"update": self, "delete": self}}
}

// CutShort says of a page of instances why it is not all there is, if it is not.
func CutShort(p calendar.Page) svc.List[Fallback] {
	if !p.Cut {
		return nil
	}
	return svc.List[Fallback]{truncated("objects", "Some entries repeat so often that not all of it could be found.")}
}

// agenda is how many of the next entries the context of time names.
const agenda = 20

// maxObjects is how many calendar entries a dataset has. With the threads of
// Messages and what there is of Social it has at most 2,000 objects (B-82).
const maxObjects = 1000

// time brings in appointments and tasks.
func (c *composer) time(cal *calendar.Service) error {
	upcoming, err := cal.Upcoming(c.tx, c.viewer, c.loc)
	if err != nil {
		return err
	}
	c.ends(upcoming.Until)
	calendars, err := cal.Calendars(c.tx, c.viewer)
	if err != nil {
		return err
	}
	listed := upcoming.Entries
	cut := upcoming.Cut || len(listed) > maxObjects
	listed = listed[:min(len(listed), maxObjects)]
	entries, short, err := c.timeEntries(cal, calendars, listed)
	if err != nil {
		return err
	}
	if cut || short {
		c.fallbacks = append(c.fallbacks, truncated("objects", "There are more calendar entries than are shown."))
	}
	c.entries = append(c.entries, entries...)
	actions := c.timeActions(calendars)
	if err := c.act(actions...); err != nil {
		return err
	}
	ctx := Context{ContextID: "ctx_time", Kind: "time", Label: "Time", Target: Target{Kind: "workspace"}}
	for _, a := range actions {
		ctx.ActionIDs = append(ctx.ActionIDs, a.ActionID)
	}
	for _, e := range entries[:min(agenda, len(entries))] {
		ctx.Items = append(ctx.Items, ContextItem{
			ItemID: e.id, Label: e.label, Target: Target{Kind: "object", WorldObjectID: e.id}, ActionIDs: e.actionIDs,
		})
	}
	return c.context(ctx)
}

// Of all entries in a dataset, maxOctets bounds what they are encoded, and
// maxText what they are as text; atOnce is how much text is read before it is
// encoded.
const (
	maxOctets = 16 << 20
	maxText   = 64 << 20
	atOnce    = 16 << 20
)

// timeEntries returns the entries in their order, those that are kept and
// those that have to be made, as many as a dataset can hold.
func (c *composer) timeEntries(cal *calendar.Service, calendars []calendar.Calendar, listed []calendar.UpcomingEntry) (list []*entry, cut bool, err error) {
	fingerprint, options := c.calendarsPrint(calendars), calendarOptions(calendars)
	key := func(e calendar.UpcomingEntry) entryKey { return entryKey{e.ID, e.Version, fingerprint} }
	octets, text := 0, 0
	for len(listed) > 0 && !cut {
		part, size := 0, 0
		made := make(map[string]*entry, len(listed))
		var missing []string
		var fresh []calendar.UpcomingEntry
		for ; part < len(listed) && (part == 0 || size+listed[part].Size <= atOnce); part++ {
			e := listed[part]
			size += e.Size // of what is kept too: twice the same question, twice the same answer
			if old := c.before.made[key(e)]; old != nil {
				made[e.ID], c.made[key(e)] = old, old
				continue
			}
			missing, fresh = append(missing, e.ID), append(fresh, e)
		}
		if text += size; text > maxText {
			return list, true, nil
		}
		short, err := c.makeEntries(cal, options, missing, made)
		if err != nil {
			return nil, false, err
		}
		for _, e := range fresh {
			if made[e.ID] != nil && !short { // what is cut is not kept
				c.made[key(e)] = made[e.ID]
			}
		}
		for _, e := range listed[:part] {
			if made[e.ID] == nil {
				continue
			}
			if octets += made[e.ID].size(); octets > maxOctets {
				return list, true, nil
			}
			list = append(list, made[e.ID])
		}
		listed, cut = listed[part:], cut || short
	}
	return list, cut, nil
}

// makeEntries adds the entries of those ids to made.
func (c *composer) makeEntries(cal *calendar.Service, options svc.List[Option], ids []string, made map[string]*entry) (cut bool, err error) {
	if len(ids) == 0 {
		return false, nil
	}
	objects, cut, err := cal.Load(c.tx, c.viewer, c.loc, ids)
	if err != nil {
		return false, err
	}
	for _, o := range objects {
		if made[o.ID], err = c.timeEntry(o, options); err != nil {
			return false, err
		}
	}
	return cut, nil
}

// calendarsPrint is a hash of all that shows of an entry but the entry itself:
// its calendar, those it could be moved to, and the zone it is read in.
func (c *composer) calendarsPrint(calendars []calendar.Calendar) int64 {
	h := sha256.New()
	fmt.Fprint(h, c.loc)
	for _, cal := range calendars {
		fmt.Fprintf(h, " %q %q %t", cal.ID, cal.ETag, cal.ReadOnly)
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}

func calendarOptions(calendars []calendar.Calendar) svc.List[Option] {
	var options svc.List[Option]
	for _, c := range calendars {
		if !c.ReadOnly {
			options = append(options, Option{c.ID, c.Name})
		}
	}
	return options
}

// timeEntry makes the object of an entry and the actions on it.
func (c *composer) timeEntry(o calendar.Object, calendars svc.List[Option]) (*entry, error) {
	source := Source{Kind: "service", Service: "time", ResourceType: o.ObjectType, ResourceID: o.ID}
	id := c.names.object(source)
	self := objectsURL + "/" + o.ID
	target := Target{Kind: "object", WorldObjectID: id}
	actions := []Action{c.available(Action{
		ActionID: c.names.action("time_open", o.ID, c.viewer.Member()), Type: "open_time_object", Label: "Open", Target: target,
		Command: Command{URL: self, Method: "GET"},
	})}
	if o.Permissions.CanUpdate {
		actions = append(actions, c.available(Action{
			ActionID: c.names.action("time_update", o.ID, c.viewer.Member()), Type: "update_time_object", Label: "Change", Target: target,
			Command:  Command{URL: self, Method: "PATCH"},
			Controls: changeControls(o, calendars),
		}))
	}
	if o.Permissions.CanDelete {
		actions = append(actions, c.available(Action{
			ActionID: c.names.action("time_delete", o.ID, c.viewer.Member()), Type: "delete_time_object", Label: "Delete", Target: target,
			Command: Command{URL: self, Method: "DELETE"},
		}))
	}
	object := Object{
		WorldObjectID: id, ObjectType: o.ObjectType, Source: source, Title: o.Title, Summary: o.Summary, State: o.State,
		Permissions: Permissions{CanView: o.Permissions.CanView, CanUpdate: o.Permissions.CanUpdate, CanDelete: o.Permissions.CanDelete},
	}
	e, err := c.encodeEntry(object, actions)
	if s := o.State; err == nil && s.SourceObjectID != nil { // a mirror (W-15)
		e.tiedTo = c.names.object(Source{Kind: "service", Service: *s.SourceService, ResourceType: *s.SourceObjectType, ResourceID: *s.SourceObjectID})
		object.Actions, object.Relationships = e.actionIDs, svc.List[Relationship]{{"mirror_of", Target{Kind: "object", WorldObjectID: e.tiedTo}}}
		e.tied, err = beginning(object)
	}
	return e, err
}

// timeActions are what can be done that is about no entry.
func (c *composer) timeActions(calendars []calendar.Calendar) []Action {
	workspace := Target{Kind: "workspace"}
	create := func(code, label, objectType string, controls svc.List[Control]) Action {
		return c.available(Action{
			ActionID: c.names.action(code, "", c.viewer.Member()), Type: "create_time_object", Label: label, Target: workspace,
			Command:  Command{URL: objectsURL, Method: "POST", Body: svc.Map{"object_type": objectType}},
			Controls: append(controls, inCalendar(calendars)),
		})
	}
	return []Action{
		create("time_create_event", newEvent, calendar.EventType, eventControls("")),
		create("time_create_task", newTask, calendar.TaskType, taskControls()),
		c.available(Action{
			ActionID: c.names.action("calendar_create", "", c.viewer.Member()), Type: "create_calendar", Label: newCalendar, Target: workspace,
			Command:  Command{URL: calendarsURL, Method: "POST"},
			Controls: calendarControls(),
		}),
	}
}

// Where new entries and calendars are sent to, and what making one is called.
const (
	objectsURL   = "/world/time/objects"
	calendarsURL = "/world/calendars"
	newEvent     = "New calendar event"
	newTask      = "New task"
	newCalendar  = "New calendar"
)

// eventControls are the values of a new appointment, but for its calendar.
func eventControls(start string) svc.List[Control] {
	return svc.List[Control]{
		title(""), datetime("start", "Starts", true, start), datetime("end", "Ends", false, ""), checkbox("all_day", "All day", false),
		location(""), description(""), repeat(""), {ID: "alarm_minutes", Type: "number", Label: "Remind, minutes before"},
	}
}

// taskControls are the values of a new task, but for its calendar.
func taskControls() svc.List[Control] {
	return svc.List[Control]{title(""), datetime("due", "Due", false, ""), priority(0), description(""), repeat("")}
}

// calendarControls are the values of a new calendar.
func calendarControls() svc.List[Control] {
	return svc.List[Control]{
		{ID: "name", Type: "text", Label: "Name", Required: true, Default: "", MaxLength: svc.MaxName},
		{ID: "color", Type: "text", Label: "Color", Default: "#3b82f6", MaxLength: 7},
	}
}

// inCalendar chooses the calendar of something new, at first the default one.
func inCalendar(calendars []calendar.Calendar) Control {
	first := ""
	for _, cal := range calendars {
		if cal.IsDefault {
			first = cal.ID
		}
	}
	return Control{ID: "calendar_id", Type: "selector", Label: "Calendar", Default: first, Options: calendarOptions(calendars)}
}

// changeControls are the values of an entry that a member can change, as they
// are.
func changeControls(o calendar.Object, calendars svc.List[Option]) svc.List[Control] {
	st := o.State
	var controls svc.List[Control]
	if st.SourceService == nil {
		controls = append(controls, title(o.Title))
		if st.EventState != nil {
			controls = append(controls, datetime("start", "Starts", true, when(st.Start)), datetime("end", "Ends", false, when(&st.End)))
		} else {
			controls = append(controls, datetime("start", "Starts", false, when(st.Start)), datetime("due", "Due", false, when(st.Due)))
		}
		rule := ""
		if st.Recurrence.RRule != nil {
			rule = *st.Recurrence.RRule
		}
		controls = append(controls, checkbox("all_day", "All day", st.AllDay), location(st.Location), description(st.Description), repeat(rule))
		if st.EventState != nil {
			controls = append(controls, status(st.Status, eventStatuses))
		} else {
			controls = append(controls, status(st.Status, taskStatuses), priority(st.Priority))
		}
	}
	// Whoever sent back what is only the beginning would lose the rest.
	controls = slices.DeleteFunc(controls, func(c Control) bool { return slices.Contains(st.Cut, c.ID) })
	return append(controls, Control{ID: "calendar_id", Type: "selector", Label: "Calendar", Default: st.CalendarID, Options: calendars})
}

// when is a moment as the writes of time take it.
func when(m *calendar.Moment) string {
	switch {
	case m == nil:
		return ""
	case m.Date != nil:
		return *m.Date
	}
	return *m.DateTime
}

func title(now string) Control {
	return Control{ID: "title", Type: "text", Label: "Title", Required: true, Default: now, MaxLength: svc.MaxTitle}
}

func location(now string) Control {
	return Control{ID: "location", Type: "text", Label: "Where", Default: now, MaxLength: svc.MaxSummary}
}

func description(now string) Control {
	return Control{ID: "description", Type: "textarea", Label: "Notes", Default: now, MaxLength: svc.MaxBody}
}

func repeat(now string) Control {
	return Control{ID: "rrule", Type: "text", Label: "Repeats (RRULE)", Default: now, MaxLength: svc.MaxSummary}
}

func datetime(id, label string, required bool, now string) Control {
	return Control{ID: id, Type: "datetime", Label: label, Required: required, Default: now}
}

func checkbox(id, label string, now bool) Control {
	return Control{ID: id, Type: "checkbox", Label: label, Default: now}
}

func priority(now int) Control {
	return Control{ID: "priority", Type: "number", Label: "Priority, 1 first", Default: now}
}

var (
	eventStatuses = []string{"tentative", "confirmed", "cancelled"}
	taskStatuses  = []string{"needs_action", "in_process", "completed", "cancelled"}
)

func status(now string, values []string) Control {
	return Control{ID: "status", Type: "selector", Label: "Status", Default: now, Options: options(values...)}
}

// options are choices whose names say what they are.
func options(values ...string) (list svc.List[Option]) {
	for _, v := range values {
		label := strings.ReplaceAll(v, "_", " ")
		list = append(list, Option{v, strings.ToUpper(label[:1]) + label[1:]})
	}
	return list
}

// Trashed is something that its member deleted, with the addresses where it
// can be brought back or deleted for good.
type Trashed struct {
	calendar.Trashed
	Actions svc.Dict[string] `json:"actions"`
}

// NewTrashed returns it as World shows it.
func NewTrashed(t calendar.Trashed) Trashed {
	self := "/world/time/trash/" + t.ID
	return Trashed{t, svc.Dict[string]{"restore": self + "/restore", "delete": self}}
}
