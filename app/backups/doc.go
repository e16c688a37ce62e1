// Package backups lists the backups in the backup directory and makes new ones, one
// at a time.
//
// # Files
//
//   - list.go: Backup, List
//   - contents.go: Contents, the description of a backup
//   - maker.go: Maker, which makes backups and deletes the oldest ones
//
// # Guarantees
//
// A backup has its name only after its copy has been verified (see store.Backup).
// Reads and writes continue while it is made.
package backups
