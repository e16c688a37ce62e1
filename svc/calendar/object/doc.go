// Package object stores calendar objects. The other packages of the calendar
// service build on it: it finds calendars that a member has access to, changes
// the objects in them, and maintains the records that each change needs.
//
//   - store.go: Store, and its queries
//   - calendar.go: Calendar, a calendar with the role and settings of one member
//   - row.go: Row and Visible, the columns of an object
//   - prepare.go: Prepared, an object with all columns that follow from its text
//   - write.go: add, replace and remove objects
//   - move.go: move and copy objects, one by one or all of a calendar
//   - sync.go: change numbers, tombstones, invalidation of datasets
//   - presence.go: the objects that an import meets
//   - quota.go: limits of the calendars and objects of a member
//   - data.go: reading the text of many objects in bounded memory and time
//   - reindex.go: recomputing columns in the background
//   - zones.go: rebuilding the index after a change of the time zone data
//
// # Invariants
//
// The text of an object is authoritative and stored as the client sent it. All
// columns that follow from it can be recomputed.
//
// Each change increments the seq of the calendar, which is the sync token of its
// collection. It adds a tombstone for a removed object, copies a deleted object
// to the trash, stays within the owner's quota, and invalidates the datasets of
// all members who have access.
//
// # Why
//
// The JSON API, WebDAV, the sync of mirrors and the lists of the index all need
// these records. If one of those packages maintained them, the other packages
// would depend on its internals.
package object
