// Package ics is everything about iCalendar text (RFC 5545) that needs no
// database: reading it, knowing when things are, finding them, and changing
// some lines without touching the others.
//
// # Where things are
//
// Reading:
//
//   - scan.go       content lines, and the limits of what is read
//   - tree.go       the lines as a tree of components
//   - read.go       Parse: an Object, checked against RFC 4791 §4.1
//   - object.go     Object, Component, Error
//   - value.go      typed values of properties; alarms
//   - readzone.go   the zone that CALDAV:calendar-timezone is
//   - import.go     a whole calendar, taken apart into objects; merge.go, put together
//
// When things are:
//
//   - time.go       Time and Duration as they are written
//   - zone.go       what a TZID means; vtimezone.go, windows.go
//   - rrule.go      Rule: RRULE, read and printed
//   - recur.go      the instances of a rule; calendar.go
//   - instances.go  the instances of an object
//   - span.go       what they overlap: the table of RFC 4791 §9.9
//   - filter.go     CALDAV:filter
//   - freebusy.go   what is busy: CALDAV:free-busy-query
//   - availability.go  what is available: VAVAILABILITY
//
// Changing:
//
//   - edit.go       Document: text as a tree of its lines
//   - print.go      properties as lines
//   - split.go      one instance, this and future, another start
//   - expand.go     CALDAV:expand and CALDAV:limit-recurrence-set
//   - selection.go  CALDAV:comp and CALDAV:prop; time zones by reference
//   - tzwrite.go    a VTIMEZONE of a zone that Go knows
//
// # Promises
//
// Reading is bounded: no text makes it panic, and none of a megabyte takes it
// more than a fraction of a second. So is evaluating: a rule may look at some
// hundred thousand days and instances, an expansion has at most some megabytes,
// and whoever asked is told if that was not enough. An Object never changes. A
// Document gives back every octet that it was not told to change.
//
// # Why
//
// Components and properties are the types of go-ical. Its decoder is not used:
// it panics on some lines, takes time quadratic in the length of a parameter,
// and would read every line a second time. Nor are its values, which know no
// VTIMEZONE and fail on lists and on foreign TZIDs, nor its encoder, which
// writes sorted, unfolded lines. Recurrence rules are evaluated here and not by
// rrule-go, because no limit can be set there on a rule that has no instances.
// Both are oracles in the tests.
//
// Series live on the wall clock. Instances are computed as what the clock in
// the series' own zone shows, and become instants last, so that nine o'clock
// stays nine o'clock when the clock is changed.
package ics
