// Package hours parses and evaluates the tag opening_hours of OpenStreetMap, and
// finds the time zone of a place.
//
// It implements the parts of the specification that most values consist of:
// weekdays, also counted within the month, times, also after midnight, months,
// dates, years, numbers of weeks, and the states open, closed and unknown. [Parse]
// rejects all other values, such as times relative to sunrise and rules that are
// separated by ||, because a wrong state is worse than none.
//
// The program does not know public and school holidays: rules for them are ignored.
// Applications show the text of the tag beside the state.
//
// # Files
//
//   - hours.go: Hours, and its evaluation
//   - selector.go: the days that a rule applies to
//   - parse.go: Parse
//   - parsedate.go: years, months, dates and numbers of weeks in a value
//   - zone.go: the time zone of a place
//   - zones.go: the time zones of the countries
package hours
