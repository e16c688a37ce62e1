// Package harness reads a running World as a strict runtime does that was
// written from the documents alone, and tells what holds and what does not. It
// knows nothing of the program on the other side, so it serves to test any
// World.
//
// # Where things are
//
//   - harness.go    Run, the report, and the table of all checks
//   - probe.go      how it asks; what it asks once and all checks share
//   - value.go      JSON as it came, and what a check has found in it
//   - words.go      what may be said: words, addresses, times, secrets
//   - schema.go     the published shapes
//   - requests.go   headers, credentials, parameters, statuses
//   - dataset.go    the canonical dataset; references.go what it refers to
//   - session.go    the session; surface.go and field.go two parts of it
//   - translated.go the translated output; panels.go the panels
//   - links.go      every address that is published
//   - answers.go    what holds for every answer that was seen
//
// # What it sends
//
// It changes nothing of the member's. It sends GET, and POST /world/session,
// which is a read. Links are followed with Sec-Purpose: prefetch, so that
// nothing counts as read by the member. That a command is live is seen from
// the 405 that its address gives to a method nobody has: the answer lists the
// methods that are taken. And it sends some writes that have to be refused:
// bodies that cannot be read, forms whose required controls are empty, surfaces
// that do not exist, members who are nobody. A World that carries one of those
// out is wrong, and the report says so. PUT, PATCH and DELETE of something that
// is there are never sent.
//
// # Bounds
//
// An answer has 16 MiB at most, all together 256, and each comes within half a
// minute. No redirection is followed, and nothing is asked of another host. Of
// each kind of command some are tried, of all together some hundred. When World
// asks to wait, it waits a minute at most.
package harness
