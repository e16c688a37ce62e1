// Package index lists calendar objects by the time of their occurrences: for
// views, for datasets and for free-busy queries.
//
//   - index.go: Index, its queries, and Load
//   - list.go: the occurrences in a time range, in pages
//   - collect.go: collector, the first occurrences of many objects
//   - upcoming.go: the objects of a dataset
//   - source.go: the objects of a dataset without URLs, for other services
//   - tasks.go: tasks, open ones first
//   - due.go: the number of tasks that are due
//   - workspace.go: a day, week, month or agenda
//   - slots.go: the slots of a day or week
//   - freebusy.go: the busy times of a calendar
//
// # Limits
//
// Evaluating a series may take any amount of work and an object may have a
// megabyte of text. So each list has limits: for the work (object.EachWithin),
// for the text (view.MaxText) and for the number of items. A field or result named
// Truncated reports that a result is incomplete.
package index
