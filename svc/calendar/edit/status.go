package edit

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"

	"github.com/emersion/go-ical"
)

// EventStatus is the status of an event (RFC 5545 §3.8.1.11).
type EventStatus string

const (
	EventTentative EventStatus = "tentative"
	EventConfirmed EventStatus = "confirmed"
	EventCancelled EventStatus = "cancelled"
)

// Values implements [svc.Set].
func (EventStatus) Values() []string {
	return svc.Values(EventTentative, EventConfirmed, EventCancelled)
}

// TaskStatus is the status of a task.
type TaskStatus string

const (
	TaskNeedsAction TaskStatus = "needs_action"
	TaskInProcess   TaskStatus = "in_process"
	TaskCompleted   TaskStatus = "completed"
	TaskCancelled   TaskStatus = "cancelled"
)

// Values implements [svc.Set].
func (TaskStatus) Values() []string {
	return svc.Values(TaskNeedsAction, TaskInProcess, TaskCompleted, TaskCancelled)
}

// Transparency determines whether an event makes its time busy (RFC 5545 §3.8.2.7).
type Transparency string

const (
	Opaque      Transparency = "opaque"
	Transparent Transparency = "transparent"
)

// Values implements [svc.Set].
func (Transparency) Values() []string { return svc.Values(Opaque, Transparent) }

// Class determines how much of an entry the link of a calendar shows (RFC 5545 §3.8.1.3).
type Class string

const (
	Public       Class = "public"       // everything
	Confidential Class = "confidential" // times only
	Private      Class = "private"      // nothing
)

// Values implements [svc.Set].
func (Class) Values() []string { return svc.Values(Public, Confidential, Private) }

// applyClass changes the class. An object without CLASS is public.
func (e *componentEditor) applyClass(c Change) error {
	if err := svc.CheckSet("class", c.Class.Value); err != nil {
		return err
	}
	if value := c.Class.Value; c.Class.Set {
		e.put(ical.Prop{Name: "CLASS", Value: strings.ToUpper(string(value))}, value != "" && value != Public)
	}
	return nil
}

// checkClass returns an error if the change gives an occurrence a class that has no effect,
// because that of the series is more restrictive.
func (c Change) checkClass(o *ics.Object) error {
	if !c.Class.Set || o.Master == nil {
		return nil
	}
	restrictions := c.Class.Value.Values() // the least restrictive class first
	series := strings.ToLower(o.ClassOf(o.Master).String())
	if slices.Index(restrictions, cmp.Or(string(c.Class.Value), string(Public))) < slices.Index(restrictions, series) {
		return svc.FieldError(svc.InvalidValue, "class", "Others cannot see more of one occurrence than of its series. Change the whole series.")
	}
	return nil
}

// applyStatus changes status, transparency, priority and progress.
func (e *componentEditor) applyStatus(c Change) error {
	status := svc.CheckSet("status", EventStatus(c.Status.Value))
	if e.isTask {
		status = svc.CheckSet("status", TaskStatus(c.Status.Value))
	}
	if err := svc.Join(
		status,
		checkRange("priority", c.Priority.Value, 9),
		checkRange("percent_complete", c.PercentComplete.Value, 100),
	); err != nil {
		return err
	}
	if c.Status.Set {
		e.put(ical.Prop{Name: "STATUS", Value: strings.ToUpper(strings.ReplaceAll(c.Status.Value, "_", "-"))}, c.Status.Value != "")
	}
	if !e.isTask {
		if c.Transparency.Set {
			e.put(ical.Prop{Name: "TRANSP", Value: strings.ToUpper(string(c.Transparency.Value))}, c.Transparency.Value != "")
			e.removeDerived("TRANSP")
		}
		return nil
	}
	if c.Priority.Set {
		e.put(ics.IntProp("PRIORITY", c.Priority.Value), c.Priority.Value != 0)
	}
	if c.PercentComplete.Set {
		e.put(ics.IntProp("PERCENT-COMPLETE", c.PercentComplete.Value), !c.PercentComplete.Null)
	}
	return e.applyCompletion(c)
}

// applyCompletion keeps COMPLETED and PERCENT-COMPLETE consistent with the
// status of a task.
func (e *componentEditor) applyCompletion(c Change) error {
	completedAt := e.now
	if c.CompletedAt.Value != "" {
		t, err := time.Parse(time.RFC3339, c.CompletedAt.Value)
		if err != nil {
			return svc.FieldError(svc.InvalidValue, "completed_at", "Enter a time such as 2026-12-01T09:00:00Z.")
		}
		completedAt = t
	}
	isFinished := c.PercentComplete.Value == 100 && e.block.Value("STATUS") == "" // such a task is completed
	switch {
	case TaskStatus(c.Status.Value) == TaskCompleted, !c.Status.Set && (c.CompletedAt.Value != "" || isFinished && !c.CompletedAt.Set):
		e.block.Set(ical.Prop{Name: "STATUS", Value: "COMPLETED"})
		e.block.Set(ics.TimeProp("COMPLETED", ics.UTC(completedAt)))
		e.block.Set(ics.IntProp("PERCENT-COMPLETE", 100))
	case c.Status.Set, c.CompletedAt.Set:
		e.block.Remove("COMPLETED")
		if !c.PercentComplete.Set {
			e.block.Remove("PERCENT-COMPLETE")
		}
		if e.block.Value("STATUS") == "COMPLETED" {
			e.block.Remove("STATUS")
		}
	}
	return nil
}
