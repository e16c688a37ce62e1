package account

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// qrMargin is the width of the quiet zone around a QR code in modules
// (ISO/IEC 18004 §6.3.8).
const qrMargin = 4

// QRCode is a QR code as the data of an SVG path: its dark modules are squares with sides
// of one unit, on a white square with sides of Size units, which includes the quiet zone.
type QRCode struct {
	Size int    `json:"size"`
	Path string `json:"path"`
}

// NewQRCode returns the QR code of a text.
func NewQRCode(text string) (QRCode, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return QRCode{}, fmt.Errorf("encoding a QR code: %w", err)
	}
	size := code.Bounds().Dx()
	isDark := func(x, y int) bool {
		if x >= size {
			return false
		}
		r, _, _, _ := code.At(x, y).RGBA()
		return r == 0
	}
	var path strings.Builder
	for y := range size {
		for x := 0; x < size; x++ {
			width := 0
			for isDark(x+width, y) {
				width++
			}
			if width > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%[3]dz", x+qrMargin, y+qrMargin, width)
				x += width
			}
		}
	}
	return QRCode{size + 2*qrMargin, path.String()}, nil
}

// SVG returns the code as an SVG element, which the Content-Security-Policy of pages
// permits, unlike an image with a data URL. name is its name for screen readers.
func (c QRCode) SVG(name string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="qr" viewBox="0 0 %d %[1]d" role="img" aria-label="%[2]s" shape-rendering="crispEdges">`+
		`<path class="qr-bg" d="M0 0h%[1]dv%[1]dH0z"/><path class="qr-fg" d="%[3]s"/></svg>`, c.Size, template.HTMLEscapeString(name), c.Path))
}
