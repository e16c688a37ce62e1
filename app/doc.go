// Package app is the program around the services: settings, commands, the
// HTTP edge, and the wiring of it all.
//
// # Where things are
//
//   - assemble.go   every constructor call, in order: who needs whom
//   - routes.go     every route, one a line: the table of contents of HTTP
//   - handler.go    the way in of a request, errors to statuses
//   - decode.go     JSON and form bodies, parameters
//   - auth.go       credentials to svc.Viewer
//   - identity.go   members, sessions, device passwords, administration
//   - world.go      the dataset and idempotent writes; time.go its calendars
//     and the panel of Time, producer.go the same for whoever has the service key
//   - messages.go   threads, messages, and the panel of Messages
//   - social.go     circles and blocks; communities.go, conversations.go,
//     events.go, profiles.go and dms.go the rest of social life, socialpanel.go
//     its panel
//   - dav.go        CalDAV: credentials, and the backend of the protocol
//   - pages.go      pages for people; signin.go, account.go, setup.go
//   - health.go     is it alive, is it ready
//   - units.go      services as the program hosts them; jobs.go what they do alone
//   - config/       everything an operator can choose
//   - limits/       rate limits, concurrency limits, and the address of a client
//   - cli.go        Run, the command tree, exit statuses; cmd_*.go and serve.go
//   - listen.go     the port, systemd, certificates
//
// # Promises
//
// A handler either writes a whole answer and returns nil, or writes nothing
// and returns an error. Errors become answers and log lines in one place.
//
// Nothing is written for somebody who may no longer come in, however long ago
// their request was admitted.
//
// Nothing a member wrote, and nothing that signs somebody in, is ever logged.
//
// # Why errors have a shape of their own
//
// RFC 9457 has a member status that is an integer; answers of the search have
// one that is text, and runtimes read both with one decoder. So an error is
// {"error": {…}} everywhere (B-01).
package app
