// Package stream reports to open connections that something has changed for their
// members, in the format of server-sent events. An event names the sections and
// services to read again; it never contains content.
//
// The hub learns of changes from the store: of each commit of this process when it is
// committed, of commits of other processes once a second. Both only wake the streams of
// the members concerned. A stream that is awake reads the revisions of its member in a
// short transaction, and sends an event if something that the member sees is newer than
// its last one. So changes in quick succession become one event, a client that has been
// away gets one event, and a stream whose session has ended gets none.
//
// Time changes data without a write. The composer remembers the next boundary of the
// latest responses of each member; once a second, the hub wakes the streams of members
// with a boundary that has passed.
//
// A stream has no goroutine besides that of its request, and no buffer. The hub has one
// goroutine while streams are open. It waits for no client: a stream writes in its own
// request, with a deadline.
//
// # Files
//
//   - hub.go: Hub, the open streams
//   - stream.go: Stream, which sends the events of one connection
//   - id.go: the ids of events
package stream
