package raster

import (
	"bytes"
	"encoding/binary"
)

var exifPrefix = []byte("Exif\x00\x00")

// orientationOf returns the EXIF orientation of a file, 1 to 8, or 1 if it has none.
func orientationOf(file []byte) int {
	switch Type(file) {
	case "image/jpeg":
		return readJPEG(file).orientation
	case "image/png":
		return pngOrientation(file)
	case "image/webp":
		for _, c := range webpChunks(file[webpHeader:]) {
			if c.id == "EXIF" {
				return exifOrientation(bytes.TrimPrefix(c.data, exifPrefix)) // some programs write the prefix of JPEG
			}
		}
	}
	return 1
}

// pngOrientation returns the orientation in the chunk eXIf of a PNG file.
func pngOrientation(file []byte) int {
	for rest := file[8:]; len(rest) >= 12; {
		size := int64(binary.BigEndian.Uint32(rest))
		if size+12 > int64(len(rest)) {
			break
		}
		if string(rest[4:8]) == "eXIf" {
			return exifOrientation(rest[8 : 8+size])
		}
		rest = rest[size+12:]
	}
	return 1
}

// jpegInfo describes a JPEG file.
type jpegInfo struct {
	orientation   int // EXIF orientation, 1 to 8
	bytesPerPixel int // allocated by decoding
}

// Markers of JPEG segments.
const (
	markerSOF2 = 0xc2 // start of frame, progressive
	markerSOS  = 0xda // start of scan
	markerAPP1 = 0xe1
)

// readJPEG reads the segments of a JPEG file before the first scan.
func readJPEG(file []byte) jpegInfo {
	info := jpegInfo{orientation: 1, bytesPerPixel: 4}
	for rest := file[2:]; len(rest) >= 4; {
		if rest[0] != 0xff || rest[1] == 0xff || rest[1] < 0xc0 || 0xd0 <= rest[1] && rest[1] <= 0xd9 {
			rest = rest[1:] // fill bytes, or garbage that decoders skip
			continue
		}
		marker, size := rest[1], int(binary.BigEndian.Uint16(rest[2:]))
		if marker == markerSOS || size < 2 || len(rest) < 2+size {
			break
		}
		segment := rest[4 : 2+size]
		switch {
		case marker == markerSOF2 && len(segment) > 5:
			// A progressive file needs its coefficients, 4 bytes for each pixel and
			// component, in addition to the pixels.
			info.bytesPerPixel = 5 * max(1, int(segment[5]))
		case marker == markerAPP1 && bytes.HasPrefix(segment, exifPrefix):
			info.orientation = exifOrientation(segment[6:])
		}
		rest = rest[2+size:]
	}
	return info
}

// exifOrientation returns the orientation in a TIFF header and its first directory, 1
// if it is absent.
func exifOrientation(tiff []byte) int {
	const tagOrientation = 0x0112
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(tiff[:2]) == "MM" {
		order = binary.BigEndian
	}
	offset := int64(order.Uint32(tiff[4:]))
	if offset+2 > int64(len(tiff)) {
		return 1
	}
	entries := tiff[offset+2:]
	for range order.Uint16(tiff[offset:]) {
		if len(entries) < 12 {
			break
		}
		if order.Uint16(entries) == tagOrientation {
			if v := int(order.Uint16(entries[8:])); 1 <= v && v <= 8 {
				return v
			}
			break
		}
		entries = entries[12:]
	}
	return 1
}
