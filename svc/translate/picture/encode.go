package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif" // the first frame
	"image/jpeg"
	"image/png"

	_ "golang.org/x/image/webp" // for image.Decode
)

const (
	maxPixels = 40_000_000
	maxSide   = 1600 // pixels of the longer side of the result
	quality   = 82   // of a JPEG file, 0 to 100
)

// encode returns a picture as JPEG or, if it has transparent pixels, as PNG. Its
// longer side has at most maxSide pixels. memory limits the decoded pixels, in bytes.
func encode(body []byte, memory int64) ([]byte, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return nil, ErrNoPicture
	}
	if pixels := int64(c.Width) * int64(c.Height); pixels > maxPixels || pixels*bytesPerPixel(c.ColorModel, body) > memory {
		return nil, ErrTooLarge
	}
	decoded, _, err := image.Decode(bytes.NewReader(body))
	if err != nil {
		return nil, ErrNoPicture
	}
	scaled := orientation(body).apply(scale(decoded))
	var out bytes.Buffer
	if scaled.Opaque() {
		err = jpeg.Encode(&out, scaled, &jpeg.Options{Quality: quality})
	} else {
		err = png.Encode(&out, scaled)
	}
	return out.Bytes(), err
}

// bytesPerPixel returns the memory that the image packages need for a pixel of a file.
func bytesPerPixel(m color.Model, file []byte) int64 {
	if isProgressive(file) {
		return 15 // in addition to the pixels, all coefficients
	}
	switch m {
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	case color.YCbCrModel:
		return 3
	case color.Gray16Model:
		return 2
	case color.GrayModel:
		return 1
	}
	if _, indexed := m.(color.Palette); indexed {
		return 1
	}
	return 4
}

// scale returns a picture whose longer side has at most maxSide pixels. Each pixel is
// the mean of those that it replaces. Only a few rows are converted at a time, because
// the whole picture may need more than 100 MB.
func scale(m image.Image) *image.RGBA {
	from := m.Bounds()
	size := from.Size()
	if longer := max(size.X, size.Y); longer > maxSide {
		size = image.Pt(max(1, size.X*maxSide/longer), max(1, size.Y*maxSide/longer))
	}
	scaled := image.NewRGBA(image.Rectangle{Max: size})
	if size == from.Size() {
		draw.Draw(scaled, scaled.Rect, m, from.Min, draw.Src)
		return scaled
	}
	for y := range size.Y {
		top, bottom := y*from.Dy()/size.Y, (y+1)*from.Dy()/size.Y
		rows := image.NewRGBA(image.Rect(0, 0, from.Dx(), bottom-top))
		draw.Draw(rows, rows.Rect, m, from.Min.Add(image.Pt(0, top)), draw.Src)
		for x := range size.X {
			area := image.Rect(x*from.Dx()/size.X, 0, (x+1)*from.Dx()/size.X, bottom-top)
			mean := meanColor(rows, area)
			copy(scaled.Pix[scaled.PixOffset(x, y):], mean[:])
		}
	}
	return scaled
}

// meanColor returns the mean of the pixels in an area, which is not empty.
func meanColor(m *image.RGBA, area image.Rectangle) (mean [4]uint8) {
	var sum [4]int
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for i, v := range m.Pix[m.PixOffset(area.Min.X, y):m.PixOffset(area.Max.X, y)] {
			sum[i%4] += int(v)
		}
	}
	pixels := area.Dx() * area.Dy()
	for i := range mean {
		mean[i] = uint8((sum[i] + pixels/2) / pixels)
	}
	return mean
}
