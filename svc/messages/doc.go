// Package messages is the Messages service: what two members write to each
// other, and to nobody else.
//
// # Where things are
//
//   - service.go  Service
//   - thread.go   threads and the inbox
//   - message.go  writing one
//   - read.go     reading them, and what has been read
//   - search.go   looking for words; words.go, what a word is and how it is kept
//   - source.go   what Messages offers to whoever composes a dataset
//   - export.go   everything a member has; leave.go, members who go
//   - needs.go    what it needs of other services, as interfaces
//
// # Promises
//
// A thread has exactly two members, and there is one for each two. Whoever
// reads or writes in it does so through a row of messages_participant.
//
// What a member has read only ever grows, and only by what they do themselves:
// opening a thread, saying so, or writing (B-50).
//
// Nothing that a member asks takes longer, is ordered or is counted otherwise
// because of what others write to others.
package messages
