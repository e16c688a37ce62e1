package raster

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// MaxPixels limits the pixels of a picture.
const MaxPixels = 40_000_000

const (
	maxSourceSide = 30_000 // pixels per side of the file
	jpegQuality   = 82     // JPEG quality, 1 to 100
)

// format decodes the files of one type.
type format struct {
	mediaType string
	magic     string // at the start of a file; "?" stands for any byte
	config    func(r io.Reader) (image.Config, error)
	decode    func(r io.Reader) (image.Image, error)
}

var formats = []format{
	{"image/png", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode}, // Decode ignores the other frames of an animation
	{"image/jpeg", "\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode},
	{"image/gif", "GIF8?a", gif.DecodeConfig, gif.Decode}, // Decode returns the first frame
	{"image/webp", "RIFF????WEBPVP8", webp.DecodeConfig, webp.Decode},
}

// formatOf returns the format of a file, or nil if formats does not contain it.
func formatOf(file []byte) *format {
	for i, f := range formats {
		if len(file) < len(f.magic) {
			continue
		}
		matches := true
		for k := range len(f.magic) {
			matches = matches && (f.magic[k] == '?' || f.magic[k] == file[k])
		}
		if matches {
			return &formats[i]
		}
	}
	return nil
}

// decodeFile decodes a file, after a check that its pixels fit into memory bytes, and returns its
// EXIF orientation.
func decodeFile(file []byte, memory int64) (m image.Image, orientation int, err error) {
	f := formatOf(file)
	if f == nil {
		return nil, 0, &Error{Unsupported, errors.New("the file is not PNG, JPEG, GIF or WebP")}
	}
	orientation = orientationOf(file)
	if f.mediaType == "image/webp" {
		if file, err = firstFrame(file); err != nil {
			return nil, 0, &Error{Damaged, err}
		}
	}
	config, err := f.config(bytes.NewReader(file))
	if err != nil {
		return nil, 0, &Error{Damaged, err}
	}
	perPixel := int64(bytesPerPixel(config.ColorModel))
	if f.mediaType == "image/jpeg" {
		perPixel = int64(readJPEG(file).bytesPerPixel)
	}
	if err := checkSize(int64(config.Width), int64(config.Height), perPixel, memory); err != nil {
		return nil, 0, err
	}
	if m, err = f.decode(bytes.NewReader(file)); err != nil {
		return nil, 0, &Error{Damaged, err}
	}
	if m.Bounds().Empty() {
		return nil, 0, &Error{Damaged, errors.New("the picture has no pixels")}
	}
	return m, orientation, nil
}

// checkSize checks the dimensions that a file states.
func checkSize(width, height, perPixel, memory int64) error {
	switch {
	case width <= 0 || height <= 0:
		return &Error{Damaged, fmt.Errorf("the picture has %d×%d pixels", width, height)}
	case width > maxSourceSide || height > maxSourceSide || width*height > MaxPixels:
		return &Error{TooLarge, fmt.Errorf("%d×%d pixels are too many", width, height)}
	case width*height*perPixel > memory:
		return &Error{TooLarge, fmt.Errorf("%d×%d pixels need more than %d bytes", width, height, memory)}
	}
	return nil
}

// bytesPerPixel returns the memory of a pixel of a decoded picture.
func bytesPerPixel(m color.Model) int {
	switch m {
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	case color.Gray16Model, color.Alpha16Model:
		return 2
	case color.GrayModel, color.AlphaModel:
		return 1
	}
	if _, ok := m.(color.Palette); ok {
		return 1
	}
	return 4
}

// encode returns a JPEG or PNG file without metadata.
func encode(m *image.RGBA) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if m.Opaque() {
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: jpegQuality})
	} else {
		err = png.Encode(&b, m)
	}
	if err != nil {
		return nil, &Error{Damaged, err}
	}
	return b.Bytes(), nil
}
