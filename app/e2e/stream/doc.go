// Package stream tests the stream of changes in the whole program over HTTP: which
// write wakes whose streams, when a stream ends, and how a client resumes.
package stream
