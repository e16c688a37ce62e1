// Package messages is the Messages service: private threads of two members.
//
// # Files
//
//   - service.go: Service, which is a [thread.Service] with names of recipients and search
//   - contract.go: Thread, the published form
//   - send.go: starts a thread, sends a message
//   - recipient.go: the member or members that a recipient field names
//   - search.go: full-text search in the messages of one member
//   - tokenize.go: splits text into the terms of the search index
//   - source.go: Source, a thread as the Messages producer publishes it
//   - needs.go: interfaces that other services implement
//
// # Invariants
//
// The result, the order and the duration of a request do not depend on
// messages between other members.
package messages
