package pbftest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"slices"

	"appliance/svc/maps/reader/pbf"
)

// File is a file that is being written. Its elements must be added in the order
// nodes, ways, relations, each by ascending ids.
type File struct {
	// Raw writes blocks without compression.
	Raw bool

	out     bytes.Buffer
	strings map[string]uint64
	table   []byte
	group   []byte
	kind    pbf.Kinds
	count   int

	ids, lats, lons, tags    []byte // of dense nodes
	lastID, lastLat, lastLon int64
}

// blockElements is the number of elements in a block.
const blockElements = 8000

// New returns a file with a header. Bounds are south, west, north, east in degrees;
// nil for none.
func New(bounds []float64) *File {
	var header []byte
	if bounds != nil {
		var box []byte
		for field, index := range []int{1, 3, 2, 0} {
			box = appendKey(box, field+1, 0)
			box = binary.AppendVarint(box, int64(bounds[index]*1e9))
		}
		header = AppendBytes(header, 1, box)
	}
	header = AppendBytes(header, 4, []byte("OsmSchema-V0.6"))
	header = AppendBytes(header, 4, []byte("DenseNodes"))
	header = AppendVarint(header, 32, 1_700_000_000)
	f := &File{}
	f.out.Write(Frame("OSMHeader", Zlib(header)))
	f.reset()
	return f
}

func (f *File) reset() {
	f.strings, f.table, f.group, f.count = map[string]uint64{"": 0}, AppendBytes(nil, 1, nil), nil, 0
	f.ids, f.lats, f.lons, f.tags = nil, nil, nil, nil
	f.lastID, f.lastLat, f.lastLon = 0, 0, 0
}

// begin begins an element of a kind.
func (f *File) begin(kind pbf.Kinds) {
	if f.count == blockElements || f.kind != kind {
		f.flush()
	}
	f.kind = kind
	f.count++
}

func (f *File) string(s string) uint64 {
	i, ok := f.strings[s]
	if !ok {
		i = uint64(len(f.strings))
		f.strings[s] = i
		f.table = AppendBytes(f.table, 1, []byte(s))
	}
	return i
}

// Node adds a node. Coordinates are in degrees; tags are keys and values.
func (f *File) Node(id int64, lat, lon float64, tags ...string) {
	f.begin(pbf.Nodes)
	y, x := round(lat*1e7), round(lon*1e7)
	f.ids = binary.AppendVarint(f.ids, id-f.lastID)
	f.lats, f.lons = binary.AppendVarint(f.lats, y-f.lastLat), binary.AppendVarint(f.lons, x-f.lastLon)
	f.lastID, f.lastLat, f.lastLon = id, y, x
	for _, t := range tags {
		f.tags = binary.AppendUvarint(f.tags, f.string(t))
	}
	f.tags = append(f.tags, 0)
}

func round(v float64) int64 {
	if v < 0 {
		return int64(v - 0.5)
	}
	return int64(v + 0.5)
}

// appendTags appends the fields of keys and values.
func (f *File) appendTags(message []byte, tags []string) []byte {
	var keys, values []byte
	for pair := range slices.Chunk(tags, 2) {
		keys, values = binary.AppendUvarint(keys, f.string(pair[0])), binary.AppendUvarint(values, f.string(pair[1]))
	}
	return AppendBytes(AppendBytes(message, 2, keys), 3, values)
}

// Way adds a way.
func (f *File) Way(id int64, nodes []int64, tags ...string) {
	f.begin(pbf.Ways)
	f.group = AppendBytes(f.group, 3, AppendBytes(f.appendTags(AppendVarint(nil, 1, uint64(id)), tags), 8, deltas(nodes)))
}

// Relation adds a relation whose members have the kind Ways and the role outer, or
// Nodes and the role label if they are negative.
func (f *File) Relation(id int64, members []int64, tags ...string) {
	f.begin(pbf.Relations)
	var roles, kinds []byte
	ids := slices.Clone(members)
	for i, m := range members {
		role, kind := "outer", byte(1)
		if m < 0 {
			role, kind, ids[i] = "label", 0, -m
		}
		roles, kinds = binary.AppendUvarint(roles, f.string(role)), append(kinds, kind)
	}
	message := f.appendTags(AppendVarint(nil, 1, uint64(id)), tags)
	f.group = AppendBytes(f.group, 4, AppendBytes(AppendBytes(AppendBytes(message, 8, roles), 9, deltas(ids)), 10, kinds))
}

func deltas(ids []int64) (data []byte) {
	last := int64(0)
	for _, id := range ids {
		data = binary.AppendVarint(data, id-last)
		last = id
	}
	return data
}

// flush writes the elements since the last flush as a block.
func (f *File) flush() {
	if f.count == 0 {
		return
	}
	if len(f.ids) > 0 {
		dense := AppendBytes(AppendBytes(AppendBytes(AppendBytes(nil, 1, f.ids), 8, f.lats), 9, f.lons), 10, f.tags)
		f.group = AppendBytes(f.group, 2, dense)
	}
	content := AppendBytes(AppendBytes(nil, 1, f.table), 2, f.group)
	if f.Raw {
		f.out.Write(Frame("OSMData", AppendBytes(nil, 1, content)))
	} else {
		f.out.Write(Frame("OSMData", Zlib(content)))
	}
	f.reset()
}

// Bytes returns the content of the file.
func (f *File) Bytes() []byte {
	f.flush()
	return f.out.Bytes()
}

// Drain returns the content that has been written since the last call.
func (f *File) Drain() []byte {
	content := slices.Clone(f.out.Bytes())
	f.out.Reset()
	return content
}

// Frame returns a blob with its header.
func Frame(kind string, blob []byte) []byte {
	header := AppendVarint(AppendBytes(nil, 1, []byte(kind)), 3, uint64(len(blob)))
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(header))), header, blob)
}

// Zlib returns a blob with compressed content.
func Zlib(content []byte) []byte { return StatedZlib(content, len(content)) }

// StatedZlib returns a blob that states a size for its content.
func StatedZlib(content []byte, size int) []byte {
	var compressed bytes.Buffer
	w, _ := zlib.NewWriterLevel(&compressed, zlib.BestSpeed)
	w.Write(content)
	w.Close()
	return AppendBytes(AppendVarint(nil, 2, uint64(size)), 3, compressed.Bytes())
}

// AppendBytes appends a field of a message.
func AppendBytes(message []byte, field int, value []byte) []byte {
	message = appendKey(message, field, 2)
	return append(binary.AppendUvarint(message, uint64(len(value))), value...)
}

// AppendVarint appends a field of a message.
func AppendVarint(message []byte, field int, value uint64) []byte {
	return binary.AppendUvarint(appendKey(message, field, 0), value)
}

func appendKey(message []byte, field, wire int) []byte {
	return binary.AppendUvarint(message, uint64(field)<<3|uint64(wire))
}
