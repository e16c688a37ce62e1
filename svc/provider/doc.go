// Package provider stores the records that third-party services publish in source
// payloads, and relays the actions of members to these services.
//
// # Files
//
//   - service.go: Service
//   - registry.go: Provider: add, list, remove, state
//   - acquire.go: Acquire, which requests the payload of a provider
//   - ingest.go: Ingest, which replaces the records of a provider
//   - rows.go: the rows of a payload
//   - read.go: the objects and collections that a member can see
//   - action.go: actions of members
//   - sweep.go: deletion of records that no member can see
//
// # Ingestion
//
// A payload is a snapshot: it replaces all records of its provider, or nothing. Rows
// are immutable and belong to a range of generations. An ingestion writes only the
// rows that differ, in short transactions, as part of the next generation, which
// members do not see. One short write then makes that generation current. If the
// process ends before, the next ingestion undoes the rest.
//
// # Invariants
//
// Members, and the ids that clients get, never contain the address of a provider.
//
// A provider never gets the id, the name or the e-mail address of a member. It gets a
// subject, which differs for each provider.
package provider
