// Package calendar tests calendars and entries: the routes of Time, their CalDAV view, trash and feeds.
package calendar
