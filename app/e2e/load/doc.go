// Package load measures the server with many members and many clients.
package load
