// Package calendar tests what only the whole program shows of calendars: routes,
// panels, forms, pages, and the same data natively, over CalDAV and in the
// dataset. The rules are tested in svc/calendar and the packages below it.
package calendar
