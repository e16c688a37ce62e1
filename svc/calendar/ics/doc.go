// Package ics parses, evaluates, filters and edits iCalendar text (RFC 5545). It
// uses no database.
//
// # Files
//
// Parsing:
//
//   - scan.go: splits text into content lines, within the limits on input
//   - decode.go: content lines as a tree of components and properties
//   - cost.go: an estimate of what parsing costs
//   - read.go: Parse, the checks of RFC 4791 §4.1 on a calendar object resource
//   - object.go: Object, Component, Error
//   - value.go: typed property values, alarms
//   - color.go: ParseColor, the color of a calendar
//   - parsezone.go: ParseZone, the value of CALDAV:calendar-timezone
//   - stream.go: ReadStream, which finds the components of a whole calendar
//   - assembly.go: Assembly, which joins components of streams to objects
//   - parttext.go: the text of a component of a stream, and the UID of one that has none
//   - revision.go: the order of the revisions of a component
//
// Evaluation:
//
//   - time.go: Time and Duration, the value types of RFC 5545 §3.3
//   - zone.go: Zone, the resolution of a TZID
//   - vtimezone.go: evaluates a VTIMEZONE
//   - ownzone.go: whether a VTIMEZONE applies instead of the zone that its TZID names
//   - windows.go: IANA names of the Windows time zones
//   - outlook.go: time zones whose names are offsets, as in Outlook
//   - rrule.go: Rule, parsed and formatted
//   - recur.go: expands a Rule
//   - skip.go: SKIP, the days that a month does not have
//   - gap.go: instances at local times that a change of the UTC offset skips
//   - civilday.go: day, week and month arithmetic for recur.go
//   - instances.go: the instances of an Object
//   - moved.go: the instance that a recurrence id named before its series moved
//   - progress.go: whether a task is done, and its first open instance
//   - span.go: the time-range table of RFC 4791 §9.9
//   - filter.go: evaluates CALDAV:filter
//   - freebusy.go: free-busy periods, for CALDAV:free-busy-query
//   - availability.go: evaluates VAVAILABILITY (RFC 7953)
//
// Writing:
//
//   - edit.go: Document, text whose lines can be edited
//   - advance.go: moves the start of a series of tasks to its first open occurrence
//   - format.go: formats properties as content lines
//   - split.go: overrides, exclusions and splits of a series
//   - series.go: SeriesChange, another start or rule of a series
//   - follow.go: how a rule and its dates follow the start
//   - explicit.go: how the dates of a series follow another rule
//   - ways.go: the rules to choose from if a rule cannot follow the start
//   - way.go: Way, what becomes of the dates of a series with one of these rules
//   - dateset.go: the dates of a series before and after a change
//   - exceptions.go: RDATE, EXDATE and overrides of a changed series
//   - transform.go: CALDAV:expand, limit-recurrence-set, limit-freebusy-set
//   - selection.go: CALDAV:comp and CALDAV:prop; removal of VTIMEZONEs
//   - redact.go: what a reader of an object sees who is not its owner
//   - vtimezone_write.go: writes the VTIMEZONE of an IANA zone
//   - zonewriter.go: defines the TZIDs in what is written
//   - merge.go: Merger, which writes objects as one calendar
//   - compose.go: Update, which adds later revisions to an object
//
// # Guarantees
//
// Parsing is bounded: no input causes a panic, and a text of one megabyte takes
// at most a fraction of a second. Evaluation is bounded too: each evaluation of
// an object has a budget of some hundred thousand steps, an expansion is limited
// to some megabytes, and the result states whether it was truncated. An Object
// is immutable. A Document preserves every octet of the lines that are not
// edited.
//
// # Why
//
// Components and properties are the types of go-ical, but not its decoder, its
// values or its encoder. The decoder panics on some lines, takes time quadratic
// in the length of a parameter, and would read every line a second time. The
// values ignore VTIMEZONE and fail on lists and on TZIDs outside the IANA
// database. The encoder sorts properties and does not fold lines. Recurrence
// rules are evaluated here instead of by rrule-go, because rrule-go has no work
// limit for rules without instances. Tests compare the results with both
// libraries.
//
// Recurrence is evaluated in local time, in the zone of DTSTART, and converted
// to instants last: a series at nine o'clock stays at nine o'clock when the UTC
// offset changes.
package ics
