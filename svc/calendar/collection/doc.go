// Package collection is the WebDAV side of the calendar service: calendars as
// collections of object resources, dead properties, and the files and plain
// collections that clients store beside calendars.
//
//   - service.go: Service, its queries, and Place
//   - resource.go: list, put and delete object resources
//   - query.go: object resources that match a filter
//   - copy.go: COPY and MOVE of object resources
//   - property.go: dead properties (RFC 4918 §4)
//   - file.go: files and plain collections
//   - copyfile.go: COPY and MOVE of files and collections
//   - sync.go: the changes of a calendar since a sync token (RFC 6578)
//   - home.go: the changes of a calendar home since a sync token
//
// # Invariants
//
// A hidden mirror does not exist here, except for a PUT or DELETE of its own
// path. A write calls its precondition inside the transaction before it changes
// anything. The argument is the current ETag, "" if there is no resource.
package collection
