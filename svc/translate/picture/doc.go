// Package picture fetches pictures of web pages and encodes them again, so that the site
// does not learn the addresses of clients, and no client decodes a file of the site.
//
// # Files
//
//   - picture.go: Service, its limits and its cache
//   - failures.go: the cache of recent errors, and the type of errors
//   - decode.go: formats, the limits before decoding, Convert
//   - jpeg.go: orientation and memory of a JPEG file
//   - scale.go: reduction and rotation
//
// # Invariants
//
// The type of a picture is that of its content; the Content-Type header is not read.
// SVG is not supported. Only the first frame of an animation is used; an animated WebP
// file is rejected, because package webp does not decode it.
//
// The size of the decoded picture is checked before decoding. One picture is decoded
// at a time.
//
// A result has only pixels: it is a JPEG or PNG file that this package has encoded.
//
// # Limits
//
// This package limits the concurrent fetches, in total and for each host, and caches
// errors. The HTTP layer limits the requests of each member.
package picture
