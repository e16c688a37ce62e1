// Package rastertest contains pictures for tests.
package rastertest

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
)

// The colors of [Halves].
var (
	Red  = color.RGBA{200, 20, 20, 255}
	Blue = color.RGBA{20, 20, 200, 255}
)

// Halves returns a picture whose left half is red and whose right half is blue.
func Halves(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			if x < w/2 {
				m.SetRGBA(x, y, Red)
			} else {
				m.SetRGBA(x, y, Blue)
			}
		}
	}
	return m
}

// PNG returns a PNG file.
func PNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// JPEG returns a JPEG file.
func JPEG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Rotated returns a JPEG file with an EXIF orientation and a comment.
func Rotated(t testing.TB, m image.Image, orientation byte) []byte {
	file := JPEG(t, m)
	tiff := []byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00")
	tiff = append(tiff, orientation, 0, 0, 0, 0, 0, 0)
	exif := append([]byte("Exif\x00\x00"), tiff...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2))
	segment = append(segment, exif...)
	segment = append(segment, "\xff\xfe\x00\x0asecret!!"...)
	return append(append([]byte{0xff, 0xd8}, segment...), file[2:]...)
}

// DeclaredPNG returns a PNG file whose header states a size and a depth that differ from the
// content.
func DeclaredPNG(t testing.TB, w, h uint32, depth byte) []byte {
	file := PNG(t, Halves(4, 4))
	binary.BigEndian.PutUint32(file[16:], w)
	binary.BigEndian.PutUint32(file[20:], h)
	file[24] = depth
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return file
}

// WebP returns a lossless WebP file of one color. Its pixel data is empty.
func WebP(w, h uint32) []byte {
	chunk := []byte{0x2f, 0, 0, 0, 0, 0x88, 0x88, 0x08}
	binary.LittleEndian.PutUint32(chunk[1:], (w-1)|(h-1)<<14)
	file := append([]byte("RIFF\x14\x00\x00\x00WEBPVP8L\x08\x00\x00\x00"), chunk...)
	return file
}

// AnimatedWebP returns an animation of lossless WebP files.
func AnimatedWebP(w, h uint32, frames ...[]byte) []byte {
	body := chunk("VP8X", append([]byte{2, 0, 0, 0}, size24(w, h)...))
	body = append(body, chunk("ANIM", make([]byte, 6))...)
	for _, f := range frames {
		header := append(make([]byte, 6), size24(w, h)...)
		header = append(header, 100, 0, 0, 0) // duration and flags
		body = append(body, chunk("ANMF", append(header, f[12:]...))...)
	}
	file := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body)+4))
	return append(append(file, "WEBP"...), body...)
}

// size24 returns a width and a height as WebP encodes them in VP8X and ANMF.
func size24(w, h uint32) []byte {
	return []byte{byte(w - 1), byte((w - 1) >> 8), byte((w - 1) >> 16), byte(h - 1), byte((h - 1) >> 8), byte((h - 1) >> 16)}
}

func chunk(id string, data []byte) []byte {
	c := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(data)))
	return append(c, data...)
}

// ZeroPNG returns a PNG file whose pixels are all zero: a large picture in a small file.
func ZeroPNG(t testing.TB, w, h int) []byte {
	t.Helper()
	return PNG(t, image.NewGray(image.Rect(0, 0, w, h)))
}

// CMYK returns a JPEG file with four components, which package jpeg decodes as CMYK.
func CMYK(t testing.TB) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 8, 8))
	for i := range m.Pix {
		m.Pix[i] = 128 // such a block has no coefficients
	}
	file := JPEG(t, m)
	frame, scan := bytes.Index(file, []byte{0xff, 0xc0}), bytes.Index(file, []byte{0xff, 0xda})
	length := func(at int) int { return 2 + int(binary.BigEndian.Uint16(file[at+2:])) }
	four := append([]byte{0xff, 0xc0, 0, 20}, file[frame+4:frame+9]...)
	four = append(four, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0)
	adobe := "\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00" // no color transformation
	result := append([]byte("\xff\xd8"+adobe), file[2:frame]...)
	result = append(result, four...)
	result = append(result, file[frame+length(frame):scan]...)
	result = append(result, 0xff, 0xda, 0, 14, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0)
	return append(result, 0x28, 0xa2, 0x8a, 0xff, 0xd9) // four blocks of 001010: no difference, end of block
}
