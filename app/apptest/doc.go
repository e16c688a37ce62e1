// Package apptest runs the whole program in tests: a real database, real
// handlers and real HTTP.
//
//	s := apptest.New(t)
//	ann := s.Member("ann")
//	ann.Do("POST", "/world/time/objects", body).Want(201)
//	ann.Do("GET", "/world/time/objects/x").WantError(404, "not_found")
//
// # Files
//
//   - server.go: Server, a program with an HTTP server in the test process
//   - process.go: Process, the real binary as a child process
//   - client.go: Client, which sends requests for a member
//   - answer.go: Answer, a response and checks of it
//   - calendar.go, entry.go, trash.go, rich.go, dav.go: calendar fixtures and CalDAV
//   - social.go, socialpanel.go, messages.go: communities, events, conversations, messages
//   - surface.go, workspace.go: surfaces, findings and the workspace
//   - world.go, panel.go, check.go: datasets and panels, and their invariants
//   - database.go: the contents of the database file
//   - population.go: many members with content, for load tests
//   - random.go: random calendar objects
//   - bench.go: requests in benchmarks
//   - log.go: the log of the server, and the queries it ran
//   - text.go: comparison of texts
//
// # Fixtures
//
// Fixtures are created through the HTTP API. Tests that need many rows use
// [Population], which calls the services.
//
// Tests may look inside through the fields of [Server]: the clock, the
// database, the log and the tally of queries.
package apptest
