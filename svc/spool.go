package svc

import (
	"bytes"
	"io"
	"os"
	"sync"
)

// spoolMemory limits the bytes that a Spool keeps in memory.
const spoolMemory = 2 << 20

// Spool buffers a large body, first in memory and then in a temporary file. A
// response that is spooled can still be replaced by an error, and no transaction is
// open while a slow client reads it. The zero Spool with a Dir is ready for use.
type Spool struct {
	Dir string // directory of the temporary file, private to the owner of the process

	file     *os.File // the bytes before chunks; nil while all fit in memory
	size     int64    // length of file
	chunks   [][]byte // the last bytes; several chunks, so that growing copies nothing
	buffered int      // bytes in chunks
}

// chunkSize limits the length of chunks that hold several writes. The first chunks
// are shorter, because most bodies are short.
const chunkSize = 64 << 10

// chunkPool holds unused chunks of chunkSize bytes.
var chunkPool = sync.Pool{New: func() any { return new([chunkSize]byte) }}

func newChunk(size int) []byte {
	if size == chunkSize {
		return chunkPool.Get().(*[chunkSize]byte)[:0]
	}
	return make([]byte, 0, size)
}

// empty discards the chunks.
func (s *Spool) empty() {
	for _, c := range s.chunks {
		if cap(c) == chunkSize {
			chunkPool.Put((*[chunkSize]byte)(c[:chunkSize]))
		}
	}
	s.chunks, s.buffered = nil, 0
}

// Write appends p.
func (s *Spool) Write(p []byte) (int, error) {
	last := len(s.chunks) - 1
	if last < 0 || cap(s.chunks[last])-len(s.chunks[last]) < len(p) {
		s.chunks = append(s.chunks, newChunk(max(len(p), min(s.buffered, chunkSize))))
		last++
	}
	s.chunks[last] = append(s.chunks[last], p...)
	if s.buffered += len(p); s.buffered < spoolMemory {
		return len(p), nil
	}
	return len(p), s.spill()
}

// spill moves the bytes in memory to the file.
func (s *Spool) spill() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.Dir, "spool-*.tmp"); err != nil {
			return err
		}
		os.Remove(s.file.Name()) // on Unix: no other process can open it, and no crash leaves it behind
	}
	n, err := s.writeChunks(s.file)
	s.size += n
	s.empty()
	return err
}

func (s *Spool) writeChunks(w io.Writer) (written int64, err error) {
	for _, chunk := range s.chunks {
		n, err := w.Write(chunk)
		if written += int64(n); err != nil {
			return written, err
		}
	}
	return written, nil
}

// Len returns the number of bytes written.
func (s *Spool) Len() int64 { return s.size + int64(s.buffered) }

// WriteTo writes all bytes to w.
func (s *Spool) WriteTo(w io.Writer) (written int64, err error) {
	if s.file != nil {
		written, err = io.Copy(w, io.NewSectionReader(s.file, 0, s.size))
	}
	if err != nil {
		return written, err
	}
	n, err := s.writeChunks(w)
	return written + n, err
}

// Reader returns all bytes for random access. Do not write to s while using it.
func (s *Spool) Reader() (io.ReaderAt, error) {
	if s.file == nil {
		return bytes.NewReader(bytes.Join(s.chunks, nil)), nil
	}
	return s.file, s.spill()
}

// Close discards all bytes and removes the file.
func (s *Spool) Close() error {
	s.empty()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	os.Remove(s.file.Name()) // on systems that cannot remove an open file
	s.file, s.size = nil, 0
	return err
}
