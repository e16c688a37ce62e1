// Package view renders calendar objects as JSON: the contract
// service.time.object. It has no state and reads no tables.
//
//   - object.go: Object, the JSON type
//   - render.go: Render, an Object from iCalendar and from columns
//   - event.go: the times of an event of Social
//   - component.go: properties of a component in the terms of the contract
//   - alarm.go: Alarm, and the alarms that members see
//   - rule.go: RecurrenceText, a recurrence in words
//   - overdue.go: whether a task is overdue
//   - summarize.go: the shortened form that lists and datasets contain
package view
