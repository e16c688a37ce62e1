package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"iter"
)

// turned is the orientation of a picture: the value of the EXIF tag Orientation, 1 to 8.
type turned int

const upright turned = 1

// segments yields the markers of a JPEG file and their segments, up to the first scan.
func segments(file []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		if !bytes.HasPrefix(file, []byte("\xff\xd8")) {
			return
		}
		for at := 2; at+4 <= len(file) && file[at] == 0xff; {
			marker, size := file[at+1], int(binary.BigEndian.Uint16(file[at+2:]))
			if marker == 0xda || size < 2 || at+2+size > len(file) || !yield(marker, file[at+4:at+2+size]) {
				return
			}
			at += 2 + size
		}
	}
}

// isProgressive reports whether a file is a progressive JPEG file.
func isProgressive(file []byte) bool {
	for marker := range segments(file) {
		if marker == 0xc2 {
			return true
		}
	}
	return false
}

// orientation returns the orientation that a JPEG file states, upright if it states
// none (EXIF 2.32 §4.5.4, §4.6.4).
func orientation(file []byte) turned {
	for marker, segment := range segments(file) {
		if tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok && marker == 0xe1 {
			return tiffOrientation(tiff)
		}
	}
	return upright
}

// tiffOrientation returns the orientation in the first directory of TIFF data.
func tiffOrientation(tiff []byte) turned {
	var order binary.ByteOrder = binary.BigEndian
	if bytes.HasPrefix(tiff, []byte("II")) {
		order = binary.LittleEndian
	}
	if len(tiff) < 8 {
		return upright
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return upright
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			break
		}
		if value := turned(order.Uint16(entries[8:])); order.Uint16(entries) == 0x112 && value >= 1 && value <= 8 {
			return value
		}
		entries = entries[12:]
	}
	return upright
}

// apply returns the picture as it is to be seen.
func (t turned) apply(m *image.RGBA) *image.RGBA {
	if t == upright {
		return m
	}
	width, height := m.Rect.Dx(), m.Rect.Dy()
	if t >= 5 { // the sides are exchanged
		width, height = height, width
	}
	result := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			from := t.source(x, y, width, height)
			copy(result.Pix[result.PixOffset(x, y):][:4], m.Pix[m.PixOffset(from.X, from.Y):][:4])
		}
	}
	return result
}

// source returns the stored pixel that is seen at x, y in a picture of a size.
func (t turned) source(x, y, width, height int) image.Point {
	switch t {
	case 2:
		return image.Pt(width-1-x, y)
	case 3:
		return image.Pt(width-1-x, height-1-y)
	case 4:
		return image.Pt(x, height-1-y)
	case 5:
		return image.Pt(y, x)
	case 6:
		return image.Pt(y, width-1-x)
	case 7:
		return image.Pt(height-1-y, width-1-x)
	case 8:
		return image.Pt(height-1-y, x)
	}
	return image.Pt(x, y)
}
