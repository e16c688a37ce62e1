// Package store is the SQLite file: opening it, bringing it up to date,
// transactions and backups.
//
// # Where things are
//
//   - store.go    DB: the file, Open and Close, who has which connection
//   - conn.go     one connection and its statements; scan.go how rows are read
//   - tx.go       Tx: what one transaction can do; Read
//   - write.go    Write, and the goroutine that commits for everybody
//   - change.go   which topics changed, for which members: Touch, Revisions
//   - query.go    Query, Bind, Args: named statements
//   - migrate.go  the history of the schema
//   - backup.go   Backup and Restore
//   - lock.go     who may serve or replace the file
//   - owner.go    whose files they are
//   - time.go     instants in columns
//   - errors.go   questions about errors
//
// # Promises
//
// A write that was acknowledged is on the disk: it survives a killed process
// and a power cut. A write that returned an error left nothing behind. All of
// a read sees one moment.
//
// # Why
//
// SQLite has one writer whatever we do, so the writes of a process queue in Go
// and share a commit: one fsync serves all that wait for it. See write.go.
//
// Whether something has changed is asked with each read, and told by each write
// to all whom it concerns. That is in memory: a row for each of them would cost
// more than the write. The file has but the number of the last commit that
// counts, so that each snapshot says which changes are in it. See change.go.
//
// Nothing here opens the database file, its -wal or its -shm except through
// SQLite: closing any descriptor of them drops the locks that SQLite holds for
// the whole process.
package store
