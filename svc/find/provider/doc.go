// Package provider searches places and web pages on the servers that the operator
// has configured: Nominatim or Photon for places, SearXNG or Brave for pages.
//
// # Files
//
//   - provider.go: Places and Pages, the searches and their results
//   - errors.go: Error and its codes
//   - source.go: requests to one server: timeout, retry, pauses, rate limit
//   - cache.go: recent responses
//   - parse.go: numbers, texts and addresses of responses
//   - nominatim.go: places of Nominatim
//   - photon.go: places of Photon
//   - searxng.go: pages of SearXNG
//   - brave.go: pages of Brave
//
// # Invariants
//
// A request goes only to the configured server, through package outbound.
//
// A response is untrusted. A result without the expected form is left out; a
// response without the expected form is an error. Texts are plain, short and on one
// line, positions are valid, and addresses are those of the web. Types and keys of a
// response do not leave this package.
package provider
