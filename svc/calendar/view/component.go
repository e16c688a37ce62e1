package view

import (
	"cmp"
	"strings"
	"time"

	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/words"
)

// LocalLayout is the layout of local times in JSON.
const LocalLayout = "2006-01-02T15:04:05"

// FormatTime formats a date or a local time in the format of edit requests.
func FormatTime(t ics.Time) string {
	if t.IsDate() {
		return t.Clock().Format(time.DateOnly)
	}
	return t.Clock().Format(LocalLayout)
}

// ZoneName returns the name of the time zone of t; nil for a date, a floating
// time and an unknown time zone.
func ZoneName(t ics.Time) *string {
	if t.IsZero() || occurrence.IsFloating(t) {
		return nil
	}
	return new(t.Zone().Name())
}

func moment(t ics.Time) Moment {
	if t.IsDate() {
		return Moment{Date: new(FormatTime(t))}
	}
	m := Moment{DateTime: new(FormatTime(t)), Timezone: ZoneName(t)}
	if m.Timezone != nil {
		m.UTC = new(t.Instant(nil))
	}
	return m
}

// Day returns the date in local time.
func (m Moment) Day() time.Time {
	day, _ := time.Parse(time.DateOnly, m.Text()[:len(time.DateOnly)]) // the text comes from FormatTime
	return day
}

// Text returns the time in the format of edit requests, "" for nil.
func (m *Moment) Text() string {
	switch {
	case m == nil:
		return ""
	case m.Date != nil:
		return *m.Date
	}
	return *m.DateTime
}

func momentOrNil(t ics.Time) *Moment {
	if t.IsZero() {
		return nil
	}
	return new(moment(t))
}

// Status returns the status of a component. That of an event without STATUS is
// confirmed; that of a task follows from its progress.
func Status(c *ics.Component) string {
	if c.Name() == "VTODO" {
		return progressStatus(c.Progress())
	}
	return cmp.Or(strings.ReplaceAll(strings.ToLower(c.Text("STATUS")), "-", "_"), "confirmed")
}

// progressStatus returns the progress of a task as a status.
func progressStatus(p ics.TaskProgress) string {
	return strings.ReplaceAll(strings.ToLower(string(p)), "-", "_")
}

// IsDone reports whether a task with this state is completed or cancelled.
func (s State) IsDone() bool {
	return s.TaskState != nil && ics.TaskProgress(strings.ToUpper(s.Status)).IsDone()
}

// EventEnd returns the end of an event (RFC 5545 §3.6.1).
func EventEnd(c *ics.Component) ics.Time {
	start, end := c.Time("DTSTART"), c.Time("DTEND")
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

// EndTimezone returns the name of the time zone of an end or a due time, "" if it is that
// of the start.
func EndTimezone(start, end *Moment) string {
	if start == nil || end == nil || end.Timezone == nil || start.Timezone != nil && *start.Timezone == *end.Timezone {
		return ""
	}
	return *end.Timezone
}

func eventState(c *ics.Component) *EventState {
	s := &EventState{End: moment(EventEnd(c)), Transparency: "opaque"}
	if strings.EqualFold(c.Text("TRANSP"), "TRANSPARENT") {
		s.Transparency = "transparent"
	}
	return s
}

func taskState(c *ics.Component) *TaskState {
	t := new(TaskState)
	due := c.Time("DUE")
	if d, ok := c.Duration("DURATION"); ok && due.IsZero() && !c.Time("DTSTART").IsZero() {
		due = c.Time("DTSTART").Add(d)
	}
	t.Due = momentOrNil(due)
	if completed := c.Time("COMPLETED"); !completed.IsZero() && c.Progress().IsDone() {
		t.CompletedAt = new(completed.Instant(nil))
	}
	priority, _ := c.Int("PRIORITY")
	percent, _ := c.Int("PERCENT-COMPLETE")
	t.Priority, t.PercentComplete = min(max(priority, 0), 9), min(max(percent, 0), 100)
	return t
}

func recurrence(l words.Language, o *ics.Object) Recurrence {
	r := Recurrence{IsRecurring: o.Recurs(), Supported: o.CheckScales() == nil, Overrides: len(o.Overrides), Text: RecurrenceText(l, o)}
	if o.Master == nil {
		return r
	}
	if rule := o.Master.Rule(); rule != nil {
		r.RRule = new(rule.String())
	}
	for _, t := range o.Master.RDates() {
		r.RDates = append(r.RDates, FormatTime(t))
	}
	for _, t := range o.Master.ExDates() {
		r.ExDates = append(r.ExDates, FormatTime(t))
	}
	return r
}
