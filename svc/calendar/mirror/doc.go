// Package mirror maintains a mirror of each Social event in the calendar of each
// member who attends it: a calendar object that shows the event.
//
//   - service.go: Service, and its queries
//   - sync.go: SyncEvents, which updates the mirrors of events to their states
//   - push.go: EventPush, the JSON form of a sync
//   - times.go: ResolveTimes, the times and bounds of an event
//   - text.go: the text of a mirror, new or updated
//   - write.go: storing mirrors of several events together
//   - compare.go: Check, which rejects changes of the event by clients
//
// # Invariants
//
// The event owns its title, description, place, times, status, host and the
// response of the member. The member owns all other properties: the calendar, the
// color, the visibility, the alarms, and lines that this program does not know. A
// sync changes only the lines of the event. A client that changes these lines
// gets an error.
//
// A sync contains the whole state of the event. So the latest revision is
// sufficient, and syncs may arrive in any order. A write changes a limited number
// of mirrors; the same sync, or a newer one, changes the remaining ones.
//
// # Why
//
// An event with hundreds of attendees has hundreds of mirrors, and a member may
// host thousands of events. So mirrors are read and written by a fixed number of
// statements, and not one at a time through package object.
package mirror
