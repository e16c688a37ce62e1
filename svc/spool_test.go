package svc

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// A Spool returns the bytes written to it, and Close leaves no file in Dir.
func TestSpoolReturnsItsBytes(t *testing.T) {
	for _, pieces := range [][]string{
		{},
		{"a", "b"},
		{strings.Repeat("x", spoolMemory-1), "y"},
		{strings.Repeat("x", 3*spoolMemory), "y"},
		{"a", strings.Repeat("x", spoolMemory), strings.Repeat("y", spoolMemory), "z"},
	} {
		s := &Spool{Dir: t.TempDir()}
		want := strings.Join(pieces, "")
		for _, p := range pieces {
			if n, err := io.WriteString(s, p); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
		}
		if s.Len() != int64(len(want)) || s.buffered > spoolMemory {
			t.Errorf("got %d bytes, want %d; %d are in memory", s.Len(), len(want), s.buffered)
		}
		for range 2 { // a Spool can be read repeatedly
			var out bytes.Buffer
			if n, err := s.WriteTo(&out); n != int64(len(want)) || err != nil || out.String() != want {
				t.Errorf("WriteTo: got %d bytes (%v), want %d", n, err, len(want))
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(s.Dir); err != nil || len(left) > 0 {
			t.Errorf("files left behind: %v (%v)", left, err)
		}
	}
}

func TestSpoolReportsMissingDirectory(t *testing.T) {
	s := &Spool{Dir: "/does/not/exist"}
	if _, err := s.Write(make([]byte, 2*spoolMemory)); err == nil {
		t.Error("got no error, want one")
	}
}

func TestSpoolReaderIsRandomAccess(t *testing.T) {
	for _, size := range []int{3, spoolMemory + 3} {
		s := &Spool{Dir: t.TempDir()}
		defer s.Close()
		if _, err := io.WriteString(s, strings.Repeat("a", size)+"end"); err != nil {
			t.Fatal(err)
		}
		r, err := s.Reader()
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 3)
		if _, err := r.ReadAt(got, int64(size)); err != nil || string(got) != "end" {
			t.Errorf("size %d: got %q (%v), want end", size, got, err)
		}
	}
}

// Beyond the limit of all spools, each keeps little in memory.
func TestMemoryOfAllSpoolsIsLimited(t *testing.T) {
	LimitSpoolMemory(spooledBytes.Load() + 2*minSpoolMemory)
	defer LimitSpoolMemory(0)
	before := spooledBytes.Load()
	list := make([]*Spool, 10)
	want := strings.Repeat("x", minSpoolMemory+1)
	for i := range list {
		list[i] = &Spool{Dir: t.TempDir()}
		if n, err := list[i].ReadFrom(strings.NewReader(want)); n != int64(len(want)) || err != nil {
			t.Fatalf("got %d bytes, %v, want %d", n, err, len(want))
		}
		content, err := list[i].Bytes()
		if err != nil || string(content) != want {
			t.Fatalf("got %d bytes, %v, want %d", len(content), err, len(want))
		}
	}
	if got, most := spooledBytes.Load()-before, int64(4*minSpoolMemory); got > most {
		t.Errorf("got %d bytes in memory, want at most %d", got, most)
	}
	for _, s := range list {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := spooledBytes.Load() - before; got != 0 {
		t.Errorf("after Close: got %d bytes in memory, want 0", got)
	}
}

func TestSpoolReadsFromAReader(t *testing.T) {
	for _, size := range []int{0, 1, minRead, chunkSize + 1, 2*spoolMemory + 1} {
		want := strings.Repeat("abc", size/3+1)[:size]
		s := &Spool{Dir: t.TempDir()}
		n, err := s.ReadFrom(iotest.HalfReader(strings.NewReader(want)))
		text, bytesErr := s.Bytes()
		if n != int64(size) || err != nil || bytesErr != nil || string(text) != want {
			t.Errorf("%d bytes: got %d, %v, %v, want all", size, n, err, bytesErr)
		}
		s.Close()
		failing := errors.New("disconnected")
		if _, err := s.ReadFrom(iotest.ErrReader(failing)); err != failing {
			t.Errorf("%d bytes: got %v, want %v", size, err, failing)
		}
	}
}
