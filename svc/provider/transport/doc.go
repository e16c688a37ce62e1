// Package transport sends requests to providers: it fetches their sources and sends
// commands.
//
// # Files
//
//   - client.go: Client and Endpoint
//   - signature.go: signs requests; secrets
//   - errors.go: the errors of requests, in words for members and operators
//
// # Invariants
//
// A request goes only to the scheme, host and port that the operator has configured,
// on a connection of its own, and is never redirected. It is signed as Standard
// Webhooks 1.0 describes (https://www.standardwebhooks.com).
//
// A response is not trusted: its media type is ignored, and the caller validates the
// body. The message of an error contains neither the address of a provider nor text
// that the provider has sent.
package transport
