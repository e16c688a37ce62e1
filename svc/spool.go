package svc

import (
	"bytes"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// spoolMemory limits the bytes that a Spool keeps in memory.
const spoolMemory = 2 << 20

// minSpoolMemory limits the bytes that a Spool keeps in memory while all spools
// together exceed maxSpooledBytes. Slow clients can cause many spools to exist at the same
// time.
const minSpoolMemory = 32 << 10

// spooledBytes is the number of bytes that all spools keep in memory, and maxSpooledBytes its
// limit, 0 for none.
var spooledBytes, maxSpooledBytes atomic.Int64

// LimitSpoolMemory limits the bytes that all spools of this process keep in memory.
func LimitSpoolMemory(bytes int64) { maxSpooledBytes.Store(bytes) }

// Spool buffers a large body, first in memory and then in a temporary file. A
// response that is spooled can still be replaced by an error, and no transaction is
// open while a slow client reads it. The zero Spool with a Dir is ready for use.
type Spool struct {
	Dir string // directory of the temporary file, private to the owner of the process

	file     *os.File // the bytes before those in chunks; nil while all bytes fit in memory
	size     int64    // length of file
	chunks   [][]byte // the last bytes; several chunks, so that a write copies no earlier bytes
	buffered int      // bytes in chunks
}

// chunkSize limits the length of chunks that hold several writes. The first chunks
// are shorter, because most bodies are short.
const chunkSize = 64 << 10

// chunkPool contains unused chunks of chunkSize bytes.
var chunkPool = sync.Pool{New: func() any { return new([chunkSize]byte) }}

func newChunk(size int) []byte {
	if size == chunkSize {
		return chunkPool.Get().(*[chunkSize]byte)[:0]
	}
	return make([]byte, 0, size)
}

// discardChunks discards the bytes in memory.
func (s *Spool) discardChunks() {
	for _, c := range s.chunks {
		if cap(c) == chunkSize {
			chunkPool.Put((*[chunkSize]byte)(c[:chunkSize]))
		}
	}
	spooledBytes.Add(-int64(s.buffered))
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
	return len(p), s.countAppended(len(p))
}

// ReadFrom appends the bytes of r until it ends.
func (s *Spool) ReadFrom(r io.Reader) (read int64, err error) {
	for {
		last := len(s.chunks) - 1
		if last < 0 || len(s.chunks[last]) == cap(s.chunks[last]) {
			s.chunks = append(s.chunks, newChunk(min(max(s.buffered, minRead), chunkSize)))
			last++
		}
		chunk := s.chunks[last]
		n, err := r.Read(chunk[len(chunk):cap(chunk)])
		s.chunks[last] = chunk[:len(chunk)+n]
		read += int64(n)
		if spillErr := s.countAppended(n); spillErr != nil {
			return read, spillErr
		}
		if err == io.EOF {
			return read, nil
		}
		if err != nil {
			return read, err
		}
	}
}

// minRead is the length of the first buffer of ReadFrom.
const minRead = 1 << 10

// countAppended counts n more bytes in chunks, and moves all of them to the file if
// too many are in memory.
func (s *Spool) countAppended(n int) error {
	s.buffered += n
	total, limit := spooledBytes.Add(int64(n)), maxSpooledBytes.Load()
	if s.buffered < spoolMemory && (s.buffered < minSpoolMemory || limit == 0 || total <= limit) {
		return nil
	}
	return s.spill()
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
	s.discardChunks()
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

// Bytes returns a copy of all bytes.
func (s *Spool) Bytes() ([]byte, error) {
	buf := bytes.NewBuffer(make([]byte, 0, s.Len()))
	_, err := s.WriteTo(buf)
	return buf.Bytes(), err
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
	s.discardChunks()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	os.Remove(s.file.Name()) // on systems that cannot remove an open file
	s.file, s.size = nil, 0
	return err
}
