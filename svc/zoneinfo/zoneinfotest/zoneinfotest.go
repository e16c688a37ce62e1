// Package zoneinfotest replaces the time zone data in tests.
package zoneinfotest

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"appliance/svc/zoneinfo"
)

// Archive returns a ZIP file with time zone data of a version, in which zones have fixed
// offsets in hours. Other zones are those of the program.
func Archive(t testing.TB, version string, offsets map[string]int) []byte {
	t.Helper()
	files := map[string]string{"tzdata.zi": "# version " + version + "\n"}
	for name, hours := range offsets {
		files[name] = fixedZone(hours * 3600)
	}
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// fixedZone returns a TZif file of version 1 with one type (RFC 9636 §3.2).
func fixedZone(offset int) string {
	data := append([]byte("TZif"), make([]byte, 16+4*4)...)
	data = binary.BigEndian.AppendUint32(data, 1) // types
	data = binary.BigEndian.AppendUint32(data, 4) // octets of abbreviations
	data = binary.BigEndian.AppendUint32(data, uint32(int32(offset)))
	return string(append(data, "\x00\x00TST\x00"...))
}

// Restore makes the present copy the one in use again when the test ends.
func Restore(t testing.TB) {
	before, refused := zoneinfo.Current(), zoneinfo.Refused()
	t.Cleanup(func() { zoneinfo.Use(before, refused) })
}

// Use makes the data of [Archive] the copy in use until the test ends.
func Use(t testing.TB, version string, offsets map[string]int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "zoneinfo.zip")
	if err := os.WriteFile(file, Archive(t, version, offsets), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := zoneinfo.Load(file)
	if err != nil || d.Version != version {
		t.Fatalf("got version %s, %v, want %s", d.Version, err, version)
	}
	Restore(t)
	zoneinfo.Use(d, nil)
}
