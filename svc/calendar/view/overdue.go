package view

import (
	"time"

	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/occurrence"
)

// SetOverdue sets whether a task is overdue at now. Dates and floating times are
// read in loc. A task that is due on a day is overdue when that day has ended. For
// a series it depends on the occurrence i of o that the object represents, which may be nil.
func (obj *Object) SetOverdue(o *ics.Object, i *ics.Instance, now time.Time, loc *time.Location) {
	if obj.State.TaskState == nil {
		return
	}
	task := *obj.State.TaskState // occurrences of a series share it
	due := task.Due
	if obj.State.Occurrence != nil {
		due = obj.State.Occurrence.End
	}
	task.IsOverdue, task.OthersDue, task.DueChangesAt = false, false, time.Time{}
	if due != nil && !obj.State.IsDone() {
		at := due.endsAt(loc)
		if task.IsOverdue = !now.Before(at); !task.IsOverdue {
			task.DueChangesAt = at
		}
	}
	if task.IsOverdue && i != nil && o.Recurs() {
		tomorrow := occurrence.Midnight(now, loc, 1)
		if task.OthersDue = o.HasOtherOpen(*i, tomorrow, now, loc); !task.OthersDue {
			task.DueChangesAt = tomorrow
		}
	}
	obj.State.TaskState = &task
}

// endsAt returns the instant of a time, or of the end of a date.
func (m Moment) endsAt(loc *time.Location) time.Time {
	switch {
	case m.UTC != nil:
		return *m.UTC
	case m.Date != nil:
		day, _ := time.Parse(time.DateOnly, *m.Date) // the text comes from FormatTime
		return time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, loc)
	}
	at, _ := time.ParseInLocation(LocalLayout, *m.DateTime, loc)
	return at
}
