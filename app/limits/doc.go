// Package limits limits the resources that one client can use: requests per time,
// concurrent requests, and guesses at a secret.
//
// # Files
//
//   - rate.go: rate limits, as token buckets by name and key
//   - pace.go: pauses in the computation of one key
//   - concurrency.go: concurrency limits by key and in total, also by weight
//   - counts.go: limits on the number of items by key and in total
//   - connections.go: limits on open connections
//   - refusals.go: log lines about refused requests and connections
//   - memory.go: the memory limit of the process
//   - sizes.go: the limits that depend on memory and file descriptors
//   - files_unix.go: the number of file descriptors
//   - files_other.go: the same on systems other than Unix
//   - guard.go: protection of passwords and codes against guessing
//   - sample.go: the rate of attempts at an account that is under attack
//   - address.go: the address of a client, also behind reverse proxies
//
// # Why
//
// All state is in memory. A restart resets the limits, so a client gains at most one
// period of each limit; a database write per request would be a cost that clients
// can cause.
package limits
