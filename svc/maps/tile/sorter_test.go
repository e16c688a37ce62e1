package tile

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// The data of tiles does not depend on the memory that the sort has.
func TestBuilderSpillsToAFile(t *testing.T) {
	features := town(pt(48, -40), 300)
	want := build(t, features...)
	dir := t.TempDir()
	b, err := NewBuilder(dir)
	if err != nil {
		t.Fatal(err)
	}
	b.sorter.memory = 10_000
	for _, f := range features {
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(b.sorter.runs); n < 10 {
		t.Fatalf("got %d sorted runs, want at least 10", n)
	}
	n := 0
	err = b.Tiles(func(z, x, y int, data []byte) error {
		n++
		if !bytes.Equal(data, want[ID{z, x, y}]) {
			t.Errorf("tile %d/%d/%d: got other data than without a file", z, x, y)
		}
		return nil
	})
	if err != nil || n != len(want) {
		t.Errorf("got %d tiles, %v, want %d", n, err, len(want))
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("got the files %v, %v, want none", left, err)
	}
}

// Records with the same key keep their order.
func TestSortIsStable(t *testing.T) {
	for _, memory := range []int{100, 1 << 20} {
		s := newSorter(t.TempDir())
		s.memory = memory
		random := rand.New(rand.NewPCG(1, 2))
		for i := range 1000 {
			if err := s.add(uint64(random.IntN(20)), []byte{byte(i >> 8), byte(i)}); err != nil {
				t.Fatal(err)
			}
		}
		var keys []uint64
		var last []byte
		err := s.each(func(key uint64, data []byte) error {
			if n := len(keys); n > 0 && keys[n-1] == key && bytes.Compare(last, data) >= 0 {
				t.Errorf("memory %d: key %d: got record %v after %v", memory, key, data, last)
			}
			keys, last = append(keys, key), bytes.Clone(data)
			return nil
		})
		if err != nil || len(keys) != 1000 || !slices.IsSorted(keys) {
			t.Errorf("memory %d: got %d keys, %v, want 1000 in order", memory, len(keys), err)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTilesReturnsTheErrorOfItsCallback(t *testing.T) {
	b, err := NewBuilder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, f := range town(pt(48, -40), 10) {
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	failed := errors.New("disk full")
	if err := b.Tiles(func(_, _, _ int, _ []byte) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("got %v, want %v", err, failed)
	}
}

func TestInvalidFeaturesAreRejected(t *testing.T) {
	b, err := NewBuilder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, f := range []mapdata.Feature{
		{},
		{Class: 200, Parts: [][]geo.Point{{pt(0, 0)}}},
		{Class: mapdata.Street},
		{Class: mapdata.Street, Parts: [][]geo.Point{{pt(91, 0), pt(0, 0)}}},
		{Class: mapdata.Wood, Parts: [][]geo.Point{{pt(0, 181), pt(0, 0), pt(1, 1)}}},
	} {
		if err := b.Add(f); err == nil {
			t.Errorf("%v: got no error", f)
		}
	}
}

// Lines of one street are joined, so that its name has room.
func TestLinesOfAStreetAreJoined(t *testing.T) {
	street := func(from, to float64) mapdata.Feature {
		return mapdata.Feature{Class: mapdata.Street, Name: "Long Street", Parts: [][]geo.Point{{pt(48.0005, from), pt(48.0005, to)}}}
	}
	tiles := build(t, street(-40.0030, -40.0025), street(-40.0020, -40.0025), street(-40.0020, -40.0015))
	id, _, _ := at(pt(48.0005, -40.0022), 14)
	list := read(t, tiles[id])
	if len(list) != 1 || len(list[0].parts) != 1 || len(list[0].parts[0]) != 2 {
		t.Errorf("got %v, want one straight line", list)
	}
}

// FuzzBuilder adds lines and areas of any shape. Each tile has data that can be drawn.
func FuzzBuilder(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 200, 100, 0, 255}, uint8(mapdata.Wood), 47.0, 8.0, 0.05)
	f.Add([]byte{0, 0, 255, 0, 255, 255, 0, 255}, uint8(mapdata.Motorway), 84.9, 179.97, 0.05)
	f.Fuzz(func(t *testing.T, shape []byte, class uint8, latitude, longitude, size float64) {
		if !(size >= 0 && size < 0.1) || len(shape) > 1000 {
			return
		}
		var part []geo.Point
		for i := 0; i+1 < len(shape); i += 2 {
			p := pt(latitude+float64(shape[i])/255*size, longitude+float64(shape[i+1])/255*size)
			if p.Longitude > 180 {
				p.Longitude -= 360
			}
			part = append(part, p)
		}
		b, err := NewBuilder(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		if b.Add(mapdata.Feature{Class: mapdata.Class(class), Name: "Name", Parts: [][]geo.Point{part}}) != nil {
			return
		}
		err = b.Tiles(func(z, x, y int, data []byte) error {
			if z < 14 || x%16 == 0 {
				_, err := Draw(Light, 1, ID{z, x, y}, [][]byte{data}, nil)
				return err
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
