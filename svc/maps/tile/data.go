package tile

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/klauspost/compress/zstd"

	"appliance/svc/maps/mapdata"
)

// Data of a tile:
//
//	byte     version
//	byte     z
//	uvarint  x, y
//	uvarint  length of the first block
//	...      first block: labels of points, compressed with zstd (RFC 8878)
//	...      second block: lines and areas, compressed in the same way
//
// A block is a sequence of features:
//
//	byte     class, and the flags labelFlag and nameFlag
//	byte     rank, only with labelFlag
//	uvarint  length of the name, and the name; only with labelFlag or nameFlag
//	uvarint  number of parts
//	         for each part: uvarint number of points; for each point the varint
//	         differences of x and y to the previous point of the block, which is at
//	         first the north-west corner of the tile
//
// Drawing a tile needs the labels of the tiles around it too. They have a block of
// their own, so that reading them is fast.
const dataVersion = 1

// The flags of a class.
const (
	labelFlag = 0x80
	nameFlag  = 0x40
)

// feature is a feature of a tile.
type feature struct {
	class   mapdata.Class
	isLabel bool  // a label at the only point
	rank    uint8 // of a label: of a settlement, for others the smallest zoom that shows it
	name    string
	parts   [][]point
}

// append appends the feature, and returns its last point as well.
func (f feature) append(b []byte, at point) ([]byte, point) {
	switch {
	case f.isLabel:
		b = append(b, byte(f.class)|labelFlag, f.rank)
	case f.name != "":
		b = append(b, byte(f.class)|nameFlag)
	default:
		b = append(b, byte(f.class))
	}
	if f.isLabel || f.name != "" {
		b = appendUvarint(b, len(f.name))
		b = append(b, f.name...)
	}
	return appendParts(b, f.parts, at)
}

func appendParts(b []byte, parts [][]point, at point) ([]byte, point) {
	b = appendUvarint(b, len(parts))
	for _, part := range parts {
		b = appendUvarint(b, len(part))
		for _, p := range part {
			b = binary.AppendVarint(b, int64(p.x)-int64(at.x))
			b = binary.AppendVarint(b, int64(p.y)-int64(at.y))
			at = p
		}
	}
	return b, at
}

// tileData collects the features of a tile.
type tileData struct {
	id       ID
	level    level
	size     int // bytes of the features
	features []feature
}

// add adds a record of the Builder. Records beyond maxTileData are left out; those
// of the most important classes come first.
func (t *tileData) add(record []byte) error {
	if t.size+len(record) > maxTileData*3/4 {
		return nil
	}
	r := reader{data: record, at: origin(t.id, t.level)}
	var f feature
	err := r.each(func(head feature, part []point) {
		parts := append(f.parts, slices.Clone(part))
		f = head
		f.parts = parts
	})
	if err != nil {
		return err
	}
	t.size += len(record)
	t.features = append(t.features, f)
	return nil
}

// encoder is used by one goroutine at a time for each call; it has no state.
var encoder = must(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderCRC(false)))

// decoder limits the memory for untrusted data.
var decoder = must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxTileData)))

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // the options are constants
	}
	return v
}

// encode returns the data of the tile.
func (t *tileData) encode() []byte {
	start := origin(t.id, t.level)
	var blocks [2][]byte
	at := [2]point{start, start}
	for _, f := range t.mergeLines() {
		i := 1
		if f.isLabel {
			i = 0
		}
		blocks[i], at[i] = f.append(blocks[i], at[i])
	}
	data := []byte{dataVersion, byte(t.id.Z)}
	data = appendUvarint(appendUvarint(data, t.id.X), t.id.Y)
	labels := encoder.EncodeAll(blocks[0], nil)
	data = append(appendUvarint(data, len(labels)), labels...)
	return encoder.EncodeAll(blocks[1], data)
}

// mergeLines returns the labels and, as one feature of each class and name, the lines
// and areas. Lines of the same class and name are joined, so that they can be
// simplified further and have room for their name.
func (t *tileData) mergeLines() (list []feature) {
	type key struct {
		class mapdata.Class
		name  string
	}
	groups := make(map[key]int)
	for _, f := range t.features {
		k := key{f.class, f.name}
		if i, ok := groups[k]; ok && !f.isLabel {
			list[i].parts = append(list[i].parts, f.parts...)
			continue
		}
		if !f.isLabel {
			groups[k] = len(list)
		}
		list = append(list, f)
	}
	for i, f := range list {
		if f.isLabel || classes[f.class].shape != line {
			continue
		}
		list[i].parts = joinLines(f.parts)
		for j, part := range list[i].parts {
			list[i].parts[j] = simplify(part, t.level.tolerance)
		}
	}
	return list
}

// joinLines returns lines in which those are connected of which exactly two meet
// at an end.
func joinLines(lines [][]point) [][]point {
	type end struct {
		line  int
		first bool
	}
	ends := make(map[point][]end, 2*len(lines))
	for i, l := range lines {
		ends[l[0]] = append(ends[l[0]], end{i, true})
		ends[l[len(l)-1]] = append(ends[l[len(l)-1]], end{i, false})
	}
	used := make([]bool, len(lines))
	// extend appends the lines that continue a line beyond its last point.
	extend := func(l []point) []point {
		for {
			at := ends[l[len(l)-1]]
			next := -1
			var reverse bool
			for _, e := range at {
				if !used[e.line] {
					next, reverse = e.line, !e.first
				}
			}
			if len(at) != 2 || next < 0 {
				return l
			}
			used[next] = true
			more := slices.Clone(lines[next])
			if reverse {
				slices.Reverse(more)
			}
			l = append(l, more[1:]...)
		}
	}
	var result [][]point
	for i, l := range lines {
		if used[i] {
			continue
		}
		used[i] = true
		l = extend(slices.Clone(l))
		slices.Reverse(l)
		l = extend(l)
		result = append(result, l)
	}
	return result
}

// errData reports data that is damaged or of an unknown version.
var errData = errors.New("the data of a map tile is damaged; import its region again")

// reader decodes the features of a block.
type reader struct {
	data []byte
	at   point
}

func (r *reader) byte() (byte, error) {
	if len(r.data) == 0 {
		return 0, errData
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b, nil
}

// length reads the number of items that have at least size bytes each. The number
// cannot be larger than the data permits.
func (r *reader) length(size int) (int, error) {
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v > uint64((len(r.data)-n)/size) {
		return 0, errData
	}
	r.data = r.data[n:]
	return int(v), nil
}

func (r *reader) point() (point, error) {
	dx, n := binary.Varint(r.data)
	if n <= 0 {
		return point{}, errData
	}
	dy, m := binary.Varint(r.data[n:])
	if m <= 0 {
		return point{}, errData
	}
	r.data = r.data[n+m:]
	// Differences that a valid tile cannot have wrap around. This is safe: the
	// positions are only drawn.
	r.at.x += int32(dx)
	r.at.y += int32(dy)
	return r.at, nil
}

// part reads a part into buffer, which may be nil.
func (r *reader) part(buffer []point) ([]point, error) {
	n, err := r.length(2)
	if err != nil || n == 0 {
		return nil, errData
	}
	part := slices.Grow(buffer[:0], n)
	for range n {
		p, err := r.point()
		if err != nil {
			return nil, err
		}
		part = append(part, p)
	}
	return part, nil
}

// head reads a feature up to the number of its parts.
func (r *reader) head() (f feature, parts int, err error) {
	flags, err := r.byte()
	if err != nil {
		return f, 0, err
	}
	f.class, f.isLabel = mapdata.Class(flags&^(labelFlag|nameFlag)), flags&labelFlag != 0
	if _, ok := classes[f.class]; !ok {
		return f, 0, errData
	}
	if f.isLabel {
		if f.rank, err = r.byte(); err != nil {
			return f, 0, err
		}
	}
	if flags&(labelFlag|nameFlag) != 0 {
		n, err := r.length(1)
		if err != nil || n > maxName {
			return f, 0, errData
		}
		f.name = string(r.data[:n])
		r.data = r.data[n:]
	}
	parts, err = r.length(3)
	if err != nil || parts == 0 || f.isLabel && parts != 1 {
		return f, 0, errData
	}
	return f, parts, nil
}

// each calls f with the parts of the features. f must not keep part.
func (r *reader) each(f func(f feature, part []point)) error {
	var part []point
	for len(r.data) > 0 {
		head, n, err := r.head()
		if err != nil {
			return err
		}
		for range n {
			if part, err = r.part(part); err != nil {
				return err
			}
			f(head, part)
		}
	}
	return nil
}

// header describes the data of a tile.
type header struct {
	id     ID
	level  level
	labels []byte // compressed block
	shapes []byte // compressed block of lines and areas
}

// readHeader reads the header of the data of a tile.
func readHeader(data []byte) (h header, err error) {
	if len(data) < 2 || data[0] != dataVersion {
		return h, errData
	}
	var ok bool
	if h.level, ok = levelOf(int(data[1])); !ok {
		return h, errData
	}
	r := reader{data: data[2:]}
	h.id.Z = h.level.z
	for _, v := range []*int{&h.id.X, &h.id.Y} {
		u, n := binary.Uvarint(r.data)
		if n <= 0 || u >= 1<<h.level.z {
			return h, errData
		}
		*v, r.data = int(u), r.data[n:]
	}
	n, err := r.length(1)
	if err != nil {
		return h, err
	}
	h.labels, h.shapes = r.data[:n], r.data[n:]
	return h, nil
}

// each calls f with the parts of the features of a block. f must not keep part.
func (h header) each(block []byte, f func(f feature, part []point)) error {
	data, err := decoder.DecodeAll(block, nil)
	if err != nil {
		return errData
	}
	r := reader{data: data, at: origin(h.id, h.level)}
	return r.each(f)
}
