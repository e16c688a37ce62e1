// Package outbound is the HTTP client of all requests that this program sends to
// other servers. It decides which servers may be contacted.
//
// # Files
//
//   - client.go: Client, its limits, the body of a response
//   - policy.go: Policy, the servers that a client may contact
//   - address.go: the addresses that are not public
//   - dial.go: resolves a name, checks its addresses and connects
//   - errors.go: Error and the reasons for a failure
//
// # Invariants
//
// A name is resolved once for each connection, and the connection goes to one of the addresses that
// were checked. A later change of the address of the name therefore does not bypass the check.
//
// A policy never changes. Every redirect is checked like the first URL. A POST is not redirected.
//
// A request carries no cookies and no credentials from its URL, and ignores the
// proxy settings of the environment. Its work is bounded: the size of headers, the
// size of the decompressed body, the number of redirects and the total time.
package outbound
