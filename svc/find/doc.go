// Package find is the Find service: searches of members for places and web pages.
//
// # Files
//
//   - service.go: Service, its configuration, and the searches that are available
//   - request.go: Request and its validation; Outcome, the result of a search
//   - near.go: searches near a place, such as "tea near Lisbon"
//   - search.go: Search, which sends a search to the providers
//   - rank.go: selects and orders the results of the providers
//   - finding.go: places and pages as findings
//   - record.go: Record, which stores a search and replaces the findings in the overlay
//   - history.go: the searches of a member, their deletion and their export
//   - sweep.go: deletion of a member and of old searches
//
// Package provider asks the servers that the operator has configured.
//
// # Invariants
//
// A search has two steps. Search asks the providers and writes nothing; no
// transaction is open while it waits for another server. Record stores the result in
// one transaction, or nothing.
//
// The text of a search is not interpreted, except for the form "X near Y": each
// provider receives the text as the member wrote it.
//
// Findings come from providers only. If no provider has answered, there are none, and
// the findings of the previous search stay in the overlay.
//
// Find reads the places of Maps and never writes them. Surface owns the surfaces
// that show findings.
package find
