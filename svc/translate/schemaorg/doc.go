// Package schemaorg reads the schema.org data of a page: JSON-LD, microdata and
// RDFa Lite, merged into one graph.
//
// # Files
//
//   - graph.go: Graph, Node and Value
//   - types.go: the tree of types
//
// # Invariants
//
// The input is hostile. Work and memory are proportional to the length of the page;
// the number and the depth of nodes are limited; references in circles end.
//
// A block that cannot be parsed is a warning and does not affect other blocks.
//
// The graph does not depend on the order of keys, on the nesting (nested, @graph or a
// reference by @id) or on whether a single value is in an array.
package schemaorg
