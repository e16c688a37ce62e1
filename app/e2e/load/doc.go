// Package load tests and measures the program with many members, entries and
// concurrent requests. Measurements run with the flags -load and -latency.
package load
