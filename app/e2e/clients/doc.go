// Package clients tests the server with CalDAV and WebDAV clients of Debian. The
// tests are long: they run with the flag -long.
package clients
