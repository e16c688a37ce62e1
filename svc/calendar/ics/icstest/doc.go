// Package icstest provides iCalendar texts for tests.
//
//   - objects.go: objects of real clients, and simple ones
//   - random.go: random times and objects
//   - text.go: comparison of texts
package icstest
