package pbf_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"appliance/svc/maps/reader/pbf"
	"appliance/svc/maps/reader/pbftest"
)

// sample returns a file with a few elements of each kind.
func sample() []byte {
	f := pbftest.New([]float64{-1, -2, 60, 20})
	f.Node(1, 52.5, 13.4, "name", "Berlin", "place", "city")
	f.Node(2, -0.5, -1.25)
	f.Node(4_000_000_000, 52.51, 13.41, "amenity", "cafe")
	f.Way(7, []int64{1, 2, 4_000_000_000, 1}, "building", "yes")
	f.Way(8, nil)
	f.Relation(9, []int64{7, 8, -1}, "type", "multipolygon", "name", "Berlin")
	return f.Bytes()
}

// scan returns a text for each element of a file.
func scan(ctx context.Context, data []byte) (list []string, err error) {
	f, err := pbf.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	err = f.Scan(ctx, collect(&list))
	return list, err
}

func collect(list *[]string) pbf.Visitor {
	return pbf.Visitor{
		Node: func(n *pbf.Node) error {
			*list = append(*list, fmt.Sprintln("node", n.ID, n.Point, n.Tags))
			return nil
		},
		Way: func(w *pbf.Way) error {
			*list = append(*list, fmt.Sprintln("way", w.ID, w.Refs, w.Points, w.Tags))
			return nil
		},
		Relation: func(r *pbf.Relation) error {
			*list = append(*list, fmt.Sprintln("relation", r.ID, r.Members, r.Tags))
			return nil
		},
	}
}

var sampleElements = []string{
	"node 1 {525000000 134000000} [{name Berlin} {place city}]\n",
	"node 2 {-5000000 -12500000} []\n",
	"node 4000000000 {525100000 134100000} [{amenity cafe}]\n",
	"way 7 [1 2 4000000000 1] [] [{building yes}]\n",
	"way 8 [] [] []\n",
	"relation 9 [{2 7 outer} {2 8 outer} {1 1 label}] [{type multipolygon} {name Berlin}]\n",
}

func TestScanReturnsAllElements(t *testing.T) {
	data := sample()
	f, err := pbf.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if want := [4]float64{-1, -2, 60, 20}; f.Header.Bounds != want || !f.Header.HasBounds || f.Header.DataTime.Unix() != 1_700_000_000 {
		t.Errorf("header: got %+v, want the bounds %v and the time", f.Header, want)
	}
	for range 2 { // the second scan uses the kinds that the first one has found
		var got []string
		if err := f.Scan(t.Context(), collect(&got)); err != nil || !slices.Equal(got, sampleElements) {
			t.Errorf("got %q, %v, want %q", got, err, sampleElements)
		}
	}
	ways := 0
	err = f.Scan(t.Context(), pbf.Visitor{Way: func(*pbf.Way) error { ways++; return nil }})
	if err != nil || ways != 2 {
		t.Errorf("ways only: got %d, %v, want 2", ways, err)
	}
}

// block returns a file with one block.
func block(content []byte) []byte {
	return slices.Concat(header(), pbftest.Frame("OSMData", pbftest.Zlib(content)))
}

// header returns a file without elements.
func header() []byte { return pbftest.New(nil).Bytes() }

// table returns a field with strings.
func table(strings ...string) []byte {
	var list []byte
	for _, s := range strings {
		list = pbftest.AppendBytes(list, 1, []byte(s))
	}
	return pbftest.AppendBytes(nil, 1, list)
}

func group(field int, element []byte) []byte {
	return pbftest.AppendBytes(nil, 2, pbftest.AppendBytes(nil, field, element))
}

// Nodes that are not dense, positions in ways, a granularity that follows the elements,
// and blocks without compression or with zstd are read as the format specifies.
func TestScanReadsAllEncodings(t *testing.T) {
	node := pbftest.AppendVarint(pbftest.AppendVarint(pbftest.AppendVarint(nil, 1, 2*5), 8, 2*300), 9, 2*400-1)
	node = pbftest.AppendBytes(pbftest.AppendBytes(node, 2, []byte{1}), 3, []byte{2})
	way := pbftest.AppendBytes(pbftest.AppendVarint(nil, 1, 6), 8, []byte{2, 2})
	way = pbftest.AppendBytes(pbftest.AppendBytes(way, 9, []byte{20, 20}), 10, []byte{40, 40})
	content := slices.Concat(group(1, node), group(3, way), table("", "k", "v"), pbftest.AppendVarint(nil, 17, 1000))
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"node 5 {3000 -4000} [{k v}]\n", "way 6 [1 2] [{100 200} {200 400}] []\n"}
	for name, blob := range map[string][]byte{
		"zlib": pbftest.Zlib(content),
		"none": pbftest.AppendBytes(nil, 1, content),
		"zstd": pbftest.AppendBytes(pbftest.AppendVarint(nil, 2, uint64(len(content))), 7, encoder.EncodeAll(content, nil)),
	} {
		got, err := scan(t.Context(), slices.Concat(header(), pbftest.Frame("OSMData", blob), pbftest.Frame("Other", nil)))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
}

// A damaged or hostile file is rejected with an error that names the block.
func TestDamagedFilesAreRejected(t *testing.T) {
	first := int64(len(header()))
	manyRefs := bytes.Repeat([]byte{2}, 100_001)
	denseNode := func(lat int64) []byte {
		dense := pbftest.AppendBytes(nil, 1, []byte{2})
		for field, v := range map[int]int64{8: lat, 9: 0} {
			dense = pbftest.AppendBytes(dense, field, varint(v))
		}
		return dense
	}
	for _, c := range []struct {
		name   string
		data   []byte
		offset int64
		want   string
	}{
		{"an empty file", nil, 0, "the file is empty"},
		{"a text", []byte("<?xml version='1.0'?><osm></osm>"), 0, "not an .osm.pbf file"},
		{"no header", pbftest.Frame("OSMData", pbftest.Zlib(nil)), 0, "does not begin with"},
		{"a file with history", pbftest.Frame("OSMHeader", pbftest.Zlib(pbftest.AppendBytes(nil, 4, []byte("HistoricalInformation")))), 0, "history"},
		{"an unknown feature", pbftest.Frame("OSMHeader", pbftest.Zlib(pbftest.AppendBytes(nil, 4, []byte("Warp")))), 0, `"Warp"`},
		{"a huge header", slices.Concat(header(), []byte{255, 255, 255, 255, 0}), first, "the limit is"},
		{"a huge block", slices.Concat(header(), frameOf(1<<31)), first, "the limit is"},
		{"a block beyond the end", slices.Concat(header(), frameOf(5_000)), first, "truncated"},
		{"an unknown compression", slices.Concat(header(), pbftest.Frame("OSMData", pbftest.AppendBytes(nil, 4, []byte("x")))), first, "compression"},
		{"a false size", slices.Concat(header(), pbftest.Frame("OSMData", pbftest.StatedZlib(table("a"), 3))), first, "states a size"},
		{"a huge content", slices.Concat(header(), pbftest.Frame("OSMData", pbftest.StatedZlib(nil, 1<<30))), first, "the limit is"},
		{"damaged compression", slices.Concat(header(), pbftest.Frame("OSMData", pbftest.AppendBytes(pbftest.AppendVarint(nil, 2, 9), 3, []byte("damage")))), first, "decompressing"},
		{"an index beyond the strings", block(slices.Concat(table(""), group(3, pbftest.AppendBytes(pbftest.AppendBytes(nil, 2, []byte{1}), 3, []byte{9})))), first, "index of a string"},
		{"keys without values", block(slices.Concat(table("", "a"), group(3, pbftest.AppendBytes(nil, 2, []byte{1, 1})))), first, "ends beyond"},
		{"a granularity of 0", block(pbftest.AppendVarint(nil, 17, 0)), first, "granularity"},
		{"a latitude of 91 degrees", block(slices.Concat(table(""), group(2, denseNode(910_000_000)))), first, "node 1: a coordinate is out of range: latitude 91"},
		{"a latitude that overflows", block(slices.Concat(table(""), group(2, denseNode(1<<62)))), first, "out of range"},
		{"an offset that overflows", block(slices.Concat(table(""), pbftest.AppendVarint(nil, 19, 1<<63-1), group(2, denseNode(1)))), first, "out of range"},
		{"nodes without latitudes", block(group(2, pbftest.AppendBytes(nil, 1, []byte{2, 2}))), first, "ends beyond"},
		{"too many nodes in a way", block(slices.Concat(table(""), group(3, pbftest.AppendBytes(pbftest.AppendVarint(nil, 1, 7), 8, manyRefs)))), first, "way 7: it has more than"},
		{"members without types", block(slices.Concat(table(""), group(4, pbftest.AppendBytes(pbftest.AppendBytes(nil, 8, []byte{0}), 9, []byte{2})))), first, "ends beyond"},
		{"an unknown type of member", block(slices.Concat(table(""), group(4, pbftest.AppendBytes(pbftest.AppendBytes(pbftest.AppendBytes(nil, 8, []byte{0}), 9, []byte{2}), 10, []byte{3})))), first, "unknown type"},
		{"a number with too many bytes", block(bytes.Repeat([]byte{255}, 12)), first, "more than 64 bits"},
	} {
		_, err := scan(t.Context(), c.data)
		var positioned *pbf.Error
		if !errors.As(err, &positioned) || positioned.Offset != c.offset || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got the error %v, want one at byte %d with %q", c.name, err, c.offset, c.want)
		}
	}
}

// varint returns a zigzag-encoded number.
func varint(v int64) (data []byte) {
	for u := uint64(v<<1) ^ uint64(v>>63); ; u >>= 7 {
		if u < 0x80 {
			return append(data, byte(u))
		}
		data = append(data, byte(u)|0x80)
	}
}

// frameOf returns the header of a block of a size, without the block.
func frameOf(size uint64) []byte {
	header := pbftest.AppendVarint(pbftest.AppendBytes(nil, 1, []byte("OSMData")), 3, size)
	return slices.Concat([]byte{0, 0, 0, byte(len(header))}, header)
}

// A file that ends anywhere but after a block is reported as truncated.
func TestTruncatedFilesAreRejected(t *testing.T) {
	data := sample()
	var ends []int // of the blocks
	for n := range len(data) {
		_, err := scan(t.Context(), data[:n])
		if err == nil {
			ends = append(ends, n)
		} else if n > 0 && !strings.Contains(err.Error(), "truncated") {
			t.Errorf("%d of %d bytes: got %v, want that the file is truncated", n, len(data), err)
		}
	}
	if len(ends) != 3 { // after the header, the nodes and the ways
		t.Errorf("got no error for the lengths %v, want three lengths", ends)
	}
}

// The decompression stops at the stated size, so that a small block cannot fill the
// memory.
func TestDecompressionIsBounded(t *testing.T) {
	bomb := pbftest.StatedZlib(make([]byte, 200<<20), 1000)
	data := slices.Concat(header(), pbftest.Frame("OSMData", bomb))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := scan(t.Context(), data)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; err == nil || used > 4<<20 {
		t.Errorf("got %v after allocating %d bytes, want an error and less than 4 MB", err, used)
	}
}

// A visitor's error ends the scan and is returned as it is; so is the error of the
// context.
func TestScanEndsWithTheVisitorOrTheContext(t *testing.T) {
	data := sample()
	f, err := pbf.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	calls := 0
	if err := f.Scan(t.Context(), pbf.Visitor{Node: func(*pbf.Node) error { calls++; return stop }}); err != stop || calls != 1 {
		t.Errorf("got %v after %d calls, want the error of the visitor after 1", err, calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := f.Scan(ctx, pbf.Visitor{Node: func(*pbf.Node) error { cancel(); return nil }}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that of the context", err)
	}
}

func TestSizesDoNotDecompress(t *testing.T) {
	data := sample()
	f, err := pbf.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Sizes(t.Context())
	if err != nil || s.Blocks != 3 || s.Raw < 100 {
		t.Errorf("got %+v, %v, want 3 blocks of more than 100 bytes", s, err)
	}
}

// Any input results in elements within the limits or in an error with a position in
// the file, and in the same one twice.
func FuzzScan(f *testing.F) {
	f.Add(sample())
	f.Add(header())
	f.Add(block(slices.Concat(table("", "a"), group(3, pbftest.AppendBytes(nil, 2, []byte{1, 1})))))
	f.Fuzz(func(t *testing.T, data []byte) {
		// The compression hides the content from the fuzzer: the input is also the content of a block.
		for _, file := range [][]byte{data, slices.Concat(header(), pbftest.Frame("OSMData", pbftest.AppendBytes(nil, 1, data)))} {
			first, err := scan(t.Context(), file)
			var positioned *pbf.Error
			if err != nil && (!errors.As(err, &positioned) || positioned.Offset < 0 || positioned.Offset > int64(len(file))) {
				t.Fatalf("got %v, want an error with a position in the file of %d bytes", err, len(file))
			}
			second, again := scan(t.Context(), file)
			if !slices.Equal(first, second) || fmt.Sprint(err) != fmt.Sprint(again) {
				t.Fatalf("second scan: got %d elements and %v, want %d and %v", len(second), again, len(first), err)
			}
			checkElements(t, file)
		}
	})
}

// checkElements fails the test if an element exceeds the limits.
func checkElements(t *testing.T, data []byte) {
	f, err := pbf.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	onEarth := func(p pbf.Point) {
		if p.Latitude < -900_000_000 || p.Latitude > 900_000_000 || p.Longitude < -1_800_000_000 || p.Longitude > 1_800_000_000 {
			t.Fatalf("got the position %v, want one on the Earth", p)
		}
	}
	_ = f.Scan(t.Context(), pbf.Visitor{
		Node: func(n *pbf.Node) error { onEarth(n.Point); return nil },
		Way: func(w *pbf.Way) error {
			if len(w.Points) > 0 && len(w.Points) != len(w.Refs) {
				t.Fatalf("got %d positions for %d nodes, want as many", len(w.Points), len(w.Refs))
			}
			for _, p := range w.Points {
				onEarth(p)
			}
			return nil
		},
	})
}
