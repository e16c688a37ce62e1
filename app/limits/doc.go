// Package limits bounds what one client can use of the server: requests per
// time, requests at the same time, and guesses at a secret.
//
// # Files
//
//   - rate.go: rate limits, as token buckets by name and key
//   - concurrency.go: concurrency limits by key
//   - guard.go: protection of passwords and codes against guessing
//   - address.go: the address of a client, also behind reverse proxies
//
// # Why
//
// All state is in memory. A restart forgives at most one period of each limit,
// whereas a database write per request would itself be a cost that clients can
// cause.
package limits
