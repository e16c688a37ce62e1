// Package dav is the CalDAV protocol: a [Handler] of HTTP requests over a
// [Backend] that holds the calendars. It knows methods, XML, paths and tags,
// and nothing of how a calendar is kept; what an event means is for package
// ics.
//
// # Where things are
//
//	handler.go     the table of methods, OPTIONS            RFC 4918 §9 and §10, RFC 8144
//	paths.go       the tree, and how hrefs are spelled      RFC 4918 §5.2 and §8.3
//	conditions.go  If-Match, If-None-Match and the like     RFC 9110 §13
//	if.go          the If header                            RFC 4918 §10.4
//	errors.go      refusals and their conditions            RFC 4918 §16, RFC 3744 §7.1.1
//	xml.go         reading XML, within bounds               RFC 4918 §8.2 and §17
//	writer.go      writing XML, as a stream                 RFC 4918 §13 and §14
//	props.go       the table of properties                  RFC 4918 §15, RFC 4791 §5.2
//	values.go      what properties say                      RFC 4331, RFC 5397, RFC 6638 §2.4.1
//	setters.go     what properties take                     RFC 4791 §5.2, RFC 5689 §3.3, RFC 7809 §5.2
//	dead.go        properties that only clients know        RFC 4918 §4.3
//	acl.go         who may do what                          RFC 3744 §3 and §5
//	propfind.go    PROPFIND                                 RFC 4918 §9.1
//	proppatch.go   PROPPATCH                                RFC 4918 §9.2
//	mkcalendar.go  MKCALENDAR, MKCOL                        RFC 4791 §5.3.1, RFC 5689
//	object.go      GET, HEAD, PUT, DELETE                   RFC 4791 §5.3.2 to §5.3.4, RFC 8144
//	copy.go        COPY, MOVE                               RFC 4918 §9.8 and §9.9
//	report.go      the table of REPORTs                     RFC 3253 §3.6
//	query.go       calendar-query                           RFC 4791 §7.8
//	filter.go      what a query asks for                    RFC 4791 §9.7 and §9.9
//	multiget.go    calendar-multiget                        RFC 4791 §7.9
//	data.go        calendar-data, whole and in part         RFC 4791 §9.6, RFC 7809 §7.1
//	freebusy.go    free-busy-query                          RFC 4791 §7.10, RFC 7953
//	sync.go        sync-collection                          RFC 6578
//	principals.go  the reports about principals             RFC 3744 §9
//	expand.go      expand-property                          RFC 3253 §3.8
//	timezone.go    a calendar's VTIMEZONE                   RFC 4791 §5.2.2 and §9.8
//	backend.go     what is needed of the calendars
//
// # Promises
//
// What a client PUT comes back octet for octet, under a strong ETag. Whether a
// write may go ahead is decided in its transaction. What is advertised, in
// Allow, DAV:supported-report-set and DAV:propname, is read from the tables
// that do the work. A request costs memory and time within bounds, whatever is
// in it. A refusal says why in XML, for programs and for people.
//
// A resource belongs to one member, and for all others it does not exist.
//
// # Why
//
// An answer is composed in one transaction, so that all of it is true of one
// moment, and sent after it: a client may take minutes to read it. What of it
// does not fit into memory waits in a file meanwhile.
//
// Beside calendars a home holds plain collections of files: that is what
// WebDAV is, and what tests of WebDAV ask for. There are no locks. Lists of who
// may do what are told and cannot be changed here.
//
// Where clients and RFCs differ, both are served: a calendar-query without
// Depth means 1, sync-collection and free-busy-query do not mind the header.
// The places say for whom.
package dav
