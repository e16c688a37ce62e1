package picture

import (
	"bytes"
	"encoding/binary"
)

// webpSize returns the largest size that the frames of a WebP file state, 0 for other
// files. The decoder allocates it, although the header of an extended file may state
// another size.
func webpSize(file []byte) (width, height int) {
	if !bytes.HasPrefix(file, []byte("RIFF")) || len(file) < 12 {
		return 0, 0
	}
	for rest := file[12:]; len(rest) >= 8; {
		name, size := string(rest[:4]), int64(binary.LittleEndian.Uint32(rest[4:]))
		chunk := rest[8:]
		switch {
		case name == "VP8 " && len(chunk) >= 10:
			width = max(width, int(binary.LittleEndian.Uint16(chunk[6:])&0x3fff))
			height = max(height, int(binary.LittleEndian.Uint16(chunk[8:])&0x3fff))
		case name == "VP8L" && len(chunk) >= 5:
			bits := binary.LittleEndian.Uint32(chunk[1:])
			width = max(width, int(bits&0x3fff)+1)
			height = max(height, int(bits>>14&0x3fff)+1)
		}
		if size += size & 1; size > int64(len(chunk)) {
			break
		}
		rest = chunk[size:]
	}
	return width, height
}
