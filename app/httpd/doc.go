// Package httpd is the HTTP server of the program. It finds the route of a request,
// authenticates the request, limits it, calls the handler of the route, and turns errors
// into responses. The routes are those of the packages api, pages, webapp and davserver,
// whose handlers use it to decode requests and to encode responses.
//
// # Files
//
//   - server.go: Server and its dependencies
//   - routes.go: Route, and the access that it requires
//   - handler.go: the path of a request, limits of computation, concurrency of reads
//   - response.go: the writer of a response, encoding of JSON
//   - errors.go: errors and their responses
//   - auth.go: access to routes, the service key, cookies
//   - body.go: the time and memory for request bodies
//   - decode.go: JSON and form bodies, parameters
//   - etag.go: entity tags that a reverse proxy has changed
//   - address.go: pages that were opened at another address than base-url
//   - accept.go: what the client accepts: a page or JSON
//   - compress.go: compression of responses
//
// # Why
//
// A handler writes a complete response and returns nil, or writes nothing and
// returns an error. One function turns errors into responses and log lines.
//
// An error is {"error": {…}}, not the format of RFC 9457: the status member of
// that format is an integer, responses of the search have a textual one, and
// clients read both with one decoder.
//
// Of the services, it knows only package identity; package ics estimates the memory for a
// calendar in a request body.
//
// The check that a session still exists is kept in the context of a request
// ([store.WithWriteGuard]), although a context otherwise carries no authority.
// A request body may arrive long after the request was authenticated, so the
// check must run inside every write transaction. As a parameter it would have
// to pass through every handler, the CalDAV protocol and World, and each of
// them could forget it. It can only make a write fail.
package httpd
