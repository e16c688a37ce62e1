// Package libraries compares the server with the calendar libraries of other programs. The tests
// need -long and the libraries.
//
// # Files
//
//   - main_test.go: TestMain
//   - expansion_test.go: occurrences of random objects and of shapes in libical and ical.js
//   - difference_test.go: the known differences
//   - engine_test.go: KCalendarCore and the library of Evolution, which tick tasks
//   - ticking_test.go: recurring tasks that they or the server complete
package libraries
