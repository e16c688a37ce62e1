// Package picture fetches pictures of web pages and encodes them again, so that the
// host of a picture never learns who views it and its bytes never reach a client.
//
// # Files
//
//   - picture.go: Service, its limits and its cache
//   - failures.go: recent failures, and the errors of this package
//   - decode.go: formats, the limits before decoding, Convert
//   - jpeg.go: orientation and memory of a JPEG file
//   - scale.go: reduction and rotation
//
// # Invariants
//
// The type of a picture is that of its content; the Content-Type header is not read.
// SVG is no picture. Only the first frame of an animation is used.
// An animated WebP file is rejected, because package webp does not decode it.
//
// The size of the decoded picture is checked before decoding. One picture is decoded
// at a time.
//
// A result has only pixels: it is a JPEG or PNG file that this package has encoded.
//
// # Limits
//
// This package limits the concurrent fetches, in total and for each host, and
// remembers failures. The HTTP layer limits the requests of each member.
package picture
