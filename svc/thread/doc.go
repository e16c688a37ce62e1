// Package thread stores threads between two members: who takes part, the
// messages, and how far each participant has read. Messages and the direct
// messages of Social use it, each with its own tables and queries.
//
// # Files
//
//   - thread.go: Store, and the threads of a member
//   - message.go: the messages of a thread and the read cursors
//   - export.go: all threads and messages of a member
//
// # Why
//
// The two services differ in who can write to whom, how a thread is presented
// and who is notified. These rules stay with the services. What they have in
// common is the storage, so that paging, delivery and read cursors are
// implemented once.
package thread
