// Package worldtest contains what tests of the packages of World share: a World
// over real services, and the check of published contracts.
//
// # Files
//
//   - server.go: Server, a World over all services on a new database
//   - fixture.go: writes of members
//   - check.go: CheckReferences, the check of ids and references in a dataset
//   - contracts.go: Contracts, the check of Go types, schemas and examples
package worldtest
