// Package mirror keeps a mirror of each Social event in the calendar of each
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
// response of the member. The member owns everything else: the calendar, the
// color, the visibility, the alarms, and lines that this program does not know.
// A sync changes the lines of the event and no others; a client that changes
// them gets an error.
//
// A sync contains the whole state of the event, so the latest revision is
// sufficient, in whatever order syncs arrive. A write changes a limited number of
// mirrors; the same sync, or a newer one, changes the others.
//
// # Why
//
// An event with hundreds of attendees has hundreds of mirrors, and a member may host
// thousands of events. So mirrors are read and written by a fixed number of statements,
// and not through package object one at a time.
package mirror
