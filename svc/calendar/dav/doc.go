// Package dav implements the CalDAV protocol. A [Handler] serves HTTP requests
// from a [Backend], which stores the calendars. It handles methods, XML, URLs,
// entity tags and preconditions. Package ics interprets calendar data.
//
// A calendar home contains calendars and folders. A folder is a plain WebDAV
// collection; it contains files and folders.
//
// # Files
//
//   - handler.go: table of methods, OPTIONS; RFC 4918 §9 and §10, RFC 8144
//   - paths.go: resource kinds, URLs and hrefs; RFC 4918 §5.2 and §8.3
//   - conditions.go: If-Match, If-None-Match, If-Unmodified-Since; RFC 9110 §13
//   - if.go: the If header; RFC 4918 §10.4
//   - errors.go: error responses with preconditions; RFC 4918 §16, RFC 3744 §7.1.1
//   - xml.go: bounded XML parser; RFC 4918 §8.2 and §17
//   - writer.go: streaming XML writer; RFC 4918 §13 and §14
//   - props.go: table of properties; RFC 4918 §15, RFC 4791 §5.2
//   - values.go: values of properties; RFC 4331, RFC 5397, RFC 6638 §2.4.1
//   - setters.go: changes of properties; RFC 4791 §5.2, RFC 5689 §3.3, RFC 7809 §5.2
//   - dead.go: dead properties; RFC 4918 §4.3
//   - acl.go: privileges and ACL; RFC 3744 §3, §5 and §8.1
//   - propfind.go: PROPFIND; RFC 4918 §9.1
//   - proppatch.go: PROPPATCH; RFC 4918 §9.2
//   - mkcalendar.go: MKCALENDAR, MKCOL; RFC 4791 §5.3.1, RFC 5689
//   - object.go: GET, HEAD, PUT, POST, DELETE; RFC 4791 §5.3.2 to §5.3.4, RFC 8144
//   - copy.go: COPY, MOVE; RFC 4918 §9.8 and §9.9
//   - report.go: table of REPORTs; RFC 3253 §3.6
//   - query.go: calendar-query; RFC 4791 §7.8
//   - filter.go: the filter of a query; RFC 4791 §9.7 and §9.9
//   - multiget.go: calendar-multiget; RFC 4791 §7.9
//   - data.go: calendar-data, expand, partial retrieval; RFC 4791 §9.6, RFC 7809 §7.1
//   - freebusy.go: free-busy-query; RFC 4791 §7.10, RFC 7953
//   - sync.go: sync-collection; RFC 6578
//   - principals.go: reports on principals; RFC 3744 §9
//   - expand.go: expand-property; RFC 3253 §3.8
//   - timezone.go: the VTIMEZONE of a calendar; RFC 4791 §5.2.2 and §9.8
//   - backend.go: Backend, Snapshot, and the types of their arguments and results
//
// # Guarantees
//
// GET returns the octets of the PUT, with a strong ETag. Preconditions of a write
// are checked inside its transaction. Allow, DAV:supported-report-set and
// DAV:propname are computed from the tables that implement them. Memory and time
// per request are bounded. An error response names the violated precondition
// (RFC 4918 §16) and explains it in DAV:responsedescription.
//
// A resource belongs to one member. For other members it does not exist.
//
// # Why
//
// A response is composed in one read transaction, so it is consistent, and sent
// after the transaction, because a client may take minutes to receive it. The part
// of the response that exceeds memory limits is spooled to a temporary file.
//
// Folders exist because WebDAV clients and test suites such as litmus create
// plain collections. Locks are not implemented. Access control lists are
// readable and protected.
//
// Where clients deviate from an RFC, both are accepted: a calendar-query without
// Depth means Depth 1; sync-collection and free-busy-query ignore Depth. Comments
// at these places name the client.
package dav
