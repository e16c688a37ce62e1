// Package maintext finds the main text of a page and returns it as blocks.
//
// # Files
//
//   - block.go: Block, Image and Text
//   - find.go: Find, and the choice of the element with the main text
//   - prune.go: copies of the tree without navigation, banners and hidden elements
//   - words.go: the words of class names and texts by which navigation is recognized
//   - builder.go: builder, which turns elements into blocks
//   - run.go: run, the text of a block with its links and images
//   - list.go: lists, definition lists and tables
//   - image.go: images, their sources and captions
//   - filter.go: removal of blocks that do not belong to the text
//   - meta.go: title, site name, author, date and summary
//
// # Invariants
//
// Blocks contain plain text and http or https URLs only; nothing of the HTML
// remains.
//
// Find does not change the tree of the page, and does not panic for any tree.
package maintext
