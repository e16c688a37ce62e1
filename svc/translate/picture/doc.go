// Package picture fetches the pictures of web pages and encodes them again.
//
// # Files
//
//   - reader.go: Reader, which fetches pictures and remembers failures
//   - encode.go: decodes, turns, scales and encodes a picture
//   - orientation.go: the segments of a JPEG file, its orientation
//
// # Invariants
//
// The bytes of a site never reach a client: a picture is decoded and encoded again as
// JPEG or PNG, so that nothing but its pixels remains.
//
// The dimensions are checked before the pixels are decoded, and one picture is decoded
// at a time, because its pixels may need more memory than everything else.
package picture
