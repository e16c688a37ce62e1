// Package caldav tests the server with CalDAV requests, well-formed and hostile.
package caldav
