// Package page parses web pages: character encoding, HTML tree, base URL, metadata.
//
// # Files
//
//   - page.go: Page and Parse
//   - text.go: foreign text as plain text
//
// # Invariants
//
// The input is hostile. Parse takes time and memory proportional to its length, for
// any nesting, and never panics.
//
// Text that leaves this package through [Text] and URLs that leave it through
// [Page.Resolve] contain no markup and no scheme but http and https.
package page
