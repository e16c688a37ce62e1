package reader

import (
	"bytes"
	"testing"

	"appliance/svc/maps/reader/pbftest"
)

// The synthetic region of other tests has about the required size and the same content
// each time, and can be read.
func TestSyntheticRegion(t *testing.T) {
	const size = 1 << 20
	var files [2]bytes.Buffer
	for i := range files {
		if err := pbftest.WriteRegion(&files[i], size); err != nil {
			t.Fatal(err)
		}
	}
	data := files[0].Bytes()
	if !bytes.Equal(data, files[1].Bytes()) {
		t.Error("two files of one size differ")
	}
	if n := len(data); n < size*8/10 || n > size*12/10 {
		t.Errorf("got %d bytes, want about %d", n, size)
	}
	c := new(collector)
	if err := Read(t.Context(), File{Content: bytes.NewReader(data), Size: int64(len(data)), Format: OSM}, Options{Region: "test", Dir: t.TempDir()}, c); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d places, %d features", len(data), len(c.places), len(c.features))
	if len(c.places) < 2000 || len(c.features) < 10_000 {
		t.Errorf("got %d places and %d features, want at least 2000 and 10,000", len(c.places), len(c.features))
	}
}
