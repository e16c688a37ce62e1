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
//   - language.go: the real binary with another language
//   - client.go: Client, which sends requests for a member
//   - avatar.go: files for avatars, and their upload
//   - factor.go: authenticator apps and passkeys
//   - request.go: requests that match the pattern of a route, or accept an encoding
//   - answer.go: Answer, a response and checks of it
//   - openapi.go: checks of responses against the OpenAPI document
//   - certificate.go: a self-signed certificate
//   - calendar.go: calendar fixtures
//   - dav.go: bodies of CalDAV requests and responses
//   - social.go: communities, invitations, conversations, events, blocks
//   - messages.go: messages
//   - maps.go: imported places
//   - find.go: searches, and search servers on this machine
//   - site.go: web sites on this machine
//   - surface.go: surfaces and findings
//   - workspace.go: datasets, actions and the workspace
//   - session.go: the session
//   - shapes.go: Shapes, the objects of testdata/calendar
//   - stream.go: streams of changes
//   - panel.go: panels, and a fixture with every kind of Social content
//   - provider.go: providers
//   - check.go: the invariants of a dataset
//   - database.go: the contents of the database file
//   - population.go: many members with content, for load tests
//   - random.go: random calendar objects
//   - bench.go: requests in benchmarks
//   - log.go: the log of the server, and the queries it ran
//   - text.go: formats of values
//
// # Fixtures
//
// Fixtures are created through the HTTP API. There are three exceptions:
//
//   - [Server.Member] calls the identity service, as the command line does: by
//     HTTP, a member needs an invitation by another member.
//   - [Population] calls the services, because load tests need many thousands of
//     records.
//   - [Server.Exec] damages the data or creates states that the program does not create.
//
// Tests can access the internals of the program through the fields of [Server]:
// the clock, the database, the log and the tally of queries.
package apptest
