// Package world tests the outputs of World in the whole program: the dataset, the
// session, the translated output and the field, their URLs, the isolation of members,
// and the stream of changes: which members receive an event for a write, when a stream
// ends, and how a client resumes. It also runs the harness against the program and against broken
// responses. The rules of the dataset are tested in world/dataset.
package world
