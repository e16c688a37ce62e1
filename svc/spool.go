package svc

import (
	"bytes"
	"io"
	"os"
	"sync"
)

// spoolMemory is how much of a Spool waits in memory.
const spoolMemory = 2 << 20

// Spool holds something large until all of it is there: the first of it in
// memory, the rest in a file. An answer that waits in one can still fail and
// be answered properly, and keeps no transaction open while a slow client
// reads it. Its zero value with a Dir is ready for use.
type Spool struct {
	Dir string // where the file may be; it belongs to the owner alone

	file   *os.File // what came before chunks; nil if there is room for all
	size   int64    // of the file
	chunks [][]byte // in memory: pieces, so that nothing is copied as it grows
	waits  int      // bytes in chunks
}

// chunkSize is how long chunks become. The first are as short as what is
// written, for most of what waits is.
const chunkSize = 64 << 10

// chunks are those of that length that nobody has.
var chunks = sync.Pool{New: func() any { return new([chunkSize]byte) }}

func newChunk(size int) []byte {
	if size == chunkSize {
		return chunks.Get().(*[chunkSize]byte)[:0]
	}
	return make([]byte, 0, size)
}

// empty gives away the chunks.
func (s *Spool) empty() {
	for _, c := range s.chunks {
		if cap(c) == chunkSize {
			chunks.Put((*[chunkSize]byte)(c[:chunkSize]))
		}
	}
	s.chunks, s.waits = nil, 0
}

// Write appends p.
func (s *Spool) Write(p []byte) (int, error) {
	last := len(s.chunks) - 1
	if last < 0 || cap(s.chunks[last])-len(s.chunks[last]) < len(p) {
		s.chunks = append(s.chunks, newChunk(max(len(p), min(s.waits, chunkSize))))
		last++
	}
	s.chunks[last] = append(s.chunks[last], p...)
	if s.waits += len(p); s.waits < spoolMemory {
		return len(p), nil
	}
	return len(p), s.spill()
}

// spill puts what is in memory into the file.
func (s *Spool) spill() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.Dir, "spool-*.tmp"); err != nil {
			return err
		}
		os.Remove(s.file.Name()) // where that works, nobody else can open it, and no crash leaves it behind
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

// Len returns how many bytes there are.
func (s *Spool) Len() int64 { return s.size + int64(s.waits) }

// WriteTo writes all of it to w.
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

// Reader returns all of it for reading, in any order. Nothing is to be written
// while it is used.
func (s *Spool) Reader() (io.ReaderAt, error) {
	if s.file == nil {
		return bytes.NewReader(bytes.Join(s.chunks, nil)), nil
	}
	return s.file, s.spill()
}

// Close throws all of it away.
func (s *Spool) Close() error {
	s.empty()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	os.Remove(s.file.Name()) // where it could not be removed while it was open
	s.file, s.size = nil, 0
	return err
}
