// Package calendar is the Time service: the calendars of each member, with
// events and tasks. Responses call it "time".
//
//   - service.go: Service, and its queries
//   - calendar.go: read, create and update calendars
//   - palette.go: PaletteColor and NextColor, the colors of calendars
//   - deletion.go: delete calendars, and move their objects
//   - copy.go: copy and move calendars
//   - members.go: hooks for members who are created, deleted or recovered
//   - object.go: read and create calendar objects
//   - draft.go: Draft, an edit of a calendar object
//   - detached.go: occurrences that left their series when they were completed
//   - undo.go: returns to the text before a change of a series
//   - trash.go: list, restore and purge the trash
//   - sweep.go: background deletion
//   - feed.go: feeds, and a calendar as one iCalendar stream
//   - importing.go: import of calendar objects
//   - importtarget.go: the calendar into which a source is imported
//   - importreport.go: ImportReport, what happened to each entry
//   - export.go: everything that a member has stored
//   - preferences.go: preferences for views
//   - week.go: weekend and week numbers of a locale
//
// # Packages
//
// Each package may import the packages above it.
//
//   - ics         iCalendar text
//   - dav         the CalDAV protocol; it uses the service through an interface
//   - occurrence  the occurrence index: its rows, and the rows that a query reads
//   - view        calendar objects as JSON
//   - edit        changes in JSON, applied to iCalendar text
//   - object      storage of calendar objects, shared by the packages below
//   - mirror      mirrors of Social events
//   - collection  storage of WebDAV resources
//   - calendar    this package
//   - index       lists by time
//
// # Invariants
//
// The octets that a client PUT are stored unchanged and are authoritative;
// columns can be recomputed from them. A change over the JSON API
// edits only the lines of the fields that it sets.
//
// Every read and write of a calendar goes through a row of calendar_access. A
// calendar without one does not exist for the member.
package calendar
