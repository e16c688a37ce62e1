package view

import (
	"strings"
	"time"

	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/words"
)

// Info is the part of an object that is not in its iCalendar text.
type Info struct {
	ID           string
	ETag         string
	CalendarID   string
	CalendarName string
	Color        string // color of the object, or else that of its calendar
	ReadOnly     bool   // the viewer may not change objects of the calendar
	Hidden       bool
	Source       *Source // nil unless the object is a mirror
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Source names the original of a mirror.
type Source struct{ Service, ObjectType, ObjectID string }

// Render returns the object that component c of o describes, with the
// occurrence i, which may be nil, and with texts in the language l.
func Render(l words.Language, info Info, o *ics.Object, c *ics.Component, i *ics.Instance) Object {
	return render(l, info, o, c).withOccurrence(l, i, c)
}

// Series returns the object as a whole, with the occurrence that
// [occurrence.Next] selects.
func Series(l words.Language, info Info, o *ics.Object, now time.Time, loc *time.Location) Object {
	next := occurrence.Next(o, now, loc)
	return Render(l, info, o, MainComponent(o, next), next)
}

// MainComponent returns the component that describes an object with the occurrence
// i, which may be nil: the master or, for a task, the component of the occurrence,
// because the object stands for its next open occurrence.
func MainComponent(o *ics.Object, i *ics.Instance) *ics.Component {
	if i != nil && o.Component == "VTODO" {
		return i.Component
	}
	return o.Components()[0]
}

// render returns the object without occurrence and summary.
func render(l words.Language, info Info, o *ics.Object, c *ics.Component) Object {
	obj := Object{
		ID: info.ID, ObjectType: EventType, Title: c.Text("SUMMARY"),
		Permissions: Permissions{CanView: true, CanUpdate: !info.ReadOnly, CanDelete: !info.ReadOnly && info.Source == nil},
	}
	start := c.Time("DTSTART")
	obj.State = State{
		ID: info.ID, UID: o.UID, CalendarID: info.CalendarID, CalendarName: info.CalendarName, Color: info.Color, ETag: info.ETag,
		Start: momentOrNil(start), AllDay: start.IsDate(), Timezone: ZoneName(start),
		Location: c.Text("LOCATION"), Description: c.Text("DESCRIPTION"), Status: Status(c), Class: strings.ToLower(o.ClassOf(c).String()),
		Recurrence: recurrence(l, o), Alarms: alarms(c), Categories: c.List("CATEGORIES"),
		LocalVisibility: LocallyVisible, CreatedAt: info.CreatedAt, UpdatedAt: info.UpdatedAt,
	}
	if info.Hidden {
		obj.State.LocalVisibility = LocallyHidden
	}
	if s := info.Source; s != nil {
		obj.State.SourceService, obj.State.SourceObjectType, obj.State.SourceObjectID = &s.Service, &s.ObjectType, &s.ObjectID
	}
	if o.Component == "VTODO" {
		obj.ObjectType = TaskType
		obj.State.TaskState = taskState(c)
		if start.IsZero() {
			due := c.Time("DUE")
			obj.State.AllDay, obj.State.Timezone = due.IsDate(), ZoneName(due)
		}
	} else {
		obj.State.EventState = eventState(c)
	}
	obj.State.EditableFields = editableFields(info, obj.ObjectType)
	return obj
}

func editableFields(info Info, objectType string) []string {
	switch {
	case info.ReadOnly:
		return nil
	case info.Source != nil:
		return MirrorFields
	case objectType == TaskType:
		return taskFields
	}
	return eventFields
}

// withOccurrence returns obj, which was rendered from c, with the occurrence i
// and a summary in its own time zone.
func (obj Object) withOccurrence(l words.Language, i *ics.Instance, c *ics.Component) Object {
	if i != nil {
		obj.State.Occurrence = newOccurrence(*i)
		if obj.State.TaskState != nil {
			obj.State.Status = progressStatus(i.Progress())
		}
	}
	obj.setSummary(l, referenceTime(i, c.Time("DTSTART")), nil)
	return obj
}

// SummarizeIn sets the summary in the language l, with the start of i in the local
// time of loc; i may be nil.
func (obj *Object) SummarizeIn(l words.Language, loc *time.Location, i *ics.Instance) {
	obj.setSummary(l, referenceTime(i, ics.Time{}), loc)
}

// referenceTime returns the start of an occurrence, or else its end; the start
// of the series if there is no occurrence.
func referenceTime(i *ics.Instance, series ics.Time) ics.Time {
	switch {
	case i == nil:
		return series
	case i.Start.IsZero():
		return i.End
	}
	return i.Start
}

func (obj *Object) setSummary(l words.Language, when ics.Time, loc *time.Location) {
	var parts []string
	clock := when.Clock()
	if loc != nil && !occurrence.IsFloating(when) {
		clock = when.Instant(nil).In(loc)
	}
	switch {
	case when.IsZero():
	case when.IsDate():
		parts = append(parts, l.Date(clock, "Mon 2 Jan"))
	default:
		parts = append(parts, l.Date(clock, "Mon 2 Jan 15:04"))
	}
	if obj.State.Location != "" {
		line, _, _ := strings.Cut(obj.State.Location, "\n")
		parts = append(parts, line)
	}
	obj.Summary = strings.Join(append(parts, obj.State.CalendarName), " · ")
}

func newOccurrence(i ics.Instance) *Occurrence {
	o := &Occurrence{Start: momentOrNil(i.Start), End: momentOrNil(i.End)}
	if !i.RecurrenceID.IsZero() {
		o.RecurrenceID = new(FormatTime(i.RecurrenceID))
	}
	return o
}
