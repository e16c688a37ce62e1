// Package edit applies changes in the JSON form of the contract to iCalendar
// text. It is pure: it has no state and reads no tables.
//
//   - change.go: Change, ObjectChange and Deletion, and their fields
//   - scope.go: Apply, which changes a series, one occurrence, or all from it on
//   - unchanged.go: removes unchanged fields from a change, and converts the
//     times of an occurrence to those of its series
//   - inherit.go: the part of a change of a series that an override inherits
//   - new.go: New, which composes the text of a new object
//   - component.go: componentEditor, a change to one component
//   - times.go: start, end and time zone of a component
//   - parse.go: parsing of times, rules and time zones in JSON
//   - recurrence.go: RRULE, RDATE and EXDATE, and the move of a series
//   - options.go: the rules to choose from if a series can move in several ways
//   - completion.go: occurrences of recurring tasks that become done, or open again
//   - status.go: status, class, completion, priority, transparency
//   - alarms.go: VALARM components
//   - derived.go: the properties that depend on a changed property
//   - event.go: ResolveTimes, the times of a Social event
//   - mirror.go: the fields of a mirror that belong to the member
//
// # Invariants
//
// A change touches the lines of its fields, the lines that depend on them, and
// DTSTAMP, LAST-MODIFIED and SEQUENCE. All other octets stay as they are.
package edit
