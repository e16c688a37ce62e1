// Package calendar tests calendars on the whole program: routes, panels, forms,
// pages, and the same data over the JSON API, over CalDAV and in the dataset.
// The rules are tested in svc/calendar and the packages below it.
package calendar
