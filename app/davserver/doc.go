// Package davserver connects the CalDAV protocol to the services: it checks the
// credentials of CalDAV clients, limits their requests and implements the backend of the protocol.
//
// # Files
//
//   - server.go: Server, credentials, and passwords sent without HTTPS
//   - route.go: the routes, and the path of a request
//   - verification.go: concurrent requests that share one verification of credentials
//   - backend.go: writes, each in one transaction
//   - calendar.go: deletion, COPY and MOVE of calendars, in several transactions
//   - snapshot.go: reads of the calendars of one member in one transaction
package davserver
