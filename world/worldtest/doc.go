// Package worldtest contains helpers for the tests of the packages of World: a World
// with real services, and the check of published contracts.
//
// # Files
//
//   - server.go: Server, a World over all services on a new database
//   - fixture.go: writes of members
//   - check.go: WantReferences, the check of ids and references in a dataset
//   - delta.go: ApplyDelta, which applies a dataset with only changes
//   - contracts.go: WantSchemas, the check of Go types, schemas and examples
//   - strict.go: WantStrictSchemas, the same for schemas written by hand
package worldtest
