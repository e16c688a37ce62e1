// Package messages is the Messages service: private threads of two members.
//
// # Files
//
//   - service.go: Service, and the queries grouped by use
//   - contract.go: Thread, Participant and Message, the JSON types
//   - thread.go: reads threads and checks that the viewer takes part
//   - inbox.go: a member's threads, the latest first
//   - read.go: the messages of a thread, and the read cursor
//   - send.go: starts a thread, sends a message
//   - recipient.go: the member or members that a recipient field names
//   - search.go: full-text search in the messages of one member
//   - tokenize.go: splits text into the terms of the search index
//   - source.go: Source, a thread as the Messages producer publishes it
//   - export.go: all threads and messages of a member
//   - sweep.go: removes deleted members, deletes orphaned threads in batches
//   - needs.go: interfaces that other services implement
//
// # Invariants
//
// Package thread stores threads, messages and read cursors. This package decides
// which members can read and write them, and keeps the search index.
//
// A thread has exactly two members, and two members have at most one thread.
// A member reads and writes a thread only through their own row of
// messages_participant.
//
// A read cursor never moves backwards, and moves only when its member opens the
// thread, marks it as read or sends a message. Composing a dataset or a panel
// does not move it.
//
// The result, the order and the duration of a request do not depend on
// messages between other members.
package messages
