// Package calendar is the Time service: calendars, and the appointments and
// tasks in them. It calls itself time in everything it says.
//
// # Where things are
//
//   - service.go     Service, and who may see what
//   - calendars.go   the Calendar contract and what can be done with one
//   - object.go      the Object contract: an entry as people see it
//   - brief.go       the same, cut to what lists show
//   - read.go        reading entries by id; data.go, their data within bounds
//   - list.go        the instances in a range, in pages
//   - upcoming.go    what belongs into a dataset
//   - workspace.go   a day, a week, a month, an agenda; tasks.go, what is to do
//   - preferences.go how a member divides time
//   - source.go      what Time offers to whoever composes a dataset
//   - write.go       creating and moving entries natively
//   - draft.go       changing and deleting them, worked out ahead of the write
//   - change.go      a change to an entry, as a change to its lines
//   - mirror.go      what of a Social event's mirror is its member's own
//   - push.go        what Social pushes; mirrors.go, the mirrors that it makes
//   - resource.go    the same entries as CalDAV sees them
//   - copy.go        copying and moving them
//   - property.go    properties that clients keep on all this
//   - files.go       files and plain collections beside the calendars
//   - home.go        what changed in a home since when
//   - freebusy.go    when a calendar makes its member busy
//   - sync.go        what changed since when (RFC 6578)
//   - entry.go       an entry ready to be stored, and storing it
//   - quota.go       how much a member may store
//   - trash.go       what members deleted and can have back; sweep.go, what nobody can
//   - occurrence.go  the index of when things are
//   - export.go      everything a member has
//   - ics/           iCalendar text: times, recurrence, filters, editing
//   - dav/           the CalDAV protocol
//
// # Promises
//
// The octets that a client PUT are kept as they are and are the only truth;
// columns are an index over them and could be made anew from them. A native
// change touches the lines it must and no others.
//
// Whoever reads or writes a calendar does so through a row of calendar_access.
// What a member has no row for does not exist for them.
package calendar
