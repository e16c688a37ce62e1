// Package store opens, migrates, reads, writes and backs up the SQLite file.
//
// # Files
//
//   - store.go: DB, Open and Close, the pools of connections
//   - conn.go: a connection and its prepared statements
//   - scan.go: scanning of rows into structs and values
//   - tx.go: Tx, the operations of a transaction; Read and Lookup
//   - write.go: Write and the goroutine that commits in groups
//   - batch.go: WriteBatches, RunBatches and Paced, for work in many short writes
//   - reserve.go: KeepReserve, the space for writes on a full disk
//   - change.go: Touch and Revisions, the record of what changed for which member;
//     OnChange and Poll, which report changes
//   - query.go: Query, Bind and Args, the named statements
//   - migrate.go: Inspect and Migrate, the schema and its versions
//   - backup.go: Backup, Verify and Restore
//   - backup_table.go: the copy of tables, and the note of a backup
//   - damage.go: the record that the file is damaged
//   - check.go: Check, which examines the file in steps
//   - filesystem_linux.go: free space and type of a file system
//   - filesystem_other.go: the same where it is not supported
//   - lock.go: the lock of the data directory, and of a directory that its database is a link to
//   - access.go: advice for files that the process may not use
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
// # Large writes
//
// All writes wait for the one that runs, so a function of [DB.Write] runs at most 60 statements
// and changes at most 2,500 rows, including the changes by triggers: a test fails above these
// limits (storetest.LimitWrites). An operation that can exceed them takes one of three forms:
//
//   - mark: one row makes the change, readers look for it, a job changes the rest
//   - stage: rows are written in batches where no reader sees them, one row makes them current
//   - follow: a row in a queue, in the write of the change itself, and a job in short writes
//
// The numbers are those of one write, measured with 30 events, 62 members and 60 attendees, or
// limits ("at most"). "beyond" precedes the form of operations on more mirrors.
//
//	operation                                  statements  rows           form
//	new name of a host                         12          2              follow (social_follow_up)
//	block, unblock                             18, 11      8, 7           mark and follow (social_follow_up)
//	end of a membership, with its circle       10          7              mark and follow (social_follow_up)
//	deletion of a community                    13          3 per member   mark and follow (social_follow_up)
//	visit of up to 7 events in the queue       28          130            -
//	change of an event with 50 mirrors         38          667            beyond: follow (social_follow_up)
//	push of an event, 50 mirrors               14          751            beyond: stage, the revision is last
//	import of calendar entries                 at most 22  at most 2,500  stage: entries that exist are skipped
//	index of recurring entries                 at most 60  at most 2,500  follow (indexed_to)
//	import of a region                         10          4,000          stage (maps_region.state); merges are limited by pages
//	deletion of a region, sweeps               at most 60  at most 2,500  mark (state, deleted_at, expiry)
//	deletion of an account                     30          14             mark (identity_deletion), 420 rows in a write
//	all notifications read                     5           at most 1,000  mark (social_notifications_read)
//	removal of feeds                           3           at most 51     mark (provider_feed.provider)
//	deletion of a calendar, with move_to       at most 34  at most 2,420  follow (calendar_deletion), 200 objects in a write
//	COPY of a calendar                         at most 27  at most 2,210  stage (calendar_calendar.staged), 2 MiB in a write
//	MOVE of a calendar                         at most 34  at most 2,420  as a deletion, of the calendar at the destination
//	trash: emptying                            3           2 per calendar mark; a member has at most 1,000 calendars
//	trash: restoring a calendar                11          5              -
//	deletion of a folder                       at most 15  at most 2,010  in batches, files before their folders
//	COPY, MOVE of a folder                     at most 15  at most 2,010  -; limited to 2,000 rows and 8 MiB
//	PROPPATCH, MKCALENDAR                      at most 16  at most 210    -; limited to 100 properties
//	tombstones that a change prunes            3           at most 300    follow: later changes prune the others
//
// Migrations, restore and migrate --reindex are exempt.
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
