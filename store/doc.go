// Package store opens, migrates, reads, writes and backs up the SQLite file.
//
// # Files
//
//   - store.go: DB, Open and Close, the pools of connections
//   - conn.go: a connection and its prepared statements
//   - scan.go: scanning of rows into structs and values
//   - tx.go: Tx, the operations of a transaction; Read and Lookup
//   - write.go: Write and the goroutine that commits in groups
//   - change.go: Touch and Revisions, the record of what changed for which member;
//     OnChange and Poll, which report changes
//   - query.go: Query, Bind and Args, the named statements
//   - migrate.go: Inspect and Migrate, the schema and its versions
//   - backup.go: Backup, Verify and Restore
//   - damage.go: the record that the file is damaged
//   - check.go: Check, which examines the file in steps
//   - filesystem_linux.go: free space and type of a file system
//   - filesystem_other.go: the same where it is not supported
//   - lock.go: the lock of the data directory
//   - owner.go: ownership of files that root creates
//   - owner_unix.go: its implementation on Unix
//   - owner_other.go: its implementation elsewhere
//   - time.go: Millis, instants in columns
//   - errors.go: errors and predicates
//
// # Guarantees
//
// An acknowledged write is durable: it survives a killed process and a power
// failure. A write that returned an error has no effect. All queries of one
// read transaction see the same snapshot.
//
// # Why
//
// SQLite has a single writer. Writes of one process therefore queue in Go and
// are committed in groups: one fsync serves all writes of a group. See write.go.
//
// Each read checks whether its cached result is still current, so the record of
// changes is in memory: a row per change and affected member would cost more than
// the write itself. The file contains only the sequence number of the last commit
// that changed something visible, so that each snapshot identifies the changes it
// includes. See change.go.
//
// This package opens the database file, its -wal and its -shm only through SQLite:
// closing any other descriptor of them releases the POSIX locks that SQLite holds
// for the whole process.
package store
