package svc

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
)

// What is put into a spool comes out again, whatever its size, and nothing of
// it stays behind.
func TestSpool(t *testing.T) {
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
		if s.Len() != int64(len(want)) || s.waits > spoolMemory {
			t.Errorf("%d bytes, want %d; %d in memory", s.Len(), len(want), s.waits)
		}
		for range 2 { // it can be read again
			var out bytes.Buffer
			if n, err := s.WriteTo(&out); n != int64(len(want)) || err != nil || out.String() != want {
				t.Errorf("%d bytes came out, %v; want %d", n, err, len(want))
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(s.Dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

func TestSpoolWithoutRoom(t *testing.T) {
	s := &Spool{Dir: "/does/not/exist"}
	if _, err := s.Write(make([]byte, 2*spoolMemory)); err == nil {
		t.Error("nothing was wrong")
	}
}
