package raster

import (
	"encoding/binary"
	"errors"
)

// webpHeader is the length of the header of a WebP file: "RIFF", a length, "WEBP".
const webpHeader = 12

// webpChunk is a chunk of a WebP file.
type webpChunk struct {
	id   string // four characters
	data []byte
}

// webpChunks returns the complete chunks at the beginning of data.
func webpChunks(data []byte) (list []webpChunk) {
	for len(data) >= 8 {
		size := int64(binary.LittleEndian.Uint32(data[4:]))
		if size > int64(len(data)-8) {
			break
		}
		list = append(list, webpChunk{string(data[:4]), data[8 : 8+size]})
		data = data[min(8+size+size%2, int64(len(data))):]
	}
	return list
}

// appendChunk appends a chunk, padded to an even length.
func appendChunk(file []byte, id string, data []byte) []byte {
	file = append(file, id...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(data)))
	file = append(file, data...)
	if len(data)%2 == 1 {
		file = append(file, 0)
	}
	return file
}

const (
	webpAnimation   = 1 << 1 // flags in the chunk VP8X
	webpAlpha       = 1 << 4
	webpFrameHeader = 16 // bytes of the chunk ANMF before the chunks of the frame
)

// firstFrame returns the first frame of an animated WebP file as a separate file, because package
// webp does not decode animations. It returns other WebP files unchanged.
func firstFrame(file []byte) ([]byte, error) {
	chunks := webpChunks(file[webpHeader:])
	if len(chunks) == 0 || chunks[0].id != "VP8X" || len(chunks[0].data) < 10 || chunks[0].data[0]&webpAnimation == 0 {
		return file, nil
	}
	for _, c := range chunks {
		if c.id != "ANMF" || len(c.data) < webpFrameHeader {
			continue
		}
		frame := []byte("RIFF\x00\x00\x00\x00WEBP")
		for _, part := range webpChunks(c.data[webpFrameHeader:]) {
			switch part.id {
			case "ALPH":
				canvas := make([]byte, 4, 10)
				canvas[0] = webpAlpha
				canvas = append(canvas, c.data[6:12]...) // width and height of the frame
				frame = appendChunk(appendChunk(frame, "VP8X", canvas), part.id, part.data)
			case "VP8 ", "VP8L":
				frame = appendChunk(frame, part.id, part.data)
				binary.LittleEndian.PutUint32(frame[4:], uint32(len(frame)-8))
				return frame, nil
			}
		}
	}
	return nil, errors.New("the animation has no complete frame")
}
