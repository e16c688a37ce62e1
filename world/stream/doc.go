// Package stream reports changes of the data of members to their open connections, in
// the format of server-sent events. An event names the sections and services to read
// again; it never contains content.
//
// The store reports changes to the hub: commits of this process at once, commits of
// other processes once a second. Both only wake the streams of the members concerned. A
// stream that is awake reads the revisions of its member in a short transaction, and
// sends an event if data that the member sees has changed since its last one. So
// changes in quick succession become one event, a client that connects again gets one
// event, and a stream whose session has ended gets none.
//
// Data can change without a write when time passes. The composer stores the next
// boundary of the latest responses of each member; once a second, the hub wakes the
// streams of members with a boundary that has passed.
//
// A stream has no goroutine besides that of its request, and no buffer. The hub has one
// goroutine while streams are open. It does not wait for clients: a stream writes in
// its own request, with a deadline.
//
// # Files
//
//   - hub.go: Hub, the open streams
//   - stream.go: Stream, which sends the events of one connection
//   - id.go: the ids of events
package stream
