// Package picture fetches pictures of web pages and encodes them again, so that the site
// does not get the addresses of clients, and no client decodes a file of the site.
//
// # Files
//
//   - picture.go: Service, its limits and its cache
//   - failures.go: the cache of recent errors, and the type of errors
//
// Package raster decodes, reduces and encodes the pictures.
//
// # Invariants
//
// The type of a picture is that of its content; the Content-Type header is not read.
//
// # Limits
//
// This package limits the concurrent fetches, in total and for each host, and caches
// errors. The HTTP layer limits the requests of each member.
package picture
