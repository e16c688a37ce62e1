package pbf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Limits of the format.
const (
	maxHeader = 64 << 10 // bytes of a blob header
	maxBlob   = 32 << 20 // bytes of a blob, and of its decompressed content
)

// Types of blobs.
const (
	typeHeader = "OSMHeader"
	typeData   = "OSMData"
)

// frame is the position of a blob in the file.
type frame struct {
	kind   string
	offset int64 // of the blob
	size   int64
}

// end returns the offset of the next frame.
func (f frame) end() int64 { return f.offset + f.size }

// readFrame reads the frame at an offset, without its blob. It returns io.EOF at the
// end of the file.
func readFrame(r io.ReaderAt, offset, fileSize int64) (frame, error) {
	if offset == fileSize {
		return frame{}, io.EOF
	}
	var buffer [4]byte
	if err := readFull(r, buffer[:], offset); err != nil {
		return frame{}, err
	}
	length := binary.BigEndian.Uint32(buffer[:])
	if length > maxHeader {
		return frame{}, fmt.Errorf("the header of a block has %d bytes, the limit is %d: this is not an .osm.pbf file, or it is damaged", length, maxHeader)
	}
	header := make([]byte, length)
	if err := readFull(r, header, offset+4); err != nil {
		return frame{}, err
	}
	f := frame{offset: offset + 4 + int64(length), size: -1}
	m := message{rest: header}
	for {
		more, err := m.next()
		switch {
		case err != nil:
			return frame{}, err
		case !more && (f.size < 0 || f.kind == ""):
			return frame{}, errors.New("the header of a block has no type or no size")
		case !more && f.size > fileSize-f.offset:
			return frame{}, io.ErrUnexpectedEOF
		case !more:
			return f, nil
		case m.isBytes(1):
			f.kind = string(m.bytes)
		case m.isVarint(3):
			if m.value > maxBlob {
				return frame{}, fmt.Errorf("a block has %d bytes, the limit is %d", m.value, maxBlob)
			}
			f.size = int64(m.value)
		}
	}
}

// readFull reads len(buffer) bytes. It returns io.ErrUnexpectedEOF if the file has
// fewer.
func readFull(r io.ReaderAt, buffer []byte, offset int64) error {
	n, err := r.ReadAt(buffer, offset)
	if n == len(buffer) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// rawSize returns the size that a blob states for its decompressed content, from the
// first bytes of the blob. It returns 0 if they do not contain it.
func rawSize(start []byte) int64 {
	m := message{rest: start}
	for {
		more, err := m.next()
		if err != nil || !more {
			return 0
		}
		if m.isVarint(2) && m.value <= maxBlob {
			return int64(m.value)
		}
	}
}

// decompressor reads blobs. It reuses its buffers.
type decompressor struct {
	file  io.ReaderAt
	blob  []byte
	zlib  io.ReadCloser
	zstd  *zstd.Decoder
	input bytes.Reader
}

// read returns the content of a blob, in buffer if it has the capacity.
func (d *decompressor) read(f frame, buffer []byte) ([]byte, error) {
	if int64(cap(d.blob)) < f.size {
		d.blob = make([]byte, f.size)
	}
	d.blob = d.blob[:f.size]
	if err := readFull(d.file, d.blob, f.offset); err != nil {
		return nil, err
	}
	var size uint64
	m := message{rest: d.blob}
	for {
		more, err := m.next()
		switch {
		case err != nil:
			return nil, err
		case !more:
			return nil, errors.New("a block has no data in a supported compression (none, zlib or zstd)")
		case m.isVarint(2):
			if size = m.value; size > maxBlob {
				return nil, fmt.Errorf("a block has %d bytes after decompression, the limit is %d", size, maxBlob)
			}
		case m.isBytes(1):
			return append(buffer[:0], m.bytes...), nil
		case m.isBytes(3), m.isBytes(7):
			return d.decompress(m.field == 7, m.bytes, int(size), buffer)
		}
	}
}

// decompress returns the decompressed data, whose size must be as stated.
func (d *decompressor) decompress(isZstd bool, data []byte, size int, buffer []byte) ([]byte, error) {
	d.input.Reset(data)
	var content io.Reader
	var err error
	if isZstd {
		content, err = d.resetZstd()
	} else {
		content, err = d.resetZlib()
	}
	if err != nil {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	if cap(buffer) < size+1 {
		buffer = make([]byte, size+1)
	}
	n, err := io.ReadFull(content, buffer[:size+1]) // one more byte, to detect that there is more
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	if n != size {
		return nil, fmt.Errorf("a block states a size of %d bytes, but its content is shorter or longer", size)
	}
	return buffer[:n], nil
}

func (d *decompressor) resetZlib() (r io.Reader, err error) {
	if d.zlib == nil {
		d.zlib, err = zlib.NewReader(&d.input)
	} else {
		err = d.zlib.(zlib.Resetter).Reset(&d.input, nil)
	}
	return d.zlib, err
}

func (d *decompressor) resetZstd() (r io.Reader, err error) {
	if d.zstd == nil {
		d.zstd, err = zstd.NewReader(&d.input, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxBlob))
	} else {
		err = d.zstd.Reset(&d.input)
	}
	return d.zstd, err
}

// close releases the resources of the decoders.
func (d *decompressor) close() {
	if d.zstd != nil {
		d.zstd.Close()
	}
}
