package reader

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Error is an error in a text file, with its position.
type Error struct {
	Line, Column int // both begin with 1; the column counts bytes
	Err          error
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %v", e.Line, e.Column, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// at returns err with the position of a byte of the file.
func (f File) at(offset int64, err error) error {
	e := &Error{1, 1, err}
	buffer := make([]byte, 64<<10)
	content := io.NewSectionReader(f.Content, 0, min(max(offset, 0), f.Size))
	for {
		n, readErr := content.Read(buffer)
		part := buffer[:n]
		if lines := bytes.Count(part, []byte{'\n'}); lines > 0 {
			e.Line += lines
			e.Column = 1
			part = part[bytes.LastIndexByte(part, '\n')+1:]
		}
		e.Column += len(part)
		if readErr != nil {
			return e
		}
	}
}

// text returns the content without a byte order mark.
func (f File) text() io.Reader {
	const mark = "\ufeff"
	start := make([]byte, len(mark))
	if n, _ := f.Content.ReadAt(start, 0); n < len(mark) || string(start) != mark {
		return io.NewSectionReader(f.Content, 0, f.Size)
	}
	return io.NewSectionReader(f.Content, int64(len(mark)), f.Size-int64(len(mark)))
}

// boundedReader reads a file and limits how far, so that the parsers above it cannot
// be made to buffer an unlimited value.
type boundedReader struct {
	content  io.Reader
	read     int64
	limit    int64
	progress func(read int64)
}

// errTooLarge reports that one feature or row exceeds its limit.
var errTooLarge = errors.New("one entry of the file is too large")

// allow permits reading up to n bytes beyond an offset.
func (r *boundedReader) allow(offset, n int64) { r.limit = offset + n }

// Read implements [io.Reader].
func (r *boundedReader) Read(p []byte) (int, error) {
	if r.read >= r.limit {
		return 0, errTooLarge
	}
	if int64(len(p)) > r.limit-r.read {
		p = p[:r.limit-r.read]
	}
	n, err := r.content.Read(p)
	for i, b := range p[:n] {
		if b == 0x1e { // begins a record in RFC 8142 §2
			p[i] = ' '
		}
	}
	r.read += int64(n)
	if r.progress != nil {
		r.progress(r.read)
	}
	return n, err
}
