// Package object stores calendar objects. The other packages of the
// calendar service build on it: it finds calendars that a member has access
// to, changes the objects in them, and keeps the records that each change needs.
//
//   - store.go: Store, and its queries
//   - calendar.go: Calendar, a calendar as a member has access to it
//   - row.go: Row and Visible, the columns of an object
//   - prepare.go: Prepared, an object with all columns that follow from its text
//   - write.go: add, replace and remove objects
//   - move.go: move and copy objects
//   - sync.go: change numbers, tombstones, invalidation of datasets
//   - quota.go: limits of the storage of a member
//   - data.go: reading the text of many objects in bounded memory and time
//   - reindex.go: recomputing columns in the background
//
// # Invariants
//
// The text of an object is authoritative and stored as the client sent it. All
// columns that follow from it can be recomputed.
//
// Each change increments the seq of the calendar, which is the sync token of
// its collection, leaves a tombstone for an object that goes away, copies a
// deleted object to the trash, stays within the owner's quota, and invalidates
// the datasets of all members who have access.
//
// # Why
//
// Native writes, WebDAV, the sync of mirrors and the lists of the index all
// need these records. In one of those packages, the others would need its
// internals.
package object
