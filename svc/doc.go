// Package svc holds the words that all services share: who is asking, what
// can go wrong, how things are named. It imports nothing of this program, and
// everything else imports it.
//
//   - viewer.go  Viewer: the trusted answer to "who is asking?"
//   - errors.go  Error, and the published list of its codes
//   - change.go  the table of changes: which write changes what, for whom
//   - version.go Version: the state of an object
//   - hosted.go  HostedService: a service as the program runs it
//   - id.go      ids and secrets
//   - spool.go   something large that waits
//   - zone.go    time zones by name
//   - text.go    what text from members must look like
//   - page.go    pages of lists, and the cursors between them
package svc
