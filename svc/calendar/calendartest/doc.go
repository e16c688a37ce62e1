// Package calendartest provides the calendar service on a new database for tests.
//
//   - calendartest.go: Fixture, the service with its members and calendars
//   - random.go: random calendar objects
package calendartest
