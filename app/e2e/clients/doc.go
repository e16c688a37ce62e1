// Package clients tests the server with CalDAV clients from Debian.
package clients
