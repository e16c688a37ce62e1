package edit

import (
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/view"
)

// Change is a change to a calendar object, or the contents of a new one. Absent
// fields stay as they are. null clears a field; so does "" in a field that is not
// text.
//
// Dates have the form 2026-12-01. Local times have the form 2026-12-01T09:00:00
// and are in the time zone of the object, those of the end in its own; times with Z
// or an offset are converted to it. A change of the time zone also applies to the end,
// unless that has another one.
type Change struct {
	Title       svc.Optional[string] `json:"title"`
	Description svc.Optional[string] `json:"description"`
	Location    svc.Optional[string] `json:"location"`

	Start       svc.Optional[string] `json:"start"` // without an end in the change, the duration stays
	End         svc.Optional[string] `json:"end"`   // exclusive
	Due         svc.Optional[string] `json:"due"`
	Timezone    svc.Optional[string] `json:"timezone"`     // IANA name; null for floating times
	EndTimezone svc.Optional[string] `json:"end_timezone"` // of end or due; null for that of the start, at the same instant unless the change has a time
	AllDay      svc.Optional[bool]   `json:"all_day"`

	RRule   svc.Optional[string]   `json:"rrule"`
	RDates  svc.Optional[[]string] `json:"rdates"`
	ExDates svc.Optional[[]string] `json:"exdates"`

	Alarms       svc.Optional[[]view.Alarm] `json:"alarms"`
	AlarmMinutes svc.Optional[int]          `json:"alarm_minutes"` // for forms: one alarm, this many minutes before the start

	Status          svc.Optional[string]       `json:"status"`
	Class           svc.Optional[Class]        `json:"class"` // null for public
	Transparency    svc.Optional[Transparency] `json:"transparency"`
	Priority        svc.Optional[int]          `json:"priority"`
	PercentComplete svc.Optional[int]          `json:"percent_complete"`
	CompletedAt     svc.Optional[string]       `json:"completed_at"`
	Categories      svc.Optional[[]string]     `json:"categories"`

	CalendarID svc.Optional[string] `json:"calendar_id"`

	// Color and LocalVisibility apply to mirrors only.
	Color           svc.Optional[string]               `json:"color"` // null for the color of the calendar
	LocalVisibility svc.Optional[view.LocalVisibility] `json:"local_visibility"`
}

// fields returns the names of the fields that the change sets, sorted.
func (c Change) fields() (fields []string) {
	for name, set := range map[string]bool{
		"title": c.Title.Set, "description": c.Description.Set, "location": c.Location.Set,
		"start": c.Start.Set, "end": c.End.Set, "due": c.Due.Set, "timezone": c.Timezone.Set, "end_timezone": c.EndTimezone.Set, "all_day": c.AllDay.Set,
		"rrule": c.RRule.Set, "rdates": c.RDates.Set, "exdates": c.ExDates.Set,
		"alarms": c.Alarms.Set, "alarm_minutes": c.AlarmMinutes.Set,
		"status": c.Status.Set, "class": c.Class.Set, "transparency": c.Transparency.Set, "priority": c.Priority.Set,
		"percent_complete": c.PercentComplete.Set, "completed_at": c.CompletedAt.Set, "categories": c.Categories.Set,
		"calendar_id": c.CalendarID.Set, "color": c.Color.Set, "local_visibility": c.LocalVisibility.Set,
	} {
		if set {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}

// fieldsAmong returns the fields that the change sets and that are in names.
func (c Change) fieldsAmong(names ...string) []string {
	return slices.DeleteFunc(c.fields(), func(f string) bool { return !slices.Contains(names, f) })
}

// setsAlarms reports whether the change sets the alarms.
func (c Change) setsAlarms() bool { return c.Alarms.Set || c.AlarmMinutes.Set }

// progress returns the part of the change that completes or reopens a task.
func (c Change) progress() Change {
	return Change{Status: c.Status, PercentComplete: c.PercentComplete, CompletedAt: c.CompletedAt}
}

// progressFields are the fields of [Change.progress].
var progressFields = []string{"status", "percent_complete", "completed_at"}

// isProgress reports whether the change only completes or reopens a task.
func (c Change) isProgress() bool {
	n := len(c.fieldsAmong(progressFields...))
	return n > 0 && n == len(c.fields())
}

// ChangesSchedule reports whether the change sets a time or the recurrence.
func (c Change) ChangesSchedule() bool {
	return len(c.fieldsAmong("start", "end", "due", "timezone", "all_day", "rrule", "rdates", "exdates")) > 0
}

// withoutRecurrence returns the part of the change that applies to a single
// occurrence.
func (c Change) withoutRecurrence() Change {
	c.RRule, c.RDates, c.ExDates = svc.Optional[string]{}, svc.Optional[[]string]{}, svc.Optional[[]string]{}
	return c
}

// CheckTitle checks the title, which a new object must have.
func (c Change) CheckTitle(isNew bool) error {
	if !c.Title.Set && !isNew {
		return nil
	}
	return svc.CheckLine("title", c.Title.Value, svc.MaxTitle)
}

// Scope determines which occurrences a change or a deletion applies to.
type Scope string

const (
	All           Scope = "all"             // the whole object; also ""
	This          Scope = "this"            // one occurrence
	ThisAndFuture Scope = "this_and_future" // an occurrence and all later ones
	UpToToday     Scope = "up_to_today"     // an occurrence of a task and all others that are due by the end of today; only to complete and reopen them
)

// Values implements [svc.Set].
func (Scope) Values() []string { return svc.Values(All, This, ThisAndFuture, UpToToday) }

// ObjectChange is a change to an object or to some of its occurrences.
type ObjectChange struct {
	Change
	Scope        Scope  `json:"scope"`
	RecurrenceID string `json:"recurrence_id"` // the occurrence, unless the scope is All
	ETag         string `json:"etag"`          // if not empty, the ETag that the object must have

	// RestoreOccurrence is the recurrence id of a deleted occurrence that the
	// change restores; "" for none. Such a change sets no other field.
	RestoreOccurrence string `json:"restore_occurrence"`

	// RestoreVersion is the ETag that the object had before the last change of its
	// series. A change that restores it undoes that change and sets nothing else.
	RestoreVersion string `json:"restore_version"`
}

// Deletion is a deletion of an object or of some of its occurrences.
type Deletion struct {
	Scope        Scope
	RecurrenceID string
	ETag         string
}

func checkRange(field string, n, limit int) error {
	if n < 0 || n > limit {
		return svc.FieldError(svc.InvalidValue, field, "%s must be from 0 to %d.", svc.FieldLabel(field), limit)
	}
	return nil
}

// checkLength returns an error if a list with n items is too long.
func checkLength(field string, n int) error {
	if n <= view.MaxItems {
		return nil
	}
	e := svc.FieldError(svc.TooLong, field, "%s may have up to %d items.", svc.FieldLabel(field), view.MaxItems)
	e.Fields[0].Max = view.MaxItems
	return e
}

// hasDateLength reports whether text is as long as a date.
func hasDateLength(text string) bool { return len(text) == len(time.DateOnly) }
