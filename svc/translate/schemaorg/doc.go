// Package schemaorg reads the schema.org data of a page: JSON-LD, microdata and
// RDFa Lite, merged into one graph.
//
// The tree of types is that of schema.org, from the npm package schema-dts
// (https://github.com/google/schema-dts, Apache-2.0).
//
// # Files
//
//   - graph.go: Graph, Node and Value
//   - parse.go: Parse, limits and references
//   - jsonld.go: nodes of JSON-LD blocks
//   - repair.go: malformed JSON
//   - microdata.go: items of microdata
//   - rdfa.go: resources of RDFa Lite
//   - element.go: values of HTML elements
//   - merge.go: nodes that describe the same object in several syntaxes
//   - names.go: names of types and properties, identifiers
//   - types.go: the tree of types
//   - generate.go: the program that writes the tree of types from an npm package
//
// # Invariants
//
// The input is hostile. Work and memory are proportional to the length of the page; the
// number and the depth of nodes are limited; reference cycles cause no endless
// recursion.
//
// A block that cannot be parsed is a warning and does not affect other blocks.
//
// The graph does not depend on the order of keys, on the nesting (nested, @graph or a
// reference by @id) or on whether a single value is in an array.
package schemaorg
