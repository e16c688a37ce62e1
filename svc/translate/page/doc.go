// Package page parses web pages: character encoding, HTML tree, base URL, metadata.
//
// # Files
//
//   - page.go: Page and Parse
//   - charset.go: media type, character encoding and language tag
//   - scan.go: title, metadata and scripts, from the tokens of the document
//   - formatting.go: estimate of the nodes that unclosed formatting elements cause
//   - flat.go: the document as a flat list of blocks
//   - url.go: references as URLs
//   - text.go: untrusted text as plain text
//   - strip.go: removal of tags from text
//
// # Invariants
//
// The input is hostile. Parse takes time and memory proportional to its length, for
// any nesting, and never panics.
//
// Text that leaves this package through [Text] and URLs that leave it through
// [Page.Resolve] contain no markup and no scheme but http and https.
package page
