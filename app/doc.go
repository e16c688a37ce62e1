// Package app assembles the program and runs it: services, HTTP server,
// background jobs, listener.
//
// # Files
//
//   - app.go: App, and Assemble, which contains every constructor call
//   - serve.go: Serve, from opening the database to a graceful stop
//   - listen.go: the port, socket activation, certificates
//   - jobs.go: background jobs
//   - backup.go: automatic backups
//   - hosted.go: the state of each service
//   - version.go: the version of the program
//
// # Packages
//
//   - cli: the command line
//   - config: settings
//   - httpd: routes, handlers and pages
//   - davserver: credentials of CalDAV clients, backend of the protocol
//   - transfer: import and export of members' data
//   - setup: creation of the first operator
//   - limits: rate limits and concurrency limits
//   - manual: topics of the manual
//   - apptest: the whole program in tests
//   - e2e: end-to-end tests, one package per concern
//
// # Invariants
//
// Nothing is written for a member whose access has been revoked, however long
// ago the request was authenticated.
//
// Content of members and credentials are never logged.
//
// # Why
//
// transfer, setup, limits and manual are packages of their own because both the
// HTTP server and the command line use them.
package app
