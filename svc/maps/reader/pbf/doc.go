// Package pbf decodes OpenStreetMap files in the format .osm.pbf.
//
// # Files
//
//   - file.go: Open, Scan, and the errors with their positions
//   - blob.go: the blocks of a file and their decompression
//   - block.go: nodes, ways and relations of one block
//   - wire.go: the encoding of Protocol Buffers
//
// # Why
//
// The file may come from an untrusted source. The existing decoders in Go
// decompress a block before they check its size, and panic in their own goroutines
// if an index is out of range. Here, every size and index is checked, memory does
// not depend on the content of a file, and an error names the offset of the block.
package pbf
