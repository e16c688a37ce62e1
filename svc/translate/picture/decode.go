package picture

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

const (
	// MaxSide is the largest width and height of a picture in pixels.
	MaxSide = 1600
	// ThumbSide is that of a thumbnail.
	ThumbSide = 320

	maxPixels = 40_000_000
	maxSource = 30_000 // pixels of a side of the file
	quality   = 82     // of JPEG
)

// format decodes the files of one type.
type format struct {
	magic  string // at the start of a file; "?" stands for any byte
	config func(r io.Reader) (image.Config, error)
	decode func(r io.Reader) (image.Image, error)
}

var formats = []format{
	{"\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode},
	{"\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode},
	{"GIF8?a", gif.DecodeConfig, gif.Decode}, // Decode returns the first frame
	{"RIFF????WEBPVP8", webp.DecodeConfig, webp.Decode},
}

// formatOf returns the format of a file, nil if it is not one of formats.
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

func isJPEG(file []byte) bool { return bytes.HasPrefix(file, []byte("\xff\xd8\xff")) }

// Convert decodes the file of a picture, applies its EXIF orientation, reduces it to
// side pixels and encodes it: as JPEG if it is opaque, else as PNG. memory limits the
// memory of decoding, in bytes, also for 16-bit colors and progressive JPEG files.
// Errors are of type [Error].
func Convert(file []byte, side int, memory int64) (result []byte, err error) {
	defer func() {
		if v := recover(); v != nil { // net/http does not recover panics in this goroutine
			result, err = nil, &Error{Damaged, fmt.Errorf("panic while decoding: %v", v)}
		}
	}()
	f := formatOf(file)
	if f == nil {
		return nil, &Error{Unsupported, errors.New("the file is not PNG, JPEG, GIF or WebP")}
	}
	config, err := f.config(bytes.NewReader(file))
	if err != nil {
		return nil, &Error{Damaged, err}
	}
	orientation := 1
	perPixel := int64(bytesPerPixel(config.ColorModel))
	if isJPEG(file) {
		info := readJPEG(file)
		orientation, perPixel = info.orientation, int64(info.bytesPerPixel)
	}
	if err := checkSize(int64(config.Width), int64(config.Height), perPixel, memory); err != nil {
		return nil, err
	}
	decoded, err := f.decode(bytes.NewReader(file))
	if err != nil {
		return nil, &Error{Damaged, err}
	}
	if decoded.Bounds().Empty() {
		return nil, &Error{Damaged, errors.New("the picture has no pixels")}
	}
	return encode(applyOrientation(reduce(decoded, side), orientation))
}

// checkSize checks the dimensions that a file states.
func checkSize(width, height, perPixel, memory int64) error {
	switch {
	case width <= 0 || height <= 0:
		return &Error{Damaged, fmt.Errorf("the picture has %d×%d pixels", width, height)}
	case width > maxSource || height > maxSource || width*height > maxPixels:
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
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: quality})
	} else {
		err = png.Encode(&b, m)
	}
	if err != nil {
		return nil, &Error{Damaged, err}
	}
	return b.Bytes(), nil
}
