// Package contract defines the messages between providers and this server: the
// source payload, the action command and the action result.
//
// # Files
//
//   - contract.go: names, Ref, the limits of payloads
//   - source.go: Source, the payload with the objects of a provider
//   - visibility.go: Visibility and Input, which have two forms in JSON
//   - action.go: Command and Result
//   - parse.go: ParseSource and ParseResult
//   - tree.go: decoding to a tree; rejection of ambiguous documents
//   - schema.go: the published schemas, and messages about their violations
//   - walk.go: the check of all keys and strings
//   - terms.go: presentation terms and markup
//   - reference.go: references between records
//   - problem.go: Rejection, Problem
//
// The schemas in assets/schema are strict: except in metadata and in the data of
// extensions, a payload with an unknown key is rejected.
package contract
