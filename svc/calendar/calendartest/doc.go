// Package calendartest gives tests the calendar service on a new database.
//
//   - calendartest.go: Fixture, the service with its members and calendars
//   - random.go: random calendar objects
package calendartest
