// Package thread stores threads between two members: the participants, the
// messages and the read cursors. Messages and the direct messages of Social use it
// with their own tables and queries.
//
// # Files
//
//   - thread.go: Store, and the threads of a member
//   - message.go: the messages of a thread and the read cursors
//   - export.go: all threads and messages of a member
//
// # Why
//
// The two services have different rules for permissions, presentation and
// notifications. The services implement these rules. The storage is the same, so
// that paging, delivery and read cursors are implemented once.
package thread
