// Package raster decodes pictures that clients or other servers have sent, reduces them
// and encodes them again.
//
// # Files
//
//   - raster.go: Decoder, its results and its errors
//   - decode.go: formats, the limits before decoding
//   - exif.go: the orientation of a file, and the memory of a JPEG file
//   - webp.go: chunks of WebP files, the first frame of an animation
//   - scale.go: reduction, cropping and rotation
//
// # Invariants
//
// The type of a picture is determined by its content. SVG is not supported. Only the first frame of
// an animation is used.
//
// The size of the decoded picture is checked before decoding. A Decoder decodes one
// picture at a time.
//
// A result has only pixels: it is a JPEG or PNG file that this package has encoded.
package raster
