package svc

import (
	"bytes"
	"io"
	"os"
)

// spoolMemory is how much of a Spool waits in memory.
const spoolMemory = 2 << 20

// Spool holds something large until all of it is there: the first of it in
// memory, the rest in a file. An answer that waits in one can still fail and
// be answered properly, and keeps no transaction open while a slow client
// reads it. Its zero value with a Dir is ready for use.
type Spool struct {
	Dir string // where the file may be; it belongs to the owner alone

	file *os.File // what came before buf; nil if there is room for all
	size int64    // of the file
	buf  []byte
}

// Write appends p.
func (s *Spool) Write(p []byte) (int, error) {
	s.buf = append(s.buf, p...)
	if len(s.buf) < spoolMemory {
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
	n, err := s.file.Write(s.buf)
	s.size += int64(n)
	s.buf = s.buf[:0]
	return err
}

// Len returns how many bytes there are.
func (s *Spool) Len() int64 { return s.size + int64(len(s.buf)) }

// WriteTo writes all of it to w.
func (s *Spool) WriteTo(w io.Writer) (int64, error) {
	r, err := s.Reader()
	if err != nil {
		return 0, err
	}
	return io.Copy(w, io.NewSectionReader(r, 0, s.Len()))
}

// Reader returns all of it for reading, in any order. Nothing is to be written
// while it is used.
func (s *Spool) Reader() (io.ReaderAt, error) {
	if s.file == nil {
		return bytes.NewReader(s.buf), nil
	}
	return s.file, s.spill()
}

// Close throws all of it away.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	os.Remove(s.file.Name()) // where it could not be removed while it was open
	s.file, s.size = nil, 0
	return err
}
