// Package maintext finds the main text of a page and returns it as blocks.
//
// # Files
//
//   - block.go: Block and Image
//
// # Invariants
//
// Blocks contain plain text and http or https URLs only; nothing of the HTML
// remains.
package maintext
