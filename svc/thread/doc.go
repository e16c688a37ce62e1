// Package thread implements threads between two members: storage, write permissions, pages of
// messages, read cursors, and exports. The threads of Messages and the direct messages of Social
// are threads, each with tables of their own.
//
// # Files
//
//   - thread.go: Service, and the threads as their participants see them
//   - options.go: the differences between the services with threads
//   - message.go: the messages of a thread, and the read cursor
//   - send.go: sends a message, in a thread or to a member
//   - export.go: all threads and messages of a member, and their deletion
//
// # Invariants
//
// A thread has exactly two participants, and two members have at most one thread. A
// member reads and writes a thread only through their own row of the participants.
//
// A read cursor never moves backwards, and moves only when its member opens the thread,
// marks it as read or sends a message. Composing a dataset or a panel does not move it.
//
// A blocked partner and a former member cannot be told apart.
package thread
